"""Diagnostics as a person or a program reads them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from unicodedata import combining, east_asian_width

from patlang_ir.diagnostics.diagnostic import Diagnostic, Place
from patlang_ir.diagnostics.sources import Sources

TAB_WIDTH = 4
WIDEST = 120
"""How much of a source line is shown, in columns of the terminal."""
MARGIN = 40
"""How much is kept to the left of the caret in a line that is cut."""

STYLES = {"error": "bold red", "warning": "bold yellow", "help": "bold cyan", "gutter": "blue"}


@dataclass(frozen=True)
class Part:
    """A piece of text, and what it is: `error`, `warning`, `help`, `gutter`, or nothing."""

    text: str
    role: str = ""


def render_text(diagnostics: Iterable[Diagnostic], sources: Sources, color: bool = False) -> str:
    """Each diagnostic with its source line, a caret under the place, and its help."""
    blocks = [_lines(diagnostic, sources) for diagnostic in diagnostics]
    return "\n".join(_join(line, color) for block in blocks for line in block)


def render_json(diagnostics: Iterable[Diagnostic]) -> str:
    """A JSON list with an object for each diagnostic."""
    return json.dumps([_fields(diagnostic) for diagnostic in diagnostics], indent=2)


def _fields(diagnostic: Diagnostic) -> dict[str, object]:
    place = diagnostic.place
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "help": diagnostic.help,
        "called_from": [_position(call) for call in diagnostic.called_from],
    }


def _position(place: Place) -> dict[str, object]:
    return {"file": place.file, "line": place.line, "column": place.column}


def _lines(diagnostic: Diagnostic, sources: Sources) -> list[list[Part]]:
    severity = diagnostic.severity
    where = f"{diagnostic.place}: " if diagnostic.place else ""
    lines = [
        [
            Part(where),
            Part(f"{severity}[{diagnostic.code}]", severity),
            Part(f": {diagnostic.message}"),
        ]
    ]
    source = sources.line(diagnostic.place) if diagnostic.place else None
    if source is not None and diagnostic.place is not None:
        shown, caret = excerpt(source, diagnostic.place.column)
        number = str(diagnostic.place.line)
        lines.append([Part(f" {number} | ", "gutter"), Part(shown)])
        lines.append(
            [Part(f" {' ' * len(number)} | ", "gutter"), Part(" " * caret), Part("^", severity)]
        )
    lines += ([Part(f"  called at {place}", "gutter")] for place in diagnostic.called_from)
    if diagnostic.help:
        lines.append([Part("  help", "help"), Part(f": {diagnostic.help}")])
    return lines


def excerpt(line: str, column: int) -> tuple[str, int]:
    """A source line as a terminal shows it, and how many of its columns are before `column`.

    Tabs become blanks, and wide characters count twice. A long line is cut around the place.
    """
    cells: list[str] = []
    caret = 0
    for position, character in enumerate(line, start=1):
        if position == column:
            caret = len(cells)
        if character == "\t":
            cells += " " * (TAB_WIDTH - len(cells) % TAB_WIDTH)
        elif combining(character) and cells:
            cells[-1] += character
        else:
            cells.append(character if character.isprintable() else "\ufffd")
            if east_asian_width(character) in "WF":
                cells.append("")
    if column > len(line):
        caret = len(cells)
    if len(cells) <= WIDEST:
        return "".join(cells), caret
    start = max(0, min(caret - MARGIN, len(cells) - WIDEST))
    before = "..." if start else ""
    after = "..." if start + WIDEST < len(cells) else ""
    return before + "".join(cells[start : start + WIDEST]) + after, caret - start + len(before)


def _join(parts: list[Part], color: bool) -> str:
    if not color:
        return "".join(part.text for part in parts)
    from rich.console import Console
    from rich.text import Text

    console = Console(color_system="standard", force_terminal=True, soft_wrap=True)
    text = Text.assemble(*((part.text, STYLES.get(part.role, "")) for part in parts))
    with console.capture() as capture:
        console.print(text, end="", highlight=False, soft_wrap=True)
    return capture.get()
