"""Names that a program chooses, and closures."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Region, SSAValue

from patlang_ir.frontend.blocks import BlockParser
from patlang_ir.frontend.cursor import BLOCK_WORDS, SyntaxFailure
from patlang_ir.frontend.lexer import RESERVED, Token


class ClosureParser(BlockParser):
    """Reads the names of variables and parameters, and closures."""

    given: Sequence[str] = ()
    """The parameters that the function being read has without listing them."""

    def declare(self, name: Token) -> None:
        if name.text in BLOCK_WORDS:
            self.words.add(name.text)

    def variable_name(self, what: str) -> Token:
        """A name that a program may choose."""
        token = self.token
        if token.kind == "name":
            return self.advance()
        if token.kind in RESERVED and not token.first:
            self.advance()
            raise self.failure(
                token,
                "P110",
                f"'{token.text}' is a word of the language, not {what}",
                help="choose another name",
            )
        raise self.unexpected(what)

    def params(self) -> list[Token]:
        """Names with commas between them; none of them twice."""
        found: dict[str, Token] = {}
        self._param(found)
        while self.token.kind == "," and (self.brackets or not self.token.first):
            self.advance()
            self._param(found)
        return list(found.values())

    def _param(self, found: dict[str, Token]) -> None:
        param = self.variable_name("the name of a parameter")
        self.declare(param)
        if param.text in self.given:
            message = f"'{param.text}' is a parameter of every method"
            self.error(param, "P209", message, help="leave it out of the list")
        elif param.text in found:
            self.error(param, "P209", f"the parameter '{param.text}' is given twice")
        else:
            found[param.text] = param

    def closure(self) -> SSAValue:
        """`|x| { ... }`, `|x| do ... end` or, without parameters, `{ ... }`."""
        start = self.token
        if start.kind == "{" and self._is_map():
            message = "PatLang has no maps: braces hold the statements of a closure"
            self.error(start, "P110", message, help='make a record with new("Class", "name")')
            self.skip_block()
            return self.unit(start)
        outer_words, self.words = self.words, self.words.copy()
        outer_brackets, self.brackets = self.brackets, []
        outer_given, self.given = self.given, ()
        try:
            params = self._closure_params() if start.kind != "{" else []
            region = self._closure_body()
        finally:
            self.words, self.brackets, self.given = outer_words, outer_brackets, outer_given
        names = [param.text for param in params]
        return self.build.closure(self.build.place(start), names, region)

    def names_params(self) -> bool:
        """Whether `|x|` or `|x, y` starts here."""
        after = self.tokens[min(self.position + 2, len(self.tokens) - 1)]
        return self.following.kind == "name" and after.kind in ("|", ",")

    def _is_map(self) -> bool:
        """Whether `{ key: value` starts here."""
        after = self.tokens[min(self.position + 2, len(self.tokens) - 1)]
        return self.following.kind in ("string", "name") and after.kind == ":"

    def _closure_params(self) -> list[Token]:
        opening = self.advance()
        if opening.kind == "fn":
            message = "'fn' makes functions with a name, at the top level"
            self.error(opening, "P110", message, "a closure is |x| { ... }")
            if self.token.kind != "(":
                raise SyntaxFailure
            opening = self.advance()
        end = ")" if opening.kind == "(" else "|"
        params: list[Token] = []
        if self.token.kind != end:
            params = self.params()
            if self.token.kind != end:
                raise self.unexpected(f"',' or '{end}'")
        self.advance()
        return params

    def _closure_body(self) -> Region:
        if self.token.kind != "{" and not self.is_word("do"):
            raise self.unexpected("'{'", help="a closure is |x| { ... } or |x| do ... end")
        opener = self.opener()
        if self.token.kind != "{":
            self.advance()
        region, _ = self.body(opener)
        if self.is_abandoned:
            raise SyntaxFailure
        return region
