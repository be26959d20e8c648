"""The element types by the names that users write: `f32`, `i64`, `u8`, `bool`."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    AnyFloat,
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute

u8 = IntegerType(8, Signedness.UNSIGNED)

SCALARS: dict[str, IntegerType | AnyFloat] = {
    "f16": f16,
    "bf16": bf16,
    "f32": f32,
    "f64": f64,
    "i8": i8,
    "i16": i16,
    "i32": i32,
    "i64": i64,
    "u8": u8,
    "bool": i1,
}
"""Every element type that a buffer can have."""

_NAMES = {type: name for name, type in SCALARS.items()}


def scalar_name(type: Attribute) -> str:
    """The user's name of an element type."""
    return _NAMES[type]  # pyright: ignore[reportArgumentType]


def is_float(type: Attribute) -> bool:
    return isinstance(type, Float16Type | BFloat16Type | Float32Type | Float64Type)


def is_integer(type: Attribute) -> bool:
    """Whether the type is an integer; a truth value is none."""
    return isinstance(type, IntegerType) and type != i1


_RANGES: dict[Attribute, tuple[int, int]] = {
    i8: (-(2**7), 2**7 - 1),
    i16: (-(2**15), 2**15 - 1),
    i32: (-(2**31), 2**31 - 1),
    i64: (-(2**63), 2**63 - 1),
    u8: (0, 2**8 - 1),
}


def integer_range(type: Attribute) -> tuple[int, int]:
    """The smallest and the largest value of an integer type."""
    return _RANGES[type]


_LARGEST: dict[Attribute, float] = {
    f16: 65504.0,
    bf16: 3.3895313892515355e38,
    f32: 3.4028234663852886e38,
    f64: 1.7976931348623157e308,
}


def largest_float(type: Attribute) -> float:
    """The largest finite value of a float type."""
    return _LARGEST[type]
