"""Host functions on numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction

from patlang_ir.runtime.host_kinds import (
    COMPLEX,
    FLOAT,
    INT,
    INTS,
    NAT,
    NUMBERS,
    NUMERAL,
    RATIONAL,
    STRINGS,
    TEXT,
    UNIT,
    Kinds,
    only,
)
from patlang_ir.runtime.values import (
    Fault,
    Value,
    division_by_zero,
    is_word,
    neg,
    rational,
    text,
    to_float,
)
from patlang_ir.stdlib.arguments import real, real_float, whole
from patlang_ir.stdlib.registry import host

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)", re.I)


def _number_kinds(x: Kinds) -> Kinds:
    found = x & NUMBERS
    if x & NUMERAL or not only(x, NUMBERS | STRINGS):
        found |= NAT
    return found | INT | FLOAT if x & TEXT else found


@host("to_num", 1, gives=_number_kinds)
def to_num(x: Value) -> Value:
    """The number in `x`: a number unchanged, a string as it reads (float 0 if it does not), a
    boolean as 1 or 0, anything else 0."""
    match x:
        case bool():
            return int(x)
        case int() | float() | Fraction() | complex():
            return x
        case str():
            return _read_number(x.strip())
        case _:
            return 0


def _read_number(shown: str) -> int | float:
    if _INTEGER.fullmatch(shown):
        return int(shown)
    return float(shown) if _FLOAT.fullmatch(shown) else 0.0


@host("numeric_kind", 1, gives=TEXT)
def numeric_kind(x: Value) -> str:
    """The kind of number: `int`, `bigint`, `float`, `rational`, `complex`, or `other`."""
    match x:
        case bool():
            return "other"
        case int():
            return "int" if is_word(x) else "bigint"
        case float():
            return "float"
        case Fraction():
            return "rational"
        case complex():
            return "complex"
        case _:
            return "other"


def _magnitude_kinds(x: Kinds) -> Kinds:
    found = x & (FLOAT | RATIONAL)
    if x & (INTS | UNIT):
        found |= NAT
    return found | FLOAT if x & COMPLEX else found


@host("abs", 1, gives=_magnitude_kinds)
def absolute(x: Value) -> Value:
    """The absolute value, of the same kind; of a complex number its distance from 0."""
    if type(x) is complex:
        return math.hypot(x.real, x.imag)
    return abs(real("abs", 1, x))


def _root_kinds(x: Kinds) -> Kinds:
    roots = FLOAT | COMPLEX
    return roots if only(x, FLOAT) else roots | NAT | RATIONAL


@host("sqrt", 1, gives=_root_kinds)
def square_root(x: Value) -> Value:
    """The square root: exact for the squares of exact numbers, complex for negative numbers."""
    if type(x) is float and x >= 0.0:
        return math.sqrt(x)
    if type(x) is complex:
        return x**0.5
    number = real("sqrt", 1, x)
    if number < 0:
        root = square_root(neg(number))
        return complex(0.0, to_float(root))
    if isinstance(number, float):
        return math.sqrt(number)
    up, down = math.isqrt(number.numerator), math.isqrt(number.denominator)
    if up * up == number.numerator and down * down == number.denominator:
        return rational(Fraction(up, down))
    return math.sqrt(to_float(number))


@host("min", 2, gives=FLOAT)
def smaller(a: Value, b: Value) -> float:
    """The smaller of two numbers as a float; NaN if one is NaN."""
    x, y = real_float("min", 1, a), real_float("min", 2, b)
    if x == y:
        return x if math.copysign(1.0, x) < 0 else y
    return x if x < y or math.isnan(x) else y


@host("max", 2, gives=FLOAT)
def larger(a: Value, b: Value) -> float:
    """The larger of two numbers as a float; NaN if one is NaN."""
    x, y = real_float("max", 1, a), real_float("max", 2, b)
    if x == y:
        return y if math.copysign(1.0, x) < 0 else x
    return x if x > y or math.isnan(x) else y


# --- rounding ---


def _rounded_kinds(x: Kinds) -> Kinds:
    found = x & FLOAT
    if x & (NAT | UNIT):
        found |= NAT
    return found | INT if x & (INT | RATIONAL) else found


def _half_away(x: float | Fraction) -> int:
    cut = math.trunc(x)
    if abs(x - cut) < 0.5:
        return cut
    return cut + (1 if x > 0 else -1)


def _rounding(name: str, doc: str, operation: Callable[[float | Fraction], int]) -> None:
    """Exact kinds give an integer, floats a float with the sign of the argument."""

    def round_to_whole(x: Value) -> int | float:
        number = real(name, 1, x)
        if type(number) is int:
            return number
        if type(number) is not float:
            return operation(number)
        if not math.isfinite(number):
            return number
        return math.copysign(float(operation(number)), number)

    round_to_whole.__doc__ = doc
    host(name, 1, gives=_rounded_kinds)(round_to_whole)


_rounding("floor", "The largest whole number not above `x`.", math.floor)
_rounding("ceil", "The smallest whole number not below `x`.", math.ceil)
_rounding("trunc", "`x` without its fraction.", math.trunc)
_rounding("round", "The nearest whole number; halves go away from zero.", _half_away)


# --- functions of analysis ---


def _odd_and_negative(x: float, y: float) -> bool:
    return math.copysign(1.0, x) < 0 and y.is_integer() and math.fmod(y, 2.0) != 0.0


def _float_power(x: float, y: float) -> float:
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if _odd_and_negative(x, y) else math.inf
    except ValueError:
        if x != 0.0:
            return math.nan
        return -math.inf if _odd_and_negative(x, y) else math.inf


def _power_kinds(x: Kinds, y: Kinds) -> Kinds:
    if only(x, NAT) and only(y, NAT):
        return NAT
    return FLOAT if only(x, FLOAT) or only(y, FLOAT) else NUMBERS


@host("pow", 2, gives=_power_kinds)
def power(x: Value, y: Value) -> Value:
    """`x` to the power of `y`; exact for an exact `x` and an integer `y`."""
    if type(x) is complex and type(y) is int and (x != 0 or y >= 0):
        return x**y
    base, exponent = real("pow", 1, x), real("pow", 2, y)
    if type(base) is float or type(exponent) is not int:
        return _float_power(to_float(base), to_float(exponent))
    if exponent >= 0:
        result = base**exponent
    elif base == 0:
        raise division_by_zero("pow")
    else:
        result = Fraction(base) ** exponent
    return rational(result) if type(result) is Fraction else result


def _logarithm(x: float) -> float:
    if x > 0.0:
        return math.log(x)
    return -math.inf if x == 0.0 else math.nan


def _exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def _analytic(name: str, doc: str, operation: Callable[[float], float]) -> None:
    """A function from floats to floats; NaN outside its domain."""

    def evaluate(x: Value) -> float:
        number = x if type(x) is float else real_float(name, 1, x)
        try:
            return operation(number)
        except ValueError:
            return math.nan

    evaluate.__doc__ = doc
    host(name, 1, gives=FLOAT)(evaluate)


_analytic("sin", "The sine of `x` in radians.", math.sin)
_analytic("cos", "The cosine of `x` in radians.", math.cos)
_analytic("tan", "The tangent of `x` in radians.", math.tan)
_analytic("asin", "The angle whose sine is `x`.", math.asin)
_analytic("acos", "The angle whose cosine is `x`.", math.acos)
_analytic("atan", "The angle whose tangent is `x`.", math.atan)
_analytic("log", "The natural logarithm of `x`.", _logarithm)
_analytic("exp", "e to the power of `x`.", _exponential)


@host("atan2", 2, gives=FLOAT)
def arc_tangent(y: Value, x: Value) -> float:
    """The angle of the point `x`, `y`."""
    return math.atan2(real_float("atan2", 1, y), real_float("atan2", 2, x))


@host("to_fixed", 2, gives=TEXT)
def to_fixed(x: Value, digits: Value) -> str:
    """`x` as text with `digits` digits after the point."""
    number, count = real_float("to_fixed", 1, x), whole("to_fixed", 2, digits)
    if not 0 <= count <= 1000:
        raise Fault("P603", f"to_fixed: {count} digits are not 0 to 1000")
    return f"{number:.{count}f}" if math.isfinite(number) else text(number)


@host("type_of", 1, gives=TEXT)
def type_of(x: Value) -> str:
    """The kind of a value: `unit`, `bool`, `int`, `bigint`, `float`, `rational`, `complex`,
    `string`, `list` or `closure`."""
    match x:
        case None:
            return "unit"
        case bool():
            return "bool"
        case str():
            return "string"
        case list():
            return "list"
        case _:
            kind = numeric_kind(x)
            return "closure" if kind == "other" else kind
