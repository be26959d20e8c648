"""The printer from resolved `pat` to Python: one `def` for each function, expressions nested again.

A value that is used once stays an expression as long as it is evaluated in its turn: the values in
waiting form a stack, and an operation takes its operands from the top. Where that fails they get
names first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.list_ownership import changed_variable
from patlang_ir.analysis.pat_flow import statement_end
from patlang_ir.analysis.value_kinds import ValueKinds
from patlang_ir.backends.python.bindings import FIXED, Bindings
from patlang_ir.backends.python.expression import (
    Expr,
    Precedence,
    Span,
    call,
    infix,
    join,
    name,
)
from patlang_ir.backends.python.host_calls import host_call
from patlang_ir.backends.python.names import Names
from patlang_ir.backends.python.operators import Operand, binary, index, unary
from patlang_ir.backends.python.patlang_text import patlang_text
from patlang_ir.diagnostics import Place, place_of, refuse
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import ContractKind, LogicalKind
from patlang_ir.runtime.host_kinds import BOOL, LIST, NAT, STRINGS, only
from patlang_ir.stdlib.registry import HOST_FUNCTIONS

_CONTRACTS = {
    ContractKind.REQUIRE: "precondition",
    ContractKind.ENSURE: "postcondition",
    ContractKind.ASSERT: "assertion",
}
_LONGEST = 2000
"""An expression longer than this gets a name, so that Python's parser can follow."""


@dataclass(frozen=True)
class Line:
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
    taken: frozenset[str]
    applies: bool
    """Whether the program calls functions by computed names."""


