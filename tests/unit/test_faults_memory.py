"""Memory of kernels: nothing outside a buffer, nothing of padding, nothing that races."""

from __future__ import annotations

import math

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, errors, gives, kernel_text, refused, run, run_host

import patlang_ir as pl
from patlang_ir.diagnostics import LaunchError, RunError

X = [3, -1, 4, 1, -5]

# --- reductions see the whole input, and no padding ---

POSITIVE, NEGATIVE = [3, 1, 4, 1, 5], [-3, -1, -4, -1, -5]
REDUCTIONS = {
    "sum(x[offs])": sum,
    "sum (x[offs])": sum,
    "sum(\n x[offs]\n)": sum,
    "prod(x[offs])": math.prod,
    "reduce_max(x[offs])": max,
    "reduce_min(x[offs])": min,
    "argmax(x[offs])": lambda x: x.index(max(x)),
    "argmin(x[offs])": lambda x: x.index(min(x)),
    "sum(x[offs] + 1)": lambda x: sum(x) + len(x),
    "sum(exp(x[offs] * 0))": len,
    "prod(x[offs] * 0 + 2)": lambda x: 2 ** len(x),
    "sum(1)": len,
    "reduce_min(select(x[offs] > 0, 7, -7))": lambda x: 7 if x[0] > 0 else -7,
    "reduce_max(0 - x[offs])": lambda x: -min(x),
    "select(any(x[offs] == 0), 1, 0)": lambda x: 0,
    "select(all(x[offs] != 0), 1, 0)": lambda x: 1,
}


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("x", [POSITIVE, NEGATIVE, POSITIVE[:4], NEGATIVE[:3], [7], NEGATIVE * 4])
def test_a_reduction_is_over_the_whole_input_and_nothing_else(reduction: str, x: list[int]):
    answer = REDUCTIONS[reduction](x)
    zeros = [0] * (len(x) - 1)
    if "prod(x" in reduction and len(x) > 5:
        pytest.skip("too large to be exact")
    gives(f"store(out, 0, {reduction} + x[0] * 0)", [answer, *zeros], x, [0, *zeros])


def test_a_word_in_a_comment_a_name_or_a_string_of_another_function_is_no_reduction():
    for line in ("# like sum( of one", "let sum_of = 1 # reduce_max(", "let argmax_ = 0"):
        text = kernel_text(f"{line}\nstore(out, offs, x[offs])")
        kernel = pl.loads(text)["k"]
        x, out = np.arange(3e6, dtype="f4"), np.zeros(3_000_000, "f4")
        kernel(x, out)
        assert np.array_equal(x, out)
        assert "upto" not in kernel.ir("tile") and "reduce" not in kernel.ir("tile")


# --- no access leaves its buffer ---

SHIFTS = [
    "offs - 1",
    "offs + 1",
    "offs - 7",
    "offs + 7",
    "offs * 2",
    "0 - offs",
    "n",
    "-1",
    "9",
    "n * n",
]


@pytest.mark.parametrize("index", SHIFTS)
def test_a_load_outside_gives_zero(index: str):
    places = [eval(index, {"offs": lane, "n": 5}) for lane in range(5)]
    expected = [X[i] if 0 <= i < 5 else 0 for i in places]
    gives(
        f"store(out, offs, x[{index}] + 10 + x[offs] * 0)", [v + 10 for v in expected], X, [0] * 5
    )
    gives(f"store(out, offs, exp(x[{index}] * 0) + x[offs])", [1 + v for v in X], X, [0] * 5)


@pytest.mark.parametrize("index", SHIFTS)
def test_a_store_outside_does_nothing(index: str):
    expected = [9] * 5
    value = "x[offs]" if "offs" in index else "x[0]"
    for lane in range(5):
        place = eval(index, {"offs": lane, "n": 5})
        if 0 <= place < 5:
            expected[place] = X[lane if "offs" in index else 0]
    gives(f"store(out, {index}, {value})", expected, X, [9] * 5)


def test_each_buffer_has_its_own_end():
    body = "store(out, offs + 1, x[offs] + y[offs + 1]); store(z, offs * 2, x[offs])"
    z = [0, 0, 0]
    gives(
        "store(z, offs * 2, x[offs]); store(out, offs + 1, x[offs] + y[offs + 1])",
        [8, 3 + 20, -1],
        [3, -1, 4],
        [10, 20],
        z,
        [8, 8, 8],
        params="x, y, z, out",
    )
    args = [np.array(v, "f8") for v in ([3, -1, 4], [10, 20], z, [8, 8, 8])]
    run(body, *args, params="x, y, z, out")
    assert args[2].tolist() == [3, 0, -1]


def test_checked_runs_show_the_access():
    for body, index in (
        ("store(out, offs, x[offs - 1])", -1),
        ("store(out, offs + 1, x[offs])", 3),
    ):
        text = kernel_text(body) + "let out = [0, 0, 0]\nk([1, 2, 3], out)\nreturn out"
        with pytest.raises(RunError) as caught:
            pl.loads(text).run(device="cpu", checked=True)
        found = caught.value.diagnostic
        assert found.code == "P607" and f"index {index}" in found.message
        assert found.place is not None and found.place.line == 3


