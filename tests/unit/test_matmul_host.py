"""Products of matrices from PatLang programs: calls of marked kernels, and the host functions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_texts import run_host

import patlang_ir as pl
from patlang_ir.tools.cli import main

EXAMPLE = Path(__file__).parents[2] / "examples" / "matmul.patlang"
KERNEL = (Path(pl.__file__).parent / "stdlib" / "matmul.patlang").read_text(encoding="utf-8")
SOURCE = KERNEL[KERNEL.index("make") :]


def host(call: str, source: str = SOURCE) -> Any:
    return run_host(f'include "triton"\nlet source = "{source}"\nreturn {call}')


def patlang(values: Any) -> str:
    return str([float(v) for v in np.ravel(values)])


def test_the_example_says_that_all_answers_agree(capsys: pytest.CaptureFixture[str]):
    assert main(["run", str(EXAMPLE), "--device", "cpu"]) == 0
    printed = capsys.readouterr().out
    assert "4 of 4 elements agree" in printed and "1517 of 1517 elements agree" in printed
    assert "\n        58        58        58        58\n" in printed


def test_a_marked_kernel_gives_its_argument_a_new_list():
    text = f"{KERNEL}\nlet c = [0, 0, 0, 0]\nlet kept = c\nmatmul([1, 2], [3, 4], c)\n"
    assert run_host(f"{text}return [c, kept]") == [[3.0, 4.0, 6.0, 8.0], [0, 0, 0, 0]]


def test_only_what_is_stored_must_be_a_variable():
    with pytest.raises(pl.CompileError, match=r"P207.*writes its argument 'c'"):
        run_host(f"{KERNEL}\nmatmul([1], [2], [3])")
    text = """# @gpu_kernel_matmul
make a function called k takes a, c
  let p = make_block_ptr(a, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N)
  let v = load_block(p)
  let p = make_block_ptr(c, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N)
  store_block(p, v + v)
end
let c = [0, 0, 0, 0]
"""
    with pytest.raises(pl.RunError, match="M and N cannot be found from the lengths"):
        run_host(f"{text}k([1, 2, 3, 4], c)")


def test_lists_cross_as_f32():
    text = f"{KERNEL}\nlet c = [0]\nmatmul([16777217], [1], c)\nreturn c"
    assert run_host(text) == [16777216.0]


@pytest.mark.parametrize("m, k, n", [(2, 3, 2), (37, 29, 41), (1, 1, 1), (3, 0, 2), (0, 2, 3)])
def test_products(m: int, k: int, n: int):
    rng = np.random.default_rng(m)
    a, b = rng.integers(-9, 10, (m, k)), rng.integers(-9, 10, (k, n))
    given = f"{patlang(a)}, {patlang(b)}, {m}, {k}, {n}"
    expected = [(a @ b).ravel().tolist(), ["Ok", ""]]
    assert host(f"triton_run_matmul({given})") == expected
    for blocks in ("16, 16, 16", "64, 32, 16", "1, 2, 4"):
        call = f'triton_run_matmul_from_source(source, "matmul", {given}, {blocks})'
        assert host(call) == expected


@pytest.mark.parametrize(
    "call, message",
    [
        ("triton_run_matmul([1, 2], [3], 1, 1, 1)", "'a' must have 1 x 1 elements, and it has 2"),
        ("triton_run_matmul([1], 3, 1, 1, 1)", "'b' must have 1 x 1 elements, and it has"),
        ('triton_run_matmul([1], ["x"], 1, 1, 1)', "element 0 of 'b' is a string, not a number"),
        ("triton_run_matmul([1], [1], 1, 1, 0.5)", "n must be a whole number"),
        ("triton_run_matmul([], [], 0 - 1, 0, 0)", "m must be a whole number"),
        (
            'triton_run_matmul_from_source(source, "matmul", [1], [1], 1, 1, 1, 16, 16, 12)',
            "BLOCK_K cannot be 12",
        ),
        (
            'triton_run_matmul_from_source(source, "other", [1], [1], 1, 1, 1, 16, 16, 16)',
            "the source defines 'matmul', not 'other'",
        ),
        (
            'triton_run_matmul_from_source("x = ", "f", [1], [1], 1, 1, 1, 16, 16, 16)',
            "<kernel f>:1:",
        ),
    ],
)
def test_what_is_wrong_is_said_in_the_status(call: str, message: str):
    found, (status, said) = host(call)
    assert (found, status) == ([], "Err")
    assert message in said


def test_kernels_need_two_matrices_and_an_output():
    source = SOURCE.replace("a, b, c", "a, b, c, d")
    found, status = host(
        'triton_run_matmul_from_source(source, "matmul", [1], [1], 1, 1, 1, 16, 16, 16)', source
    )
    assert found == [] and "takes 4 parameters, and 3 are needed" in status[1]


def test_sizes_that_the_result_depends_on_are_those_that_are_given():
    source = SOURCE.replace("load_block(pb), total)", "load_block(pb), total) + BLOCK_N")
    call = 'triton_run_matmul_from_source(source, "matmul", [1, 1], [1, 1], 1, 2, 1, 16, 32, {})'
    assert host(call.format(1), source)[0] == [66.0]
    assert host(call.format(2), source)[0] == [34.0]


def test_the_triton_text_of_a_kernel():
    text, status = host('triton_lower_kernel_source_matmul(source, "matmul")')
    assert status == ["Ok", ""] and "@triton.jit" in text and "tl.dot(" in text
    compile(text, "<matmul>", "exec")
    named = host('triton_matmul_kernel_source("product", 2, 3, 4, 16, 16, 16)')
    assert "def product_kernel(" in named
