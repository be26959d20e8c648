"""Loads, stores and atomics: pointers from buffers and indices."""

from __future__ import annotations

from xdsl.dialects.builtin import f32, f64, i1, i32, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.scalars import is_float, scalar_name
from patlang_ir.dialects.tl import AtomicFunction, BinaryKind, element_of, shaped, sizes_of
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, converted
from patlang_ir.passes.lowering.integers import known
from patlang_ir.passes.lowering.numbers import HALVES
from patlang_ir.passes.lowering.positions import stage_of


def pointer(buffer: SSAValue, index: SSAValue, emit: Emitter) -> SSAValue:
    """The address of the elements at `index`.

    Of a block the address of its first element is computed first, as one number.
    """
    if known(index) == 0 and not sizes_of(index.type):
        return buffer
    match index.owner:
        case tl.BinaryOp(lhs=OpResult(op=tl.FullOp(value=start)), rhs=offsets) as sum if (
            sum.kind.data == BinaryKind.ADD and len(sizes_of(index.type)) == 2
        ):
            first = pointer(buffer, start, emit)
            type = shaped(sizes_of(offsets.type), buffer.type)
            return emit.add(tl.BinaryOp(BinaryKind.ADD, first, offsets, type))
        case _:
            pass
    type = shaped(sizes_of(index.type), buffer.type)
    return emit.add(tl.BinaryOp(BinaryKind.ADD, buffer, index, type))


class LowerLoad(Lowering):
    """tile.load x[i] mask m -> tl.load(x + i, mask=m, other=0)"""

    operations = (tile.LoadOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.LoadOp)
        element = tile.element_of(op.result.type)
        address = pointer(op.buffer, op.index, emit)
        other = None
        if op.mask is not None:
            other = emit.literal(0, i32 if element == i1 else element)
        return emit.add(tl.LoadOp(address, op.mask, other, converted(op.result.type)))


class LowerStore(RewritePattern):
    """tile.store v, x[i] mask m -> tl.store(x + i, v, mask=m)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StoreOp, rewriter: PatternRewriter) -> None:
        emit = Emitter()
        address = pointer(op.buffer, op.index, emit)
        rewriter.replace(op, [*emit.ops, tl.StoreOp(op.value, address, op.mask)], [])


KEEPS_NAN = {
    AtomicFunction.MAX: AtomicFunction.MAX_NAN,
    AtomicFunction.MIN: AtomicFunction.MIN_NAN,
}


class LowerAtomic(RewritePattern):
    """tile.atomic add v, x[i] mask m -> tl.atomic_add(x + i, v, mask=m)

    One that reaches no element goes away: Triton takes no literal for the mask of an atomic.
    Along an axis on which the index does not depend the first program alone writes, for the kernel
    does it once.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.AtomicOp, rewriter: PatternRewriter) -> None:
        self.check(op, element_of(op.value.type))
        if op.mask is not None and known(op.mask) is False:
            rewriter.erase(op)
            return
        emit = Emitter()
        address = pointer(op.buffer, op.index, emit)
        mask = self.once(op, emit)
        function = AtomicFunction(op.kind.data)
        if is_float(element_of(op.value.type)):
            function = KEEPS_NAN.get(function, function)
        rewriter.replace(op, [*emit.ops, tl.AtomicOp(function, op.value, address, mask)], [])

    def check(self, op: tile.AtomicOp, element: Attribute) -> None:
        """Refuse what the hardware has no instruction for."""
        if element in (i32, i64, f32, f64):
            return
        if element in HALVES and op.kind.data == AtomicFunction.ADD:
            return
        raise refuse(
            op,
            "P305",
            f"atomic_{op.kind.data} does not work on {scalar_name(element)}",
            help="use i32, i64, f32 or f64",
        )

    def once(self, op: tile.AtomicOp, emit: Emitter) -> SSAValue | None:
        """The mask, and the first program along each axis that the index does not follow."""
        stage = stage_of(op)
        sizes = sizes_of(op.index.type) or (1,) * stage.kernel.rank
        mask = None if op.mask is not None and known(op.mask) is True else op.mask
        for axis, size in enumerate(sizes):
            if size != 1 or axis in stage.covered:
                continue
            program = emit.add(tl.ProgramIdOp(axis))
            first = emit.binary(BinaryKind.EQ, program, emit.literal(0, i32))
            mask = first if mask is None else emit.binary(BinaryKind.AND, mask, first)
        return mask


class LowerBarrier(RewritePattern):
    """tile.barrier -> tl.debug_barrier()"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.BarrierOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, tl.BarrierOp(), [])


MEMORY = (LowerLoad(),)
WRITES = (LowerStore(), LowerAtomic(), LowerBarrier())