def test_memory_beside_a_buffer_is_not_touched():
    memory = np.full(12, 7.0)
    x, out = np.arange(4.0), memory[4:8]
    run("store(out, offs * 3 - 4, x[offs] + 1)", x, out)
    run("atomic_add(out, offs * 3 - 4, x[offs] + 1)", x, out)
    assert memory[:4].tolist() == memory[8:].tolist() == [7] * 4


# --- lengths and counts ---


@pytest.mark.parametrize("length", [0, 2, 4, 6])
def test_a_buffer_that_lanes_index_has_one_element_for_each(length: int):
    x, out = np.arange(5.0), np.full(length, 7.0)
    for body in ("store(out, offs, x[offs])", "atomic_add(out, x[offs])"):
        text = kernel_text(body)
        (found,) = errors(text, x, out)
        assert found.code == "P501" and found.place is not None
        assert "'out'" in found.message and "'x'" in found.message
        assert str(length) in found.message and "5" in found.message
        program = f"{text}let out = [{', '.join(['7'] * length)}]\nk([0, 1, 2, 3, 4], out)"
        with pytest.raises((LaunchError, RunError)):
            run_host(program)
    assert out.tolist() == [7] * length
    (found,) = errors(kernel_text("store(x, offs, out[offs])"), x, out)
    assert found.code == "P501"


def test_the_shape_of_a_matrix_counts():
    text = kernel_text("store(out, offs, x[offs])", marker=GRID)
    x = np.array([[1.0, 2, 3], [5, 7, 11]])
    for shape in ((3, 2), (2, 2), (7,), (1, 6), (2, 3, 1)):
        (found,) = errors(text, x, np.zeros(shape))
        assert found.code == "P501" and "'out'" in found.message
    for shape in ((2, 3), (6,)):
        out = np.zeros(shape)
        pl.loads(text)["k"](x, out)
        assert out.reshape(-1).tolist() == [1, 2, 3, 5, 7, 11]
    (found,) = errors(text, np.zeros(6), np.zeros(6))
    assert found.code == "P501" and "1 dimension, and a 2-D kernel needs 2" in found.message


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_number_of_arguments_is_checked(count: int):
    (found,) = errors(kernel_text("store(out, offs, x[offs])"), *[np.zeros(3)] * count)
    assert found.code == "P203" and "2 arguments (x, out)" in found.message


def test_a_call_with_too_few_arguments_does_not_run():
    text = kernel_text("store(out, offs, x[offs])") + "let a = [1, 2]\n"
    for call in ("k(a)", "k()", "k(a, a, a)"):
        with pytest.raises(Exception, match="P203"):
            run_host(f"{text}{call}")


def test_a_buffer_for_a_number_and_a_number_for_a_buffer():
    (found,) = errors(kernel_text("store(out, offs, s)", "s, out"), np.zeros(3), np.zeros(3))
    assert found.code == "P502" and "'s'" in found.message
    (found,) = errors(kernel_text("store(out, offs, x[offs])"), 3.0, np.zeros(3))
    assert found.code == "P502" and "'x'" in found.message


# --- stores that race, and the same buffer twice ---


@pytest.mark.parametrize(
    "body",
    [
        "store(x, offs, x[offs + 1])",
        "store(x, n - 1 - offs, x[offs])",
        "store(out, offs + 1, x[offs]); store(out, offs, x[offs])",
        "store(out, 0, 1); store(out, offs, out[offs] + x[offs])",
        "store(x, idx[offs], x[offs])",
    ],
)
def test_lanes_that_meet_in_memory_are_refused(body: str):
    params = ", ".join(p for p in ("x", "idx", "out") if f"{p}[" in body or f"({p}," in body)
    text = kernel_text(body, params)
    found = errors(text, *[np.zeros(3, "i8" if p == "idx" else "f8") for p in params.split(", ")])
    assert {d.code for d in found} == {"P402"}
    assert all(d.place is not None and d.help for d in found)


def test_a_store_of_one_number_happens_as_if_once():
    gives("store(out, 0, n * 1.0 + x[0])", [8, 0, 0, 0, 0], X, [0] * 5)
    gives("store(out, n - 1, x[1]); store(out, n - 1, x[2])", [0, 0, 0, 0, 4], X, [0] * 5)


def test_buffers_that_overlap_are_refused_where_lanes_would_meet():
    memory = np.arange(8.0)
    shifted = kernel_text("store(out, offs, x[offs] + 1)")
    (found,) = errors(shifted, memory[:6], memory[2:])
    assert found.code == "P503" and "'out'" in found.message and "'x'" in found.message
    assert memory.tolist() == list(range(8))
    pl.loads(shifted)["k"](memory, memory)
    assert memory.tolist() == list(range(1, 9))
    gathered = kernel_text("store(out, offs, x[n - 1 - offs])")
    (found,) = errors(gathered, memory, memory)
    assert found.code == "P503"


