"""Blocks of matrices: lanes, products, and the kernel and launcher of a matmul kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import (
    BoolAttr,
    DictionaryAttr,
    bf16,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import Rewriter

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.scalars import scalar_name
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind
from patlang_ir.passes.blocks.pointers import name_of
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, converted, is_strict
from patlang_ir.passes.lowering.kernels import Argument, KernelBuilder, symbols
from patlang_ir.passes.lowering.orders import number_programs
from patlang_ir.passes.matmul_plans import is_alternative, plans_of

CONSTEXPRS = ("BLOCK_M", "BLOCK_N", "BLOCK_K", "GROUP_M")
"""The compile-time parameters of matmul kernels, in their order."""

ACCUMULATORS: dict[Attribute, Attribute] = {f16: f32, bf16: f32, f32: f32, f64: f64, i8: i32}
"""The element type in which products are added, for each type of factors."""


class LowerBlockSize(Lowering):
    """tile.block_size BLOCK_K -> tl.constexpr "BLOCK_K" """

    operations = (tile.BlockSizeOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.BlockSizeOp)
        return emit.add(tl.ConstexprOp(op.symbol.data, i64))


class LowerLane(Lowering):
    """tile.lane : tile<[BLOCK_M, 1], i64> -> tl.arange(0, BLOCK_M)[:, None].to(tl.int64)"""

    operations = (tile.LaneOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.LaneOp)
        type = converted(op.result.type)
        assert isinstance(type, tl.TensorType)
        size = type.sizes[op.axis]
        if size == 1:
            return emit.full(emit.literal(0, i64), type)
        lanes = emit.add(tl.ArangeOp(size))
        if len(type.sizes) == 2:
            lanes = emit.add(tl.ExpandOp(lanes, 1 - op.axis, tl.like(type, i32)))
        return emit.cast(lanes, i64)


class LowerDot(Lowering):
    """tile.dot tf32 a, b, c -> tl.dot "tf32" a, b, c"""

    operations = (tile.DotOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.DotOp)
        factor, sum = tl.element_of(op.lhs.type), tl.element_of(op.acc.type)
        if ACCUMULATORS.get(factor) != sum:
            possible = (f"{scalar_name(f)} in {scalar_name(s)}" for f, s in ACCUMULATORS.items())
            raise refuse(
                op,
                "P305",
                f"products of {scalar_name(factor)} are not added in {scalar_name(sum)}",
                f"they are, {', '.join(possible)}",
            )
        return emit.add(tl.DotOp(op.lhs, op.rhs, op.acc, op.precision.data))


class LowerTranspose(Lowering):
    """tile.transpose a -> tl.trans a"""

    operations = (tile.TransposeOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.TransposeOp)
        return emit.add(tl.TransposeOp(op.operand))


class LowerDescriptorLoad(Lowering):
    """tile.descriptor_load a[row, col] -> tl.descriptor_load a[row, col], with both in 32 bits"""

    operations = (tile.DescriptorLoadOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.DescriptorLoadOp)
        row, col = (emit.cast(start, i32) for start in (op.row, op.col))
        turned = f"{name_of(op.buffer).upper()}_TURNED"
        type = converted(op.result.type)
        return emit.add(tl.DescriptorLoadOp(op.buffer, row, col, turned, type))


class LowerDescriptorStore(RewritePattern):
    """tile.descriptor_store v, c[row, col] -> tl.descriptor_store v, c[row, col]"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.DescriptorStoreOp, rewriter: PatternRewriter) -> None:
        emit = Emitter()
        row, col = (emit.cast(start, i32) for start in (op.row, op.col))
        rewriter.replace(op, [*emit.ops, tl.DescriptorStoreOp(op.value, op.buffer, row, col)], [])


BLOCKS = (LowerBlockSize(), LowerLane(), LowerDot(), LowerTranspose(), LowerDescriptorLoad())

DESCRIBED = tl.DescriptorLoadOp | tl.DescriptorStoreOp


def descriptor_type(op: DESCRIBED) -> tl.DescriptorType:
    """The type of the descriptor that an access needs."""
    block = op.result if isinstance(op, tl.DescriptorLoadOp) else op.value
    return tl.DescriptorType(tl.sizes_of(block.type), tl.element_of(block.type))


def copies_of(stage: tile.StageOp) -> tl.CopiesAttr | None:
    """The copies that a launch is worth."""
    copies = stage.copies
    if copies is None:
        return None
    return tl.CopiesAttr(copies.by_name, copies.extent.data, copies.volume.data)


