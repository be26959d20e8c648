"""Blocks: where they begin and end, and which one lacks its end."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import Region

from patlang_ir.frontend.cursor import STATEMENT_STARTS, Opener, SyntaxFailure, describe
from patlang_ir.frontend.expressions import ExpressionParser
from patlang_ir.frontend.forms import is_function_header
from patlang_ir.frontend.lexer import Token

BLOCK_ENDS = ("}", "else", "elif", "eof")
"""The tokens that can only end a block, besides the word `end`."""

TOP_FORMS = ("when", "class")
"""The words that open forms which only the top level has, besides those of functions."""

MEMBERS = ("traits", "field")
"""The words that open the members of a class, besides those of functions."""


class BlockParser(ExpressionParser):
    """Reads blocks of statements. `openers` are the blocks that are open, the outermost first."""

    def __init__(self, tokens: list[Token]):
        super().__init__(tokens)
        self.openers: list[Opener] = []
        self._misplaced_end: Opener | None = None
        """The first block that was closed by an `end` to the left of it."""
        self._abandoned_at = -1
        """The position where the open blocks were given up."""
        self._ends_to_forgive = 0

    def statement(self) -> None:
        """Read one statement."""
        raise NotImplementedError

    def block(self, read: Callable[[], None] | None = None) -> None:
        """Statements, or what `read` reads, up to a token that can only end the block."""
        read = read or self.statement
        depth = self.depth
        while True:
            token = self.token
            if token.kind in BLOCK_ENDS or (token.text == "end" and self.ends_word_block()):
                break
            if token.first and self.openers and self._starts_outside():
                break
            position = self.position
            try:
                read()
            except SyntaxFailure:
                self.depth = depth
                self.recover()
            if self.position == position:
                self.advance()

    def _starts_outside(self) -> bool:
        """Whether a form of the top level starts here, or after the members of a class anything
        else, so far to the left that a block must lack its end."""
        token, opener = self.token, self.openers[-1]
        if token.column > opener.indentation:
            return False
        if token.kind == "fn" or is_function_header(token, self.following):
            return not opener.is_class or token.column < opener.indentation
        named = self.following.kind == "name" and not self.following.first
        if token.text in TOP_FORMS and named:
            return True
        return opener.is_class and token.kind != ";" and not (token.text in MEMBERS and named)

    def body(self, opener: Opener, *, chained: bool = False) -> tuple[Region, bool]:
        """The region of a block, and whether its end was read.

        A block in braces ends with its own brace. A word block ends with `end`; if `chained`, also
        before `elif` and `else`, which are not read.
        """
        outer = self.build.enter()
        ended = self.enclosed(opener, chained=chained)
        return self.build.leave(outer), ended

    def enclosed(
        self, opener: Opener, read: Callable[[], None] | None = None, *, chained: bool = False
    ) -> bool:
        """Read the inside of a block, part by part with `read`; whether the end was read."""
        self.openers.append(opener)
        self.nest()
        ended = True
        if self.token.kind == "{":
            self.openers[-1] = opener.opened_by(self.token)
            self.advance()
            self.block(read)
            self._close("}")
        else:
            self.block(read)
            if chained and self.token.kind in ("elif", "else"):
                ended = False
            else:
                self._close("end")
        self.depth -= 1
        self.openers.pop()
        return ended

    @property
    def is_abandoned(self) -> bool:
        """Whether the open blocks were given up here, which was reported."""
        return self.position == self._abandoned_at

    def _close(self, wanted: str) -> None:
        """Read the end of the innermost block."""
        token, opener = self.token, self.openers[-1]
        if token.text == wanted:
            if token.first and token.column < opener.indentation and not self._misplaced_end:
                self._misplaced_end = opener
            self.advance()
            return
        other = "{" if token.text == "}" else ""
        outside = [outer.token.kind for outer in self.openers[:-1]]
        closes_outer = (other == "{") in [kind == "{" for kind in outside]
        if token.text in ("}", "end") and not closes_outer:
            self.error(
                token,
                "P110",
                f"'{token.text}' closes a block that {describe(opener.token)} opened",
                help=f"write '{wanted}'",
            )
            self.advance()
            return
        self._unclosed(opener, wanted)

    def _unclosed(self, opener: Opener, wanted: str) -> None:
        """Report that a block has no end, once for all the blocks that are open here."""
        if self.is_abandoned:
            return
        self._abandoned_at = self.position
        if self.token.kind != "}":
            self._ends_to_forgive = len(self.openers)
        culprit = self._misplaced_end or opener
        if culprit.else_if is not None:
            self.error(
                culprit.else_if,
                "P113",
                "this 'if' after 'else' needs an 'end' of its own",
                help="write 'elif', which shares the 'end' of the first 'if'",
            )
            return
        word = describe(culprit.token)
        wanted = "}" if culprit.token.kind == "{" else "end"
        help = f"add '{wanted}'"
        self.error(
            culprit.token, "P111", f"the block that {word} opens here has no '{wanted}'", help
        )

    def stray_end(self) -> None:
        """A token at the top level that ends or continues a block which is not open."""
        token = self.advance()
        self._misplaced_end = None
        if token.text == "end" and self._ends_to_forgive:
            self._ends_to_forgive -= 1
            return
        if token.kind in ("else", "elif"):
            self.error(token, "P110", f"'{token.text}' has no 'if'")
            self.skip_line()
            return
        self.error(token, "P110", f"'{token.text}' closes nothing", help="remove it")

    def header(self, *words: str) -> Region:
        """A condition and the word after it; a block in braces needs none."""
        depth = self.depth
        outer = self.build.block
        try:
            if self.token.kind == "{":
                raise self.unexpected("a condition")
            region = self.condition()
            self._expect_opening(words)
        except SyntaxFailure:
            self.build.block, self.depth = outer, depth
            self.skip_line(*words, "{", *STATEMENT_STARTS)
            region = Region()
        if self.token.text in words:
            self.advance()
        return region

    def opening(self, *words: str) -> None:
        """The word before a block; a block in braces needs none."""
        try:
            self._expect_opening(words)
        except SyntaxFailure:
            self.skip_line(*words, "{", *STATEMENT_STARTS)
        if self.token.text in words:
            self.advance()

    def _expect_opening(self, words: tuple[str, ...]) -> None:
        if self.token.kind != "{" and self.token.text not in words:
            raise self.unexpected(f"'{words[0]}'", help=f"add '{words[0]}'")
