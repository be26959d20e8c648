"""Printing statements: the body of one function, with structured control flow kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, Region

from patlang_ir.analysis.list_ownership import changed_variable
from patlang_ir.backends.python.bindings import FIXED, Bindings
from patlang_ir.backends.python.expression import Expr, Precedence, call, infix, join, name
from patlang_ir.backends.python.expressions import (
    ExpressionPrinter,
    Line,
    ProgramInfo,
    given_by,
    origin,
    separated,
)
from patlang_ir.backends.python.literals import literal, quoted
from patlang_ir.backends.python.numeric_params import numeric_params
from patlang_ir.backends.python.operators import Operand, unary
from patlang_ir.backends.python.patlang_text import patlang_text
from patlang_ir.diagnostics import Place, place_of, refuse
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import ContractKind, LogicalKind
from patlang_ir.runtime.host_kinds import BOOL, LIST, NAT, only

_CONTRACTS = {
    ContractKind.REQUIRE: "precondition",
    ContractKind.ENSURE: "postcondition",
    ContractKind.ASSERT: "assertion",
}
MOST_ARMS = 500
"""Of an `if` with more conditions several are made."""

WORTH_TRYING = 2
"""The tests of indices in a statement for which the statement is written twice."""


class FunctionPrinter(ExpressionPrinter):
    """Prints the statements of one function."""

    def __init__(self, program: ProgramInfo, function: str, bindings: Bindings):
        super().__init__(program, function)
        self.bindings = bindings
        self._loops = 0

    def flag(self, variable: str) -> str:
        """The Python variable that says whether `variable` is bound for good."""
        return self.names.of(f"{variable}.fixed")

    def start(self) -> None:
        """Variables that may be read before they are bound are unit."""
        for variable in sorted(self.bindings.unset):
            self.line(f"{self.names.of(variable)} = None")
        for variable in sorted(self.bindings.flagged):
            self.line(f"{self.flag(variable)} = False")

    def body(self) -> list[Line]:
        """The lines, of which Python wants one at least."""
        return self.lines or [Line(self.indent, "pass", None, ())]

    def numeric_at_start(self, params: tuple[str, ...]) -> None:
        """Turn parameters that are only computed with into numbers, where they are unit."""
        self.numeric = params
        for param in params:
            variable = self.names.of(param)
            self.line(f"if {variable} is None:")
            with self.indented():
                self.line(f"{variable} = 0")

    def block(self, block: Block) -> Expr | None:
        """Print the statements of a block; the expression is the value that it yields."""
        outer, self.waiting = self.waiting, {}
        yielded = None
        for op in block.ops:
            if isinstance(op, pat.YieldOp):
                yielded = self.take(op.value)
                self.name_all_waiting()
                break
            self._statement(op)
            if isinstance(op, pat.ReturnOp):
                break
        else:
            self.name_all_waiting()
        self.waiting = outer
        return yielded

    def _value_of(self, block: Block) -> tuple[Expr, list[Line]]:
        """The value of a block that yields one, and the lines that are needed before it."""
        outer, self.lines = self.lines, []
        yielded = self.block(block)
        before, self.lines = self.lines, outer
        assert yielded is not None
        return yielded, before

    def _statement(self, op: Operation) -> None:
        write = self.statements.get(type(op))
        if write is not None:
            write(self, op)
        elif isinstance(op, pat.HostOp) and op.in_place is not None and changed_variable(op):
            self._change_in_place(op)
        else:
            self.define(op.results[0], self.expression(op))

    def _constant(self, op: pat.ConstantOp) -> None:
        self.known[op.results[0]] = literal(op)

    def _get(self, op: pat.GetOp) -> None:
        self.define(op.result, self.given_up(op.result, name(self.names.of(op.variable.data))))

    def _set_member(self, op: pat.SetMemberOp) -> None:
        base, stored = self.take_all([op.base, op.value])
        self._do(op, "host.set_member", base, _text(op.member), stored)

    def _when(self, op: pat.WhenOp) -> None:
        self._do(op, "host.when", _text(op.event), self.take(op.handler))

    def _logical(self, op: pat.LogicalOp) -> None:
        yielded = op.rhs.block.last_op
        assert isinstance(yielded, pat.YieldOp)
        rhs, before = self._value_of(op.rhs.block)
        if before:
            self._logical_in_lines(op, rhs, before)
            return
        word = str(op.kind.data)
        precedence = Precedence.AND if op.kind.data is LogicalKind.AND else Precedence.OR
        lhs = self.operands(op.lhs)[0]
        both = infix(lhs.expr.form("truth"), word, rhs.form("truth"), precedence)
        if lhs.is_only(BOOL) and only(self.program.kinds.of(yielded.value), BOOL):
            self.define(op.result, both)
        else:
            self.define(op.result, call("bool", [both]).with_forms(truth=both))

    def _logical_in_lines(self, op: pat.LogicalOp, rhs: Expr, before: list[Line]) -> None:
        """The right side needs statements of its own."""
        lhs = self.take(op.lhs)
        self.name_all_waiting()
        result = self.named(call("bool", [lhs.form("truth")]), op.result)
        self.line("if " if op.kind.data is LogicalKind.AND else "if not ", result, ":")
        with self.indented():
            self.lines += map(_deeper, before)
            self.line(result, " = ", call("bool", [rhs.form("truth")]), place=origin(op))
        self.known[op.result] = result

    def _bind(self, op: pat.LetOp | pat.AssignOp) -> None:
        stored = self.take(op.value)
        self.name_all_waiting()
        variable = op.variable.data
        if isinstance(op, pat.AssignOp):
            bindings = self.bindings.assigned.get(op, 0)
            if bindings == FIXED or variable in self.bindings.flagged:
                stored = self._check_assignment(op, stored)
        elif variable in self.bindings.flagged:
            fixed = op.mutable is None
            self.line(f"{self.flag(variable)} = {fixed}")
        self._store(self.names.of(variable), stored, origin(op))
        given = given_by(op.value)
        if given is not None:
            self.line(f"{self.names.of(given)} = None")

    def _check_assignment(self, op: pat.AssignOp, stored: Expr) -> Expr:
        """Stop the program if the variable was bound for good."""
        variable = op.variable.data
        if not stored.simple:
            stored = self.named(stored, op.value)
        refusal = call("rt.refuse_assignment", [Expr(quoted(variable))], origin(op))
        if variable in self.bindings.flagged:
            self.line(f"if {self.flag(variable)}:")
            with self.indented():
                self.line(refusal, place=origin(op))
        else:
            self.line(refusal, place=origin(op))
        return stored

    def _store(self, target: str, stored: Expr, place: Place | None) -> None:
        if stored.simple and stored.text == target:
            return
        if stored.update is None or stored.update[0] != target:
            self._boldly(join(f"{target} = ", stored), place)
            return
        _, sign, operand = stored.update
        written = join(f"{target} {sign}= ", operand)
        whole = [
            span._replace(end=len(written.text))
            for span in stored.spans
            if span.start == 0 and span.end == len(stored.text)
        ]
        self._boldly(written._replace(spans=(*written.spans, *whole)), place)

    def _boldly(self, written: Expr, place: Place | None) -> None:
        """In a loop, do without testing indices as long as they are inside their lists."""
        if not self._loops or not written.pure or written.tests < WORTH_TRYING:
            self.line(written, place=place)
            return
        self.line("try:")
        with self.indented():
            self.line(written.form("bold"), place=place)
        self.line("except IndexError:")
        with self.indented():
            self.line(written, place=place)

    def _change_in_place(self, op: pat.HostOp) -> None:
        """`let xs = list_push(xs, v)` where nobody else holds the list."""
        xs, *rest = self.operands(*op.args)
        self.name_all_waiting()
        place = origin(op)
        if op.callee.data == "list_push":
            self._boldly(join(xs.expr, ".append(", rest[0].expr, ")"), place)
        elif xs.is_only(LIST) and rest[0].is_only(NAT):
            self._set_item(xs.expr, rest[0].expr, rest[1].expr, place)
        else:
            arguments = [operand.expr for operand in (xs, *rest)]
            self.line(call("host.list_set_in_place", arguments, place), place=place)
        self.known[op.result] = xs.expr

    def _set_item(self, xs: Expr, at: Expr, item: Expr, place: Place | None) -> None:
        """Python evaluates the right side first."""
        if not at.simple and not item.simple:
            temporary = self.names.temporary()
            self.line(f"{temporary} = ", at, place=place)
            at = name(temporary)
        self.line(join(xs, "[", at, "]", place=place), " = ", item, place=place)

    def _launch(self, op: pat.LaunchOp) -> None:
        arguments = self.take_all(list(op.args))
        self.name_all_waiting()
        targets = {at: v.data for at, v in enumerate(op.written) if v.data}
        written: list[Expr] = [Expr(quoted(op.callee.data)), *arguments]
        if targets:
            written.append(Expr(f"writes={list(targets)}"))
            names = ", ".join(self.names.of(variable) for variable in targets.values())
            self.line(f"[{names}] = ", call("launch", written, origin(op)), place=origin(op))
        else:
            self.line(call("launch", written, origin(op)), place=origin(op))
        self.known[op.result] = Expr("None", simple=True)

    def _if(self, op: pat.IfOp) -> None:
        self.name_all_waiting()
        start = self.indent
        if len(op.branches) > MOST_ARMS:
            self._long_if(op)
            return
        self._arms(op, op.branches)
        if op.otherwise is not None and op.otherwise.block.first_op is not None:
            self.line("else:")
            with self.indented():
                self.block(op.otherwise.block)
        self.indent = start

    def _arms(self, op: pat.IfOp, branches: Sequence[tuple[Region, Region]]) -> None:
        """Conditions and bodies; an `else` that follows has the indentation that this leaves."""
        word = "if"
        for condition, body in branches:
            tested, before = self._value_of(condition.block)
            if before and word == "elif":
                self.line("else:")
                self.indent += 1
                before = list(map(_deeper, before))
                word = "if"
            self.lines += before
            self.line(f"{word} ", tested.form("truth"), ":", place=origin(op))
            with self.indented():
                self.block(body.block)
            word = "elif"

    def _long_if(self, op: pat.IfOp) -> None:
        """Python nests each `elif` into the one before, and cannot compile thousands of them: a
        variable says whether none was taken so far."""
        start, branches, undecided = self.indent, op.branches, self.names.temporary()
        self.line(f"{undecided} = True")
        for first in range(0, len(branches), MOST_ARMS):
            self.line(f"if {undecided}:")
            self.indent += 1
            self.line(f"{undecided} = False")
            self._arms(op, branches[first : first + MOST_ARMS])
            self.line("else:")
            with self.indented():
                self.line(f"{undecided} = True")
            self.indent = start
        if op.otherwise is not None:
            self.line(f"if {undecided}:")
            with self.indented():
                self.block(op.otherwise.block)

    def _while(self, op: pat.WhileOp) -> None:
        self.name_all_waiting()
        tested, before = self._value_of(op.condition.block)
        if not before:
            self.line("while ", tested.form("truth"), ":", place=origin(op))
        else:
            self.line("while True:")
        with self.indented():
            if before:
                self.lines += map(_deeper, before)
                stop = unary(pat.UnaryKind.NOT, Operand(tested, 0), None)
                self.line("if ", stop, ":", place=origin(op))
                with self.indented():
                    self.line("break")
            self._loops += 1
            self.block(op.body.block)
            self._loops -= 1

    def _return(self, op: pat.ReturnOp) -> None:
        if op.value is None:
            self.name_all_waiting()
            self.line("return")
            return
        returned = self.take(op.value)
        self.name_all_waiting()
        self.line("return ", returned, place=origin(op))

    def _contract(self, op: pat.ContractOp) -> None:
        condition = self.operands(op.condition)[0]
        self.name_all_waiting()
        self.line("if ", unary(pat.UnaryKind.NOT, condition, None), ":", place=origin(op))
        parts = (_CONTRACTS[op.kind.data], self.function, patlang_text(op.condition))
        with self.indented():
            self.line(call("rt.violated", [Expr(quoted(part)) for part in parts]), place=origin(op))

    def _do(self, op: Operation, function: str, *arguments: Expr) -> None:
        """A statement that is a call."""
        self.name_all_waiting()
        self.line(call(function, [*arguments], origin(op)), place=origin(op))

    def _make_closure(self, op: pat.MakeClosureOp) -> None:
        function = self.program.closures.get(op.callee.data)
        if function is None:
            raise refuse(op, "P202", f"the program has no function '{op.callee.data}'")
        captured = self.take_all(list(op.captured))
        self.name_all_waiting()
        self.lines += function_lines(function, self.program, self.indent, captured)
        python_name = self.program.functions[op.callee.data].python_name
        self.known[op.result] = name(python_name)

    def _class(self, op: pat.ClassOp) -> None:
        values = self.take_all([*op.defaults, *op.closures])
        count = len(op.defaults)
        self._do(
            op,
            "host.define_class",
            _text(op.class_name),
            Expr("None") if op.inherits is None else _text(op.inherits),
            _list([_text(trait) for trait in op.class_traits]),
            _dictionary([*op.fields], values[:count]),
            _dictionary([*op.methods], values[count:]),
        )

    statements: ClassVar[Mapping[type[Operation], Callable[[Any, Any], None]]] = {
        pat.ConstantOp: _constant,
        pat.GetOp: _get,
        pat.LogicalOp: _logical,
        pat.LetOp: _bind,
        pat.AssignOp: _bind,
        pat.LaunchOp: _launch,
        pat.IfOp: _if,
        pat.WhileOp: _while,
        pat.ReturnOp: _return,
        pat.ContractOp: _contract,
        pat.MakeClosureOp: _make_closure,
        pat.SetMemberOp: _set_member,
        pat.WhenOp: _when,
        pat.ClassOp: _class,
    }
    """How each statement is written; what has a value besides is an expression."""


def function_lines(
    op: pat.FuncOp, program: ProgramInfo, indent: int = 0, captured: list[Expr] | None = None
) -> list[Line]:
    """The definition of a function; with `captured` it is that of a closure, which keeps the values
    as defaults, and takes any number of arguments."""
    function = op.sym_name.data
    result = op.result_name.data if op.result_name is not None else None
    bindings = Bindings(op.body.block, op.param_names, result)
    printer = FunctionPrinter(program, function, bindings)
    printer.indent = indent + 1
    params = [printer.names.of(param) for param in op.param_names]
    if captured is not None:
        kept = [f"{p}={e.text}" for p, e in zip(params, captured, strict=False)]
        rest = f"*{printer.names.unused('_')}"
        params = [*(f"{param}=None" for param in params[len(kept) :]), rest, *kept]
    elif program.applies:
        params = [f"{param}=None" for param in params]
    python_name = program.functions[function].python_name
    head = Line(indent, f"def {python_name}({', '.join(params)}):", place_of(op.location), ())
    printer.start()
    printer.numeric_at_start(numeric_params(op, program.kinds))
    printer.block(op.body.block)
    if result is not None and bindings.ends:
        printer.line(f"return {printer.names.of(result)}")
    return [head, *printer.body()]


def _text(attribute: StringAttr) -> Expr:
    return Expr(quoted(attribute.data))


def _list(items: list[Expr]) -> Expr:
    return join("[", *separated(items), "]")


def _dictionary(keys: list[StringAttr], items: list[Expr]) -> Expr:
    pairs = [join(_text(key), ": ", item) for key, item in zip(keys, items, strict=True)]
    return join("{", *separated(pairs), "}")


def _deeper(line: Line) -> Line:
    return line._replace(indent=line.indent + 1)
