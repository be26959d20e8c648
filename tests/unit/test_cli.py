"""`patlang`: finding commands, and how the program ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from run_lines import run_tool

from patlang_ir.diagnostics import Diagnostic, Place, RunError, refuse
from patlang_ir.tools import cli

COMMAND = """
HELP = "{help}"

def add_arguments(parser):
    parser.add_argument("file")
    parser.add_argument("--times", type=int, default=1)

def run(args):
    {body}
"""


@pytest.fixture(autouse=True)
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of commands for one test; `write` below adds to it."""
    monkeypatch.setattr(cli, "COMMANDS", tmp_path)
    package = sys.modules.setdefault(
        "patlang_ir.tools.commands", __import__("patlang_ir.tools.commands").tools.commands
    )
    monkeypatch.setattr(package, "__path__", [str(tmp_path)])
    for name in [name for name in sys.modules if name.startswith("patlang_ir.tools.commands.")]:
        monkeypatch.delitem(sys.modules, name)
    return tmp_path


def write(folder: Path, name: str, body: str, help: str = "a command") -> None:
    (folder / f"{name}.py").write_text(COMMAND.format(help=help, body=body))
    sys.modules.pop(f"patlang_ir.tools.commands.{name}", None)


def patlang(*arguments: str) -> tuple[int, str, str]:
    return run_tool("patlang", arguments)


def test_commands_are_found_by_their_files(commands: Path):
    write(commands, "zeta", "return 0", "does the last thing")
    write(commands, "alpha", "return 0", "does the first thing")
    (commands / "__init__.py").touch()
    assert patlang("--help") == (
        0,
        "usage: patlang COMMAND ...\n       patlang COMMAND --help\n\ncommands:\n"
        "  alpha  does the first thing\n  zeta   does the last thing\n",
        "",
    )


def test_without_arguments_the_usage_is_an_error():
    status, output, errors = patlang()
    assert (status, output) == (1, "")
    assert errors.startswith("usage: patlang COMMAND")


def test_a_command_gets_its_arguments_and_gives_the_status(commands: Path):
    write(commands, "say", "print(args.file * args.times); return 7")
    assert patlang("say", "ab", "--times", "2") == (7, "abab\n", "")


def test_only_the_command_that_was_asked_for_is_imported(commands: Path):
    write(commands, "good", "return 0")
    (commands / "bad.py").write_text("raise RuntimeError")
    assert patlang("good", "x")[0] == 0
    assert "good" in patlang("--help")[1]


def test_an_unknown_command(commands: Path):
    write(commands, "compile", "return 0")
    assert patlang("compil")[2] == (
        "error[P905]: unknown command 'compil'\n  help: did you mean 'compile'?\n"
    )
    assert "help: the commands are: compile" in patlang("zzz")[2]


def test_a_program_in_the_place_of_a_command(commands: Path):
    program = commands / "a.patlang"
    program.write_text("print(1)")
    assert f"help: to run a program, write: patlang run {program}" in patlang(str(program))[2]


def test_wrong_arguments_of_a_command(commands: Path):
    write(commands, "say", "return 0")
    status, output, errors = patlang("say", "x", "--times", "two")
    assert (status, output) == (1, "")
    assert errors.startswith("error[P905]: argument --times: invalid int value: 'two'")
    assert patlang("say", "--help")[0] == 0


def test_version():
    assert patlang("--version")[1].startswith("patlang ")


@pytest.mark.parametrize(
    ("exception", "said"),
    [
        (refuse(None, "P201", "'x' is not bound"), "error[P201]: 'x' is not bound\n"),
        (RunError(Diagnostic("P602", "by zero", Place("a", 1, 2))), "a:1:2: error[P602]: by zero"),
        (FileNotFoundError(2, "No such file", "k"), "error[P101]: No such file: 'k'\n"),
        (ZeroDivisionError("boom"), "error[P999]: starting: ZeroDivisionError: boom\n  help: "),
    ],
)
def test_errors_end_in_a_diagnostic(commands: Path, exception: Exception, said: str):
    write(commands, "fail", "raise ERROR")
    cli.load_command("fail").ERROR = exception  # pyright: ignore
    status, _, errors = patlang("fail", "x")
    assert status == 1
    assert errors.startswith(said) and "Traceback" not in errors


def test_an_interrupt_is_130_and_silent(commands: Path):
    write(commands, "stop", "raise KeyboardInterrupt")
    assert patlang("stop", "x") == (130, "", "")


def test_an_exit_keeps_its_status(commands: Path):
    write(commands, "leave", "raise SystemExit(5)")
    assert patlang("leave", "x")[0] == 5


@pytest.mark.parametrize("module", ["cli", "opt"])
def test_a_reader_that_goes_away_is_no_error(module: str):
    program = (
        "import sys; from patlang_ir.tools import process\n"
        f"from patlang_ir.tools import {module}\n"
        "def run():\n"
        "    for _ in range(100_000): print('line')\n"
        "    return 0\n"
        "sys.exit(process.guarded(run))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1
