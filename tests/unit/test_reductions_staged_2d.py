"""2-D kernels with reductions, cut into stages."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from kernel_texts import GRID
from test_reductions import Array, check, whole_numbers
from test_reductions_staged import total


def rows(x: Array) -> Array:
    return x.sum(1, keepdims=True)


def row_most(x: Array) -> Array:
    return x.max(1, keepdims=True, initial=-math.inf)


def column_most(x: Array) -> Array:
    return x.max(0, keepdims=True, initial=-math.inf)


def scaled_rows(x: Array, out: Array) -> Sequence[Any]:
    shifted = x - row_most(x)
    return x, shifted * rows(shifted)


def scaled_columns(x: Array, out: Array) -> Sequence[Any]:
    shifted = x - column_most(x)
    return x, shifted * shifted.sum(0, keepdims=True)


def first_of_all(x: Array, out: Array) -> Sequence[Any]:
    return x, x + (int(np.argmax(x)) if x.size else 0)


GRID_KERNELS: dict[str, tuple[str, Callable[..., Sequence[Any]]]] = {
    "rows, twice": (
        "let e = x[offs] - reduce_max(x[offs], 1); store(out, offs, e * sum(e, 1))",
        scaled_rows,
    ),
    "columns, twice": (
        "let e = x[offs] - reduce_max(x[offs], 0); store(out, offs, e * sum(e, 0))",
        scaled_columns,
    ),
    "all of it": (
        "store(out, offs, x[offs] - sum(x[offs]))",
        lambda x, o: (x, x - total(x)),
    ),
    "the first extreme of all": ("store(out, offs, x[offs] + argmax(x[offs]))", first_of_all),
    "the first extreme of each row": (
        "store(out, offs, x[offs] + argmax(x[offs], 1))",
        lambda x, o: (x, x + (x.argmax(1, keepdims=True) if x.shape[1] else 0)),
    ),
    "with n_rows and n_cols": (
        "store(out, offs, sum(x[offs], 1) * n_cols + n_rows)",
        lambda x, o: (x, rows(x) * x.shape[1] + x.shape[0] + 0 * x),
    ),
    "a row number": (
        "store(out, offs, sum(row + 0 * x[offs], 1))",
        lambda x, o: (x, np.arange(x.shape[0])[:, None] * x.shape[1] + 0 * x),
    ),
    "one row times another": (
        "store(out, offs, sum(x[offs] * x[col], 1))",
        lambda x, o: (x, rows(x * x[:1]) + 0 * x if x.size else x),
    ),
    "loaded before the store, used after it": (
        "let v = x[offs]; let s = sum(v, 1); store(x, offs, s); store(out, offs, v + s)",
        lambda x, o: (rows(x) + 0 * x, x + rows(x)),
    ),
    "a sum of sums": (
        "let s = sum(x[offs], 1); store(out, offs, sum(x[offs] * s, 1) + s)",
        lambda x, o: (x, rows(x * rows(x)) + rows(x) + 0 * x),
    ),
    "rows carried by a loop that stores": (
        """let r = row; let i = 0
        while i < 2 do
          store(out, offs, out[offs] + x[offs]); let r = r + row; let i = i + 1
        end
        let s = sum(x[offs], 1); store(x, offs, s + r + i)""",
        lambda x, o: (rows(x) + 3 * np.arange(x.shape[0])[:, None] + 2 + 0 * x, 2 * x),
    ),
    "running sums along rows": (
        "store(out, offs, cumsum(x[offs], 1) + sum(x[offs], 1))",
        lambda x, o: (x, np.cumsum(x, 1) + rows(x)),
    ),
    "running sums along columns": (
        "store(out, offs, cumsum(x[offs], 0) + sum(x[offs], 0))",
        lambda x, o: (x, np.cumsum(x, 0) + x.sum(0, keepdims=True)),
    ),
}


@pytest.mark.parametrize("name", GRID_KERNELS)
def test_reductions_in_2d_kernels_that_do_more(name: str):
    body, expected = GRID_KERNELS[name]
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(shape)],
        lambda x, out: [np.array(a, "f8") for a in expected(x, out)],
        marker=GRID,
        x="f64",
        out="f64",
    )