class FunctionPrinter:
    """Prints the body of one function."""

    def __init__(self, program: ProgramInfo, function: str, bindings: Bindings):
        self.program = program
        self.function = function
        self.bindings = bindings
        self.names = Names(program.taken)
        self.lines: list[Line] = []
        self._indent = 1
        self._waiting: dict[SSAValue, Expr] = {}
        self._known: dict[SSAValue, Expr] = {}

    def flag(self, variable: str) -> str:
        """The Python variable that says whether `variable` is bound for good."""
        return self.names.of(f"{variable}.fixed")

    # --- lines ---

    def line(self, *parts: str | Expr, place: Place | None = None) -> None:
        """Add one line at the present indentation."""
        written = join(*parts)
        self.lines.append(Line(self._indent, written.text, place, written.spans))

    @contextmanager
    def _indented(self) -> Iterator[None]:
        self._indent += 1
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.line("pass")
        self._indent -= 1

    def block(self, block: Block) -> Expr | None:
        """Print the statements of a block; the expression is the value that it yields."""
        outer, self._waiting = self._waiting, {}
        yielded = None
        for op in block.ops:
            if isinstance(op, pat.YieldOp):
                yielded = self._take(op.value)
                self._name_all_waiting()
                break
            self._statement(op)
            if isinstance(op, pat.ReturnOp):
                break
        else:
            self._name_all_waiting()
        self._waiting = outer
        return yielded

    def _value_of(self, block: Block) -> tuple[Expr, list[Line]]:
        """The value of a block that yields one, and the lines that are needed before it."""
        outer, self.lines = self.lines, []
        yielded = self.block(block)
        before, self.lines = self.lines, outer
        assert yielded is not None
        return yielded, before

    # --- expressions ---

    def _name_all_waiting(self) -> None:
        """Give a name to every value in waiting, in the order of evaluation."""
        for value, expr in self._waiting.items():
            self._known[value] = self._named(expr, value)
        self._waiting.clear()

    def _named(self, expr: Expr, value: SSAValue) -> Expr:
        temporary = self.names.temporary()
        self.line(f"{temporary} = ", expr, place=_place(value.owner))
        return name(temporary)

    def _take_all(self, values: list[SSAValue]) -> list[Expr]:
        """The expressions of operands, which are then no longer in waiting."""
        wanted = [value for value in values if value in self._waiting]
        top = list(self._waiting)[len(self._waiting) - len(wanted) :]
        if top != wanted:
            self._name_all_waiting()
        return [
            self._waiting.pop(value) if value in self._waiting else self._known[value]
            for value in values
        ]

    def _take(self, value: SSAValue) -> Expr:
        return self._take_all([value])[0]

    def _operands(self, *values: SSAValue) -> list[Operand]:
        exprs = self._take_all(list(values))
        return [
            Operand(expr, self.program.kinds.of(value), _constant(value))
            for value, expr in zip(values, exprs, strict=True)
        ]

    def _define(self, value: SSAValue, expr: Expr) -> None:
        """`value` is computed here by `expr`."""
        use = value.first_use
        if use is None:
            self._name_all_waiting()
            if not expr.simple:
                self.line(expr, place=_place(value.owner))
        elif expr.simple and _used_in_statement(value):
            self._known[value] = expr
        elif value.has_one_use() and _same_block(value, use.operation) and _fits(expr):
            self._waiting[value] = expr
        else:
            self._name_all_waiting()
            self._known[value] = self._named(expr, value)

    def _expression(self, op: Operation) -> Expr:
        """The Python of an operation that computes a value without touching a variable."""
        place = _place(op)
        match op:
            case pat.UnaryOp():
                return unary(op.kind.data, self._operands(op.operand)[0], place)
            case pat.BinaryOp():
                return binary(op.kind.data, *self._operands(op.lhs, op.rhs), place)
            case pat.ListOp():
                return _list(self._take_all(list(op.items)))
            case pat.IndexOp():
                base, at = self._operands(op.base, op.index)
                return index(base, at, self.names.temporary, place)
            case pat.MemberOp():
                return self._member(op)
            case pat.CallOp():
                return self._call(op, op.callee.data, self._take_all(list(op.args)))
            case pat.CallValueOp():
                return call("rt.call", self._take_all([op.callee, *op.args]), place)
            case pat.HostOp():
                return self._host(op)
            case _:
                raise refuse(op, "P902", f"'{op.name}' cannot be part of a program on the host")

    def _member(self, op: pat.MemberOp) -> Expr:
        base = self._operands(op.base)[0]
        if op.member.data not in ("length", "len"):
            return call("host.member", [base.expr, Expr(_quoted(op.member.data))], _place(op))
        return call("len" if base.is_only(LIST | STRINGS) else "rt.length", [base.expr])

    def _call(self, op: Operation, callee: str, arguments: list[Expr]) -> Expr:
        function = self.program.functions.get(callee)
        if function is None:
            raise refuse(op, "P202", f"the program has no function '{callee}'")
        missing = function.arity - len(arguments)
        if missing >= 0:
            written = [*arguments, *[Expr("None", simple=True)] * missing]
            return call(function.python_name, written, _place(op))
        kept = join("*(", *_separated(arguments), f")[:{function.arity}]")
        return call(function.python_name, [kept], _place(op))

    def _host(self, op: pat.HostOp) -> Expr:
        callee = op.callee.data
        if callee == "apply":
            return self._apply(op)
        if callee not in HOST_FUNCTIONS:
            raise refuse(op, "P202", f"there is no host function '{callee}'")
        return host_call(callee, self._operands(*op.args), _place(op))

    def _apply(self, op: pat.HostOp) -> Expr:
        """`apply(name, ...)` looks the function up and calls it from Python itself, so that deep
        recursion through it needs no more of the machine's stack than a plain call."""
        exprs = self._take_all(list(op.args))
        found = call("host.function", [exprs[0], Expr(str(len(exprs) - 1))], _place(op))
        return join(found, "(", *_separated(exprs[1:]), ")", place=_place(op))

    # --- statements ---

    def _statement(self, op: Operation) -> None:
        match op:
            case pat.ConstantOp():
                self._known[op.result] = _literal(op)
            case pat.GetOp():
                self._define(op.result, name(self.names.of(op.variable.data)))
            case pat.LogicalOp():
                self._logical(op)
            case pat.LetOp() | pat.AssignOp():
                self._bind(op)
            case pat.HostOp() if op.in_place is not None and changed_variable(op) is not None:
                self._change_in_place(op)
            case pat.LaunchOp():
                self._launch(op)
            case pat.IfOp():
                self._if(op)
            case pat.WhileOp():
                self._while(op)
            case pat.ReturnOp():
                self._return(op)
            case pat.ContractOp():
                self._contract(op)
            case _:
                expr = self._expression(op)
                self._define(op.results[0], expr)

    def _logical(self, op: pat.LogicalOp) -> None:
        yielded = op.rhs.block.last_op
        assert isinstance(yielded, pat.YieldOp)
        rhs, before = self._value_of(op.rhs.block)
        if before:
            self._logical_in_lines(op, rhs, before)
            return
        word = str(op.kind.data)
        precedence = Precedence.AND if op.kind.data is LogicalKind.AND else Precedence.OR
        lhs = self._operands(op.lhs)[0]
        both = infix(lhs.expr.form("truth"), word, rhs.form("truth"), precedence)
        if lhs.is_only(BOOL) and only(self.program.kinds.of(yielded.value), BOOL):
            self._define(op.result, both)
        else:
            self._define(op.result, call("bool", [both]).with_forms(truth=both))

    def _logical_in_lines(self, op: pat.LogicalOp, rhs: Expr, before: list[Line]) -> None:
        """The right side needs statements of its own."""
        lhs = self._take(op.lhs)
        self._name_all_waiting()
        result = self._named(call("bool", [lhs.form("truth")]), op.result)
        self.line("if " if op.kind.data is LogicalKind.AND else "if not ", result, ":")
        with self._indented():
            self.lines += map(_deeper, before)
            self.line(result, " = ", call("bool", [rhs.form("truth")]), place=_place(op))
        self._known[op.result] = result

    def _bind(self, op: pat.LetOp | pat.AssignOp) -> None:
        stored = self._take(op.value)
        self._name_all_waiting()
        variable = op.variable.data
        if isinstance(op, pat.AssignOp):
            bindings = self.bindings.assigned.get(op, 0)
            if bindings == FIXED or variable in self.bindings.flagged:
                stored = self._check_assignment(op, stored)
        elif variable in self.bindings.flagged:
            fixed = op.mutable is None
            self.line(f"{self.flag(variable)} = {fixed}")
        self._store(self.names.of(variable), stored, _place(op))

    def _check_assignment(self, op: pat.AssignOp, stored: Expr) -> Expr:
        """Stop the program if the variable was bound for good."""
        variable = op.variable.data
        if not stored.simple:
            stored = self._named(stored, op.value)
        refusal = call("rt.refuse_assignment", [Expr(_quoted(variable))], _place(op))
        if variable in self.bindings.flagged:
            self.line(f"if {self.flag(variable)}:")
            with self._indented():
                self.line(refusal, place=_place(op))
        else:
            self.line(refusal, place=_place(op))
        return stored

    def _store(self, target: str, stored: Expr, place: Place | None) -> None:
        if stored.simple and stored.text == target:
            return
        if stored.update is None or stored.update[0] != target:
            self.line(f"{target} = ", stored, place=place)
            return
        _, sign, operand = stored.update
        written = join(f"{target} {sign}= ", operand)
        whole = [
            replace(span, end=len(written.text))
            for span in stored.spans
            if span.start == 0 and span.end == len(stored.text)
        ]
        self.line(replace(written, spans=(*written.spans, *whole)), place=place)

    def _change_in_place(self, op: pat.HostOp) -> None:
        """`let xs = list_push(xs, v)` where nobody else holds the list."""
        xs, *rest = self._operands(*op.args)
        self._name_all_waiting()
        place = _place(op)
        if op.callee.data == "list_push":
            self.line(xs.expr, ".append(", rest[0].expr, ")", place=place)
        elif xs.is_only(LIST) and rest[0].is_only(NAT):
            self._set_item(xs.expr, rest[0].expr, rest[1].expr, place)
        else:
            arguments = [operand.expr for operand in (xs, *rest)]
            self.line(call("host.list_set_in_place", arguments, place), place=place)
        self._known[op.result] = xs.expr

    def _set_item(self, xs: Expr, at: Expr, item: Expr, place: Place | None) -> None:
        """Python evaluates the right side first."""
        if not at.simple and not item.simple:
            temporary = self.names.temporary()
            self.line(f"{temporary} = ", at, place=place)
            at = name(temporary)
        self.line(join(xs, "[", at, "]", place=place), " = ", item, place=place)

    def _launch(self, op: pat.LaunchOp) -> None:
        arguments = self._take_all(list(op.args))
        self._name_all_waiting()
        targets = {at: v.data for at, v in enumerate(op.written) if v.data}
        written: list[Expr] = [Expr(_quoted(op.callee.data)), *arguments]
        if targets:
            written.append(Expr(f"writes={list(targets)}"))
            names = ", ".join(self.names.of(variable) for variable in targets.values())
            self.line(f"[{names}] = ", call("launch", written, _place(op)), place=_place(op))
        else:
            self.line(call("launch", written, _place(op)), place=_place(op))
        self._known[op.result] = Expr("None", simple=True)

    def _if(self, op: pat.IfOp) -> None:
        self._name_all_waiting()
        start, word = self._indent, "if"
        for condition, body in op.branches:
            tested, before = self._value_of(condition.block)
            if before and word == "elif":
                self.line("else:")
                self._indent += 1
                before = list(map(_deeper, before))
                word = "if"
            self.lines += before
            self.line(f"{word} ", tested.form("truth"), ":", place=_place(op))
            with self._indented():
                self.block(body.block)
            word = "elif"
        if op.otherwise is not None and op.otherwise.block.first_op is not None:
            self.line("else:")
            with self._indented():
                self.block(op.otherwise.block)
        self._indent = start

    def _while(self, op: pat.WhileOp) -> None:
        self._name_all_waiting()
        tested, before = self._value_of(op.condition.block)
        if not before:
            self.line("while ", tested.form("truth"), ":", place=_place(op))
        else:
            self.line("while True:")
        with self._indented():
            if before:
                self.lines += map(_deeper, before)
                stop = unary(pat.UnaryKind.NOT, Operand(tested, 0), None)
                self.line("if ", stop, ":", place=_place(op))
                with self._indented():
                    self.line("break")
            self.block(op.body.block)

    def _return(self, op: pat.ReturnOp) -> None:
        if op.value is None:
            self._name_all_waiting()
            self.line("return")
            return
        returned = self._take(op.value)
        self._name_all_waiting()
        self.line("return ", returned, place=_place(op))

    def _contract(self, op: pat.ContractOp) -> None:
        condition = self._operands(op.condition)[0]
        self._name_all_waiting()
        self.line("if ", unary(pat.UnaryKind.NOT, condition, None), ":", place=_place(op))
        parts = (_CONTRACTS[op.kind.data], self.function, patlang_text(op.condition))
        with self._indented():
            self.line(
                call("rt.violated", [Expr(_quoted(part)) for part in parts]), place=_place(op)
            )


