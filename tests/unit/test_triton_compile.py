"""Printed Triton compiles for every kind of GPU, and the machine code keeps what was promised."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest
from evaluator_kernels import linear

from patlang_ir.diagnostics import CompileError

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from operation_kernels import groups
from program_kernels import PROGRAMS
from triton_modules import lowered

pytest.importorskip("triton")

from patlang_ir.runtime.triton_compile import compile_triton

TARGETS = {"cuda:80": "cubin", "cuda:90": "cubin", "hip:gfx942": "hsaco"}
GROUPS = {group.name: group for group in groups()}
PROGRAM = {program.name: program for program in PROGRAMS}
COMPILED = (
    "f32_operators",
    "f64_literals",
    "bf16_roundings",
    "f16_remainders",
    "i32_divisions",
    "ui8_shifts",
    "i1_comparisons",
    "f32_casts",
    "while_that_loads_its_condition",
    "while_tests_what_the_body_ignores",
    "nested_loops",
    "branches",
    "row_softmax",
    "reductions_with_nan",
    "atomics",
    "minus_one_in_bf16",
)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", COMPILED)
def test_machine_code(name: str, target: str) -> None:
    kernel = (GROUPS.get(name) or PROGRAM[name]).kernel()
    (stages,) = compile_triton(lowered(kernel, target=target), target).values()
    assert len(stages[TARGETS[target]]) > 1000


def code(body: str, stage: str, params: dict[str, str] | None = None) -> str:
    """A stage of the compilation of a kernel that reads `x` and `y` and stores `%r`."""
    text = f"""%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    %w = tile.load %y[%offs] : (B<f32>, T<i64>) -> T<f32>
    {body}
    tile.store %r, %out[%offs] : T<f32>, B<f32>, T<i64>"""
    kernel = linear(params or {"x": "f32[]", "y": "f32[]", "out": "f32[]"}, text)
    (stages,) = compile_triton(lowered(kernel)).values()
    return stages[stage]


def test_strict_maths_is_not_contracted() -> None:
    ptx = code("%p = tile.mul %v, %w : T<f32>\n%r = tile.add %p, %v : T<f32>", "ptx")
    assert "mul.rn.f32" in ptx or "mul.f32" in ptx
    assert "fma" not in ptx


def test_division_and_root_are_correctly_rounded() -> None:
    ptx = code("%p = tile.div %v, %w : T<f32>\n%r = tile.sqrt %p : T<f32>", "ptx")
    assert "div.rn.f32" in ptx
    assert "sqrt.rn.f32" in ptx
    assert "approx" not in ptx


def test_nan_wins() -> None:
    assert "max.NaN.f32" in code("%r = tile.max %v, %w : T<f32>", "ptx")


def test_a_double_keeps_its_digits() -> None:
    kernel = linear(
        {"x": "f64[]", "out": "f64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f64>, T<i64>) -> T<f64>
        %c = tile.constant 0.1 : f64
        %b = tile.broadcast %c : f64 -> T<f64>
        %m = tile.max %v, %b : T<f64>
        %p = tile.mul %m, %b : T<f64>
        %z = tile.constant -0.0 : f64
        %zb = tile.broadcast %z : f64 -> T<f64>
        %r = tile.mul %p, %zb : T<f64>
        tile.store %r, %out[%offs] : T<f64>, B<f64>, T<i64>""",
    )
    (stages,) = compile_triton(lowered(kernel)).values()
    constants = set(re.findall(r"dense<(\S+)> : tensor<\w+xf64>", stages["ttir"]))
    assert {float(c) for c in constants} == {0.1, 0.0}
    assert "dense<-0.000000e+00>" in stages["ttir"]


def test_code_has_the_lines_of_the_program(tmp_path: Path) -> None:
    from patlang_ir import load
    from patlang_ir.runtime.compiler import Request

    file = tmp_path / "lines.patlang"
    file.write_text(
        "# @gpu_kernel\nmake function f takes x, out\n  let a = x[offs]\n\n"
        "  store(out, offs, a * 3.0)\nend\n"
    )
    module = load(file)["f"].compiler.module("tl", Request())
    (stages,) = compile_triton(module).values()
    assert re.search(rf'\.file\s+1 ".*{file.name}"', stages["ptx"])
    lines = {int(line) for line in re.findall(r"^\s*\.loc\s+1\s+(\d+)", stages["ptx"], re.M)}
    assert {3, 5} <= lines <= {2, 3, 5}


def test_an_error_of_triton_is_shown_at_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    import triton.language as tl

    def fail(*_: Any, **__: Any) -> None:
        raise ValueError("no root today")

    kernel = linear(
        {"x": "f64[]", "out": "f64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f64>, T<i64>) -> T<f64>
        %r = tile.sqrt %v : T<f64>
        tile.store %r, %out[%offs] : T<f64>, B<f64>, T<i64>""",
    )
    fail.__triton_builtin__ = True  # type: ignore[attr-defined]
    monkeypatch.setattr(tl, "sqrt", fail)
    with pytest.raises(CompileError) as caught:
        compile_triton(lowered(kernel))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "P504"
    assert "no root today" in diagnostic.message
