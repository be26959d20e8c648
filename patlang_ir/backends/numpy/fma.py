"""`a * b + c` with one rounding, from operations that round each time."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from patlang_ir.backends.numpy.elements import Value, where


def fma32(a: Value, b: Value, c: Value) -> Value:
    """The product is exact in f64; the sum is rounded to odd there, then to nearest in f32."""
    product = np.multiply(a, b, dtype=np.float64)
    return _add_to_odd(product, np.asarray(c, np.float64)).astype(np.float32)


def fma64(a: Value, b: Value, c: Value) -> Value:
    """The Boldo-Melquiond scheme; where its terms could overflow or underflow, exact fractions."""
    shape = np.broadcast_shapes(a.shape, b.shape, c.shape)
    a, b, c = np.broadcast_arrays(*np.atleast_1d(a, b, c))
    result = where(np.isfinite(a) & np.isfinite(b) & ~np.isfinite(c), c, a * b + c)
    exact = np.isfinite(a) & np.isfinite(b) & np.isfinite(c) & (a != 0) & (b != 0)
    moderate = exact & _moderate(a) & _moderate(b) & (_moderate(c) | (c == 0))
    if moderate.any():
        result = where(moderate, _fused(a, b, c), result)
    for lane in zip(*np.nonzero(exact & ~moderate), strict=True):
        result[lane] = _fraction_fma(float(a[lane]), float(b[lane]), float(c[lane]))
    return result.reshape(shape)[()]


def _moderate(value: Value) -> Value:
    size = np.abs(value)
    return (size > 2.0**-400) & (size < 2.0**400)


def _fused(a: Value, b: Value, c: Value) -> Value:
    high, low = _product(a, b)
    upper, rest = _sum(c, low)
    upper, lower = _sum(high, upper)
    return upper + _add_to_odd(rest, lower)


def _sum(a: Value, b: Value) -> tuple[Value, Value]:
    """A rounded sum and its exact error (Knuth)."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)


def _product(a: Value, b: Value) -> tuple[Value, Value]:
    """A rounded product and its exact error (Dekker)."""
    total = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    return total, a2 * b2 - (((total - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(value: Value) -> tuple[Value, Value]:
    scaled = value * (2.0**27 + 1)
    high = scaled - (scaled - value)
    return high, value - high


def _add_to_odd(a: Value, b: Value) -> Value:
    """The sum of doubles, rounded to odd: an inexact one has its last bit set."""
    total, error = _sum(a, b)
    bits = np.asarray(total).view(np.int64)
    inexact = (error != 0) & np.isfinite(total) & (bits & 1 == 0)
    toward_zero = where((error < 0) == (total > 0), np.int64(-1), np.int64(1))
    return where(inexact, bits + toward_zero, bits).view(np.float64)


def _fraction_fma(a: float, b: float, c: float) -> float:
    value = Fraction(a) * Fraction(b) + Fraction(c)
    if value == 0:
        return a * b + c
    try:
        rounded = value.numerator / value.denominator
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return rounded if rounded else (0.0 if value > 0 else -0.0)
