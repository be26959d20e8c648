"""What the operators of PatLang compute, one function for each.

Values are Python's own: unit is `None`; booleans, integers of any size, floats, complex numbers and
strings are themselves; a rational is a `Fraction` that is never integral; a list is a `list` that
nobody changes while two hold it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import NoReturn

from patlang_ir.runtime.texts import Value, describe, is_list, kind_of, text


class Fault(Exception):
    """Why an operation stopped the program; where is added by who catches it."""

    def __init__(self, code: str, message: str, help: str = ""):
        super().__init__(message)
        self.code = code
        self.message = message
        self.help = help


def _refuse(sign: str, a: Value, b: Value) -> NoReturn:
    message = f"'{sign}' does not take {describe(a)} and {describe(b)}"
    raise Fault("P601", message, _help(sign, a, b))


def _help(sign: str, a: Value, b: Value) -> str:
    """What to write in place of an operation that does not take these two values."""
    kinds = {kind_of(a), kind_of(b)}
    if list in kinds and type(None) in kinds:
        return "a variable that was never set is unit"
    if sign == "+" and kinds == {list}:
        return "list_concat(xs, ys) of the library 'list' joins two lists"
    if str in kinds and kinds & _NUMBERS:
        return "to_num(s) is the number that a string shows"
    if bool in kinds and kinds <= {bool, *_NUMBERS}:
        return "to_num(b) is 1 for true and 0 for false"
    return ""


def _too_large() -> Fault:
    return Fault("P601", "the integer is too large to become a float")


def _number(value: Value, sign: str, a: Value, b: Value) -> Value:
    """A number as it is, unit as 0."""
    if value is None:
        return 0
    if type(value) in _NUMBERS:
        return value
    _refuse(sign, a, b)


_NUMBERS = frozenset((int, float, Fraction, complex))
_DIRECT = frozenset((int, float, complex))
_ORDERED = frozenset((int, float, str))


def rational(value: Fraction) -> int | Fraction:
    """An exact number in its one form: an integral one is an integer."""
    return value.numerator if value.denominator == 1 else value


def _calculate(sign: str, operation: Callable[[Value, Value], Value], a: Value, b: Value) -> Value:
    try:
        result = operation(_number(a, sign, a, b), _number(b, sign, a, b))
    except OverflowError:
        raise _too_large() from None
    return rational(result) if type(result) is Fraction else result


# --- arithmetic ---


def add(a: Value, b: Value) -> Value:
    """`a + b`; joins the text forms if one side is a string."""
    kind = kind_of(a)
    if kind is type(b) and kind in _DIRECT:
        return a + b
    if kind is str:
        return a + text(b)
    if type(b) is str:
        return text(a) + b
    return _calculate("+", operator.add, a, b)


def sub(a: Value, b: Value) -> Value:
    """`a - b`"""
    kind = kind_of(a)
    if kind is type(b) and kind in _DIRECT:
        return a - b
    return _calculate("-", operator.sub, a, b)


def mul(a: Value, b: Value) -> Value:
    """`a * b`"""
    kind = kind_of(a)
    if kind is type(b) and kind in _DIRECT:
        return a * b
    return _calculate("*", operator.mul, a, b)


def div(a: Value, b: Value) -> Value:
    """`a / b`: exact between exact numbers, IEEE if one is a float."""
    x, y = _number(a, "/", a, b), _number(b, "/", a, b)
    if type(x) is complex or type(y) is complex:
        _refuse("/", a, b)
    if type(y) is int:
        if y == 0:
            raise division_by_zero("/")
        if type(x) is int:
            quotient, rest = divmod(x, y)
            return Fraction(x, y) if rest else quotient
    try:
        result = x / y
    except ZeroDivisionError:
        x = float(x)
        if x == 0.0 or math.isnan(x):
            return math.nan
        return math.copysign(math.inf, x) * math.copysign(1.0, y)
    except OverflowError:
        raise _too_large() from None
    return rational(result) if type(result) is Fraction else result


def rem(a: Value, b: Value) -> Value:
    """`a % b`, with the sign of `a`."""
    x, y = _number(a, "%", a, b), _number(b, "%", a, b)
    if type(x) is complex or type(y) is complex:
        _refuse("%", a, b)
    if type(y) is int and y == 0:
        raise division_by_zero("%")
    if type(x) is float or type(y) is float:
        return _float_rem(to_float(x), to_float(y))
    rest = abs(x) % abs(y)
    signed = -rest if x < 0 else rest
    return rational(signed) if type(signed) is Fraction else signed


def _float_rem(x: float, y: float) -> float:
    if y == 0.0 or math.isinf(x):
        return math.nan
    return math.fmod(x, y)


def division_by_zero(sign: str = "/") -> Fault:
    """The fault of dividing by an exact zero."""
    return Fault("P602", f"'{sign}' by an integer zero", "test the divisor first")


def neg(a: Value) -> Value:
    """`-a`"""
    if a is None:
        return 0
    if type(a) in _NUMBERS:
        return -a
    raise Fault("P601", f"'-' does not take {describe(a)}")


def to_float(value: Value) -> float:
    """A real number as the nearest float."""
    try:
        return float(value)
    except OverflowError:
        raise _too_large() from None


# --- bits ---

_WORD = 1 << 64
_SIGN = 1 << 63


def is_word(value: Value) -> bool:
    """Whether a value is an integer of 64 bits."""
    return type(value) is int and -_SIGN <= value < _SIGN


def _words(word: str, a: Value, b: Value) -> None:
    for value in (a, b):
        if type(value) is int and not is_word(value):
            raise Fault("P601", f"'{word}' takes integers of 64 bits, and {value} is larger")
    if type(a) is not int or type(b) is not int:
        _refuse(word, a, b)


def band(a: Value, b: Value) -> int:
    """`a band b`"""
    _words("band", a, b)
    return a & b


def bor(a: Value, b: Value) -> Value:
    """`a bor b`"""
    _words("bor", a, b)
    return a | b


def bxor(a: Value, b: Value) -> int:
    """`a bxor b`"""
    _words("bxor", a, b)
    return a ^ b


def bnot(a: Value) -> int:
    """`bnot a`"""
    if not is_word(a):
        raise Fault("P601", f"'bnot' takes an integer of 64 bits, not {describe(a)}")
    return ~a


def _shift(word: str, a: Value, b: Value) -> None:
    _words(word, a, b)
    if not 0 <= b <= 63:
        raise Fault("P601", f"'{word}' by {b}", "a shift count is 0 to 63")


def shl(a: Value, b: Value) -> int:
    """`a shl b` in 64 bits."""
    _shift("shl", a, b)
    return ((a << b) + _SIGN) % _WORD - _SIGN


def shr(a: Value, b: Value) -> int:
    """`a shr b`, keeping the sign."""
    _shift("shr", a, b)
    return a >> b


# --- comparisons ---


def _is_nan(value: Value) -> bool:
    return type(value) is float and math.isnan(value)


def _ordered(sign: str, a: Value, b: Value) -> tuple[Value, Value]:
    """The two values, ready for Python's comparison of that sign."""
    if type(a) is str and type(b) is str:
        return a, b
    x, y = _number(a, sign, a, b), _number(b, sign, a, b)
    if type(x) is complex or type(y) is complex:
        _refuse(sign, a, b)
    if type(x) is not type(y) and (_is_nan(x) or _is_nan(y)):
        raise Fault("P601", f"'{sign}' compares NaN with {describe(b if _is_nan(x) else a)}")
    return x, y


