"""Conversions between all element types, against exact arithmetic."""

from __future__ import annotations

import math
import struct
from typing import Any

import evaluator_reference as exact
import numpy as np
import pytest
from evaluator_kernels import MEMORY, run_op, same_bits
from evaluator_reference import FORMATS, Format, saturate, wrap
from hypothesis import given, settings
from hypothesis import strategies as st

Array = np.ndarray[Any, Any]
INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "ui8": 8}


def float_bits(format: Format, seed: int) -> list[int]:
    """Special patterns, random ones, and numbers around the ends of the integer types."""
    random = np.random.default_rng(seed)
    ends = [
        sign * (2.0**p + d)
        for sign in (1, -1)
        for p in (7, 8, 15, 31, 63)
        for d in (-1, -0.5, 0, 1)
    ]
    nans = [format.infinity + 1, format.nan, format.sign - 1]
    special = [0, 1, format.infinity - 1, format.infinity, *nans]
    return [
        *special,
        *(bits | format.sign for bits in special),
        *(format.of(value) for value in ends),
        *(format.of(float(v)) for v in random.normal(0, 100, 300)),
        *map(int, random.integers(0, 1 << format.width, 700, dtype=np.uint64)),
    ]


def buffer(type: str, values: list[Any]) -> Array:
    if type in FORMATS:
        words = np.array(values, f"u{FORMATS[type].width // 8}")
        return words if type == "bf16" else words.view(MEMORY[type])
    return np.array(values, MEMORY[type])


def integers(type: str) -> list[int]:
    random = np.random.default_rng(9)
    info = np.iinfo(MEMORY[type])
    low, high = int(info.min), int(info.max)
    random_values = random.integers(low, high, 600, dtype=np.int64, endpoint=True)
    shifts = random.integers(0, INTEGERS[type] - 1, 600)
    return [
        low,
        high,
        0,
        1,
        low + 1,
        high - 1,
        *(int(v) >> int(s) for v, s in zip(random_values, shifts, strict=True)),
    ]


def cast(type: str, target: str, values: list[Any]) -> Array:
    return run_op(
        "tile.cast", [buffer(type, values)], [type], target, f"{{{type}}} -> {{{target}}}"
    )


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", FORMATS)
def test_float_to_float(source: str, target: str) -> None:
    bits = float_bits(FORMATS[source], 1)
    want = buffer(target, [FORMATS[target].of(FORMATS[source].value(b)) for b in bits])
    assert same_bits(cast(source, target, bits), want, target)


@pytest.mark.parametrize("target", ["f16", "bf16", "f32"])
def test_double_rounds_once_near_ties(target: str) -> None:
    """Doubles a little above, below and at the middle of two narrow values."""
    narrow = FORMATS[target]
    random = np.random.default_rng(2)
    bits: list[int] = []
    for pattern in map(int, random.integers(0, narrow.infinity - 1, 400)):
        middle = (narrow.value(pattern) + narrow.value(pattern + 1)) / 2
        center = exact.F64.of(middle)
        bits += [center - 1, center, center + 1, center | exact.F64.sign]
    want = buffer(target, [narrow.of(exact.F64.value(b)) for b in bits])
    assert same_bits(cast("f64", target, bits), want, target)


@pytest.mark.parametrize("source", FORMATS)
@pytest.mark.parametrize("target", INTEGERS)
def test_float_to_integer_saturates(source: str, target: str) -> None:
    bits = float_bits(FORMATS[source], 3)
    info = np.iinfo(MEMORY[target])
    want = [saturate(FORMATS[source].value(b), int(info.min), int(info.max)) for b in bits]
    assert cast(source, target, bits).tolist() == want


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", FORMATS)
def test_integer_to_float_rounds_once(source: str, target: str) -> None:
    values = integers(source)
    if source == "i64":
        values += [
            s * ((1 << p) + (1 << q) + d)
            for s in (1, -1)
            for p in (45, 60, 62)
            for q in (p - 8, p - 24, p - 53, p - 11)
            if q >= 0
            for d in (-1, 0, 1)
        ]
    format = FORMATS[target]
    want = buffer(target, [format.nearest(exact.Fraction(v)) for v in values])
    assert same_bits(cast(source, target, values), want, target)


@pytest.mark.parametrize("source", INTEGERS)
@pytest.mark.parametrize("target", INTEGERS)
def test_integer_to_integer_wraps(source: str, target: str) -> None:
    values = integers(source)
    want = [wrap(v, INTEGERS[target], signed=target != "ui8") for v in values]
    assert cast(source, target, values).tolist() == want


@pytest.mark.parametrize("target", [*FORMATS, *INTEGERS, "i1"])
def test_truth_values_are_0_and_1(target: str) -> None:
    got = cast("i1", target, [False, True])
    want = buffer(target, [0, FORMATS[target].of(1.0)] if target in FORMATS else [0, 1])
    assert np.array_equal(got, want)


@pytest.mark.parametrize("source", [*FORMATS, *INTEGERS])
def test_all_but_0_is_true(source: str) -> None:
    if source in FORMATS:
        format = FORMATS[source]
        bits = float_bits(format, 4)
        assert cast(source, "i1", bits).tolist() == [format.value(b) != 0 for b in bits]
        return
    values = integers(source)
    assert cast(source, "i1", values).tolist() == [v != 0 for v in values]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(width=64), min_size=1, max_size=30))
def test_half_precision_agrees_with_struct(values: list[float]) -> None:
    """The reference has the same opinion as Python's own packing."""
    bits = [exact.F64.of(v) for v in values]
    got = cast("f64", "f16", bits).view(np.uint16)
    for value, word in zip(values, got.tolist(), strict=True):
        try:
            want = struct.unpack("<H", struct.pack("<e", value))[0]
        except OverflowError:
            want = exact.F16.special(np.copysign(np.inf, value))
        assert word == want or (math.isnan(value) and word & 0x7FFF > 0x7C00)
