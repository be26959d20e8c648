"""The assembly format of literal values, shared by the dialects: `3`, `2.5`, `true`, `"text"`."""

from __future__ import annotations

from math import isnan
from typing import TypeAlias

from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntAttr, StringAttr, f64
from xdsl.parser import AttrParser
from xdsl.printer import Printer

Number: TypeAlias = IntAttr | FloatAttr | BoolAttr
"""A PatLang number or truth value: an integer of any size, a double, or a boolean."""


def number(value: bool | int | float) -> Number:
    """The attribute of a Python number; `bool` is a truth value, not an integer."""
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntAttr(value)
        case float():
            return FloatAttr(value, f64)


def python_number(value: Number) -> bool | int | float:
    """The Python number of an attribute."""
    match value:
        case IntAttr():
            return value.data
        case FloatAttr():
            return value.value.data
        case _:
            return bool(value.value.data)


def parse_literal(parser: AttrParser) -> Number | StringAttr:
    """Read a number, a truth value or a string in quotes. `nan` and `inf` are words here."""
    text = parser.parse_optional_str_literal()
    if text is not None:
        return StringAttr(text)
    for word, value in SPECIAL.items():
        if parser.parse_optional_keyword(word) is not None:
            return number(value)
    return number(parser.parse_number())


SPECIAL: dict[str, bool | float] = {
    "true": True,
    "false": False,
    "nan": float("nan"),
    "inf": float("inf"),
    "neg_inf": float("-inf"),
}


def print_literal(printer: Printer, value: Number | StringAttr) -> None:
    """Write a literal so that `parse_literal` reads the same one."""
    match value:
        case StringAttr():
            printer.print_string_literal(value.data)
        case IntAttr():
            printer.print_string(str(value.data))
        case FloatAttr():
            printer.print_string(_float_text(value.value.data))
        case _:
            printer.print_string("true" if value.value.data else "false")


def _float_text(value: float) -> str:
    if isnan(value):
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "neg_inf"
    text = repr(value)
    mantissa, e, exponent = text.partition("e")
    return f"{mantissa}.0e{exponent}" if e and "." not in mantissa else text
