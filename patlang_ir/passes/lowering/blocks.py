"""Blocks of matrices: lanes, products, and the kernel and launcher of a matmul kernel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    bf16,
    f16,
    f32,
    f64,
    i8,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.scalars import scalar_name
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, converted, is_strict
from patlang_ir.passes.lowering.kernels import Argument, KernelBuilder, symbols
from patlang_ir.passes.lowering.orders import number_programs

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


BLOCKS = (LowerBlockSize(), LowerLane(), LowerDot(), LowerTranspose())

STRIDES = (ArgumentKind.ROW_STRIDE, ArgumentKind.COL_STRIDE)


class MatmulBuilder(KernelBuilder):
    """Makes `tl` operations of a matmul kernel whose stages are lowered."""

    def build(self, params: Sequence[tl.ParameterAttr]) -> None:
        """Replace the kernel by a `tl.kernel` for each stage and a launcher."""
        name = self.kernel.sym_name.data
        launches = Block()
        for stage in self.kernel.stages:
            launches.add_op(self.matmul_stage(stage, self.unused(f"{name}_kernel")))
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
        plans, busy = self.plans(stage, used)
        fuse = BoolAttr.from_bool(not is_strict(stage))
        launch = tl.MatmulLaunchOp(
            symbol,
            [argument.passed for argument in arguments],
            [block if block in cut else "" for block in self.blocks],
            plans,
            busy,
            DictionaryAttr({"enable_fp_fusion": fuse}),
            cover=sorted(stage.covered),
            persistent=order == tile.Order.PERSISTENT,
        )
        launch.location = stage.location
        constexprs = [block for block in CONSTEXPRS if block in used]
        strides = [argument.name for argument in arguments if argument.passed.passed in STRIDES]
        names = [argument.name for argument in arguments]
        body = self.body(stage, arguments)
        self.insert(tl.KernelOp(symbol, names, constexprs, body, specialized=strides))
        return launch

    def arguments(self, stage: tile.StageOp) -> Iterator[Argument]:
        """What a stage uses: parameters, sizes and lengths, then the strides of matrices."""
        yield from super().arguments(stage)
        strides = [op for op in stage.walk() if isinstance(op, tile.StrideOp)]
        for name, arg in zip(self.kernel.param_names, self.kernel.args, strict=True):
            for axis, kind in enumerate(STRIDES):
                found = [op for op in strides if op.buffer is arg and op.axis.data == axis]
                if found:
                    values = tuple(op.result for op in found)
                    yield Argument(ArgumentAttr(kind, name), f"{name}_{kind}", i64, values)

    def plans(self, stage: tile.StageOp, used: set[str]) -> tuple[list[DictionaryAttr], int]:
        """The sizes of blocks and the options of each plan, and when a plan is good enough."""
        plan: Mapping[str, Attribute] = stage.plan.data if stage.plan is not None else {}
        busy = plan.get("busy")
        if not isinstance(busy, IntegerAttr):
            raise refuse(
                stage,
                "P902",
                f"the launch of '{self.kernel.sym_name.data}' has no plans",
                help="run tile-plan-launches before tile-to-tl",
            )
        plans = plan["plans"]
        assert isa(plans, ArrayAttr[DictionaryAttr])
        return [self.needed(each, used) for each in plans], busy.value.data

    def needed(self, plan: DictionaryAttr, used: set[str]) -> DictionaryAttr:
        """A plan without the sizes that the kernel does not have."""
        kept = {k: v for k, v in plan.data.items() if k not in CONSTEXPRS or k in used}
        return DictionaryAttr(kept)
