"""The range of an integer value, as an interval: what is proved, and nothing about wrapping.

Interval arithmetic after Cousot and Cousot (1976), without iteration: what a loop carries has the
whole range of its type, but the counter of `scf.for` lies between its bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import integer_range, is_integer

EXTENT = 2**47
"""No buffer has more elements than this: addresses have 48 bits."""
LARGEST_BLOCK = 2**20
"""The most lanes of a block along an axis, in Triton."""
PROGRAMS = 2**31 - 1
"""The most programs of a launch."""


@dataclass(frozen=True)
class Interval:
    """All integers from `low` to `high`, both included."""

    low: int
    high: int

    def hull(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def within(self, type: Attribute) -> Interval:
        """This interval, or the whole range of the type if a value could wrap."""
        low, high = integer_range(type)
        return self if low <= self.low and self.high <= high else Interval(low, high)


class Ranges:
    """What integer values, in any lane, lie between. Answers are kept, so each costs one visit."""

    def __init__(self) -> None:
        self._known: dict[SSAValue, Interval] = {}

    def of(self, value: SSAValue) -> Interval:
        """The interval of an integer value."""
        waiting = [value]
        while value not in self._known:
            top = waiting[-1]
            unknown = [source for source in _sources(top) if source not in self._known]
            if unknown:
                waiting += unknown
                continue
            waiting.pop()
            self._known[top] = self._compute(top).within(tile.element_of(top.type))
        return self._known[value]

    def _compute(self, value: SSAValue) -> Interval:
        match value:
            case BlockArgument(block=block, index=0) if isinstance(block.parent_op(), scf.ForOp):
                return self._of_counter(block.parent_op())
            case OpResult(op=op) if len(op.results) == 1:
                return self._of_result(op)
            case _:
                return whole(value)

    def _of_counter(self, loop: Operation | None) -> Interval:
        assert isinstance(loop, scf.ForOp)
        if self.of(loop.step).low <= 0:
            return whole(loop.lb)
        low, high = self.of(loop.lb).low, self.of(loop.ub).high - 1
        return Interval(low, max(low, high))

    def _of_result(self, op: Operation) -> Interval:
        match op:
            case tile.ConstantOp(value=IntAttr() as literal):
                return Interval(literal.data, literal.data)
            case tile.IndexOp():
                return Interval(0, EXTENT - 1)
            case tile.BlockSizeOp():
                return Interval(1, LARGEST_BLOCK)
            case tile.LaneOp():
                return Interval(0, LARGEST_BLOCK - 1)
            case tile.ProgramOp() | tile.ProgramsOp():
                return Interval(0, PROGRAMS)
            case tile.SizeOp() | tile.LengthOp():
                return Interval(0, EXTENT)
            case tile.BroadcastOp():
                return self.of(op.operand)
            case tile.CastOp() if is_integer(tile.element_of(op.operand.type)):
                return self.of(op.operand)
            case tile.SelectOp():
                return self.of(op.lhs).hull(self.of(op.rhs))
            case tile.NegOp():
                inner = self.of(op.operand)
                return Interval(-inner.high, -inner.low)
            case tile.BinaryOp() if type(op) in BINARY:
                return BINARY[type(op)](self.of(op.lhs), self.of(op.rhs))
            case _:
                return whole(op.results[0])


def _sources(value: SSAValue) -> Sequence[SSAValue]:
    """The integers that the interval of a value is computed from."""
    match value:
        case BlockArgument(block=block, index=0) if isinstance(block.parent_op(), scf.ForOp):
            loop = block.parent_op()
            assert isinstance(loop, scf.ForOp)
            return (loop.lb, loop.ub, loop.step)
        case OpResult(op=op) if not op.regions:
            return [v for v in op.operands if is_integer(tile.element_of(v.type))]
        case _:
            return ()


def whole(value: SSAValue) -> Interval:
    """The whole range of a value's type."""
    return Interval(*integer_range(tile.element_of(value.type)))


def _add(a: Interval, b: Interval) -> Interval:
    return Interval(a.low + b.low, a.high + b.high)


def _sub(a: Interval, b: Interval) -> Interval:
    return Interval(a.low - b.high, a.high - b.low)


def _mul(a: Interval, b: Interval) -> Interval:
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(corners), max(corners))


def _quotient(a: Interval, b: Interval) -> Interval:
    """The quotient is no larger than the dividend, and smaller by a divisor known to be large."""
    if b.low <= 0:
        size = max(-a.low, a.high)
        return Interval(-size if a.low < 0 or b.low < 0 else 0, size)
    corners = [_truncated(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return Interval(min(corners), max(corners))


def _truncated(a: int, b: int) -> int:
    return a // b if a >= 0 else -(-a // b)


def _rem(a: Interval, b: Interval) -> Interval:
    """The remainder has the sign of the dividend and is smaller than the divisor."""
    size = max(abs(b.low), abs(b.high), 1) - 1
    return Interval(max(-size, min(a.low, 0)), min(size, max(a.high, 0)))


def _max(a: Interval, b: Interval) -> Interval:
    return Interval(max(a.low, b.low), max(a.high, b.high))


def _min(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.low, b.low), min(a.high, b.high))


BINARY: dict[type[tile.BinaryOp], Callable[[Interval, Interval], Interval]] = {
    tile.AddOp: _add,
    tile.SubOp: _sub,
    tile.MulOp: _mul,
    tile.QuotientOp: _quotient,
    tile.RemOp: _rem,
    tile.MaxOp: _max,
    tile.MinOp: _min,
}
"""From the intervals of two operands to that of the result."""
