"""Arithmetic: operators and functions, by table where every row is lowered the same way."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import bf16, f32, f64, i1, i8, i16
from xdsl.ir import Operation, SSAValue

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.scalars import is_float
from patlang_ir.dialects.tl import BinaryKind, Function, UnaryKind, element_of
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, in_f32, is_strict, negative
from patlang_ir.passes.lowering.numbers import is_negative_zero

OPERATORS: dict[type[Operation], BinaryKind] = {
    tile.AddOp: BinaryKind.ADD,
    tile.SubOp: BinaryKind.SUB,
    tile.MulOp: BinaryKind.MUL,
    tile.AndOp: BinaryKind.AND,
    tile.OrOp: BinaryKind.OR,
    tile.BandOp: BinaryKind.AND,
    tile.BorOp: BinaryKind.OR,
    tile.BxorOp: BinaryKind.XOR,
}
"""Operations that are a Python operator."""

STRICT: dict[type[Operation], Function] = {
    tile.DivOp: Function.DIV_RN,
    tile.SqrtOp: Function.SQRT_RN,
    tile.FloorOp: Function.LIB_FLOOR,
    tile.CeilOp: Function.LIB_CEIL,
    tile.TruncOp: Function.LIB_TRUNC,
    tile.RoundOp: Function.LIB_ROUND,
    tile.ExpOp: Function.LIB_EXP,
    tile.Exp2Op: Function.LIB_EXP2,
    tile.LogOp: Function.LIB_LOG,
    tile.Log2Op: Function.LIB_LOG2,
    tile.SinOp: Function.LIB_SIN,
    tile.CosOp: Function.LIB_COS,
    tile.TanOp: Function.LIB_TAN,
    tile.TanhOp: Function.LIB_TANH,
    tile.PowOp: Function.LIB_POW,
    tile.FmaOp: Function.FMA,
}
"""Functions on floats, with the accuracy that `math="strict"` promises, in f32."""

STRICT_F64 = {**STRICT, tile.DivOp: None, tile.SqrtOp: Function.SQRT}
"""The same in f64, where Triton's own division and root are exact; `None` is the operator."""

FAST = {
    **STRICT,
    tile.DivOp: None,
    tile.SqrtOp: Function.SQRT,
    tile.FloorOp: Function.FLOOR,
    tile.CeilOp: Function.CEIL,
    tile.ExpOp: Function.EXP,
    tile.Exp2Op: Function.EXP2,
    tile.LogOp: Function.LOG,
    tile.Log2Op: Function.LOG2,
    tile.SinOp: Function.SIN,
    tile.CosOp: Function.COS,
}
"""The same with the approximate units of the device."""


class LowerConstant(Lowering):
    """tile.constant 0.5 -> tl.constant 0.5"""

    operations = (tile.ConstantOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.ConstantOp)
        return emit.literal(python_number(op.value), op.result.type)


