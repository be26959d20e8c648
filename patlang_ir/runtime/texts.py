"""How values are written: their text form in a program, and what messages say of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias, TypeGuard

Value: TypeAlias = Any
"""A PatLang value; the type is checked where it is used, as in the language."""

kind_of: Callable[[Value], type[object]] = type


def is_list(value: Value) -> TypeGuard[list[Value]]:
    """Whether a value is a list."""
    return type(value) is list


# --- the text form ---


def text(value: Value) -> str:
    """The text form, as `print` and `+` with a string show it."""
    kind = kind_of(value)
    if kind is str:
        return value
    if kind is int or kind is Fraction:
        return str(value)
    if kind is float:
        return _float_text(value)
    if kind is bool:
        return "true" if value else "false"
    if value is None:
        return ""
    if kind is list:
        return _list_text(value)
    if kind is complex:
        sign = "-" if math.copysign(1, value.imag) < 0 else "+"
        return f"{_float_text(value.real)}{sign}{_float_text(abs(value.imag))}i"
    return "<closure>"


def _float_text(value: float) -> str:
    if value.is_integer():
        return str(int(value))
    if math.isnan(value):
        return "NaN"
    shown = repr(value)
    mantissa, _, exponent = shown.partition("e")
    if not exponent:
        return shown
    sign = "-" if value < 0 else ""
    digits = mantissa.lstrip("-").replace(".", "")
    return f"{sign}0.{'0' * (-int(exponent) - 1)}{digits}"


def _list_text(value: list[Value]) -> str:
    """Written without recursion, since lists may nest deeply."""
    parts: list[str] = ["["]
    work = [iter(value)]
    first = True
    while work:
        for item in work[-1]:
            if not first:
                parts.append(", ")
            if is_list(item):
                parts.append("[")
                work.append(iter(item))
                first = True
                break
            parts.append(text(item))
            first = False
        else:
            work.pop()
            parts.append("]")
            first = False
    return "".join(parts)


# --- messages ---

LONGEST = 60
"""The characters of a value that a message shows."""
MOST = 10
"""The elements of a list that a message shows."""

_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "float",
    Fraction: "rational",
    complex: "complex number",
    str: "string",
    list: "list",
}
_ESCAPES = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def describe(value: Value) -> str:
    """The kind of a value in words, and the value: `the string "a"`."""
    kind = _KINDS.get(kind_of(value))
    if kind is None:
        return "unit" if value is None else "a closure"
    return f"the {kind} {shown(value)}"


def shown(value: Value) -> str:
    """A value in one short line, strings in quotes."""
    written = _written(value, 3)
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 3]}..."


def _written(value: Value, depth: int) -> str:
    if is_list(value):
        return _written_list(value, depth)
    match value:
        case None:
            return "unit"
        case str():
            return f'"{value[:LONGEST].translate(_ESCAPES)}"'
        case int() if value.bit_length() > 1000:
            return f"<{value.bit_length()} bits>"
        case Fraction() if max(map(int.bit_length, value.as_integer_ratio())) > 1000:
            return "<a long fraction>"
        case float() if value.is_integer():
            return f"{text(value)}.0"
        case _:
            return text(value)


def _written_list(items: list[Value], depth: int) -> str:
    if depth == 0:
        return "[...]"
    written = [_written(item, depth - 1) for item in items[:MOST]]
    return f"[{', '.join([*written, '...'] if len(items) > MOST else written)}]"
