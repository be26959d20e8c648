"""Products of matrices, by element type and precision.

Sums are taken in f64 and rounded once, to f32 or f64; those of i8 wrap at 32 bits.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from patlang_ir.backends.numpy.elements import Element, Kind, Value
from patlang_ir.dialects.tile import Precision

Product = Callable[[Value, Value, Value], Value]
"""From two factors and an accumulator to the sum of their product and it."""

KEPT = np.uint32(13)
"""The bits of an f32's fraction that tf32 does not have."""


def product_of(factor: Element, total: Element, precision: Precision) -> Product:
    """What computes `dot` for factors and an accumulator of these types."""
    if total.kind is Kind.INT:
        return _integers(total)
    if factor.name == "f32" and precision is not Precision.IEEE:
        return _shortened(precision is Precision.TF32X3)
    return _floats(total)


def _floats(total: Element) -> Product:
    def product(lhs: Value, rhs: Value, acc: Value) -> Value:
        wide = np.matmul(lhs.astype(np.float64), rhs.astype(np.float64))
        return (wide + acc).astype(total.held)

    return product


def _integers(total: Element) -> Product:
    """The sum of products of i8 is exact in f64 for every length that memory can hold."""

    def product(lhs: Value, rhs: Value, acc: Value) -> Value:
        wide = np.matmul(lhs.astype(np.float64), rhs.astype(np.float64))
        return wide.astype(np.int64).astype(total.held) + acc

    return product


def _shortened(in_three: bool) -> Product:
    """As tensor cores do: the operands lose bits, the products are exact."""

    def product(lhs: Value, rhs: Value, acc: Value) -> Value:
        high, other = round_to_tf32(lhs), round_to_tf32(rhs)
        wide = np.matmul(high.astype(np.float64), other.astype(np.float64))
        if in_three:
            low, rest = round_to_tf32(lhs - high), round_to_tf32(rhs - other)
            wide += np.matmul(high.astype(np.float64), rest.astype(np.float64))
            wide += np.matmul(low.astype(np.float64), other.astype(np.float64))
        return (wide + acc).astype(np.float32)

    return product


def round_to_tf32(value: Value) -> Value:
    """The nearest f32 with 10 bits of fraction, ties to even."""
    bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
    half = (np.uint32(1) << (KEPT - np.uint32(1))) - np.uint32(1)
    odd = (bits >> KEPT) & np.uint32(1)
    rounded = ((bits + half + odd) >> KEPT << KEPT).view(np.float32)
    return np.where(np.isfinite(value), rounded, value)
