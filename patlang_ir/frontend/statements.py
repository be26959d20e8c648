"""Statements and blocks."""

from __future__ import annotations

from xdsl.ir import Region, SSAValue

from patlang_ir.dialects import pat
from patlang_ir.frontend.cursor import BLOCK_WORDS, Opener, SyntaxFailure, describe
from patlang_ir.frontend.expressions import FOREIGN, ExpressionParser
from patlang_ir.frontend.forms import is_function_header
from patlang_ir.frontend.lexer import RESERVED, Token

CONTRACTS = ("require", "ensure", "assert")
CONDITION_STARTS = frozenset(
    ("name", "int", "float", "string", "true", "false", "(", "-", "not", "bnot")
)


class StatementParser(ExpressionParser):
    """Reads statements. `openers` are the blocks that are open, the outermost first."""

    def __init__(self, tokens: list[Token]):
        super().__init__(tokens)
        self.openers: list[Opener] = []
        self.in_kernel = False
        self._misplaced_end: Opener | None = None
        """The first block that was closed by an `end` to the left of it."""
        self._abandoned_at = -1
        """The position where the open blocks were given up."""
        self._ends_to_forgive = 0

    # --- blocks ---

    def block(self) -> None:
        """Statements, up to a token that can only end the block they stand in."""
        depth = self.depth
        while self.token.kind not in ("}", "else", "elif", "eof") and not self.ends_word_block():
            if self.openers and self._starts_outer_function():
                break
            position = self.position
            try:
                self.statement()
            except SyntaxFailure:
                self.depth = depth
                self.recover()
            if self.position == position:
                self.advance()

    def _starts_outer_function(self) -> bool:
        """Whether a function starts here, so far to the left that a block must lack its end."""
        token = self.token
        if not token.first or not self._starts_function():
            return False
        return token.column <= self.openers[-1].indentation

    def _starts_function(self) -> bool:
        return self.token.kind == "fn" or is_function_header(self.token, self.following)

    def body(self, opener: Opener, *, chained: bool = False) -> tuple[Region, bool]:
        """The region of a block, and whether its end was read.

        A block in braces ends with its own brace. A word block ends with `end`; if `chained`, also
        before `elif` and `else`, which are not read.
        """
        outer = self.build.enter()
        self.openers.append(opener)
        self.nest()
        ended = True
        if self.token.kind == "{":
            self.openers[-1] = Opener(self.token, opener.indentation)
            self.advance()
            self.block()
            self._close("}")
        else:
            self.block()
            if chained and self.token.kind in ("elif", "else"):
                ended = False
            else:
                self._close("end")
        self.depth -= 1
        self.openers.pop()
        return self.build.leave(outer), ended

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
        if self.position == self._abandoned_at:
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

    # --- statements ---

    def statement(self) -> None:
        token = self.token
        match token.kind:
            case "name":
                self._named_statement(token)
            case "let":
                self._let()
            case "if":
                self._if()
            case "while":
                self._while()
            case "return":
                self._return()
            case "fn":
                self.nested_function()
            case ";":
                self.advance()
            case "(":
                self._expression_statement()
            case _:
                raise self._stray()

    def _stray(self) -> SyntaxFailure:
        token, following = self.token, self.following
        doubled = token.text + following.text
        if token.kind in ("unclosed", "unknown"):
            return self.unexpected("a statement")
        if token.touches(following) and doubled in FOREIGN:
            return self.failure(token, "P110", f"PatLang has no '{doubled}'", FOREIGN[doubled])
        if token.kind in (")", "]"):
            return self.failure(token, "P110", f"'{token.kind}' closes nothing", help="remove it")
        help = ""
        if token.kind in ("and", "or"):
            help = f"put '{token.kind}' at the end of the line above"
        return self.failure(token, "P110", f"{describe(token)} cannot start a statement", help)

    def _named_statement(self, token: Token) -> None:
        following = self.following
        if following.kind == "=":
            self.advance()
            self.advance()
            self._assignment(token)
        elif is_function_header(token, following):
            self.nested_function()
        elif (
            token.text in CONTRACTS and following.kind in CONDITION_STARTS and (not following.first)
        ):
            self.advance()
            self.build.contract(token, self.value())
        elif not self.refuse_form():
            self._expression_statement()

    def _assignment(self, name: Token) -> None:
        self.declare(name)
        self.build.assign(name, self.value())

    def declare(self, name: Token) -> None:
        if name.text in BLOCK_WORDS:
            self.words.add(name.text)

    def nested_function(self) -> None:
        """A function that is not at the top level."""
        raise NotImplementedError

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

    def _let(self) -> None:
        self.advance()
        mutable = self.is_word("mut") and self.following.kind == "name"
        if mutable:
            self.advance()
        name = self.variable_name("the name of a variable")
        if self.token.kind == "[" and not self.token.first:
            self._element_assignment(name)
            return
        if self.token.kind == "." and not self.token.first:
            raise self._member_assignment(name)
        if self.token.kind == "==":
            self.error(self.token, "P110", "'==' compares", help="write '=' to set a variable")
        elif self.token.kind != "=":
            raise self.unexpected("'='")
        self.advance()
        self.declare(name)
        self.build.let(name, self.value(), mutable)

    def _element_assignment(self, name: Token) -> None:
        """Refuse `xs[i] = v`; the bracket is the current token."""
        self._refuse_element(name)
        self.index()
        while self.token.kind == "[" and not self.token.first:
            self.index()
        if self.token.kind == "=":
            self.advance()
            self.value()

    def _refuse_element(self, name: Token) -> None:
        shown = name.text if name.kind == "name" else "xs"
        help = f"write {shown} = list_set({shown}, index, value)"
        if self.in_kernel:
            help = f"write store({shown}, index, value)"
        self.error(name, "P116", "an element of a list cannot be assigned", help)

    def _member_assignment(self, at: Token) -> SyntaxFailure:
        return self.failure(
            at,
            "P114",
            "setting a member is not supported yet",
            help='write set_var(id, "name", value)',
        )

    def _expression_statement(self) -> None:
        start = self.token
        result = self.expression()
        if self.token.kind == "=":
            self._refuse_target(start, result)
            self.advance()
            self.value()
        elif start.kind == "name" and self.previous is start:
            self._check_bare_word(start)

    def _refuse_target(self, start: Token, target: SSAValue) -> None:
        """Report what stands to the left of `=` and is not a name."""
        match target.owner:
            case pat.IndexOp():
                self._refuse_element(start)
            case pat.MemberOp():
                self._member_assignment(start)
            case _:
                self.error(self.token, "P110", "only a variable can be assigned")

    def _check_bare_word(self, word: Token) -> None:
        """Refuse a name with something beside it that belongs to no statement."""
        before = self.tokens[max(self.position - 2, 0)]
        if before.kind in ("int", "float") and before.touches(word):
            raise self.failure(
                word,
                "P110",
                f"'{before.text}{word.text}' is not a number",
                help="a number has digits and one point; it has no exponent",
            )
        token = self.token
        if token.kind in ("name", "int", "float", "string", "true", "false") and (
            not self.ends_word_block()
        ):
            help = f"write {word.text}({token.text[:30]})" if token.kind != "name" else ""
            raise self.failure(
                token,
                "P110",
                f"{describe(token)} does not belong to '{word.text}'",
                help or f"a call has parentheses: {word.text}(...)",
            )

    def _return(self) -> None:
        token = self.advance()
        following = self.token
        bare = following.first or following.kind in (";", "}", "eof", "else", "elif")
        if bare or (self.ends_word_block() and "end" not in self.words):
            self.build.finish(token, None)
            return
        self.build.finish(token, self.value())

    # --- if and while ---

    def header(self, *words: str) -> Region:
        """A condition and the word after it; a block in braces needs none."""
        depth = self.depth
        outer = self.build.block
        try:
            region = self.condition()
            if self.token.kind == "{":
                return region
            if self.token.text not in words:
                raise self.unexpected(f"'{words[0]}'", help=f"add '{words[0]}'")
        except SyntaxFailure:
            self.build.block, self.depth = outer, depth
            self.skip_line(*words, "{")
            region = Region()
        if self.token.text in words:
            self.advance()
        return region

    def _if(self) -> None:
        opener = self.opener()
        token = self.advance()
        arms = [self.header("then")]
        region, ended = self.body(opener, chained=True)
        arms.append(region)
        while self.token.kind == "elif":
            self.advance()
            arms.append(self.header("then"))
            region, ended = self.body(opener, chained=True)
            arms.append(region)
        if self.token.kind == "else":
            word = self.advance()
            following = self.token
            if following.kind == "if" and following.line == word.line and not ended:
                opener.else_if = following
            region, ended = self.body(opener)
            arms.append(region)
        self.build.branch(token, arms)

    def _while(self) -> None:
        opener = self.opener()
        token = self.advance()
        condition = self.header("do", "begin")
        region, _ = self.body(opener)
        self.build.loop(token, condition, region)
