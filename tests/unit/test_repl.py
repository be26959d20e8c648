"""`patlang repl`: inputs that share variables and functions."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from run_lines import run_tool

from patlang_ir.diagnostics import CompileError, RunError
from patlang_ir.runtime.launcher import ListRunner
from patlang_ir.tools.repl import prompt_session, run_input, run_interactively
from patlang_ir.tools.session import Session

ENTER, CTRL_C, CTRL_D = "\r", "\x03", "\x04"


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def session(out: io.StringIO) -> Iterator[Session]:
    made = Session(out, runner=ListRunner("cpu", "", False))
    yield made
    made.close()


def shown(session: Session, *inputs: str) -> list[str]:
    """The lines that the last of some inputs prints."""
    out = session.machine.out
    assert isinstance(out, io.StringIO)
    for text in inputs:
        out.seek(0)
        out.truncate()
        session.run(text)
    return out.getvalue().splitlines()


# --- values and variables ---


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1 + 2", ["3"]),
        ("-7 % 3", ["-1"]),
        ("1 / 2", ["1/2"]),
        ("not 1", ["false"]),
        ("true", ["true"]),
        ("bnot 5", ["-6"]),
        ('"a" + 1', ['"a1"']),
        ('[1, "a", 2.0]', ["[1, a, 2]"]),
        ("(1 + 2) * 3", ["9"]),
        ("sqrt(16)", ["4"]),
        ('print("x")', ["x"]),
        ("|x| { return x }", ["<closure>"]),
        ("let a = 1", []),
        ("let a = 1\na + 1", ["2"]),
        ("let a = 1 print(a) a", ["1", "1"]),
        ("if 0 then print(2) end", []),
        ("return 5", ["5"]),
        ("", []),
        ("# nothing", []),
    ],
)
def test_a_value_alone_is_printed(session: Session, text: str, lines: list[str]):
    assert shown(session, text) == lines


def test_variables_are_kept(session: Session):
    assert shown(session, "let x = 1", "let x = x + 1", "x = x * 10", "x") == ["20"]
    assert shown(session, "let xs = []", "let xs = list_push(xs, x)", "xs") == ["[20]"]
    assert shown(session, "if x > 5 then let y = 7 else let z = 8 end", "[y, z]") == ["[7, ]"]
    loop = "let i = 0\nwhile i < 4 do\n  let i = i + 1\nend"
    assert shown(session, loop, "i") == ["4"]


@pytest.mark.parametrize(
    "value", ["log(0)", "0.0 / 0.0", "pow(2, 100)", "-0.5", "1 / 3", "true", "sqrt(-4)", '"a\\"b"']
)
def test_values_of_every_kind_are_kept(session: Session, value: str):
    assert shown(session, f"let v = {value}", "v") == shown(session, value)


def test_a_list_that_is_kept_is_not_changed_by_another(session: Session):
    session.run("let a = [1]")
    session.run("let b = a")
    session.run("let b = list_push(b, 2)")
    assert shown(session, "[a, b]") == ["[[1], [1, 2]]"]


def test_functions_are_kept_and_replaced(session: Session):
    assert shown(session, "fn f(a) { return a * 2 }", "f(4)") == ["8"]
    assert shown(session, "fn g(a) { return f(a) + 1 }", "g(4)") == ["9"]
    assert shown(session, "fn f(a) { return a * 3 }", "g(4)") == ["13"]
    assert shown(session, 'apply("f", 1)') == ["3"]


def test_closures_keep_what_they_captured(session: Session):
    session.run("let n = 1")
    session.run("let add = |x| { return x + n }")
    session.run("let n = 100")
    assert shown(session, "add(5)") == ["6"]


def test_records_buffers_and_fibres_are_kept(session: Session):
    session.run('set_var("a", 3)')
    session.run("let b = sb_new()")
    session.run('sb_push(b, "text")')
    assert shown(session, '[get("__vars", "a"), sb_str(b)]') == ["[3, text]"]
    session.run("fn count(n) { while true do let n = n + fiber_yield(n) end }")
    session.run('let f = fiber_new("count")')
    assert shown(session, "fiber_resume(f, 5)") == ["5"]
    assert shown(session, "fiber_resume(f, 2)") == ["7"]


def test_an_include_is_kept(session: Session):
    session.run('include "test"')
    assert shown(session, 'check("one", 1, 1)') == ["  ok: one", "true"]


def test_kernels_use_the_numbers_of_the_session(session: Session):
    session.run("let scale = 2.5")
    session.run("# @gpu_kernel\nfn scaled(x, out) {\n  store(out, offs, scale * x[offs])\n}")
    session.run("let out = [0, 0]")
    session.run("let old = out")
    session.run("scaled([1, 2], out)")
    assert shown(session, "[out, old]") == ["[[2.5, 5], [0, 0]]"]


# --- errors ---


def test_an_error_leaves_the_rest_of_the_session(session: Session):
    session.run("let x = 1")
    with pytest.raises(RunError) as caught:
        session.run('let y = 2\nlet x = "s" - 1')
    assert str(caught.value.diagnostic.place) == "<input 2>:2:13"
    assert shown(session, "[x, y]") == ["[1, 2]"]
    with pytest.raises(CompileError) as refused:
        session.run("fn h() { return nothing }")
    assert str(refused.value.diagnostics[0].place) == "<input 4>:1:17"
    with pytest.raises(CompileError):
        session.run("h()")


def test_an_error_in_a_function_of_an_earlier_input_is_shown_with_its_line(session: Session):
    session.run("fn f(a) {\n  return a - 1\n}")
    session.run("let g = |a| { return f(a) }")
    errors = io.StringIO()
    assert not run_input(session, 'g("s")', errors)
    assert errors.getvalue().splitlines() == [
        "<input 1>:2:12: error[P601]: '-' does not take the string \"s\" and the integer 1",
        " 2 |   return a - 1",
        "   |            ^",
        "  help: to_num(s) is the number that a string shows",
        '  where a = "s"',
        "  in f(), called from <input 2>:1:22",
        errors.getvalue().splitlines()[-1],
    ]
    assert errors.getvalue().endswith("called from <input 3>:1:1\n")


def test_the_place_of_an_expression_is_where_it_was_typed(session: Session):
    with pytest.raises(RunError) as caught:
        session.run("[1] + 2")
    assert str(caught.value.diagnostic.place) == "<input 1>:1:5"


# --- what is complete ---


@pytest.mark.parametrize(
    "text",
    [
        "if x then",
        "while x {",
        "fn f(",
        "let x =",
        "1 +",
        "a and",
        "not",
        "[1,",
        'print("a',
        "make a function called f takes a",
        "# @gpu_kernel",
        "if a then\n  b()\nelse",
    ],
)
def test_more_must_follow(session: Session, text: str):
    assert not session.is_complete(text)


@pytest.mark.parametrize(
    "text",
    ["", "1", "let y = 1", "if x then y() end", "print(1))", "end", "fn f() {\n}", "# a", '"a"'],
)
def test_nothing_must_follow(session: Session, text: str):
    assert session.is_complete(text)


# --- the prompt ---


def typed(session: Session, keys: str) -> str:
    """The errors after somebody typed something; the input ends then."""
    errors = io.StringIO()
    with create_pipe_input() as pipe:
        prompt = prompt_session(session, input=pipe, output=DummyOutput())
        pipe.send_text(keys + CTRL_D)
        run_interactively(session, prompt.prompt, errors)
    return errors.getvalue()


def test_inputs_are_run_one_by_one(session: Session, out: io.StringIO):
    assert typed(session, f"let x = 1{ENTER}x + 1{ENTER}") == ""
    assert out.getvalue() == "2\n"


def test_an_input_may_have_several_lines(session: Session, out: io.StringIO):
    typed(session, f"if 1 {{{ENTER}print(1){ENTER}print(2){ENTER}}}{ENTER}3{ENTER}")
    assert out.getvalue() == "1\n2\n3\n"


def test_an_interrupt_clears_the_input(session: Session, out: io.StringIO):
    typed(session, f"print(1{CTRL_C}print(2){ENTER}")
    assert out.getvalue() == "2\n"


def test_inputs_are_remembered(session: Session):
    with create_pipe_input() as pipe:
        prompt = prompt_session(session, input=pipe, output=DummyOutput())
        pipe.send_text(f"print(1){ENTER}fn f() {{{ENTER}}}{ENTER}{CTRL_D}")
        run_interactively(session, prompt.prompt, io.StringIO())
    assert prompt.history.get_strings() == ["print(1)", "fn f() {\n}"]


def test_an_error_is_shown_and_the_session_goes_on(session: Session, out: io.StringIO):
    errors = typed(session, f"nothing(1){ENTER}2{ENTER}")
    assert errors.startswith("<input 1>:1:1: error[P202]: there is no function 'nothing'\n")
    assert out.getvalue() == "2\n"


def test_an_interrupt_ends_a_program_but_not_the_session(
    session: Session, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(text: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(session, "run", interrupted)
    errors = io.StringIO()
    assert not run_input(session, "1", errors)
    assert errors.getvalue() == "interrupted\n"


# --- a pipe ---


def test_a_pipe_is_read_line_by_line():
    data = 'let x = 20\nx + 1\nfn f(a) {\n  return a * 2\n}\n\n# twice\nf(x)\nprint("end")'
    assert run_tool("patlang", ["repl"], data) == (0, "21\n40\nend\n", "")


def test_errors_in_a_pipe_are_shown_and_make_the_status():
    status, output, errors = run_tool("patlang", ["repl"], "bad(1)\n1\nprint(")
    assert (status, output) == (1, "1\n")
    assert [line for line in errors.splitlines() if "error[" in line] == [
        "<input 1>:1:1: error[P202]: there is no function 'bad'",
        "<input 3>:1:6: error[P112]: '(' is not closed",
    ]


def test_a_session_may_include_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("mine.patlang").write_text("fn twice(x) { return 2 * x }\n")
    assert run_tool("patlang", ["repl"], "include mine.patlang\ntwice(4)\n") == (0, "8\n", "")
