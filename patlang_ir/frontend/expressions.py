"""Expressions, by precedence climbing."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from xdsl.dialects.builtin import BoolAttr, UnitAttr
from xdsl.ir import Region, SSAValue

from patlang_ir.frontend.builder import Builder
from patlang_ir.frontend.cursor import BLOCK_WORDS, DEEPEST, NestingFailure, SyntaxFailure
from patlang_ir.frontend.forms import FormReader
from patlang_ir.frontend.lexer import Token

PRECEDENCE = {
    sign: level
    for level, signs in enumerate(
        (
            ("or",),
            ("and",),
            ("==", "!="),
            ("<", "<=", ">", ">="),
            ("band", "bor", "bxor"),
            ("+", "-"),
            ("shl", "shr"),
            ("*", "/", "%"),
        ),
        start=1,
    )
    for sign in signs
}
UNARY = ("-", "not", "bnot")
POSTFIX = ("[", "(", ".")
TRUTHS = {word: BoolAttr.from_bool(word == "true") for word in ("true", "false")}
LENGTHS = ("length", "len")
"""The members that lists and strings have."""

LONGEST_INTEGER = 4300
"""In digits: what Python converts without a special request."""

ESCAPE = re.compile(r'\\([nrt"\\])')
ESCAPES = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}


class ExpressionParser(FormReader):
    """Reads expressions; each method builds the operations and gives their value."""

    def __init__(self, tokens: list[Token]):
        super().__init__(tokens)
        self.build = Builder()
        self._operands: Mapping[str, Callable[[Token], SSAValue]] = {
            "name": self.named,
            "int": self.integer,
            "float": self.float,
            "string": self.text,
            **dict.fromkeys(TRUTHS, self.truth),
            "(": self.group,
            "[": self.list_value,
            **dict.fromkeys(("|", "{", "fn"), self.closure_value),
            **dict.fromkeys(UNARY, self.unary),
        }
        """How what stands between operators is read, by the kind of its first token."""

    def value(self) -> SSAValue:
        """One expression, where `=` cannot follow."""
        result = self.expression()
        while self.token.kind == "=" and not self.token.first:
            self.error(
                self.token, "P110", "'=' does not compare", help="write '==' to compare two values"
            )
            self.advance()
            self.expression()
        return result

    def condition(self) -> Region:
        """The region of a value that an `if` or `while` looks at."""
        outer = self.build.enter()
        start = self.token
        try:
            self.build.give(start, self.value())
        finally:
            region = self.build.leave(outer)
        return region

    def expression(self, level: int = 1) -> SSAValue:
        """Operators of at least this precedence level, and what they stand between."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise NestingFailure
        result = self.operand()
        while True:
            token = self.token
            found = PRECEDENCE.get(token.kind, 0)
            if found < level:
                break
            if found > 2:
                self.step()
                result = self.build.binary(token, result, self.expression(found + 1))
                continue
            if token.first and not self.brackets:
                break
            self.step()
            result = self.build.logical(token, result, self.right_side(found + 1))
        self.depth -= 1
        return result

    def right_side(self, level: int) -> Region:
        """The region of what stands to the right of `and` and `or`."""
        outer = self.build.enter()
        start = self.token
        try:
            self.build.give(start, self.expression(level))
        finally:
            region = self.build.leave(outer)
        return region

    def operand(self) -> SSAValue:
        """What stands between operators."""
        start = self.token
        read = self._operands.get(start.kind)
        if read is None:
            raise self.missing_value()
        result = read(start)
        while self.token.kind in POSTFIX and not self.token.first and start.kind not in UNARY:
            token = self.token
            if token.kind == "[":
                result = self.build.index(start, result, self.index())
            elif token.kind == "(":
                result = self.build.call_value(start, result, self.items(")"))
            else:
                result = self.member(result)
        return result

    def unary(self, token: Token) -> SSAValue:
        """`-x`, `not x`, `bnot x`"""
        signs = [token]
        self.advance()
        while self.token.kind in UNARY:
            signs.append(self.advance())
        result = self.operand()
        for sign in reversed(signs):
            result = self.build.unary(sign, result)
        return result

    def index(self) -> SSAValue:
        self.brackets.append(self.advance())
        result = self.value()
        if self.token.kind == ",":
            help = "write x[row * n_cols + col] in a kernel, and xs[i][j] for a list of lists"
            raise self.failure(self.token, "P110", "an index is one value", help)
        self.close_bracket("]")
        return result

    def items(self, closing: str) -> list[SSAValue]:
        """Values with commas between them, in brackets; the opening one is the current token."""
        self.brackets.append(self.advance())
        found: list[SSAValue] = []
        if self.token.kind != closing:
            found.append(self.value())
            while self.token.kind == ",":
                comma = self.advance()
                if self.token.kind == closing:
                    self.error(comma, "P110", f"a value is missing between ',' and '{closing}'")
                    break
                found.append(self.value())
        self.close_bracket(closing)
        return found

    def member(self, base: SSAValue) -> SSAValue:
        self.advance()
        token = self.token
        if token.kind != "name" or token.first:
            raise self.unexpected("the name of a member")
        self.advance()
        if self.token.kind != "(" or self.token.first:
            return self.build.member(token, base)
        args = self.items(")")
        if token.text in LENGTHS and not args:
            self.error(token, "P110", f"'{token.text}' is no method", f"write .{token.text}")
        return self.build.send(token, base, args)

    def named(self, token: Token) -> SSAValue:
        """A name, or the call of one."""
        if token.text in BLOCK_WORDS and token.text not in self.words:
            raise self.missing_value()
        following = self.step()
        if following.first:
            return self.build.name(token)
        if following.kind == "(":
            return self.build.apply(token, self.items(")"))
        if token.text == "new" and following.kind == "name":
            message = "a record is made by the names of its class and of itself"
            raise self.failure(token, "P110", message, f'write new("{following.text}", "name")')
        if token.text in ("pursue", "activate") and following.kind == "name":
            self.advance()
            self.error(token, "P114", f"'{token.text}' is not supported yet")
            return self.unit(token)
        return self.build.name(token)

    def integer(self, token: Token) -> SSAValue:
        self.number_end(self.advance())
        digits = token.text.lstrip("0")
        if len(digits) > LONGEST_INTEGER:
            self.error(
                token, "P106", f"the integer has {len(digits)} digits, more than {LONGEST_INTEGER}"
            )
            return self.unit(token)
        return self.build.integer(token, int(digits or "0"))

    def float(self, token: Token) -> SSAValue:
        self.number_end(self.advance())
        number = float(token.text)
        if math.isinf(number):
            self.error(
                token,
                "P106",
                "the number is too large for a double",
                help="the largest one is about 1.8 * 10^308",
            )
            return self.unit(token)
        return self.build.float(token, number)

    def number_end(self, token: Token) -> None:
        """Refuse a number that letters follow at once, such as 1e5, 0xff or 1.5f."""
        word = self.token
        if word.kind != "name" or not token.touches(word) or word.text in BLOCK_WORDS:
            return
        written = token.text + word.text
        sign, digits = self.following, self.tokens[min(self.position + 2, len(self.tokens) - 1)]
        if word.text in ("e", "E") and word.touches(sign) and sign.touches(digits):
            written += sign.text + digits.text
        plain = plain_number(written)
        help = (
            f"write {plain}" if plain else "a number has digits and one point; it has no exponent"
        )
        raise self.failure(token, "P110", f"'{written}' is not a number", help)

    def text(self, token: Token) -> SSAValue:
        self.advance()
        return self.build.text(token, unescape(token.text))

    def truth(self, token: Token) -> SSAValue:
        self.advance()
        return self.build.constant(token, TRUTHS[token.kind])

    def group(self, token: Token) -> SSAValue:
        self.brackets.append(token)
        self.advance()
        result = self.value()
        self.close_bracket(")")
        return result

    def list_value(self, token: Token) -> SSAValue:
        return self.build.list(token, self.items("]"))

    def closure_value(self, token: Token) -> SSAValue:
        return self.closure()

    def closure(self) -> SSAValue:
        """A closure, whose body is a block."""
        raise NotImplementedError

    def unit(self, at: Token) -> SSAValue:
        """What stands for a value that was refused."""
        return self.build.constant(at, UnitAttr())

    def missing_value(self) -> SyntaxFailure:
        """The failure for a token that no value starts with."""
        token, before = self.token, self.previous
        if token.kind in ("unclosed", "unknown"):
            return self.unexpected("a value")
        if self.brackets and self._ends_statement(token):
            return self.unclosed_bracket()
        doubled = before.text + token.text
        if before.touches(token) and doubled in FOREIGN:
            return self.failure(before, "P110", f"PatLang has no '{doubled}'", FOREIGN[doubled])
        return self.unexpected("a value")


