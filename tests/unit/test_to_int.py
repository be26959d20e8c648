"""Floats that become integers inside a kernel, and integers that are compared with wider ones."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError

VALUES = (0.0, -0.0, 0.99, -0.99, 2.5, -2.5, 255.9, -3e9, 3e9, 1e19, -1e19, 9.2e18)
ODD = (math.nan, math.inf, -math.inf)


def run(body: str, x: Any, out: Any, *more: Any, params: str = "x, out") -> list[Any]:
    pl.loads(f"# @gpu_kernel\nmake a function called k takes {params}\n{body}\nend\n")["k"](
        x, out, *more
    )
    return out.tolist()


def whole(value: float) -> int:
    """What Python gives, kept within 64 bits."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 2**63 - 1 if value > 0 else -(2**63)
    return min(max(int(value), -(2**63)), 2**63 - 1)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats_are_cut_off_and_stay_in_range(dtype: Any) -> None:
    with np.errstate(over="ignore"):
        x = np.array(VALUES + ODD).astype(dtype)
    found = run("store(out, offs, to_int(x[offs]))", x, np.zeros(len(x), np.int64))
    assert found == [whole(float(v)) for v in x]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.bool_])
def test_integers_and_truth_values_get_64_bits(dtype: Any) -> None:
    x = np.array([0, 1, 100, 127]).astype(dtype)
    found = run("store(out, offs, to_int(x[offs]) * 100000000000)", x, np.zeros(4, np.int64))
    assert found == [int(v) * 10**11 for v in x]


def test_bits_of_a_float_that_is_whole() -> None:
    x = np.array([6.7, -1.0, 1000.0])
    body = "store(out, offs, (to_int(x[offs]) band 12) shl 2 bxor to_int(2.9))"
    assert run(body, x, np.zeros(3, np.int64)) == [(int(v) & 12) << 2 ^ 2 for v in x]


def test_a_bound_that_was_computed() -> None:
    body = """
let total = 0
let i = 0
while i < to_int(sqrt(x[0])) do
  total = total + x[to_int(x[0]) - i]
  let i = i + 1
end
store(out, offs, total)
"""
    x = np.arange(12.0)[::-1].copy()
    assert run(body, x, np.zeros(12))[0] == sum(x[11 - i] for i in range(3))


def test_without_it_a_float_has_no_bits() -> None:
    with pytest.raises(CompileError) as caught:
        run("store(out, offs, floor(x[offs]) band 1)", np.ones(3), np.zeros(3))
    (found,) = caught.value.diagnostics
    assert found.code == "P305" and "to_int" in found.help


# --- comparisons ---


@pytest.mark.parametrize("last", [5, 255])
def test_a_counter_is_not_wrapped_to_be_compared(last: int) -> None:
    x = np.full(2, last, np.uint8)
    body = "let i = 0\nwhile i <= x[0] do\nlet i = i + 1\nend\nstore(out, offs, i)"
    assert run(body, x, np.zeros(2, np.int64)) == [last + 1] * 2


def test_a_counter_below_zero_is_less_than_an_unsigned_number() -> None:
    x = np.zeros(2, np.uint8)
    body = "let i = 3\nwhile i >= x[0] do\nlet i = i - 1\nend\nstore(out, offs, i)"
    assert run(body, x, np.zeros(2, np.int64)) == [-1, -1]


@pytest.mark.parametrize("s", [-1, 0, 44, 127, 128, 300])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16])
def test_a_single_number_is_not_wrapped_to_be_compared(s: int, dtype: Any) -> None:
    x = np.array([0, 44, 127]).astype(dtype)
    body = "store(out, offs, select(x[offs] < s, 1, 0) + select(x[offs] == s, 2, 0))"
    found = run(body, x, np.zeros(3, np.int64), s, params="x, out, s")
    assert found == [int(v < s) + 2 * int(v == s) for v in x.tolist()]
