"""Python expressions as text that knows its precedence and where its parts come from."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import NamedTuple

from patlang_ir.diagnostics import Place


class Precedence(IntEnum):
    """How tightly an expression holds together, loosest first."""

    WALRUS = 0
    CONDITIONAL = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    SUM = 6
    PRODUCT = 7
    SIGN = 8
    ATOM = 9


class Span(NamedTuple):
    """Columns of a line that come from one place of the program."""

    start: int
    end: int
    place: Place

    def moved(self, by: int) -> Span:
        return Span(self.start + by, self.end + by, self.place)


NO_FORMS: Mapping[str, Expr] = MappingProxyType[str, "Expr"]({})


class Expr(NamedTuple):
    """One expression.

    `simple` means that it can be written twice and moved. `forms` are other texts for the same
    value in a certain position: `truth` where only its truth counts, `number` where unit counts as
    0, `whole` for the number that a numeral shows, `floor` and `trunc` for the rounded value, and
    `bold` without the tests that indices are inside their lists, of which `tests` counts the work.
    A `pure` expression can be evaluated again.
    """

    text: str
    precedence: Precedence = Precedence.ATOM
    spans: tuple[Span, ...] = ()
    simple: bool = False
    forms: Mapping[str, Expr] = NO_FORMS
    update: tuple[str, str, Expr] | None = None
    """The name, the sign and the right side of `name sign right`, for `name += right`."""
    pure: bool = True
    tests: int = 0

    def form(self, name: str) -> Expr:
        """The text for a certain position."""
        return self.forms.get(name, self)

    def at_least(self, precedence: Precedence) -> Expr:
        """The expression, in parentheses if it would fall apart."""
        if self.precedence >= precedence:
            return self
        if "bold" not in self.forms:
            return join("(", self, ")")
        bold = self.forms["bold"].at_least(precedence)
        return join("(", self, ")")._replace(forms={"bold": bold})

    def with_forms(self, **forms: Expr) -> Expr:
        return self._replace(forms={**self.forms, **forms})


def name(text: str) -> Expr:
    """A variable."""
    return Expr(text, simple=True)


def join(
    *parts: str | Expr, precedence: Precedence = Precedence.ATOM, place: Place | None = None
) -> Expr:
    """One expression out of text and expressions."""
    text = ""
    spans: list[Span] = []
    pure, tests = True, 0
    for part in parts:
        if isinstance(part, str):
            text += part
            continue
        length = len(text)
        if not length:
            spans += part.spans
        else:
            spans += [Span(s + length, e + length, origin) for s, e, origin in part.spans]
        text += part.text
        tests += part.tests
        pure = pure and part.pure
    if place is not None:
        spans.append(Span(0, len(text), place))
    forms = NO_FORMS
    if tests:
        bold = [part if isinstance(part, str) else part.form("bold") for part in parts]
        forms = {"bold": join(*bold, precedence=precedence, place=place)}
    return Expr(text, precedence, tuple(spans), forms=forms, pure=pure, tests=tests)


def impure(expr: Expr) -> Expr:
    """An expression that must be evaluated once."""
    return expr._replace(pure=False)


def infix(
    lhs: Expr, sign: str, rhs: Expr, precedence: Precedence, place: Place | None = None
) -> Expr:
    """`lhs sign rhs`, associating to the left; comparisons do not associate."""
    left = precedence
    if precedence is Precedence.COMPARISON:
        left = Precedence.SUM
    right = Precedence(left + 1) if left is precedence else left
    return join(
        lhs.at_least(left), f" {sign} ", rhs.at_least(right), precedence=precedence, place=place
    )


def call(function: str, arguments: list[Expr], place: Place | None = None) -> Expr:
    """`function(arguments)`"""
    parts: list[str | Expr] = [f"{function}("]
    for position, argument in enumerate(arguments):
        parts += [", ", argument] if position else [argument]
    return join(*parts, ")", place=place)


def choose(then: Expr, condition: Expr, otherwise: Expr, place: Place | None = None) -> Expr:
    """`then if condition else otherwise`"""
    tight = Precedence.OR
    return join(
        then.at_least(tight),
        " if ",
        condition.at_least(tight),
        " else ",
        otherwise.at_least(Precedence.CONDITIONAL),
        precedence=Precedence.CONDITIONAL,
        place=place,
    )
