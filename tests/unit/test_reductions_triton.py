"""Chains of stages as printed Triton, in Triton's interpreter: the bits of one block over all.

A limit of 64 makes chains of inputs that the interpreter runs in a moment.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_texts import GRID, kernel_text, same, tile_kernel, whole
from test_independence import ALLOWED, GRID_ALLOWED, used_params
from test_reductions import call, cases
from test_reductions_staged import KERNELS
from test_reductions_staged_2d import GRID_KERNELS
from triton_modules import Run, interpret, lowered

pytest.importorskip("torch")
pytest.importorskip("triton")

from patlang_ir.runtime.triton_compile import compile_triton

CHAIN = "tile-legalize-reductions{limit=64}"
LENGTH, SHAPE = (2500,), (40, 300)
LEFT_OUT = {
    "several of one level",
    *("argmax of all", "argmin of all", "2-D, the first extreme of all"),
    *("2-D an atomic for each row", "2-D an atomic for each column", "2-D a count of rows"),
}
"""A product of thousands of numbers is infinite or 0. The interpreter finds no position in tiles of
two axes, and makes integers of a mask that is joined with one truth value.
"""

Case = tuple[str, str, tuple[int, ...]]

CASES: dict[str, Case] = {
    **{name: (body, "# @gpu_kernel", LENGTH) for name, (body, _) in KERNELS.items()},
    **{f"2-D, {name}": (body, GRID, SHAPE) for name, (body, _) in GRID_KERNELS.items()},
    **{
        f"{kind} of {axis}": (f"store(out, {index}, {call(kind, argument)})", GRID, SHAPE)
        for kind in dict.fromkeys(kind for kind, _ in cases())
        for axis, index, argument in (
            ("all", "0", ""),
            ("rows", "row", ", 1"),
            ("columns", "col", ", 0"),
        )
    },
    **{f"1-D, {name}": (body, "# @gpu_kernel", LENGTH) for name, body in ALLOWED.items()},
    **{f"2-D {name}": (body, GRID, SHAPE) for name, body in GRID_ALLOWED.items()},
}
NAMES = [name for name in CASES if name not in LEFT_OUT]


def run_of(name: str) -> Run:
    body, marker, shape = CASES[name]
    params = used_params(body)
    kernel = tile_kernel(kernel_text(body, params, marker), CHAIN, idx="i64")
    generator = np.random.default_rng(len(name))
    types, arguments = [], []
    for param in params.split(", "):
        integers = param == "idx"
        values: Any = generator.integers(-3, 4, shape).astype("i8" if integers else "f8")
        if integers:
            values = generator.permutation(int(np.prod(shape))).reshape(shape)
        arguments.append(values)
        types.append("i64" if integers else "f64")
    return Run(kernel, types, arguments)


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The arguments after the call of every kernel; one process runs them all."""
    results = interpret([run_of(name) for name in NAMES], tmp_path_factory.mktemp("runs"))
    return dict(zip(NAMES, results, strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_a_chain_gives_what_one_block_gives(name: str, interpreted: dict[str, list[Any]]):
    body, marker, shape = CASES[name]
    run = run_of(name)
    kernel = tile_kernel(kernel_text(body, used_params(body), marker), idx="i64")
    expected = whole(kernel, [a.reshape(-1) for a in run.arguments], shape)
    for wanted, given, got in zip(expected, run.arguments, interpreted[name], strict=True):
        assert np.all(np.isfinite(got))
        assert same(got.reshape(-1) + 0, wanted + 0 if np.ndim(wanted) else given.reshape(-1) + 0)


@pytest.mark.parametrize("name", ["argmax of all", "2-D an atomic for each row"])
def test_what_the_interpreter_cannot_run_compiles(name: str):
    stages = compile_triton(lowered(run_of(name).kernel), "cuda:90")
    assert all(len(stage["cubin"]) > 1000 for stage in stages.values())
