"""Loops with few turns, written out."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.analysis.combining import reductions_of
from patlang_ir.analysis.literals import counters_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number


def unrolled(stage: tile.StageOp) -> tile.StageOp:
    """A copy of a stage before it, in which the loops that hold reductions are written out."""
    copy = stage.clone()
    Rewriter.insert_op(copy, InsertPoint.before(stage))
    while loop := next(filter(None, map(outer_loop, reductions_of(copy))), None):
        unroll(loop)
    return copy


def outer_loop(op: tile.CombineOp) -> scf.ForOp | None:
    """The outermost loop around an operation."""
    outer, parent = None, op.parent_op()
    while not isinstance(parent, tile.StageOp):
        assert parent is not None
        outer, parent = parent, parent.parent_op()
    return outer if isinstance(outer, scf.ForOp) else None


def unroll(loop: scf.ForOp) -> None:
    """for i = 0 to 2 iter_args(a = b) { yield f(i, a) } -> f(1, f(0, b))"""
    index, *carried = loop.body.block.args
    point = InsertPoint.before(loop)
    values = list(loop.iter_args)
    for turn in counters_of(loop) or ():
        counter = tile.ConstantOp(number(turn), index.type)
        counter.location = loop.location
        Rewriter.insert_op(counter, point)
        now: dict[SSAValue, SSAValue] = {index: counter.result}
        now.update(zip(carried, values, strict=True))
        for op in loop.body.block.ops:
            if isinstance(op, scf.YieldOp):
                values = [now.get(value, value) for value in op.operands]
            else:
                Rewriter.insert_op(op.clone(now), point)
    Rewriter.replace_op(loop, [], values)
