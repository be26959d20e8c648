"""Cut a kernel with reductions into stages, so that each is right for an input of any length.

A reduction that one block can hold stays: one program covers the axis. For longer inputs each
program reduces its own block into a scratch buffer, and one program reduces what all left there;
what needs the result comes in a stage of its own. (Two-phase reduction, as in M. Harris,
"Optimizing Parallel Reduction in CUDA", 2007.)
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.combining import LIMIT, can_be_staged, reductions_of
from patlang_ir.analysis.frozen_lanes import is_block_local
from patlang_ir.analysis.independence import axes_of
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.passes.staging import Chain
from patlang_ir.passes.unrolling import unrolled
from patlang_ir.rewriting import rewrite
from patlang_ir.traversal import walk


class LeaveByBlock(RewritePattern):
    """while any c -> while any in_block c, where the lanes of a block stop for themselves"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.ReduceOp, rewriter: PatternRewriter) -> None:
        if op.in_block is None and is_block_local(op):
            local = tile.ReduceOp(op.kind.data, op.operand, None, op.result.type, in_block=True)
            rewriter.replace(op, local)


@dataclass
class CoverAxes(RewritePattern):
    """stage { reduce v } -> stage cover [0] upto limit { reduce v }, and a chain for longer inputs

    Loops of few turns are written out for the chain. Inside other control flow a reduction cannot
    be cut into stages: the limit stands.
    """

    limit: int

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.kernel.kind.data == KernelKind.MATMUL:
            return
        reductions = reductions_of(op)
        if not reductions or op.cover is not None:
            return
        rank = op.kernel.rank
        cover = sorted({axis for each in reductions for axis in axes_of(each, rank)})
        if any(map(_combines_a_block, walk(op))):
            raise refuse(op, "P902", "a stage combines both its whole input and blocks of it")
        if can_be_staged(op, reductions):
            whole = unrolled(op)
            for part in Chain(whole, reductions_of(whole), self.limit).build():
                rewriter.insert(part)
            rewriter.erase(whole)
        body = op.detach_region(op.body)
        rewriter.replace(op, tile.StageOp(body, cover=cover, upto=self.limit), [])


def _combines_a_block(op: Operation) -> bool:
    """Whether an operation gives something else for each block of the input."""
    return isinstance(op, tile.CombineOp) and op.in_block is not None and not is_block_local(op)


@dataclass(frozen=True)
class TileLegalizeReductions(ModulePass):
    """Make reductions right for inputs of any length.

    Up to `limit` elements one program covers the axis; beyond, a chain of stages does it. A loop
    in which each lane stops for itself tests the lanes of each block.
    """

    name = "tile-legalize-reductions"

    limit: int = field(
        default=LIMIT, metadata={"help": "the most elements that one program combines"}
    )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, LeaveByBlock())
        rewrite(op, CoverAxes(self.limit))
