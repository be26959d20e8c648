"""Names of kernels: each means one thing, and what is wrong is said with its place."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, MATMUL, errors, gives, kernel_text, refused, run, run_host

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError, Diagnostic, Place

X = [3, -1, 4]
ZERO = [0, 0, 0]


def compile_errors(text: str) -> list[Diagnostic]:
    """What is wrong with a program or its kernel, whatever that is called with."""
    with pytest.raises(CompileError) as caught:
        pl.loads(text)["k"].ir("tile")
    return list(caught.value.diagnostics)


# --- every name is bound ---

UNBOUND = {
    "store(out, offs, x[offs] * gain)": "gain",
    "store(out, offs, gain[offs])": "gain",
    "store(otu, offs, x[offs])": "otu",
    "store(out, ofs, x[offs])": "ofs",
    "let y = y + 1; store(out, offs, x[offs] + y)": "y",
    "store(out, offs, x[idx[offs]])": "idx",
    "if gain > 1 then\nstore(out, offs, x[offs])\nend": "gain",
    "while i < 3 do\nstore(out, offs, x[offs])\nend": "i",
    "store(out, offs, x[offs] + true_)": "true_",
}


@pytest.mark.parametrize("body", UNBOUND)
def test_an_unbound_name_is_an_error_at_its_place(body: str):
    found = refused(body, "P201", UNBOUND[body])
    assert f"'{UNBOUND[body]}'" in found.message


FOREIGN = {
    "store(out, offs, tl.exp(x[offs]))": ("P201", "stand alone"),
    "store(out, offs, x[offs] * inf)": ("P201", "1 / 0"),
    "store(out, offs, select(True, x[offs], 0))": ("P201", "true"),
    "while n > 3 do break end; store(out, offs, x[offs])": ("P201", "condition"),
    "store(out, offs, load(x, offs))": ("P202", "x[i]"),
    "store(out, offs, where(x[offs] > 0, 1, 0))": ("P202", "select("),
    "store(out, offs, int(x[offs]))": ("P202", "to_int(v)"),
    "store(out, 0, mean(x[offs]))": ("P202", "sum(v) / n"),
    "store(out, offs, x[offs] / len(x))": ("P202", "n_rows"),
}


@pytest.mark.parametrize("body", FOREIGN)
def test_names_of_other_languages_say_what_to_write(body: str):
    code, help = FOREIGN[body]
    assert help in next(d.help for d in compile_errors(kernel_text(body)) if d.code == code)


def test_all_unbound_names_are_reported_in_one_run():
    text = kernel_text("store(out, offs, a + b)\nlet c = d\nstore(out, 0, c + e)")
    found = compile_errors(text)
    assert [d.message.split("'")[1] for d in found] == ["a", "b", "d", "e"]
    assert all(d.code == "P201" for d in found)


def test_a_constant_of_the_top_level_is_seen_and_a_variable_is_not():
    body = "store(out, offs, x[offs] * gain)"
    for value in ("3", "-2", "0.5", "1 - 3"):
        text = f"let gain = {value}\n{kernel_text(body)}"
        if value == "1 - 3":
            assert [d.code for d in compile_errors(text)] == ["P201"]
            continue
        out = np.zeros(3)
        pl.loads(text)["k"](np.array(X, "f8"), out)
        assert out.tolist() == [x * float(value) for x in X]
    twice = f"let gain = 1\nlet gain = 2\n{kernel_text(body)}"
    (found,) = compile_errors(twice)
    assert found.code == "P201" and "more than once" in found.help


@pytest.mark.parametrize(
    "call", ["expp(x[offs])", "print(x[offs])", "list_len(x)", "sum2(x[offs])"]
)
def test_a_function_that_kernels_do_not_have_is_an_error_at_its_place(call: str):
    text = kernel_text(f"store(out, offs, {call})")
    found = compile_errors(text)
    assert found[0].code in ("P202", "P301")
    assert found[0].place == Place("<text>", 3, 20)


# --- a name means one thing ---


def test_a_buffer_is_no_value():
    for body in ("store(out, offs, x + x[offs])", "let y = x; store(out, offs, x[offs])",
                 "store(out, offs, max(x, x[offs]))", "store(out, offs, x[x])"):  # fmt: skip
        found = compile_errors(kernel_text(body))
        assert {d.code for d in found} <= {"P205", "P306"}
        assert "x[offs]" in found[0].help
    found = errors(kernel_text("store(out, offs, x + 1.0)"), np.zeros(3), np.zeros(3))
    assert found[0].code == "P502" and "x[offs]" in found[0].help


def test_a_variable_is_no_buffer():
    for body in (
        "let d = out; store(d, offs, x[offs])",
        "let d = x; store(out, offs, d[offs])",
        "let d = x[offs]; store(out, offs, d[0])",
        "let d = 1; store(d, offs, x[offs])",
        "store(offs, offs, x[offs])",
        "store(x[offs], offs, 1)",
        "store(1, offs, x[offs])",
    ):
        found = compile_errors(kernel_text(body))
        assert {d.code for d in found} <= {"P306"}, (body, found)
        assert found[0].place is not None and found[0].place.line in (3, 4)


def test_a_buffer_is_not_assigned():
    for body in (
        "let x = x[offs]; store(out, offs, x + x[offs])",
        "let x = 1; store(out, offs, x[offs])",
        "store(out, offs, x[offs])\nx = 2",
        "let out = 1; store(out, offs, x[offs])",
    ):
        found = compile_errors(kernel_text(body))
        assert {d.code for d in found} == {"P205"}, (body, found)


IMPLICIT = {LINEAR: ["offs", "mask", "n", "pid"], GRID: ["offs", "row", "col2", "n_rows", "mask_r"]}


@pytest.mark.parametrize(
    ("marker", "name"), [(marker, name) for marker, names in IMPLICIT.items() for name in names]
)
def test_a_name_of_the_kernel_language_is_not_set(marker: str, name: str):
    found = refused(f"let {name} = 1; store(out, offs, x[offs])", "P204", name, marker=marker)
    assert f"'{name}'" in found.message
    for line in (f"{name} = 2", f"let mut {name} = 2"):
        body = f"store(out, offs, x[offs])\n{line}"
        assert {d.code for d in compile_errors(kernel_text(body, marker=marker))} == {"P204"}
    text = kernel_text("store(out, offs, x[offs])", f"x, out, {name}", marker)
    assert {d.code for d in compile_errors(text)} == {"P204"}


# --- emitted text never meets the user's names ---

PYTHON = ["lambda", "class", "import", "None", "tl", "triton", "torch", "self", "int", "range",
          "x_ptr", "out_ptr", "grid", "buf0", "n_elements", "BLOCK", "numbers", "num_warps",
          "program_id", "np", "__import__", "yield", "k", "print", "values"]  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
def test_any_name_may_be_a_variable_a_parameter_and_a_kernel(name: str):
    gives(f"let {name} = 2; store(out, offs, x[offs] * {name})", [6, -2, 8], X, ZERO)
    body = f"store(out, offs, {name}[offs] * 2)"
    gives(body, [6, -2, 8], X, ZERO, params=f"{name}, out")
    gives(f"store(out, offs, x[offs] * {name})", [6, -2, 8], X, 2, ZERO, params=f"x, {name}, out")
    text = kernel_text("store(out, offs, x[offs] * 2)").replace("called k ", f"called {name} ")
    out = np.zeros(3)
    pl.loads(text)[name](np.array(X, "f8"), out)
    assert out.tolist() == [6, -2, 8]
    assert run_host(f"{text}let out = [0, 0, 0]\n{name}([3, -1, 4], out)\nreturn out") == [6, -2, 8]


@pytest.mark.parametrize("name", PYTHON)
def test_the_triton_text_compiles_with_any_name(name: str):
    text = kernel_text(f"let {name} = x[offs]; store(out, offs, {name} + s)", "x, s, out")
    compile(pl.loads(text)["k"].triton_source(), "k", "exec")
    text = kernel_text(f"store(out, offs, {name}[offs])", f"{name}, out")
    source = pl.loads(text.replace("called k ", f"called {name}_ "))[f"{name}_"].triton_source()
    compile(source, "k", "exec")


@pytest.mark.parametrize("name", ["n", "grid", "torch", "buf0", "offs", "mask", "tl"])
def test_a_kernel_may_be_called_anything(name: str):
    text = kernel_text("store(out, offs, x[offs] + n)").replace("called k ", f"called {name} ")
    out = np.zeros(3)
    pl.loads(text)[name](np.array(X, "f8"), out)
    assert out.tolist() == [6, 2, 7]
    compile(pl.loads(text)[name].triton_source(), "k", "exec")


# --- counts ---

COUNTS = ["max(x[offs])", "max(1, 2, 3)", "exp()", "exp(1, 2)", "select(x[offs], 1)", "sum()",
          "sum(x[offs], 1, 2)", "sqrt(1, 2)", "clamp(1, 2)", "fma(1, 2)", "argmax()"]  # fmt: skip


@pytest.mark.parametrize("call", COUNTS)
def test_every_call_has_the_right_number_of_arguments(call: str):
    found = refused(
        f"store(out, offs, {call})", "P203", call.split("(", maxsplit=1)[0], params="x, out"
    )
    assert "argument" in found.message


@pytest.mark.parametrize(
    "call", ["store(out, offs)", "store(out)", "store(out, offs, 1, 2)", "store()"]
)
def test_store_takes_three_arguments(call: str):
    refused(call, "P203", "store", params="x, out")


# --- one set of names for each kind ---


@pytest.mark.parametrize(
    ("marker", "name"),
    [
        *((LINEAR, name) for name in ("row", "col", "n_rows", "M", "BLOCK_M", "pid_m", "mask_c")),
        *((GRID, name) for name in ("n", "K", "BLOCK_N", "pid_n")),
    ],
)
def test_a_name_of_another_kind_of_kernel_is_refused(marker: str, name: str):
    found = refused(f"store(out, offs, x[offs] + {name})", "P208", name, marker=marker)
    assert found.help


@pytest.mark.parametrize("call", ["store_block(x, 1.0)", "load_block(x)", "dot(x, x, x)"])
def test_functions_of_matmul_kernels_are_refused_elsewhere(call: str):
    for marker in (LINEAR, GRID):
        text = kernel_text(f"{call}\nstore(out, offs, x[offs])", marker=marker)
        found = compile_errors(text)
        assert found[0].place is not None and found[0].place.line == 3


def test_elements_are_no_part_of_matmul_kernels():
    (found,) = compile_errors(kernel_text("let v = x[0]; store_block(v, 1.0)", marker=MATMUL))
    assert (found.code, found.place and found.place.line) == ("P301", 3)


def test_a_block_that_must_be_large_enough_is_refused_or_right():
    body = (
        "let p = make_block_ptr(x, M, K, 0, 0, BLOCK_M, BLOCK_K)\nstore_block(p, load_block(p) * 2)"
    )
    kernel = pl.loads(kernel_text(body, marker=MATMUL))["k"]
    x = np.arange(6.0).reshape(2, 3)
    with pytest.raises(pl.LaunchError, match="P403"):
        kernel(x, 0)
    kernel(x, 0, block={"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16})
    assert x.tolist() == [[0, 2, 4], [6, 8, 10]]


# --- the whole text counts, and markers stand before functions ---


def test_every_kernel_of_a_text_is_there():
    one, two = kernel_text("store(out, offs, 1)", "out"), kernel_text("store(out, offs, 2)", "out")
    module = pl.loads(one + two.replace("called k", "called k2"))
    assert list(module.kernels) == ["k", "k2"]
    for name, value in (("k", 1), ("k2", 2)):
        out = np.zeros(2)
        module[name](out)
        assert out.tolist() == [value, value]


def test_a_source_of_one_kernel_with_more_behind_it_is_refused():
    source = kernel_text("store(out, offs, 1)", "out") + "fn other(out) { store(out, 0, 2) }"
    source = source.replace("\n", "\\n").replace("# @gpu_kernel\\n", "")
    text, status = run_host(
        f'include "lower_triton"\nreturn triton_lower_kernel_source("{source}", "k")'
    )
    assert status[0] == "Err" or "other" not in text
    if status[0] == "Err":
        assert status[1]


BODIES = {
    "words": "make a function called k takes x, out\n  store(out, offs, x[offs] + 1)\nend",
    "braces": "make a function called k takes x, out {\n  store(out, offs, x[offs] + 1)\n}",
    "fn": "fn k(x, out) { store(out, offs, x[offs] + 1) }",
    "one line": "fn k(x, out) { if n > 0 then store(out, offs, x[offs] + 1) end }",
    "an if on one line": """make a function called k takes x, out
      store(out, offs, x[offs] + 1)
      if sum(x[offs]) > 100 then store(out, 0, 1.0) end
    end""".replace("store(out, 0, 1.0)", "store(out, offs, 1.0)"),
    "an if with brackets": """make a function called k takes x, out
      if(sum(x[offs]) > 0) then
        store(out, offs, x[offs] + 1)
      end
    end""",
    "a comment after end": """make a function called k takes x, out
      if n > 0 then
        store(out, offs, x[offs] + 1)
      end # note
    end # of k""",
    "a variable called end": """make a function called k takes x, out
      let end = 1
      store(out, offs, x[offs] + end)
    end""",
    "returns": """make a function called k takes x, out returns r
      store(out, offs, x[offs] + 1)
    end""",
}
MARKERS = [
    "# @gpu_kernel\n",
    "# @gpu_kernel\n\n\n",
    "#@gpu_kernel\n",
    "#  @gpu_kernel  # fast\n",
    "# @gpu_kernel\n# words on it\n",
    "# @gpu_kernel(math=strict)\n",
    "  # @gpu_kernel\n",
]


