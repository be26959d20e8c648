"""Which plan a launcher of a matmul kernel chooses, and which kernel runs it."""

from __future__ import annotations

from typing import Any

import pytest
from matmul_runs import printed

pytest.importorskip("torch")
pytest.importorskip("triton")

from matmul_kernels import product

from patlang_ir.runtime.triton_module import load_triton

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


def test_factors_that_must_lie_by_depth_are_asked_for_that() -> None:
    text = printed(product("f32", precision="tf32")).text
    assert 'fits_descriptor(a_in, layout="rows")' in text
    assert 'fits_descriptor(b_in, layout="columns")' in text
