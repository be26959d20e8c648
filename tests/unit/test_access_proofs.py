"""Masks that proofs leave out: the evaluator fails where a guarded access leaves its buffer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.analysis.polynomials import Polynomial, follows
from patlang_ir.backends.numpy import evaluate
from patlang_ir.dialects.tile import KernelOp
from patlang_ir.runtime.compiler import Request, apply_pipeline

GUARDS = "tile-guard-accesses,tile-narrow-indices,tile-simplify"


def guarded(text: str) -> KernelOp:
    module = pl.loads(text)["k"].compiler.module("tile", Request())
    (kernel,) = apply_pipeline(module, GUARDS).ops
    assert isinstance(kernel, KernelOp)
    return kernel


LINEAR: dict[str, Callable[[int, int], tuple[int, bool]]] = {
    "x[offs - 1]": lambda i, n: (i - 1, True),
    "x[offs + 2]": lambda i, n: (i + 2, True),
    "x[n - 1 - offs]": lambda i, n: (n - 1 - i, True),
    "x[n - offs]": lambda i, n: (n - i, True),
    "x[2 * offs - n]": lambda i, n: (2 * i - n, True),
    "x[offs - 1 + (n - 2)]": lambda i, n: (i + n - 3, True),
    "x[(offs + 5) % 3]": lambda i, n: ((i + 5) % 3, True),
    "x[offs * offs]": lambda i, n: (i * i, True),
    "x[offs * 40]": lambda i, n: (i * 40, True),
    "x[max(offs - 1, 0)]": lambda i, n: (max(i - 1, 0), True),
    "x[min(offs + 1, n - 1)]": lambda i, n: (min(i + 1, n - 1), True),
    "select(offs > 0, x[offs - 1], 0)": lambda i, n: (i - 1, i > 0),
    "select(offs == 0, 0, x[offs - 1])": lambda i, n: (i - 1, i != 0),
    "select(offs >= 2, x[offs - 2], 0)": lambda i, n: (i - 2, i >= 2),
    "select(offs < n - 1, x[offs + 1], 0)": lambda i, n: (i + 1, i < n - 1),
    "select(offs + 3 <= n, x[offs + 2], 0)": lambda i, n: (i + 2, i + 3 <= n),
    "select(not (offs + 1 >= n), x[offs + 1], 0)": lambda i, n: (i + 1, i + 1 < n),
    "select(offs < 1 or offs > n - 2, 0, x[offs + 1])": lambda i, n: (i + 1, 1 <= i <= n - 2),
    "select(offs > 0 and offs < n, x[offs - 1], 0)": lambda i, n: (i - 1, 0 < i < n),
    "select(offs > 1, x[offs - 1], 0)": lambda i, n: (i - 1, i > 1),
    "select(offs > 0, x[offs - 2], 0)": lambda i, n: (i - 2, i > 0),
    "select(offs < n, x[offs + 1], 0)": lambda i, n: (i + 1, i < n),
    "select(offs - 1 == 0, x[offs - 1], 0)": lambda i, n: (i - 1, i == 1),
    "select(x[offs] > 4, x[offs - 1], 0)": lambda i, n: (i - 1, i + 1 > 4),
}
"""An expression, and what it reads: the index, and whether it is looked at."""


@pytest.mark.parametrize("expression", LINEAR)
@pytest.mark.parametrize("exact", [True, False])
def test_of_one_dimension(expression: str, exact: bool) -> None:
    own = "+ 0 * x[offs]" if exact else ""
    kernel = guarded(
        f"# @gpu_kernel\nmake a function called k takes out, x\n"
        f"  store(out, offs, {expression} {own})\nend\n"
    )
    for n, length, block in product((1, 2, 3, 7, 8), (1, 2, 6, 8, 11), (1, 4, 8)):
        length = n if exact else length
        if "x[offs]" in expression and length < n:
            continue
        x, out = np.arange(1, length + 1, dtype=np.float32), np.full(n, -1, np.float32)
        evaluate(kernel, [out, x], {"n": n}, blocks={"BLOCK_SIZE": block})
        assert out.tolist() == [reading(LINEAR[expression](i, n), x) for i in range(n)]


def reading(access: tuple[int, bool], x: np.ndarray[tuple[int], np.dtype[np.float32]]) -> float:
    index, looked_at = access
    return float(x[index]) if looked_at and 0 <= index < len(x) else 0.0


GRID: dict[str, Callable[[int, int, int, int], tuple[int, bool]]] = {
    "x[offs - 1]": lambda r, c, h, w: (r * w + c - 1, True),
    "x[offs + n_cols]": lambda r, c, h, w: ((r + 1) * w + c, True),
    "x[offs - n_cols]": lambda r, c, h, w: ((r - 1) * w + c, True),
    "x[(row - 1) * n_cols + col]": lambda r, c, h, w: ((r - 1) * w + c, True),
    "x[row * n_cols + (n_cols - 1 - col)]": lambda r, c, h, w: (r * w + w - 1 - c, True),
    "x[(n_rows - 1 - row) * n_cols + col]": lambda r, c, h, w: ((h - 1 - r) * w + c, True),
    "x[col * n_rows + row]": lambda r, c, h, w: (c * h + r, True),
    "select(col > 0, x[offs - 1], 0)": lambda r, c, h, w: (r * w + c - 1, c > 0),
    "select(col < n_cols - 1, x[offs + 1], 0)": lambda r, c, h, w: (r * w + c + 1, c < w - 1),
    "select(row > 0, x[offs - n_cols], 0)": lambda r, c, h, w: ((r - 1) * w + c, r > 0),
    "select(row + 1 < n_rows, x[offs + n_cols], 0)": lambda r, c, h, w: (
        (r + 1) * w + c,
        r + 1 < h,
    ),
    "select(row > 0 and col > 0, x[offs - n_cols - 1], 0)": lambda r, c, h, w: (
        (r - 1) * w + c - 1,
        r > 0 and c > 0,
    ),
    "select(col > 0, x[offs - 2], 0)": lambda r, c, h, w: (r * w + c - 2, c > 0),
    "select(col < n_cols - 1, x[offs + n_cols], 0)": lambda r, c, h, w: (
        (r + 1) * w + c,
        c < w - 1,
    ),
    "x[col]": lambda r, c, h, w: (c, True),
    "x[row]": lambda r, c, h, w: (r, True),
}


@pytest.mark.parametrize("expression", GRID)
@pytest.mark.parametrize("exact", [True, False])
def test_of_two_dimensions(expression: str, exact: bool) -> None:
    own = "+ 0 * x[offs]" if exact else ""
    kernel = guarded(
        f"# @gpu_kernel_2d\nmake a function called k takes out, x\n"
        f"  store(out, offs, {expression} {own})\nend\n"
    )
    shapes = product((1, 2, 5), (1, 3, 4), (2, 4), (1, 4))
    for rows, columns, block_r, block_c in shapes:
        length = rows * columns if exact else 5
        x, out = (
            np.arange(1, length + 1, dtype=np.float32),
            np.full((rows, columns), -1, np.float32),
        )
        sizes = {"n": rows * columns, "n_rows": rows, "n_cols": columns}
        evaluate(kernel, [out, x], sizes, blocks={"BLOCK_R": block_r, "BLOCK_C": block_c})
        for row, column in product(range(rows), range(columns)):
            access = GRID[expression](row, column, rows, columns)
            assert out[row, column] == reading(access, x)


def some_polynomial(random: Random) -> Polynomial:
    monomials = [(), (0,), (1,), (2,), (0, 1), (1, 2)]
    chosen = random.sample(monomials, random.randint(1, 3))
    return Polynomial({monomial: random.choice([-2, -1, 1, 1, 2]) for monomial in chosen})


def test_what_follows_is_true() -> None:
    random, proved = Random(1), 0
    for _ in range(8000):
        goal = some_polynomial(random)
        facts = [some_polynomial(random) for _ in range(random.randint(1, 3))]
        if goal.never_negative or not follows(goal, facts):
            continue
        proved += 1
        for values in product(range(5), repeat=3):
            if all(value_of(fact, values) >= 0 for fact in facts):
                assert value_of(goal, values) >= 0
    assert proved > 20


def value_of(polynomial: Polynomial, values: tuple[int, ...]) -> int:
    return sum(c * int(np.prod([values[n] for n in m])) for m, c in polynomial.terms.items())


def test_proofs_are_found() -> None:
    i, n = Polynomial.unknown(0), Polynomial.unknown(1)
    one = Polynomial.constant(1)
    assert follows(n - i, [n - i - one])
    assert not follows(n - i - one, [n - i])
    assert follows(n * n - i * i, [n - i])
