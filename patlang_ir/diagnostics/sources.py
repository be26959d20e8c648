"""The texts of a program, for showing the line of a diagnostic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from patlang_ir.diagnostics.diagnostic import Place


class Sources(Mapping[str, str]):
    """From the name of each file that was read to its text.

    A line of a file that is not among them is read from the disk.
    """

    def __init__(self, texts: Mapping[str, str] | None = None):
        self._texts = dict(texts or {})

    def __getitem__(self, name: str) -> str:
        return self._texts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __or__(self, other: Mapping[str, str]) -> Sources:
        return Sources({**self._texts, **other})

    def line(self, place: Place) -> str | None:
        """The line of a place, without its end; None if there is no such line."""
        text = self._texts.get(place.file)
        if text is None:
            text = _read(place.file)
        if text is None:
            return None
        lines = text.split("\n")
        return lines[place.line - 1] if 0 < place.line <= len(lines) else None


def _read(name: str) -> str | None:
    try:
        return Path(name).read_text(encoding="utf-8-sig", errors="replace")
    except (OSError, ValueError):
        return None
