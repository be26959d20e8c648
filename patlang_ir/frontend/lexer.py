"""From text to tokens, with the tokens of included files in their place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

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


class Marker(NamedTuple):
    """A comment `# @gpu...` alone on its line, and the position of the token after it."""

    text: str
    place: Place
    position: int


TOKEN = re.compile(
    r"""
      ^[ \t]*include[ \t]+(?![=\s])(?P<include>[^\n]*)
    | [ \t\r\f\v]*
      (?: (?P<name>[A-Za-z_][A-Za-z0-9_]*)
        | (?P<sign>:-|[=!<>]=|[-+*/%=<>()\[\]{},.;:|])
        | (?P<newline>\n)
        | (?P<float>[0-9]+\.[0-9]+)
        | (?P<int>[0-9]+)
        | (?P<string>"[^"\\]*(?:\\[\s\S][^"\\]*)*")
        | (?P<comment>\#[^\n]*)
        | (?P<unclosed>"[^\n]*)
        | (?P<eof>\Z)
        | (?P<unknown>[^A-Za-z0-9_\s"\#+*/%=<>()\[\]{},.;:|-]+|[\s\S])
      )
    """,
    re.VERBOSE | re.MULTILINE,
)
BLANK = re.compile(r"[ \t\r\f\v]*")
MARKER = re.compile(r"#[ \t]*@gpu")


class Lexer:
    """Collects the tokens of a program; `lex` may be called once."""

    def __init__(self, path_map: PathMap = ()):
        self.path_map = path_map
        self.tokens: list[Token] = []
        self.markers: list[Marker] = []
        self.errors: list[Diagnostic] = []
        self.texts: dict[str, str] = {}
        self.libraries: dict[str, None] = {}
        """The bundled libraries that are included, in order."""

    def lex(self, text: str, file: str) -> Sources:
        """Fill `tokens`, with one more at the end of kind `eof`."""
        end = self._lex_file(text, file, (file,))
        self.tokens.append(end)
        return Sources(self.texts)

    def _lex_file(self, text: str, file: str, chain: tuple[str, ...]) -> Token:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.texts[file] = text
        tokens = self.tokens
        scan = TOKEN.match
        line, line_start, first, position = 1, 0, True, 0
        multiline: tuple[int, int, int, int] | None = None
        while True:
            match = scan(text, position)
            assert match is not None and match.lastgroup is not None
            kind = match.lastgroup
            start, position = match.span(kind)
            match kind:
                case "newline":
                    line, line_start, first = line + 1, position, True
                    continue
                case "name":
                    word = match[kind]
                    kind = word if word in RESERVED else kind
                case "sign":
                    kind = word = match[kind]
                case "comment":
                    comment = match[kind]
                    if first and MARKER.match(comment):
                        place = Place(file, line, start - line_start + 1)
                        self.markers.append(Marker(comment, place, len(tokens)))
                    continue
                case "include":
                    where = BLANK.match(text, match.start())
                    assert where is not None
                    place = Place(file, line, where.end() - line_start + 1)
                    self._include(match[kind], place, chain)
                    continue
                case "eof":
                    return Token(kind, "", line, start - line_start + 1, True, file)
                case "unclosed" if multiline is not None:
                    # The quotes are out of step from the first string that runs over a line end.
                    count, start, line, line_start = multiline
                    first = tokens[count].first
                    del tokens[count:]
                    self.markers = [it for it in self.markers if it.position <= count]
                    end = text.find("\n", start)
                    word, position = text[start:end], end
                    multiline = None
                case _:
                    word = match[kind]
            tokens.append(Token(kind, word, line, start - line_start + 1, first, file))
            first = False
            if kind == "string" and "\n" in word:
                multiline = multiline or (len(tokens) - 1, start, line, line_start)
                line += word.count("\n")
                line_start = start + word.rindex("\n") + 1

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
