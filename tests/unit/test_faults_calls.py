"""Calls of kernels: what goes in comes back exactly, and what fails says so.

Kernels are called as functions, by their source, through the registry and in sessions.
"""

from __future__ import annotations

import math
import os
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, MATMUL, errors, kernel_text, refused, run, run_host

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError, LaunchError, RunError

IDENTITY = "store(out, offs, x[offs])"
OK = ["Ok", ""]


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def source_of(body: str, params: str = "x, out") -> str:
    return kernel_text(body, params).removeprefix(f"{LINEAR}\n")


def in_program(lines: str, body: str = IDENTITY, params: str = "x, out") -> Any:
    """What a program gives that has `source` and `kernels` and calls `k` by its name."""
    given = f'include "gpu_kernels"\nlet source = {quoted(source_of(body, params))}\n'
    if "kernels," in lines:
        marked = quoted(kernel_text(body, params))
        given += f"let kernels = gpu_extract_marked_kernels({marked})\n"
    return run_host(f"{given}{lines}")


WAYS = {
    "a call": "k(x, out)\nreturn [out, ['Ok', '']]".replace("'", '"'),
    "the registry": 'return gpu_call_1d(kernels, "k", [x, out])',
    "a timed call": 'let r = gpu_call_1d_timed(kernels, "k", [x, out], 3)\nreturn [r[0], r[3]]',
    "a tuned call": 'return gpu_call_1d_autotune(kernels, "k", [x, out], [64, 256])',
    "the source": 'return triton_run_kernel_source(source, "k", [x, out])',
    "a session": """let s = triton_session_start(10000)
        let status = triton_session_define(s[0], source, "k")
        if status[0] == "Err" then
          return [[], status]
        end
        triton_session_store(s[0], "x", x)
        triton_session_store(s[0], "out", out)
        let status = triton_session_launch(s[0], "k", ["x", "out"])
        let found = triton_session_fetch(s[0], "out")
        triton_session_stop(s[0])
        if status[0] == "Err" then
          return [[], status]
        end
        return found""",
}


def call(way: str, x: str, out: str, body: str = IDENTITY) -> Any:
    """`[output, status]` of a kernel, called in one of the ways, on lists that are written so.

    A program that stops with an error has no output, and that error as its status.
    """
    lines = f"let x = {x}\nlet out = {out}\n{WAYS[way]}"
    try:
        if way == "a call":
            return run_host(f"{kernel_text(body)}{lines}")
        return in_program(lines, body)
    except (CompileError, LaunchError, RunError) as error:
        return [[], ["Err", str(error)]]


def same_numbers(a: list[float], b: list[float]) -> bool:
    return len(a) == len(b) and all(
        (math.isnan(p) and math.isnan(q)) or (p == q and math.copysign(1, p) == math.copysign(1, q))
        for p, q in zip(a, b, strict=True)
    )


# --- numbers cross exactly ---

NUMBERS = {
    "[1.0, 0.0 / 0.0, 1.0]": [1, math.nan, 1],
    "[0.0 / 0.0, 1 / 0.0, -1 / 0.0]": [math.nan, math.inf, -math.inf],
    "[100000000000000000000.0, 1 / 3, 0.1]": [1e20, 1 / 3, 0.1],
    "[100000000000000000000]": [1e20],
    "[-0.0, 0.0]": [-0.0, 0.0],
    "[16777217, 9007199254740991]": [16777217, 9007199254740991],
    "[0.000000000000000000000000000000000000000000000000001]": [1e-51],
    "[]": [],
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("written", NUMBERS)
def test_every_number_comes_back_as_it_went(way: str, written: str):
    expected = NUMBERS[written]
    found, status = call(way, written, f"[{', '.join('7' * len(expected))}]")
    if expected or status == OK:
        assert status == OK
        assert same_numbers(found, expected), (found, expected)
    assert all(type(value) is float for value in found)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_not_finite_cuts_nothing(way: str):
    found, status = call(way, "[1, 0, 3]", "[0, 0, 0]", "store(out, offs, x[offs] / x[offs])")
    assert status == OK and same_numbers(found, [1, math.nan, 1])


@pytest.mark.parametrize("way", WAYS)
def test_many_numbers_cross_and_take_time_in_proportion(way: str):
    """As text this many took minutes, and replies were cut at 64 KiB."""
    count = 40_000
    lines = f"""let x = []
    let i = 0
    while i < {count} do
      let x = list_push(x, i / 8)
      let i = i + 1
    end
    let out = x
    {WAYS[way]}"""
    start = time.perf_counter()
    found, status = (
        in_program(lines) if way != "a call" else run_host(kernel_text(IDENTITY) + lines)
    )
    assert time.perf_counter() - start < 20
    assert status == OK and found == [i / 8 for i in range(count)]


# --- what is no number is data, and never code ---

NO_NUMBERS = ['"print(1)"', '"1"', "[1]", "true", "sqrt(-1)", '"__import__(1)"']


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("element", NO_NUMBERS)
def test_an_element_that_is_no_number_is_refused(
    way: str, element: str, capsys: pytest.CaptureFixture[str]
):
    found, status = call(way, f"[1, {element}]", "[0, 0]")
    assert found == [] and status[0] == "Err" and status[1]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["k; import os", 'k")', "", "K", "print", "../k", "os.system"])
