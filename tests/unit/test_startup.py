"""The tools start fast because they import little."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from patlang_ir.universe import DIALECTS, PATLANG_UNIVERSE, pass_stems

HEAVY = {"torch", "triton", "numpy", "rich"}
TEXT = 'pat.program {\n  %0 = pat.constant 1\n  pat.let "x", %0\n}\n'


def imported(program: str, *arguments: object) -> set[str]:
    """The modules that a fresh interpreter has imported after `program`."""
    script = f"import sys, json\n{program}\nprint('\\n' + json.dumps(sorted(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(result.stdout.splitlines()[-1]))


OPT = "from patlang_ir.tools.opt import main; assert main(sys.argv[1:]) == 0"
CLI = "from patlang_ir.tools.cli import main; assert main(sys.argv[1:]) == 0"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "in.mlir"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["--list-passes"]])
def test_patlang_opt_imports_nothing_heavy(arguments: list[str]):
    assert not imported(OPT, *arguments) & HEAVY


def test_patlang_opt_imports_nothing_heavy_when_it_works(file: Path):
    modules = imported(OPT, file, "-p", "cse,canonicalize")
    assert "patlang_ir.dialects.pat" in modules
    assert not modules & HEAVY


def test_the_help_of_patlang_opt_loads_no_dialect_pass_or_backend():
    modules = imported(OPT, "--help")
    assert not {f"patlang_ir.passes.{stem}" for stem in pass_stems()} & modules
    assert not {name for name in modules if name.startswith("patlang_ir.backends.")}
    assert not {f"patlang_ir.dialects.{name}" for name in DIALECTS} & modules


def test_patlang_imports_nothing_heavy():
    for flag in ("--help", "--version"):
        assert not {"xdsl.dialects.builtin", *HEAVY} & imported(CLI, flag)


def test_dialects_passes_and_targets_import_nothing_heavy():
    program = (
        "from patlang_ir.universe import PATLANG_UNIVERSE as u\n"
        "for part in (u.all_dialects, u.all_passes, u.all_targets, u.all_frontends):\n"
        "    for factory in part.values(): factory()"
    )
    assert not imported(program) & HEAVY


def test_listing_the_passes_imports_none():
    modules = imported("from patlang_ir.universe import PATLANG_UNIVERSE")
    assert not {name for name in modules if name.startswith("patlang_ir.passes.")}


def test_the_classes_of_the_universe_have_the_names_they_are_listed_under():
    universe = PATLANG_UNIVERSE
    for part in (universe.all_passes, universe.all_targets, universe.all_frontends):
        assert {name: factory().name for name, factory in part.items()} == {n: n for n in part}
    assert {name: make().name for name, make in universe.all_dialects.items()} == {
        name: name for name in DIALECTS
    }


def test_xdsl_opt_finds_the_universe(file: Path):
    program = (
        "from xdsl.xdsl_opt_main import xDSLOptMain\n"
        "tool = xDSLOptMain(args=sys.argv[1:])\n"
        "tool.run()\n"
        f"assert set({list(PATLANG_UNIVERSE.all_passes)!r}) <= set(tool.available_passes)\n"
        f"assert set({list(PATLANG_UNIVERSE.all_targets)!r}) <= set(tool.available_targets)\n"
        f"assert 'patlang' in tool.available_frontends"
    )
    assert "patlang_ir.dialects.pat" in imported(program, file)
