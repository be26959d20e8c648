"""How diagnostics are shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from patlang_ir.diagnostics import CompileError, Diagnostic, Place, Report, refuse
from patlang_ir.diagnostics.render import TAB_WIDTH, WIDEST, excerpt, render_json, render_text
from patlang_ir.diagnostics.sources import Sources

TEXT = "let a = 1\nlet b = cuont\n"
UNBOUND = Diagnostic(
    "P201", "'cuont' is not bound", Place("a.patlang", 2, 9), "did you mean 'count'?"
)


def shown(diagnostic: Diagnostic, text: str = TEXT, color: bool = False) -> str:
    return render_text([diagnostic], Sources({"a.patlang": text}), color)


def test_a_diagnostic_has_its_line_a_caret_and_help():
    assert shown(UNBOUND) == (
        "a.patlang:2:9: error[P201]: 'cuont' is not bound\n"
        " 2 | let b = cuont\n"
        "   |         ^\n"
        "  help: did you mean 'count'?"
    )


def test_warnings_and_diagnostics_without_a_place():
    warning = Diagnostic("P119", "a marker", Place("a.patlang", 1, 1), severity="warning")
    no_place = Diagnostic("P101", "cannot read 'b'")
    text = render_text([warning, no_place], Sources({"a.patlang": TEXT}))
    assert text == (
        "a.patlang:1:1: warning[P119]: a marker\n 1 | let a = 1\n   | ^\n"
        "error[P101]: cannot read 'b'"
    )


@pytest.mark.parametrize("place", [Place("a.patlang", 9, 1), Place("other.patlang", 1, 1)])
def test_a_line_that_is_not_there_is_left_out(place: Place):
    assert shown(Diagnostic("P201", "x", place)) == f"{place}: error[P201]: x"


def test_the_end_of_the_text_can_be_pointed_at():
    end = Diagnostic("P103", "empty", Place("a.patlang", 3, 1))
    assert shown(end).splitlines()[1:] == [" 3 | ", "   | ^"]


def test_files_that_were_not_given_are_read(tmp_path: Path):
    file = tmp_path / "b.patlang"
    file.write_text("first\nsecond")
    assert Sources().line(Place(str(file), 2, 1)) == "second"


@pytest.mark.parametrize(
    ("line", "column", "before"),
    [
        ("\tx", 2, TAB_WIDTH),
        ("ab\tx", 4, TAB_WIDTH),
        ("abcd\tx", 6, 2 * TAB_WIDTH),
        ('"日本" x', 6, 7),
        ('"e\u0301" x', 6, 4),
        ("abc", 4, 3),
        ("日\tx", 3, TAB_WIDTH),
    ],
)
def test_the_caret_stands_under_its_character(line: str, column: int, before: int):
    """`before` is counted by hand: terminal columns to the left of the character."""
    _, caret = excerpt(line, column)
    assert caret == before


def test_characters_that_move_the_cursor_are_not_sent_to_the_terminal():
    text, _ = excerpt("a\x1b[31m\x07b", 1)
    assert text == "a\ufffd[31m\ufffdb"


@pytest.mark.parametrize("column", [1, 30, 500, 990, 1001])
def test_a_long_line_is_cut_around_the_place(column: int):
    line = "".join(chr(ord("a") + position % 26) for position in range(1000))
    text, caret = excerpt(line, column)
    assert len(text) <= WIDEST + 6
    assert text[caret : caret + 1] == line[column - 1 : column]
    assert text.startswith("...") == (column > 100)


def test_color_changes_no_text():
    colored = shown(UNBOUND, color=True)
    assert "\x1b[" in colored
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == shown(UNBOUND)
    assert "\x1b" not in shown(UNBOUND)


def test_color_takes_brackets_as_they_are():
    odd = Diagnostic("P110", "unexpected '[red]x[/]'", Place("a.patlang", 1, 1))
    colored = shown(odd, "[bold]" + "x" * 200, color=True)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", colored)
    assert plain == shown(odd, "[bold]" + "x" * 200)
    assert "[red]x[/]" in plain


def test_json():
    read = json.loads(render_json([UNBOUND, Diagnostic("P101", "cannot read 'b'")]))
    assert read == [
        {
            "code": "P201",
            "severity": "error",
            "message": "'cuont' is not bound",
            "file": "a.patlang",
            "line": 2,
            "column": 9,
            "help": "did you mean 'count'?",
            "called_from": [],
        },
        {
            "code": "P101",
            "severity": "error",
            "message": "cannot read 'b'",
            "file": None,
            "line": None,
            "column": None,
            "help": "",
            "called_from": [],
        },
    ]
    assert json.loads(render_json([])) == []


def test_a_report_raises_everything_once():
    place = Place("a", 1, 1)
    with pytest.raises(CompileError) as caught, Report() as report:
        report.error(place, "P201", "x")
        report.error(place, "P201", "x")
        raise refuse(place, "P202", "y")
    assert [item.code for item in caught.value.diagnostics] == ["P201", "P202"]


def test_a_code_must_be_listed():
    with pytest.raises(AssertionError):
        Diagnostic("P000", "x")
