"""Choose block sizes and launch options for each stage."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.rewriting import rewrite
from patlang_ir.targets import DEFAULT_TARGET, TARGETS, Target


@dataclass
class PlanStage(RewritePattern):
    """stage { ... } -> stage plan {BLOCK_SIZE = 1024, num_warps = 4} { ... }"""

    target: Target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.plan is not None:
            return
        sizes = {"BLOCK_SIZE": self.target.block}
        if op.kernel.kind.data == KernelKind.GRID:
            sizes = {"BLOCK_R": self.target.block // 128, "BLOCK_C": 128}
        options = {**sizes, "num_warps": self.target.warps}
        op.plan = DictionaryAttr({key: IntegerAttr(n, i64) for key, n in options.items()})
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class TilePlanLaunches(ModulePass):
    """Choose block sizes and launch options for each stage from the target's table."""

    name = "tile-plan-launches"

    target: str = field(default=DEFAULT_TARGET, metadata={"help": f"one of {', '.join(TARGETS)}"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.target not in TARGETS:
            raise refuse(
                None,
                "P903",
                f"'{self.target}' is not a target",
                f"the targets are {', '.join(TARGETS)}",
            )
        rewrite(op, PlanStage(TARGETS[self.target]))
