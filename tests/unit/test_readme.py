"""What the README shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from run_lines import run_tool

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def block(kind: str) -> str:
    """The text of the only block of a kind."""
    (text,) = re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    return text


@pytest.fixture(autouse=True)
def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # pyright: ignore
    (tmp_path / "k.patlang").write_text(block("patlang file=k.patlang"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_the_program_prints_what_is_said():
    status, output, _ = run_tool("patlang", ["run", "k.patlang", "--device", "cpu"])
    assert status == 0
    assert f"`{output.strip()}`" in README


def test_the_kernel_becomes_what_is_shown():
    pipeline = "--pass-pipeline=patlang-kernel-to-triton"
    status, output, _ = run_tool("patlang-opt", [pipeline, "-t", "triton", "k.patlang"])
    assert status == 0
    assert f"\n\n\n{block('python')}\n\n" in output


def test_the_kernel_is_a_function_over_arrays():
    names: dict[str, object] = {}
    exec(block("python run"), names)
    assert list(names["out"]) == [2.5, 0.0, 6.5]  # pyright: ignore


def test_the_commands_that_look_inside():
    for command in re.findall(r"^patlang-opt (.*?)(?:  +#.*)?$", README, re.MULTILINE):
        assert run_tool("patlang-opt", command.split())[0] == 0, command