@pytest.mark.parametrize("form", BODIES)
@pytest.mark.parametrize("marker", MARKERS)
def test_a_marker_belongs_to_the_function_that_follows(form: str, marker: str):
    after = "\n# @gpu_kernel\nfn next(out) { store(out, offs, 5) }\nfn plain(x) { return x }\n"
    module = pl.loads(f"{marker}{BODIES[form]}{after}")
    assert list(module.kernels) == ["k", "next"]
    out = np.zeros(3)
    module["k"](np.array(X, "f8"), out)
    assert out.tolist() == [4, 0, 5]
    module["next"](out)
    assert out.tolist() == [5, 5, 5]


STRAY = [
    "# @gpu_kernel\nlet x = 1\n",
    "let x = 1\n# @gpu_kernel\n",
    "# @gpu_kernel_3d\nfn f() { return 1 }\n",
]


@pytest.mark.parametrize("text", STRAY)
def test_a_marker_that_marks_nothing_is_a_warning(text: str):
    program = pl.loads(text).program
    assert [(d.code, d.severity) for d in program.warnings] == [("P119", "warning")]


def test_of_two_kernels_of_one_name_the_last_counts_and_a_warning_says_so():
    text = kernel_text("store(out, offs, 1)", "out") + kernel_text("store(out, offs, 2)", "out")
    module = pl.loads(text)
    assert [(d.code, d.severity) for d in module.program.warnings] == [("P121", "warning")]
    out = np.zeros(2)
    module["k"](out)
    assert out.tolist() == [2, 2]


