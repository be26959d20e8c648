"""Functions that kernels call: they mean in a kernel what they mean on the host."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, errors, run_host

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError, Diagnostic, Place

X = np.array([-3.0, -1.0, 0.0, 2.0, 5.0])


def program(helpers: str, body: str, params: str = "x, out", marker: str = LINEAR) -> str:
    return f"{helpers}\n{marker}\nfn k({params}) {{\n{body}\n}}\n"


def run(helpers: str, body: str = "store(out, offs, f(x[offs]))", *args: Any, **how: str) -> Any:
    """The last argument of a kernel that calls the helpers."""
    args = args or (X.copy(), np.zeros(5))
    pl.loads(program(helpers, body, **how))["k"](*args)
    return args[-1].tolist()


def one_error(text: str) -> Diagnostic:
    (found,) = errors(text, X.copy(), np.zeros(5))
    return found


# --- values ---

FORMS = {
    "one return": "fn f(v) { return v * 2 + 1 }",
    "a local variable": "fn f(v) { let d = v * 2  let d = d + 1  return d }",
    "a parameter that is set": "fn f(v) { v = v * 2  v = v + 1  return v }",
    "returns": "make a function called f takes v returns r\n let r = v * 2 + 1\nend",
    "returns its parameter": "make a function called f takes v returns v\n let v = v * 2 + 1\nend",
    "returns, and a return": "make a function called f takes v returns r\n return v * 2 + 1\nend",
    "nested": "fn g(v) { return v + 1 }\nfn f(v) { return g(v * 2) }",
    "nested twice in one": "fn g(v, w) { return v + w }\nfn f(v) { return g(g(v, v), 1) }",
    "defined in reverse": (
        "fn f(v) { return g(v) + 1 }\nfn g(v) { return h(v) }\nfn h(v) { return v * 2 }"
    ),
    "a loop": (
        "fn f(v) { let i = 0  let r = 1  while i < 2 { let r = r + v  let i = i + 1 }  return r }"
    ),
    "a branch": "fn f(v) { let r = v  if 1 < 2 { let r = v * 2 }  return r + 1 }",
    "an early return": "fn f(v) { if 2 < 1 { return 0 }  return v * 2 + 1 }",
    "an else that goes on": (
        "fn f(v) { if 1 < 2 { let w = v } else { return 0 }  return w * 2 + 1 }"
    ),
    "every arm returns": (
        "fn f(v) { if 2 < 1 { return 0 } elif 1 < 2 { return v * 2 + 1 } else { return 3 } }"
    ),
    "nothing after a return": "fn f(v) { return v * 2 + 1  return 9 }",
    "early returns in a row": """fn f(v) {
        if 2 < 1 { return 0 }
        if 3 < 1 { return 1 }
        let w = v * 2
        if 4 < 1 { return 2 }
        return w + 1
    }""",
    "early returns in branches": """fn f(v) {
        let w = v
        if 1 < 2 {
          if 2 < 1 { return 0 }
          let w = w + v
        }
        return w + 1
    }""",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_helper_gives_what_it_gives_on_the_host(form: str):
    expected = (X * 2 + 1).tolist()
    assert run(FORMS[form]) == expected
    on_host = "".join(f"let xs = list_push(xs, f({v}))\n" for v in X.tolist())
    assert run_host(f"{FORMS[form]}\nlet xs = []\n{on_host}return xs") == expected


def test_with_returns_the_end_gives_the_variable_and_an_early_return_its_own():
    helper = """make a function called f takes v, early returns r
      let r = v * 2
      if early > 0 then
        return v
      end
      let r = r + 1
    end"""
    body = "store(out, offs, f(x[offs], s))"
    for early, expected in ((1, X), (0, X * 2 + 1)):
        found = run(helper, body, X.copy(), early, np.zeros(5), params="x, s, out")
        assert found == expected.tolist()
        host = f"{helper}\nreturn [f(5, {early}), f(0, {early})]"
        assert run_host(host) == [expected[4], expected[2]]


@pytest.mark.parametrize("n", [1, 3, 5, 8])
def test_early_returns_depend_on_run_time_values(n: int):
    helper = "fn f(v, m) { if m > 6 { return v }  if m > 3 { return v * 10 }  return v * 100 }"
    x = np.arange(n) + 1.0
    factor = 1 if n > 6 else 10 if n > 3 else 100
    found = run(helper, "store(out, offs, f(x[offs], n))", x, np.zeros(n))
    assert found == (np.arange(n) * factor + factor).tolist()


def test_calls_anywhere_in_a_kernel():
    helpers = "fn f(v) { return v + 1 }\nfn small(i) { if i > 9 { return 1 < 0 }  return i < 3 }"
    body = """let i = 0
    while small(i) and f(i) < 4 {
      let i = f(i)
    }
    if f(i) == 4 {
      store(out, offs, f(f(x[offs])) + f(i) * f(0))
    } elif f(0) == f(1) {
      store(out, offs, 0)
    }"""
    assert run(helpers, body) == (X + 2 + 4).tolist()


# --- memory ---


def test_buffers_are_passed_on():
    helpers = """
    fn at(buffer, i) { return buffer[i] }
    fn put(buffer, i, v) { store(buffer, i, v) }
    fn reversed(from, into) { put(into, n - 1 - offs, at(from, offs)) }
    """
    assert run(helpers, "reversed(x, out)") == X[::-1].tolist()


def test_a_helper_may_do_all_that_a_kernel_does():
    helpers = """
    fn centre(a) { return a[offs] - sum(a[offs]) }
    fn count(into, v) { atomic_add(into, 0, v)  if n > 3 { atomic_add(into, 1, n) } }
    """
    body = "count(counts, sum(x[offs]))  store(out, offs, centre(x))"
    args = X.copy(), np.zeros(2), np.zeros(5)
    assert run(helpers, body, *args, params="x, counts, out") == (X - 3).tolist()
    assert args[1].tolist() == [3, 5]


def test_rows_and_columns_in_a_helper():
    x = np.array([[1.0, 2.0], [3.0, 5.0]])
    helper = "fn f(a) { return a[offs] * row + sum(a[offs], 1) + n_cols }"
    found = run(helper, "store(out, offs, f(x))", x, np.zeros((2, 2)), marker=GRID)
    assert found == [[5, 5], [13, 15]]


def test_a_store_in_a_helper_comes_before_what_follows_the_call():
    helper = "fn f(a) { let old = a[offs]  store(a, offs, old + 1)  return old }"
    x = X.copy()
    assert (
        run(helper, "store(out, offs, f(x) * 100 + x[offs])", x, np.zeros(5))
        == (X * 100 + X + 1).tolist()
    )
    assert x.tolist() == (X + 1).tolist()


def test_a_buffer_for_a_parameter_that_the_helper_sets_is_refused():
    helper = "fn f(a) { let a = a[offs]  return a }"
    text = program(helper, "store(out, offs, f(x))")
    assert {d.code for d in errors(text, X.copy(), np.zeros(5))} <= {"P205", "P306"}


def test_a_variable_is_no_buffer_in_a_helper():
    text = program("fn f(a) { return a[offs] }", "let v = x[offs]\nstore(out, offs, f(v))")
    assert one_error(text).code == "P306"


# --- names ---

CLASHES = {
    "the caller's variable": (
        "fn f(v) { let w = v * 2  return w }",
        "let w = 1\nlet y = f(x[offs]) + w",
    ),
    "the caller's variable has the parameter's name": (
        "fn f(v) { let v = v * 2  return v }",
        "let v = 1\nlet y = f(x[offs]) + v",
    ),
    "the names that renaming gives": (
        "fn f(v) { let w = v * 2  return w }",
        "let f_v = 1\nlet f_w = 2\nlet f_result = 3\nlet y = f(x[offs]) + f_result - f_w * f_v",
    ),
    "arguments in the other order": (
        "fn f(a, b) { let a = a - b  return a }",
        "let b = x[offs] * 2\nlet a = -1\nlet y = f(b, a)",
    ),
    "two helpers with the same variables": (
        "fn g(v) { let w = v  return w }\nfn f(v) { let w = v  return g(w) + w }",
        "let y = f(x[offs]) + 1",
    ),
    "a constant of the top level and a variable of its name": (
        "let gain = 2\nfn f(v) { return v * gain }",
        "let gain = 1\nlet y = f(x[offs]) + gain",
    ),
    "a constant with a name that renaming gives": (
        "let f_w = 1\nfn f(v) { let w = v * 2  return w }",
        "let y = f(x[offs]) + f_w",
    ),
    "a name that would become an implicit one": (
        "fn n(rows) { let rows = rows * 2  return rows }\nfn mask(r) { let r = r + 1  return r }",
        "let y = mask(n(x[offs]))",
    ),
    "a variable with an implicit name": (
        "fn f(v) { let offs = v * 2  let mask = 1  return offs + mask }",
        "let y = f(x[offs])",
    ),
    "a function with the name of an intrinsic": (
        "fn sqrt(v) { return v * 2 + 1 }",
        "let y = sqrt(x[offs])",
    ),
}


@pytest.mark.parametrize("case", CLASHES)
@pytest.mark.parametrize("marker", [LINEAR, GRID])
def test_names_of_helper_and_kernel_never_meet(case: str, marker: str):
    helpers, body = CLASHES[case]
    args = (X.reshape(1, 5), np.zeros((1, 5))) if marker == GRID else (X.copy(), np.zeros(5))
    found = run(helpers, f"{body}\nstore(out, offs, y)", *args, marker=marker)
    assert np.reshape(found, -1).tolist() == (X * 2 + 1).tolist()


def test_a_parameter_of_the_kernel_with_the_name_of_a_constant():
    helpers = "let gain = 2\nfn f(v) { return v * gain }"
    found = run(
        helpers,
        "store(out, offs, f(x[offs]) + gain)",
        X.copy(),
        1,
        np.zeros(5),
        params="x, gain, out",
    )
    assert found == (X * 2 + 1).tolist()


def test_a_helper_sees_no_variable_of_its_caller():
    for body in ("let w = 2\nstore(out, offs, f(x[offs]))", "store(out, offs, f(x[offs]))"):
        found = one_error(program("fn f(v) { return v * w }", body))
        assert (found.code, found.place) == ("P201", Place("<text>", 1, 22))
        assert "'w'" in found.message
        line = 5 if "let" in body else 4
        assert found.called_from == (Place("<text>", line, 18),)


def test_a_parameter_of_the_caller_is_not_seen_either():
    text = program("fn f(v) { return v * x[offs] }", "store(out, offs, f(2) + x[offs])")
    found = one_error(text)
    assert found.code == "P201" and "'x'" in found.message


# --- who calls it ---


def test_a_helper_of_kernels_and_host():
    helper = "fn f(v) { if 1 < 2 { return v * 2 + 1 }  return 0 }"
    text = program(helper, "store(out, offs, f(x[offs]))")
    assert run_host(f"{text}\nlet out = [0, 0]\nk([3, f(3)], out)\nreturn out") == [7, 15]


def test_a_helper_of_kernels_alone_may_use_what_only_kernels_have():
    helper = "fn f(v) { return select(v > 0, v, offs) }"
    text = program(helper, "store(out, offs, f(x[offs]))")
    assert run_host(f"{text}\nlet out = [0, 0]\nk([-3, 3], out)\nreturn out") == [0, 3]


def test_a_helper_that_the_host_calls_may_not():
    text = program("fn f(v) { return v + offs }", "store(out, offs, f(x[offs]))")
    with pytest.raises(CompileError) as caught:
        run_host(f"{text}\nprint(f(1))")
    (found,) = caught.value.diagnostics
    assert (found.code, found.place) == ("P201", Place("<text>", 1, 22))


def test_a_helper_that_the_host_calls_by_its_name_stays():
    text = program("fn f(v) { return v * 2 }", "store(out, offs, f(x[offs]))")
    assert run_host(f'{text}\nreturn apply("f", 21)') == 42


def test_what_such_a_helper_calls_stays_too():
    helpers = "fn g(v) { return v * 2 }\nfn f(v) { return g(v) }"
    text = program(helpers, "store(out, offs, f(x[offs]))")
    assert run_host(f'{text}\nreturn apply("f", 21)') == 42


def test_a_helper_that_host_functions_call_stays():
    text = program("fn f(v) { return v * 2 }", "store(out, offs, f(x[offs]))")
    assert run_host(f"{text}\nfn g(v) {{ return f(v) }}\nreturn g(21)") == 42


def test_kernels_share_helpers_and_none_sees_the_others():
    text = """
    fn f(v) { let w = v + 1  return w }
    # @gpu_kernel
    fn one(x, out) { store(out, offs, f(x[offs])) }
    # @gpu_kernel
    fn two(x, out) { let w = 5  store(out, offs, f(f(x[offs])) + w) }
    """
    module = pl.loads(text)
    out = np.zeros(5)
    module["one"](X.copy(), out)
    assert out.tolist() == (X + 1).tolist()
    module["two"](X.copy(), out)
    assert out.tolist() == (X + 7).tolist()
