"""The tower of numbers, against Python's integers, fractions and decimals.

Random expressions run as a program, once with literals and once through variables and parameters,
whose kinds the compiler does not know.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeAlias

from host_model import run_compiled
from hypothesis import given, settings
from hypothesis import strategies as st

Number: TypeAlias = int | Fraction | float
Tree: TypeAlias = Any
"""A number, or a sign and two trees."""

EXACT = st.one_of(
    st.integers(-12, 12),
    st.integers(-(2**70), 2**70),
    st.sampled_from([2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**30]),
)
FLOATS = st.one_of(
    st.integers(-40, 40).map(lambda n: n / 8),
    st.sampled_from([0.0, -0.0, 0.1, 1e-7, 1e15, 2.0**63, 2.0**64, 1e22, 123456789.125]),
)


def trees(leaves: st.SearchStrategy[Number], signs: str) -> st.SearchStrategy[Tree]:
    def deeper(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        return st.tuples(st.sampled_from(signs.split()), inner, inner)

    return st.recursive(leaves, deeper, max_leaves=8)


# --- what an expression must give ---


class Stopped(Exception):
    """The code of the error that must stop the program."""


def divided(a: Number, b: Number) -> Number:
    if isinstance(b, int) and b == 0:
        raise Stopped("P602")
    if isinstance(a, float) or isinstance(b, float):
        x, y = to_float(a), to_float(b)
        if y == 0.0:
            return (
                math.nan if x == 0.0 or math.isnan(x) else math.copysign(math.inf, x) * sign_of(y)
            )
        return x / y
    return Fraction(a) / Fraction(b)


def remainder(a: Number, b: Number) -> Number:
    if isinstance(b, int) and b == 0:
        raise Stopped("P602")
    if isinstance(a, float) or isinstance(b, float):
        x, y = to_float(a), to_float(b)
        undefined = y == 0.0 or math.isinf(x) or math.isnan(x) or math.isnan(y)
        return math.nan if undefined else math.fmod(x, y)
    quotient = Fraction(a) / Fraction(b)
    return Fraction(a) - Fraction(b) * math.trunc(quotient)


def sign_of(x: float) -> float:
    return math.copysign(1.0, x)


def to_float(x: Number) -> float:
    try:
        return float(x)
    except OverflowError:
        raise Stopped("P601") from None


def joined(operation: Callable[[Any, Any], Any]) -> Callable[[Number, Number], Number]:
    def run(a: Number, b: Number) -> Number:
        if isinstance(a, float) or isinstance(b, float):
            return operation(to_float(a), to_float(b))
        return operation(a, b)

    return run


OPERATIONS: dict[str, Callable[[Number, Number], Number]] = {
    "+": joined(operator.add),
    "-": joined(operator.sub),
    "*": joined(operator.mul),
    "/": divided,
    "%": remainder,
}


def value(tree: Tree) -> Number:
    if not isinstance(tree, tuple):
        return tree
    sign, left, right = tree
    found = OPERATIONS[sign](value(left), value(right))
    return found.numerator if isinstance(found, Fraction) and found.denominator == 1 else found


def text(number: Number) -> str:
    if not isinstance(number, float):
        return str(number)
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if number == 0.0:
        return "0"
    if number.is_integer():
        return str(int(number))
    return format(Decimal(repr(number)), "f")


def kind(number: Number) -> str:
    if isinstance(number, float):
        return "float"
    if isinstance(number, Fraction):
        return "rational"
    return "int" if -(2**63) <= number < 2**63 else "bigint"


# --- the same as a program ---


def literal(number: Number) -> str:
    written = format(Decimal(repr(abs(number))), "f") if isinstance(number, float) else abs(number)
    shown = str(written)
    if isinstance(number, float) and "." not in shown:
        shown += ".0"
    return f"-{shown}" if sign_of(float(number)) < 0 else shown


def written(tree: Tree, leaves: list[Number] | None = None) -> str:
    """The expression; with `leaves` they are collected there, and variables stand for them."""
    if isinstance(tree, tuple):
        sign, left, right = tree
        return f"({written(left, leaves)} {sign} {written(right, leaves)})"
    if leaves is None:
        return literal(tree)
    leaves.append(tree)
    return f"v{len(leaves)}"


def programs(tree: Tree) -> list[str]:
    shown = "print(r)\nprint(type_of(r))"
    leaves: list[Number] = []
    expression = written(tree, leaves)
    names = [f"v{at}" for at in range(1, len(leaves) + 1)]
    lets = "\n".join(f"let {n} = {literal(v)}" for n, v in zip(names, leaves, strict=True))
    call = f"f({', '.join(map(literal, leaves))})"
    params = ", ".join(names)
    return [
        f"let r = {written(tree)}\n{shown}",
        f"{lets}\nlet r = {expression}\n{shown}",
        f"fn f({params}) {{ return {expression} }}\nlet r = {call}\n{shown}",
        f"let f = |{params}| {{ return {expression} }}\nlet r = {call}\n{shown}",
    ]


def agree(tree: Tree) -> None:
    try:
        found = value(tree)
        want = f"{text(found)}\n{kind(found)}\n", ""
    except Stopped as stopped:
        want = "", str(stopped)
    for program in programs(tree):
        assert run_compiled(program) == want, program


@settings(max_examples=120, deadline=None)
@given(trees(EXACT, "+ - * / %"))
def test_exact_numbers_agree_with_fractions(tree: Tree) -> None:
    agree(tree)


@settings(max_examples=120, deadline=None)
@given(trees(st.one_of(EXACT, FLOATS), "+ - * / %"))
def test_floats_among_exact_numbers_agree_with_decimals(tree: Tree) -> None:
    agree(tree)


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def exactly(number: Number) -> Fraction | float:
    return number if isinstance(number, float) and not math.isfinite(number) else Fraction(number)


@settings(max_examples=60, deadline=None)
@given(
    trees(st.one_of(EXACT, FLOATS), "+ - *"),
    trees(st.one_of(EXACT, FLOATS), "+ - * /"),
    st.booleans(),
)
def test_comparisons_are_exact_across_kinds(left: Tree, right: Tree, same: bool) -> None:
    try:
        a, b = value(left), value(left if same else right)
    except Stopped:
        return
    if "NaN" in (text(a), text(b)):
        return
    second = written(left if same else right)
    for sign, holds in COMPARISONS.items():
        program = f"let a = {written(left)}\nlet b = {second}\nprint(a {sign} b)"
        want = "true\n" if holds(exactly(a), exactly(b)) else "false\n"
        assert run_compiled(program) == (want, ""), program


WORDS: dict[str, Callable[[int, int], int]] = {
    "band": operator.and_,
    "bor": operator.or_,
    "bxor": operator.xor,
    "shl": lambda a, b: wrapped(a << b),
    "shr": operator.rshift,
}
WORD = st.one_of(
    st.integers(-9, 9),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([-(2**63), 2**63 - 1, 2**62]),
)


def wrapped(number: int) -> int:
    """An integer in 64 bits, by its bytes."""
    return int.from_bytes((number % 2**64).to_bytes(8, "little"), "little", signed=True)


@settings(max_examples=60, deadline=None)
@given(WORD, WORD, st.integers(-2, 66))
def test_words_of_bits_agree_with_integers(a: int, b: int, count: int) -> None:
    head = f"let a = {literal(a)}\nlet b = {literal(b)}\nlet n = {literal(count)}\n"
    if a == -(2**63):
        head = head.replace(literal(a), "-9223372036854775807 - 1", 1)
    for word, operation in WORDS.items():
        shift = word.startswith("sh")
        refused = shift and not 0 <= count <= 63
        other = count if shift else b
        want = ("", "P601") if refused else (f"{operation(a, other)}\n", "")
        assert run_compiled(f"{head}print(a {word} {'n' if shift else 'b'})") == want
    assert run_compiled(f"{head}print(bnot a)") == (f"{-a - 1}\n", "")


@settings(max_examples=60, deadline=None)
@given(st.integers(-(10**20), 10**20), st.integers(1, 10**6), st.integers(-9, 9))
def test_rounding_roots_and_powers_agree_with_fractions(top: int, bottom: int, power: int) -> None:
    number = Fraction(top, bottom)
    away = math.floor(abs(number) + Fraction(1, 2))
    head = f"let x = {literal(top)} / {bottom}\n"
    shown = "print(floor(x))\nprint(ceil(x))\nprint(trunc(x))\nprint(round(x))\nprint(abs(x))\n"
    rounded = [math.floor(number), math.ceil(number), math.trunc(number)]
    rounded.append(away if number > 0 else -away)
    want = "".join(f"{it}\n" for it in [*rounded, abs(number)])
    assert run_compiled(head + shown) == (want, "")
    assert run_compiled(f"{head}print(sqrt(x * x))") == (f"{abs(number)}\n", "")
    found = run_compiled(f"{head}print(pow(x, {literal(power)}))")
    assert found == (("", "P602") if number == 0 and power < 0 else (f"{number**power}\n", ""))
