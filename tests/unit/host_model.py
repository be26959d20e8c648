"""Running resolved `pat` operation by operation: slow, and with every list copied.

The independent answer for what the printed Python computes.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.diagnostics import RunError
from patlang_ir.dialects import pat
from patlang_ir.frontend import parse
from patlang_ir.passes.pat_lift_closures import PatLiftClosures
from patlang_ir.passes.pat_mark_moves import PatMarkMoves
from patlang_ir.passes.pat_resolve_names import PatResolveNames
from patlang_ir.runtime import values
from patlang_ir.runtime.host import NoKernels, run_program
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.stdlib.registry import HOST_FUNCTIONS

UNARY: dict[str, Callable[..., Any]] = {
    "neg": values.neg,
    "not": lambda x: not x,
    "bnot": values.bnot,
}


class Returned(Exception):
    """A `return` on its way out."""

    def __init__(self, value: Any):
        self.value = value


class TooLarge(Exception):
    """A value of more elements than anyone wants to copy at each step."""


MOST = 10_000
"""Elements that a variable may hold, those of its elements counted in."""


def size(value: Any) -> int:
    return 1 + sum(map(size, value)) if isinstance(value, list) else 1


def deep_copy(value: Any) -> Any:
    return [deep_copy(item) for item in value] if isinstance(value, list) else value


class Model:
    """One run of a module."""

    def __init__(self, module: ModuleOp):
        self.machine = Machine(out=io.StringIO())
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, pat.FuncOp)}
        self.program = next(op for op in module.ops if isinstance(op, pat.ProgramOp))

    def run(self) -> tuple[str, str]:
        """The output, and the code of the error that stopped the program."""
        code = ""
        try:
            Frame(self, {}).block(self.program.body.block)
        except Returned:
            pass
        except values.Fault as fault:
            code = fault.code
        return self.machine.out.getvalue(), code

    def call(self, name: str, arguments: list[Any]) -> Any:
        function = self.functions[name]
        padded = [*arguments, *[None] * len(function.params)]
        frame = Frame(self, dict(zip(function.param_names, padded, strict=False)))
        try:
            frame.block(function.body.block)
        except Returned as returned:
            return deep_copy(returned.value)
        if function.result_name is None:
            return None
        return deep_copy(frame.variables.get(function.result_name.data))

    def closure(self, name: str, captured: list[Any]) -> Callable[..., Any]:
        """A closure, which holds its captured values to itself."""
        return lambda *arguments: self.call(name, [*map(deep_copy, captured), *arguments])


class Frame:
    """One call: variables, and how they were bound."""

    def __init__(self, model: Model, variables: dict[str, Any]):
        self.model = model
        self.variables = variables
        self.fixed: set[str] = set()
        self.values: dict[SSAValue, Any] = {}

    def store(self, variable: str, value: Any) -> None:
        if size(value) > MOST:
            raise TooLarge
        self.variables[variable] = deep_copy(value)

    def block(self, block: Block) -> Any:
        for op in block.ops:
            if isinstance(op, pat.YieldOp):
                return self.values[op.value]
            self.statement(op)
        return None

    def statement(self, op: Operation) -> None:
        match op:
            case pat.LetOp():
                self.store(op.variable.data, self.values[op.value])
                self.fixed.discard(op.variable.data)
                if op.mutable is None:
                    self.fixed.add(op.variable.data)
            case pat.AssignOp():
                if op.variable.data in self.fixed:
                    values.refuse_assignment(op.variable.data)
                self.store(op.variable.data, self.values[op.value])
            case pat.IfOp():
                for condition, body in op.branches:
                    if self.block(condition.block):
                        self.block(body.block)
                        return
                if op.otherwise is not None:
                    self.block(op.otherwise.block)
            case pat.WhileOp():
                while self.block(op.condition.block):
                    self.block(op.body.block)
            case pat.ReturnOp():
                raise Returned(None if op.value is None else self.values[op.value])
            case pat.ContractOp():
                if not self.values[op.condition]:
                    values.violated("", "", "")
            case pat.SetMemberOp():
                stored = deep_copy(self.values[op.value])
                self.model.machine.records.set_member(self.values[op.base], op.member.data, stored)
            case pat.WhenOp():
                self.model.machine.records.when(op.event.data, self.values[op.handler])
            case pat.ClassOp():
                self.define(op)
            case _:
                self.values[op.results[0]] = self.value(op)

    def define(self, op: pat.ClassOp) -> None:
        fields = zip(op.fields, op.defaults, strict=True)
        methods = zip(op.methods, op.closures, strict=True)
        self.model.machine.records.define_class(
            op.class_name.data,
            op.inherits.data if op.inherits is not None else None,
            [trait.data for trait in op.class_traits],
            {name.data: deep_copy(self.values[value]) for name, value in fields},
            {name.data: self.values[closure] for name, closure in methods},
        )

    def value(self, op: Operation) -> Any:
        of = self.values
        match op:
            case pat.ConstantOp():
                return constant(op)
            case pat.GetOp():
                return deep_copy(self.variables.get(op.variable.data))
            case pat.UnaryOp():
                return UNARY[op.kind.data](of[op.operand])
            case pat.BinaryOp():
                return getattr(values, op.kind.data)(of[op.lhs], of[op.rhs])
            case pat.LogicalOp():
                stop = op.kind.data == "or"
                if bool(of[op.lhs]) == stop:
                    return stop
                return bool(self.block(op.rhs.block))
            case pat.ListOp():
                return [deep_copy(of[item]) for item in op.items]
            case pat.IndexOp():
                return deep_copy(values.index(of[op.base], of[op.index]))
            case pat.MemberOp():
                if op.member.data == "length":
                    return values.length(of[op.base])
                return deep_copy(self.model.machine.records.member(of[op.base], op.member.data))
            case pat.MakeClosureOp():
                return self.model.closure(op.callee.data, [deep_copy(of[c]) for c in op.captured])
            case pat.CallValueOp():
                arguments = [deep_copy(of[a]) for a in op.args]
                if op.or_host is not None and not callable(of[op.callee]):
                    return self.host(op.or_host.data, arguments)
                return values.callee(of[op.callee])(*arguments)
            case pat.SendOp():
                method = self.model.machine.records.method(of[op.base], op.method.data)
                return method(of[op.base], *(deep_copy(of[a]) for a in op.args))
            case pat.CallOp():
                return self.model.call(op.callee.data, [deep_copy(of[a]) for a in op.args])
            case pat.HostOp():
                return self.host(op.callee.data, [deep_copy(of[a]) for a in op.args])
            case _:
                raise AssertionError(op.name)

    def host(self, name: str, arguments: list[Any]) -> Any:
        if name == "apply":
            return self.model.call(arguments[0], arguments[1:])
        function = HOST_FUNCTIONS[name]
        if function.stateful:
            arguments = [self.model.machine, *arguments]
        return function.implementation(*arguments)


def constant(op: pat.ConstantOp) -> Any:
    match op.value:
        case IntAttr(data=data) | StringAttr(data=data):
            return data
        case IntegerAttr():
            return bool(op.value.value.data)
        case FloatAttr():
            return op.value.value.data
        case _:
            return None


def resolved(text: str) -> ModuleOp:
    """The module of a program, with its names resolved."""
    module = parse(text, "test.patlang").module
    for step in (PatLiftClosures(), PatResolveNames()):
        step.apply(Context(), module)
    return module


def run_model(text: str) -> tuple[str, str]:
    """Output and error code of a program by the model; TooLarge if its lists grow without end."""
    return Model(resolved(text)).run()


def run_compiled(text: str, *, moves: bool = True) -> tuple[str, str]:
    """Output and error code of a program as printed Python."""
    module = resolved(text)
    if moves:
        PatMarkMoves().apply(Context(), module)
        module.verify()
    out = io.StringIO()
    try:
        run_program(module, launcher=NoKernels(), out=out)
    except RunError as error:
        return out.getvalue(), error.diagnostic.code
    return out.getvalue(), ""
