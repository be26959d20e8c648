"""Turn blocks of matrices into loads and stores that every Triton has."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import dce

from patlang_ir.analysis.matrix_extents import matrices_of
from patlang_ir.analysis.ranges import Ranges
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number, python_number
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.scalars import is_float
from patlang_ir.dialects.tile import SizeKind
from patlang_ir.matmul_targets import MATMUL_TARGETS, MatmulTarget
from patlang_ir.passes.blocks.copies import copies_of
from patlang_ir.passes.blocks.descriptors import BlockAccess, decide, described_buffers
from patlang_ir.passes.blocks.padding import edges_of, is_known_at, is_zero_outside
from patlang_ir.passes.blocks.places import Places, end_of, is_zero, place_of
from patlang_ir.passes.blocks.pointers import BlockBuilder, domain_of, name_of
from patlang_ir.passes.options import (
    TARGET_HELP,
    TRITON_HELP,
    expect_one_of,
    expect_target,
    expect_triton,
)
from patlang_ir.passes.tile_guard_accesses import neutral_element
from patlang_ir.passes.tile_simplify import DropUnused, PassThrough
from patlang_ir.rewriting import expect_gone, expect_typed, rewrite
from patlang_ir.targets import DEFAULT_TARGET, TRITON_VERSIONS


class FollowCounter(RewritePattern):
    """for k = 0 to K step s iter_args(col = a) { yield col + s } -> col = a + k"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        body = op.body.block
        counter, *carried = body.args
        for i, variable in enumerate(carried):
            if variable.first_use is None or op.results[i].first_use is not None:
                continue
            if not is_next(end_of(body).operands[i], variable, op.step):
                continue
            turned: SSAValue = counter
            point = InsertPoint.at_start(body)
            if not is_zero(op.lb):
                turned = rewriter.insert(tile.SubOp(turned, op.lb), point).result
            if not is_zero(op.iter_args[i]):
                turned = rewriter.insert(tile.AddOp(op.iter_args[i], turned), point).result
                turned.name_hint = variable.name_hint
            rewriter.replace_all_uses_with(variable, turned)
            return


def is_next(value: SSAValue, variable: SSAValue, step: SSAValue) -> bool:
    """Whether a value is the variable and a step of the loop more."""
    owner = value.owner
    if not isinstance(owner, tile.AddOp) or owner.lhs is not variable:
        return False
    return owner.rhs is step or is_same(owner.rhs.owner, step.owner)


def is_same(a: object, b: object) -> bool:
    match a, b:
        case tile.ConstantOp(), tile.ConstantOp():
            return a.value == b.value
        case tile.BlockSizeOp(), tile.BlockSizeOp():
            return a.symbol == b.symbol
        case _:
            return False


@dataclass
class HidePadding(RewritePattern):
    """dot a, b -> dot (select (inside the matrix, a, 0)), b, along the axis that is summed

    The same for the operands of reductions, with the neutral element. A block that was loaded is 0
    there already.
    """

    ranges: Ranges

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        match op:
            case tile.DotOp():
                for position, axis in ((0, 1), (1, 0)):
                    self.hide(op, position, (axis,), rewriter)
            case tile.ReduceOp() if op.axis is not None:
                self.hide(op, 0, (op.axis.data,), rewriter)
            case tile.ReduceOp():
                self.hide(op, 0, (0, 1), rewriter)
            case tile.ScanOp():
                self.hide(op, 0, (op.axis.data,), rewriter)
            case _:
                pass

    def hide(
        self, op: Operation, position: int, axes: tuple[int, ...], rewriter: PatternRewriter
    ) -> None:
        value = op.operands[position]
        element = tile.element_of(value.type)
        other = number(0.0 if is_float(element) else 0)
        if isinstance(op, tile.ReduceOp):
            other = neutral_element(op.kind.data, element)
        if python_number(other) == 0 and is_zero_outside(value):
            return
        edges = [(axis, edge) for axis in axes for edge in edges_of(value, axis)]
        if not all(is_known_at(edge, op) for _, edge in edges):
            raise refuse(
                op,
                "P301",
                "a block that a loop left is combined after it, where its place is not known",
                "combine it in the loop",
            )
        domain = [(axis, *edge) for axis, edge in edges]
        build = BlockBuilder(
            tile.sizes_of(value.type), lambda op: rewriter.insert(op).results[0], self.ranges
        )
        mask = build.inside(domain)
        if mask is None:
            return
        neutral = rewriter.insert(tile.ConstantOp(other, element)).result
        op.operands[position] = build.chosen(mask, value, neutral)
        rewriter.notify_op_modified(op)


