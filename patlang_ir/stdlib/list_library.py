"""The library `list`."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import (
    BOOL,
    INT,
    NUMBERS,
    Kinds,
    elements,
    list_of,
)
from patlang_ir.runtime.values import Fault, Value, add, eq, is_list
from patlang_ir.stdlib.arguments import list_or_unit, whole
from patlang_ir.stdlib.registry import host

LONGEST = 1 << 28


def _joined_kinds(xs: Kinds, ys: Kinds) -> Kinds:
    return list_of(elements(xs) | elements(ys))


def _same_kinds(xs: Kinds, *_: Kinds) -> Kinds:
    return list_of(elements(xs))


@host("list_concat", 2, fresh=True, gives=_joined_kinds)
def list_concat(xs: Value, ys: Value) -> list[Value]:
    """The elements of two lists in one."""
    return [*list_or_unit("list_concat", 1, xs), *list_or_unit("list_concat", 2, ys)]


@host("list_slice", 3, fresh=True, gives=_same_kinds)
def list_slice(xs: Value, start: Value, count: Value) -> list[Value]:
    """At most `count` elements from position `start` on; a negative start counts as 0."""
    items = list_or_unit("list_slice", 1, xs)
    first = max(0, whole("list_slice", 2, start))
    return items[first : first + max(0, whole("list_slice", 3, count))]


@host("list_reverse", 1, fresh=True, gives=_same_kinds)
def list_reverse(xs: Value) -> list[Value]:
    """The elements from the last to the first."""
    return list_or_unit("list_reverse", 1, xs)[::-1]


@host("list_index_of", 2, gives=INT)
def list_index_of(xs: Value, wanted: Value) -> int:
    """The position of the first element that is `==` to `wanted`, or -1."""
    items = list_or_unit("list_index_of", 1, xs)
    return next((at for at, item in enumerate(items) if eq(item, wanted)), -1)


@host("list_contains", 2, gives=BOOL)
def list_contains(xs: Value, wanted: Value) -> bool:
    """Whether some element is `==` to `wanted`."""
    return list_index_of(xs, wanted) >= 0


@host("list_range", 2, fresh=True, gives=list_of(INT))
def list_range(start: Value, end: Value) -> list[Value]:
    """The integers from `start` up to the one before `end`."""
    first, last = whole("list_range", 1, start), whole("list_range", 2, end)
    if last - first > LONGEST:
        raise Fault("P603", f"list_range: {last - first} elements are too many")
    return list(range(first, last))


@host("list_sum", 1, gives=NUMBERS)
def list_sum(xs: Value) -> Value:
    """The sum of the elements; 0 for an empty list."""
    total: Value = 0
    for item in list_or_unit("list_sum", 1, xs):
        if is_list(item) or isinstance(item, str):
            raise Fault("P603", "list_sum: the elements must be numbers")
        total = add(total, item)
    return total