def test_the_name_of_a_kernel_is_data(name: str):
    for lines in (
        f"return gpu_call_1d(kernels, {quoted(name)}, [[1], [0]])",
        f"return triton_run_kernel_source(source, {quoted(name)}, [[1], [0]])",
    ):
        found, status = in_program(lines)
        assert found == [] and status[0] == "Err" and status[1]


def test_a_source_is_data():
    for source in (
        "import os",
        'print("hello")',
        "make a function called k takes x, out",
        "",
        "x = 1",
    ):
        lines = f'return triton_run_kernel_source({quoted(source)}, "k", [[1], [0]])'
        found, status = in_program(lines)
        assert found == [] and status[0] == "Err" and status[1]


# --- a call that fails is an error, and never an empty answer ---

FAILING = {
    "store(out, offs, x[offs] * gain)": "gain",
    "store(out, offs, x[offs] + bnot 1.5)": "bnot",
    "store(out, 0, x[offs])": "index",
    "let y = (x[offs]": "(",
    'store(out, offs, "text)': "",
    "if x[offs] > 0 then\nstore(out, offs, 1)\nend": "select",
    "store(x, offs, x[offs + 1])": "'x'",
    "let i = 0": "k",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("body", FAILING)
def test_a_kernel_that_is_wrong_gives_the_reason(way: str, body: str):
    found, status = call(way, "[1, 2]", "[0, 0]", body)
    assert found == [] and status[0] == "Err"
    assert FAILING[body] in status[1], status


@pytest.mark.parametrize("way", WAYS)
def test_a_reason_names_the_line_of_the_kernel(way: str):
    found, status = call(way, "[1, 2]", "[0, 0]", "let y = 1\nstore(out, offs, x[offs] * gain)")
    assert found == [] and status[0] == "Err"
    line = 4 if way == "a call" else 3
    assert f":{line}:" in status[1] or f":{line + 1}:" in status[1], status


@pytest.mark.parametrize(
    ("x", "out"), [("[1, 2]", "[0]"), ("[1]", "[0, 0]"), ("[1]", "[]"), ("[1]", "5")]
)
@pytest.mark.parametrize("way", WAYS)
def test_lengths_that_do_not_fit_are_an_error(way: str, x: str, out: str):
    found, status = call(way, x, out)
    assert found == [] and status[0] == "Err" and status[1]


@pytest.mark.parametrize("buffers", ["[x]", "[x, x, x]", "[]", "x", "5", "[[]]"])
def test_a_wrong_number_of_buffers_is_an_error(buffers: str):
    for lines in (
        f'return gpu_call_1d(kernels, "k", {buffers})',
        f'return triton_run_kernel_source(source, "k", {buffers})',
        f'let r = gpu_call_1d_timed(kernels, "k", {buffers}, 2)\nreturn [r[0], r[3]]',
    ):
        found, status = in_program(f"let x = [1, 2]\n{lines}")
        assert found == [] and status[0] == "Err" and status[1]


def test_a_kernel_of_another_kind_is_an_error():
    text = kernel_text("store(out, offs, x[offs] + row)", marker=GRID)
    found, status = run_host(
        f'include "gpu_kernels"\nlet kernels = gpu_extract_marked_kernels({quoted(text)})\n'
        'return gpu_call_1d(kernels, "k", [[1], [0]])'
    )
    assert found == [] and status[0] == "Err" and "k" in status[1]


def test_matmul_is_an_error_or_right():
    lines = "return triton_run_matmul([1, 2, 3, 4], [5, 6, 7, 8], 2, 2, 2)"
    found, status = in_program(lines)
    assert (found == [] and status[0] == "Err" and status[1]) or found == [19, 22, 43, 50]
    body = "let p = make_block_ptr(x, M, K, 0, 0, BLOCK_M, BLOCK_K)\nstore_block(p, load_block(p))"
    refusals = errors(kernel_text(body, marker=MATMUL), np.zeros(4), np.zeros(4))
    assert refusals and all(d.place is not None for d in refusals)


# --- block sizes are checked before anything runs ---


@pytest.mark.parametrize("sizes", ["[100]", "[64, 100]", "[0]", "[-64]", "[3]", "[2.5]", "[]"])
def test_a_block_size_that_cannot_be_is_refused(sizes: str):
    found, status = in_program(f'return gpu_call_1d_autotune(kernels, "k", [[1], [0]], {sizes})')
    assert found == [] and status[0] == "Err" and status[1]
    with pytest.raises(CompileError) as caught:
        run(IDENTITY, np.ones(2), np.zeros(2), marker=f"# @gpu_kernel(autotune={sizes})")
    assert {d.code for d in caught.value.diagnostics} == {"P118"}


def test_tuning_is_refused_where_the_size_of_a_block_shows():
    for body in ("store(out, 0, sum(x[offs]))", "store(out, 0, sum (x[offs]))"):
        lines = 'return gpu_call_1d_autotune(kernels, "k", [[1, 2], [0]], [64])'
        found, status = in_program(lines, body)
        assert found == [] and status[0] == "Err"
        refused(body, "P403", None, marker="# @gpu_kernel(autotune=[64])")


# --- nothing is left behind, and nothing is shared ---


def test_no_file_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    before = set(os.listdir("/tmp"))
    for way in WAYS:
        assert call(way, "[1, 2]", "[0, 0]") == [[1, 2], OK]
    assert os.listdir(tmp_path) == []
    left = {
        name for name in set(os.listdir("/tmp")) - before if "triton" in name or "patlang" in name
    }
    assert left == set()


def test_two_programs_with_a_kernel_of_one_name_do_not_meet():
    one, two = (pl.loads(kernel_text(f"store(out, offs, {n})", "out"))["k"] for n in (1, 2))
    a, b = np.zeros(2), np.zeros(2)
    one(a)
    two(b)
    one(a)
    assert (a.tolist(), b.tolist()) == ([1, 1], [2, 2])


# --- what a kernel may take, write and call ---


def test_single_numbers_shapes_several_outputs_and_helpers():
    text = """
    fn scaled(v, by) { return v * by }
    # @gpu_kernel
    fn k(x, alpha, first, second) {
      store(first, offs, scaled(x[offs], alpha))
      store(second, 0, sum(x[offs]) + n)
    }
    let a = [1, 2, 3]
    let first = [0, 0, 0]
    let second = [0]
    k(a, 0.5, first, second)
    return [a, first, second]
    """
    assert run_host(text) == [[1, 2, 3], [0.5, 1, 1.5], [9]]
    x, first, second = np.array([1.0, 2, 3]), np.zeros(3), np.zeros(1)
    pl.loads(text)["k"](x, 0.5, first, second)
    assert (first.tolist(), second.tolist()) == ([0.5, 1, 1.5], [9])


@pytest.mark.parametrize("alpha", [2, 2.5, True, np.float32(0.5), np.int64(3)])
def test_a_single_number_of_any_kind(alpha: Any):
    body = "store(out, offs, x[offs] * alpha)"
    if alpha is True:
        refused(body, "P305", None, np.ones(2), alpha, np.zeros(2), params="x, alpha, out")
        return
    found = run(body, np.array([1.0, 2]), alpha, np.zeros(2), params="x, alpha, out")
    assert found.tolist() == [float(alpha), 2 * float(alpha)]


def test_a_2d_kernel_gets_its_shape():
    text = kernel_text("store(out, offs, x[offs] * 100 + n_rows * 10 + col)", marker=GRID)
    lines = 'return gpu_call_2d(kernels, "k", 2, 3, [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0]])'
    found, status = run_host(
        f'include "gpu_kernels"\nlet kernels = gpu_extract_marked_kernels({quoted(text)})\n{lines}'
    )
    assert status == OK and found == [120, 221, 322, 420, 521, 622]


# --- a marked function means something on the CPU ---


def test_a_marked_function_is_called_like_any_other_and_writes_its_list():
    text = kernel_text("store(out, offs, x[offs] * 2)")
    assert run_host(f"{text}let out = [0, 0]\nk([1, 2], out)\nreturn out") == [2, 4]
    inside = "fn f(a) { let out = [0, 0]  k(a, out)  return out }\nreturn f([3, 4])"
    assert run_host(f"{text}{inside}") == [6, 8]


def test_a_call_gives_unit_and_other_holders_keep_their_list():
    text = kernel_text("store(x, offs, x[offs] * 2)", "x")
    program = f"{text}let a = [1, 2]\nlet b = a\nlet r = k(a)\nreturn [a, b, type_of(r)]"
    assert run_host(program) == [[2, 4], [1, 2], "unit"]


@pytest.mark.parametrize("written", ["[0, 0]", "f()", "xs[0]", "1 + 1"])
def test_what_a_kernel_writes_must_be_a_variable(written: str):
    text = kernel_text(IDENTITY) + "fn f() { return [0, 0] }\nlet xs = [[0, 0]]\n"
    with pytest.raises(CompileError) as caught:
        run_host(f"{text}k([1, 2], {written})")
    assert [d.code for d in caught.value.diagnostics] == ["P207"]


def test_the_same_kernel_as_a_function_of_the_host_gives_the_same():
    """The independent answer is plain PatLang, written twice."""
    body = """let v = x[offs]; let i = 0
    while i < 5 do
      let v = v * 0.5 + i; let i = i + 1
    end
    store(out, offs, v % 3)"""
    host = """
    fn twin(x) {
      let out = []
      let j = 0
      while j < to_num(list_len(x)) {
        let v = x[j]
        let i = 0
        while i < 5 {
          let v = v * 0.5 + i
          let i = i + 1
        }
        let out = list_push(out, v % 3)
        let j = j + 1
      }
      return out
    }
    let a = [1, -2.5, 1000000, 0.1]
    let out = [0, 0, 0, 0]
    k(a, out)
    return [out, twin(a)]
    """
    found, twin = run_host(kernel_text(body) + host)
    assert found == twin and len(set(found)) == 4
