"""Checks of arguments that host functions share."""

from __future__ import annotations

from fractions import Fraction

from patlang_ir.runtime.values import Fault, Value, describe, is_list, to_float, whole_index


def wrong(name: str, position: int, wanted: str, value: Value) -> Fault:
    """The fault of an argument of the wrong kind; `position` counts from 1."""
    return Fault("P603", f"{name}: argument {position} must be {wanted}, not {describe(value)}")


def real(name: str, position: int, value: Value) -> int | float | Fraction:
    """A real number; unit counts as 0."""
    if value is None:
        return 0
    if type(value) in (int, float, Fraction):
        return value
    raise wrong(name, position, "a real number", value)


def real_float(name: str, position: int, value: Value) -> float:
    """A real number as a float."""
    return value if type(value) is float else to_float(real(name, position, value))


def whole(name: str, position: int, value: Value) -> int:
    """A whole number; a fraction is cut off, unit counts as 0."""
    if type(value) is int:
        return value
    number = real(name, position, value)
    if type(number) is float and number - number != 0.0:
        raise wrong(name, position, "a finite number", value)
    return int(number)


def string(name: str, position: int, value: Value) -> str:
    """A string."""
    if type(value) is str:
        return value
    raise wrong(name, position, "a string", value)


def list_or_unit(name: str, position: int, value: Value) -> list[Value]:
    """A list; unit counts as an empty one."""
    if is_list(value):
        return value
    if value is None:
        return []
    raise wrong(name, position, "a list", value)


def position_in(name: str, at: Value, size: int) -> int:
    """A position to write to, which must be inside."""
    found = at if type(at) is int else whole_index(at)
    if not 0 <= found < size:
        inside = f"0 to {size - 1}" if size else "an empty list"
        raise Fault("P603", f"{name}: index {found} is outside {inside}")
    return found
