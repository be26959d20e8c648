"""The element types: how their values lie in buffers, and how the evaluator holds them.

`f16` and `bf16` are held as float32 values that the narrow type can represent, so that an
operation computes in f32 and rounds once. A `bf16` buffer is an array of uint16 bit patterns. All
other types are held as they lie in memory. All NaNs count as one value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import (
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

Value: TypeAlias = Any
"""A NumPy scalar or array. One that belongs to a tile broadcasts to the tile's shape."""

where: Callable[..., Value] = np.where
"""NumPy's own, whose overloads say nothing about a `Value`."""


class Kind(Enum):
    FLOAT = "float"
    INT = "int"
    BOOL = "bool"


def unchanged(value: Value) -> Value:
    return value


@dataclass(frozen=True)
class Element:
    """One element type.

    `round` gives the nearest value of the type for one of its `held` type; it is None where
    every held value is one of the type.
    """

    name: str
    kind: Kind
    memory: np.dtype[Any]
    held: np.dtype[Any]
    round: Callable[[Value], Value] | None = None
    decode: Callable[[Value], Value] = unchanged
    encode: Callable[[Value], Value] = unchanged

    @property
    def smallest(self) -> int:
        """The smallest value of an integer type."""
        return int(np.iinfo(self.held).min)

    @property
    def largest(self) -> int:
        """The largest value of an integer type."""
        return int(np.iinfo(self.held).max)


def round_to_f16(value: Value) -> Value:
    """The nearest f16, ties to even, as a float32."""
    return value.astype(np.float16).astype(np.float32)


def bf16_bits(value: Value) -> Value:
    """The bit patterns of the bf16 values nearest to float32 values, ties to even."""
    bits = np.asarray(value, np.float32).view(np.uint32)
    odd = (bits >> np.uint32(16)) & np.uint32(1)
    rounded = (bits + odd + np.uint32(0x7FFF)) >> np.uint32(16)
    return where(np.isnan(value), np.uint32(0x7FC0), rounded).astype(np.uint16)


def bf16_values(bits: Value) -> Value:
    """The values of bf16 bit patterns, as float32."""
    return (np.asarray(bits).astype(np.uint32) << np.uint32(16)).view(np.float32)[()]


def round_to_bf16(value: Value) -> Value:
    """The nearest bf16, ties to even, as a float32."""
    return bf16_values(bf16_bits(value))


def _plain(name: str, kind: Kind, type: type[np.generic]) -> Element:
    return Element(name, kind, np.dtype(type), np.dtype(type))


F64 = _plain("f64", Kind.FLOAT, np.float64)
F32 = _plain("f32", Kind.FLOAT, np.float32)
F16 = Element(
    "f16",
    Kind.FLOAT,
    np.dtype(np.float16),
    np.dtype(np.float32),
    round_to_f16,
    decode=lambda bits: bits.astype(np.float32),
    encode=lambda value: value.astype(np.float16),
)
BF16 = Element(
    "bf16",
    Kind.FLOAT,
    np.dtype(np.uint16),
    np.dtype(np.float32),
    round_to_bf16,
    decode=bf16_values,
    encode=bf16_bits,
)
BOOL = _plain("i1", Kind.BOOL, np.bool_)

ELEMENTS: dict[Attribute, Element] = {
    f64: F64,
    f32: F32,
    f16: F16,
    bf16: BF16,
    i64: _plain("i64", Kind.INT, np.int64),
    i32: _plain("i32", Kind.INT, np.int32),
    i16: _plain("i16", Kind.INT, np.int16),
    i8: _plain("i8", Kind.INT, np.int8),
    IntegerType(8, Signedness.UNSIGNED): _plain("ui8", Kind.INT, np.uint8),
    i1: BOOL,
}
"""Every element type that a kernel can have."""
