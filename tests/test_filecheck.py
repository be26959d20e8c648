"""Every RUN line under tests/filecheck is one test, and nothing there goes untested."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from run_lines import RunLine, run_lines, run_tool

from patlang_ir.universe import DIALECTS, PATLANG_UNIVERSE

ROOT = Path(__file__).parent / "filecheck"
FILES = sorted([*ROOT.rglob("*.mlir"), *ROOT.rglob("*.patlang")])
RUN_LINES = [line for file in FILES for line in run_lines(file)]


def _name(line: RunLine) -> str:
    return f"{line.file.relative_to(ROOT)}:{line.number}"


@pytest.mark.parametrize("line", RUN_LINES, ids=_name)
def test_run_line(line: RunLine) -> None:
    line.run()


def test_every_file_has_a_run_line() -> None:
    tested = {line.file for line in RUN_LINES}
    assert [file for file in FILES if file not in tested and "inputs" not in file.parts] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_operation_is_in_a_round_trip(dialect: str) -> None:
    seen: set[str] = set()
    for file in (ROOT / "dialects").glob("*.mlir"):
        _, output, _ = run_tool(
            "patlang-opt", ["--print-op-generic", "--split-input-file", str(file)]
        )
        seen.update(re.findall(r'"(\w+\.\w+)"\(', output))
    operations = {op.name for op in PATLANG_UNIVERSE.all_dialects[dialect]().operations}
    assert sorted(operations - seen) == []


@pytest.mark.parametrize("name", PATLANG_UNIVERSE.all_passes)
def test_every_pass_has_a_test(name: str) -> None:
    assert [line for line in RUN_LINES if line.file.stem.startswith(name) and name in line.text]
