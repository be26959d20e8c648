"""Literals of `pat` as Python text."""

from __future__ import annotations

from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import SSAValue

from patlang_ir.backends.python.expression import Expr, Precedence
from patlang_ir.dialects import pat


def quoted(text: str) -> str:
    shown = repr(text)
    return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown


def constant_of(value: SSAValue) -> int | float | None:
    """The number of a literal."""
    if not isinstance(value.owner, pat.ConstantOp):
        return None
    match value.owner.value:
        case IntAttr(data=data):
            return data
        case FloatAttr():
            return value.owner.value.value.data
        case _:
            return None


def literal(op: pat.ConstantOp) -> Expr:
    match op.value:
        case UnitAttr():
            text = "None"
        case IntegerAttr():
            text = str(bool(op.value.value.data))
        case IntAttr(data=data):
            text = str(data)
        case StringAttr(data=data):
            text = quoted(data)
        case _:
            text = _float_literal(op.value.value.data)
    tight = Precedence.SIGN if text.startswith("-") else Precedence.ATOM
    return Expr(text, tight, simple=True)


def _float_literal(value: float) -> str:
    shown = repr(value)
    return shown if shown[-1].isdigit() else f'float("{shown}")'
