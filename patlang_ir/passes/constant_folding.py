"""Folding of operations on literals, by the evaluator: there is no second arithmetic."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, number
from patlang_ir.rewriting import PatternOf

INEXACT = (
    tile.PowOp,
    tile.ExpOp,
    tile.Exp2Op,
    tile.LogOp,
    tile.Log2Op,
    tile.SinOp,
    tile.CosOp,
    tile.TanOp,
    tile.TanhOp,
    tile.ErfOp,
)
"""Functions whose last bit may differ from one device to another."""

FOLDED = tuple(op for op in tile.ELEMENTWISE if op not in (*INEXACT, tile.BroadcastOp))


class FoldLiterals(PatternOf):
    """add 1, 2 -> 3"""

    operations = FOLDED

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not op.operands or not all(
            isinstance(operand.owner, tile.ConstantOp) for operand in op.operands
        ):
            return
        (result,) = op.results
        rewriter.replace(op, tile.ConstantOp(computed(op), result.type))


def computed(op: Operation) -> Number:
    """The value of an operation whose operands are literals."""
    import numpy as np

    from patlang_ir.backends.numpy.contexts import FIRST_FREE, Context, Values
    from patlang_ir.backends.numpy.steps import step_of
    from patlang_ir.dialects.pat import KernelKind

    literals = {operand: operand.owner for operand in op.operands}
    slots: dict[SSAValue, int] = {}
    for value in (*literals, *op.results):
        slots[value] = FIRST_FREE + len(slots)
    context = Context(KernelKind.LINEAR, {}, slots, checked=False)
    values: Values = [None] * (FIRST_FREE + len(slots))
    with np.errstate(all="ignore"):
        for step in (*literals.values(), op):
            assert isinstance(step, Operation)
            step_of(context, step)(values)
    return number(values[slots[op.results[0]]].item())
