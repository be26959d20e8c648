"""Compute whole numbers in 32 bits where their range is proved to fit.

Positions mean 64 bits, so that inputs of more than 2**31 elements are right. Counters and what is
made of them seldom need that, and a GPU is faster without.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.ranges import Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import integer_range, is_float
from patlang_ir.rewriting import PatternOf, rewrite

ARITHMETIC = (
    tile.AddOp,
    tile.SubOp,
    tile.MulOp,
    tile.QuotientOp,
    tile.RemOp,
    tile.MaxOp,
    tile.MinOp,
)
LOW, HIGH = integer_range(i32)


@dataclass
class Narrowing:
    """What the rewrites share: proved ranges, and the casts between the widths."""

    ranges: Ranges

    def fits(self, value: SSAValue) -> bool:
        """Whether a 64-bit integer is proved to be one of 32 bits."""
        if tile.element_of(value.type) != i64:
            return False
        interval = self.ranges.of(value)
        return interval.low >= LOW and interval.high <= HIGH

    def narrow(self, value: SSAValue, rewriter: PatternRewriter) -> SSAValue:
        """The value in 32 bits; one that was widened before is taken as it was."""
        if is_widened(value):
            assert isinstance(value.owner, tile.CastOp)
            return value.owner.operand
        if isinstance(value.owner, tile.BroadcastOp):
            narrow = self.narrow(value.owner.operand, rewriter)
            return rewriter.insert(tile.BroadcastOp(narrow, tile.like(value.type, i32))).result
        cast = tile.CastOp(value, tile.like(value.type, i32))
        cast.result.name_hint = value.name_hint
        return rewriter.insert(cast).result


def is_widened(value: SSAValue) -> bool:
    """Whether a value is `cast i32 -> i64`."""
    owner = value.owner
    return isinstance(owner, tile.CastOp) and tile.element_of(owner.operand.type) == i32


@dataclass
class NarrowCounter(RewritePattern):
    """for i = 0 to 200 : i64 { ... } -> for j = 0 to 200 : i32 { i = cast j; ... }"""

    narrowing: Narrowing

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        bounds = (op.lb, op.ub, op.step)
        if not all(map(self.narrowing.fits, bounds)) or self.overshoots(op):
            return
        low, high, step = (self.narrowing.narrow(bound, rewriter) for bound in bounds)
        body = op.detach_region(op.body)
        counter = body.block.args[0]
        turn = body.block.insert_arg(i32, 0)
        turn.name_hint = counter.name_hint
        wide = tile.CastOp(turn, i64)
        wide.location = op.location
        counter.replace_all_uses_with(wide.result)
        body.block.erase_arg(counter)
        first = body.block.first_op
        assert first is not None
        body.block.insert_op_before(wide, first)
        rewriter.replace(op, scf.ForOp(low, high, step, op.iter_args, body))

    def overshoots(self, op: scf.ForOp) -> bool:
        """Whether the counter could pass the largest number with its last step."""
        return self.narrowing.ranges.of(op.ub).high + self.narrowing.ranges.of(op.step).high > HIGH


@dataclass
class NarrowArithmetic(PatternOf):
    """add (cast a), (cast b) : i64 -> cast (add a, b : i32), where the sum fits too"""

    narrowing: Narrowing
    operations = ARITHMETIC

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, ARITHMETIC) or not any(map(is_widened, op.operands)):
            return
        if not all(map(self.narrowing.fits, (*op.operands, op.result))):
            return
        lhs, rhs = (self.narrowing.narrow(operand, rewriter) for operand in op.operands)
        narrow = rewriter.insert(type(op)(lhs, rhs))
        narrow.result.name_hint = op.result.name_hint
        rewriter.replace(op, tile.CastOp(narrow.result, op.result.type))


@dataclass
class NarrowComparison(RewritePattern):
    """compare (cast a), b : i64 -> compare a, (cast b) : i32"""

    narrowing: Narrowing

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CompareOp, rewriter: PatternRewriter) -> None:
        operands = (op.lhs, op.rhs)
        if not any(map(is_widened, operands)) or not all(map(self.narrowing.fits, operands)):
            return
        lhs, rhs = (self.narrowing.narrow(operand, rewriter) for operand in operands)
        rewriter.replace(op, tile.CompareOp(op.predicate.data, lhs, rhs))


class NarrowConstant(RewritePattern):
    """cast (constant 3 : i64) -> constant 3 : i32"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CastOp, rewriter: PatternRewriter) -> None:
        literal = op.operand.owner
        if not isinstance(literal, tile.ConstantOp) or op.result.type != i32:
            return
        if literal.result.type == i64 and LOW <= literal.value.data <= HIGH:  # pyright: ignore
            rewriter.replace(op, tile.ConstantOp(literal.value, i32))


class CastOnce(RewritePattern):
    """cast (cast a : i32 -> i64) : i64 -> f32 -> cast a : i32 -> f32, and back to i32 -> a"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CastOp, rewriter: PatternRewriter) -> None:
        if not is_widened(op.operand):
            return
        assert isinstance(op.operand.owner, tile.CastOp)
        source = op.operand.owner.operand
        if source.type == op.result.type:
            rewriter.replace(op, [], [source])
        elif is_float(tile.element_of(op.result.type)):
            rewriter.replace(op, tile.CastOp(source, op.result.type))


class TileNarrowIndices(ModulePass):
    """Compute whole numbers in 32 bits where their range is proved to fit.

    It starts at the counters of loops; `offs`, sizes and lengths keep their 64 bits.
    """

    name = "tile-narrow-indices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        shared = Narrowing(Ranges())
        rewrite(op, NarrowCounter(shared))
        rewrite(
            op,
            NarrowConstant(),
            CastOnce(),
            NarrowArithmetic(shared),
            NarrowComparison(shared),
            recursively=True,
        )
