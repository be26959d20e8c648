"""Matmul kernels in the evaluator: whole, and cut into blocks in any order, against NumPy's f64."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from block_kernels import INDEPENDENT, PINNED, MatmulKernel

import patlang_ir as pl
from patlang_ir.analysis.matrix_extents import solve_sizes
from patlang_ir.backends.numpy import Evaluator
from patlang_ir.dialects import tile
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.kernel import Kernel

SHAPES = [(1, 1, 1), (2, 2, 3), (37, 41, 29), (16, 16, 16), (33, 16, 0), (0, 5, 3), (17, 1, 40)]
CUTS: list[dict[str, int] | None] = [
    None,
    {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16},
    {"BLOCK_M": 32, "BLOCK_N": 16, "BLOCK_K": 64},
    {"BLOCK_M": 4, "BLOCK_N": 64, "BLOCK_K": 2},
    {"BLOCK_M": 128, "BLOCK_N": 8, "BLOCK_K": 1},
]


def name_of(kernel: MatmulKernel) -> str:
    return kernel.name


def backwards(count: int) -> range:
    return range(count - 1, -1, -1)


def typed(kernel: MatmulKernel, dtype: str = "f32") -> tile.KernelOp:
    module = pl.loads(kernel.text, name=f"{kernel.name}.patlang")["k"]
    names = [name for name, shape in kernel.params.items() if isinstance(shape, str)]
    return module.compiler.tile(Request(dict.fromkeys(names, dtype)))


def copies(kernel: MatmulKernel, args: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with an output that holds nothing yet unless the kernel reads it."""
    given = {name: np.copy(v) if hasattr(v, "shape") else v for name, v in args.items()}
    if "load_block(pc)" not in kernel.text:
        given["c"][...] = np.nan
    return given


def sizes_of(kernel: tile.KernelOp, args: dict[str, Any]) -> dict[str, int]:
    shapes = {name: value.shape for name, value in args.items() if hasattr(value, "shape")}
    return {str(k): v for k, v in solve_sizes(kernel, shapes).items()}


@pytest.mark.parametrize("kernel", INDEPENDENT, ids=name_of)
def test_every_cut_gives_the_same(kernel: MatmulKernel):
    rng = np.random.default_rng(0)
    op = typed(kernel)
    assert op.option("pinned") is None
    evaluator = Evaluator(op)
    for m, n, k in SHAPES:
        args = kernel.arguments(rng, {"M": m, "N": n, "K": k})
        expected = kernel.result(args)
        for cut in CUTS:
            for order in (None, backwards):
                given = copies(kernel, args)
                evaluator.run(
                    list(given.values()), sizes=sizes_of(op, args), blocks=cut, order=order
                )
                if kernel.exact:
                    np.testing.assert_array_equal(given["c"], expected, f"{(m, n, k)} {cut}")
                else:
                    np.testing.assert_allclose(given["c"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kernel", PINNED, ids=name_of)
def test_what_pins_the_sizes_is_kept(kernel: MatmulKernel):
    op = typed(kernel)
    assert kernel.pinned in str(op.option("pinned"))
    called = pl.loads(kernel.text)["k"]
    args = kernel.arguments(np.random.default_rng(0), {"M": 37, "N": 41, "K": 29})
    with pytest.raises(pl.LaunchError) as caught:
        called(*args.values())
    assert caught.value.diagnostic.code == "P403"
    assert kernel.pinned in caught.value.diagnostic.message
    expected = kernel.result(args)
    called(*args.values(), block={"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16})
    np.testing.assert_array_equal(args["c"], expected)


def test_a_kernel_is_called_with_arrays():
    kernel: Kernel = pl.loads(INDEPENDENT[0].text)["k"]
    args = INDEPENDENT[0].arguments(np.random.default_rng(1), {"M": 5, "N": 6, "K": 7})
    kernel(*args.values())
    np.testing.assert_array_equal(args["c"], args["a"] @ args["b"])


def test_the_marker_can_give_the_sizes():
    kernel = next(k for k in PINNED if k.name == "size_as_a_number")
    args = kernel.arguments(np.random.default_rng(0), {"M": 5, "N": 6, "K": 7})
    called = pl.loads(replace(kernel, options="(block=[16, 32, 64])").text)["k"]
    called(*args.values())
    np.testing.assert_array_equal(args["c"], args["a"] @ args["b"] * 32)
    called(*args.values(), block={"BLOCK_N": 64})
    np.testing.assert_array_equal(args["c"], args["a"] @ args["b"] * 64)


@pytest.mark.parametrize(
    "marker, message",
    [
        ("_matmul(block=[16, 16])", "'block' takes the sizes of a block"),
        ("_matmul(block=[16, 16, 17])", "'block' takes the sizes of a block"),
        ("_matmul(block=16)", "'block' takes the sizes of a block"),
        ("(block=[16, 16, 16])", "'block' is an option of matmul kernels"),
    ],
)
def test_sizes_in_a_marker_are_checked(marker: str, message: str):
    with pytest.raises(pl.CompileError) as caught:
        pl.loads(f"# @gpu_kernel{marker}\nfn k(c) {{ store(c, 0, 1) }}")
    (found,) = caught.value.diagnostics
    assert found.code == "P118" and message in found.message


def test_scalar_parameters_may_be_places():
    text = """# @gpu_kernel_matmul
make a function called k takes a, c, first
  let pa = advance_block(make_block_ptr(a, 64, N, 0, pid_n * BLOCK_N, 16, BLOCK_N), first, 0)
  store_block(make_block_ptr(c, 16, N, 0, pid_n * BLOCK_N, 16, BLOCK_N), load_block(pa))
end
"""
    kernel = pl.loads(text)["k"]
    a = np.arange(64 * 5.0).reshape(64, 5)
    for first in (0, 7, 60, 100, -3):
        c = np.full((16, 5), np.nan)
        kernel(a, c, first)
        rows = np.arange(first, first + 16)
        inside = (rows >= 0) & (rows < 64)
        np.testing.assert_array_equal(c, np.where(inside[:, None], a[rows.clip(0, 63)], 0))
    with pytest.raises(pl.CompileError, match="P305"):
        kernel(a, np.zeros((16, 5)), 0.5)
    assert "tl.load" in kernel.triton_source()
