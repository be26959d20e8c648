"""Reductions: the element type in which they are computed, and how NaN is treated."""

from __future__ import annotations

from xdsl.dialects.builtin import f32, i1, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.scalars import is_float
from patlang_ir.dialects.tile import ReduceKind
from patlang_ir.dialects.tl import BinaryKind, ReduceFunction, element_of, shaped, sizes_of
from patlang_ir.passes.lowering.emitter import Emitter, Lowering
from patlang_ir.passes.lowering.numbers import HALVES
from patlang_ir.passes.lowering.positions import axis_of

INTEGERS = {
    ReduceKind.SUM: ReduceFunction.SUM,
    ReduceKind.PROD: ReduceFunction.PROD,
    ReduceKind.MAX: ReduceFunction.MAX,
    ReduceKind.MIN: ReduceFunction.MIN,
    ReduceKind.ANY: ReduceFunction.MAX,
    ReduceKind.ALL: ReduceFunction.MIN,
}
FLOATS = {
    **INTEGERS,
    ReduceKind.MAX: ReduceFunction.MAX_NAN,
    ReduceKind.MIN: ReduceFunction.MIN_NAN,
}


class LowerReduce(Lowering):
    """tile.reduce max v -> tl.reduce max_nan v; f16 and bf16 in f32, small integers in i32"""

    operations = (tile.ReduceOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        assert isinstance(op, tile.ReduceOp)
        if not isinstance(op.operand.type, tl.TensorType):
            return None
        source, target = element_of(op.operand.type), tile.element_of(op.result.type)
        element = computed_in(source, target)
        function = (FLOATS if is_float(element) else INTEGERS)[op.kind.data]
        operand = emit.cast(op.operand, element)
        sizes = tile.sizes_of(op.result.type)
        axis = axis_of(op.axis, sizes_of(operand.type))
        value = emit.add(tl.ReduceOp(function, operand, axis, shaped(sizes, element)))
        if target == i1:
            return emit.binary(BinaryKind.NE, value, emit.literal(0, element))
        return emit.cast(value, target)


def computed_in(source: Attribute, target: Attribute) -> Attribute:
    """The element type in which a reduction is computed."""
    if source in HALVES:
        return f32
    if is_float(source) or source == i64:
        return source
    return i64 if target == i64 else i32


class LowerScan(Lowering):
    """tile.scan v axis 0 -> tl.cumsum v axis 0"""

    operations = (tile.ScanOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        assert isinstance(op, tile.ScanOp)
        if not isinstance(op.operand.type, tl.TensorType):
            return None
        return emit.add(tl.CumsumOp(op.operand, op.axis.data))


REDUCTIONS = (LowerReduce(), LowerScan())
