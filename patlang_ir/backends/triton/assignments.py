"""Assigning several variables at once, with as many single assignments as it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, SSAValue

from patlang_ir.backends.triton.names import Names

Pair = tuple[str, SSAValue]


def in_order(pairs: Sequence[Pair], names: Names) -> Iterator[tuple[Pair, ...]]:
    """Groups of assignments: no group changes what a later one reads.

    A group has more than one member only where variables trade their values.
    """
    left = list(pairs)
    reads = {name: frozenset(variables_in(value, names)) for name, value in pairs}
    while left:
        free = [pair for pair in left if not is_read(pair, left, reads)]
        if not free:
            yield tuple(left)
            return
        yield (free[0],)
        left.remove(free[0])


def is_read(pair: Pair, left: Sequence[Pair], reads: dict[str, frozenset[str]]) -> bool:
    """Whether another assignment reads the variable of this one."""
    return any(pair[0] in reads[other[0]] for other in left if other is not pair)


def variables_in(value: SSAValue, names: Names) -> Iterator[str]:
    """The variables that the text of a value mentions."""
    name = names.get(value)
    if name is not None:
        yield name
        return
    owner = value.owner
    if isinstance(owner, Operation):
        for operand in owner.operands:
            yield from variables_in(operand, names)
