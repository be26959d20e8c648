"""The parser's view of the tokens: where it is, what it has refused, how it goes on after that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from patlang_ir.diagnostics import Diagnostic
from patlang_ir.frontend.lexer import Token

STATEMENT_STARTS = frozenset(("let", "if", "while", "return", "fn"))
BLOCK_WORDS = frozenset(("end", "then", "do", "begin"))
"""Words that stand around blocks; a program may use them as variables too."""

CONTINUING = frozenset(
    (
        *("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "=", ",", ".", ":", "|"),
        *("band", "bor", "bxor", "shl", "shr", "and", "or", "[", "]", ")"),
    )
)
"""What no statement starts with, so that it belongs to the one before."""

OPENING = {"(": ")", "[": "]", "{": "}"}

UNKNOWN_SIGNS = {
    "&": "'band' or 'and'",
    "&&": "'and'",
    "!": "'not'",
    "^": "'bxor', or pow(x, y)",
    "~": "'bnot'",
    "?": "'_' in a name, or if ... then ... else ... end",
    "'": "double quotes around a string",
}
"""Signs of other languages, and what PatLang has in their place."""

LONGEST_LIST = 500
"""How many tokens are looked at to see whether a bracket is closed after all."""

DEEPEST = 100
"""How deep blocks and expressions may nest, together."""


class SyntaxFailure(Exception):
    """A statement was refused; the reason is reported already."""


class NestingFailure(Exception):
    """The program nests too deep to be read on."""


@dataclass
class Opener:
    """The word or brace that opened a block."""

    token: Token
    indentation: int
    """The column of the first token of its line."""
    else_if: Token | None = None
    """An `if` right after the `else` of this block."""
    is_class: bool = False
    """Whether it holds the members of a class."""

    def opened_by(self, brace: Token) -> Opener:
        """The same block, for messages about its brace."""
        return Opener(brace, self.indentation, self.else_if, self.is_class)


class Cursor:
    """The current token, the diagnostics, and what is open at this point."""

    def __init__(self, tokens: Sequence[Token]):
        self.tokens = (*tokens, tokens[-1], tokens[-1])
        self.position = 0
        self.token = self.tokens[0]
        self.errors: list[Diagnostic] = []
        self.brackets: list[Token] = []
        self.depth: int = 0
        self.words: set[str] = set()
        """The block words that are variables of the current function."""

    def step(self) -> Token:
        """Go on from a token that is not the end; gives the next one."""
        self.position += 1
        self.token = token = self.tokens[self.position]
        return token

    def advance(self) -> Token:
        """The current token, after going on to the next one."""
        token = self.token
        if token.kind != "eof":
            self.position += 1
            self.token = self.tokens[self.position]
        return token

    @property
    def following(self) -> Token:
        """The token after the current one."""
        return self.tokens[self.position + 1]

    @property
    def previous(self) -> Token:
        return self.tokens[max(self.position - 1, 0)]

    def opener(self) -> Opener:
        """The current token as the beginning of a block."""
        position = self.position
        while not self.tokens[position].first and position:
            position -= 1
        return Opener(self.token, self.tokens[position].column)

    def is_word(self, word: str) -> bool:
        return self.token.kind == "name" and self.token.text == word

    def ends_word_block(self) -> bool:
        """Whether the current token is the `end` of a block, not a variable of that name."""
        return self.is_word("end") and self.following.kind != "="

    # --- errors ---

    def error(self, at: Token, code: str, message: str, help: str = "") -> None:
        """Report an error, unless one was reported at the same place."""
        if any(error.place == at.place for error in self.errors[-3:]):
            return
        self.errors.append(Diagnostic(code, message, at.place, help))

    def failure(self, at: Token, code: str, message: str, help: str = "") -> SyntaxFailure:
        self.error(at, code, message, help)
        return SyntaxFailure()

    def nest(self) -> None:
        """One level deeper; whoever calls this lowers `depth` again."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NestingFailure

    def unexpected(self, wanted: str, help: str = "") -> SyntaxFailure:
        """The failure for the current token where `wanted` should stand."""
        token = self.token
        if token.kind == "unclosed":
            return self.failure(
                token, "P105", "the string is not closed", help='it ends with a double quote, "'
            )
        if token.kind == "unknown":
            return self.unknown_sign(token)
        if self.brackets and self._ends_statement(token):
            return self.unclosed_bracket()
        if token.first and self.position:
            before = self.previous
            message = f"{wanted} is missing after {describe(before)}"
            return self.failure(before, "P110", message, help)
        message = f"{wanted} was expected here, not {describe(token)}"
        return self.failure(token, "P110", message, help)

    def unknown_sign(self, token: Token) -> SyntaxFailure:
        meant = UNKNOWN_SIGNS.get(token.text)
        code = ord(token.text[0])
        shown = token.text if token.text.isprintable() else f"U+{code:04X}"
        named = f" (U+{code:04X})" if code > 127 and token.text.isprintable() else ""
        return self.failure(
            token,
            "P104",
            f"unexpected character '{shown}'{named}",
            help=f"write {meant}" if meant else "only ASCII may stand outside strings and comments",
        )

    def unclosed_bracket(self) -> SyntaxFailure:
        bracket = self.brackets[-1]
        self.brackets.clear()
        sign = bracket.kind
        return self.failure(
            bracket, "P112", f"'{sign}' is not closed", help=f"add '{OPENING[sign]}'"
        )

    def close_bracket(self, sign: str) -> None:
        """Read the closing bracket of the innermost open one."""
        token = self.token
        if token.kind == sign:
            self.brackets.pop()
            self.advance()
            return
        if token.kind in (")", "]"):
            if all(OPENING[outer.kind] != token.kind for outer in self.brackets) and (
                self._closes_later(sign, self.position + 1)
            ):
                self.error(token, "P110", f"'{token.kind}' closes nothing", help="remove it")
                self.advance()
                raise SyntaxFailure
            bracket = self.brackets.pop()
            message = f"'{bracket.kind}' is closed by '{token.kind}'"
            self.error(bracket, "P112", message, help=f"use '{sign}'")
            if not any(OPENING[outer.kind] == token.kind for outer in self.brackets):
                self.advance()
            return
        if self._ends_statement(token) or token.kind == "{":
            raise self.unclosed_bracket()
        if token.first and not self._closes_later(sign, self.position):
            raise self.unclosed_bracket()
        raise self.unexpected(f"',' or '{sign}'")

    def _closes_later(self, sign: str, start: int) -> bool:
        """Whether the innermost open bracket is closed between `start` and the next statement."""
        opened = 0
        for token in islice(self.tokens, start, start + LONGEST_LIST):
            if self._ends_statement(token):
                return False
            if token.kind == sign and not opened:
                return True
            opened += (token.kind in OPENING) - (token.kind in OPENING.values())
        return False

    def _ends_statement(self, token: Token) -> bool:
        """Whether nothing after this token can belong to the statement before it."""
        if token.kind in STATEMENT_STARTS or token.kind in ("eof", "else", "elif", "}", ";"):
            return True
        return token.kind == "name" and token.text in BLOCK_WORDS - self.words

    # --- recovery ---

    def recover(self) -> None:
        """Go to where the next statement starts, past the brackets that are open."""
        open_brackets = len(self.brackets)
        self.brackets.clear()
        refused = self.errors[-1].place
        while self.token.kind != "eof":
            token = self.token
            at_boundary = self._ends_statement(token) and token.text not in ("then", "do", "begin")
            if at_boundary and (token.first or not open_brackets):
                return
            starts_line = token.first and token.kind not in CONTINUING
            if starts_line and not open_brackets and token.place != refused:
                return
            if token.kind in OPENING:
                open_brackets += 1
            elif token.kind in (")", "]", "}") and open_brackets:
                open_brackets -= 1
            self.advance()

    def skip_line(self, *stop: str) -> None:
        """Go to the end of the line, or to a token of the texts `stop` before it."""
        self.brackets.clear()
        while not self.token.first and self.token.text not in stop:
            self.advance()


def describe(token: Token) -> str:
    """A token in words."""
    if token.kind == "eof":
        return "the end of the file"
    text = token.text if len(token.text) <= 30 else token.text[:27] + "..."
    text = text.partition("\n")[0]
    return f"the string {text}" if token.kind == "string" else f"'{text}'"
