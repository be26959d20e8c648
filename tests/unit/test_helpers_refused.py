"""What is wrong in a function that a kernel calls: refused at its place, with the calls."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_texts import errors, run_host
from test_helpers_inlined import X, one_error, program, run

from patlang_ir.diagnostics import Place
from patlang_ir.diagnostics.render import render_json, render_text
from patlang_ir.diagnostics.sources import Sources


@pytest.mark.parametrize(
    ("helpers", "chain"),
    [
        ("fn f(v) { return f(v - 1) }", "f -> f"),
        ("fn g(v) { return f(v) }\nfn f(v) { return g(v) }", "f -> g -> f"),
        ("fn h(v) { return h(v) }\nfn g(v) { return h(v) }\nfn f(v) { return g(v) }", "h -> h"),
        ("fn f(v) { if 1 < 2 { return 0 } else { return f(v) } }", "f -> f"),
    ],
)
def test_recursion_is_refused_with_the_chain_of_calls(helpers: str, chain: str):
    found = one_error(program(helpers, "store(out, offs, f(x[offs]))"))
    assert found.code == "P311" and found.place is not None
    assert f"({chain})" in found.message


def test_recursion_of_the_host_is_its_own_affair():
    helpers = "fn fact(v) { if v < 2 { return 1 }  return v * fact(v - 1) }\nfn f(v) { return v }"
    text = program(helpers, "store(out, offs, f(x[offs]))")
    assert run_host(f"{text}\nlet out = [0]\nk([fact(5)], out)\nreturn out") == [120]


@pytest.mark.parametrize(("call", "count"), [("f()", 0), ("f(1)", 1), ("f(1, 2, 3)", 3)])
def test_the_number_of_arguments_must_be_right(call: str, count: int):
    found = one_error(program("fn f(v, w) { return v }", f"store(out, offs, {call})"))
    assert (found.code, found.place) == ("P203", Place("<text>", 4, 18))
    assert f"2 arguments (v, w), not {count}" in found.message


VALUELESS = {
    "no return": "fn f(v) { let w = v }",
    "a path without one": "fn f(v) { if v == 1 { return 2 } }",
    "an empty body": "fn f(v) { }",
    "returns a name that is never set": (
        "make a function called f takes v returns r\n let w = v\nend"
    ),
}


@pytest.mark.parametrize("case", VALUELESS)
def test_a_value_that_is_used_must_be_there(case: str):
    text = program(VALUELESS[case], "store(out, offs, f(n))")
    found = one_error(text)
    assert found.code == "P303" and "'f'" in found.message
    assert found.place is not None
    assert text.splitlines()[found.place.line - 1][found.place.column - 1 :].startswith("f(n)")


def test_a_return_without_a_value_is_shown():
    found = one_error(
        program("fn f(v) {\n if v == 1 {\n  return\n }\n return 2 }", "store(out, offs, f(n))")
    )
    assert (found.code, found.place) == ("P303", Place("<text>", 3, 3))
    assert found.called_from == (Place("<text>", 8, 18),)


def test_no_value_is_needed_where_none_is_used():
    helper = "fn put(into, v) { if n < 3 { return }  store(into, offs, v) }"
    assert run(helper, "store(out, offs, 7)  put(out, x[offs])") == X.tolist()
    out = np.zeros(2)
    assert run(helper, "store(out, offs, 7)  put(out, x[offs])", X[:2].copy(), out) == [7, 7]


def test_a_return_in_a_loop_is_refused_at_the_loop():
    helper = "fn f(v) {\n  while 1 < 2 {\n    return v\n  }\n  return 0\n}"
    found = one_error(program(helper, "store(out, offs, f(x[offs]))"))
    assert (found.code, found.place) == ("P301", Place("<text>", 2, 3))
    assert found.called_from == (Place("<text>", 9, 18),)


def test_a_branch_on_a_lane_is_refused_in_the_helper():
    helper = "fn f(v) {\n  if v > 0 {\n    return v\n  }\n  return 0\n}"
    found = one_error(program(helper, "store(out, offs, f(x[offs]))"))
    assert (found.code, found.place) == ("P302", Place("<text>", 2, 8))
    assert found.called_from == (Place("<text>", 9, 18),)


def test_a_kernel_is_no_helper():
    text = program(
        "# @gpu_kernel\nfn f(x, out) { store(out, offs, 1) }", "f(x, out)\nstore(out, offs, 2)"
    )
    assert one_error(text).code == "P301"


@pytest.mark.parametrize("word", ["and", "or"])
def test_a_helper_that_writes_is_no_condition_that_may_be_skipped(word: str):
    helper = "fn f(a) { store(a, 0, 1)  return 1 < 2 }"
    body = f"if n > 9 {word} f(out) {{ store(out, 1, 2) }}"
    assert one_error(program(helper, body)).code == "P301"
    found = run(helper, f"if f(out) {word} n > 1 {{ store(out, 1, 2) }}", X.copy(), np.zeros(2))
    assert found == [1, 2]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("return [v]", "P301"),
        ('return "text"', "P301"),
        ("require v > 0\n return v", "P301"),
        ("print(v)\n return v", "P301"),
        ("return nothing(v)", "P202"),
        ("return v + pid", "P208"),
        ("return bnot (v + 0.5)", "P305"),
        ("let z = z + 1\n return z", "P201"),
    ],
)
def test_what_is_wrong_in_a_helper_is_shown_there_and_at_the_call(body: str, code: str):
    helper = f"fn f(v) {{\n {body}\n}}"
    found = errors(program(helper, "store(out, offs, f(x[offs]))"), X.copy(), np.zeros(5))
    assert [d.code for d in found] == [code]
    assert found[0].place is not None and found[0].place.line in (2, 3)
    assert [(p.line, p.column) for p in found[0].called_from] == [(4 + helper.count("\n"), 18)]


def test_a_variable_of_a_helper_has_its_own_name_in_messages():
    helper = "fn f(v) {\n if n > 2 { let z = v }\n return z\n}"
    found = one_error(program(helper, "store(out, offs, f(x[offs]))"))
    assert (found.code, found.place) == ("P303", Place("<text>", 3, 9))
    assert "'z'" in found.message and "let z" in found.help


# --- places ---

NESTED = """fn g(v) {
  return v + bnot 1.5
}
fn f(v) {
  return g(v)
}
# @gpu_kernel
fn k(x, out) {
  store(out, offs, f(x[offs]))
}
"""


def test_all_calls_that_led_to_an_error_are_listed():
    found = one_error(NESTED)
    assert found.place == Place("<text>", 2, 14)
    assert found.called_from == (Place("<text>", 5, 10), Place("<text>", 9, 20))
    assert str(found).splitlines()[1:3] == ["  called at <text>:5:10", "  called at <text>:9:20"]
    shown = render_text([found], Sources({"<text>": NESTED})).splitlines()
    assert shown[1:5] == [
        " 2 |   return v + bnot 1.5",
        "   |              ^",
        "  called at <text>:5:10",
        "  called at <text>:9:20",
    ]
    assert (
        '"called_from": [\n      {\n        "file": "<text>",\n        "line": 5,'
        in render_json([found])
    )


def test_an_error_in_a_helper_is_reported_once_for_all_its_calls():
    text = NESTED.replace("f(x[offs])", "f(x[offs]) + f(1) + f(2)")
    assert one_error(text).called_from[-1] == Place("<text>", 9, 20)


def test_an_error_in_an_argument_is_no_error_of_the_helper():
    for bad, code in (("nope", "P201"), ("bnot 1.5", "P305")):
        text = program("fn f(v) { return v }", f"store(out, offs, f({bad}))")
        found = one_error(text)
        assert (found.code, found.place) == (code, Place("<text>", 4, 20))
        assert found.called_from == ()


@pytest.mark.parametrize("call", ["f(g(x[offs]))", "g(f(x[offs]))", "f(x[offs]) + g(x[offs])"])
def test_a_helper_sees_no_variable_of_another_helper(call: str):
    helpers = "fn f(v) { return v * w }\nfn g(v) { let w = v + 1  return w }"
    found = one_error(program(helpers, f"store(out, offs, {call})"))
    assert (found.code, found.place) == ("P201", Place("<text>", 1, 22))
