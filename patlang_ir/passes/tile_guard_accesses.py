"""Mask every access, so that none leaves its buffer and padding lanes never show."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.accesses import Access, is_plain
from patlang_ir.analysis.ranges import Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, number
from patlang_ir.dialects.scalars import integer_range, is_float
from patlang_ir.dialects.tile import ComparePredicate as Predicate
from patlang_ir.dialects.tile import ReduceKind
from patlang_ir.rewriting import rewrite


class Guard:
    """Builds the mask of one access, in front of it."""

    def __init__(self, op: Access, ranges: Ranges, rewriter: PatternRewriter):
        self.buffer, self.index = op.buffer, op.index
        self.ranges, self.rewriter = ranges, rewriter
        self.sizes = tile.sizes_of(op.index.type)

    def emit(self, op: Operation) -> SSAValue:
        return self.rewriter.insert(op).results[0]

    def in_domain(self) -> list[SSAValue]:
        """The lanes of the input, where each lane has an index of its own."""
        return [self.emit(tile.InDomainOp(self.sizes))] if self.sizes else []

    def in_buffer(self) -> list[SSAValue]:
        """0 <= index, unless that is proved, and index < length."""
        length = self.emit(tile.LengthOp(self.buffer))
        below = self.compare(Predicate.LT, length)
        if self.ranges.of(self.index).low >= 0:
            return [below]
        zero = self.emit(tile.ConstantOp(number(0), i64))
        return [self.compare(Predicate.GE, zero), below]

    def first_along(self, axis: int) -> SSAValue:
        """Whether this is the first program along an axis: it does what has no lanes there."""
        program = self.emit(tile.ProgramOp(axis))
        zero = self.emit(tile.ConstantOp(number(0), i64))
        first = self.emit(tile.CompareOp(Predicate.EQ, program, zero))
        return self.emit(tile.BroadcastOp(first, tile.shaped(self.sizes, i1)))

    def compare(self, predicate: Predicate, bound: SSAValue) -> SSAValue:
        if self.sizes:
            bound = self.emit(tile.BroadcastOp(bound, self.index.type))
        return self.emit(tile.CompareOp(predicate, self.index, bound))

    def all(self, conditions: list[SSAValue]) -> SSAValue | None:
        """One mask that holds where all conditions do."""
        if not conditions:
            return None
        mask, *rest = conditions
        for condition in rest:
            mask = self.emit(tile.AndOp(mask, condition))
        return mask


def stays_inside(op: Access) -> bool:
    """Whether lanes of the input reach no element outside; scratch is made to measure."""
    return is_plain(op.index) or isinstance(op.buffer.owner, tile.ScratchOp)


@dataclass
class GuardLoad(RewritePattern):
    """load x[i] -> load x[i] mask (0 <= i and i < length x); of x[offs] the lanes of the input"""

    ranges: Ranges

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.LoadOp, rewriter: PatternRewriter) -> None:
        if op.guarded is not None:
            return
        guard = Guard(op, self.ranges, rewriter)
        conditions = guard.in_domain() if stays_inside(op) else guard.in_buffer()
        mask = guard.all(conditions)
        rewriter.replace(op, tile.LoadOp(op.buffer, op.index, op.result.type, mask, guarded=True))


@dataclass
class GuardWrite(RewritePattern):
    """store v, x[i] -> store v, x[i] mask (the lanes of the input, and 0 <= i and i < length x)

    An atomic at a row or column happens once, in the first program of that row or column.
    """

    ranges: Ranges

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tile.StoreOp | tile.AtomicOp, rewriter: PatternRewriter
    ) -> None:
        if op.guarded is not None:
            return
        guard = Guard(op, self.ranges, rewriter)
        conditions = guard.in_domain()
        if not stays_inside(op):
            conditions += guard.in_buffer()
        if isinstance(op, tile.AtomicOp):
            shared = [axis for axis, size in enumerate(guard.sizes) if size == 1]
            conditions += map(guard.first_along, shared)
        mask = guard.all(conditions)
        if isinstance(op, tile.StoreOp):
            new = tile.StoreOp(op.value, op.buffer, op.index, mask, guarded=True)
        else:
            new = tile.AtomicOp(op.kind.data, op.value, op.buffer, op.index, mask, guarded=True)
        rewriter.replace(op, new)


class HidePadding(RewritePattern):
    """reduce v -> reduce (select (the lanes of the input), v, neutral)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.ReduceOp, rewriter: PatternRewriter) -> None:
        if _hides_padding(op.operand):
            return
        sizes, element = tile.sizes_of(op.operand.type), tile.element_of(op.operand.type)
        inside = rewriter.insert(tile.InDomainOp(sizes)).result
        neutral = rewriter.insert(tile.ConstantOp(neutral_element(op.kind.data, element), element))
        padding = rewriter.insert(tile.BroadcastOp(neutral.result, op.operand.type)).result
        hidden = rewriter.insert(tile.SelectOp(inside, op.operand, padding)).result
        op.operands[0] = hidden
        rewriter.notify_op_modified(op)


def _hides_padding(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, tile.SelectOp) and isinstance(owner.condition.owner, tile.InDomainOp)


def neutral_element(kind: ReduceKind, element: Attribute) -> Number:
    """The value that changes no result of a reduction of this kind."""
    match kind:
        case ReduceKind.SUM:
            return number(0.0 if is_float(element) else 0)
        case ReduceKind.PROD:
            return number(1.0 if is_float(element) else 1)
        case ReduceKind.MAX | ReduceKind.ARGMAX:
            return number(-inf if is_float(element) else integer_range(element)[0])
        case ReduceKind.MIN | ReduceKind.ARGMIN:
            return number(inf if is_float(element) else integer_range(element)[1])
        case ReduceKind.ANY:
            return number(False)
        case ReduceKind.ALL:
            return number(True)


class TileGuardAccesses(ModulePass):
    """Mask every access, so that none leaves its buffer and padding lanes never show.

    A buffer that is indexed by plain `offs` has one element for each lane (a launch checks it),
    so there the lanes of the input are mask enough. Where lanes are combined, padding has the
    neutral element.
    """

    name = "tile-guard-accesses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ranges = Ranges()
        rewrite(op, GuardLoad(ranges), GuardWrite(ranges), HidePadding())
