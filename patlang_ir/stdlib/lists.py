"""Host functions on lists. Lists are values: each of these gives a new one."""

from __future__ import annotations

from sys import getrefcount

from patlang_ir.runtime.host_kinds import (
    LIST,
    NUMERAL,
    STRINGS,
    TEXT,
    UNIT,
    Kinds,
    elements,
    list_of,
)
from patlang_ir.runtime.references import HELD_ONCE
from patlang_ir.runtime.values import Value, index, is_list
from patlang_ir.stdlib.arguments import list_or_unit, position_in, wrong
from patlang_ir.stdlib.registry import host


@host("list_len", 1, gives=NUMERAL)
def list_len(xs: Value) -> str:
    """The number of elements, as a string."""
    return str(len(list_or_unit("list_len", 1, xs)))


def _pushed_kinds(xs: Kinds, item: Kinds) -> Kinds:
    return list_of(elements(xs) | item)


@host("list_push", 2, retains=(1,), fresh=True, gives=_pushed_kinds)
def list_push(xs: Value, item: Value) -> list[Value]:
    """A list with `item` after the elements of `xs`; unit counts as an empty list."""
    return [*list_or_unit("list_push", 1, xs), item]


def _set_kinds(xs: Kinds, at: Kinds, item: Kinds) -> Kinds:
    return list_of(elements(xs) | item)


@host("list_set", 3, retains=(2,), fresh=True, gives=_set_kinds)
def list_set(xs: Value, at: Value, item: Value) -> list[Value]:
    """A list like `xs` with `item` at position `at`, which must be inside."""
    if not is_list(xs):
        raise wrong("list_set", 1, "a list", xs)
    result = copied(xs)
    result[position_in("list_set", at, len(xs))] = item
    return result


@host("list.set_in_place", 3, pure=False, retains=(2,), gives=UNIT)
def list_set_in_place(xs: Value, at: Value, item: Value) -> None:
    """Put `item` at position `at` of a list that nobody else holds."""
    if not is_list(xs):
        raise wrong("list_set", 1, "a list", xs)
    xs[position_in("list_set", at, len(xs))] = item


@host("list.push_held", 2, pure=False, retains=(1,), fresh=True, gives=_pushed_kinds)
def push_held(xs: Value, item: Value) -> list[Value]:
    """`list_push(xs, item)` for a list that stands where the result is put; the list itself if
    nobody else holds it."""
    if is_list(xs) and getrefcount(xs) == HELD_ONCE:
        xs.append(item)
        return xs
    return list_push(xs, item)


@host("list.set_held", 3, pure=False, retains=(2,), fresh=True, gives=_set_kinds)
def set_held(xs: Value, at: Value, item: Value) -> list[Value]:
    """The same for `list_set`."""
    if is_list(xs) and getrefcount(xs) == HELD_ONCE:
        xs[position_in("list_set", at, len(xs))] = item
        return xs
    return list_set(xs, at, item)


def _own_kinds(xs: Kinds) -> Kinds:
    return xs & ~UNIT | LIST


@host("list.own", 1, pure=False, fresh=True, gives=_own_kinds)
def list_own(xs: Value) -> Value:
    """The list of a variable itself if nobody else holds it, else a copy; unit counts as an empty
    list. What is no list stays as it is, for the operation on it to refuse."""
    if is_list(xs):
        return xs if getrefcount(xs) == HELD_ONCE else copied(xs)
    return [] if xs is None else xs


def copied(xs: list[Value]) -> list[Value]:
    """A list with the same elements."""
    return xs.copy()


def item_kinds(xs: Kinds) -> Kinds:
    """What `xs[i]` may be."""
    found = elements(xs) | UNIT if xs & ~STRINGS else 0
    return found | TEXT if xs & STRINGS else found


def _got_kinds(xs: Kinds, at: Kinds) -> Kinds:
    return item_kinds(xs)


@host("list.take", 2, pure=False, gives=_got_kinds)
def list_take(xs: Value, at: Value) -> Value:
    """`xs[at]` for a list that is set there before it is read again: nobody else holds the item for
    its sake, if nobody else holds the list."""
    item = index(xs, at)
    if is_list(item) and type(at) is int and getrefcount(xs) == HELD_ONCE:
        xs[at] = None
    return item


@host("list_get", 2, gives=_got_kinds)
def list_get(xs: Value, at: Value) -> Value:
    """The same as `xs[at]`: unit outside a list, an empty string outside a string."""
    return index(xs, at)
