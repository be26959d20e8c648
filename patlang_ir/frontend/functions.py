"""Programs: functions, their markers, and the statements between them."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Region

from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import Diagnostic, place_of
from patlang_ir.dialects import pat
from patlang_ir.frontend.classes import ClassParser
from patlang_ir.frontend.cursor import DEEPEST, NestingFailure, Opener, SyntaxFailure
from patlang_ir.frontend.lexer import Lexer, Marker, Token
from patlang_ir.frontend.markers import (
    KernelMark,
    MarkerError,
    marker_kind,
    read_marker,
    similar_marker,
)


class ProgramParser(ClassParser):
    """Reads a whole program into a module."""

    def __init__(self, lexer: Lexer):
        super().__init__(lexer.tokens)
        self.errors.extend(lexer.errors)
        self.functions: dict[str, pat.FuncOp] = {}
        self._markers: dict[int, list[Marker]] = {}
        for marker in lexer.markers:
            self._markers.setdefault(marker.position, []).append(marker)

    @paused_collector()
    def program(self) -> ModuleOp:
        start = self.token
        try:
            while self.token.kind != "eof":
                self.block()
                self._end_of_block()
        except (NestingFailure, RecursionError):
            self.error(
                self.token,
                "P120",
                f"blocks and brackets may nest {DEEPEST} deep, not more",
                help="use variables for parts of the expression, or a function for inner blocks",
            )
        self._warn_of_markers()
        body = pat.ProgramOp(Region(self.build.block))
        body.location = self.build.place(start)
        if start.kind == "eof" and not self.errors:
            self.error(start, "P103", "the program has no statement and no function")
        return ModuleOp([body, *self.functions.values()])

    def _end_of_block(self) -> None:
        """At the top level: a token that ends a block, or the end of the file."""
        if self.token.kind != "eof":
            self.stray_end()

    def nested_function(self) -> None:
        if not self.openers:
            self._define(self.function())
            return
        self.error(
            self.token,
            "P115",
            "a function can be defined at the top level only",
            help="move it out of the block it stands in",
        )
        self.function()

    def _define(self, function: pat.FuncOp | None) -> None:
        """Add a function; of two with one name the later one counts."""
        if function is None:
            return
        name = function.sym_name.data
        earlier = self.functions.pop(name, None)
        self.functions[name] = function
        if earlier is None or earlier.location == function.location:
            return
        place = place_of(earlier.location)
        message = f"'{name}' is defined twice; the definition at {place} is not used"
        self.warn_twice(place_of(function.location), message)

    def function(self) -> pat.FuncOp | None:
        """A function; None if it has no name that can be used."""
        mark = self._mark()
        opener = self.opener()
        outer_words, self.words = self.words, set()
        outer_kernel, self.in_kernel = self.in_kernel, mark is not None
        name: Token | None = None
        params: list[Token] = []
        returns: str | None = None
        try:
            if opener.token.kind == "fn":
                self.advance()
                name = self._function_name()
                params = self._fn_params()
                if self.token.kind != "{":
                    raise self.unexpected("'{'")
            else:
                for word in ("make", "a", "function", "called"):
                    if self.is_word(word):
                        self.advance()
                name = self._function_name()
                params = self._made_params()
                returns = self._returns()
        except SyntaxFailure:
            self.skip_line("{")
            if opener.token.kind == "fn" and self.token.kind != "{" and self._is_one_line(opener):
                return None
        region, _ = self.body(opener)
        self.words, self.in_kernel = outer_words, outer_kernel
        if name is None:
            return None
        names = dict.fromkeys(param.text for param in params)
        return self.build.function(name, names, region, returns, mark)

    def _function_name(self) -> Token:
        if self.token.kind != "name" and not self.token.first and self.token.kind.isalpha():
            name = self.advance()
            if name.kind == name.text:
                self._refuse_name(name)
                return name
        name = self.variable_name("the name of a function")
        if name.text == "main":
            self._refuse_name(name)
        return name

    def _refuse_name(self, name: Token) -> None:
        self.error(
            name, "P117", f"a function cannot be called '{name.text}'", help="choose another name"
        )

    def _is_one_line(self, opener: Opener) -> bool:
        """Whether the next line is no body: it is not to the right of the function's own."""
        return self.token.column <= opener.indentation

    def _made_params(self) -> list[Token]:
        """`takes a, b`: the list ends with its line, unless a comma ends the line."""
        if self.token.kind == "(" and not self.token.first:
            raise self.failure(
                self.token,
                "P110",
                "the parameters of 'make function' follow the word 'takes'",
                help="write make function called NAME takes a, b",
            )
        if not self.is_word("takes") or self.following.kind == "=":
            return []
        self.advance()
        return self.params()

    def _fn_params(self) -> list[Token]:
        bracket = self.advance()
        if bracket.kind != "(":
            raise self.failure(bracket, "P110", "the parameters are missing", help="write (a, b)")
        self.brackets.append(bracket)
        params: list[Token] = []
        if self.token.kind != ")":
            params = self.params()
        self.close_bracket(")")
        return params

    def _returns(self) -> str | None:
        if not self.is_word("returns") or self.following.kind != "name":
            return None
        self.advance()
        return self.advance().text

    # --- markers ---

    def _mark(self) -> KernelMark | None:
        """What the comments above this function make of it."""
        mark: KernelMark | None = None
        for marker in self._markers.pop(self.position, []):
            kind = marker_kind(marker)
            if kind is None:
                self._warn(marker, "this is no marker that is known")
                continue
            if mark is not None:
                self.errors.append(
                    Diagnostic("P118", "this function has two markers", marker.place, "keep one")
                )
                continue
            try:
                mark = read_marker(marker, kind)
            except MarkerError as error:
                self.errors.append(error.diagnostic)
                mark = KernelMark(kind, None)
        return mark

    def _warn_of_markers(self) -> None:
        """The markers that no function took."""
        for markers in self._markers.values():
            for marker in markers:
                if marker_kind(marker) is None:
                    self._warn(marker, "this is no marker that is known")
                else:
                    self._warn(marker, "this marker marks no function")

    def _warn(self, marker: Marker, message: str) -> None:
        known = marker_kind(marker) is not None
        help = "a function follows a marker" if known else f"did you mean {similar_marker(marker)}?"
        self.warnings.append(Diagnostic("P119", message, marker.place, help, severity="warning"))
