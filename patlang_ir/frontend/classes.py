"""Classes and event handlers, which only the top level has."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.ir import SSAValue

from patlang_ir.diagnostics import Diagnostic, Place, place_of
from patlang_ir.dialects import pat
from patlang_ir.frontend.cursor import Opener, SyntaxFailure, describe
from patlang_ir.frontend.expressions import LENGTHS
from patlang_ir.frontend.forms import is_function_header
from patlang_ir.frontend.lexer import Token
from patlang_ir.frontend.statements import StatementParser

EVENT = ("event_name", "event_data")
"""The parameters of an event handler."""

SELF = "self"
"""The first parameter of a method: the name of the record."""


@dataclass
class Members:
    """What the body of a class holds so far."""

    traits: list[str] = field(default_factory=list[str])
    fields: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    methods: dict[str, pat.FuncOp] = field(default_factory=dict[str, pat.FuncOp])


class ClassParser(StatementParser):
    """Reads classes and event handlers."""

    def __init__(self, tokens: list[Token]):
        super().__init__(tokens)
        self.warnings: list[Diagnostic] = []
        self.top_forms = {"when": self._when, "class": self._class}
        self._classes: set[str] = set()

    def function(self) -> pat.FuncOp | None:
        """A function; None if it has no name that can be used."""
        raise NotImplementedError

    def _form(self, what: str) -> Opener:
        """The word that opens a form of the top level."""
        opener = self.opener()
        word = self.advance()
        if self.openers:
            help = "move it out of the block it stands in"
            self.error(word, "P115", f"{what} can stand at the top level only", help)
        return opener

    def _name(self) -> Token:
        token = self.advance()
        if token.kind == "string":
            help = f"write {token.text.strip(chr(34))}"
            self.error(token, "P110", "a name stands here without quotes", help)
        return token

    def _when(self) -> None:
        opener = self._form("an event handler")
        event = self._name()
        self.opening("do", "begin")
        outer_words, self.words = self.words, self.words.copy()
        region, _ = self.body(opener)
        self.words = outer_words
        place = self.build.place(opener.token)
        handler = self.build.closure(place, EVENT, region)
        self.build.when(opener.token, event.text, handler)

    def _class(self) -> None:
        opener = replace(self._form("a class"), is_class=True)
        name = self._name()
        parent = self._parent()
        self.opening("do", "begin")
        members = Members()
        self.enclosed(opener, lambda: self._member(members))
        methods = {method: self._method(func) for method, func in members.methods.items()}
        made = pat.ClassOp(name.text, parent, members.traits, members.fields, methods)
        self.build.place_class(opener.token, made)
        if name.text in self._classes:
            self.warn_twice(name.place, f"the class '{name.text}' is defined twice")
        self._classes.add(name.text)

    def _parent(self) -> str | None:
        if self.token.text in ("extends", "(", ":", "<"):
            help = "write inherits and the name of one class"
            self.error(self.token, "P110", f"'{self.token.text}' names no parent", help)
            self.skip_line("do", "begin", "{")
        if not self.is_word("inherits"):
            return None
        self.advance()
        try:
            return self.variable_name("the name of a class").text
        except SyntaxFailure:
            self.skip_line("do", "begin", "{")
            return None

    def _method(self, function: pat.FuncOp) -> SSAValue:
        """A method as a closure with the record as its first parameter."""
        params = (SELF, *function.param_names)
        body = function.detach_region(function.body)
        location = function.location
        return self.build.closure(location, params, body, function.result_name)

    def _member(self, members: Members) -> None:
        """One part of a class."""
        token, following = self.token, self.following
        named = following.kind == "name" and not following.first
        if token.kind == ";":
            self.advance()
        elif token.kind == "fn" or is_function_header(token, following):
            self._add_method(members)
        elif token.text == "traits" and named:
            self.advance()
            members.traits += [name.text for name in self._names()]
        elif token.text == "field" and named:
            self.advance()
            self._add_field(members)
        else:
            self._refuse_member()

    def _names(self) -> list[Token]:
        found = [self.variable_name("the name of a class")]
        while self.token.kind == "," and not self.token.first:
            self.advance()
            found.append(self.variable_name("the name of a class"))
        return found

    def _add_field(self, members: Members) -> None:
        name = self.variable_name("the name of a field")
        if name.text in LENGTHS:
            message = f"'{name.text}' counts the characters of a name, so no field can be called so"
            self.error(name, "P116", message, "choose another name")
        elif name.text in members.fields:
            self.error(name, "P209", f"the field '{name.text}' is given twice")
        if self.token.kind != "=":
            help = f"write field {name.text} = 0, or another value to start with"
            raise self.failure(name, "P110", f"the field '{name.text}' has no value", help)
        self.advance()
        members.fields[name.text] = self.value()

    def _add_method(self, members: Members) -> None:
        token = self.token
        self.given = (SELF,)
        function = self.function()
        self.given = ()
        if function is None:
            return
        name = function.sym_name.data
        if function.kernel is not None:
            message = f"the method '{name}' cannot be a kernel"
            self.error(token, "P115", message, "define the kernel at the top level")
        if name in members.methods:
            earlier = place_of(members.methods.pop(name).location)
            message = f"the method '{name}' is defined twice; the one at {earlier} is not used"
            self.warn_twice(place_of(function.location), message)
        members.methods[name] = function

    def _refuse_member(self) -> None:
        """Report what no class can hold, and read it."""
        token, following = self.token, self.following
        message = f"a class holds traits, fields and functions, not {describe(token)}"
        help = "put statements into a method, or after the class"
        if token.kind == "let" and following.kind == "name":
            help = f"write field {following.text} = ..."
        elif following.kind == "=":
            help = f"write field {token.text} = ..."
        elif token.kind == following.kind == "name":
            help = f"a method is fn {following.text}(a, b) {{ ... }}"
            self.error(token, "P110", message, help)
            self.skip_form()
            return
        self.error(token, "P110", message, help)
        outer = self.build.enter()
        self.statement()
        self.build.leave(outer)

    def warn_twice(self, place: Place | None, message: str) -> None:
        """Warn that something is defined twice."""
        help = "rename or remove one of them"
        self.warnings.append(Diagnostic("P121", message, place, help, severity="warning"))
