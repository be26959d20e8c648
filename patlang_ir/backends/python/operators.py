"""How an operation of `pat` is written in Python: with Python's own operator where the kinds of its
operands prove that it means the same, else with the function of `runtime.values`."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from patlang_ir.backends.python.expression import Expr, Precedence, call, choose, infix, join
from patlang_ir.diagnostics import Place
from patlang_ir.dialects.pat import BinaryKind, UnaryKind
from patlang_ir.runtime.host_kinds import (
    BOOL,
    CLOSURE,
    FLOAT,
    INTS,
    LIST,
    NAT,
    NUMBERS,
    PLAIN,
    RATIONAL,
    REALS,
    STRINGS,
    UNIT,
    Kinds,
    only,
)

_SIGNS: dict[BinaryKind, tuple[str, Precedence]] = {
    BinaryKind.ADD: ("+", Precedence.SUM),
    BinaryKind.SUB: ("-", Precedence.SUM),
    BinaryKind.MUL: ("*", Precedence.PRODUCT),
    BinaryKind.DIV: ("/", Precedence.PRODUCT),
    BinaryKind.REM: ("%", Precedence.PRODUCT),
    BinaryKind.EQ: ("==", Precedence.COMPARISON),
    BinaryKind.NE: ("!=", Precedence.COMPARISON),
    BinaryKind.LT: ("<", Precedence.COMPARISON),
    BinaryKind.LE: ("<=", Precedence.COMPARISON),
    BinaryKind.GT: (">", Precedence.COMPARISON),
    BinaryKind.GE: (">=", Precedence.COMPARISON),
}


@dataclass(frozen=True)
class Operand:
    """An operand: how it is written, what it may be, and its value if it is a literal number."""

    expr: Expr
    kinds: Kinds
    constant: float | None = None

    def is_only(self, kinds: Kinds) -> bool:
        return only(self.kinds, kinds)

    def number(self, kinds: Kinds) -> Operand | None:
        """The operand where unit counts as 0, if it is then one of `kinds` for certain."""
        if self.is_only(kinds):
            return self
        if not self.is_only(kinds | UNIT):
            return None
        kinds = self.kinds & ~UNIT | NAT
        if "number" in self.expr.forms:
            return Operand(self.expr.forms["number"], kinds)
        if self.expr.simple:
            return Operand(choose(Expr("0"), Expr(f"{self.expr.text} is None"), self.expr), kinds)
        return None


def _direct(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    sign, precedence = _SIGNS[kind]
    return infix(a.expr, sign, b.expr, precedence, place)


def _helper(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    return call(f"rt.{kind}", [a.expr, b.expr], place)


def _arithmetic(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    """`+`, `-`, `*`"""
    x, y = a.number(PLAIN), b.number(PLAIN)
    if x is not None and y is not None:
        result = _direct(kind, x, y, place)
        if not x.expr.simple:
            return result
        return result._replace(update=(x.expr.text, _SIGNS[kind][0], y.expr))
    if kind is BinaryKind.ADD and (a.is_only(STRINGS) or b.is_only(STRINGS)):
        joined = infix(_shown(a), "+", _shown(b), Precedence.SUM, place)
        return joined._replace(update=_longer(a, b))
    return _helper(kind, a, b, place)


def _longer(a: Operand, b: Operand) -> tuple[str, str, Expr] | None:
    """`s + x + y` makes `s` longer by `x + y`: Python can do that in place."""
    if not a.is_only(STRINGS):
        return None
    if a.expr.simple:
        return a.expr.text, "+", _shown(b)
    if a.expr.update is None:
        return None
    variable, sign, added = a.expr.update
    return variable, sign, infix(added, "+", _shown(b), Precedence.SUM)


def _shown(operand: Operand) -> Expr:
    """The text form of an operand."""
    if operand.is_only(STRINGS):
        return operand.expr
    return call("str" if operand.is_only(INTS) else "rt.text", [operand.expr])


def _division(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    x, y = a.number(PLAIN), b.number(PLAIN)
    if x is None or y is None:
        return _helper(kind, a, b, place)
    if y.is_only(INTS):
        if x.is_only(FLOAT):
            return _direct(kind, x, y, place)
        return _exact_division(x, y, place) if x.is_only(INTS) else _helper(kind, a, b, place)
    if not x.is_only(FLOAT) and not y.is_only(FLOAT):
        return _helper(kind, a, b, place)
    if y.constant:
        return _direct(kind, x, y, place)
    if y.is_only(FLOAT) and y.expr.simple and x.expr.simple and y.constant is None:
        return choose(_direct(kind, x, y, place), y.expr, _helper(kind, x, y, place))
    return _helper(kind, a, b, place)


def _exact_division(a: Operand, b: Operand, place: Place | None) -> Expr:
    """`a / b` of integers, which Python can only do if it is rounded afterwards."""
    result = _helper(BinaryKind.DIV, a, b, place)
    quotient = infix(a.expr, "//", b.expr, Precedence.PRODUCT, place)
    result = result.with_forms(floor=quotient)
    return result.with_forms(trunc=quotient) if a.is_only(NAT) and b.is_only(NAT) else result


def _remainder(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    if a.is_only(NAT) and b.is_only(NAT):
        return _direct(kind, a, b, place)
    if a.is_only(INTS) and a.expr.simple and b.is_only(NAT) and b.expr.simple:
        direct = _direct(kind, a, b, place)
        mirrored = infix(Expr(f"-{a.expr.text}"), "%", b.expr, Precedence.PRODUCT, place)
        return choose(direct, Expr(f"{a.expr.text} >= 0"), join("-(", mirrored, ")"))
    return _helper(kind, a, b, place)


def _ordering(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    """Comparing a float with another kind stops the program if the float is NaN."""
    for kinds in (FLOAT, INTS | RATIONAL, STRINGS):
        if a.is_only(kinds) and b.is_only(kinds):
            return _direct(kind, a, b, place)
    for one, other in ((a, b), (b, a)):
        if not other.is_only(REALS):
            continue
        if one.is_only(FLOAT) and one.constant is not None and not math.isnan(one.constant):
            return _direct(kind, a, b, place)
        if one.is_only(FLOAT) and other.is_only(INTS) and one.expr.simple and other.expr.simple:
            proper = Expr(f"{one.expr.text} == {one.expr.text}", Precedence.COMPARISON)
            return choose(_direct(kind, a, b, place), proper, _helper(kind, a, b, place))
    return _helper(kind, a, b, place)


def _equality(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    if a.kinds & LIST and b.kinds & LIST:
        return _helper(kind, a, b, place)
    for one, other in ((a, b), (b, a)):
        if one.kinds & BOOL and other.kinds & (NUMBERS | CLOSURE):
            return _helper(kind, a, b, place)
    return _direct(kind, a, b, place)


_WRITERS: dict[BinaryKind, Callable[[BinaryKind, Operand, Operand, Place | None], Expr]] = {
    BinaryKind.ADD: _arithmetic,
    BinaryKind.SUB: _arithmetic,
    BinaryKind.MUL: _arithmetic,
    BinaryKind.DIV: _division,
    BinaryKind.REM: _remainder,
    BinaryKind.EQ: _equality,
    BinaryKind.NE: _equality,
    BinaryKind.LT: _ordering,
    BinaryKind.LE: _ordering,
    BinaryKind.GT: _ordering,
    BinaryKind.GE: _ordering,
}


def binary(kind: BinaryKind, a: Operand, b: Operand, place: Place | None) -> Expr:
    """An operation on two values."""
    return _WRITERS.get(kind, _helper)(kind, a, b, place)


def unary(kind: UnaryKind, a: Operand, place: Place | None) -> Expr:
    """`-x`, `not x`, `bnot x`."""
    if kind is UnaryKind.NOT:
        return join(
            "not ", a.expr.form("truth").at_least(Precedence.NOT), precedence=Precedence.NOT
        )
    if kind is UnaryKind.NEG and a.is_only(REALS):
        return join("-", a.expr.at_least(Precedence.SIGN), precedence=Precedence.SIGN)
    return call(f"rt.{kind}", [a.expr], place)


def index(
    base: Operand, at: Operand, inside: bool, temporary: Callable[[], str], place: Place | None
) -> Expr:
    """`base[at]`; a list is asked only inside its bounds, which may be proved before."""
    if inside:
        return join(base.expr.at_least(Precedence.ATOM), "[", at.expr, "]")
    if base.is_only(STRINGS) and at.is_only(NAT) and at.expr.simple:
        end = f"{int(at.constant) + 1}" if at.constant is not None else f"{at.expr.text} + 1"
        return join(base.expr.at_least(Precedence.ATOM), f"[{at.expr.text} : {end}]")
    if not (base.is_only(LIST) and base.expr.simple and at.is_only(INTS)):
        return call("rt.index", [base.expr, at.expr], place)
    tested = position = at.expr
    if not at.expr.simple:
        position = Expr(temporary())
        tested = join("(", position, " := ", at.expr, ")")
    size = Expr(f"len({base.expr.text})")
    test = infix(tested, "<", size, Precedence.COMPARISON)
    if at.constant == 0:
        test = base.expr
    if not at.is_only(NAT):
        test = join("0 <= ", test, precedence=Precedence.COMPARISON)
    element = join(base.expr, "[", position, "]")
    number = choose(element, test, Expr("0"))
    result = choose(element, test, Expr("None"))
    if at.is_only(NAT):
        bold = join(base.expr, "[", at.expr.form("bold"), "]")
        work = at.expr.tests + (1 if at.expr.simple else 2)
        number, result = (e._replace(forms={"bold": bold}, tests=work) for e in (number, result))
    return result.with_forms(number=number)
