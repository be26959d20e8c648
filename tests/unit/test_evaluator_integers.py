"""Integer and truth-value operations against Python's integers."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from evaluator_kernels import MEMORY, run_op
from evaluator_reference import wrap

Array = np.ndarray[Any, Any]
WIDTHS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "ui8": 8}


def limits(type: str) -> tuple[int, int]:
    info = np.iinfo(MEMORY[type])
    return int(info.min), int(info.max)


def pairs(type: str) -> tuple[Array, Array]:
    """Every pair of an 8-bit type; ends, small values and random ones of the others."""
    low, high = limits(type)
    if WIDTHS[type] == 8:
        all_values = np.arange(low, high + 1)
        a, b = np.meshgrid(all_values, all_values)
        return a.ravel().astype(MEMORY[type]), b.ravel().astype(MEMORY[type])
    random = np.random.default_rng(WIDTHS[type])
    edges = np.array([low, low + 1, high, high - 1, 0, 1, -1, 2, -2, 7, -7, 31, 32, 63, 64, 65])
    pool = np.concatenate([edges, edges, random.integers(low, high, 40, endpoint=True)])
    a, b = np.meshgrid(pool, pool)
    return a.ravel().astype(MEMORY[type]), b.ravel().astype(MEMORY[type])


def quotient(a: int, b: int) -> int:
    if b == 0:
        return 0
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return 0 if b == 0 else a - b * quotient(a, b)


BINARY: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "quotient": quotient,
    "rem": remainder,
    "max": max,
    "min": min,
    "band": lambda a, b: a & b,
    "bor": lambda a, b: a | b,
    "bxor": lambda a, b: a ^ b,
}
UNARY: dict[str, Callable[[int], int]] = {
    "neg": lambda a: -a,
    "bnot": lambda a: ~a,
    "abs": abs,
    **dict.fromkeys(("floor", "ceil", "trunc", "round"), lambda a: a),
}

types = pytest.mark.parametrize("type", WIDTHS)


def wrapped(values: list[int], type: str) -> list[int]:
    return [wrap(value, WIDTHS[type], signed=type != "ui8") for value in values]


@types
@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str, type: str) -> None:
    a, b = pairs(type)
    got = run_op(f"tile.{op}", [a, b], [type, type], type)
    want = [BINARY[op](x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert got.tolist() == wrapped(want, type)


@types
@pytest.mark.parametrize("op", ["shl", "shr"])
def test_shift(op: str, type: str) -> None:
    """By the width or more, and by a negative count: 0, or the sign to the right."""
    a, b = pairs(type)
    width = WIDTHS[type]

    def shift(x: int, count: int) -> int:
        count = count if 0 <= count < width else width
        return x << count if op == "shl" else x >> count

    want = [shift(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert run_op(f"tile.{op}", [a, b], [type, type], type).tolist() == wrapped(want, type)


@types
@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str, type: str) -> None:
    a, _ = pairs(type)
    got = run_op(f"tile.{op}", [a], [type], type)
    assert got.tolist() == wrapped([UNARY[op](x) for x in a.tolist()], type)


@types
def test_fma_wraps(type: str) -> None:
    a, b = pairs(type)
    got = run_op("tile.fma", [a, b, a], [type] * 3, type)
    want = [x * y + x for x, y in zip(a.tolist(), b.tolist(), strict=True)]
    assert got.tolist() == wrapped(want, type)


@types
@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        ("eq", lambda a, b: a == b),
        ("ne", lambda a, b: a != b),
        ("lt", lambda a, b: a < b),
        ("le", lambda a, b: a <= b),
        ("gt", lambda a, b: a > b),
        ("ge", lambda a, b: a >= b),
    ],
)
def test_compare(predicate: str, holds: Callable[[int, int], bool], type: str) -> None:
    a, b = pairs(type)
    signature = f"{{{type}}} -> {{i1}}"
    got = run_op(f"tile.compare {predicate}", [a, b], [type, type], "i1", signature)
    assert got.tolist() == [holds(x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


TRUTH: dict[str, Callable[[bool, bool], bool]] = {
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "band": lambda a, b: a and b,
    "bor": lambda a, b: a or b,
    "bxor": lambda a, b: a != b,
    "max": max,
    "min": min,
}


@pytest.mark.parametrize("op", TRUTH)
def test_truth_values(op: str) -> None:
    a, b = np.array([False, False, True, True]), np.array([False, True, False, True])
    got = run_op(f"tile.{op}", [a, b], ["i1", "i1"], "i1")
    assert got.tolist() == [TRUTH[op](x, y) for x, y in zip(a.tolist(), b.tolist(), strict=True)]


@pytest.mark.parametrize("op", ["not", "bnot"])
def test_negated_truth_values(op: str) -> None:
    assert run_op(f"tile.{op}", [np.array([False, True])], ["i1"], "i1").tolist() == [True, False]


@types
def test_truth_and_select(type: str) -> None:
    a, b = pairs(type)
    truth = run_op("tile.truth", [a], [type], "i1", f"{{{type}}} -> {{i1}}")
    assert truth.tolist() == [x != 0 for x in a.tolist()]
    got = run_op("tile.select", [truth, a, b], ["i1", type, type], type, f"{{i1}}, {{{type}}}")
    assert got.tolist() == [x or y for x, y in zip(a.tolist(), b.tolist(), strict=True)]


def test_quotient_of_the_reference() -> None:
    """The reference itself, by another way of truncating."""
    for a in range(-20, 21):
        for b in (-7, -3, -1, 1, 3, 7):
            assert quotient(a, b) == math.trunc(a / b)
            assert remainder(a, b) == math.fmod(a, b)
