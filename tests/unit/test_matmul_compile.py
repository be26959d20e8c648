"""Printed kernels on matrices compile, and their machine code has what they were written for.

`tests/compile_matmul.py` does this for every type and target.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from matmul_runs import lowered

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from matmul_kernels import product

pytest.importorskip("triton")

from patlang_ir.runtime.triton_compile import compile_triton


def stages(text: str, target: str, options: str = "") -> dict[str, dict[str, Any]]:
    return compile_triton(lowered(text, f'target="{target}" {options}'), target)


def test_sixteen_bits_on_hopper() -> None:
    """Both forms use the matrix unit, and load past the registers: in bulk, or 16 bytes each."""
    made = stages(product("f16", "f16"), "cuda:90")
    described, pointed = made["matmul_kernel_descriptors"], made["matmul_kernel"]
    for form in (described, pointed):
        assert "wgmma.mma_async" in form["ptx"]
        assert "ld.global" not in form["ptx"]
        assert len(form["cubin"]) > 1000
    assert "cp.async.bulk" in described["ptx"]
    assert "cp.async.cg.shared.global [" in pointed["ptx"]


def test_f32_is_exact_unless_it_is_asked_otherwise() -> None:
    """No product of f32 goes through the unit that cuts its factors."""
    exact = stages(product("f32"), "cuda:90", "strategy=pointer")["matmul_kernel"]
    cut = stages(product("f32", precision="tf32"), "cuda:90", "strategy=pointer")["matmul_kernel"]
    assert "tf32" not in exact["ptx"]
    assert "tf32" in cut["ptx"]


@pytest.mark.parametrize(
    ("target", "instruction"), [("cuda:80", "mma.sync"), ("hip:gfx942", "v_mfma")]
)
def test_other_targets(target: str, instruction: str) -> None:
    (made,) = stages(product("f16"), target).values()
    assert instruction in made["ptx" if target.startswith("cuda") else "amdgcn"]
