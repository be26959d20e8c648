"""Operators of kernels mean what they mean in the language, whatever their operands are made of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from kernel_texts import gives, refused, run, run_host

X = [3, -1, 0, 1, -5]
INTEGERS = [4, 0, -7, 2, 9]


def on_host(expression: str) -> float:
    return run_host(f"return {expression}")


# --- complement and not ---


@pytest.mark.parametrize("value", ["5", "0", "-1", "-8", "(2 + 3)", "bnot 5", "n"])
def test_bnot_is_the_complement_of_an_integer(value: str):
    number = 5 if value == "n" else on_host(value)
    assert isinstance(number, int)
    gives(f"store(out, offs, x[offs] + bnot {value})", [x + ~number for x in X], X, [0] * 5)


def test_bnot_of_lanes():
    body = "store(out, offs, bnot idx[offs]); store(out, offs, out[offs] + bnot offs)"
    expected = [~i + ~lane for lane, i in enumerate(INTEGERS)]
    gives(body, expected, INTEGERS, [0] * 5, params="idx, out")


@pytest.mark.parametrize("value", ["5.0", "1.5", "(n / 2)", "sqrt(4)", "(1 < 2)", "true"])
def test_bnot_of_what_is_no_integer_is_refused(value: str):
    refused(f"store(out, offs, bnot {value})", "P305", "bnot", params="out")


CONDITIONS = ["1 < 2", "2 < 1", "true", "false", "1", "0", "0.0", "2.5", "n", "n > 100", "n - 5"]


@pytest.mark.parametrize("condition", CONDITIONS)
def test_not_is_the_opposite_of_the_truth(condition: str):
    holds = bool(eval(condition, {"n": 5, "true": True, "false": False}))
    for word, expected in (("", holds), ("not ", not holds), ("not not ", holds)):
        body = f"""store(out, offs, x[offs] * 0)
        if {word}({condition}) then
          store(out, offs, 9)
        end"""
        gives(body, [9 * expected] * 5, X, [0] * 5)
        gives(
            f"store(out, offs, select({word}({condition}), 9, x[offs] * 0))",
            [9 * expected] * 5,
            X,
            [0] * 5,
        )


def test_not_of_lanes():
    gives("store(out, offs, select(not x[offs], 1, 0))", [x == 0 for x in X], X, [0] * 5)
    gives("store(out, offs, select(not (x[offs] > 0), 1, 0))", [x <= 0 for x in X], X, [0] * 5)


@pytest.mark.parametrize("word", ["and", "or"])
@pytest.mark.parametrize("left", ["2", "0", "1", "0.5", "true", "false", "4"])
@pytest.mark.parametrize("right", ["1", "0", "x[offs]", "x[offs] > 0"])
def test_and_and_or_are_of_truths_and_not_of_bits(word: str, left: str, right: str):
    def truth(lane: int) -> bool:
        a = bool(eval(left, {"true": True, "false": False}))
        b = {"x[offs]": bool(lane), "x[offs] > 0": lane > 0}.get(right, right == "1")
        return (a and b) if word == "and" else (a or b)

    body = f"store(out, offs, select({left} {word} {right}, 1, 0) + x[offs] * 0)"
    gives(body, [truth(x) for x in X], X, [0] * 5)


def test_a_logical_result_is_one_or_zero_in_arithmetic_through_select_alone():
    found = refused("store(out, offs, (x[offs] and 2) + 1)", "P305", None)
    assert "select" in found.help


# --- remainder and division ---


@pytest.mark.parametrize("left", [-7, -6, 7, 0, -1])
@pytest.mark.parametrize("right", [3, -3, 5])
def test_a_remainder_has_the_sign_of_the_left_however_it_is_computed(left: int, right: int):
    expected = int(math.fmod(left, right))
    gives(f"store(out, offs, {left} % {right} + x[offs] * 0)", [expected] * 5, X, [0] * 5)
    gives(f"store(out, offs, (n + {left - 5}) % {right} + x[offs] * 0)", [expected] * 5, X, [0] * 5)
    gives(f"store(out, offs, x[offs] % {right})", [expected], [left], [0])
    gives(f"store(out, offs, ({left} + 0.5) % {right} + x[offs] * 0)",
          [math.fmod(left + 0.5, right)] * 5, X, [0] * 5)  # fmt: skip
    gives(f"store(out, offs, idx[offs] % {right} + x[idx[offs]] * 0)",
          [expected], [left], [0], [0], params="idx, x, out")  # fmt: skip
    assert on_host(f"({left}) % ({right})") == expected


def test_a_remainder_of_positions():
    gives(
        "store(out, offs, (offs - 7) % 3)",
        [math.fmod(i - 7, 3) for i in range(9)],
        [0] * 9,
        params="out",
    )


def test_division_of_integers_is_exact_until_it_is_an_index():
    gives("store(out, offs, 7 / 2 + x[offs])", [3.5 + x for x in X], X, [0] * 5)
    gives("store(out, offs, offs / 2 + x[offs])", [i / 2 + x for i, x in enumerate(X)], X, [0] * 5)
    gives("store(out, offs, x[offs / 2])", [X[i // 2] for i in range(5)], X, [0] * 5)


# --- words of bits ---


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("offs band 3", lambda i, v: i & 3),
        ("offs bor 4", lambda i, v: i | 4),
        ("offs bxor 5", lambda i, v: i ^ 5),
        ("1 shl offs", lambda i, v: 1 << i),
        ("100 shr offs", lambda i, v: 100 >> i),
        ("idx[offs] shr 1", lambda i, v: v >> 1),
        ("idx[offs] band offs bor 8", lambda i, v: (v & i) | 8),
        ("6 band 3 bor 8", lambda i, v: 10),
        ("1 shl 2 + 3", lambda i, v: 7),
    ],
)
def test_words_of_bits(expression: str, answer: object):
    assert callable(answer)
    expected = [answer(i, v) for i, v in enumerate(INTEGERS)]
    gives(
        f"store(out, offs, {expression} + idx[offs] * 0)",
        expected,
        INTEGERS,
        [0] * 5,
        params="idx, out",
    )


@pytest.mark.parametrize("word", ["band", "bor", "bxor", "shl", "shr"])
def test_words_of_bits_take_integers(word: str):
    refused(f"store(out, offs, offs {word} 1.5)", "P305", word, params="out")
    refused(f"store(out, offs, (1 < 2) {word} 1)", "P305", word, params="out")


def test_lists_whose_elements_are_words_of_bits_must_be_whole():
    body = "store(out, offs, x[offs] band 3)"
    gives(body, [1, 2], [5, 6], [0, 0])
    refused(body, "P305", "band", np.array([1.5]), np.zeros(1))


# --- truth values and numbers ---


@pytest.mark.parametrize(("value", "holds"), [("true", True), ("false", False)])
def test_truth_values_are_values(value: str, holds: bool):
    body = f"let ok = {value}; store(out, offs, select(ok, x[offs], 7))"
    gives(body, X if holds else [7] * 5, X, [0] * 5)
    body = f"""let ok = {value}
    store(out, offs, 7)
    if ok then
      store(out, offs, x[offs])
    end"""
    gives(body, X if holds else [7] * 5, X, [0] * 5)
    gives(f"store(out, offs, select(x[offs] > 0 == {value}, 1, 0))",
          [(x > 0) == holds for x in X], X, [0] * 5)  # fmt: skip


def test_integers_are_floats_where_a_function_needs_floats():
    found = run("store(out, offs, exp(offs) + sqrt(2) + sin(x[idx[offs]]))",
                np.zeros(3), np.arange(3), np.zeros(3), params="x, idx, out")  # fmt: skip
    assert np.allclose(found, np.exp(np.arange(3)) + math.sqrt(2), rtol=1e-15)
    assert on_host("sqrt(2)") == math.sqrt(2)


INDICES = {
    "x[offs / 2]": lambda i: X[i // 2],
    "x[idx[offs]]": lambda i: X[[4, 0, 3, 3, 1][i]],
    "x[idx[idx[offs]]]": lambda i: X[[4, 0, 3, 3, 1][[4, 0, 3, 3, 1][i]]],
    "x[1.9]": lambda i: X[1],
    "x[-0.5]": lambda i: X[0],
    "x[offs * 0.5]": lambda i: X[i // 2],
    "x[n / 2]": lambda i: X[2],
    "x[offs % 2 + idx[offs] / 2]": lambda i: X[int(i % 2 + [4, 0, 3, 3, 1][i] / 2)],
    "x[floor(offs / 2)]": lambda i: X[i // 2],
}


@pytest.mark.parametrize("load", INDICES)
def test_an_index_is_a_number_that_truncates(load: str):
    body = f"store(out, offs, {load} + idx[offs] * 0)"
    expected = [INDICES[load](i) for i in range(5)]
    gives(body, expected, X, [4, 0, 3, 3, 1], [0] * 5, params="x, idx, out")


def test_an_index_is_no_truth_value():
    refused("store(out, offs, x[offs > 2])", "P305", None)
    refused("store(out, offs > 2, 1)", "P305", None, params="out")


# --- the numbers that buffers hold ---

PRECISE = {
    "f16": (2049, 2048),
    "f32": (16777217, 16777216),
    "f64": (9007199254740993, 9007199254740992),
}


@pytest.mark.parametrize("element", PRECISE)
def test_a_buffer_keeps_what_its_type_can_hold(element: str):
    odd, even = PRECISE[element]
    types = ["f16", "f32", "f64"]
    wider = types[types.index(element) + 1 :]
    for given in (element, *wider):
        dtype = {"f16": "f2", "f32": "f4", "f64": "f8"}[given]
        x = np.array([odd - 2], dtype)
        out = run("store(out, offs, x[offs] + 2)", x, np.zeros(1, dtype))
        assert int(out[0]) == (even if given == element else odd)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1"])
def test_integers_stay_integers(dtype: str):
    most = np.iinfo(dtype).max
    x = np.array([most, 3, 0], dtype)
    out = run("store(out, offs, x[offs] + 1)", x, np.zeros(3, dtype))
    assert out.tolist() == [np.iinfo(dtype).min, 4, 1]


def test_lists_of_programs_keep_doubles():
    big = [16777217.0, 0.1, 9007199254740993.0, 1e300, 5e-324]
    text = "# @gpu_kernel\nfn k(x, out) { store(out, offs, x[offs]) }\n"
    listed = (
        "[16777217.0, 0.1, 9007199254740993.0, " + "1" + "0" * 300 + ".0, 0." + "0" * 323 + "5]"
    )
    assert run_host(f"{text}let out = [0, 0, 0, 0, 0]\nk({listed}, out)\nreturn out") == big
