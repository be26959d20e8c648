"""Assigning several variables at once, with as many single assignments as it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from xdsl.ir import Operation, SSAValue

from patlang_ir.backends.triton.names import Names

Pair = tuple[str, SSAValue]


def in_order(pairs: Sequence[Pair], names: Names) -> Iterator[tuple[Pair, ...]]:
    """Groups of assignments: no group changes what a later one reads.

    A group has more than one member only where variables trade their values.
    """
    reads = [set(variables_in(value, names)) - {name} for name, value in pairs]
    places = {name: place for place, (name, _) in enumerate(pairs)}
    readers = Counter(name for variables in reads for name in variables)
    left = dict(enumerate(pairs))
    free = [place for place, (name, _) in enumerate(pairs) if not readers[name]]
    while free:
        place = heappop(free)
        yield (left.pop(place),)
        for name in reads[place]:
            readers[name] -= 1
            if not readers[name] and name in places:
                heappush(free, places[name])
    if left:
        yield tuple(left.values())


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
