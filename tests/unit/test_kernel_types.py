"""What a kernel makes of the element types of its arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import SCALARS, scalar_name
from patlang_ir.runtime.compiler import Request

NUMBERS = ("f16", "bf16", "f32", "f64", "i8", "i16", "i32", "i64", "u8")
PROMOTED = """
      f16  bf16 f32  f64  i8   i16  i32  i64  u8
f16   f16  f32  f32  f64  f16  f16  f16  f16  f16
bf16  f32  bf16 f32  f64  bf16 bf16 bf16 bf16 bf16
f32   f32  f32  f32  f64  f32  f32  f32  f32  f32
f64   f64  f64  f64  f64  f64  f64  f64  f64  f64
i8    f16  bf16 f32  f64  i8   i16  i32  i64  i16
i16   f16  bf16 f32  f64  i16  i16  i32  i64  i16
i32   f16  bf16 f32  f64  i32  i32  i32  i64  i32
i64   f16  bf16 f32  f64  i64  i64  i64  i64  i64
u8    f16  bf16 f32  f64  i16  i16  i32  i64  u8
"""
ROWS = [line.split() for line in PROMOTED.strip().splitlines()]
SUMS = {(row[0], column): row[1 + i] for row in ROWS[1:] for i, column in enumerate(ROWS[0])}
ARRAYS = {t: np.dtype({"f16": "float16", "f32": "float32", "f64": "float64", "u8": "uint8"}.get(
    t, t.replace("i", "int"))) for t in NUMBERS if t != "bf16"}  # fmt: skip


def kernel(statement: str, params: str = "x, y, out") -> pl.Kernel:
    text = f"# @gpu_kernel\nmake a function called k takes {params}\n  {statement}\nend\n"
    return pl.loads(text)["k"]


def type_of(statement: str, operation: type[Any], **signature: str) -> str:
    """The element type in which a statement computes an operation."""
    found = kernel(statement, ", ".join(signature)).compiler.tile(Request(signature))
    (op,) = (op for op in found.walk() if isinstance(op, operation))
    return scalar_name(tile.element_of(op.operands[0].type))


@pytest.mark.parametrize("left", NUMBERS)
@pytest.mark.parametrize("right", NUMBERS)
def test_two_numbers_meet(left: str, right: str) -> None:
    sums = SUMS[left, right]
    statement = "store(out, offs, x[offs] + y[offs])"
    assert type_of(statement, tile.AddOp, x=left, y=right, out="f64") == sums
    statement = "store(out, offs, select(x[offs] < y[offs], 1, 0))"
    assert type_of(statement, tile.CompareOp, x=left, y=right, out="f64") == sums
    statement = "let a = x[offs] if n > 1 then let a = y[offs] end store(out, offs, -a)"
    assert type_of(statement, tile.NegOp, x=left, y=right, out="f64") == sums


@pytest.mark.parametrize("element", NUMBERS)
def test_a_literal_is_weak(element: str) -> None:
    whole = type_of("store(x, offs, x[offs] * 3)", tile.MulOp, x=element)
    assert whole == element
    fraction = type_of("store(x, offs, x[offs] * 0.5)", tile.MulOp, x=element)
    assert fraction == ("f64" if element[0] in "iu" else element)
    twice = type_of("store(x, offs, 3 * 0.5 - x[offs])", tile.SubOp, x=element)
    assert twice == fraction


@pytest.mark.parametrize("element", NUMBERS)
@pytest.mark.parametrize("scalar", ["i64", "f64"])
def test_a_scalar_is_weak(element: str, scalar: str) -> None:
    found = type_of("store(x, offs, x[offs] * s)", tile.MulOp, x=element, s=scalar)
    assert found == ("f64" if element[0] in "iu" and scalar == "f64" else element)


@pytest.mark.parametrize("element", NUMBERS)
def test_positions_and_sizes_are_i64(element: str) -> None:
    expected = "i64" if element[0] in "iu" else element
    assert type_of("store(x, offs, x[offs] + offs)", tile.AddOp, x=element) == expected
    assert type_of("store(x, offs, x[offs] + n)", tile.AddOp, x=element) == expected


@pytest.mark.parametrize("element", NUMBERS)
def test_quotients_are_floats(element: str) -> None:
    expected = "f64" if element[0] in "iu" else element
    assert type_of("store(x, offs, x[offs] / 3)", tile.DivOp, x=element) == expected
    statement = "store(out, offs, x[offs] / x[offs - 1])"
    assert type_of(statement, tile.DivOp, x=element, out="f32") == expected


def test_sums_are_wide() -> None:
    wide = {"f16": "f32", "bf16": "f32", "f64": "f64", "i8": "i64", "u8": "i64", "i64": "i64"}
    for element, sums in wide.items():
        total, high = "store(out, 0, sum(x[offs]))", "store(out, 0, reduce_max(x[offs]))"
        assert type_of(total, tile.ReduceOp, x=element, out="f64") == sums
        assert type_of(high, tile.ReduceOp, x=element, out="f64") == element


# --- values ---


def some(element: str, n: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    dtype = ARRAYS[element]
    if dtype.kind == "f":
        return rng.normal(0, 40, n).astype(dtype)
    info = np.iinfo(dtype)
    return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)


@pytest.mark.parametrize("left", ARRAYS)
@pytest.mark.parametrize("right", ARRAYS)
def test_arithmetic_of_arrays(left: str, right: str) -> None:
    x, y = some(left, 50, 1), some(right, 50, 2)
    common = ARRAYS[SUMS[left, right]]
    out = np.zeros(50, common)
    with np.errstate(all="ignore"):
        a, b = x.astype(common), y.astype(common)
        kernel("store(out, offs, x[offs] * y[offs] - x[offs])")(x, y, out)
        np.testing.assert_array_equal(out, a * b - a)
        kernel("store(out, offs, max(x[offs], y[offs]) + min(x[offs], y[offs]))")(x, y, out)
        np.testing.assert_array_equal(out, np.maximum(a, b) + np.minimum(a, b))
        flags = np.zeros(50, np.bool_)
        kernel("store(out, offs, x[offs] < y[offs] or x[offs] == y[offs])")(x, y, flags)
        np.testing.assert_array_equal(flags, a <= b)


@pytest.mark.parametrize("source", [*ARRAYS, "bool"])
@pytest.mark.parametrize("target", [*ARRAYS, "bool"])
def test_a_store_converts(source: str, target: str) -> None:
    to = np.dtype(np.bool_) if target == "bool" else ARRAYS[target]
    values: list[float] = [0, 1, 3, 127, 128, 255]
    if source == "bool":
        x = np.array(values, np.bool_)
    elif ARRAYS[source].kind == "f":
        values += [-1, 2.5, -2.5, 300.75, -1e4, np.inf, -np.inf, np.nan]
        x = np.array(values, ARRAYS[source])
    else:
        x = np.array(values).astype(ARRAYS[source])
    out = np.zeros(len(x), to)
    kernel("store(out, offs, x[offs])", "x, out")(x, out)
    with np.errstate(all="ignore"):
        expected = x.astype(to)
    if x.dtype.kind == "f" and to.kind in "iu":
        low, high = np.iinfo(to).min, np.iinfo(to).max
        expected = [0 if np.isnan(v) else int(min(max(v, low), high)) for v in x.tolist()]
    np.testing.assert_array_equal(out, expected)


def test_whole_numbers_stay_exact() -> None:
    big = 2**53 + 1
    x, out = np.array([big, -big]), np.zeros(2, np.int64)
    kernel("store(out, offs, x[offs] * s + 0)", "x, out, s")(x, out, 1)
    assert out.tolist() == [big, -big]
    kernel("store(out, offs, x[offs] * s)", "x, out, s")(x, out, 1.0)
    assert out.tolist() == [2**53, -(2**53)]
    kernel("store(out, offs, s)", "x, out, s")(x, out, big)
    assert out.tolist() == [big, big]
    kernel("store(out, offs, 9007199254740993)", "x, out")(x, out)
    assert out.tolist() == [2**53 + 1] * 2


def test_integers_divide_in_f64() -> None:
    x, y, out = np.array([7, -7, 1, 0]), np.array([2, 2, 3, 0]), np.zeros(4)
    kernel("store(out, offs, x[offs] / y[offs])")(x, y, out)
    np.testing.assert_array_equal(out, [3.5, -3.5, 1 / 3, np.nan])
    small = np.zeros(4, np.float32)
    kernel("store(out, offs, x[offs] / y[offs])")(x, y, small)
    np.testing.assert_array_equal(small, np.float32([3.5, -3.5, 1 / 3, np.nan]))
    whole = np.zeros(4, np.int64)
    kernel("store(out, offs, x[offs] % y[offs])")(x, y, whole)
    assert whole.tolist() == [1, -1, 1, 0]


def test_shifts_of_any_count() -> None:
    x = np.array([1, -8, 5, 5, 5, -5], np.int32)
    y = np.array([31, 1, 32, 1000, -1, 40], np.int32)
    left, right = np.zeros(6, np.int32), np.zeros(6, np.int32)
    kernel("store(out, offs, x[offs] shl y[offs])")(x, y, left)
    kernel("store(out, offs, x[offs] shr y[offs])")(x, y, right)
    assert left.tolist() == [-(2**31), -16, 0, 0, 0, 0]
    assert right.tolist() == [0, -4, 0, 0, 0, -1]


@pytest.mark.parametrize("other", ["f16", "bf16", "f32", "f64", "i32"])
def test_bf16_tensors(other: str) -> None:
    torch = pytest.importorskip("torch")
    types = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
             "f64": torch.float64, "i32": torch.int32}  # fmt: skip
    x = torch.linspace(-300, 300, 31).to(torch.bfloat16)
    y = torch.arange(31).to(types[other])
    common = types[SUMS["bf16", other]]
    out = torch.zeros(31, dtype=common)
    kernel("store(out, offs, x[offs] * y[offs])")(x, y, out)
    wide = torch.float64 if common == torch.float64 else torch.float32
    a, b = (v.to(common).to(wide) for v in (x, y))
    assert torch.equal(out, (a * b).to(common))


def test_every_type_is_here() -> None:
    assert set(NUMBERS) | {"bool"} == set(SCALARS)