FOREIGN = {
    "+=": "write x = x + ...",
    "-=": "write x = x - ...",
    "*=": "write x = x * ...",
    "/=": "write x = x / ...",
    "**": "write pow(x, y)",
    "++": "write x = x + 1",
    "//": "a comment starts with '#'; the whole part of a quotient is trunc(x / y)",
    "->": "the result of a function is named by 'returns'",
    "||": "write 'or'",
    "|>": "write f(x) for x |> f",
    "=>": "write '>=' to compare",
}
"""Pairs of signs from other languages, and what PatLang has in their place."""


OTHER_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"(\d+(?:\.\d+)?)[eE][-+]?\d{1,2}"), lambda found: f"{Decimal(found[0]):f}"),
    (re.compile(r"0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+"), lambda found: str(int(found[0], 0))),
    (re.compile(r"(\d+(?:\.\d+)?)[fFdDlLuU]{1,3}"), lambda found: found[1]),
)
"""Numbers as other languages write them, and what they are in PatLang."""


def plain_number(text: str) -> str:
    """A number of another language with digits and one point; empty if it is none."""
    matches = ((form.fullmatch(text), write) for form, write in OTHER_NUMBERS)
    return next((write(found) for found, write in matches if found), "")


def unescape(text: str) -> str:
    """The content of a string with its quotes; an unknown escape keeps both characters."""
    inner = text[1:-1]
    if "\\" not in inner:
        return inner
    return ESCAPE.sub(lambda found: ESCAPES[found[1]], inner)
