"""Replace an operation by a cheaper one that gives the same bits for every operand."""

from __future__ import annotations

from math import frexp

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number, python_number
from patlang_ir.dialects.scalars import is_float, is_integer
from patlang_ir.rewriting import rewrite

SMALLEST_POWER = 14
"""2**-14 is a number of full precision in every float type."""


class DivideByPower(RewritePattern):
    """div x, 4.0 -> mul x, 0.25: both round the same quotient, once"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.DivOp, rewriter: PatternRewriter) -> None:
        divisor = literal(op.rhs)
        if not divisor or not is_float(tile.element_of(op.rhs.type)):
            return
        fraction, exponent = frexp(divisor)
        if abs(fraction) != 0.5 or abs(exponent - 1) > SMALLEST_POWER:
            return
        rewriter.replace(op, tile.MulOp(op.lhs, written(1.0 / divisor, op.rhs, rewriter)))


class DivideByZero(RewritePattern):
    """quotient x, 0 -> 0; rem x, 0 -> 0, for integers"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tile.QuotientOp | tile.RemOp, rewriter: PatternRewriter
    ) -> None:
        if literal(op.rhs) == 0 and is_integer(tile.element_of(op.rhs.type)):
            rewriter.replace(op, [], [op.rhs])


class NegateFactor(RewritePattern):
    """neg (mul 2.0, x) -> mul -2.0, x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.NegOp, rewriter: PatternRewriter) -> None:
        product = op.operand.owner
        if not isinstance(product, tile.MulOp) or not op.operand.has_one_use():
            return
        if not is_float(tile.element_of(op.operand.type)):
            return
        for factor, other in ((product.lhs, product.rhs), (product.rhs, product.lhs)):
            if value := literal(factor):
                rewriter.replace(op, tile.MulOp(written(-value, factor, rewriter), other))
                return


def literal(value: SSAValue) -> float | None:
    """The number that a value is in every lane, if that is known."""
    owner = value.owner
    if isinstance(owner, tile.BroadcastOp):
        owner = owner.operand.owner
    return float(python_number(owner.value)) if isinstance(owner, tile.ConstantOp) else None


def written(value: float, like: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    """A number in the shape and the type of another value."""
    constant = rewriter.insert(tile.ConstantOp(number(value), tile.element_of(like.type))).result
    if not tile.sizes_of(like.type):
        return constant
    return rewriter.insert(tile.BroadcastOp(constant, like.type)).result


class TileReduceStrength(ModulePass):
    """Replace an operation by a cheaper one that gives the same bits for every operand."""

    name = "tile-reduce-strength"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, DivideByPower(), DivideByZero(), NegateFactor())
