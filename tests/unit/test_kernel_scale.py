"""Long kernels: no stack runs out, and the time grows with the length."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError


def kernel(lines: list[str]) -> pl.Kernel:
    body = "\n".join(lines)
    return pl.loads(f"# @gpu_kernel\nmake a function called k takes x, out\n{body}\nend\n")["k"]


def run(lines: list[str]) -> list[float]:
    x, out = np.array([1.0, 2.0, 3.0]), np.zeros(3)
    kernel(lines)(x, out)
    return out.tolist()


def test_a_long_sum() -> None:
    lines = ["let a = x[offs]", *["let a = a + 1.0"] * 1100, "store(out, offs, a)"]
    assert run(lines) == [1101, 1102, 1103]
    assert run([f"store(out, offs, {' + '.join(['x[offs]'] * 1100)})"]) == [1100, 2200, 3300]


def test_a_long_way_to_an_index() -> None:
    steps = ["let i = i + 1"] * 600 + ["let i = i - 1"] * 599
    assert run(["let i = offs", *steps, "store(out, offs, x[i])"]) == [2, 3, 0]


def test_a_long_way_to_a_bound() -> None:
    lines = ["let i = 0", "while i < n" + " + 1 - 1" * 600 + " do", "let i = i + 1", "end"]
    assert run([*lines, "store(out, offs, x[offs] + i)"]) == [4, 5, 6]


def test_many_variables_of_a_loop() -> None:
    names = [f"v{i}" for i in range(300)]
    lines = [f"let {name} = {i}" for i, name in enumerate(names)]
    lines += ["let i = 0", "while i < 2 do"]
    lines += [f"let {a} = {b}" for a, b in pairwise(names)]
    lines += ["let v299 = x[offs]", "let i = i + 1", "end", "store(out, offs, v0 + v297 * v298)"]
    assert run(lines) == [2 + 299 * 1, 2 + 299 * 2, 2 + 299 * 3]


def test_deep_nesting() -> None:
    depth = 40
    lines = ["let a = x[offs]", "let i = 0"]
    lines += ["if n > 2 then", "while i < 1 do"] * (depth // 2)
    lines += ["let a = a + 1.0", "let i = i + 1"]
    lines += ["end", "end"] * (depth // 2)
    assert run([*lines, "store(out, offs, a)"]) == [2, 3, 4]


def chain(arms: int) -> list[str]:
    lines = ["if n == 1000 then", "let a = 0.0"]
    for i in range(1, arms):
        lines += [f"elif n == {1000 - i} or {i} == {arms - 1} then", f"let a = {i}.0"]
    return [*lines, "else", "let a = 0.5", "end", "store(out, offs, a)"]


def test_long_chains_of_elif() -> None:
    assert run(chain(30)) == [29] * 3
    with pytest.raises(CompileError) as caught:
        run(chain(101))
    assert [d.code for d in caught.value.diagnostics] == ["P120"]


SHAPES: dict[str, Callable[[int], list[str]]] = {
    "statements": lambda k: ["let a = x[offs]", *["let a = a * 1.5 + 0.5"] * k],
    "variables": lambda k: ["let a = 0", *[f"let v{i} = x[offs] * {i}.0" for i in range(k)]],
    "loops": lambda k: [
        "let a = x[offs]",
        *["let i = 0 while i < 3 do let a = a + 1.0 let i = i + 1 end"] * (k // 4),
    ],
    "stores": lambda k: ["let a = x[offs]", *["store(out, offs, a) let a = a + 1.0"] * (k // 2)],
    "branches": lambda k: [
        "let a = x[offs]",
        *[f"if n > {i} then let a = a + 1.0 end" for i in range(k // 3)],
    ],
    "a rotation": lambda k: [
        *[f"let v{i} = {i}" for i in range(k)],
        "let i = 0 while i < 2 do",
        *[f"let v{i} = v{i + 1}" for i in range(k - 1)],
        f"let v{k - 1} = x[offs] let i = i + 1 end let a = v0 + v1",
    ],
}


@pytest.mark.parametrize("name", SHAPES)
def test_work_grows_with_length(name: str) -> None:
    """Five times the text may take eight times the calls; what is quadratic takes 25 times."""

    def calls(length: int) -> int:
        lines = [*SHAPES[name](length), "store(out, offs, a)"]
        count = 0

        def note(frame: object, event: str, arg: object) -> None:
            nonlocal count
            count += event.endswith("call")

        sys.setprofile(note)
        try:
            kernel(lines).triton_source(signature={"x": "f32", "out": "f32"})
        finally:
            sys.setprofile(None)
        return count

    calls(20)
    assert calls(400) < 8 * calls(80)
