"""Programs that are long or deep: they run, or an error says where it is too much."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import StringIO
from types import FrameType
from typing import Any, TypeAlias

import pytest
from xdsl.context import Context

from patlang_ir.backends.python import print_python
from patlang_ir.diagnostics import CompileError, Place, RunError, place_of
from patlang_ir.dialects import pat
from patlang_ir.frontend import parse
from patlang_ir.frontend.cursor import DEEPEST
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.runtime.host import NoKernels, run_text

TraceFunction: TypeAlias = Callable[[FrameType, str, Any], Any]


def run(text: str) -> str:
    """What a program prints."""
    module = parse(text).module
    for step in parse_pipeline("patlang-host"):
        step.apply(Context(), module)
    out = StringIO()
    run_text(print_python(module), launcher=NoKernels(), out=out)
    return out.getvalue()


def test_a_file_of_half_a_megabyte_is_read_to_its_end():
    count = 8_000
    text = "".join(
        f"fn f{i}(a) {{\n  return a * {i} + f{i // 2}(a - 1)\n}}\n" for i in range(count)
    )
    text += "print(f1(2))\n"
    assert len(text) > 350_000
    program, *functions = parse(text).module.ops
    names = [op.sym_name.data for op in functions if isinstance(op, pat.FuncOp)]
    assert names == [f"f{i}" for i in range(count)]
    assert isinstance(program, pat.ProgramOp)
    last = program.body.block.last_op
    assert last is not None and place_of(last.location) == Place("<text>", 3 * count + 1, 1)


def test_ten_thousand_brackets_are_an_error_at_the_first_that_is_too_much():
    start = "let x = "
    with pytest.raises(CompileError) as caught:
        parse(f"{start}{'(' * 10_000}1{')' * 10_000}")
    (error,) = caught.value.diagnostics
    assert error.code == "P120"
    assert error.place == Place("<text>", 1, len(start) + 1 + DEEPEST)


def test_calls_may_nest_a_hundred_thousand_deep():
    text = "fn f(n) {\n  if n == 0 { return 0 }\n  return 1 + f(n - 1)\n}\nprint(f(100000))\n"
    assert run(text) == "100000\n"


def test_calls_without_an_end_are_an_error_with_its_place():
    with pytest.raises(RunError) as caught:
        run("fn f(n) {\n  return 1 + f(n + 1)\n}\nprint(f(0))\n")
    assert caught.value.diagnostic.code == "P606"
    assert caught.value.diagnostic.place == Place("<text>", 2, 14)


LONG: dict[str, tuple[Callable[[int], str], Callable[[int], str]]] = {
    "terms": (lambda n: f"print(1{' + 1' * n})", lambda n: f"{n + 1}\n"),
    "signs": (lambda n: f"let x = {'-' * n}1\nprint(x)", lambda n: f"{(-1) ** n}\n"),
    "nots": (lambda n: f"print({'not ' * n}1)", lambda n: "false\n" if n % 2 else "true\n"),
    "items": (lambda n: f"print(list_len([0{', 0' * n}]))", lambda n: f"{n + 1}\n"),
    "conditions": (lambda n: f"print(true{' and true' * n})", lambda n: "true\n"),
}


@pytest.mark.parametrize("form", LONG)
def test_an_expression_may_be_long(form: str):
    text, answer = LONG[form]
    assert run(text(5_001)) == answer(5_001)


@pytest.mark.parametrize(
    "condition",
    [
        f"1{' + 1' * 5_001} == 0",
        f"{'-' * 5_001}1 == 1",
        f"{'not ' * 5_001}1",
        f"true{' and true' * 5_001} == false",
    ],
    ids=["terms", "signs", "nots", "conditions"],
)
def test_a_contract_may_be_long(condition: str):
    with pytest.raises(RunError) as caught:
        run(f"require {condition}")
    assert caught.value.diagnostic.code == "P605"
    assert "..." in caught.value.diagnostic.message


@pytest.mark.parametrize("otherwise", ["", 'else\n  print("none")\n'])
def test_an_if_may_have_thousands_of_arms(otherwise: str):
    count = 4_000
    arms = "".join(f"elif n == {i} then\n  print({i} * 2)\n" for i in range(1, count))
    chain = f"if n == 0 then\n  print(0)\n{arms}{otherwise}end\n"
    wanted = [0, 1, 499, 500, 501, 2_000, count - 1]
    calls = "".join(f"f({n})\n" for n in (*wanted, count))
    expected = [str(2 * n) for n in wanted] + (["none"] if otherwise else [])
    assert run(f"fn f(n) {{\n{chain}}}\n{calls}").splitlines() == expected


STATEMENTS: dict[str, Callable[[int], str]] = {
    "variables and branches": lambda n: "".join(
        f"let v{i} = {i}\nif v{i} > 3 then let w{i} = v{i} end\n" for i in range(n)
    ),
    "loops": lambda n: "".join(
        f"let xs{i} = []\nwhile xs{i}.length < 3 do let xs{i} = list_push(xs{i}, {i}) end\n"
        for i in range(n)
    ),
    "branches in a loop": lambda n: (
        "let k = 0\nwhile k < 2 do\n"
        + "".join(f"let v{i} = k\nif v{i} > 1 then let v{i} = 0 end\n" for i in range(n))
        + "let k = k + 1\nend\n"
    ),
    "functions in a chain": lambda n: (
        "fn f0(a) { return a }\n"
        + "".join(f"fn f{i + 1}(a) {{ return f{i}(a) + 1 }}\n" for i in range(n))
    ),
    "closures of one name": lambda n: "let f = |x| { return x }\n" * n,
    "a long sum": lambda n: f"print(1{' + 1' * n})",
}


@pytest.mark.parametrize("form", STATEMENTS)
def test_work_grows_with_length(form: str):
    """Five times the text may take eight times the lines of Python; what is quadratic takes 25."""

    def lines(length: int) -> int:
        text = STATEMENTS[form](length)
        count = 0

        def note(frame: FrameType, event: str, arg: object) -> TraceFunction:
            nonlocal count
            count += 1
            return note

        before = sys.gettrace()
        sys.settrace(note)
        try:
            run(text)
        finally:
            sys.settrace(before)
        return count

    lines(20)
    assert lines(500) < 8 * lines(100)
