"""Choose block sizes and launch options for each stage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.passes.matmul_plans import PlanMatmul
from patlang_ir.passes.options import TARGET_HELP, expect_target
from patlang_ir.rewriting import rewrite
from patlang_ir.targets import DEFAULT_TARGET, LARGEST_BLOCK, TARGETS, Target

BLOCKS = ("BLOCK_SIZE", "BLOCK_R", "BLOCK_C", "BLOCK_M", "BLOCK_N", "BLOCK_K")


@dataclass
class PlanStage(RewritePattern):
    """stage { ... } -> stage plan {BLOCK_SIZE = 1024, num_warps = 4} { ... }

    `sizes` are block sizes that the caller chose.
    """

    target: Target
    sizes: Mapping[str, int]

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.plan is not None or op.kernel.kind.data == KernelKind.MATMUL:
            return
        shape = self.target.shape_of(combines=_combines(op), covers=bool(op.covered))
        sizes = {"BLOCK_SIZE": shape.lanes}
        if op.kernel.kind.data == KernelKind.GRID:
            columns = min(shape.lanes, 128)
            sizes = {"BLOCK_R": shape.lanes // columns, "BLOCK_C": columns}
        sizes = {name: self.sizes.get(name, size) for name, size in sizes.items()}
        options = {**sizes, "num_warps": shape.warps}
        op.plan = DictionaryAttr({key: IntegerAttr(n, i64) for key, n in options.items()})
        rewriter.notify_op_modified(op)


def _combines(stage: tile.StageOp) -> bool:
    """Whether each program combines the lanes of its block, for more than to end a loop."""
    return any(isinstance(op, tile.CombineOp) and not _ends_loop(op) for op in stage.walk())


def _ends_loop(op: Operation) -> bool:
    """Whether an operation belongs to the test of a loop."""
    loop = op.parent_op()
    return isinstance(loop, scf.WhileOp) and op.parent is loop.before_region.block


def parse_sizes(text: str) -> dict[str, int]:
    """Read `BLOCK_SIZE=256`, or `BLOCK_R=8,BLOCK_C=128`. Raises CompileError P118."""
    sizes: dict[str, int] = {}
    for part in filter(None, text.replace(" ", "").split(",")):
        name, _, size = part.partition("=")
        number = int(size) if size.isdecimal() else 0
        if name not in BLOCKS or number < 1 or number & (number - 1) or number > LARGEST_BLOCK:
            raise refuse(
                None,
                "P118",
                f"'{part}' is not a block size",
                f"write {BLOCKS[0]}= and a power of two up to {LARGEST_BLOCK}; "
                "a 2-D kernel has BLOCK_R and BLOCK_C, a matmul kernel BLOCK_M, BLOCK_N, BLOCK_K",
            )
        sizes[name] = number
    return sizes


@dataclass(frozen=True)
class TilePlanLaunches(ModulePass):
    """Choose block sizes and launch options for each stage from the target's table."""

    name = "tile-plan-launches"

    target: str = field(default=DEFAULT_TARGET, metadata={"help": TARGET_HELP})
    block: str = field(default="", metadata={"help": 'block sizes to use: "BLOCK_SIZE=256"'})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_target(self.target)
        sizes = parse_sizes(self.block)
        rewrite(op, PlanStage(TARGETS[self.target], sizes), PlanMatmul(self.target, sizes))