def lt(a: Value, b: Value) -> bool:
    """`a < b`"""
    if type(a) is type(b) and type(a) in _ORDERED:
        return a < b
    x, y = _ordered("<", a, b)
    return x < y


def le(a: Value, b: Value) -> bool:
    """`a <= b`"""
    if type(a) is type(b) and type(a) in _ORDERED:
        return a <= b
    x, y = _ordered("<=", a, b)
    return x <= y


def gt(a: Value, b: Value) -> bool:
    """`a > b`"""
    if type(a) is type(b) and type(a) in _ORDERED:
        return a > b
    x, y = _ordered(">", a, b)
    return x > y


def ge(a: Value, b: Value) -> bool:
    """`a >= b`"""
    if type(a) is type(b) and type(a) in _ORDERED:
        return a >= b
    x, y = _ordered(">=", a, b)
    return x >= y


def eq(a: Value, b: Value) -> bool:
    """`a == b`: numbers by value, lists element by element and strictly by kind."""
    if is_list(a) and is_list(b):
        return _same_lists(a, b)
    if type(a) is bool or type(b) is bool:
        return a is b
    return a == b


def ne(a: Value, b: Value) -> bool:
    """`a != b`"""
    return not eq(a, b)


def _same_lists(a: list[Value], b: list[Value]) -> bool:
    """Compares without recursion, since lists may nest deeply."""
    work = [(a, b)]
    while work:
        left, right = work.pop()
        if len(left) != len(right):
            return False
        for x, y in zip(left, right, strict=True):
            if type(x) is not type(y):
                return False
            if is_list(x):
                work.append((x, y))
            elif x != y:
                return False
    return True


# --- parts of values ---


def whole_index(index: Value) -> int:
    """The position that an index means, or -1 if it means none."""
    match index:
        case bool():
            return -1
        case int():
            return index
        case Fraction():
            return math.trunc(index)
        case float() if math.isfinite(index):
            return math.trunc(index)
        case str() if index.isascii() and index.isdigit():
            return int(index)
        case _:
            return -1


def index(base: Value, at: Value) -> Value:
    """`base[at]`; outside, unit for a list and an empty string for a string."""
    if type(at) is not int:
        at = whole_index(at)
    kind = kind_of(base)
    if kind is list:
        return base[at] if 0 <= at < len(base) else None
    if kind is str:
        return base[at] if 0 <= at < len(base) else ""
    return None


def length(base: Value) -> int:
    """`base.length`; 0 for what has none."""
    kind = kind_of(base)
    return len(base) if kind is list or kind is str else 0


# --- what generated code cannot do in one expression ---


def is_closure(value: Value) -> bool:
    """Whether a value is a closure."""
    return type(value) is FunctionType


def callee(value: Value) -> Callable[..., Value]:
    """What a call of a value calls: the value must be a closure."""
    if type(value) is FunctionType:
        return value
    raise Fault("P601", f"{describe(value)} cannot be called")


def refuse_assignment(name: str) -> NoReturn:
    """`name = ...` after a plain `let name`."""
    raise Fault(
        "P604",
        f"cannot assign twice to the immutable variable '{name}'",
        f"write `let mut {name} = ...` where it is made, or `let {name} = ...` here",
    )


def violated(kind: str, function: str, condition: str) -> NoReturn:
    """A contract whose condition does not hold."""
    raise Fault("P605", f"contract violation: {kind} failed in {function}(): {condition}")
