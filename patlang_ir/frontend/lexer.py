"""From text to tokens, with the tokens of included files in their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import Diagnostic, Place
from patlang_ir.diagnostics.sources import Sources
from patlang_ir.frontend.includes import PathMap, bundled_library, find_include, read_source

RESERVED = frozenset(
    (
        *("let", "fn", "return", "if", "while", "else", "elif", "and", "or", "not"),
        *("band", "bor", "bxor", "bnot", "shl", "shr", "true", "false"),
    )
)
"""The words that are never names. Every other word is a keyword by its position only."""

DEEPEST_INCLUDE = 16


class Token(NamedTuple):
    """One word or sign.

    `kind` is the text itself for signs and reserved words, otherwise `name`, `int`, `float`,
    `string`, `unclosed` (a string without its end), `unknown` or `eof`.
    """

    kind: str
    text: str
    line: int
    column: int
    first: bool
    """Whether it is the first one on its line."""
    file: str

    @property
    def place(self) -> Place:
        return Place(self.file, self.line, self.column)

    def touches(self, following: Token) -> bool:
        """Whether nothing stands between the two."""
        return self.line == following.line and self.column + len(self.text) == following.column


Fields: TypeAlias = tuple[str, str, int, int, bool, str]


class Marker(NamedTuple):
    """A comment `# @gpu...` alone on its line, and the position of the token after it."""

    text: str
    place: Place
    position: int


SIGNS = (
    *("=", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", ":", ":-", "|"),
    *("(", ")", "[", "]", "{", "}", ",", ".", ";"),
)
NAME = r"[A-Za-z_][A-Za-z0-9_]*"
STRING = r'"[^"\\]*(?:\\[\s\S][^"\\]*)*"'
INCLUDE = r"[ \t]*include[ \t]+(?![=\s])[^\n]*"
PIECE = re.compile(
    rf"""
      ^{INCLUDE}
    | [ \t\r\f\v]+
    | {NAME}
    | :- | [=!<>]= | [-+*/%=<>()\[\]{{}},.;:|]
    | \n
    | [0-9]+(?:\.[0-9]+)?
    | {STRING}
    | \#[^\n]*
    | "[^\n]*
    | [^A-Za-z0-9_\s"\#+*/%=<>()\[\]{{}},.;:|-]+ | [\s\S]
    """,
    re.VERBOSE | re.MULTILINE,
)
"""A program is nothing but these, one after the other."""

KINDS = {
    "blank": r"[ \t\r\f\v]+",
    "name": NAME,
    "int": "[0-9]+",
    "float": r"[0-9]+\.[0-9]+",
    "lines": rf"(?=[\s\S]*\n){STRING}",
    "string": STRING,
    "comment": r"\#[^\n]*",
    "include": INCLUDE,
    "unclosed": r'"[^\n]*',
    "unknown": r"[\s\S]+",
}
KIND = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS.items()))
"""The kind of a piece that is no sign and no reserved word; `lines` is a string of several lines.
"""

NO_WORDS = frozenset(("newline", "comment", "include", "lines", "unclosed"))
"""The kinds of pieces that are more, or less, than a token in a line."""


class PieceKinds(dict[str, str]):
    """The kind of each piece, found when it is met for the first time."""

    def __init__(self) -> None:
        super().__init__((word, word) for word in (*RESERVED, *SIGNS))
        self["\n"] = "newline"

    def __missing__(self, piece: str) -> str:
        match = KIND.fullmatch(piece)
        assert match is not None and match.lastgroup is not None
        kind = self[piece] = match.lastgroup
        return kind


MARKER = re.compile(r"#[ \t]*@gpu")


class Lexer:
    """Collects the tokens of a program; `lex` may be called once."""

    def __init__(self, path_map: PathMap = ()):
        self.path_map = path_map
        self.tokens: list[Token] = []
        self.markers: list[Marker] = []
        self.errors: list[Diagnostic] = []
        self.texts: dict[str, str] = {}
        self._kinds = PieceKinds()
        self.libraries: dict[str, None] = {}
        """The bundled libraries that are included, in order."""

    @paused_collector()
    def lex(self, text: str, file: str) -> Sources:
        """Fill `tokens`, with one more at the end of kind `eof`."""
        end = self._lex_file(text, file, (file,))
        self.tokens.append(end)
        return Sources(self.texts)

    def _lex_file(self, text: str, file: str, chain: tuple[str, ...]) -> Token:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.texts[file] = text
        tokens, kinds = self.tokens, self._kinds
        make: Callable[[type[Token], Fields], Token] = tuple[str | int].__new__  # as Token(*fields)
        add = tokens.append
        line, column, first = 1, 1, True
        multiline: int | None = None
        position = 0
        while True:
            for piece in PIECE.findall(text, position):
                kind = kinds[piece]
                if kind == "blank":
                    column += len(piece)
                elif kind not in NO_WORDS:
                    add(make(Token, (kind, piece, line, column, first, file)))
                    first = False
                    column += len(piece)
                elif kind == "newline":
                    line, column, first = line + 1, 1, True
                elif kind == "comment":
                    if first and MARKER.match(piece):
                        self.markers.append(Marker(piece, Place(file, line, column), len(tokens)))
                    column += len(piece)
                elif kind == "include":
                    written = piece.lstrip(" \t")
                    place = Place(file, line, column + len(piece) - len(written))
                    self._include(written.removeprefix("include"), place, chain)
                    column += len(piece)
                elif kind == "lines":
                    multiline = len(tokens) if multiline is None else multiline
                    add(Token("string", piece, line, column, first, file))
                    first = False
                    line += piece.count("\n")
                    column = len(piece) - piece.rindex("\n")
                elif multiline is None:
                    add(Token(kind, piece, line, column, first, file))
                    first = False
                    column += len(piece)
                else:
                    # The quotes are out of step from the first string that runs over a line end.
                    opened = tokens[multiline]
                    del tokens[multiline:]
                    self.markers = [it for it in self.markers if it.position <= multiline]
                    start = _line_start(text, opened.line) + opened.column - 1
                    position = text.find("\n", start)
                    add(opened._replace(kind=kind, text=text[start:position]))
                    line, multiline = opened.line, None
                    break
            else:
                return Token("eof", "", line, column, True, file)

    def _include(self, written: str, place: Place, chain: tuple[str, ...]) -> None:
        """Add the tokens of the file that an include line names."""
        path = _include_path(written)
        library = bundled_library(path, place.file, self.path_map)
        if library:
            self.libraries[library] = None
            return
        found = find_include(path, place.file, self.path_map)
        if isinstance(found, Diagnostic):
            self.errors.append(_at(place, found))
            return
        chain = (*chain, found)
        if found in chain[:-1] or len(chain) > DEEPEST_INCLUDE:
            why = (
                "the files include each other" if found in chain[:-1] else "includes nest too deep"
            )
            self.errors.append(
                Diagnostic("P107", f"{why}: {' -> '.join(chain)}", place, help="remove one of them")
            )
            return
        text = read_source(found)
        if isinstance(text, Diagnostic):
            self.errors.append(text if text.place else _at(place, text))
            return
        self._lex_file(text, found, chain)


def _line_start(text: str, line: int) -> int:
    """Where a line begins in a text."""
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start


def _include_path(written: str) -> str:
    """The path of an include line; a comment may follow one in quotes."""
    quoted = re.fullmatch(r'\s*"([^"]*)"\s*(?:#.*)?', written)
    return quoted[1] if quoted else written.replace('"', "").strip()


def _at(place: Place, problem: Diagnostic) -> Diagnostic:
    return Diagnostic("P107", problem.message, place, problem.help)


def lex(text: str, name: str = "<text>") -> Sequence[Token]:
    """The tokens of one text."""
    lexer = Lexer()
    lexer.lex(text, name)
    return lexer.tokens
