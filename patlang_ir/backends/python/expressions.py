"""Printing values: nested again into expressions, or given names."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.list_ownership import REUSING
from patlang_ir.analysis.pat_flow import StatementEnds, variable_read
from patlang_ir.analysis.value_kinds import ValueKinds
from patlang_ir.backends.python.expression import (
    Expr,
    Precedence,
    Span,
    call,
    choose,
    impure,
    join,
    name,
)
from patlang_ir.backends.python.host_calls import host_call
from patlang_ir.backends.python.literals import constant_of, quoted
from patlang_ir.backends.python.names import Names
from patlang_ir.backends.python.operators import Operand, binary, index, unary
from patlang_ir.diagnostics import Place, place_of, refuse
from patlang_ir.dialects import pat
from patlang_ir.quick_ops import operands_of
from patlang_ir.runtime.host_kinds import CLOSURE, LIST, NAT, STRINGS, UNIT, Kinds
from patlang_ir.stdlib.registry import HOST_FUNCTIONS

_LONGEST = 2000
_MOST_BRACKETS = 50
"""An expression of more than these, or of more pairs of signs, gets a name, so that Python's parser
can follow."""


class Line(NamedTuple):
    """One line of the text: where it comes from as a whole, and its parts."""

    indent: int
    text: str
    place: Place | None
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class FunctionInfo:
    """What calls need to know of a function."""

    python_name: str
    arity: int


@dataclass(frozen=True)
class ProgramInfo:
    """What the printers of all functions share."""

    kinds: ValueKinds
    functions: dict[str, FunctionInfo]
    closures: dict[str, pat.FuncOp]
    """The functions that closures are made of."""
    taken: frozenset[str]
    applies: bool
    """Whether the program calls functions by computed names."""
    ends: StatementEnds
    names: dict[str, Names] = field(default_factory=dict[str, Names])
    """The Python names in each function that is printed."""


class ExpressionPrinter:
    """Prints the expressions of one function, and keeps its lines.

    A value that is used once stays an expression as long as it is evaluated in its turn: the values
    in waiting form a stack, and an operation takes its operands from the top. Where that fails they
    get names first.
    """

    def __init__(self, program: ProgramInfo, function: str):
        self.program = program
        self.function = function
        self.names = program.names[function] = Names(program.taken)
        self.numeric: tuple[str, ...] = ()
        self.lines: list[Line] = []
        self.indent = 1
        self.waiting: dict[SSAValue, Expr] = {}
        self.known: dict[SSAValue, Expr] = {}

    def line(self, *parts: str | Expr, place: Place | None = None) -> None:
        """Add one line at the present indentation."""
        written = join(*parts)
        self.lines.append(Line(self.indent, written.text, place, written.spans))

    @contextmanager
    def indented(self) -> Generator[None]:
        self.indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.line("pass")
        self.indent -= 1

    def name_all_waiting(self) -> None:
        """Give a name to every value in waiting, in the order of evaluation."""
        for value, expr in self.waiting.items():
            self.known[value] = self.named(expr, value)
        self.waiting.clear()

    def named(self, expr: Expr, value: SSAValue) -> Expr:
        temporary = self.names.temporary()
        self.line(f"{temporary} = ", expr, place=origin(value.owner))
        return name(temporary)

    def take_all(self, values: list[SSAValue]) -> list[Expr]:
        """The expressions of operands, which are then no longer in waiting."""
        if not self.waiting:
            return [self.known[value] for value in values]
        wanted = [value for value in values if value in self.waiting]
        top = list(islice(reversed(self.waiting), len(wanted)))
        if top[::-1] != wanted:
            self.name_all_waiting()
        return [
            self.waiting.pop(value) if value in self.waiting else self.known[value]
            for value in values
        ]

    def take(self, value: SSAValue) -> Expr:
        return self.take_all([value])[0]

    def operands(self, *values: SSAValue) -> list[Operand]:
        exprs = self.take_all(list(values))
        return [
            Operand(expr, self.kinds(value), constant_of(value))
            for value, expr in zip(values, exprs, strict=True)
        ]

    def kinds(self, value: SSAValue) -> Kinds:
        kinds = self.program.kinds.of(value)
        if self.numeric and variable_read(value) in self.numeric:
            return kinds & ~UNIT | NAT
        return kinds

    def define(self, value: SSAValue, expr: Expr) -> None:
        """`value` is computed here by `expr`."""
        use = value.first_use
        if use is None:
            self.name_all_waiting()
            if not expr.simple:
                self.line(expr, place=origin(value.owner))
        elif expr.simple and self.program.ends.joins(value):
            self.known[value] = expr
        elif value.has_one_use() and _same_block(value, use.operation) and _fits(expr):
            self.waiting[value] = expr
        else:
            self.name_all_waiting()
            self.known[value] = self.named(expr, value)

    def expression(self, op: Operation) -> Expr:
        """The Python of an operation that computes a value without touching a variable."""
        write = self.writers.get(type(op))
        if write is None:
            raise refuse(op, "P902", f"'{op.name}' cannot be part of a program on the host")
        return write(self, op)

    def _unary(self, op: pat.UnaryOp) -> Expr:
        return unary(op.kind.data, self.operands(*operands_of(op))[0], origin(op))

    def _binary(self, op: pat.BinaryOp) -> Expr:
        lhs, rhs = self.operands(*operands_of(op))
        return binary(op.kind.data, lhs, rhs, origin(op))

    def _list(self, op: pat.ListOp) -> Expr:
        return join("[", *separated(self.take_all([*operands_of(op)])), "]")

    def _index(self, op: pat.IndexOp) -> Expr:
        base, at = self.operands(*operands_of(op))
        inside = self.program.kinds.is_inside(op)
        return index(base, at, inside, self.names.temporary, origin(op))

    def _call_by_name(self, op: pat.CallOp) -> Expr:
        return self._call(op, op.callee.data, self.take_all([*operands_of(op)]))

    def _send_method(self, op: pat.SendOp) -> Expr:
        base, *arguments = self.take_all([*operands_of(op)])
        return self._send(op, base, Expr(quoted(op.method.data)), arguments)

    def _member(self, op: pat.MemberOp) -> Expr:
        base = self.operands(op.base)[0]
        if op.member.data not in ("length", "len"):
            return call("host.member", [base.expr, Expr(quoted(op.member.data))], origin(op))
        return call("len" if base.is_only(LIST | STRINGS) else "rt.length", [base.expr])

    def _call(self, op: Operation, callee: str, arguments: list[Expr]) -> Expr:
        function = self.program.functions.get(callee)
        if function is None:
            raise refuse(op, "P202", f"the program has no function '{callee}'")
        missing = function.arity - len(arguments)
        if missing >= 0:
            written = [*arguments, *[Expr("None", simple=True)] * missing]
            return impure(call(function.python_name, written, origin(op)))
        kept = join("*(", *separated(arguments), f")[:{function.arity}]")
        return impure(call(function.python_name, [kept], origin(op)))

    def _call_value(self, op: pat.CallValueOp) -> Expr:
        """The value is called from Python itself: see `_apply`."""
        callee, *arguments = self.operands(op.callee, *op.args)
        place = origin(op)
        function = callee.expr.at_least(Precedence.ATOM)
        if op.or_host is not None and not callee.is_only(CLOSURE):
            if not callee.kinds & CLOSURE:
                return impure(host_call(op.or_host.data, arguments, place))
            host = Expr(f"host.{HOST_FUNCTIONS[op.or_host.data].python_name}")
            test = call("rt.is_closure", [callee.expr])
            function = choose(callee.expr, test, host).at_least(Precedence.ATOM)
        elif not callee.is_only(CLOSURE):
            function = call("rt.callee", [callee.expr], place)
        written = [argument.expr for argument in arguments]
        return impure(join(function, "(", *separated(written), ")", place=place))

    def _send(self, op: Operation, base: Expr, method: Expr, arguments: list[Expr]) -> Expr:
        """The method is looked up, and then called with the record as its first argument."""
        written = base
        if not base.simple:
            base = name(self.names.temporary())
            written = join(base, " := ", written, precedence=Precedence.WALRUS)
        found = call("host.method", [written, method], origin(op))
        given = separated([base, *arguments])
        return impure(join(found, "(", *given, ")", place=origin(op)))

    def _host(self, op: pat.HostOp) -> Expr:
        callee = op.callee.data
        if callee == "apply":
            return self._apply(op)
        if callee == "send":
            base, method, *arguments = self.take_all(list(op.args))
            return self._send(op, base, method, arguments)
        if callee not in HOST_FUNCTIONS:
            raise refuse(op, "P202", f"there is no host function '{callee}'")
        written = host_call(callee, self.operands(*operands_of(op)), origin(op))
        if HOST_FUNCTIONS[callee].pure:
            return written
        return self.given_up(op.result, impure(written))

    def given_up(self, value: SSAValue, expr: Expr) -> Expr:
        """An expression after which a variable no longer holds the list that it gives."""
        variable, use = given_by(value), value.get_unique_use()
        if variable is None or use is None or isinstance(use.operation, pat.LetOp | pat.AssignOp):
            return expr
        if isinstance(value.owner, pat.GetOp) and given_by(use.operation.results[0]) is not None:
            return expr
        return impure(join("(", expr, f", {self.names.of(variable)} := None)[0]"))

    def _apply(self, op: pat.HostOp) -> Expr:
        """`apply(name, ...)` looks the function up and calls it from Python itself, so that deep
        recursion through it needs no more of the machine's stack than a plain call."""
        exprs = self.take_all(list(op.args))
        found = call("host.function", [exprs[0], Expr(str(len(exprs) - 1))], origin(op))
        return impure(join(found, "(", *separated(exprs[1:]), ")", place=origin(op)))

    writers: ClassVar[Mapping[type[Operation], Callable[[Any, Any], Expr]]] = {
        pat.UnaryOp: _unary,
        pat.BinaryOp: _binary,
        pat.ListOp: _list,
        pat.IndexOp: _index,
        pat.MemberOp: _member,
        pat.CallOp: _call_by_name,
        pat.CallValueOp: _call_value,
        pat.SendOp: _send_method,
        pat.HostOp: _host,
    }
    """How each operation is written."""


def given_by(value: SSAValue) -> str | None:
    """The variable that gives its list up to be this value, or to become it by a change."""
    op = value.owner
    if isinstance(op, pat.HostOp) and op.callee.data in REUSING.values():
        op = op.args[0].owner
    if isinstance(op, pat.GetOp) and op.given is not None:
        return op.variable.data
    return None


def origin(op: Operation | Block) -> Place | None:
    return place_of(op.location) if isinstance(op, Operation) else None


def _fits(expr: Expr) -> bool:
    depth = expr.text.count("(") + expr.text.count("--")
    return depth <= _MOST_BRACKETS and len(expr.text) <= _LONGEST


def _same_block(value: SSAValue, user: Operation) -> bool:
    return isinstance(value.owner, Operation) and value.owner.parent is user.parent


def separated(exprs: list[Expr]) -> list[str | Expr]:
    """Expressions with commas between them."""
    return [part for expr in exprs for part in (", ", expr)][1:]
