"""Reductions that one program must do alone: too many elements are refused on every device."""

from __future__ import annotations

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.analysis.combining import LIMIT
from patlang_ir.diagnostics import LaunchError, RunError

LOOP = """
let v = x[offs]
let i = 0
while i < 33 do
  let v = v - sum(v) / n
  let i = i + 1
end
store(out, offs, v)
"""
BRANCH = "let s = reduce_max(x[offs])\nif s > 0 then store(out, 0, sum(x[offs])) end"
BOTH = "store(out, offs, x[offs] - sum(x[offs], 0) - sum(x[offs], 1))"
ROWS = "let i = 0 while i < 33 do store(out, offs, sum(x[offs], 1)) let i = i + 1 end"
TOP = "store(out, 0, sum(x[offs]))"


def text(body: str, kind: str) -> str:
    return f"# @{kind}\nmake a function called k takes x, out\n{body}\nend\n"


@pytest.mark.parametrize(
    ("body", "shape", "reason"),
    [
        (LOOP, (LIMIT + 1,), "inside a loop or a branch"),
        (BRANCH, (40_000,), "inside a loop or a branch"),
        (BOTH, (LIMIT + 1, 1), "along rows and along columns"),
        (BOTH, (200, 200), "along rows and along columns"),
        (ROWS, (1, LIMIT + 1), "inside a loop or a branch"),
    ],
)
@pytest.mark.parametrize("checked", [False, True])
def test_too_many(body: str, shape: tuple[int, ...], reason: str, checked: bool) -> None:
    kernel = pl.loads(text(body, "gpu_kernel" if len(shape) == 1 else "gpu_kernel_2d"))["k"]
    out = np.full(shape, 7.0)
    with pytest.raises(LaunchError) as caught:
        kernel(np.ones(shape), out, checked=checked)
    found = caught.value.diagnostic
    assert found.code == "P501" and f"{reason}, which takes at most {LIMIT} elem" in found.message
    assert (out == 7).all()


@pytest.mark.parametrize(
    ("body", "shape"),
    [(LOOP, (LIMIT,)), (BRANCH, (LIMIT,)), (BOTH, (2, LIMIT // 2)), (ROWS, (3, LIMIT))],
)
def test_as_many_as_one_program_takes(body: str, shape: tuple[int, ...]) -> None:
    kernel = pl.loads(text(body, "gpu_kernel" if len(shape) == 1 else "gpu_kernel_2d"))["k"]
    kernel(np.ones(shape), np.zeros(shape))


def test_at_the_top_there_is_no_limit() -> None:
    out = np.zeros(1)
    pl.loads(text(TOP, "gpu_kernel"))["k"](np.ones(LIMIT + 1), out)
    assert out[0] == LIMIT + 1


def test_lists_of_a_program() -> None:
    program = f"let out = [0]\nk(list_range(0, {LIMIT + 1}), out)\n"
    made = "make a function called list_range takes a, b\nlet r = []\nlet i = a\n\
while i < b do\nlet r = list_push(r, i)\nlet i = i + 1\nend\nreturn r\nend\n"
    with pytest.raises(RunError, match="inside a loop or a branch"):
        pl.loads(made + text(BRANCH, "gpu_kernel") + program).run(device="cpu")
