"""Which names a program binds, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import TypeAlias

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntAttr, IntegerAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.captures import Mentions, own_ops
from patlang_ir.analysis.pointed_buffers import MAKE_POINTER, PointedBuffers
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import Number, number, python_number
from patlang_ir.kernel_language import BLOCK_STATEMENT, STATEMENTS
from patlang_ir.stdlib.libraries import LIBRARIES, library_of
from patlang_ir.stdlib.registry import HOST_FUNCTIONS

Owner: TypeAlias = pat.FuncOp | pat.ProgramOp
Bindings: TypeAlias = Mapping[str, list[pat.LetOp | pat.AssignOp]]
"""The operations that set each variable, in the order of the text."""


class Scope:
    """The variables of one function, or of the top level. Blocks open no scope of their own."""

    def __init__(self, owner: Owner):
        self.owner = owner
        self.params = owner.param_names if isinstance(owner, pat.FuncOp) else ()
        self.bindings: dict[str, list[pat.LetOp | pat.AssignOp]] = {}
        """The operations that set each variable, in the order of the text."""
        self._premature: set[tuple[Operation, str]] = set()
        self._mentions = Mentions()
        pending: dict[str, list[Operation]] = {}
        for op in own_ops(owner):
            if isinstance(op, pat.LetOp | pat.AssignOp):
                name = op.variable.data
                if name not in self.bindings and name not in self.params:
                    reads = pending.get(name, ())
                    self._premature.update((r, name) for r in reads if not _in_one_loop(r, op))
                self.bindings.setdefault(name, []).append(op)
            for name in self.mentions(op):
                pending.setdefault(name, []).append(op)

    def binds(self, name: str) -> bool:
        """Whether the name is a parameter, or a variable that is set somewhere."""
        return name in self.params or name in self.bindings

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.params, *self.bindings)

    def mentions(self, op: Operation) -> Mapping[str, Operation]:
        """The names that an operation mentions, each with where it does so first."""
        match op:
            case pat.NameOp(variable=name) | pat.ApplyOp(callee=name):
                return {name.data: op}
            case pat.ClosureOp():
                return self._mentions.of(op)
            case _:
                return {}

    def is_premature(self, op: Operation, name: str) -> bool:
        """Whether an operation mentions a variable where nothing can have set it yet."""
        return (op, name) in self._premature

    def has_value(self, op: Operation, name: str) -> bool:
        """Whether a name that an operation mentions may be a variable that is set by then."""
        return self.binds(name) and not self.is_premature(op, name)


def _in_one_loop(read: Operation, binding: Operation) -> bool:
    """Whether a loop holds both, so that the read may follow the binding after all."""
    loop: Operation | None = read.parent_op()
    while loop is not None:
        if isinstance(loop, pat.WhileOp) and loop.is_ancestor(binding):
            return True
        loop = loop.parent_op()
    return False


class KernelScope:
    """What the parameters of a kernel are used for, as the kernel was when this was made."""

    def __init__(self, func: pat.FuncOp, scope: Scope):
        self.func = func
        self.scope = scope
        self.buffers: dict[str, Operation] = {}
        """The parameters that are indexed or written, each with the first such use."""
        self.written: set[str] = set()
        """The parameters that the kernel stores to."""
        self.aliases: dict[str, str] = {}
        """The variables that are used like a buffer, and set to the parameter that is given."""
        used_as_buffer: set[str] = set()
        for op in own_ops(func):
            match op:
                case pat.NameOp():
                    for use in op.result.uses:
                        if is_buffer_use(use.operation, use.index):
                            used_as_buffer.add(op.variable.data)
                            self._add_buffer(op.variable.data, use.operation)
                case pat.LoadOp() | pat.StoreOp() | pat.AtomicOp():
                    self._add_buffer(op.buffer.data, op)
                case pat.IntrinsicOp() if op.callee.data == MAKE_POINTER:
                    self._add_buffer(bare_name(op.args[0]) or "", op)
                case _:
                    pass
        if func.kernel is not None and func.kernel.data is pat.KernelKind.MATMUL:
            self.written |= PointedBuffers(func).written
        for name in used_as_buffer.difference(scope.params):
            for binding in scope.bindings.get(name, ()):
                source = bare_name(binding.value)
                if source is not None and source in scope.params:
                    self.aliases[name] = source

    def _add_buffer(self, name: str, use: Operation) -> None:
        if name not in self.scope.params:
            return
        self.buffers.setdefault(name, use)
        if isinstance(use, pat.StoreOp | pat.AtomicOp) or writes_first_argument(use):
            self.written.add(name)


def is_buffer_use(user: Operation, operand: int) -> bool:
    """Whether an operand stands for a buffer: the base of an index, the target of a store."""
    match user:
        case pat.IndexOp():
            return operand == 0
        case pat.ApplyOp():
            return operand == 0 and (
                writes_first_argument(user) or user.callee.data == MAKE_POINTER
            )
        case _:
            return False


def writes_first_argument(op: Operation) -> bool:
    """Whether this is a call of `store` or of an atomic."""
    if not isinstance(op, pat.ApplyOp):
        return False
    return op.callee.data in STATEMENTS and op.callee.data != BLOCK_STATEMENT


def is_buffer_mention(op: pat.NameOp) -> bool:
    """Whether every use of a name takes it for a buffer."""
    uses = tuple(op.result.uses)
    return bool(uses) and all(is_buffer_use(use.operation, use.index) for use in uses)


def bare_name(value: SSAValue) -> str | None:
    """The name whose value this is, if it is nothing more than that."""
    owner = value.owner
    return owner.variable.data if isinstance(owner, pat.NameOp | pat.GetOp) else None


class ProgramFunctions:
    """What a program can call: its functions, and those of the libraries that it includes."""

    def __init__(self, module: ModuleOp):
        functions = [op for op in module.ops if isinstance(op, pat.FuncOp)]
        self.functions = {op.sym_name.data: op for op in functions if "." not in op.sym_name.data}
        """What the program can call by name."""
        self.closures = {op.sym_name.data for op in functions} - self.functions.keys()
        """The functions that closures were lifted to; their names have a dot."""
        self._included = {
            function for name in included_libraries(module) for function in LIBRARIES.get(name, ())
        }

    def offers(self, name: str) -> bool:
        """Whether there is a host function of that name; those of libraries must be included."""
        if name not in HOST_FUNCTIONS or "." in name:
            return False
        return not library_of(name) or name in self._included


class ProgramNames(ProgramFunctions):
    """The functions of a module, the scope of each, and its constants."""

    def __init__(self, module: ModuleOp):
        super().__init__(module)
        owners = [op for op in module.ops if isinstance(op, pat.FuncOp | pat.ProgramOp)]
        self._scopes: dict[Operation, Scope] = {op: Scope(op) for op in owners}
        self.kernels = {
            name: KernelScope(func, self._scopes[func])
            for name, func in self.functions.items()
            if func.kernel is not None
        }

    @cached_property
    def top_level(self) -> Bindings:
        """The bindings of the variables of the top level."""
        return _bindings_of_top_level(self._scopes.values())

    @cached_property
    def constants(self) -> Mapping[str, Number]:
        """The variables of the top level that are a number or a truth value for ever."""
        return _numbers(self.top_level)

    def scope_of(self, op: Operation) -> Scope:
        """The scope that an operation stands in."""
        owner: Operation | None = op
        while owner is not None and owner not in self._scopes:
            owner = owner.parent_op()
        if owner is None:
            raise refuse(op, "P902", f"'{op.name}' stands outside pat.program and pat.func")
        return self._scopes[owner]

    def kernel_of(self, op: Operation) -> KernelScope | None:
        """The kernel that an operation stands in, if it is in one."""
        owner = self.scope_of(op).owner
        return self.kernels.get(owner.sym_name.data) if isinstance(owner, pat.FuncOp) else None


def constants_of(module: ModuleOp) -> Mapping[str, Number]:
    """The variables of the top level that are a number or a truth value for ever."""
    programs = [Scope(op) for op in module.ops if isinstance(op, pat.ProgramOp)]
    return _numbers(_bindings_of_top_level(programs))


def _bindings_of_top_level(scopes: Iterable[Scope]) -> Bindings:
    return {
        name: bindings
        for scope in scopes
        if isinstance(scope.owner, pat.ProgramOp)
        for name, bindings in scope.bindings.items()
    }


def _numbers(bindings: Bindings) -> Mapping[str, Number]:
    """The variables that are bound once, outside branches and loops, and to a literal."""
    found: dict[str, Number] = {}
    for name, [binding, *others] in bindings.items():
        if not others and isinstance(binding.parent_op(), pat.ProgramOp):
            literal = literal_of(binding.value)
            if literal is not None:
                found[name] = literal
    return found


def included_libraries(module: ModuleOp) -> tuple[str, ...]:
    """The bundled libraries that a program includes."""
    match module.attributes.get(pat.LIBRARIES):
        case ArrayAttr(data=data):
            return tuple(name.data for name in data if isinstance(name, StringAttr))
        case _:
            return ()


def literal_of(value: SSAValue) -> Number | None:
    """The number or truth value that is written here, perhaps with a sign."""
    signs = 0
    while isinstance(value.owner, pat.UnaryOp) and value.owner.kind.data == pat.UnaryKind.NEG:
        signs, value = signs + 1, value.owner.operand
    match value.owner:
        case pat.ConstantOp(value=IntegerAttr() as truth):
            return None if signs else truth
        case pat.ConstantOp(value=IntAttr() | FloatAttr() as literal):
            return number(-python_number(literal)) if signs % 2 else literal
        case _:
            return None


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Help for a name that is not known."""
    similar = get_close_matches(name, sorted(set(known)), n=1)
    return f"did you mean '{similar[0]}'?" if similar else otherwise
