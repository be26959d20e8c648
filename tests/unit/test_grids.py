"""The programs of 2-D kernels stand on one axis, where their number has no limit that matters."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from triton_modules import Run, interpret, printed

import patlang_ir as pl
from patlang_ir.runtime.compiler import Request

pytest.importorskip("torch")
pytest.importorskip("triton")

SHAPES = ((3, 5), (20, 300), (1, 700), (70, 1), (0, 4), (4, 0))
BODIES = {
    "each": "store(out, offs, x[offs] * 2 + row * 1000 + col)",
    "rows": "store(r, row, row * 3 + 1)",
    "columns": "store(c, col, col * 5 + 1)",
    "both": "store(out, offs, row - col) store(r, row, row + 7) store(c, col, col + 9)",
    "one": "store(r, 0, n_rows * 100 + n_cols)",
    "count": "store(out, offs, x[offs]) atomic_add(one, 0, 4)",
    "row sums": "store(r, row, sum(x[offs], 1))",
    "column sums": "store(c, col, sum(x[offs], 0))",
    "sum": "store(out, offs, x[offs] - sum(x[offs]))",
    "running": "store(out, offs, cumsum(x[offs], 1))",
}


def kernel(body: str) -> Any:
    text = "# @gpu_kernel_2d\nmake a function called k takes x, out, r, c, one, first\n"
    loaded = pl.loads(f"{text}{body}\nstore(first, 0, x[0])\nend\n")["k"]
    return loaded.compiler.tile(
        Request(dict.fromkeys(("x", "out", "r", "c", "one", "first"), "i64"))
    )


def arguments(shape: tuple[int, int]) -> list[Any]:
    x = np.random.default_rng(5).integers(-1000, 1000, shape)
    return [x, np.zeros_like(x), *(np.zeros(n, np.int64) for n in (*shape, 1, 1))]


def wanted(name: str, shape: tuple[int, int]) -> list[Any]:
    """What NumPy alone computes."""
    x, out, r, c, one, first = arguments(shape)
    first[0] = x.flat[0] if x.size else 0
    row, col = np.indices(shape)
    rows, columns = np.arange(shape[0]), np.arange(shape[1])
    match name:
        case "each":
            out += x * 2 + row * 1000 + col
        case "rows":
            r += rows * 3 + 1
        case "columns":
            c += columns * 5 + 1
        case "both":
            out, r, c = row - col, rows + 7, columns + 9
        case "one":
            r[:1] = shape[0] * 100 + shape[1]
        case "count":
            out, one[0] = x, 4
        case "row sums":
            r = x.sum(1)
        case "column sums":
            c = x.sum(0)
        case "sum":
            out = x - x.sum()
        case _:
            out = np.cumsum(x, 1)
    return [x, out, r, c, one, first]


def test_every_program_has_its_place(tmp_path: Path) -> None:
    cases = [(name, shape) for name in BODIES for shape in SHAPES]
    runs = [Run(kernel(BODIES[name]), ["i64"] * 6, arguments(shape)) for name, shape in cases]
    for (name, shape), got in zip(cases, interpret(runs, tmp_path), strict=True):
        for mine, right in zip(got, wanted(name, shape), strict=True):
            np.testing.assert_array_equal(mine, right, f"{name} {shape}")


@pytest.mark.parametrize("name", BODIES)
def test_every_grid_has_one_axis(name: str) -> None:
    """A second axis holds 65,535 programs at most, the first one 2,147,483,647."""
    tree = ast.parse(printed(kernel(BODIES[name])).text)
    launches = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
    grids = [it.slice for it in launches if ast.unparse(it.value).startswith("k_kernel")]
    assert grids and all(isinstance(grid, ast.Tuple) and len(grid.elts) == 1 for grid in grids)
