"""Numbers as their element types hold them."""

from __future__ import annotations

import struct
from math import copysign, isinf, isnan

from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i32
from xdsl.ir import Attribute

from patlang_ir.dialects.literals import Number, number
from patlang_ir.dialects.scalars import integer_range, is_float, is_integer

HALVES = (f16, bf16)


def literal_of(value: bool | int | float, element: Attribute) -> Number:
    """The literal of `value` in an element type, rounded to it."""
    if element == i1:
        return number(bool(value))
    if is_float(element):
        return number(rounded(float(value), element))
    return number(int(value))


def cast_number(value: bool | int | float, target: Attribute) -> bool | int | float:
    """What `tile.cast` makes of a number."""
    if not is_integer(target):
        return bool(value) if target == i1 else rounded(float(value), target)
    low, high = integer_range(target)
    if not isinstance(value, float):
        return (int(value) - low) % (high - low + 1) + low
    if isnan(value):
        return 0
    return low if value <= low else high if value >= high else int(value)


def rounded(value: float, element: Attribute) -> float:
    """The nearest value of a float type; ties to even."""
    if element == f64 or isnan(value) or isinf(value):
        return value
    if element == bf16:
        return _round_to_bf16(value)
    code = "<e" if element == f16 else "<f"
    try:
        return struct.unpack(code, struct.pack(code, value))[0]
    except OverflowError:
        return copysign(float("inf"), value)


def _round_to_bf16(value: float) -> float:
    """Round the bits of the double, so that there is one rounding only."""
    bits = struct.unpack("<Q", struct.pack("<d", value))[0]
    if abs(value) < 2.0**-126:
        return float(round(value * 2.0**133)) * 2.0**-133
    kept = 52 - 7
    bits += (1 << (kept - 1)) - 1 + ((bits >> kept) & 1)
    result = struct.unpack("<d", struct.pack("<Q", bits >> kept << kept))[0]
    return copysign(float("inf"), result) if abs(result) >= 2.0**128 else result


def is_negative_zero(value: bool | int | float) -> bool:
    return value == 0 and copysign(1.0, value) < 0


def fits_default(value: bool | int | float) -> bool:
    """Whether Triton keeps the value of a bare Python literal: it makes it i1, i32 or f32."""
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return -(2**31) <= value < 2**31
    if value == 0.0 or isnan(value) or isinf(value):
        return True
    return abs(value) >= 2.0**-126 and rounded(value, f32) == value


def default_type(value: bool | int | float) -> Attribute | None:
    """The type that Triton gives to a bare Python literal that it can hold."""
    if not fits_default(value):
        return None
    if isinstance(value, bool):
        return i1
    return i32 if isinstance(value, int) else f32