# --- errors have a place ---

SYNTAX = {
    "let y = (x[offs]\nstore(out, offs, y)": ("P112", 3),
    "store(out, offs, x[offs]": ("P112", 3),
    "store(out, offs, )": ("P110", 3),
    "store(out, offs, x[offs] +)": ("P110", 3),
    "if n > 1\nstore(out, offs, 1)\nend": ("P110", None),
    "let = 3": ("P110", 3),
    'store(out, offs, "text")': ("P301", 3),
    "store(out, offs, [1])": ("P301", 3),
    "store(out, offs, x.length)": ("P301", 3),
    "return x[offs]": ("P301", 3),
    "x[offs] = 1": ("P116", 3),
}


@pytest.mark.parametrize("body", SYNTAX)
def test_an_error_has_its_cause_and_its_place(body: str):
    code, line = SYNTAX[body]
    text = kernel_text(body) if "store(" in body else kernel_text(f"{body}\nstore(out, offs, 1)")
    found = errors(text, np.zeros(2), np.zeros(2))
    assert found[0].code == code, found
    assert found[0].place is not None and found[0].message
    if line is not None:
        assert found[0].place.line == line


def test_nothing_is_run_of_a_program_with_an_error():
    text = kernel_text("store(out, offs, x[offs] * gain)") + "let a = [1]\nk(a, a)\n"
    with pytest.raises(CompileError):
        run_host(text)
    assert run("store(out, offs, 1)", np.zeros(2), params="out").tolist() == [1, 1]
