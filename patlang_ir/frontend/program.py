"""From a text or a file to a module of the `pat` dialect."""

from __future__ import annotations

import os
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr

from patlang_ir.diagnostics import CompileError, Diagnostic, Place
from patlang_ir.diagnostics.sources import Sources
from patlang_ir.dialects import pat
from patlang_ir.frontend.functions import ProgramParser
from patlang_ir.frontend.includes import PathMap, read_source
from patlang_ir.frontend.lexer import Lexer


@dataclass(frozen=True)
class Program:
    """A program as it was written: one `pat.program`, and one `pat.func` for each function."""

    module: ModuleOp
    warnings: tuple[Diagnostic, ...]
    sources: Sources


def parse(text: str, name: str = "<text>", *, path_map: PathMap = ()) -> Program:
    """The program of a text; included files are looked for beside `name`.

    Raises CompileError with every error that was found.
    """
    if not text.isascii():
        _check_encoding(text, name)
    lexer = Lexer(path_map)
    sources = lexer.lex(text, name)
    parser = ProgramParser(lexer)
    module = parser.program()
    if parser.errors:
        raise CompileError([*parser.errors, *parser.warnings])
    if lexer.libraries:
        module.attributes[pat.LIBRARIES] = ArrayAttr(map(StringAttr, lexer.libraries))
    return Program(module, tuple(parser.warnings), sources)


def parse_file(path: str | os.PathLike[str], *, path_map: PathMap = ()) -> Program:
    """The program of a file; every place names the file as `path` does."""
    text = read_source(path)
    if isinstance(text, Diagnostic):
        raise CompileError([text])
    return parse(text, os.fspath(path), path_map=path_map)


def _check_encoding(text: str, name: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        place = Place(name, line, error.start - text.rfind("\n", 0, error.start))
        problem = Diagnostic("P102", "half of a surrogate pair is no character", place)
        raise CompileError([problem]) from None
