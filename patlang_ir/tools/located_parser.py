"""Reading IR text without losing where each operation comes from.

xDSL gives an operation a place only if the text says `loc(...)`. Here one that says nothing has its
own place in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import AttributeInvT, BlockArgument, Operation, SSAValue
from xdsl.parser import Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import ParseError, VerifyException
from xdsl.utils.frontend import Frontend
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRTokenKind

from patlang_ir.diagnostics import CompileError, Place, Report, refuse


class _Lexer(MLIRLexer):
    """xDSL's lexer, in linear time also where a string is not closed."""

    _unescaped_characters_regex = re.compile(r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"')


class LocatedParser(Parser):
    """A parser that gives every operation and block argument a place."""

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, "", name)
        self._resume_from(ParserState(_Lexer(Input(text, name))))
        self._file = StringAttr(name)
        self._line_starts = [0, *(i + 1 for i, sign in enumerate(text) if sign == "\n")]
        self._argument_locations: dict[int, LocationAttr] = {}
        self._first_uses: dict[str, int] = {}

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        try:
            module = super().parse_module(allow_implicit_module)
        except ParseError:
            self._report_undefined_values()
            raise
        for op in module.walk():  # a format may make operations that the text does not show
            if op.location is UNKNOWN_LOC:
                parent = op.parent_op()
                op.location = parent.location if parent else self._location(0)
        return module

    def parse_operation(self) -> Operation:
        start = self.pos
        try:
            op = super().parse_operation()
        except (CompileError, ParseError, RecursionError):
            raise
        except VerifyException as error:
            self.raise_error(" ".join(str(error).split()), start)
        except Exception as error:  # how xDSL's formats fail on some wrong texts
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            self.raise_error(f"this operation cannot be read ({reason})", start)
        if op.location is UNKNOWN_LOC:
            op.location = self._location(start)
        return op

    def parse_optional_argument(self, expect_type: bool = True):  # pyright: ignore
        """As in xDSL, and a location may follow, as it may for the arguments of a block."""
        argument = super().parse_optional_argument(expect_type)
        if isinstance(argument, self.Argument):
            location = self.parse_optional_location()
            if location is not None:
                self._argument_locations[argument.name.start] = location
        return argument

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        self._first_uses.setdefault(operand.operand_name, operand.span.start)
        return super().resolve_operand(operand, type)

    def _report_undefined_values(self) -> None:
        """At the end of the text: the first use of each value that is not defined."""
        if self._current_token.kind is not MLIRTokenKind.EOF:
            return
        with Report() as report:
            for name in self.forward_ssa_references:
                place = self._place(self._first_uses[name])
                report.error(place, "P906", f"%{name} is used but not defined")

    def _register_ssa_definition(self, name: str, values: Sequence[SSAValue], span: Span) -> None:
        for value in values:
            if isinstance(value, BlockArgument) and value.location is UNKNOWN_LOC:
                stated = self._argument_locations.get(span.start)
                value.location = stated or self._location(span.start)
        super()._register_ssa_definition(name, values, span)

    def _get_op_by_name(self, name: str) -> type[Operation]:
        stack = self._parser_state.dialect_stack
        if op_type := self.ctx.get_optional_op(name, dialect_stack=stack):
            return op_type
        start = self.lexer.input.content.rfind(name, 0, self.pos)
        raise refuse(
            self._place(start),
            "P906",
            f"unknown operation '{name}'",
            help=_similar_operation(self.ctx, name),
        )

    def _place(self, position: int) -> Place:
        line = bisect_right(self._line_starts, position)
        return Place(self._file.data, line, position - self._line_starts[line - 1] + 1)

    def _location(self, position: int) -> FileLineColLoc:
        place = self._place(position)
        return FileLineColLoc(self._file, IntAttr(place.line), IntAttr(place.column))


def _similar_operation(ctx: Context, name: str) -> str:
    dialect, _, _ = name.partition(".")
    near = get_close_matches(dialect, ctx.registered_dialect_names, n=3, cutoff=0.5)
    for dialect_name in {*near, "builtin"}:
        if all(loaded.name != dialect_name for loaded in ctx.loaded_dialects):
            ctx.load_registered_dialect(dialect_name)
    similar = get_close_matches(name, [op.name for op in ctx.loaded_ops], n=1)
    if similar:
        return f"did you mean '{similar[0]}'?"
    if "." in name and dialect not in ctx.registered_dialect_names:
        return f"there is no dialect '{dialect}'"
    return ""


@dataclass(frozen=True)
class LocatedFrontend(Frontend):
    """Reads IR text."""

    name = "mlir"

    no_implicit_module: bool = False

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        text = input.read().decode()
        return LocatedParser(ctx, text, input_name).parse_module(not self.no_implicit_module)
