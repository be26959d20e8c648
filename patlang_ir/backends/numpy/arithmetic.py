"""What the operations that treat each lane alone do to held values: a table by operation and kind.

Everything but the functions of `INEXACT` gives the same bits on every machine. Those come from
NumPy and Python's `math`; for them only a bound on the error is promised.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from operator import add, mul, sub

import numpy as np
from xdsl.ir import Operation

from patlang_ir.backends.numpy.elements import Element, Kind, Value, where
from patlang_ir.backends.numpy.fma import fma32, fma64
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import ComparePredicate

Function = Callable[..., Value]

FLOAT, INT, BOOL = Kind.FLOAT, Kind.INT, Kind.BOOL


def quotient(a: Value, b: Value) -> Value:
    """Truncated toward zero; 0 where the divisor is 0, as NumPy's integer division has it."""
    return np.floor_divide(a - np.fmod(a, b), b)


def larger(a: Value, b: Value) -> Value:
    """NaN if one is NaN; `+0` is larger than `-0`."""
    result = np.maximum(a, b)
    zeros = np.equal(result, 0)
    if not zeros.any():
        return result
    # The sum of two zeros is -0 only if both are.
    return where(np.equal(a, b) & zeros, a + b, result)


def smaller(a: Value, b: Value) -> Value:
    """NaN if one is NaN; `-0` is smaller than `+0`."""
    return np.negative(larger(np.negative(a), np.negative(b)))


def round_half_away(value: Value) -> Value:
    whole = np.trunc(value)
    return where(
        np.abs(value - whole) >= 0.5, whole + np.copysign(value.dtype.type(1), value), whole
    )


_erf = np.frompyfunc(math.erf, 1, 1)


def erf(value: Value) -> Value:
    return np.asarray(_erf(np.asarray(value, np.float64)), np.float64).astype(value.dtype)


def same(value: Value) -> Value:
    return value


def wrapped(a: Value, b: Value, c: Value) -> Value:
    return a * b + c


def fused(a: Value, b: Value, c: Value) -> Value:
    return fma32(a, b, c) if a.dtype == np.float32 else fma64(a, b, c)


TABLE: dict[type[Operation], Mapping[Kind, Function]] = {
    tile.AddOp: {FLOAT: add, INT: add},
    tile.SubOp: {FLOAT: sub, INT: sub},
    tile.MulOp: {FLOAT: mul, INT: mul},
    tile.DivOp: {FLOAT: np.divide},
    tile.QuotientOp: {INT: quotient},
    tile.RemOp: {FLOAT: np.fmod, INT: np.fmod},
    tile.MaxOp: {FLOAT: larger, INT: np.maximum, BOOL: np.logical_or},
    tile.MinOp: {FLOAT: smaller, INT: np.minimum, BOOL: np.logical_and},
    tile.PowOp: {FLOAT: np.power},
    tile.AndOp: {BOOL: np.logical_and},
    tile.OrOp: {BOOL: np.logical_or},
    tile.BandOp: {INT: np.bitwise_and, BOOL: np.logical_and},
    tile.BorOp: {INT: np.bitwise_or, BOOL: np.logical_or},
    tile.BxorOp: {INT: np.bitwise_xor, BOOL: np.not_equal},
    tile.ShlOp: {INT: np.left_shift},
    tile.ShrOp: {INT: np.right_shift},
    tile.NegOp: {FLOAT: np.negative, INT: np.negative},
    tile.NotOp: {BOOL: np.logical_not},
    tile.BnotOp: {INT: np.invert, BOOL: np.logical_not},
    tile.AbsOp: {FLOAT: np.abs, INT: np.abs},
    tile.SqrtOp: {FLOAT: np.sqrt},
    tile.FloorOp: {FLOAT: np.floor, INT: same},
    tile.CeilOp: {FLOAT: np.ceil, INT: same},
    tile.TruncOp: {FLOAT: np.trunc, INT: same},
    tile.RoundOp: {FLOAT: round_half_away, INT: same},
    tile.ExpOp: {FLOAT: np.exp},
    tile.Exp2Op: {FLOAT: np.exp2},
    tile.LogOp: {FLOAT: np.log},
    tile.Log2Op: {FLOAT: np.log2},
    tile.SinOp: {FLOAT: np.sin},
    tile.CosOp: {FLOAT: np.cos},
    tile.TanOp: {FLOAT: np.tan},
    tile.TanhOp: {FLOAT: np.tanh},
    tile.ErfOp: {FLOAT: erf},
    tile.FmaOp: {FLOAT: fused, INT: wrapped},
}
"""Operations whose operands and result have one type."""

INEXACT: frozenset[type[Operation]] = frozenset(
    {
        tile.PowOp, tile.ExpOp, tile.Exp2Op, tile.LogOp, tile.Log2Op, tile.SinOp, tile.CosOp,
        tile.TanOp, tile.TanhOp, tile.ErfOp,
    }
)  # fmt: skip
"""Operations whose float results are right within a bound only."""

COMPARE: dict[ComparePredicate, Function] = {
    ComparePredicate.EQ: np.equal,
    ComparePredicate.NE: np.not_equal,
    ComparePredicate.LT: np.less,
    ComparePredicate.LE: np.less_equal,
    ComparePredicate.GT: np.greater,
    ComparePredicate.GE: np.greater_equal,
}


def function_of(op: type[Operation], element: Element) -> Function | None:
    """The operation on held values of an element type; None where it has no meaning."""
    function = TABLE[op].get(element.kind)
    narrow = element.round
    if function is None or narrow is None:
        return function
    return lambda *operands: narrow(function(*operands))