class LowerNegativeZero(Lowering):
    """tile.constant -0.0 -> 0.0 * -1.0, for Triton before 3.9 loses the sign"""

    operations = (tile.ConstantOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        assert isinstance(op, tile.ConstantOp)
        element = op.result.type
        if not is_float(element) or not is_negative_zero(python_number(op.value)):
            return None
        zero = emit.full(emit.literal(0.0, element), element)
        return emit.binary(BinaryKind.MUL, zero, emit.literal(-1.0, element))


class LowerOperator(Lowering):
    """tile.add a, b -> tl.binary add a, b"""

    operations = tuple(OPERATORS)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        kind = OPERATORS[type(op)]
        return in_f32(emit, op.operands, lambda args: emit.binary(kind, *args))


class LowerFunction(Lowering):
    """tile.exp a -> tl.call lib_exp(a)"""

    operations = tuple(STRICT)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        def compute(args: Sequence[SSAValue]) -> SSAValue:
            exact = STRICT if element_of(args[0].type) == f32 else STRICT_F64
            function = (exact if is_strict(op) else FAST)[type(op)]
            if function is None:
                return emit.binary(BinaryKind.DIV, *args)
            return emit.call(function, *args)

        return in_f32(emit, op.operands, compute)


class LowerFloor(Lowering):
    """tile.floor a -> t = trunc(a); t - 1 where a < t, for libdevice.floor takes tiny values as 0

    The same for `ceil`, with the signs turned; f64 has no such flaw.
    """

    operations = (tile.FloorOp, tile.CeilOp)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        (value,) = op.operands
        element = element_of(value.type)
        if element not in (f32, bf16) or not is_strict(op):
            return None
        return in_f32(emit, (value,), lambda args: self.corrected(op, args[0], emit))

    def corrected(self, op: Operation, value: SSAValue, emit: Emitter) -> SSAValue:
        falls = isinstance(op, tile.FloorOp)
        whole = emit.call(Function.LIB_TRUNC, value)
        beyond = emit.binary(BinaryKind.LT if falls else BinaryKind.GT, value, whole)
        one = emit.literal(1.0, f32)
        moved = emit.binary(BinaryKind.SUB if falls else BinaryKind.ADD, whole, one)
        return emit.where(beyond, moved, whole)


class LowerErf(Lowering):
    """tile.erf a -> tl.call erf(a), in f64 lib_erf(a)"""

    operations = (tile.ErfOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        function = Function.LIB_ERF if element_of(op.operands[0].type) == f64 else Function.ERF
        return in_f32(emit, op.operands, lambda args: emit.call(function, *args))


class LowerMinMax(Lowering):
    """tile.max a, b -> tl.call maximum_nan(a, b), for integers maximum(a, b)"""

    operations = (tile.MaxOp, tile.MinOp)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        larger = isinstance(op, tile.MaxOp)
        if is_float(element_of(op.operands[0].type)):
            function = Function.MAXIMUM_NAN if larger else Function.MINIMUM_NAN
        else:
            function = Function.MAXIMUM if larger else Function.MINIMUM
        return in_f32(emit, op.operands, lambda args: emit.call(function, *args))


class LowerNeg(Lowering):
    """tile.neg a -> -a"""

    operations = (tile.NegOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        (value,) = op.operands
        if is_float(element_of(value.type)):
            return emit.add(tl.UnaryOp(UnaryKind.NEG, value))
        return negative(value, emit)


class LowerFloatNeg(Lowering):
    """tile.neg a -> a * -1.0 for floats, for Triton before 3.9 takes -a as 0 - a"""

    operations = (tile.NegOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        (value,) = op.operands
        element = element_of(value.type)
        if not is_float(element):
            return None
        return emit.binary(BinaryKind.MUL, value, emit.literal(-1.0, element))


class LowerAbs(Lowering):
    """tile.abs a -> tl.call abs(a), for i16 where(a < 0, -a, a)"""

    operations = (tile.AbsOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        (value,) = op.operands
        element = element_of(value.type)
        if element == i16:
            below = emit.binary(BinaryKind.LT, value, emit.literal(0, element))
            return emit.where(below, negative(value, emit), value)
        return in_f32(emit, op.operands, lambda args: emit.call(Function.ABS, *args))


class LowerNot(Lowering):
    """tile.not a -> a ^ True"""

    operations = (tile.NotOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        return emit.binary(BinaryKind.XOR, op.operands[0], emit.literal(True, i1))


class LowerBnot(Lowering):
    """tile.bnot a -> ~a"""

    operations = (tile.BnotOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        return emit.add(tl.UnaryOp(UnaryKind.INVERT, op.operands[0]))


class LowerCompare(Lowering):
    """tile.compare lt a, b -> tl.binary lt a, b; truth values are compared as 0 and 1"""

    operations = (tile.CompareOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.CompareOp)
        lhs, rhs = op.lhs, op.rhs
        if element_of(lhs.type) == i1:
            lhs, rhs = emit.cast(lhs, i8), emit.cast(rhs, i8)
        return emit.binary(BinaryKind(op.predicate.data), lhs, rhs)


class LowerSelect(Lowering):
    """tile.select c, a, b -> tl.call where(c, a, b)"""

    operations = (tile.SelectOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        return emit.where(*op.operands)


class LowerTruth(Lowering):
    """tile.truth a -> a != 0"""

    operations = (tile.TruthOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        (value,) = op.operands
        element = element_of(value.type)
        if element == i1:
            return value
        return emit.binary(BinaryKind.NE, value, emit.literal(0, element))


class LowerCondition(Lowering):
    """tile.condition a -> a"""

    operations = (tile.ConditionOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        return op.operands[0]


PLAIN_SIGNS = (LowerConstant(), LowerNeg())
CAREFUL_SIGNS = (LowerNegativeZero(), LowerFloatNeg(), *PLAIN_SIGNS)

ELEMENTWISE = (
    LowerOperator(),
    LowerFloor(),
    LowerFunction(),
    LowerErf(),
    LowerMinMax(),
    LowerAbs(),
    LowerNot(),
    LowerBnot(),
    LowerCompare(),
    LowerSelect(),
    LowerTruth(),
    LowerCondition(),
)
