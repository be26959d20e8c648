"""Whole programs through the command line, against outputs written by hand."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from test_host_png import decode

from patlang_ir.tools.cli import main

TESTS = Path(__file__).parents[1]
PROGRAMS = sorted((TESTS / "programs").glob("*.patlang"))
EXAMPLE = TESTS.parent / "examples" / "mandelbrot.patlang"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_output(program: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["run", str(program), "one", "--device", "cpu", "--", "--two"])
    assert capsys.readouterr().out == program.with_suffix(".out").read_text()
    assert status == 0


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 5


def test_an_error_is_shown_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.patlang"
    path.write_text('fn f(x) {\n  return x - 1\n}\nprint("first")\nf("s")\n')
    assert main(["run", str(path)]) == 1
    output, errors = capsys.readouterr()
    assert output == "first\n"
    assert errors.splitlines() == [
        f"{path}:2:12: error[P601]: '-' does not take the string \"s\" and the integer 1",
        " 2 |   return x - 1",
        "   |            ^",
        "  help: to_num(s) is the number that a string shows",
        '  where x = "s"',
        f"  in f(), called from {path}:5:1",
    ]


def test_many_calls_are_shown_as_a_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.patlang"
    path.write_text("fn f(n) {\n  return f(n + 1)\n}\nf(0)\n")
    assert main(["run", str(path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert "error[P606]" in lines[0]
    assert len(lines) < 15
    assert re.fullmatch(r"  and \d{5,} calls more", lines[-1])


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    path = tmp_path / "a.patlang"
    path.write_text("let i = 0\nwhile i < 100000 do\nprint(i)\nlet i = i + 1\nend\n")
    command = f"{sys.executable} -m patlang_ir.tools.cli run {path} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("0\n", "")


@pytest.mark.parametrize(
    ("redirection", "status", "errors"),
    [
        (">&-", 0, ""),
        (">/dev/full", 1, "error[P101]: the output cannot be written: No space left on device\n"),
    ],
)
def test_an_output_that_cannot_be_written(
    redirection: str, status: int, errors: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.patlang"
    path.write_text('print("text")\n')
    command = f"{sys.executable} -m patlang_ir.tools.cli run {path} {redirection}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (status, errors)


FOREVER = {
    "a loop": "let i = 0\nwhile true do let i = i + 1 end",
    "waiting": "sleep_ms(100000)",
    "a fibre": 'fn f(x) { while true { let x = x + 1 } }\nfiber_resume(fiber_new("f"), 1)',
    "side by side": 'fn f(x) { while true { let x = x + 1 } }\nparallel_map([1, 2], "f")',
    "a program": 'exec_capture("sleep", "100")',
    "the input": "read_line()",
    "a port": "tcp_accept(tcp_listen(0))",
}


@pytest.mark.parametrize("form", FOREVER)
def test_an_interrupt_is_quiet_and_keeps_the_output(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.patlang"
    path.write_text(f'print("started")\nsleep_ms(1)\n{FOREVER[form]}\n')
    command = [sys.executable, "-m", "patlang_ir.tools.cli", "run", str(path)]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(command, **pipes, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (output, errors, process.returncode) == (b"", b"", 130)


def test_the_mandelbrot_example_agrees_with_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    smaller = (
        EXAMPLE.read_text().replace("let side = 512", "let side = 48").replace("255.5", "23.5")
    )
    Path("small.patlang").write_text(smaller)
    assert main(["run", "small.patlang", "--device", "cpu"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"{48 * 48} of {48 * 48} pixels agree\n")
    assert output.endswith("wrote mandelbrot.png\n")
    rows, cols, channels, levels = decode(Path("mandelbrot.png"))
    assert (rows, cols, channels) == (48, 48, 3)
    assert len(set(levels)) > 100
