"""The operators, against the rules of the language reference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from patlang_ir.runtime import values
from patlang_ir.runtime.values import Fault

NAN, INF = math.nan, math.inf
HALF = Fraction(7, 2)


def same(got: Any, want: Any) -> bool:
    """Equal, of one kind, and with one sign of zero."""
    if isinstance(want, float) and isinstance(got, float):
        if math.isnan(want):
            return math.isnan(got)
        return got == want and math.copysign(1, got) == math.copysign(1, want)
    return type(got) is type(want) and got == want


@pytest.mark.parametrize(
    ("operation", "a", "b", "want"),
    [
        ("add", 2**63 - 1, 1, 2**63),
        ("sub", 2**64, 2**64 - 5, 5),
        ("add", None, 2.5, 2.5),
        ("add", None, None, 0),
        ("sub", None, 0.0, 0.0),
        ("add", Fraction(1, 2), Fraction(1, 2), 1),
        ("mul", Fraction(1, 2), 2, 1),
        ("mul", Fraction(1, 2), 0.5, 0.25),
        ("mul", 2j, 2j, -4 + 0j),
        ("add", 2j, Fraction(1, 2), 0.5 + 2j),
        ("add", "a", 1, "a1"),
        ("add", None, "a", "a"),
        ("add", True, "a", "truea"),
        ("add", [1, "b"], "", "[1, b]"),
        ("div", 6, 2, 3),
        ("div", 7, 2, HALF),
        ("div", -7, 2, -HALF),
        ("div", HALF, HALF, 1),
        ("div", 7.0, 2, 3.5),
        ("div", 1, 0.0, INF),
        ("div", -1, 0.0, -INF),
        ("div", 1, -0.0, -INF),
        ("div", HALF, 0.0, INF),
        ("div", 0.0, 0.0, NAN),
        ("div", NAN, 0.0, NAN),
        ("div", None, 2, 0),
        ("rem", -7, 3, -1),
        ("rem", 7, -3, 1),
        ("rem", -(10**30), 7, -(10**30 % 7)),
        ("rem", -7.5, 2, -1.5),
        ("rem", 7.5, -2.0, 1.5),
        ("rem", Fraction(-7, 2), 2, Fraction(-3, 2)),
        ("rem", Fraction(7, 2), Fraction(1, 2), 0),
        ("rem", 1, 0.0, NAN),
        ("rem", INF, 2.0, NAN),
        ("rem", 5.0, INF, 5.0),
        ("band", 6, 3, 2),
        ("bor", -1, 5, -1),
        ("bxor", 6, 3, 5),
        ("shl", 1, 63, -(2**63)),
        ("shl", 3, 2, 12),
        ("shr", -8, 1, -4),
    ],
)
def test_arithmetic(operation: str, a: Any, b: Any, want: Any) -> None:
    got = getattr(values, operation)(a, b)
    assert same(got, want), got


@pytest.mark.parametrize(
    ("operation", "a", "b", "code", "named"),
    [
        ("add", True, 1, "P601", ("boolean", "integer")),
        ("add", [1], [2], "P601", ("list",)),
        ("sub", "a", 1, "P601", ("string", "integer")),
        ("mul", None, [1], "P601", ("unit", "list")),
        ("div", 1, 0, "P602", ()),
        ("div", 1.0, 0, "P602", ()),
        ("div", 1, None, "P602", ()),
        ("rem", 1, 0, "P602", ()),
        ("div", 1j, 2, "P601", ("complex",)),
        ("rem", 2, 1j, "P601", ("complex",)),
        ("lt", 1j, 2, "P601", ("complex",)),
        ("lt", "a", 1, "P601", ("string", "integer")),
        ("lt", True, 1, "P601", ("boolean", "integer")),
        ("lt", [1], [2], "P601", ("list",)),
        ("lt", NAN, 1, "P601", ("NaN", "integer")),
        ("ge", Fraction(1, 2), NAN, "P601", ("NaN", "rational")),
        ("gt", None, NAN, "P601", ("NaN",)),
        ("band", 1.0, 1, "P601", ("float", "integer")),
        ("bor", 2**63, 1, "P601", (str(2**63),)),
        ("bxor", True, 1, "P601", ("boolean",)),
        ("shl", 1, 64, "P601", ("64",)),
        ("shr", 1, -1, "P601", ("-1",)),
        ("mul", 10**400, 1.5, "P601", ("too large",)),
    ],
)
def test_refusals(operation: str, a: Any, b: Any, code: str, named: tuple[str, ...]) -> None:
    with pytest.raises(Fault) as caught:
        getattr(values, operation)(a, b)
    assert caught.value.code == code
    assert all(word in caught.value.message for word in named), caught.value.message


@pytest.mark.parametrize("value", ["a", True, [1]])
def test_a_sign_needs_a_number(value: Any) -> None:
    with pytest.raises(Fault):
        values.neg(value)


def test_signs() -> None:
    assert values.neg(None) == 0
    assert same(values.neg(0.0), -0.0)
    assert values.neg(HALF) == -HALF
    assert values.bnot(5) == -6
    with pytest.raises(Fault):
        values.bnot(5.0)


@pytest.mark.parametrize(
    ("a", "b", "want"),
    [
        (1, 1.0, True),
        (Fraction(1, 2), 0.5, True),
        (2 + 0j, 2, True),
        (10**30, 1e30, False),
        (NAN, NAN, False),
        (True, 1, False),
        (False, None, False),
        (True, True, True),
        (None, None, True),
        (None, 0, False),
        (None, "", False),
        ("1", 1, False),
        ("a", "a", True),
        ([1], [1], True),
        ([1], [1.0], False),
        ([1, [2.0]], [1, [2]], False),
        ([[True], None], [[True], None], True),
        ([True], [1], False),
        ([1], [1, 2], False),
        ([], "", False),
    ],
)
def test_equality(a: Any, b: Any, want: bool) -> None:
    assert values.eq(a, b) is want
    assert values.eq(b, a) is want
    assert values.ne(a, b) is not want


def test_one_nan_in_a_list_is_not_equal_to_itself() -> None:
    xs = [NAN]
    assert values.eq(xs, xs) is False


@pytest.mark.parametrize(
    ("a", "b", "less"),
    [
        (1, 1.5, True),
        (Fraction(1, 3), 0.3, False),
        (None, 1, True),
        ("B", "a", True),
        ("a", "ab", True),
        (2**53 + 1, float(2**53), False),
    ],
)
def test_order(a: Any, b: Any, less: bool) -> None:
    assert values.lt(a, b) is less
    assert values.gt(b, a) is less
    assert values.le(a, b) is less
    assert values.ge(a, b) is not less


def test_two_floats_may_be_nan() -> None:
    assert not any(getattr(values, name)(NAN, 1.0) for name in ("lt", "le", "gt", "ge"))


@pytest.mark.parametrize(
    ("value", "want"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        (2.0, "2"),
        (-0.0, "0"),
        (2.5, "2.5"),
        (1e-7, "0.0000001"),
        (-1.25e-10, "-0.000000000125"),
        (1.5e-5, "0.000015"),
        (0.0001, "0.0001"),
        (5e-324, "0." + "0" * 323 + "5"),
        (2.0**63, "9223372036854775808"),
        (1e22, "10000000000000000000000"),
        (-1e300, str(int(-1e300))),
        (0.1, "0.1"),
        (123456789.125, "123456789.125"),
        (INF, "inf"),
        (-INF, "-inf"),
        (NAN, "NaN"),
        (10**30, "1" + "0" * 30),
        (HALF, "7/2"),
        (-HALF, "-7/2"),
        (2j, "0+2i"),
        (complex(1.5, -2), "1.5-2i"),
        ([1, "a", [True, 2]], "[1, a, [true, 2]]"),
        ([], "[]"),
        ([[], [None, [0.5]]], "[[], [, [0.5]]]"),
    ],
)
def test_text(value: Any, want: str) -> None:
    assert values.text(value) == want


def test_deep_lists_need_no_recursion() -> None:
    one: Any = []
    other: Any = []
    for _ in range(50_000):
        one, other = [one], [other]
    assert values.text(one) == "[" * 50_001 + "]" * 50_001
    assert values.eq(one, other)


@pytest.mark.parametrize(
    ("base", "at", "want"),
    [
        ([5, 6], 1, 6),
        ([5, 6], 1.9, 6),
        ([5, 6], Fraction(3, 2), 6),
        ([5, 6], "1", 6),
        ([5, 6], -0.5, 5),
        ([5, 6], 2, None),
        ([5, 6], -1, None),
        ([5, 6], NAN, None),
        ([5, 6], INF, None),
        ([5, 6], "x", None),
        ([5, 6], "-1", None),
        ([5, 6], True, None),
        ([5, 6], None, None),
        ("ab", 1, "b"),
        ("ab", 2, ""),
        ("ab", "x", ""),
        (5, 0, None),
        (None, 0, None),
    ],
)
def test_index(base: Any, at: Any, want: Any) -> None:
    assert same(values.index(base, at), want)


def test_length() -> None:
    assert [values.length(x) for x in ([1, 2], "abc", 5, None)] == [2, 3, 0, 0]
