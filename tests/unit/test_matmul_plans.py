"""Which plan a launcher of a matmul kernel chooses, and which kernel runs it."""

from __future__ import annotations

from typing import Any

import pytest
from matmul_runs import printed
from xdsl.dialects.builtin import DictionaryAttr

pytest.importorskip("torch")
pytest.importorskip("triton")

from matmul_kernels import product

import patlang_ir
from patlang_ir.backends.triton.layout import number
from patlang_ir.dialects import tl
from patlang_ir.matmul_targets import MATMUL_TARGETS
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.triton_module import load_triton
from patlang_ir.targets import TARGETS

H200 = 132
"""Its processors."""

FASTEST = (
    ((4096, 4096), (128, 256), "flattened"),
    ((3072, 3072), (128, 128), "flattened"),
    ((2048, 2048), (128, 256), "flattened"),
    ((1536, 1536), (64, 128), "grouped"),
    ((1280, 1280), (128, 128), "flattened"),
    ((1024, 1024), (64, 128), "grouped"),
    ((640, 640), (64, 64), "grouped"),
    ((256, 256), (64, 32), "grouped"),
    ((64, 8192), (64, 64), "grouped"),
    ((64, 4096), (64, 32), "grouped"),
    ((16, 8192), (16, 64), "grouped"),
)
"""Rows and columns of a result, and the blocks and the order that were fastest for f16 on an H200,
or within a few percent of it."""


@pytest.fixture(scope="module")
def functions() -> dict[str, Any]:
    return load_triton(printed(product("f16", "f16")), "matmul").functions


@pytest.mark.parametrize(("extents", "block", "order"), FASTEST)
def test_the_fastest_measured_plan_is_chosen(
    functions: dict[str, Any], extents: tuple[int, int], block: tuple[int, int], order: str
) -> None:
    flattened = functions["MATMUL_KERNEL_DESCRIPTORS_FLATTENED_PLANS"]
    grouped = functions["MATMUL_KERNEL_DESCRIPTORS_PLANS"]
    chosen = functions["choose_plan"](flattened + grouped, *extents, H200)
    assert (chosen[1]["BLOCK_M"], chosen[1]["BLOCK_N"]) == block
    assert chosen in (flattened if order == "flattened" else grouped)


def test_every_target_has_plans() -> None:
    assert set(MATMUL_TARGETS) == set(TARGETS)


def test_a_result_of_one_row_has_low_blocks(functions: dict[str, Any]) -> None:
    plans = functions["MATMUL_KERNEL_DESCRIPTORS_PLANS"]
    assert functions["choose_plan"](plans, 1, 8192, H200)[1]["BLOCK_M"] == 16


def test_sizes_that_are_given_are_the_only_ones() -> None:
    text = product("f16", "f16")
    functions = load_triton(printed(text, 'block="BLOCK_M=32,BLOCK_N=32"'), "matmul").functions
    assert "MATMUL_KERNEL_DESCRIPTORS_FLATTENED_PLANS" not in functions
    (plan,) = functions["MATMUL_KERNEL_DESCRIPTORS_PLANS"]
    assert (plan["BLOCK_M"], plan["BLOCK_N"]) == (32, 32)


def test_blocks_too_large_for_descriptors_go_by_pointers() -> None:
    """Beside the factors there is no room for the block of the result, from which these store."""
    text = printed(product("f16", "f16"), 'block="BLOCK_M=256,BLOCK_N=256,BLOCK_K=128"').text
    assert "descriptor" not in text
    assert "BLOCK_M=256, BLOCK_N=256, BLOCK_K=128" in text


def test_a_result_that_needs_much_room_has_smaller_blocks_in_flattened_order() -> None:
    """A block of 128 x 256 sums in f32 does not fit beside three stages of its factors."""
    functions = load_triton(printed(product("f16", "f32")), "matmul").functions
    plans = functions["MATMUL_KERNEL_DESCRIPTORS_FLATTENED_PLANS"]
    assert [(plan["BLOCK_M"], plan["BLOCK_N"]) for _, plan in plans] == [(128, 128)]


@pytest.mark.parametrize("precision", ["tf32", "tf32x3"])
def test_factors_that_must_lie_by_depth_are_asked_for_that(precision: str) -> None:
    text = printed(product("f32", precision=precision)).text
    assert 'fits_descriptor(a_in, layout="rows")' in text
    assert 'fits_descriptor(b_in, layout="columns")' in text


GATED = """
# @gpu_kernel_matmul
make a function called gated takes a, b, g, c
  let acc = zeros_2d(BLOCK_M, BLOCK_N)
  let gate = zeros_2d(BLOCK_M, BLOCK_N)
  let k = 0
  while k < K do
    let pa = load_block(make_block_ptr(a, M, K, pid_m * BLOCK_M, k, BLOCK_M, BLOCK_K))
    let pb = load_block(make_block_ptr(b, K, N, k, pid_n * BLOCK_N, BLOCK_K, BLOCK_N))
    let pg = load_block(make_block_ptr(g, K, N, k, pid_n * BLOCK_N, BLOCK_K, BLOCK_N))
    let acc = dot(pa, pb, acc)
    let gate = dot(pa, pg, {sum})
    let k = k + BLOCK_K
  end
  let pc = make_block_ptr(c, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N)
  store_block(pc, acc * sigmoid({sum}))
end
"""


@pytest.mark.parametrize(("sum", "warps"), [("gate", 8), ("acc", 4)])
def test_blocks_of_several_sums_stay_in_registers(sum: str, warps: int) -> None:
    """Two products with sums of their own need more threads than two that share one."""
    text = GATED.replace("{sum}", sum)
    text = text.replace("let gate = dot(pa, pg, acc)", "let acc = dot(pa, pg, acc)")
    kernel = patlang_ir.loads(text)["gated"]
    lowered = kernel.compiler.module("tl", Request(dict.fromkeys("abgc", "f16")))
    launches = [op for op in lowered.walk() if isinstance(op, tl.MatmulLaunchOp)]
    plans = [sizes_of(plan) for launch in launches for plan in launch.plans]
    assert plans[0] == (128, 128, warps)
    sums = 2 if sum == "gate" else 1
    assert all(sums * m * n <= 128 * 32 * threads for m, n, threads in plans)


def sizes_of(plan: DictionaryAttr) -> tuple[int, ...]:
    return tuple(int(number(plan.data[name])) for name in ("BLOCK_M", "BLOCK_N", "num_warps"))
