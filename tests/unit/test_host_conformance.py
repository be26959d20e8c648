"""One small program for each rule of the language: its output, and what stops it, word by word."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from patlang_ir.tools.cli import main

FOLDER = Path(__file__).parents[1] / "programs" / "conformance"
PROGRAMS = sorted(FOLDER.glob("*/*.patlang"))


def expected(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_rule(
    program: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(program.parent, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    status = main(["run", program.name, "--device", "cpu"])
    output, errors = capsys.readouterr()
    assert output == expected(program.with_suffix(".out"))
    assert errors == expected(program.with_suffix(".err"))
    assert status == ("error[" in errors)


def test_every_program_says_which_rule_it_shows() -> None:
    assert len(PROGRAMS) > 150
    assert [path for path in PROGRAMS if not path.read_text("utf-8").startswith("# ")] == []


def test_every_name_and_call_that_is_refused_comes_with_a_suggestion() -> None:
    """Errors of names and calls are found before the run, and say what to write."""
    found = 0
    for path in FOLDER.glob("*/*.err"):
        problems = re.split(r"^(?=\S+:\d+:\d+: error)", path.read_text("utf-8"), flags=re.M)
        names = [problem for problem in problems if "error[P2" in problem]
        assert [problem for problem in names if "\n  help: " not in problem] == []
        found += len(names)
    assert found > 10
