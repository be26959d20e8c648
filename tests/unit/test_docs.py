"""Each diagnostic has a page: its program fails with just that message, and its repair works."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest
from doc_blocks import (
    FENCE,
    PROGRAM,
    Block,
    blocks_of,
    codes_in,
    named,
    patlang,
    run_console,
    run_python,
    write,
)

from patlang_ir.diagnostics import CODES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ROOT / "patlang_ir" / "diagnostics" / "pages"
HOW = re.compile(r"^Found by (.*?)\.(?: |$)", re.MULTILINE)
WITHOUT_EXAMPLE = ("P999",)
"""What only a defect of the compiler can give."""

CODE = re.compile(r"P\d{3}")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to run a page in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_code_has_a_page_and_every_page_a_code():
    assert sorted(path.stem for path in PAGES.iterdir()) == sorted(CODES)
    assert DOCS.joinpath("diagnostics").resolve() == PAGES


def test_every_code_is_raised_somewhere():
    """A code in the table is a string somewhere in the compiler, and the other way round."""
    used: set[str] = set()
    for path in (ROOT / "patlang_ir").rglob("*.py"):
        if path.name == "codes.py":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        strings = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
        used |= {text for text in strings if isinstance(text, str) and CODE.fullmatch(text)}
    assert used == set(CODES)


def test_each_page_begins_with_the_title_of_its_code():
    for code, title in CODES.items():
        text = PAGES.joinpath(f"{code}.md").read_text(encoding="utf-8")
        assert text.startswith(f"# {code}: {title}\n\n"), code


@pytest.mark.parametrize("code", [code for code in CODES if code not in WITHOUT_EXAMPLE])
def test_a_page_shows_the_failure_and_its_repair(code: str, folder: Path):
    if code == "P504":
        pytest.importorskip("triton")
    text = PAGES.joinpath(f"{code}.md").read_text(encoding="utf-8")
    broken, _, repaired = text.partition("## Repair\n")
    found = HOW.search(broken)
    assert found is not None, "the page does not say how the code comes up"
    provoke = found[1].strip("`")

    failing = blocks_of(broken)
    assert [block.fails for block in failing].count(True) == 1
    assert codes_in(outcome(provoke, failing, folder)) == {code}

    working = blocks_of(repaired)
    assert working and not any(block.fails for block in working)
    assert not codes_in(outcome(provoke, working, folder))


def outcome(provoke: str, blocks: list[Block], folder: Path) -> str:
    """What a half of a page prints when it is run, after it was compared with the page."""
    for block in blocks:
        if block.kind not in ("python", "console"):
            write(block, folder)
    match provoke:
        case "the command line":
            (session,) = named(blocks, "console")
            _, shown = run_console(session.body, folder)
            assert settled(shown) == settled(session.body)
            return shown
        case "a call from Python":
            (script,) = named(blocks, "python")
            status, shown = run_python(script.body)
            assert bool(status) == script.fails
            assert shown == (script.output or "")
            return shown
        case _:
            (program,) = named(blocks, "patlang")
            tool, *arguments = provoke.split()
            assert tool == "patlang"
            status, shown = patlang(*arguments, PROGRAM)
            assert "warning" in shown or bool(status) == program.fails
            if program.output is not None:
                assert settled(shown) == settled(program.output)
            return shown


def settled(text: str) -> str:
    """A text without the number that depends on how many calls the tools themselves have open."""
    return re.sub(r"and \d+ calls more", "and more calls", text)


def test_the_links_of_the_documentation_lead_somewhere():
    for page in [*DOCS.glob("*.md"), *PAGES.glob("*.md")]:
        folder = DOCS / "diagnostics" if page.parent == PAGES else DOCS
        prose = re.sub(r"`[^`]+`", "", FENCE.sub("", page.read_text(encoding="utf-8")))
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", prose):
            joined = os.path.normpath(folder / target)
            assert os.path.exists(joined), f"{page.name} links to {target}"
