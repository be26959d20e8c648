"""Cut a kernel with reductions into stages, so that each is right for an input of any length.

A reduction that one block can hold stays: one program covers the axis. For longer inputs each
program reduces its own block into a scratch buffer, and one program reduces what all left there;
what needs the result comes in a stage of its own. (Two-phase reduction, as in M. Harris,
"Optimizing Parallel Reduction in CUDA", 2007.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.independence import axes_of
from patlang_ir.dialects import tile
from patlang_ir.passes.staging import Chain
from patlang_ir.rewriting import rewrite


def reductions_of(stage: tile.StageOp) -> list[tile.CombineOp]:
    """The reductions and scans of a stage over its whole input or an axis of it."""
    ops = (op for op in stage.walk() if isinstance(op, tile.CombineOp))
    return [op for op in ops if op.in_block is None]


@dataclass
class CoverAxes(RewritePattern):
    """stage { reduce v } -> stage cover [0] upto limit { reduce v }, and a chain for longer inputs

    Inside control flow a reduction cannot be cut into stages: the limit stands.
    """

    limit: int

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        reductions = reductions_of(op)
        if not reductions or op.cover is not None:
            return
        rank = op.kernel.rank
        cover = sorted({axis for each in reductions for axis in axes_of(each, rank)})
        if _can_be_staged(op, reductions):
            for part in Chain(op, reductions, self.limit).build():
                rewriter.insert(part)
        body = op.detach_region(op.body)
        rewriter.replace(op, tile.StageOp(body, cover=cover, upto=self.limit), [])


def _can_be_staged(stage: tile.StageOp, reductions: Sequence[tile.CombineOp]) -> bool:
    """Whether every reduction stands at the top of the stage, and all combine the same axes."""
    at_top = all(op.parent_op() is stage for op in reductions)
    return at_top and len({axes_of(op, stage.kernel.rank) for op in reductions}) == 1


@dataclass(frozen=True)
class TileLegalizeReductions(ModulePass):
    """Make reductions right for inputs of any length.

    Up to `limit` elements one program covers the axis; beyond, a chain of stages does it.
    """

    name = "tile-legalize-reductions"

    limit: int = field(
        default=32768, metadata={"help": "the most elements that one program combines"}
    )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, CoverAxes(self.limit))
