"""Statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.ir import Region, SSAValue

from patlang_ir.dialects import pat
from patlang_ir.frontend.closures import ClosureParser
from patlang_ir.frontend.cursor import Opener, SyntaxFailure, describe
from patlang_ir.frontend.expressions import FOREIGN, LENGTHS
from patlang_ir.frontend.forms import is_function_header
from patlang_ir.frontend.lexer import Token

CONTRACTS = ("require", "ensure", "assert")
BEFORE_BRACKETS = (*CONTRACTS, "budgeted")
"""The words that open a form though a bracket follows."""

CONDITION_STARTS = frozenset(
    ("name", "int", "float", "string", "true", "false", "(", "-", "not", "bnot")
)


class StatementParser(ClosureParser):
    """Reads statements."""

    def __init__(self, tokens: list[Token]):
        super().__init__(tokens)
        self.in_kernel = False
        self._statements: Mapping[str, Callable[[], None]] = {
            "name": self._named_statement,
            "let": self._let,
            "if": self._if,
            "while": self._while,
            "return": self._return,
        }
        self.top_forms: Mapping[str, Callable[[], None]] = {}
        """The forms that only the top level has, by the word that opens them."""

    def statement(self) -> None:
        token = self.token
        read = self._statements.get(token.kind)
        if read is not None:
            read()
            return
        match token.kind:
            case "fn":
                self.nested_function()
            case ";":
                self.advance()
            case "(":
                self._expression_statement()
            case "{":
                help = "a block follows a word such as 'if'; a closure is |x| { ... }"
                self.error(token, "P110", "'{' cannot start a statement", help)
                self.body(self.opener())
            case "|" if self.names_params():
                help = "a closure that is passed on stands in parentheses: f(|x| { ... })"
                self.error(token, "P110", "'|' cannot start a statement", help)
                self.closure()
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
        elif token.kind == "|":
            help = "write 'or', or 'bor' for bits"
        return self.failure(token, "P110", f"{describe(token)} cannot start a statement", help)

    def _named_statement(self) -> None:
        token, following = self.token, self.following
        word = token.text
        beside = not following.first
        if following.kind == "=":
            self.advance()
            self.advance()
            self._assignment(token)
        elif following.kind == "(" and word not in BEFORE_BRACKETS:
            self._expression_statement()
        elif is_function_header(token, following):
            self.nested_function()
        elif self.is_broken_header():
            missing = "function" if word == "make" else "make"
            help = "write make function called NAME takes a, b ... end"
            self.error(token, "P110", f"'{missing}' is missing beside '{word}'", help)
            self.nested_function()
        elif word in ("then", "do", "begin") and word not in self.words and following.kind != "(":
            self._headless_block(token)
        elif word in CONTRACTS and following.kind in CONDITION_STARTS and beside:
            self.advance()
            self.build.contract(token, self.value())
        elif word in self.top_forms and following.kind in ("name", "string") and beside:
            self.top_forms[word]()
        elif not self.refuse_form():
            self._expression_statement()

    def _assignment(self, name: Token) -> None:
        self.declare(name)
        self.build.assign(name, self.value())

    def nested_function(self) -> None:
        """A function that is not at the top level."""
        raise NotImplementedError

    def _let(self) -> None:
        self.advance()
        mutable = self.is_word("mut") and self.following.kind == "name"
        if mutable:
            self.advance()
        if self.token.kind == "=":
            self.error(self.token, "P110", "the name of the variable is missing before '='")
            self.advance()
            self.value()
            return
        name = self.variable_name("the name of a variable")
        self.declare(name)
        if self.token.kind == "[" and self.following.kind != "]" and not self.token.first:
            self._element_assignment(name)
            return
        if self.token.kind == "." and not self.token.first:
            help = f"write {name.text}.name = value"
            raise self.failure(name, "P110", "'let' sets variables, not members", help)
        if self.token.kind == "==":
            self.error(self.token, "P110", "'==' compares", help="write '=' to set a variable")
        elif self.token.kind != "=":
            raise self.unexpected("'='")
        self.advance()
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

    def _expression_statement(self) -> None:
        start = self.token
        result = self.expression()
        if self.token.kind == "=":
            target = result.owner
            if isinstance(target, pat.MemberOp) and target.member.data not in LENGTHS:
                self._set_member(target)
                return
            self._refuse_target(start, result)
            self.advance()
            self.value()
        elif start.kind == "name" and self.previous is start:
            self._check_bare_word(start)

    def _set_member(self, target: pat.MemberOp) -> None:
        """`base.member = value`, where `base.member` was read."""
        at, base, member = self.previous, target.base, target.member
        target.detach()
        target.erase()
        self.advance()
        self.build.set_member(at, base, member, self.value())

    def _refuse_target(self, start: Token, target: SSAValue) -> None:
        """Report what stands to the left of `=` and is not a name."""
        match target.owner:
            case pat.IndexOp():
                self._refuse_element(start)
            case pat.MemberOp(member=member):
                self.error(start, "P116", f"'{member.data}' counts, and cannot be assigned")
            case _:
                self.error(self.token, "P110", "only a variable can be assigned")

    def _check_bare_word(self, word: Token) -> None:
        """Refuse a name with something beside it that belongs to no statement."""
        token = self.token
        if token.first or self.ends_word_block():
            return
        if token.kind in ("name", "int", "float", "string", "true", "false"):
            help = f"write {word.text}({token.text[:30]})" if token.kind != "name" else ""
            self.error(
                token,
                "P110",
                f"{describe(token)} does not belong to '{word.text}'",
                help or f"a call has parentheses: {word.text}(...)",
            )
            self.skip_form()

    def _return(self) -> None:
        token = self.advance()
        following = self.token
        bare = following.first or following.kind in (";", "}", "eof", "else", "elif")
        if bare or (self.ends_word_block() and "end" not in self.words):
            self.build.finish(token, None)
            return
        self.build.finish(token, self.value())

    # --- if and while ---

    def _if(self) -> None:
        opener = self.opener()
        token = self.advance()
        self.build.branch(token, self._arms(opener, self.header("then")))

    def _arms(self, opener: Opener, condition: Region) -> list[Region]:
        """The body of an `if` whose condition is read, and all that follows up to its end."""
        region, ended = self.body(opener, chained=True)
        arms = [condition, region]
        while self.token.kind == "elif" and self._goes_on(ended):
            self.advance()
            condition = self.header("then")
            region, ended = self.body(opener, chained=True)
            arms += condition, region
        if self.token.kind == "else" and self._goes_on(ended):
            word = self.advance()
            following = self.token
            if following.kind == "if" and following.line == word.line and not ended:
                opener.else_if = following
            region, ended = self.body(opener)
            arms.append(region)
        return arms

    def _goes_on(self, ended: bool) -> bool:
        """Whether another branch may follow: an `end` closes the whole chain, a brace one body."""
        return not ended or self.previous.kind == "}"

    def _headless_block(self, token: Token) -> None:
        """Report a block whose `if` or `while` is missing, and read it all the same."""
        wanted = "if" if token.text == "then" else "while"
        self.error(token, "P110", f"'{token.text}' has no '{wanted}' before its condition")
        opener = self.opener()
        self.advance()
        self._arms(opener, Region())

    def _while(self) -> None:
        opener = self.opener()
        token = self.advance()
        condition = self.header("do", "begin")
        region, _ = self.body(opener)
        self.build.loop(token, condition, region)