def test_lists_of_a_program_are_values_and_never_overlap():
    text = kernel_text("store(out, offs, x[n - 1 - offs])")
    assert run_host(f"{text}let a = [1, 2, 3]\nlet b = a\nk(a, a)\nreturn [a, b]") == [
        [3, 2, 1],
        [1, 2, 3],
    ]


# --- what is run again starts from the same ---


@pytest.mark.parametrize(
    ("body", "once"),
    [
        ("atomic_add(out, x[offs])", [13, 9, 14]),
        ("store(out, offs, out[offs] + 1)\nstore(x, offs, x[offs] * 2)", [11, 11, 11]),
        ("atomic_add(out, 0, x[offs])", [16, 10, 10]),
        ("store(out, offs, out[offs] * x[offs])", [30, -10, 40]),
    ],
)
def test_a_timed_or_tuned_run_has_the_effect_of_one(body: str, once: list[int]):
    text = kernel_text(body).replace("\n", "\\n")
    program = f"""include "gpu_kernels"
    let kernels = gpu_extract_marked_kernels("{text}")
    let x = [3, -1, 4]
    let out = [10, 10, 10]
    let plain = gpu_call_1d(kernels, "k", [x, out])
    let timed = gpu_call_1d_timed(kernels, "k", [x, out], 6)
    let tuned = gpu_call_1d_autotune(kernels, "k", [x, out], [64, 128])
    return [plain, [timed[0], timed[3]], tuned, x, out]"""
    plain, timed, tuned, x, out = run_host(program)
    assert plain == timed == tuned == [once, ["Ok", ""]]
    assert (x, out) == ([3, -1, 4], [10, 10, 10])


# --- atomics have an index ---

ATOMICS = {
    "atomic_add(out, 0, x[offs])": [2, 0, 0, 0, 0],
    "atomic_add(out, n - 1, x[offs] * x[offs])": [0, 0, 0, 0, 52],
    "atomic_add(out, 0, n)": [5, 0, 0, 0, 0],
    "atomic_add(out, offs, x[offs])": X,
    "atomic_add(out, x[offs])": X,
    "atomic_add(out, offs % 2, x[offs])": [2, 0, 0, 0, 0],
    "atomic_add(out, idx[offs], 1)": [2, 0, 2, 0, 0],
    "atomic_max(out, 0, x[offs])": [4, 0, 0, 0, 0],
    "atomic_min(out, idx[offs], x[offs])": [-1, 0, 0, 0, 0],
    "atomic_max(out, idx[offs], x[offs])": [3, 0, 4, 0, 0],
}


@pytest.mark.parametrize("body", ATOMICS)
def test_atomics_make_totals_and_histograms(body: str):
    idx = [0, 0, 2, 2, 9]
    gives(f"{body}; store(y, offs, x[offs] + idx[offs])", ATOMICS[body], X, idx, [0] * 5, [0] * 5,
          params="x, idx, y, out")  # fmt: skip


def test_a_total_of_many():
    x = np.arange(100_000.0)
    assert run("atomic_add(out, 0, x[offs])", x, np.zeros(1))[0] == x.sum()


@pytest.mark.parametrize("call", ["atomic_add(out)", "atomic_add(out, 0, 1, 2)", "atomic_max()"])
def test_atomics_take_two_or_three_arguments(call: str):
    refused(call, "P203", call[:6], params="out")


@pytest.mark.parametrize(
    "body", ["let v = atomic_add(out, 0, 1)", "store(x, offs, atomic_add(out, 0, 1))"]
)
def test_the_old_value_of_an_atomic_cannot_be_used(body: str):
    found = refused(body, "P301", "atomic_add", params="x, out")
    assert "statement" in found.message


def test_atomics_of_rows_and_columns():
    x = np.array([[1.0, 2, 3], [5, 7, 11]])
    for body, expected in (
        ("atomic_add(out, 0, x[offs])", [29, 0, 0]),
        ("atomic_add(out, row, x[offs])", [6, 23, 0]),
        ("atomic_add(out, col, x[offs])", [6, 9, 14]),
        ("atomic_add(out, row, x[row])", [1, 2, 0]),
        ("atomic_max(out, col, x[offs] * row)", [5, 7, 11]),
    ):
        assert run(body, x, np.zeros(3), marker=GRID).tolist() == expected, body


def test_padding_lanes_do_nothing_whatever_they_compute():
    body = (
        "store(out, offs, 1 / (x[offs] - x[offs + 1] + 0.5)); atomic_add(y, offs * 0, x[offs] + 1)"
    )
    gives("store(out, offs, sqrt(x[offs]) + x[offs + 1])", [1 + 4, 2 + 9, 3], [1, 4, 9], [0, 0, 0])
    args = [np.array([1.0, 4, 9]), np.zeros(1), np.zeros(3)]
    run(body, *args, params="x, y, out", marker=LINEAR)
    assert args[1].tolist() == [17]
