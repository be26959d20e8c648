"""Which variables hold a list that nobody else holds.

A variable owns its list after it was bound to a fresh one, and no longer after a read through which
somebody else may come to hold it. Of a parameter only the run knows: the caller may have the list.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue, Use

from patlang_ir.analysis.pat_flow import Facts, PatFlow, StatementEnds, variable_read
from patlang_ir.dialects import pat
from patlang_ir.quick_ops import operands_of
from patlang_ir.stdlib.registry import HOST_FUNCTIONS
from patlang_ir.traversal import walk

OWNED = 1
SHARED = 2
"""Others may hold the list: the run can tell."""
HELD = 4
"""A closure holds the list, which it captured."""

CHANGES = ("list_push", "list_set")
"""The host functions that can work on their first argument itself."""

REUSING = {"list_push": "list.push_held", "list_set": "list.set_held"}
"""What does the same to a list whose place gets the result, where the run counts references."""

_LETS_GO = frozenset(
    (
        *(pat.IndexOp, pat.MemberOp, pat.BinaryOp, pat.UnaryOp, pat.LogicalOp),
        *(pat.YieldOp, pat.ContractOp, pat.LaunchOp),
    )
)
"""The operations that neither keep an operand nor give it back."""


class Escapes:
    """Through which parameters of the program's functions a list may come to be held longer than
    the call."""

    def __init__(self, module: ModuleOp):
        self.ends = StatementEnds()
        self._functions = [op for op in module.ops if isinstance(op, pat.FuncOp)]
        self._escaping: set[tuple[str, int]] = set()
        callees_first = [(op, _reads(op.body.block)) for op in self._functions]
        changed = True
        while changed:
            changed = False
            callees_first.reverse()
            for function, gets in callees_first:
                for position, param in enumerate(function.param_names):
                    key = function.sym_name.data, position
                    if key not in self._escaping and self._escapes(function, param, gets):
                        self._escaping.add(key)
                        changed = True

    def _escapes(self, function: pat.FuncOp, param: str, gets: list[pat.GetOp]) -> bool:
        if function.result_name is not None and function.result_name.data == param:
            return True
        return any(self.shares(get) for get in gets if get.variable.data == param)

    def shares(self, get: pat.GetOp) -> bool:
        """Whether somebody else may hold the list of a variable after it was read here."""
        return not self.ends.joins(get.result) or any(map(self._keeps, get.result.uses))

    def _keeps(self, use: Use) -> bool:
        """Whether an operation may keep its operand, or give it back."""
        op = use.operation
        if type(op) in _LETS_GO:
            return False
        if type(op) is pat.HostOp:
            function = HOST_FUNCTIONS.get(op.callee.data)
            return function is None or use.index in function.retains
        return type(op) is not pat.CallOp or (op.callee.data, use.index) in self._escaping


def captured_params(module: ModuleOp) -> dict[str, tuple[str, ...]]:
    """The parameters of each closure's function that are bound to what the closure captured."""
    count = {
        op.callee.data: len(op.captured) for op in walk(module) if type(op) is pat.MakeClosureOp
    }
    functions = [op for op in module.ops if isinstance(op, pat.FuncOp)]
    return {
        op.sym_name.data: op.param_names[: count[op.sym_name.data]]
        for op in functions
        if op.sym_name.data in count
    }


def _reads(block: Block) -> list[pat.GetOp]:
    return [op for outer in block.ops for op in walk(outer) if type(op) is pat.GetOp]


def changed_variable(op: Operation) -> str | None:
    """`xs` if the operation is the right side of `let xs = list_push(xs, ...)` or the like."""
    if not isinstance(op, pat.HostOp) or op.callee.data not in CHANGES:
        return None
    bound = op.next_op
    if not isinstance(bound, pat.LetOp | pat.AssignOp) or bound.value is not op.result:
        return None
    variable = bound.variable.data
    same = variable_read(op.args[0]) == variable and op.result.has_one_use()
    return variable if same else None


def is_fresh(value: SSAValue) -> bool:
    """Whether a value is a new list with a single use."""
    owner = value.owner
    if type(owner) is pat.ListOp:
        return value.has_one_use()
    if type(owner) is not pat.HostOp:
        return False
    function = HOST_FUNCTIONS.get(owner.callee.data)
    return function is not None and function.fresh and value.has_one_use()


class Ownership(PatFlow):
    """Ownership through one function. `changes` holds what is known of the variable at each
    operation that could change its list in place."""

    unbound: ClassVar[int] = SHARED

    def __init__(self, block: Block, escapes: Escapes, captured: tuple[str, ...] = ()):
        super().__init__()
        self.escapes = escapes
        self.changes: dict[pat.HostOp, int] = {}
        self.run(block, dict.fromkeys(captured, HELD))

    def transfer(self, op: Operation, facts: Facts) -> None:
        if type(op) is pat.GetOp:
            if self.escapes.shares(op):
                facts[op.variable.data] = SHARED
        elif type(op) is pat.LetOp or type(op) is pat.AssignOp:
            (value,) = operands_of(op)
            facts[op.variable.data] = OWNED if is_fresh(value) else SHARED
        elif type(op) is pat.LaunchOp:
            for name in op.written:
                if name.data:
                    facts[name.data] = OWNED
        elif type(op) is pat.HostOp:
            variable = changed_variable(op)
            if variable is not None:
                self.changes[op] = facts.get(variable, SHARED)
