"""Kernels as pieces of text: found in a program, or given one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.diagnostics import CompileError, Diagnostic, Place, place_of, refuse
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.frontend.functions import ProgramParser
from patlang_ir.frontend.includes import PathMap
from patlang_ir.frontend.lexer import Lexer, Marker, Token
from patlang_ir.frontend.markers import KINDS

TOLERATED = ("P107", "P114")
"""What may be wrong with a program whose kernels are wanted: a library that is not here, and forms
that are not supported, which a kernel cannot hold."""


@dataclass(frozen=True)
class MarkedKernel:
    """A kernel of a program, with its own text and all the program, in which it may use functions
    and constants."""

    name: str
    kind: KernelKind
    text: str
    program: ModuleOp


class _Finder(ProgramParser):
    """A parser that remembers where each function stands."""

    def __init__(self, lexer: Lexer):
        super().__init__(lexer)
        self.extents: dict[str, tuple[Token, Token]] = {}

    def nested_function(self) -> None:
        start, known = self.token, len(self.functions)
        super().nested_function()
        if not self.openers and self.functions and known <= len(self.functions):
            self.extents[next(reversed(self.functions))] = (start, self.previous)


def marked_kernels(text: str, file: str, *, path_map: PathMap = ()) -> list[MarkedKernel]:
    """The marked functions of a program, without those of the files it includes."""
    lexer = Lexer(path_map)
    lexer.lex(text, file)
    finder = _Finder(lexer)
    program = finder.program()
    _expect_none(error for error in finder.errors if error.code not in TOLERATED)
    lines = lexer.texts[file].split("\n")
    found: list[MarkedKernel] = []
    for name, function in finder.functions.items():
        start, end = finder.extents[name]
        if function.kernel is not None and start.file == end.file == file:
            written = _between(lines, start, end)
            found.append(MarkedKernel(name, function.kernel.data, written, program))
    return found


def _between(lines: list[str], start: Token, end: Token) -> str:
    """The text from one token to another."""
    if start.line == end.line:
        return lines[start.line - 1][start.column - 1 : end.column - 1 + len(end.text)]
    first, last = lines[start.line - 1], lines[end.line - 1]
    inner = lines[start.line : end.line - 1]
    return "\n".join([first[start.column - 1 :], *inner, last[: end.column - 1 + len(end.text)]])


def parse_kernel(text: str, name: str, kind: KernelKind) -> ModuleOp:
    """The program that consists of one kernel of that name, whose text needs no marker."""
    file = f"<kernel {name}>"
    lexer = Lexer()
    lexer.lex(text, file)
    if not any(marker.position == 0 for marker in lexer.markers):
        word = next(word for word, marked in KINDS.items() if marked is kind)
        lexer.markers.append(Marker(f"# @{word}", Place(file, 1, 1), 0))
    parser = ProgramParser(lexer)
    module = parser.program()
    _expect_none(parser.errors)
    program, *functions = module.ops
    assert isinstance(program, pat.ProgramOp)
    statement = program.body.block.first_op
    if statement is not None:
        raise refuse(statement, "P110", "a kernel's source is one function and nothing else")
    twice = [it for it in parser.warnings if it.code == "P121"]
    if len(functions) != 1 or twice:
        second = twice[0].place if twice else functions[1].location
        raise refuse(second, "P110", "a kernel's source is one function, not two")
    (function,) = functions
    assert isinstance(function, pat.FuncOp)
    if function.sym_name.data != name:
        found = f"the source defines '{function.sym_name.data}', not '{name}'"
        raise refuse(function, "P210", found)
    _expect_kind(function, kind)
    return module


def _expect_kind(function: pat.FuncOp, kind: KernelKind) -> None:
    assert function.kernel is not None
    if function.kernel.data is not kind:
        marked, wanted = (
            next(word for word, known in KINDS.items() if known is one)
            for one in (function.kernel.data, kind)
        )
        message = f"'{function.sym_name.data}' is marked '# @{marked}', and '# @{wanted}' is needed"
        raise refuse(place_of(function.location), "P210", message)


def _expect_none(errors: Iterable[Diagnostic]) -> None:
    found = list(errors)
    if found:
        raise CompileError(found)
