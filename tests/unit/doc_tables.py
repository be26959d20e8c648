"""The tables of a documentation page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Row = dict[str, str]


def tables_of(text: str) -> Iterator[list[Row]]:
    """Each table of a page, as rows by the names of their columns."""
    for found in re.finditer(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = (cells(line) for line in found[0].splitlines())
        yield [dict(zip(head, row, strict=True)) for row in rows]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table_with(text: str, *columns: str) -> list[Row]:
    """The rows of all tables that have just these columns."""
    return [row for rows in tables_of(text) for row in rows if tuple(row) == columns]


def code_in(cell: str) -> list[str]:
    """What stands between backquotes in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def numbers(cell: str) -> Sequence[bool | int | float]:
    """The values that a cell lists."""
    words = {"true": True, "false": False, "NaN": float("nan"), "inf": float("inf")}
    return [words[item] if item in words else _number(item) for item in cell.split(", ")]


def _number(text: str) -> int | float:
    if text == "-inf":
        return -float("inf")
    return float(text) if re.search(r"[.e]", text) else int(text)
