"""Lines of text, and the PatLang place that each of them comes from."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import PurePath

from patlang_ir.diagnostics import Place


@dataclass(frozen=True)
class TritonText:
    """A Triton program: its text, for each line (from 1) the place that it comes from, and for
    each kernel and launcher the Python function."""

    text: str
    line_map: dict[int, Place]
    names: dict[str, str]

    def __str__(self) -> str:
        return self.text


@dataclass
class Lines:
    """Collects lines; a comment names the PatLang line where another one begins."""

    lines: list[str] = field(default_factory=list[str])
    line_map: dict[int, Place] = field(default_factory=dict[int, Place])
    indent: int = 0
    last: tuple[str, int] | None = None

    def add(self, text: str = "", place: Place | None = None) -> None:
        line = f"{'    ' * self.indent}{text}" if text else ""
        if place is not None:
            self.line_map[len(self.lines) + 1] = place
            if (place.file, place.line) != self.last:
                self.last = (place.file, place.line)
                line += f"  # {PurePath(place.file).name}:{place.line}"
        self.lines.append(line)

    @contextmanager
    def indented(self) -> Generator[None]:
        self.indent += 1
        yield
        self.indent -= 1

    def finish(self, names: dict[str, str]) -> TritonText:
        return TritonText("\n".join(self.lines) + "\n", self.line_map, names)
