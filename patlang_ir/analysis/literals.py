"""What literals say: of a value, and of how often a loop turns."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import SSAValue

from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, python_number


def literal_of(value: SSAValue) -> Number | None:
    """The number that a value is, if it is a literal."""
    return value.owner.value if isinstance(value.owner, tile.ConstantOp) else None


def counters_of(loop: scf.ForOp) -> range | None:
    """What the counter of a loop is in each turn, if literals say."""
    return counters_between([literal_of(bound) for bound in (loop.lb, loop.ub, loop.step)])


def counters_between(bounds: Sequence[Number | None]) -> range | None:
    """The same for a start, a bound and a step; None where one is not known, or it never ends."""
    numbers = [int(python_number(bound)) for bound in bounds if bound is not None]
    if len(numbers) < len(bounds):
        return None
    low, high, step = numbers
    return range(low, high, max(step, 1)) if step > 0 or low >= high else None
