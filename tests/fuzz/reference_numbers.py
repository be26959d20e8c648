"""Arithmetic of kernels on Python's own numbers: doubles, 64-bit integers and truth values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

Number: TypeAlias = bool | int | float

SMALLEST, LARGEST = -(2**63), 2**63 - 1


def join_kinds(a: str, b: str) -> str:
    """The kind in which two numbers meet; a truth value meets its own kind only."""
    if a == b:
        return a
    assert "b" not in (a, b), "a truth value is no number"
    return "f"


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def truth(value: Number) -> bool:
    return value != 0


def as_kind(value: Number, kind: str) -> Number:
    """The value as a truth value, an integer or a float."""
    if kind == "b":
        return truth(value)
    if kind == "f":
        return float(value)
    if isinstance(value, float):
        return _saturated(value)
    return int(value)


def _saturated(value: float) -> int:
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return LARGEST if value > 0 else SMALLEST
    return min(max(math.trunc(value), SMALLEST), LARGEST)


# --- two operands of one kind ---


def _arithmetic(exact: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Number]:
    """On integers the result wraps, on floats it is what Python gives."""

    def function(a: Any, b: Any) -> Number:
        result = exact(a, b)
        return wrap(result) if isinstance(result, int) else result

    return function


def divide(a: float, b: float) -> float:
    if b != 0 or math.isnan(a):
        return a / b if b != 0 else math.nan
    sign = math.copysign(1.0, a) * math.copysign(1.0, b)
    return math.nan if a == 0 else sign * math.inf


def quotient(a: int, b: int) -> int:
    """The integer quotient, toward zero; that by 0 is 0."""
    if b == 0:
        return 0
    result = abs(a) // abs(b)
    return wrap(-result if (a < 0) != (b < 0) else result)


def remainder(a: Any, b: Any) -> Number:
    """What a division toward zero leaves."""
    if isinstance(a, int):
        return 0 if b == 0 else int(math.copysign(1, a)) * (abs(a) % abs(b))
    if math.isinf(a) or b == 0 or math.isnan(a) or math.isnan(b):
        return math.nan
    return math.fmod(a, b)


def shift_left(a: int, count: int) -> int:
    return wrap(a << count) if 0 <= count < 64 else 0


def shift_right(a: int, count: int) -> int:
    return a >> (count if 0 <= count < 64 else 63)


def maximum(a: Any, b: Any) -> Number:
    """NaN if one is NaN; +0 is larger than -0."""
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if a == b == 0 and isinstance(a, float):
        return a if math.copysign(1.0, a) > 0 else b
    return max(a, b)


def minimum(a: Any, b: Any) -> Number:
    if math.isnan(a) or math.isnan(b):
        return math.nan
    if a == b == 0 and isinstance(a, float):
        return a if math.copysign(1.0, a) < 0 else b
    return min(a, b)


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": _arithmetic(lambda a, b: a + b),
    "-": _arithmetic(lambda a, b: a - b),
    "*": _arithmetic(lambda a, b: a * b),
    "/": divide,
    "%": remainder,
    "shl": shift_left,
    "shr": shift_right,
    "band": lambda a, b: a & b,
    "bor": lambda a, b: a | b,
    "bxor": lambda a, b: a ^ b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "and": lambda a, b: truth(a) and truth(b),
    "or": lambda a, b: truth(a) or truth(b),
}

# --- functions ---


def root(a: float) -> float:
    return math.sqrt(a) if a >= 0 else math.nan


def fused(a: float, b: float, c: float) -> float:
    """The exact product and sum, rounded once."""
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        product = math.copysign(0.0, a) * math.copysign(1.0, b)
        return product + c if a == 0 or b == 0 else 0.0
    sign = 1.0 if exact > 0 else -1.0
    try:
        return math.copysign(float(exact), sign)
    except OverflowError:
        return sign * math.inf


def _whole(function: Callable[[float], int]) -> Callable[[Any], Number]:
    """A rounding of a magnitude's sign; integers, infinities and NaN are whole."""

    def rounded(a: Any) -> Number:
        if isinstance(a, int) or not math.isfinite(a):
            return a
        return math.copysign(float(function(a)), a)

    return rounded


def _nearest(a: float) -> int:
    size = Fraction(abs(a)) + Fraction(1, 2)
    return math.floor(size)


def negated(a: Any) -> Number:
    return wrap(-a) if isinstance(a, int) else -a


def absolute(a: Any) -> Number:
    return wrap(abs(a)) if isinstance(a, int) else abs(a)


INTRINSICS: dict[str, Callable[..., Any]] = {
    "-": negated,
    "not": lambda a: not truth(a),
    "bnot": lambda a: ~a,
    "max": maximum,
    "min": minimum,
    "clamp": lambda a, low, high: minimum(maximum(a, low), high),
    "abs": absolute,
    "sqrt": root,
    "rsqrt": lambda a: divide(1.0, root(a)),
    "fma": fused,
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "trunc": _whole(math.trunc),
    "to_int": lambda a: as_kind(a, "i"),
    "round": _whole(_nearest),
}


def position_of_extreme(numbers: Sequence[Any], largest: bool) -> int:
    """Where the first NaN is, or the first of the largest or smallest."""
    best = 0
    for i, number in enumerate(numbers):
        if math.isnan(number):
            return i
        if number > numbers[best] if largest else number < numbers[best]:
            best = i
    return best