STRIDES = (ArgumentKind.ROW_STRIDE, ArgumentKind.COL_STRIDE)


class MatmulBuilder(KernelBuilder):
    """Makes `tl` operations of a matmul kernel whose stages are lowered."""

    def build(self, params: Sequence[tl.ParameterAttr]) -> None:
        """Replace the kernel by a `tl.kernel` for each stage and a launcher."""
        name = self.kernel.sym_name.data
        launches = Block()
        for stage in self.kernel.stages:
            form = "_descriptors" if stage.described is not None else ""
            if stage.order is not None and is_alternative(stage):
                form += f"_{stage.order.data}"
            launches.add_op(self.matmul_stage(stage, self.unused(f"{name}_kernel{form}")))
        matrices = [tl.MatrixAttr(m.parameter.data, m.sizes) for m in self.kernel.matrices or ()]
        self.insert(tl.MatmulLauncherOp(name, params, matrices, Region(launches)))
        Rewriter.erase_op(self.kernel)

    def matmul_stage(self, stage: tile.StageOp, symbol: str) -> tl.MatmulLaunchOp:
        """Make a kernel of a stage; its launch."""
        order = stage.order.data if stage.order is not None else None
        cut = number_programs(stage, order)
        used = symbols(stage) | {
            op.symbol.data for op in stage.walk() if isinstance(op, tl.ConstexprOp)
        }
        arguments = tuple(self.arguments(stage))
        plans = self.plans(stage, used)
        fuse = BoolAttr.from_bool(not is_strict(stage))
        launch = tl.MatmulLaunchOp(
            symbol,
            [argument.passed for argument in arguments],
            cuts=[block if block in cut else "" for block in self.blocks],
            plans=plans,
            options=DictionaryAttr({"enable_fp_fusion": fuse}),
            cover=sorted(stage.covered),
            persistent=order is not None and order.repeats,
            described=self.described(stage),
            copies=copies_of(stage),
        )
        launch.location = stage.location
        turned = [op.turned.data for op in stage.walk() if isinstance(op, tl.DescriptorLoadOp)]
        constexprs = [block for block in CONSTEXPRS if block in used]
        constexprs += dict.fromkeys(turned)
        strides = [argument.name for argument in arguments if argument.passed.passed in STRIDES]
        names = [argument.name for argument in arguments]
        body = self.body(stage, arguments)
        self.insert(tl.KernelOp(symbol, names, constexprs, body, specialized=strides))
        return launch

    def arguments(self, stage: tile.StageOp) -> Iterator[Argument]:
        """What a stage uses: parameters, sizes and lengths, then the strides of matrices."""
        descriptors = {op.descriptor: op for op in stage.walk() if isinstance(op, DESCRIBED)}
        for argument in super().arguments(stage):
            (value, *_) = argument.values
            if value in descriptors:
                kind = ArgumentAttr(ArgumentKind.DESCRIPTOR, argument.name)
                type = descriptor_type(descriptors[value])
                yield Argument(kind, argument.name, type, argument.values)
            else:
                yield argument
        strides = [op for op in stage.walk() if isinstance(op, tile.StrideOp)]
        for name, arg in zip(self.kernel.param_names, self.kernel.args, strict=True):
            for axis, kind in enumerate(STRIDES):
                found = [op for op in strides if op.buffer is arg and op.axis.data == axis]
                if found:
                    values = tuple(op.result for op in found)
                    yield Argument(ArgumentAttr(kind, name), f"{name}_{kind}", i64, values)

    def described(self, stage: tile.StageOp) -> dict[str, str]:
        """How each matrix is used of which the GPU moves blocks by itself."""
        return {
            name_of(op.descriptor): "load" if isinstance(op, tl.DescriptorLoadOp) else "store"
            for op in stage.walk()
            if isinstance(op, DESCRIBED)
        }

    def plans(self, stage: tile.StageOp, used: set[str]) -> list[DictionaryAttr]:
        """The sizes of blocks, the options and the speed of each plan."""
        plans = plans_of(stage)
        if not plans:
            raise refuse(
                stage,
                "P902",
                f"the launch of '{self.kernel.sym_name.data}' has no plans",
                help="run tile-plan-launches before tile-to-tl",
            )
        return [self.needed(each, used) for each in plans]

    def needed(self, plan: DictionaryAttr, used: set[str]) -> DictionaryAttr:
        """A plan without the sizes that the kernel does not have."""
        kept = {k: v for k, v in plan.data.items() if k not in CONSTEXPRS or k in used}
        return DictionaryAttr(kept)