# --- small things ---


def _place(op: Operation | Block) -> Place | None:
    return place_of(op.location) if isinstance(op, Operation) else None


def _fits(expr: Expr) -> bool:
    return len(expr.text) <= _LONGEST


def _same_block(value: SSAValue, user: Operation) -> bool:
    return isinstance(value.owner, Operation) and value.owner.parent is user.parent


def _used_in_statement(value: SSAValue) -> bool:
    """Whether every use helps to compute the statement that the value is part of."""
    assert isinstance(value.owner, Operation)
    end = statement_end(value.owner)
    return all(statement_end(use.operation) is end for use in value.uses)


def _deeper(line: Line) -> Line:
    return replace(line, indent=line.indent + 1)


def _separated(exprs: list[Expr]) -> list[str | Expr]:
    return [part for expr in exprs for part in (", ", expr)][1:]


def _list(items: list[Expr]) -> Expr:
    return join("[", *_separated(items), "]")


def _quoted(text: str) -> str:
    shown = repr(text)
    return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown else shown


def _constant(value: SSAValue) -> int | float | None:
    """The number of a literal."""
    if not isinstance(value.owner, pat.ConstantOp):
        return None
    match value.owner.value:
        case IntAttr(data=data):
            return data
        case FloatAttr():
            return value.owner.value.value.data
        case _:
            return None


def _literal(op: pat.ConstantOp) -> Expr:
    match op.value:
        case UnitAttr():
            text = "None"
        case IntegerAttr():
            text = str(bool(op.value.value.data))
        case IntAttr(data=data):
            text = str(data)
        case StringAttr(data=data):
            text = _quoted(data)
        case _:
            text = _float_literal(op.value.value.data)
    tight = Precedence.SIGN if text.startswith("-") else Precedence.ATOM
    return Expr(text, tight, simple=True)


def _float_literal(value: float) -> str:
    shown = repr(value)
    return shown if shown[-1].isdigit() else f'float("{shown}")'
