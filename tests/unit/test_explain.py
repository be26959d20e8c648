"""`patlang explain`."""

from __future__ import annotations

import sys
import tomllib
from io import StringIO
from pathlib import Path

import pytest
from run_lines import run_tool
from test_startup import CLI, imported

from patlang_ir.diagnostics import CODES
from patlang_ir.tools.commands import explain

ROOT = Path(__file__).parents[2]


def patlang(*arguments: str) -> tuple[int, str, str]:
    return run_tool("patlang", ["explain", *arguments])


def test_a_page_is_printed_as_it_is():
    page = (ROOT / "docs/diagnostics/P302.md").read_text(encoding="utf-8")
    assert patlang("P302") == (0, page, "")
    assert patlang("p302") == (0, page, "")


def test_without_a_code_all_are_listed():
    status, output, _ = patlang()
    assert status == 0
    assert output.splitlines() == [f"{code}  {title}" for code, title in CODES.items()]


@pytest.mark.parametrize(
    ("asked", "help"),
    [
        ("P3O2", "did you mean P302?"),
        ("302", "did you mean P302?"),
        ("W", "'patlang explain' lists the codes"),
    ],
)
def test_an_unknown_code(asked: str, help: str):
    said = f"error[P905]: there is no diagnostic '{asked}'\n  help: {help}\n"
    assert patlang(asked) == (1, "", said)


def test_a_terminal_gets_formatted_text(monkeypatch: pytest.MonkeyPatch):
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    explain.show("# A title\n\nSome `code`.\n")
    shown = terminal.getvalue()
    assert "A title" in shown and "# A title" not in shown and "`" not in shown
    assert "\x1b[" in shown


def test_it_imports_neither_numpy_nor_torch():
    assert not imported(CLI, "explain", "P302") & {"torch", "triton", "numpy", "rich"}


def test_the_pages_are_part_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["patlang_ir"]
    package = ROOT / "patlang_ir"
    packaged = {path for pattern in patterns for path in package.glob(pattern)}
    assert {package / f"diagnostics/pages/{code}.md" for code in CODES} <= packaged
