"""Forward flow of facts about variables through the structured control flow of `pat`.

The facts of one variable are the bits of an integer, and paths that meet are joined with `|`.
"""

from __future__ import annotations

from typing import ClassVar, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.dialects import pat

Facts: TypeAlias = dict[str, int]


class PatFlow:
    """Visits the operations of a function until the facts no longer change.

    A subclass gives `unbound`, the facts of a variable that nothing was assigned to, and
    `transfer`, which updates the facts after one operation. `transfer` of an operation in a loop
    is called again with more facts, so what it records must be overwritten or only grow.
    """

    unbound: ClassVar[int] = 0

    def __init__(self) -> None:
        self._heads: dict[pat.WhileOp, Facts] = {}

    def transfer(self, op: Operation, facts: Facts) -> None:
        """Update `facts` from before `op` to after it; operations with regions are not given."""
        raise NotImplementedError

    def run(self, block: Block, facts: Facts) -> Facts | None:
        """The facts at the end of a block, or `None` if control never gets there."""
        here: Facts | None = facts
        for op in block.ops:
            here = self._after(op, here)
            if here is None:
                return None
        return here

    def _after(self, op: Operation, facts: Facts) -> Facts | None:
        match op:
            case pat.IfOp():
                return self._after_if(op, facts)
            case pat.WhileOp():
                return self._after_while(op, facts)
            case pat.LogicalOp():
                decided = facts.copy()
                facts = self.join(decided, self.run(op.rhs.block, facts))
                self.transfer(op, facts)
                return facts
            case _:
                self.transfer(op, facts)
                return None if isinstance(op, pat.ReturnOp) else facts

    def _after_if(self, op: pat.IfOp, facts: Facts) -> Facts | None:
        ends: list[Facts | None] = []
        for condition, body in op.branches:
            tested = self.run(condition.block, facts)
            assert tested is not None
            facts = tested
            ends.append(self.run(body.block, facts.copy()))
        ends.append(self.run(op.otherwise.block, facts) if op.otherwise is not None else facts)
        reached = [end for end in ends if end is not None]
        if not reached:
            return None
        joined = reached[0]
        for end in reached[1:]:
            joined = self.join(joined, end)
        return joined

    def _after_while(self, op: pat.WhileOp, facts: Facts) -> Facts:
        head = self.join(facts, self._heads.get(op))  # keeps nested loops linear
        while True:
            self._heads[op] = head
            tested = self.run(op.condition.block, head.copy())
            assert tested is not None
            joined = self.join(head, self.run(op.body.block, tested.copy()))
            if joined == head:
                return tested
            head = joined

    def join(self, one: Facts, other: Facts | None) -> Facts:
        """The facts where two paths meet."""
        if other is None:
            return one
        return {
            name: one.get(name, self.unbound) | other.get(name, self.unbound)
            for name in one.keys() | other.keys()
        }


class StatementEnds:
    """Finds the operation that ends a statement, and remembers it for all the statement."""

    def __init__(self) -> None:
        self._ends: dict[Operation, Operation] = {}

    def of(self, op: Operation) -> Operation:
        """The end of the statement which `op` helps to compute. It stands in the block of the
        statement, also if `op` is on the right side of an `and` or `or`."""
        while isinstance(parent := op.parent_op(), pat.LogicalOp):
            op = parent
        passed: list[Operation] = []
        while op not in self._ends and not ends_statement(op) and op.next_op is not None:
            passed.append(op)
            op = op.next_op
        end = self._ends.get(op, op)
        self._ends.update(dict.fromkeys(passed, end))
        return end

    def joins(self, value: SSAValue) -> bool:
        """Whether every use of a value helps to compute the statement that computes it."""
        assert isinstance(value.owner, Operation)
        end = self.of(value.owner)
        return all(self.of(use.operation) is end for use in value.uses)


def ends_statement(op: Operation) -> bool:
    """Whether nothing after `op` is computed in the same statement."""
    if isinstance(op, pat.LaunchOp) or not op.results:
        return True
    return op.results[0].first_use is None


def variable_read(value: SSAValue) -> str | None:
    """The variable that a value was read from."""
    return value.owner.variable.data if isinstance(value.owner, pat.GetOp) else None
