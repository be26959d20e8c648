"""Errors of a running program: code, place, message, and the calls that led there."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from host_model import resolved

from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, Place, RunError
from patlang_ir.runtime.host import NoKernels, run_program
from patlang_ir.runtime.texts import describe


def fails(text: str, launcher: Any = None) -> tuple[RunError, str]:
    """The error that stops a program, and its output up to there."""
    out = io.StringIO()
    with pytest.raises(RunError) as caught:
        run_program(resolved(text), launcher=launcher or NoKernels(), out=out)
    return caught.value, out.getvalue()


def shown(error: RunError) -> tuple[str, str, str]:
    diagnostic = error.diagnostic
    assert diagnostic.place is not None
    place = f"{diagnostic.place.line}:{diagnostic.place.column}"
    return diagnostic.code, place, diagnostic.message


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        (
            'let a = "x"\nlet b = 1 + (a - 2)',
            "P601",
            "2:16",
            "'-' does not take the string \"x\" and the integer 2",
        ),
        (
            "let a = 1\nprint(2 * (a + true))",
            "P601",
            "2:14",
            "'+' does not take the integer 1 and the boolean true",
        ),
        ("let n = 0\nlet a = 1 / n", "P602", "2:11", "'/' by an integer zero"),
        ("let n = 0\nlet a = floor(7 / n)", "P602", "2:17", "division by an integer zero"),
        ("let n = 0\nlet a = 7 % n", "P602", "2:11", "division by an integer zero"),
        ("let n = 0\nlet a = 7.0 / n", "P602", "2:13", "division by an integer zero"),
        (
            "let xs = [1]\nlet xs = list_set(xs, 1, 2)",
            "P603",
            "2:10",
            "list_set: index 1 is outside 0 to 0",
        ),
        (
            "let a = sin([])",
            "P603",
            "1:9",
            "sin: argument 1 must be a real number, not the list []",
        ),
        ("let a = 1\na = 2", "P604", "2:1", "cannot assign twice to the immutable variable 'a'"),
        ("let a = 5\nlet b = a(1)", "P601", "2:9", "the integer 5 cannot be called"),
        (
            "let a = pow(10, 400)\nlet b = 0.5 + a",
            "P601",
            "2:13",
            "the integer is too large to become a float",
        ),
        ('print(apply("g"))', "P603", "1:7", "apply: the program has no function 'g'"),
        (
            "let i = 0\nwhile i < 3 do\n  let i = i + 1\n  let b = [1] < i\nend",
            "P601",
            "4:15",
            "'<' does not take the list [1] and the integer 1",
        ),
    ],
)
def test_code_place_and_message(text: str, code: str, place: str, message: str) -> None:
    error, _ = fails(text)
    assert shown(error) == (code, place, message)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("require", "precondition"), ("ensure", "postcondition"), ("assert", "assertion")],
)
def test_contracts_quote_the_program(word: str, kind: str) -> None:
    written = '((a - 1)) * -2 > 0.50 and (not (xs[0] == "q")) or [a, 1.0].length == (a - (1 - a))'
    error, _ = fails(f"fn f(a, xs) {{\n  {word} {written}\n}}\nf(1, [2])")
    condition = '(a - 1) * -2 > 0.5 and not (xs[0] == "q") or [a, 1.0].length == a - (1 - a)'
    assert shown(error) == (
        "P605",
        "2:3",
        f"contract violation: {kind} failed in f(): {condition}",
    )


def test_a_contract_that_holds_is_silent() -> None:
    out = io.StringIO()
    run_program(resolved("require 1 < 2\nprint(1)"), launcher=NoKernels(), out=out)
    assert out.getvalue() == "1\n"


def test_the_stack_names_every_call() -> None:
    error, output = fails(
        "fn inner(x) {\n  return x - 1\n}\nfn outer(x) {\n  return 1 +\n    inner(x)\n}\n"
        'print("before")\nlet r = outer("s")'
    )
    assert output == "before\n"
    calls = [(name, place.line, place.column) for name, place in error.stack]
    assert calls == [("the program", 9, 9), ("outer", 6, 5), ("inner", 2, 12)]


def test_the_stack_goes_through_apply() -> None:
    error, _ = fails('fn f(x) {\n  return x - 1\n}\nprint(apply("f", "s", 1, 2))')
    assert [name for name, _ in error.stack] == ["the program", "f"]


DEPTH = (
    "fn down(n) {{\n  if n == 0 then return 0 end\n  return 1 + {call}\n}}\nprint(down({depth}))"
)


@pytest.mark.parametrize("call", ["down(n - 1)", 'apply("down", n - 1)', 'apply("down", n - 1, 0)'])
def test_a_hundred_thousand_calls_may_be_open(call: str) -> None:
    depth = 100_000 if not call.endswith(", 0)") else 20_000
    out = io.StringIO()
    module = resolved(DEPTH.format(call=call, depth=depth))
    run_program(module, launcher=NoKernels(), out=out)
    assert out.getvalue() == f"{depth}\n"


def test_endless_recursion_is_an_error() -> None:
    limit = sys.getrecursionlimit()
    error, _ = fails("fn f(n) {\n  return f(n + 1)\n}\nf(0)")
    assert error.diagnostic.code == "P606"
    assert error.diagnostic.place is not None and error.diagnostic.place.line == 2
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    ("text", "output", "code"),
    [
        ("let mut a = 1\na = 2\nprint(a)", "2\n", ""),
        ("fn f(p) {\n  p = p + 1\n  return p\n}\nprint(f(1))", "2\n", ""),
        ("a = 1\na = 2\nprint(a)", "2\n", ""),
        ("let mut a = 1\nlet a = 2\na = 3", "", "P604"),
        ("let a = 1\nlet mut a = 2\na = 3\nprint(a)", "3\n", ""),
        ("let mut a = 1\nif a then let a = 2 end\na = 3", "", "P604"),
        ("let mut a = 0\nif a then let a = 2 end\na = 3\nprint(a)", "3\n", ""),
        ('let a = 1\na = print("value first")', "value first\n", "P604"),
        (
            "let mut a = 0\nlet i = 0\nwhile i < 2 do\na = i\nlet a = 5\nlet i = i + 1\nend",
            "",
            "P604",
        ),
    ],
)
def test_assignment_after_let(text: str, output: str, code: str) -> None:
    out = io.StringIO()
    found = ""
    try:
        run_program(resolved(text), launcher=NoKernels(), out=out)
    except RunError as error:
        found = error.diagnostic.code
    assert (out.getvalue(), found) == (output, code)


def test_blocks_that_nest_too_deep_for_python() -> None:
    loops = 25
    text = "let a = 1\n" + "while a do\n" * loops + "let a = 0\n" + "end\n" * loops
    with pytest.raises(CompileError) as caught:
        run_program(resolved(text), launcher=NoKernels())
    assert caught.value.diagnostics[0].code == "P120"


def test_a_long_sum_is_no_problem() -> None:
    out = io.StringIO()
    text = "let a = 1\nprint(" + " + ".join(["a"] * 3000) + ")"
    run_program(resolved(text), launcher=NoKernels(), out=out)
    assert out.getvalue() == "3000\n"


def test_numbers_of_any_length_are_printed() -> None:
    out = io.StringIO()
    run_program(resolved("print(pow(10, 5000))"), launcher=NoKernels(), out=out)
    assert out.getvalue() == "1" + "0" * 5000 + "\n"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("let n = 0\nlet xs = [7]\nlet a = xs[0] / n", "xs = [7], n = 0"),
        ("fn f(a, b) { return a + 1 - b }\nf(1, [true, 2.0])", "a = 1, b = [true, 2.0]"),
        ('let lambda = "x\\n"\nlet t1 = -lambda', 'lambda = "x\\n"'),
        (
            "fn f(a, b) { require a > 0 and b != a return b }\nf(-1 / 2, { })",
            "a = -1/2, b = <closure>",
        ),
        ("fn u() { }\nlet x = u()\nlet y = x band 1", "x = unit"),
        ("let xs = [1]\nlet xs = list_set(xs, 5, 2)", "xs = [1]"),
        ('let s = "s"\nlet a = 2 - "s = x"', ""),
        (
            "let xs = [0]\nlet i = 1\nwhile i < 50 do\n  let xs = list_push(xs, [i])\n"
            "  let i = i + 1\nend\nlet y = -xs",
            "xs = [0, [1], [2], [3], [4], [5], [6], [7], [8], [9], ...]",
        ),
        ("let n = pow(10, 5000)\nlet a = 1.5 * n", "n = <16610 bits>"),
        ('let xs = [[[[1]]], "a"]\nxs.m()', 'xs = [[[[...]]], "a"]'),
    ],
)
def test_the_values_that_are_involved(text: str, values: str) -> None:
    error, _ = fails(text)
    assert ", ".join(f"{name} = {value}" for name, value in error.values) == values


def test_a_long_value_is_cut() -> None:
    assert describe("x" * 1000) == f'the string "{"x" * 56}...'
    assert describe([1] * 1000) == f"the list [{'1, ' * 10}...]"
    assert describe(10**5000) == "the integer <16610 bits>"


KERNEL = "# @gpu_kernel\nmake function twice takes x, out\nstore(out, offs, 2.0 * x[offs])\nend\n"


class Refusing:
    """A launcher whose device is broken."""

    def launch(self, name: str, args: Sequence[Any], /) -> list[Any]:
        raise LaunchError(Diagnostic("P504", f"'{name}' was refused"))


def test_a_launch_error_gets_the_place_of_the_call() -> None:
    error, _ = fails(KERNEL + "let out = [0]\ntwice([1], out)", Refusing())
    assert shown(error) == ("P504", "6:1", "'twice' was refused")
    assert isinstance(error.__cause__, LaunchError)


class Strict:
    """A launcher whose kernel meets an error, or cannot be compiled for its arguments."""

    def __init__(self, error: Exception):
        self.error = error

    def launch(self, name: str, args: Sequence[Any], /) -> list[Any]:
        raise self.error


IN_FUNCTION = KERNEL + "fn go(xs) {\n  let out = [0]\n  twice(xs, out)\n}\ngo([1])"
IN_KERNEL = Place("test.patlang", 3, 18)


def test_an_error_about_the_arguments_of_a_kernel_is_shown_at_the_call() -> None:
    found = Diagnostic("P501", "too short", Place("test.patlang", 2, 15))
    error, _ = fails(IN_FUNCTION, Strict(LaunchError(found)))
    assert shown(error) == ("P501", "7:3", "too short")
    assert [(name, place.line) for name, place in error.stack] == [("the program", 9), ("go", 7)]
    assert error.values == (("xs", "[1]"), ("out", "[0]"))


def test_an_error_inside_a_kernel_is_shown_there_with_the_calls() -> None:
    found = Diagnostic("P607", "outside", IN_KERNEL)
    error, _ = fails(IN_FUNCTION, Strict(RunError(found)))
    assert shown(error) == ("P607", "3:18", "outside")
    calls = [(name, place.line) for name, place in error.stack]
    assert calls == [("the program", 9), ("go", 7), ("twice", 3)]


def test_a_kernel_that_cannot_be_compiled_shows_the_calls() -> None:
    found = Diagnostic("P305", "no numbers", IN_KERNEL)
    with pytest.raises(CompileError) as caught:
        run_program(resolved(IN_FUNCTION), launcher=Strict(CompileError([found])))
    (problem,) = caught.value.diagnostics
    assert problem.place == IN_KERNEL
    assert [place.line for place in problem.called_from] == [7, 9]


class Twice:
    """A launcher that knows one kernel."""

    def launch(self, name: str, args: Sequence[Any], /) -> list[Any]:
        assert name == "twice"
        return [None, [2.0 * value for value in args[0]]]


def test_a_launch_binds_the_written_variable_again() -> None:
    out = io.StringIO()
    text = KERNEL + "let out = [0, 0]\nlet old = out\ntwice([1, 2.5], out)\nprint(out)\nprint(old)"
    run_program(resolved(text), launcher=Twice(), out=out)
    assert out.getvalue() == "[2, 5]\n[0, 0]\n"


def test_a_return_ends_the_program_with_a_value() -> None:
    assert run_program(resolved("return 1 + 1\nprint(3)"), launcher=NoKernels()) == 2
