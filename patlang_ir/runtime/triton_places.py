"""PatLang places in what Triton compiles."""

from __future__ import annotations

import ast
from typing import Any

from patlang_ir.backends.triton import TritonText
from patlang_ir.diagnostics import Place


def show_patlang_places(function: Any, text: TritonText) -> None:
    """Let Triton take the places of a jitted function from the PatLang program.

    Triton compiles the tree that `parse` returns, and its line tables follow the numbers there.
    """
    decorators = next(i for i, line in enumerate(function.raw_src) if line.startswith("def "))
    first = function.starting_line_number + decorators
    last = function.starting_line_number + len(function.raw_src) - 1
    places = places_of_lines(text, first, last)
    if not places:
        return
    file = places[last].file
    parse = function.parse

    def parse_with_places() -> ast.AST:
        tree: ast.AST = parse()
        for node in ast.walk(tree):
            line: int | None = getattr(node, "lineno", None)
            place = places.get(first + line - 1) if line is not None else None
            if place is not None and place.file == file:
                vars(node).update(lineno=place.line, col_offset=place.column - 1)
        return tree

    function.parse = parse_with_places
    function.fn.__code__ = function.fn.__code__.replace(co_filename=file)
    function.starting_line_number = 1 - decorators
    if hasattr(function, "file_name"):
        function.file_name = file
        function.def_file_line_number = function.def_file_col_number = 1


def places_of_lines(text: TritonText, first: int, last: int) -> dict[int, Place]:
    """The place of each line of a function; a line without one has that of the line before."""
    known = [line for line in range(first, last + 1) if line in text.line_map]
    if not known:
        return {}
    place = text.line_map[known[0]]
    places: dict[int, Place] = {}
    for line in range(first, last + 1):
        place = text.line_map.get(line, place)
        places[line] = place
    return places
