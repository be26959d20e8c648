"""Printed kernels on matrices run in Triton's interpreter, and give the products of NumPy.

bf16 is left out: the interpreter computes with its bits.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from matmul_runs import interpret_matmuls, printed_run, read

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from matmul_kernels import NUMPY, SHAPES, SUMS, Array, View, product, view

pytest.importorskip("torch")
pytest.importorskip("triton")

TOLERANCE = {"f16": 2e-3, "f32": 2e-6, "f64": 1e-14, "i32": 0.0}
SMALL_BLOCKS = "BLOCK_M=16,BLOCK_N=32,BLOCK_K=32"


@dataclass(frozen=True)
class Case:
    """One product: its types, sizes, layouts and kernel."""

    factor: str
    shape: tuple[int, int, int]
    layouts: tuple[str, str, str] = ("rows", "rows", "rows")
    result: str = ""
    block: str = ""
    order: str = "grouped"
    turned: bool = False
    epilogue: str = ""
    bias: bool = False

    def __str__(self) -> str:
        parts = (self.factor, *map(str, self.shape), *self.layouts, self.result, self.block)
        flags = (self.order, "turned" * self.turned, self.epilogue, "bias" * self.bias)
        return "-".join(filter(None, (*parts, *flags)))

    @property
    def result_type(self) -> str:
        return self.result or SUMS[self.factor]

    def text(self) -> str:
        return product(
            self.factor,
            self.result_type,
            turned=self.turned,
            epilogue=self.epilogue,
            bias=self.bias,
        )

    def views(self) -> list[View]:
        rng = np.random.default_rng(3)
        m, n, k = self.shape
        a, b, c = self.layouts
        shapes = [(m, k), (n, k) if self.turned else (k, n)]
        found = [
            view(rng, shape, NUMPY[self.factor], layout)
            for shape, layout in zip(shapes, (a, b), strict=True)
        ]
        if self.bias:
            found.append(view(rng, (1, n), NUMPY[SUMS[self.factor]], "rows"))
        return [*found, view(rng, (m, n), NUMPY[self.result_type], c)]

    def answer(self, views: list[View]) -> Array:
        """The product in float64, or exactly for integers."""
        exact = np.int64 if self.factor == "i8" else np.float64
        a, b = (it.array.astype(exact) for it in views[:2])
        product = a @ (b.T if self.turned else b)
        if self.bias:
            product = product + views[2].array.astype(exact)
        if self.epilogue == "bend":
            product = np.where(product < 0, product / 2, product)
        return product


CASES = [
    *(Case("f32", shape, block=SMALL_BLOCKS) for shape in SHAPES if max(shape) < 100),
    *(Case("f16", shape, result="f16") for shape in SHAPES),
    *(Case(factor, (37, 41, 70), block=SMALL_BLOCKS) for factor in ("f16", "f32", "f64", "i8")),
    Case("f64", (65, 33, 17)),
    Case("i8", (129, 40, 65)),
    *(
        Case("f32", (37, 41, 50), layouts, block=SMALL_BLOCKS)
        for layouts in (
            ("padded", "padded", "padded"),
            ("columns", "columns", "columns"),
            ("gaps", "odd", "gaps"),
            ("rows", "columns", "odd"),
        )
    ),
    *(
        Case("f16", (100, 150, 40), block=SMALL_BLOCKS, order=order)
        for order in ("rows", "persistent", "flattened")
    ),
    Case("f32", (300, 70, 20), block="BLOCK_M=16,BLOCK_N=16,BLOCK_K=16"),
    Case("f32", (37, 41, 50), block=SMALL_BLOCKS, turned=True),
    Case("f32", (37, 41, 50), block=SMALL_BLOCKS, epilogue="bend", bias=True),
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The memory of the arguments after each call; one process runs them all."""
    runs = [
        printed_run(case.text(), case.views(), f'block="{case.block}" order={case.order}')
        for case in CASES
    ]
    found = interpret_matmuls(runs, tmp_path_factory.mktemp("runs"))
    return dict(zip(map(str, CASES), found, strict=True))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_products(case: Case, results: dict[str, Path]) -> None:
    views = case.views()
    wanted = case.answer(views)
    *factors, memory = read(results[str(case)])
    for before, after in zip(views, factors, strict=False):
        assert np.array_equal(before.storage, after, equal_nan=before.storage.dtype.kind == "f")
    c = views[-1]
    after = View(memory, c.shape, c.strides, c.offset)
    floats = memory.dtype.kind == "f"
    assert np.array_equal(after.outside(), c.outside(), equal_nan=floats)
    scale = max(float(np.abs(wanted).max(initial=0.0)), 1.0)
    assert np.abs(after.array - wanted).max(initial=0.0) <= TOLERANCE[case.result_type] * scale
