"""Diagnostics as plain text: the message, the line of the source with a caret, the help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from patlang_ir.diagnostics.diagnostic import Diagnostic, Place

TAB_WIDTH = 4


def render(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> str:
    """All the diagnostics, each with its source line. `sources` are texts that are no files."""
    return "\n".join(_render_one(diagnostic, sources or {}) for diagnostic in diagnostics)


def _render_one(diagnostic: Diagnostic, sources: Mapping[str, str]) -> str:
    where = f"{diagnostic.place}: " if diagnostic.place else ""
    lines = [f"{where}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    if diagnostic.place:
        lines += _excerpt(diagnostic.place, sources)
    if diagnostic.help:
        lines.append(f"  help: {diagnostic.help}")
    return "\n".join(lines)


def _excerpt(place: Place, sources: Mapping[str, str]) -> list[str]:
    """The line of the source and a caret under the place; nothing if it cannot be read."""
    text = sources.get(place.file)
    if text is None:
        try:
            text = Path(place.file).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return []
    lines = text.splitlines()
    if not 0 < place.line <= len(lines):
        return []
    line = lines[place.line - 1]
    before = line[: place.column - 1].expandtabs(TAB_WIDTH)
    number = str(place.line)
    return [
        f" {number} | {line.expandtabs(TAB_WIDTH)}",
        f" {' ' * len(number)} | {' ' * len(before)}^",
    ]
