"""From blocks of lanes to the statements of a Triton program."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import RewritePattern
from xdsl.rewriter import Rewriter

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.passes.dead_code import erase_dead
from patlang_ir.passes.lowering.bf16_signs import KeepSign
from patlang_ir.passes.lowering.blocks import BLOCKS as MATRIX_BLOCKS
from patlang_ir.passes.lowering.blocks import LowerDescriptorStore, MatmulBuilder
from patlang_ir.passes.lowering.broadcasts import BROADCASTS, DropBroadcast, TypeLiterals
from patlang_ir.passes.lowering.common_values import merge_common_values
from patlang_ir.passes.lowering.control_flow import (
    ConvertTypes,
    RotateWhile,
    SeparateStarts,
    TypeLoopIndex,
    TypeScalars,
)
from patlang_ir.passes.lowering.elementwise import CAREFUL_SIGNS, ELEMENTWISE, PLAIN_SIGNS
from patlang_ir.passes.lowering.emitter import Lowerings, converted
from patlang_ir.passes.lowering.integers import INTEGERS
from patlang_ir.passes.lowering.kernels import KernelBuilder, parameters
from patlang_ir.passes.lowering.memory import MEMORY, WRITES
from patlang_ir.passes.lowering.positions import POSITIONS, Positions
from patlang_ir.passes.lowering.reductions import REDUCTIONS
from patlang_ir.passes.options import TRITON_HELP, expect_triton
from patlang_ir.rewriting import expect_gone, expect_typed, rewrite
from patlang_ir.targets import TRITON_VERSIONS

KEEPS_SIGNS = ("3.9",)
"""The versions in which `-x` and a literal -0.0 have the right sign."""
CONVERTS_BITS = ("3.8", "3.9")
"""The versions in which a -1 that is kept in one bit becomes -1.0 in bf16."""

LEFT = (
    tile.KernelOp,
    tile.ScratchOp,
    tile.StageOp,
    tile.SizeOp,
    tile.LengthOp,
    tile.StrideOp,
)
"""What the rewrites of values leave to the builder of kernels."""

ACCESSES = (tile.BlockPointerOp, tile.AdvanceOp, tile.LoadBlockOp, tile.StoreBlockOp)
"""What must be legalized before."""

VALUES = tuple(op for op in tile.OPERATIONS if op not in LEFT)


@dataclass(frozen=True)
class TileToTl(ModulePass):
    """Lower typed, guarded and planned `tile` kernels to `tl` kernels and launchers."""

    name = "tile-to-tl"
    triton: str | float = field(default=TRITON_VERSIONS[0], metadata={"help": TRITON_HELP})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_typed(op)
        expect_gone(op, *ACCESSES, help="run tile-legalize-block-pointers first")
        oldest = expect_triton(self.triton)
        op.attributes[tl.OLDEST_TRITON] = StringAttr(oldest)
        kernels = [kernel for kernel in op.walk() if isinstance(kernel, tile.KernelOp)]
        params = [parameters(kernel) for kernel in kernels]
        own_sizes: set[tile.SizeOp] = set()
        for kernel in kernels:
            for stage in kernel.stages:
                own_sizes |= Positions(stage).expand()
            buffers: list[SSAValue] = [*kernel.args, *(op.result for op in kernel.scratch)]
            for buffer in buffers:
                Rewriter.replace_value_with_new_type(buffer, converted(buffer.type))
        rewrite(op, *to_tl(keeps_signs=oldest in KEEPS_SIGNS))
        expect_gone(op, *VALUES)
        if oldest not in CONVERTS_BITS:
            rewrite(op, KeepSign())
        rewrite(op, DropBroadcast())
        rewrite(op, RotateWhile())
        rewrite(op, TypeLoopIndex())
        rewrite(op, TypeScalars())
        rewrite(op, TypeLiterals())
        taken = {kernel.sym_name.data for kernel in kernels}
        for kernel, own in zip(kernels, params, strict=True):
            matmul = kernel.kind.data == KernelKind.MATMUL
            builder = MatmulBuilder if matmul else KernelBuilder
            builder(kernel, taken, own_sizes).build(own)
        for kernel in op.walk():
            if isinstance(kernel, tl.KernelOp):
                merge_common_values(kernel)
                erase_dead(kernel)
        rewrite(op, SeparateStarts())
        expect_gone(op, "tile")


LOWERINGS = (*POSITIONS, *BROADCASTS, *ELEMENTWISE, *INTEGERS, *REDUCTIONS, *MEMORY, *MATRIX_BLOCKS)


def to_tl(*, keeps_signs: bool) -> tuple[RewritePattern, ...]:
    """The rewrites of values, in their order."""
    signs = PLAIN_SIGNS if keeps_signs else CAREFUL_SIGNS
    return (ConvertTypes(), Lowerings((*signs, *LOWERINGS)), *WRITES, LowerDescriptorStore())
