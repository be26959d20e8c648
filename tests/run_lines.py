"""The RUN lines of FileCheck tests, run inside this process.

A line is a chain of commands, `[not] patlang-opt ARGS [2>&1] | ... | filecheck ARGS`, as lit would
give it to a shell. `%s` is the file. A command must succeed, or fail after `not`.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options
from filecheck.parser import Parser

from patlang_ir.tools import cli, opt

TOOLS: dict[str, Callable[[Sequence[str]], int]] = {
    "patlang-opt": opt.main,
    "patlang": cli.main,
}
RUN = re.compile(r"^\s*(?://|#)\s*RUN:\s*(.*?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class RunLine:
    """One RUN line of a file."""

    file: Path
    number: int
    text: str

    def run(self) -> None:
        """Run the chain; an AssertionError says what went wrong."""
        data = ""
        for command in self.text.split(" | "):
            words = [word.replace("%s", str(self.file)) for word in shlex.split(command)]
            data = self._run_command(words, data)

    def _run_command(self, words: list[str], data: str) -> str:
        if words[0] == "filecheck":
            _check(words, data)
            return ""
        fails = words[0] == "not"
        joined = words[-1] == "2>&1"
        tool, *arguments = words[1 if fails else 0 : -1 if joined else None]
        status, output, errors = run_tool(tool, arguments, data, joined)
        assert (status != 0) == fails, f"exit {status} from {' '.join(words)}\n{output}{errors}"
        return output


def run_lines(file: Path) -> list[RunLine]:
    """The RUN lines of a file; one that ends with a backslash goes on in the next."""
    joined: list[str] = []
    for line in RUN.findall(file.read_text(encoding="utf-8")):
        if joined and joined[-1].endswith("\\"):
            joined[-1] = joined[-1][:-1] + line
        else:
            joined.append(line)
    return [RunLine(file, number, text) for number, text in enumerate(joined, start=1)]


def run_tool(
    tool: str, arguments: Sequence[str], data: str = "", joined: bool = False
) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of a tool; `joined` sends both to stdout."""
    output = StringIO()
    errors = output if joined else StringIO()
    stdin, sys.stdin = sys.stdin, TextIOWrapper(BytesIO(data.encode()), encoding="utf-8")
    try:
        with redirect_stdout(output), redirect_stderr(errors):
            status = TOOLS[tool](list(arguments))
    finally:
        sys.stdin = stdin
    return status, output.getvalue(), "" if joined else errors.getvalue()


def _check(words: list[str], data: str) -> None:
    options = parse_argv_options(list(words))
    report = StringIO()
    with redirect_stdout(report), redirect_stderr(report):
        status = Matcher(options, FInput("<stdin>", data), Parser.from_opts(options)).run()
    assert status == 0, report.getvalue()
