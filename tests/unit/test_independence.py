"""A kernel that is said to be independent of blocks means the same for every cut, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from kernel_texts import (
    GRID,
    LINEAR,
    equal,
    in_blocks,
    kernel_text,
    refused,
    run,
    tile_kernel,
    whole,
)

import patlang_ir as pl
from patlang_ir.analysis.independence import (
    Dependence,
    Independence,
    accesses_beside_atomics,
    crossing_accesses,
    is_block_independent,
)
from patlang_ir.diagnostics import CompileError
from patlang_ir.dialects import tile
from patlang_ir.passes.pipelines import KERNEL_TO_TILE
from patlang_ir.runtime.compiler import apply_pipeline

CHECKS = ("tile-check-independence", "tile-check-autotune")
UNCHECKED = [name for name in KERNEL_TO_TILE if name not in CHECKS]
PARAMS = "x, y, idx, out"
N = 7


def unchecked_kernel(text: str) -> tile.KernelOp:
    """The kernel as the checks see it, also where they refuse it."""
    passes = ",".join(
        f'{name}{{signature="idx=i64" default=f64}}' if name == "tile-specialize" else name
        for name in UNCHECKED
    )
    (kernel,) = apply_pipeline(pl.loads(text).program.module, passes).ops
    assert isinstance(kernel, tile.KernelOp)
    return kernel


def arguments(shape: Sequence[int]) -> list[Any]:
    """Numbers whose sums and products are exact, and indices of which no two are the same."""
    count = int(np.prod(shape))
    generator = np.random.default_rng(count)
    numbers = [generator.integers(-4, 5, count).astype("f8") for _ in range(3)]
    return [*numbers[:2], generator.permutation(count), numbers[2]]


def colliding(args: list[Any]) -> list[Any]:
    """The same with every index a multiple of three."""
    x, y, idx, out = args
    return [x, y, idx // 3 * 3, out]


def differing_cut(
    kernel: tile.KernelOp, shape: Sequence[int], args: list[Any] | None = None
) -> str | None:
    """A cut that gives something else than one block over the whole input."""
    args = args or arguments(shape)
    used = [a for a, p in zip(args, PARAMS.split(", "), strict=True) if p in kernel.param_names]
    meant = whole(kernel, used, shape)
    for name, found in in_blocks(kernel, used, shape, (1, 2, 3, 4)):
        if not equal(found, meant):
            return name
    return None


def used_params(body: str) -> str:
    return ", ".join(
        name for name in PARAMS.split(", ") if f"{name}[" in body or f"({name}," in body
    )


# --- the simple shapes are allowed, and right ---

ALLOWED = {
    "one store": "store(out, offs, x[offs])",
    "read, change, write": "store(x, offs, x[offs] * 2)",
    "several statements on one buffer": """store(x, offs, x[offs] + 1)
        store(out, offs, x[offs]); store(x, offs, x[offs] * out[offs])""",
    "several outputs": "store(out, offs, x[offs]); store(y, offs, x[offs] + 1)",
    "in a loop": """let i = 0
        while i < 3 do
          store(out, offs, out[offs] * 2 + x[offs]); let i = i + 1
        end""",
    "in a branch": """if n > 3 then
          store(out, offs, x[offs])
        else
          store(out, offs, 0)
        end""",
    "a gather": "store(out, offs, x[idx[offs]] + x[offs + 1] + x[n - 1 - offs] + x[0])",
    "a scatter, once": "store(out, idx[offs], x[offs])",
    "shifted": "store(out, offs + 1, x[offs])",
    "reversed": "store(out, n - 1 - offs, x[offs])",
    "a single number": "store(out, 0, n)",
    "several single numbers": "store(out, 0, x[1]); store(out, 1, x[0]); store(out, 0, 3)",
    "single numbers in a loop": """let i = 0
        while i < n do
          store(out, i, x[i] + i); let i = i + 1
        end""",
    "shifted, in place": "store(x, offs + 1, x[offs + 1] * 2); store(x, offs + 1, x[1 + offs] + 1)",
    "shifted by n": "store(x, offs - n + 4, x[offs + 4 - n] * 2)",
    "two elements a lane": "store(out, 2 * offs, x[offs]); store(out, offs * 2 + 1, y[offs])",
    "two elements a lane, in place": """let a = x[2 * offs]; let b = x[2 * offs + 1]
        store(x, 2 * offs, a + b); store(x, 2 * offs + 1, a - b)""",
    "elements of a lane in a loop": """let i = 0
        while i < 3 do
          store(out, 3 * offs + i, x[offs] + i); let i = i + 1
        end""",
    "elements of a lane, backwards": """let i = 2
        while i >= 0 do
          store(out, (n - offs) * 3 + i, x[offs] + i); let i = i - 1
        end""",
    "a total": "atomic_add(out, 0, x[offs])",
    "a total of a number": "atomic_add(out, 0, 2)",
    "a histogram": "atomic_add(out, idx[offs] % 3, x[offs]); atomic_add(out, 0, 1)",
    "atomics in a loop": """let i = 0
        while i < 3 do
          atomic_max(out, (offs + i) % 3, x[offs]); let i = i + 1
        end""",
    "an atomic for each lane": "atomic_add(out, x[offs])",
    "an extreme for each lane": "atomic_max(out, x[offs]); atomic_max(out, offs, y[offs])",
    "atomics of two buffers": "atomic_max(out, 0, x[offs]); atomic_min(y, 0, x[offs])",
    "two buffers, each in its way": "store(out, offs, x[offs]); store(y, idx[offs], x[offs])",
}


@pytest.mark.parametrize("name", ALLOWED)
def test_simple_shapes_are_allowed(name: str):
    body = ALLOWED[name]
    text = kernel_text(body, used_params(body))
    kernel = unchecked_kernel(text)
    assert crossing_accesses(kernel) == [] and is_block_independent(kernel)
    tile_kernel(text, idx="i64")
    for n in (0, 1, N):
        assert differing_cut(kernel, (n,)) is None


GRID_ALLOWED = {
    "one store": "store(out, offs, x[offs] + row * 10 + col)",
    "in place": "store(out, offs, out[offs] * 2 + x[offs])",
    "a row": "store(out, row, y[row])",
    "a row, twice": "store(out, row, y[row]); store(out, row, y[row] + 1)",
    "a column": "store(out, col, y[col])",
    "a column, in a loop": """let i = 0
        while i < 3 do
          store(out, col, y[col] + i); let i = i + 1
        end""",
    "transposed": "store(out, col * n_rows + row, x[offs])",
    "an atomic for each row": "atomic_add(out, row, y[row])",
    "an atomic for each column": "atomic_add(out, col, y[col] + 1); atomic_add(out, 0, 1)",
    "sums of rows by atomics": "atomic_add(out, row, x[offs])",
    "a total": "atomic_add(out, 0, x[offs])",
    "a count of rows": "atomic_add(out, 0, y[row])",
    "two elements a lane": "store(out, 2 * offs, x[offs]); store(out, 2 * offs + 1, y[offs])",
}


@pytest.mark.parametrize("name", GRID_ALLOWED)
def test_simple_shapes_over_rows_and_columns_are_allowed(name: str):
    body = GRID_ALLOWED[name]
    text = kernel_text(body, used_params(body), GRID)
    kernel = unchecked_kernel(text)
    assert is_block_independent(kernel)
    for shape in ((0, 2), (1, 1), (3, 5), (5, 3)):
        assert differing_cut(kernel, shape) is None
        guarded = tile_kernel(text, "tile-guard-accesses,tile-simplify", idx="i64")
        assert differing_cut(guarded, shape) is None


# --- what is refused would depend on the cut ---

REFUSED = {
    "a neighbour is read, then written": ("store(x, offs, x[offs + 1])", "x[offs + 1]"),
    "a neighbour is written, then read": (
        "store(x, offs + 1, y[offs]); store(out, offs, x[offs])",
        "store(x, offs + 1",
    ),
    "reversed in place": ("store(x, offs, x[n - 1 - offs])", "x[n"),
    "written, then gathered": (
        "store(x, offs, y[offs]); store(out, offs, x[idx[offs]])",
        "x[idx[offs]]",
    ),
    "gathered, then scattered": ("store(x, idx[offs], x[idx[offs]] + 1)", None),
    "two scatters": ("store(out, idx[offs], x[offs]); store(out, offs, y[offs])", "store(out, idx"),
    "a scatter and a single number": ("store(out, 0, 5); store(out, idx[offs], x[offs])", None),
    "a single number beside lanes": ("store(out, 0, 9); store(out, offs, x[offs])", "store(out, 0"),
    "a single number that is counted up": ("store(out, 0, out[0] + 1)", None),
    "an element that is also changed": ("store(x, offs, x[offs] + x[0])", "x[0]"),
    "a scatter in a loop": (
        """let i = 0
        while i < 3 do
          store(out, offs + i, x[offs]); let i = i + 1
        end""",
        "store(out, offs + i",
    ),
    "a stride that is too short": (
        """let i = 0
        while i < 4 do
          store(out, 3 * offs + i, x[offs]); let i = i + 1
        end""",
        "store(out, 3",
    ),
    "strides that differ": (
        "store(out, 2 * offs, x[offs]); store(out, 3 * offs + 1, y[offs])",
        None,
    ),
    "a distance of a whole stride": (
        "store(out, 2 * offs, x[offs]); store(out, 2 * offs + 2, y[offs])",
        None,
    ),
    "in a branch of a loop": (
        """let i = 0
        while i < 3 do
          if i > 1 then
            store(out, offs * 0 + i, x[offs])
          end
          store(out, offs, y[offs]); let i = i + 1
        end""",
        "store(out, offs * 0",
    ),
    "atomics of two kinds": (
        "atomic_max(out, 0, y[offs] + 9); atomic_add(out, 0, x[offs])",
        "atomic_add",
    ),
    "an atomic, then a load": ("atomic_add(out, 0, 1); store(y, offs, out[0] + x[offs])", "out[0]"),
    "a store, then an atomic": ("store(out, 0, x[0]); atomic_add(out, idx[offs], 1)", "store"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_depends_on_the_cut(name: str):
    body, at = REFUSED[name]
    params = used_params(body)
    kernel = unchecked_kernel(kernel_text(body, params))
    assert not is_block_independent(kernel)
    assert differing_cut(kernel, (N,), colliding(arguments((N,)))) is not None
    types = {"idx": np.int64}
    args = [np.zeros(N, types.get(p, np.float64)) for p in params.split(", ")]
    if at is not None:
        found = refused(body, "P402", at, *args, params=params)
        assert "'x'" in found.message or "'out'" in found.message
        return
    with pytest.raises(CompileError) as caught:
        run(body, *args, params=params)
    assert {d.code for d in caught.value.diagnostics} == {"P402"}


ONCE_FOR_ALL_BLOCKS = {
    "rows that are counted up": "store(out, row, out[row] + 1)",
    "a row beside a column": "store(out, row, y[row]); store(out, col, x[col])",
    "a row beside lanes": "store(out, offs, x[offs]); store(out, row, y[row])",
    "transposed in place": "store(x, offs, x[col * n_rows + row])",
}


@pytest.mark.parametrize("name", ONCE_FOR_ALL_BLOCKS)
def test_rows_and_columns_that_depend_on_the_cut_are_refused(name: str):
    body = ONCE_FOR_ALL_BLOCKS[name]
    kernel = unchecked_kernel(kernel_text(body, used_params(body), GRID))
    assert not is_block_independent(kernel)
    assert differing_cut(kernel, (3, 5)) is not None


def test_atomics_beside_others_are_refused_even_in_one_lane():
    """Each lane has its own element, but a GPU may do the two in different threads."""
    body = "atomic_add(out, x[offs]); store(out, offs, x[offs])"
    kernel = unchecked_kernel(kernel_text(body))
    assert len(accesses_beside_atomics(kernel)) == 1
    refused(body, "P402", "store")


# --- the analysis itself ---


def dependences(body: str, marker: str = LINEAR, passes: str = "") -> dict[str, Dependence]:
    """The dependence of each variable of a kernel."""
    kernel = tile_kernel(kernel_text(body, marker=marker), passes)
    found = Independence(kernel).of
    named: dict[str, Dependence] = {}
    for op in kernel.walk():
        for value in op.results:
            named.setdefault(value.name_hint or "", found[value])
    return named


def test_values_are_uniform_or_of_lanes():
    found = dependences(
        "let a = n + 1; let b = x[offs] + a; let c = x[0]; store(out, offs, b * c + a)"
    )
    assert (found["a"], found["b"], found["c"]) == ("uniform", "lane", "uniform")


def test_a_reduction_and_all_that_follows_depends_on_blocks_until_one_covers_the_input():
    body = """let s = sum(x[offs]); let t = s + 1; let i = 0; let v = x[offs]
    while i < t do
      let i = i + 1; let v = v * 2
    end
    let w = v + 1; store(out, offs, w)"""
    found = dependences(body)
    assert {found["s"], found["t"], found["w"]} == {"block"}
    chain = tile_kernel(kernel_text(body), "tile-legalize-reductions")
    kinds = Independence(chain).of
    (covered,) = [stage for stage in chain.stages if stage.upto is not None]
    inside = [kinds[result] for op in covered.walk() for result in op.results]
    assert Dependence.BLOCK not in inside and Dependence.LANE in inside


def test_covering_an_axis_settles_the_reductions_along_it():
    body = "let s = sum(x[offs], 1); let t = s * 2; store(out, offs, x[offs] + t)"
    assert dependences(body, GRID)["t"] == "block"
    chain = tile_kernel(kernel_text(body, marker=GRID), "tile-legalize-reductions")
    (covered,) = [stage for stage in chain.stages if stage.upto is not None]
    kinds = Independence(chain).of
    assert {kinds[r] for op in covered.walk() for r in op.results} == {"uniform", "lane"}


def test_a_reduction_is_not_independent_and_says_so():
    assert not is_block_independent(tile_kernel(kernel_text("store(out, 0, sum(x[offs]))")))


# --- tuning ---


def test_a_block_size_is_a_power_of_two_that_a_gpu_can_hold():
    for sizes in ("[100]", "[0x]", "[64, 96]", "[131072]"):
        marker = f"# @gpu_kernel(autotune={sizes})"
        text = kernel_text("store(out, offs, x[offs])", marker=marker)
        with pytest.raises(CompileError) as caught:
            pl.loads(text)["k"](np.zeros(3), np.zeros(3))
        assert {d.code for d in caught.value.diagnostics} == {"P118"}
    for sizes in ("[1]", "[256, 512, 1024]", "[65536]"):
        marker = f"# @gpu_kernel(autotune={sizes})"
        assert run("store(out, offs, x[offs])", np.ones(3), np.zeros(3), marker=marker).sum() == 3


@pytest.mark.parametrize(
    "body",
    ["store(out, 0, sum(x[offs]))", "store(out, offs, cumsum (x[offs]))"],
)
def test_what_sums_floats_is_tuned_only_if_told_so(body: str):
    found = refused(body, "P403", "k takes", marker="# @gpu_kernel(autotune=[64])")
    assert "deterministic=false" in found.help
    run(body, np.ones(3), np.zeros(3), marker="# @gpu_kernel(autotune=[64], deterministic=false)")


def test_a_word_in_a_comment_or_name_is_no_reduction():
    body = "# sum(x[offs])\nlet sum_ = x[offs]; store(out, offs, sum_)"
    marker = "# @gpu_kernel(autotune=[64])"
    assert run(body, np.ones(3), np.zeros(3), marker=marker).tolist() == [1, 1, 1]
