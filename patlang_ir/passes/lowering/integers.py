"""Integer arithmetic and conversions that the hardware leaves open: here every case has a value."""

from __future__ import annotations

from xdsl.dialects.builtin import bf16, f32, f64, i1
from xdsl.ir import Attribute, Operation, SSAValue

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.scalars import integer_range, is_float, is_integer
from patlang_ir.dialects.tl import BinaryKind, Function, element_of
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, is_strict, negative
from patlang_ir.passes.lowering.numbers import HALVES


def known(value: SSAValue) -> bool | int | float | None:
    """The number of a literal, also of one in every lane."""
    match value.owner:
        case tl.ConstantOp(value=literal):
            return python_number(literal)
        case tl.FullOp(value=scalar):
            return known(scalar)
        case _:
            return None


def uniform(value: SSAValue) -> SSAValue:
    """The scalar that stands in every lane of a value, else the value itself."""
    match value.owner:
        case tl.FullOp(value=scalar) if element_of(scalar.type) == element_of(value.type):
            return scalar
        case _:
            return value


def in_lanes(scalar: SSAValue, value: SSAValue, emit: Emitter) -> SSAValue:
    """What was computed for the uniform part of a value, in the shape of that."""
    return scalar if scalar.type == value.type else emit.full(scalar, value.type)


def is_signed(element: Attribute) -> bool:
    return integer_range(element)[0] < 0


def safe_divisor(divisor: SSAValue, emit: Emitter) -> SSAValue:
    """The divisor, or 1 where the hardware's division is not defined for every dividend."""
    value = known(divisor)
    if value is not None and value not in (0, -1):
        return divisor
    element = element_of(divisor.type)
    scalar = uniform(divisor)
    unsafe = emit.binary(BinaryKind.EQ, scalar, emit.literal(0, element))
    if is_signed(element):
        minus_one = emit.binary(BinaryKind.EQ, scalar, emit.literal(-1, element))
        unsafe = emit.binary(BinaryKind.OR, unsafe, minus_one)
    return in_lanes(emit.where(unsafe, emit.literal(1, element), scalar), divisor, emit)


class LowerQuotient(Lowering):
    """tile.quotient a, b -> a // b; 0 where b is 0, -a where b is -1"""

    operations = (tile.QuotientOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        lhs, rhs = op.operands
        element = element_of(lhs.type)
        divisor = safe_divisor(rhs, emit)
        quotient = emit.binary(BinaryKind.FLOORDIV, lhs, divisor)
        if divisor is rhs:
            return quotient
        scalar = uniform(rhs)
        if is_signed(element):
            minus_one = emit.binary(BinaryKind.EQ, scalar, emit.literal(-1, element))
            quotient = emit.where(minus_one, negative(lhs, emit), quotient)
        zero = emit.binary(BinaryKind.EQ, scalar, emit.literal(0, element))
        return emit.where(zero, emit.literal(0, element), quotient)


class LowerRem(Lowering):
    """tile.rem a, b -> libdevice.fmod(a, b) for floats; a % b, 0 where b is 0 or -1

    The device library takes tiny f32 values as 0; in f64 the same remainder is exact.
    """

    operations = (tile.RemOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        lhs, rhs = op.operands
        element = element_of(lhs.type)
        if is_float(element):
            wide = f64 if element in (f32, bf16) and is_strict(op) else f32
            wide = f64 if element == f64 else wide
            operands = (emit.cast(lhs, wide), emit.cast(rhs, wide))
            return emit.cast(emit.call(Function.LIB_FMOD, *operands), element)
        return emit.binary(BinaryKind.MOD, lhs, safe_divisor(rhs, emit))


class LowerShift(Lowering):
    """tile.shl a, b -> a << b; 0 or the sign where b is negative or at least the width"""

    operations = (tile.ShlOp, tile.ShrOp)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        value, count = op.operands
        element = element_of(value.type)
        low, high = integer_range(element)
        width = (high - low).bit_length()
        kind = BinaryKind.SHL if isinstance(op, tile.ShlOp) else BinaryKind.SHR
        keeps_sign = kind == BinaryKind.SHR and is_signed(element)
        number = known(count)
        if number is not None and 0 <= number < width:
            return emit.binary(kind, value, count)
        if number is not None and not keeps_sign:
            return emit.full(emit.literal(0, element), value.type)
        if number is not None:
            return emit.binary(kind, value, emit.full(emit.literal(width - 1, element), count.type))
        scalar = uniform(count)
        outside = emit.binary(BinaryKind.GE, scalar, emit.literal(width, element))
        if is_signed(element):
            negative = emit.binary(BinaryKind.LT, scalar, emit.literal(0, element))
            outside = emit.binary(BinaryKind.OR, negative, outside)
        last = in_lanes(emit.where(outside, emit.literal(width - 1, element), scalar), count, emit)
        shifted = emit.binary(kind, value, last)
        return shifted if keeps_sign else emit.where(outside, emit.literal(0, element), shifted)


class LowerCast(Lowering):
    """tile.cast a -> tl.cast a; float to integer saturates, and NaN gives 0"""

    operations = (tile.CastOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        (value,) = op.operands
        source, target = element_of(value.type), tile.element_of(op.results[0].type)
        if known(value) is not None:
            return emit.cast(value, target)
        if target == i1 and source != i1:
            return emit.binary(BinaryKind.NE, value, emit.literal(0, source))
        if is_float(source) and is_integer(target):
            return saturated(value, target, emit)
        return emit.cast(value, target)


def saturated(value: SSAValue, target: Attribute, emit: Emitter) -> SSAValue:
    """A float as an integer: without its fraction, limited to the range of `target`."""
    if element_of(value.type) in HALVES:
        value = emit.cast(value, f32)
    element = element_of(value.type)
    assert element in (f32, f64)
    low, high = integer_range(target)
    number = emit.binary(BinaryKind.EQ, value, value)
    inside = emit.where(number, emit.cast(value, target), emit.literal(0, target))
    small = emit.binary(BinaryKind.LE, value, emit.literal(float(low), element))
    raised = emit.where(small, emit.literal(low, target), inside)
    large = emit.binary(BinaryKind.GE, value, emit.literal(float(high + 1), element))
    return emit.where(large, emit.literal(high, target), raised)


INTEGERS = (LowerQuotient(), LowerRem(), LowerShift(), LowerCast())
