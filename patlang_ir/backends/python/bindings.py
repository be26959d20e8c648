"""How the variables of a function are bound at each point: not at all, for good, or changeably."""

from __future__ import annotations

from typing import ClassVar

from xdsl.ir import Block, Operation

from patlang_ir.analysis.pat_flow import Facts, PatFlow
from patlang_ir.dialects import pat

UNBOUND = 1
MUTABLE = 2
FIXED = 4


class Bindings(PatFlow):
    """What the printer asks about one function.

    `unset` are the variables that may be read before they are bound, `assigned` the possible
    bindings of a variable at a bare assignment, and `flagged` the variables for which only the run
    can tell whether such an assignment is allowed.
    """

    unbound: ClassVar[int] = UNBOUND

    def __init__(self, block: Block, params: tuple[str, ...], result: str | None):
        super().__init__()
        self.unset: set[str] = set()
        self.assigned: dict[pat.AssignOp, int] = {}
        end = self.run(block, dict.fromkeys(params, MUTABLE))
        self.ends = end is not None
        if end is not None and result is not None and end.get(result, UNBOUND) & UNBOUND:
            self.unset.add(result)
        self.flagged = {
            op.variable.data
            for op, found in self.assigned.items()
            if found & FIXED and found != FIXED
        }

    def transfer(self, op: Operation, facts: Facts) -> None:
        if type(op) is pat.GetOp:
            if facts.get(op.variable.data, UNBOUND) & UNBOUND:
                self.unset.add(op.variable.data)
        elif type(op) is pat.LetOp:
            facts[op.variable.data] = FIXED if op.mutable is None else MUTABLE
        elif type(op) is pat.AssignOp:
            before = facts.get(op.variable.data, UNBOUND)
            self.assigned[op] = before
            facts[op.variable.data] = MUTABLE
        elif type(op) is pat.LaunchOp:
            for variable in op.written:
                if variable.data and facts.get(variable.data, UNBOUND) & UNBOUND:
                    facts[variable.data] = MUTABLE
