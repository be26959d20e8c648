"""Which kinds each value of a program may have, over all calls.

The world is closed: a function is called where the program says so, or anywhere if the program
calls functions by computed names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.index_bounds import proved_below_length
from patlang_ir.analysis.pat_flow import Facts, PatFlow
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import BinaryKind, UnaryKind
from patlang_ir.quick_ops import operands_of
from patlang_ir.runtime.host_kinds import (
    ANY,
    BOOL,
    CLOSURE,
    COMPLEX,
    FLOAT,
    INT,
    INTS,
    LIST,
    NAT,
    NUMBERS,
    NUMERAL,
    RATIONAL,
    STRINGS,
    TEXT,
    UNIT,
    Kinds,
    elements,
    list_of,
    only,
    single,
)
from patlang_ir.stdlib.lists import item_kinds
from patlang_ir.stdlib.registry import CALL_BY_NAME, HOST_FUNCTIONS
from patlang_ir.traversal import walk

_ARITHMETIC = frozenset(
    (BinaryKind.ADD, BinaryKind.SUB, BinaryKind.MUL, BinaryKind.DIV, BinaryKind.REM)
)
_BITWISE = frozenset(
    (BinaryKind.BAND, BinaryKind.BOR, BinaryKind.BXOR, BinaryKind.SHL, BinaryKind.SHR)
)


@cache
def binary_kinds(kind: BinaryKind, lhs: Kinds, rhs: Kinds) -> Kinds:
    """What an operation may give on values of these kinds."""
    if kind in _BITWISE:
        return _bitwise_kinds(kind, lhs, rhs)
    if kind not in _ARITHMETIC:
        return BOOL if lhs and rhs else 0
    found = 0
    for one in single(lhs):
        for other in single(rhs):
            found |= _arithmetic_kinds(kind, one, other)
    return found


def _arithmetic_kinds(kind: BinaryKind, lhs: Kinds, rhs: Kinds) -> Kinds:
    """The same for two single kinds; nothing if the program stops."""
    if kind is BinaryKind.ADD and (lhs | rhs) & STRINGS:
        return TEXT
    lhs, rhs = (NAT if lhs == UNIT else lhs), (NAT if rhs == UNIT else rhs)
    both = lhs | rhs
    if both & ~NUMBERS:
        return 0
    if both & COMPLEX:
        return 0 if kind in (BinaryKind.DIV, BinaryKind.REM) else COMPLEX
    if both & FLOAT:
        return FLOAT
    if both & RATIONAL:
        return RATIONAL | INT
    match kind:
        case BinaryKind.SUB:
            return INT
        case BinaryKind.DIV:
            return RATIONAL | (NAT if both == NAT else INT)
        case BinaryKind.REM:
            return lhs
        case _:
            return NAT if both == NAT else INT


def _bitwise_kinds(kind: BinaryKind, lhs: Kinds, rhs: Kinds) -> Kinds:
    if not lhs & INTS or not rhs & INTS:
        return 0
    natural, both = not lhs & INT, not (lhs | rhs) & INT
    match kind:
        case BinaryKind.BAND:
            return NAT if natural or not rhs & INT else INT
        case BinaryKind.SHR:
            return NAT if natural else INT
        case BinaryKind.SHL:
            return INT
        case _:
            return NAT if both else INT


def unary_kinds(kind: UnaryKind, operand: Kinds) -> Kinds:
    """What `-x`, `not x`, `bnot x` may give."""
    match kind:
        case UnaryKind.NOT:
            return BOOL if operand else 0
        case UnaryKind.BNOT:
            return INT if operand & INTS else 0
        case UnaryKind.NEG:
            found = operand & (FLOAT | RATIONAL | COMPLEX)
            if operand & UNIT:
                found |= NAT
            return found | INT if operand & INTS else found


def constant_kinds(constant: pat.ConstantOp) -> Kinds:
    """The kind of a literal."""
    match constant.value:
        case UnitAttr():
            return UNIT
        case IntegerAttr():
            return BOOL
        case IntAttr(data=data):
            return NAT if data >= 0 else INT
        case FloatAttr():
            return FLOAT
        case StringAttr(data=data):
            return NUMERAL if data.isascii() and data.isdigit() else TEXT
        case _:
            return ANY


class ValueKinds:
    """The kinds of every value of a module whose names are resolved."""

    def __init__(self, module: ModuleOp):
        self._values: dict[SSAValue, Kinds] = {}
        self._inside: dict[pat.IndexOp, bool] = {}
        self._functions = {
            op.sym_name.data: op
            for op in module.ops
            if isinstance(op, pat.FuncOp) and op.kernel is None
        }
        self._params = {name: [0] * len(op.params) for name, op in self._functions.items()}
        self._results = dict.fromkeys(self._functions, 0)
        self._callers: dict[str, dict[str | None, None]] = {name: {} for name in self._functions}
        self._waiting: dict[str | None, None] = {}
        self._top_level: pat.ProgramOp | None = None
        self._open_functions_called_from_outside(module)
        self._solve(module)

    def of(self, value: SSAValue) -> Kinds:
        """The kinds a value may have; anything if control never reaches it."""
        return self._values.get(value, ANY)

    def _open_functions_called_from_outside(self, module: ModuleOp) -> None:
        called: set[str] = set()
        bound: dict[str, int] = {}
        by_name = False
        for op in walk(module):
            if type(op) is pat.CallOp:
                called.add(op.callee.data)
            elif type(op) is pat.HostOp:
                by_name |= op.callee.data in CALL_BY_NAME
            elif type(op) is pat.CallValueOp:
                by_name |= op.or_host is not None and op.or_host.data in CALL_BY_NAME
            elif type(op) is pat.MakeClosureOp:
                bound[op.callee.data] = len(op.captured)
        for name in self._functions.keys() - (set() if by_name else called):
            captured = bound.get(name, 0)
            self._params[name][captured:] = [ANY] * (len(self._params[name]) - captured)

    def _solve(self, module: ModuleOp) -> None:
        """Visit functions until no parameter and no result of any of them grows."""
        for op in module.ops:
            if isinstance(op, pat.ProgramOp):
                self._top_level = op
        self._waiting = dict.fromkeys((None, *self._functions))
        while self._waiting:
            name = next(iter(self._waiting))
            del self._waiting[name]
            if name is not None:
                self._visit(self._functions[name])
            elif self._top_level is not None:
                _KindFlow(self, None).run(self._top_level.body.block, {})

    def _visit(self, function: pat.FuncOp) -> None:
        name = function.sym_name.data
        flow = _KindFlow(self, name)
        end = flow.run(
            function.body.block, dict(zip(function.param_names, self._params[name], strict=True))
        )
        if end is None:
            return
        if function.result_name is None:
            self.returned(name, UNIT)
        else:
            self.returned(name, end.get(function.result_name.data, UNIT))

    def is_inside(self, op: pat.IndexOp) -> bool:
        """Whether the index is certainly inside the list or string."""
        base = self.of(op.base)
        if not (only(base, LIST) or only(base, STRINGS)) or not only(self.of(op.index), NAT):
            return False
        if op not in self._inside:
            self._inside[op] = proved_below_length(op)
        return self._inside[op]

    def record(self, value: SSAValue, kinds: Kinds) -> None:
        """Remember the kinds of a value."""
        self._values[value] = kinds

    def returned(self, function: str | None, kinds: Kinds) -> None:
        """A function gives values of these kinds too."""
        if function is None or self._results[function] | kinds == self._results[function]:
            return
        self._results[function] |= kinds
        self._waiting.update(self._callers[function])

    def call(self, caller: str | None, name: str, arguments: Sequence[Kinds]) -> Kinds:
        """The result of a call, whose arguments reach the parameters of the function."""
        if name not in self._functions:
            return ANY
        params = self._params[name]
        for position, before in enumerate(params):
            given = arguments[position] if position < len(arguments) else UNIT
            if before | given != before:
                params[position] = before | given
                self._waiting[name] = None
        self._callers[name][caller] = None
        return self._results[name]

    def capture(self, creator: str | None, name: str, captured: Sequence[Kinds]) -> None:
        """A closure is made, whose other arguments may be anything."""
        others = [ANY] * (len(self._params.get(name, ())) - len(captured))
        self.call(creator, name, [*captured, *others])


class _KindFlow(PatFlow):
    """The kinds of variables through one function."""

    unbound: ClassVar[int] = UNIT

    def __init__(self, kinds: ValueKinds, function: str | None):
        super().__init__()
        self.kinds = kinds
        self.function = function

    def transfer(self, op: Operation, facts: Facts) -> None:
        result = _RESULTS.get(type(op))
        if result is not None:
            self.kinds.record(op.results[0], result(self, op, facts))
            return
        match op:
            case pat.LetOp() | pat.AssignOp():
                facts[op.variable.data] = self.kinds.of(operands_of(op)[0])
            case pat.ReturnOp():
                returned = UNIT if op.value is None else self.kinds.of(op.value)
                self.kinds.returned(self.function, returned)
            case pat.LaunchOp():
                for variable in op.written:
                    if variable.data:
                        facts[variable.data] = list_of(FLOAT | INT)
                self.kinds.record(op.result, UNIT)
            case _:
                for result in op.results:
                    self.kinds.record(result, ANY)

    def operands(self, op: Operation) -> list[Kinds]:
        """The kinds of the operands."""
        return [self.kinds.of(operand) for operand in operands_of(op)]

    def get(self, op: pat.GetOp, facts: Facts) -> Kinds:
        return facts.get(op.variable.data, UNIT)

    def binary(self, op: pat.BinaryOp, facts: Facts) -> Kinds:
        lhs, rhs = operands_of(op)
        return binary_kinds(op.kind.data, self.kinds.of(lhs), self.kinds.of(rhs))

    def list(self, op: pat.ListOp, facts: Facts) -> Kinds:
        inside = 0
        for kinds in self.operands(op):
            inside |= kinds
        return list_of(inside)

    def item(self, op: pat.IndexOp, facts: Facts) -> Kinds:
        base = self.kinds.of(op.base)
        inside = only(base, LIST) and self.kinds.is_inside(op)
        return elements(base) if inside else item_kinds(base)

    def call(self, op: pat.CallOp, facts: Facts) -> Kinds:
        return self.kinds.call(self.function, op.callee.data, self.operands(op))

    def host(self, op: pat.HostOp, facts: Facts) -> Kinds:
        callee = op.callee.data
        return HOST_FUNCTIONS[callee].kinds(self.operands(op)) if callee in HOST_FUNCTIONS else ANY

    def make_closure(self, op: pat.MakeClosureOp, facts: Facts) -> Kinds:
        self.kinds.capture(self.function, op.callee.data, self.operands(op))
        return CLOSURE


_RESULTS: Mapping[type[Operation], Callable[[_KindFlow, Any, Facts], Kinds]] = {
    pat.ConstantOp: lambda flow, op, facts: constant_kinds(op),
    pat.GetOp: _KindFlow.get,
    pat.BinaryOp: _KindFlow.binary,
    pat.UnaryOp: lambda flow, op, facts: unary_kinds(op.kind.data, *flow.operands(op)),
    pat.LogicalOp: lambda flow, op, facts: BOOL,
    pat.ListOp: _KindFlow.list,
    pat.IndexOp: _KindFlow.item,
    pat.MemberOp: lambda flow, op, facts: NAT if op.member.data in ("length", "len") else ANY,
    pat.CallOp: _KindFlow.call,
    pat.HostOp: _KindFlow.host,
    pat.MakeClosureOp: _KindFlow.make_closure,
}
"""What the operations with a result give."""
