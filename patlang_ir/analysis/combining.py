"""Which reductions one program must do alone, so that the input cannot be of any length."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Operation

from patlang_ir.analysis.frozen_lanes import is_block_local
from patlang_ir.analysis.independence import axes_of
from patlang_ir.analysis.literals import counters_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind

LIMIT = 32768
"""The most elements that one program combines: with more of them its registers spill."""
MOST_WRITTEN_OUT = 32
"""The most reductions, counted in every turn, that loops around them are written out for."""


def reductions_of(stage: tile.StageOp) -> list[tile.CombineOp]:
    """The reductions and scans of a stage that need its whole input or an axis of it."""
    ops = (op for op in stage.walk() if isinstance(op, tile.CombineOp))
    return [op for op in ops if op.in_block is None and not is_block_local(op)]


def can_be_staged(stage: tile.StageOp, reductions: Sequence[tile.CombineOp]) -> bool:
    """Whether every reduction stands at the top of the stage, and all combine the same axes.

    So does one in loops of few turns, which can be written out.
    """
    times = [times_of(op, stage) for op in reductions]
    known = [number for number in times if number is not None]
    if len(known) < len(times) or sum(known) > max(len(reductions), MOST_WRITTEN_OUT):
        return False
    return len({axes_of(op, stage.kernel.rank) for op in reductions}) == 1


def times_of(op: Operation, stage: tile.StageOp) -> int | None:
    """How many times an operation runs, if literals say."""
    times = 1
    parent = op.parent_op()
    while isinstance(parent, scf.ForOp):
        counters = counters_of(parent)
        if counters is None:
            return None
        times *= len(counters)
        parent = parent.parent_op()
    return times if parent is stage else None


def combined_axes(kernel: tile.KernelOp) -> set[frozenset[int]]:
    """The axes that each reduction of a kernel combines."""
    return {axes_of(op, kernel.rank) for stage in kernel.stages for op in reductions_of(stage)}


def axes_combined_at_once(kernel: tile.KernelOp) -> frozenset[int]:
    """The axes whose elements one program must combine; none where a chain of launches can."""
    axes: set[int] = set()
    if kernel.kind.data == KernelKind.MATMUL:
        return frozenset()
    for stage in kernel.stages:
        reductions = reductions_of(stage)
        if reductions and not can_be_staged(stage, reductions):
            axes = axes.union(*(axes_of(op, kernel.rank) for op in reductions))
    return frozenset(axes)
