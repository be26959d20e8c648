"""Host functions that plain Python says better, where the kinds of the arguments allow it."""

from __future__ import annotations

from collections.abc import Callable

from patlang_ir.backends.python.expression import Expr, Precedence, call, join
from patlang_ir.backends.python.operators import Operand
from patlang_ir.diagnostics import Place
from patlang_ir.runtime.host_kinds import BOOL, FLOAT, INTS, LIST, NAT, NUMBERS, NUMERAL, STRINGS
from patlang_ir.stdlib.registry import HOST_FUNCTIONS


def _to_num(x: Operand) -> Expr | None:
    if "whole" in x.expr.forms:
        return x.expr.forms["whole"]
    if x.is_only(NUMBERS):
        return x.expr._replace(update=None)
    return call("int", [x.expr]) if x.is_only(BOOL) or x.is_only(NUMERAL) else None


def _list_len(xs: Operand) -> Expr | None:
    if not xs.is_only(LIST):
        return None
    size = call("len", [xs.expr])
    return call("str", [size]).with_forms(whole=size)


def _list_push(xs: Operand, item: Operand) -> Expr | None:
    return join("[*", xs.expr, ", ", item.expr, "]") if xs.is_only(LIST) else None


def _absolute(x: Operand) -> Expr | None:
    return call("abs", [x.expr]) if x.is_only(INTS | FLOAT) else None


def _floor(x: Operand) -> Expr | None:
    return x.expr if x.is_only(INTS) else x.expr.forms.get("floor")


def _trunc(x: Operand) -> Expr | None:
    return x.expr if x.is_only(INTS) else x.expr.forms.get("trunc")


def _substr(s: Operand, start: Operand, count: Operand) -> Expr | None:
    if not (s.is_only(STRINGS) and start.is_only(NAT) and count.is_only(NAT)):
        return None
    if not start.expr.simple or not count.expr.simple:
        return None
    text = s.expr.at_least(Precedence.ATOM)
    if isinstance(start.constant, int) and isinstance(count.constant, int):
        return join(text, f"[{start.constant} : {start.constant + count.constant}]")
    return join(text, f"[{start.expr.text} : {start.expr.text} + {count.expr.text}]")


_DIRECT: dict[str, Callable[..., Expr | None]] = {
    "to_num": _to_num,
    "list_len": _list_len,
    "list_push": _list_push,
    "abs": _absolute,
    "floor": _floor,
    "trunc": _trunc,
    "substr": _substr,
}


def host_call(name: str, arguments: list[Operand], place: Place | None) -> Expr:
    """A call of a host function."""
    least, most = HOST_FUNCTIONS[name].arity
    if name in _DIRECT and least == most == len(arguments):
        direct = _DIRECT[name](*arguments)
        if direct is not None:
            return direct
    written = [argument.expr for argument in arguments]
    return call(f"host.{HOST_FUNCTIONS[name].python_name}", written, place)
