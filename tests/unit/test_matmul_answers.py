"""Products of matrices called from Python: right for every shape, type and layout, and nothing else
is touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import patlang_ir as pl
from patlang_ir.backends.numpy.elements import bf16_bits, bf16_values
from patlang_ir.backends.numpy.products import round_to_tf32
from patlang_ir.runtime.kernel import Kernel

Array: TypeAlias = NDArray[Any]
FOLDER = Path(pl.__file__).parent / "stdlib"
TEXT = (FOLDER / "matmul.patlang").read_text(encoding="utf-8")
EDGES = (127, 128, 129)
GUARD = 33


@pytest.fixture(scope="module")
def matmul() -> Kernel:
    return pl.loads(TEXT)["matmul"]


def whole(rng: np.random.Generator, *shape: int, dtype: Any = np.float32) -> Array:
    return rng.integers(-6, 7, shape).astype(dtype)


class Guarded:
    """A matrix inside a larger array, whose other elements must stay as they are."""

    def __init__(self, values: Array, *, transposed: bool = False, step: int = 1):
        shape = values.shape[::-1] if transposed else values.shape
        self.outer = np.full((shape[0] + 2 * GUARD, step * shape[1] + 2 * GUARD), 99, values.dtype)
        view = self.outer[GUARD : GUARD + shape[0], GUARD : GUARD + step * shape[1] : step]
        self.view = view.T if transposed else view
        self.view[...] = values
        self.inside = np.zeros(self.outer.shape, bool)
        inner = self.inside[GUARD : GUARD + shape[0], GUARD : GUARD + step * shape[1] : step]
        inner[...] = True
        self.before = self.outer.copy()

    def is_untouched(self) -> bool:
        kept = self.outer[~self.inside], self.before[~self.inside]
        return bool(np.array_equal(*kept))


SHAPES = [
    (2, 2, 3), (37, 41, 29), (1, 1, 1), (1, 17, 40), (40, 1, 17), (1, 1, 100), (5, 6, 0), (0, 4, 3),
    (3, 0, 2), (100_000, 2, 3), (2, 100_000, 3), (3, 2, 100_000),
    *((m, 16, 16) for m in EDGES), *((16, n, 16) for n in EDGES), *((16, 16, k) for k in EDGES),
    (127, 129, 128),
]  # fmt: skip


@pytest.mark.parametrize("m, n, k", SHAPES)
def test_shapes(matmul: Kernel, m: int, n: int, k: int):
    rng = np.random.default_rng(m + 3 * n + 7 * k)
    a, b = Guarded(whole(rng, m, k)), Guarded(whole(rng, k, n))
    c = Guarded(np.full((m, n), np.nan, np.float32))
    matmul(a.view, b.view, c.view)
    expected = a.view.astype(np.float64) @ b.view.astype(np.float64)
    np.testing.assert_array_equal(c.view, expected)
    assert a.is_untouched() and b.is_untouched() and c.is_untouched()
    flat = np.full(m * n, np.nan, np.float32)
    if m and n and k:
        matmul(a.view.ravel(), b.view.copy().ravel(), flat)
        np.testing.assert_array_equal(flat.reshape(m, n), expected)


@pytest.mark.parametrize("step", [1, 3])
@pytest.mark.parametrize("transposed", range(8))
def test_layouts(matmul: Kernel, transposed: int, step: int):
    rng = np.random.default_rng(transposed)
    values = (whole(rng, 37, 29), whole(rng, 29, 41), np.full((37, 41), np.nan, np.float32))
    a, b, c = (
        Guarded(value, transposed=bool(transposed >> i & 1), step=step)
        for i, value in enumerate(values)
    )
    matmul(a.view, b.view, c.view)
    np.testing.assert_array_equal(c.view, values[0].astype(np.float64) @ values[1])
    assert a.is_untouched() and b.is_untouched() and c.is_untouched()
    assert np.array_equal(a.view, values[0]) and np.array_equal(b.view, values[1])


def test_rows_and_columns_from_behind(matmul: Kernel):
    rng = np.random.default_rng(5)
    a, b, c = whole(rng, 7, 8), whole(rng, 8, 9), np.zeros((7, 9), np.float32)
    matmul(a[::-1], b[:, ::-1], c[::-1, ::-1])
    np.testing.assert_array_equal(c[::-1, ::-1], a[::-1] @ b[:, ::-1])


TYPES: dict[str, type[np.generic]] = {
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
}


@pytest.mark.parametrize("out", ["f16", "f32", "f64", "i8", "i32"])
@pytest.mark.parametrize("factor", TYPES)
def test_types(matmul: Kernel, factor: str, out: str):
    """The sum is taken in f32, f64 or i32, and rounded once when it is stored."""
    rng = np.random.default_rng(7)
    dtype = {**TYPES, "i32": np.int32}[out]
    a, b = whole(rng, 21, 19, dtype=TYPES[factor]), whole(rng, 19, 23, dtype=TYPES[factor])
    c = np.zeros((21, 23), dtype)
    matmul(a, b, c)
    expected = a.astype(np.float64) @ b.astype(np.float64)
    if out == "i8":
        low = np.clip(expected, -128, 127)
        expected = low if factor != "i8" else expected.astype(np.int64).astype(np.int8)
    np.testing.assert_array_equal(c, expected.astype(dtype))


@pytest.mark.parametrize("factor, bound", [("f16", 2e-7), ("f32", 2e-7), ("f64", 1e-15)])
def test_random_numbers(matmul: Kernel, factor: str, bound: float):
    rng = np.random.default_rng(3)
    a, b = (rng.normal(size=shape).astype(TYPES[factor]) for shape in ((65, 300), (300, 33)))
    c: Array = np.zeros((65, 33), np.float32 if factor == "f16" else TYPES[factor])
    matmul(a, b, c)
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    scale = np.abs(a).astype(np.longdouble) @ np.abs(b).astype(np.longdouble)
    assert float(np.max(np.abs(c - exact) / scale)) < bound


def test_two_types_are_promoted(matmul: Kernel):
    a, b = np.full((2, 3), 0.1, np.float16), np.full((3, 2), 0.1, np.float64)
    c = np.zeros((2, 2))
    matmul(a, b, c)
    np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-15)


def test_bf16_and_tensors(matmul: Kernel):
    rng = np.random.default_rng(2)
    a, b = (torch.tensor(rng.normal(size=s)).bfloat16() for s in ((17, 40), (40, 9)))
    c = torch.full((9, 17), float("nan"), dtype=torch.bfloat16).T
    matmul(a, b, c)
    expected = bf16_values(bf16_bits((a.double() @ b.double()).numpy().astype(np.float32)))
    np.testing.assert_array_equal(c.float().numpy(), expected)
    transposed = torch.zeros(17, 9)
    matmul(a, b.T.contiguous().T, transposed)
    np.testing.assert_allclose(transposed.numpy(), (a.double() @ b.double()).numpy(), rtol=1e-5)


def test_i8_wraps_at_32_bits(matmul: Kernel):
    k = 140_000
    a, b = np.full((1, k), -128, np.int8), np.full((k, 1), -128, np.int8)
    c = np.zeros((1, 1), np.int64)
    matmul(a, b, c)
    assert c.item() == (128 * 128 * k + 2**31) % 2**32 - 2**31


def test_precision():
    rng = np.random.default_rng(4)
    a, b = (rng.normal(size=s).astype(np.float32) for s in ((33, 64), (64, 17)))
    exact = a.astype(np.float64) @ b.astype(np.float64)
    worst: dict[str, float] = {}
    for precision in ("ieee", "tf32", "tf32x3"):
        text = TEXT.replace("# @gpu_kernel_matmul", f"# @gpu_kernel_matmul(precision={precision})")
        c = np.zeros((33, 17), np.float32)
        pl.loads(text)["matmul"](a, b, c)
        worst[precision] = float(np.max(np.abs(c - exact)))
        if precision == "tf32":
            short = round_to_tf32(a).astype(np.float64) @ round_to_tf32(b).astype(np.float64)
            np.testing.assert_allclose(c, short, rtol=1e-6, atol=1e-6)
    assert worst["ieee"] < 2e-6 and worst["tf32x3"] < 1e-5 and 1e-4 < worst["tf32"] < 5e-2


def test_rounding_to_tf32_keeps_ten_bits_of_fraction():
    one = np.float32(1)
    ulp = np.float32(2.0**-10)
    given = np.array(
        [1 + 0.4 * ulp, 1 + 0.5 * ulp, 1 + 1.5 * ulp, np.inf, np.nan, -0.0], np.float32
    )
    expected = np.array([one, one, 1 + 2 * ulp, np.inf, np.nan, -0.0], np.float32)
    np.testing.assert_array_equal(round_to_tf32(given), expected)


def test_nan_and_infinity(matmul: Kernel):
    a = np.array([[np.inf, 1], [np.nan, 1], [np.inf, 0]], np.float32)
    b = np.array([[1, 0], [1, 1]], np.float32)
    c = np.zeros((3, 2), np.float32)
    matmul(a, b, c)
    nan = np.nan
    np.testing.assert_array_equal(
        c, np.array([[np.inf, nan], [nan, nan], [np.inf, nan]], np.float32)
    )


F32 = np.float32
REFUSED: list[tuple[str, str, Callable[[Array, Array, Array], tuple[Any, ...]]]] = [
    ("P501", "'b' has 4 rows and 'a' has 3 columns", lambda a, b, c: (a, np.zeros((4, 5), F32), c)),
    ("P501", "'c' has 2 columns and 'b' has 5", lambda a, b, c: (a, b, c[:, :2])),
    ("P501", "'a' has 3 dimensions", lambda a, b, c: (a[None], b, c)),
    ("P501", "'a' has 0 dimensions", lambda a, b, c: (np.array(1.0, F32), b, c)),
    ("P502", "'a' is a buffer, and float was given", lambda a, b, c: (1.0, b, c)),
    ("P502", "elements of type complex64", lambda a, b, c: (a.astype(np.complex64), b, c)),
    ("P503", "'c' is written and shares memory with 'a'", lambda a, b, c: (c[:, :3], b, c)),
    ("P506", "several of its elements", lambda a, b, c: (a, b, np.broadcast_to(c[:1], (2, 5)))),
    ("P203", "takes 3 arguments", lambda a, b, c: (a, b)),
]  # fmt: skip


@pytest.mark.parametrize("code, message, make", REFUSED)
def test_what_does_not_fit_is_refused_before_anything_is_written(
    matmul: Kernel, code: str, message: str, make: Callable[..., tuple[Any, ...]]
):
    a, b, c = np.ones((2, 3), F32), np.ones((3, 5), F32), np.full((2, 5), 7, F32)
    with pytest.raises(pl.LaunchError) as caught:
        matmul(*make(a, b, c))
    assert caught.value.diagnostic.code == code
    assert message in caught.value.diagnostic.message
    assert (c == 7).all()


@pytest.mark.parametrize("size", [0, 3, -16, 1 << 20])
def test_sizes_of_blocks_are_checked(matmul: Kernel, size: int):
    a = np.ones((2, 2), F32)
    with pytest.raises(pl.LaunchError, match=r"P501.*BLOCK_K cannot be"):
        matmul(a, a, np.zeros((2, 2), F32), block={"BLOCK_K": size})
    with pytest.raises(pl.LaunchError, match=r"there is no 'BLOCK_SIZE'"):
        matmul(a, a, np.zeros((2, 2), F32), block={"BLOCK_SIZE": 32})


def test_inputs_may_be_the_same_or_read_only(matmul: Kernel):
    a = np.arange(9, dtype=F32).reshape(3, 3)
    a.flags.writeable = False
    c = np.zeros((3, 3), F32)
    matmul(a, a.T, c)
    np.testing.assert_array_equal(c, a @ a.T)
    row = np.broadcast_to(np.arange(3, dtype=F32), (4, 3))
    d = np.zeros((4, 3), F32)
    matmul(row, a, d)
    np.testing.assert_array_equal(d, row @ a)