@dataclass
class PointerTiles(RewritePattern):
    """load_block %p -> load %a[row * stride + ...] mask (row + lane < rows ...); stores likewise"""

    ranges: Ranges

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tile.LoadBlockOp | tile.StoreBlockOp, rewriter: PatternRewriter
    ) -> None:
        place = place_of(op.access)
        build = BlockBuilder(
            place.matrix.sizes, lambda new: rewriter.insert(new).results[0], self.ranges
        )
        index = build.index(place)
        mask = build.inside(domain_of(place))
        buffer = place.matrix.buffer
        if isinstance(op, tile.LoadBlockOp):
            op.result.name_hint = op.result.name_hint or f"{name_of(buffer)}_block"
            new = tile.LoadOp(buffer, index, op.result.type, mask, guarded=True)
        else:
            new = tile.StoreOp(op.value, buffer, index, mask, guarded=True)
        rewriter.replace(op, new)


def keep_matrices(kernel: tile.KernelOp) -> None:
    """Note what the pointers say of the parameters, which a launch must know."""
    found = [
        tile.MatrixAttr(m.name, [str(e) if isinstance(e, SizeKind) else e for e in m.extents])
        for m in matrices_of(kernel)
    ]
    if found and kernel.matrices is None:
        kernel.matrices = ArrayAttr(found)


STRATEGIES = ("auto", "pointer", "descriptor", "copy")


def prepare(module: ModuleOp) -> None:
    """Make every pointer where it is used, and hide what lies outside of matrices."""
    for kernel in kernels_of(module):
        keep_matrices(kernel)
        for stage in kernel.stages:
            Places(stage)
    rewrite(module, FollowCounter(), PassThrough(), DropUnused(), recursively=True)
    rewrite(module, HidePadding(Ranges()))
    dce(module)


def kernels_of(module: ModuleOp) -> list[tile.KernelOp]:
    """The matmul kernels of a module."""
    kernels = [op for op in module.walk() if isinstance(op, tile.KernelOp)]
    return [kernel for kernel in kernels if kernel.kind.data == KernelKind.MATMUL]


def describe_blocks(stage: tile.StageOp, target: MatmulTarget, *, must: bool, always: bool) -> None:
    """stage { load_block ... } -> stage described { descriptor_load ... }; stage { load_block ... }

    All accesses of a buffer have one form. With `must` one that cannot be described is refused.
    With `always` matrices are copied for products of every size.
    """
    decisions = decide(stage, has_descriptors=target.descriptors)
    failing = [decision for decision in decisions if not decision.described]
    if must and failing:
        reason = failing[0].reason
        raise refuse(failing[0].access.op, "P405", f"this block has no descriptor; {reason}")
    buffers = described_buffers(decisions)
    if not buffers:
        return
    copy = stage.clone()
    copy.described = UnitAttr()
    copy.copies = copies_of(stage, decisions, target, always=always)
    Rewriter.insert_op(copy, InsertPoint.before(stage))
    for op in list(copy.walk()):
        if isinstance(op, BlockAccess) and place_of(op.access).matrix.buffer in buffers:
            describe(op)


def describe(op: BlockAccess) -> None:
    """load_block (block_pointer %a[%row, %col]) -> descriptor_load %a[%row, %col]"""
    place = place_of(op.access)
    buffer = place.matrix.buffer
    if isinstance(op, tile.LoadBlockOp):
        new = tile.DescriptorLoadOp(buffer, *place.starts, op.result.type)
        new.result.name_hint = op.result.name_hint or f"{name_of(buffer)}_block"
    else:
        new = tile.DescriptorStoreOp(op.value, buffer, *place.starts)
    new.location = op.location
    Rewriter.replace_op(op, new)


@dataclass(frozen=True)
class TileLegalizeBlockPointers(ModulePass):
    """Turn blocks of matrices into loads and stores that every Triton has.

    A pointer to a block becomes the row and the column of its first element. Each load and store
    is one of elements at computed indices, under a mask. Where that may pay, a second form of the
    stage has the GPU move the blocks by itself, for the calls in which it can, and for large
    products whose matrices are copied first. The strategy `copy` has them copied for all products.
    Every version of Triton that is supported has both forms.
    """

    name = "tile-legalize-block-pointers"
    strategy: str = field(default="auto", metadata={"help": f"one of {', '.join(STRATEGIES)}"})
    target: str = field(default=DEFAULT_TARGET, metadata={"help": TARGET_HELP})
    triton: str | float = field(default=TRITON_VERSIONS[0], metadata={"help": TRITON_HELP})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_typed(op)
        expect_one_of(self.strategy, STRATEGIES, "strategy")
        expect_target(self.target)
        expect_triton(self.triton)
        prepare(op)
        target = MATMUL_TARGETS[self.target]
        if self.strategy != "pointer":
            must, always = self.strategy == "descriptor", self.strategy == "copy"
            for kernel in kernels_of(op):
                for stage in kernel.stages:
                    describe_blocks(stage, target, must=must, always=always)
        rewrite(op, PointerTiles(Ranges()))
        dce(op)
        expect_gone(op, tile.BlockPointerOp, tile.AdvanceOp)
