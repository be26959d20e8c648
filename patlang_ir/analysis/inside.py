"""Whether the index of an access stays inside its buffer, from what holds of the lanes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import IntAttr, i64
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.accesses import exact_buffers
from patlang_ir.analysis.polynomials import Monomial, Polynomial, follows
from patlang_ir.analysis.ranges import EXTENT, Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import ComparePredicate, IndexKind, SizeKind
from patlang_ir.traversal import walk

FEW = 32
"""Sums of fewer positions and extents stay within 64 bits, in padding lanes too."""

ONE = Polynomial.constant(1)


@dataclass(frozen=True)
class Proof:
    """Whether something holds in every lane of a mask, and whether in those of the input."""

    everywhere: bool
    in_domain: bool


class Inside:
    """Proofs about the indices of one stage.

    The unknowns are positions and extents. In a grid `offs` is `row * n_cols + col`. A buffer that
    is indexed by plain `offs` somewhere has as many elements as the input.
    """

    def __init__(self, stage: tile.StageOp, ranges: Ranges):
        self.ranges = ranges
        self.is_grid = stage.kernel.kind.data == KernelKind.GRID
        self.whole = stage.over is None
        self.exact = exact_buffers(stage.kernel) if self.whole else set[SSAValue]()
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[SSAValue, Polynomial | None] = {}
        for op in walk(stage):
            for result in op.results:
                if tile.element_of(result.type) == i64:
                    self._known[result] = self._of_result(op, result)

    def low(self, index: SSAValue, mask: SSAValue | None) -> Proof:
        """Whether the index is at least 0 in the lanes of a mask."""
        return self._proof(self._of(index), index, mask)

    def high(self, index: SSAValue, buffer: SSAValue, mask: SSAValue | None) -> Proof:
        """Whether the index is less than the length of its buffer."""
        position = self._of(index)
        goal = None if position is None else self._length(buffer) - position - ONE
        return self._proof(goal, index, mask)

    def is_small(self, index: SSAValue) -> bool:
        """Whether no part of the computation of an index can wrap."""
        return self._of(index) is not None

    def _proof(self, goal: Polynomial | None, index: SSAValue, mask: SSAValue | None) -> Proof:
        if goal is None:
            return Proof(False, False)
        goal = self._expanded(goal)
        given = [self._expanded(fact) for fact in self._facts(mask)]
        lanes = self._lanes(tile.sizes_of(index.type))
        return Proof(follows(goal, given), follows(goal, [*given, *lanes]))

    def _lanes(self, sizes: tuple[str | int, ...]) -> Iterator[Polynomial]:
        """What holds of the lanes of the input, for each axis that a tile has."""
        axes = [(IndexKind.OFFS, SizeKind.N)]
        if self.is_grid:
            axes = [(IndexKind.ROW, SizeKind.N_ROWS), (IndexKind.COL, SizeKind.N_COLS)]
        for size, (position, extent) in zip(sizes, axes, strict=False):
            if isinstance(size, str) and self.whole:
                yield self._unknown(extent) - self._unknown(position) - ONE

    # --- values as polynomials ---

    def _unknown(self, key: Hashable) -> Polynomial:
        return Polynomial.unknown(self._number(key))

    def _number(self, key: Hashable) -> int:
        return self._numbers.setdefault(key, len(self._numbers))

    def _length(self, buffer: SSAValue) -> Polynomial:
        return self._unknown(SizeKind.N if buffer in self.exact else buffer)

    def _expanded(self, value: Polynomial) -> Polynomial:
        """With rows and columns in the place of flat positions."""
        if not self.is_grid:
            return value
        width = self._unknown(SizeKind.N_COLS)
        value = value.put(self._number(SizeKind.N), self._unknown(SizeKind.N_ROWS) * width)
        offs = self._unknown(IndexKind.ROW) * width + self._unknown(IndexKind.COL)
        return value.put(self._number(IndexKind.OFFS), offs)

    def _of(self, value: SSAValue) -> Polynomial | None:
        """An integer as a polynomial, if no part of its computation can wrap."""
        return self._known[value] if value in self._known else self._opaque(value)

    def _of_result(self, op: Operation, result: SSAValue) -> Polynomial | None:
        match op:
            case tile.ConstantOp(value=IntAttr() as literal):
                return self._limited(Polynomial.constant(literal.data))
            case tile.IndexOp() if self.whole:
                return self._unknown(op.kind.data)
            case tile.SizeOp():
                return self._unknown(op.kind.data)
            case tile.LengthOp():
                return self._length(op.buffer)
            case tile.BroadcastOp():
                return self._of(op.operand)
            case tile.AddOp() | tile.SubOp() | tile.MulOp():
                lhs, rhs = self._of(op.lhs), self._of(op.rhs)
                if lhs is None or rhs is None:
                    return self._opaque(result)
                return self._limited(_computed(op, lhs, rhs)) or self._opaque(result)
            case _:
                return self._opaque(result)

    def _opaque(self, value: SSAValue) -> Polynomial | None:
        """Any other value is an unknown of its own, if it is not negative and not too large."""
        span = self.ranges.of(value)
        return self._unknown(value) if span.low >= 0 and span.high <= EXTENT else None

    def _limited(self, value: Polynomial) -> Polynomial | None:
        """The polynomial, if it is a small sum of what is no larger than a buffer."""
        size = sum(abs(c) for monomial, c in value.terms.items() if monomial)
        fits = size < FEW and abs(value.terms.get((), 0)) < EXTENT
        return value if fits and all(map(self._is_position, value.terms)) else None

    def _is_position(self, monomial: Monomial) -> bool:
        """Whether it is 1, an unknown, or the start of a row."""
        if len(monomial) < 2:
            return True
        width, *rows = (
            self._number(key) for key in (SizeKind.N_COLS, IndexKind.ROW, SizeKind.N_ROWS)
        )
        return self.is_grid and monomial in [tuple(sorted((row, width))) for row in rows]

    # --- conditions as facts ---

    def _facts(self, mask: SSAValue | None) -> Iterator[Polynomial]:
        """What is not negative where a mask holds."""
        waiting = [(mask, True)] if mask is not None else []
        while waiting:
            condition, holds = waiting.pop()
            match condition.owner:
                case tile.BroadcastOp() as op:
                    waiting.append((op.operand, holds))
                case tile.NotOp() as op:
                    waiting.append((op.operand, not holds))
                case tile.AndOp() as op if holds:
                    waiting += [(op.lhs, True), (op.rhs, True)]
                case tile.OrOp() as op if not holds:
                    waiting += [(op.lhs, False), (op.rhs, False)]
                case tile.CompareOp() as op if tile.element_of(op.lhs.type) == i64:
                    yield from self._compared(op, holds)
                case _:
                    pass

    def _compared(self, op: tile.CompareOp, holds: bool) -> Iterator[Polynomial]:
        lhs, rhs = self._of(op.lhs), self._of(op.rhs)
        if lhs is None or rhs is None:
            return
        match op.predicate.data if holds else OPPOSITE[op.predicate.data]:
            case ComparePredicate.LT:
                yield rhs - lhs - ONE
            case ComparePredicate.LE:
                yield rhs - lhs
            case ComparePredicate.GT:
                yield lhs - rhs - ONE
            case ComparePredicate.GE:
                yield lhs - rhs
            case ComparePredicate.EQ:
                yield lhs - rhs
                yield rhs - lhs
            case ComparePredicate.NE:
                if not rhs.terms and lhs.never_negative:
                    yield lhs - ONE


def _computed(op: tile.BinaryOp, lhs: Polynomial, rhs: Polynomial) -> Polynomial:
    match op:
        case tile.AddOp():
            return lhs + rhs
        case tile.SubOp():
            return lhs - rhs
        case _:
            return lhs * rhs


OPPOSITE = {
    ComparePredicate.LT: ComparePredicate.GE,
    ComparePredicate.LE: ComparePredicate.GT,
    ComparePredicate.GT: ComparePredicate.LE,
    ComparePredicate.GE: ComparePredicate.LT,
    ComparePredicate.EQ: ComparePredicate.NE,
    ComparePredicate.NE: ComparePredicate.EQ,
}
