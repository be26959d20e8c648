"""Exact arithmetic on bit patterns, in Python's integers and fractions only."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Format:
    """A binary float format: how many bits, and how many of them are the significand's."""

    name: str
    width: int
    precision: int

    @property
    def infinity(self) -> int:
        """The bits of +inf; those of a NaN are above."""
        return ((1 << (self.width - self.precision)) - 1) << (self.precision - 1)

    @property
    def lowest(self) -> int:
        """The exponent of the last place of the smallest values."""
        return 3 - (1 << (self.width - self.precision - 1)) - self.precision

    @property
    def sign(self) -> int:
        return 1 << (self.width - 1)

    @property
    def nan(self) -> int:
        return self.infinity | 1 << (self.precision - 2)

    def value(self, bits: int) -> float:
        """The double that has the value of a bit pattern."""
        magnitude = bits & (self.sign - 1)
        if magnitude > self.infinity:
            return math.nan
        sign = -1.0 if bits & self.sign else 1.0
        if magnitude == self.infinity:
            return sign * math.inf
        exponent, fraction = divmod(magnitude, 1 << (self.precision - 1))
        whole = fraction + (1 << (self.precision - 1)) * (exponent > 0)
        return sign * math.ldexp(float(whole), self.lowest + max(exponent - 1, 0))

    def nearest(self, value: Fraction, zero: float = 0.0) -> int:
        """The bits of the nearest value, ties to even; `zero` has the sign of an exact zero."""
        if value == 0:
            return self.sign if math.copysign(1.0, zero) < 0 else 0
        size = abs(value)
        exponent = size.numerator.bit_length() - size.denominator.bit_length()
        if Fraction(2) ** exponent > size:
            exponent -= 1
        place = max(exponent - self.precision + 1, self.lowest)
        whole, rest = divmod(size / Fraction(2) ** place, 1)
        if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2):
            whole += 1
        bits = ((place - self.lowest) << (self.precision - 1)) + int(whole)
        return min(bits, self.infinity) | (self.sign if value < 0 else 0)

    def special(self, value: float) -> int:
        """The bits of an infinity, a NaN or a zero."""
        if math.isnan(value):
            return self.nan
        sign = self.sign if math.copysign(1.0, value) < 0 else 0
        assert value == 0 or math.isinf(value)
        return sign | (self.infinity if value else 0)

    def of(self, value: float) -> int:
        """The bits of the value nearest to a double."""
        if math.isfinite(value):
            return self.nearest(Fraction(value), value)
        return self.special(value)


F16, BF16, F32, F64 = (
    Format("f16", 16, 11),
    Format("bf16", 16, 8),
    Format("f32", 32, 24),
    Format("f64", 64, 53),
)
FORMATS = {format.name: format for format in (F16, BF16, F32, F64)}


def finite(*values: float) -> bool:
    return all(math.isfinite(value) for value in values)


def add(f: Format, a: float, b: float) -> int:
    return f.nearest(Fraction(a) + Fraction(b), a + b) if finite(a, b) else f.special(a + b)


def sub(f: Format, a: float, b: float) -> int:
    return add(f, a, -b)


def mul(f: Format, a: float, b: float) -> int:
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    if finite(a, b):
        return f.nearest(Fraction(a) * Fraction(b), 0.0 * sign)
    return f.special(a * b)


def div(f: Format, a: float, b: float) -> int:
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    if finite(a, b) and b != 0:
        return f.nearest(Fraction(a) / Fraction(b), 0.0 * sign)
    if finite(a, b):
        return f.special(math.nan if a == 0 else sign * math.inf)
    if math.isnan(a) or math.isnan(b) or (math.isinf(a) and math.isinf(b)):
        return f.nan
    return f.special(sign * (math.inf if math.isinf(a) else 0.0))


def rem(f: Format, a: float, b: float) -> int:
    if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
        return f.nan
    if math.isinf(b):
        return f.nearest(Fraction(a), a)
    quotient = math.trunc(Fraction(a) / Fraction(b))
    return f.nearest(Fraction(a) - quotient * Fraction(b), a)


def fma(f: Format, a: float, b: float, c: float) -> int:
    """f16 and bf16 take it in f32, and round that once more."""
    if f.width == 16:
        return f.of(F32.value(fma(F32, a, b, c)))
    if not finite(a, b):
        return f.special(a * b + c)
    if not finite(c):
        return f.special(c)
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    # An exact zero is +0, unless both terms are -0.
    negative = sign < 0 and math.copysign(1.0, c) < 0 and (a == 0 or b == 0)
    return f.nearest(exact, -0.0 if negative else 0.0)


def maximum(f: Format, a: float, b: float) -> int:
    if math.isnan(a) or math.isnan(b):
        return f.nan
    return f.of(max(a, b, key=lambda v: (v, math.copysign(1.0, v))))


def minimum(f: Format, a: float, b: float) -> int:
    if math.isnan(a) or math.isnan(b):
        return f.nan
    return f.of(min(a, b, key=lambda v: (v, math.copysign(1.0, v))))


def neg(f: Format, a: float) -> int:
    return f.of(-a)


def absolute(f: Format, a: float) -> int:
    return f.of(math.copysign(a, 1.0))


def sqrt(f: Format, a: float) -> int:
    """From an integer square root with far more bits than any format has."""
    if math.isnan(a) or a < 0:
        return f.nan
    if a in (0.0, math.inf):
        return f.special(a)
    value = Fraction(a)
    scale = 1 << 1400
    scaled = value * scale * scale
    root = math.isqrt(int(scaled))
    exact = root * root == scaled
    return f.nearest(Fraction(2 * root + (not exact), 2 * scale))


def whole(f: Format, a: float, round: str) -> int:
    """`floor`, `ceil`, `trunc`, or `round` with halves away from zero."""
    if not finite(a):
        return f.special(a)
    value = Fraction(a)
    result = {
        "floor": math.floor(value),
        "ceil": math.ceil(value),
        "trunc": math.trunc(value),
        "round": math.floor(abs(value) + Fraction(1, 2)) * (1 if value > 0 else -1),
    }[round]
    return f.nearest(Fraction(result), a)


def wrap(value: int, width: int, signed: bool = True) -> int:
    """The integer of this width that is equal modulo its range."""
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> (width - 1) else value


def saturate(value: float, low: int, high: int) -> int:
    """A float to an integer: truncated, limited, NaN to 0."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return high if value > 0 else low
    return min(max(math.trunc(Fraction(value)), low), high)


def float_of_bits(bits: int) -> float:
    """The double with this bit pattern."""
    return struct.unpack("<d", struct.pack("<Q", bits))[0]
