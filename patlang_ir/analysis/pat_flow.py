"""Forward flow of facts about variables through the structured control flow of `pat`.

The facts of one variable are the bits of an integer, and paths that meet are joined with `|`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, TypeAlias

from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.dialects import pat

Changes: TypeAlias = Mapping[str, int]
"""The facts that are not what they were where a path began."""


class Facts(dict[str, int]):
    """What is known of each variable at one point. A path notes what it changes, so that it can be
    taken back: a branch costs what it changes, however many variables there are."""

    def __init__(self, facts: Mapping[str, int]):
        super().__init__(facts)
        self._before: dict[str, int | None] | None = None
        """Of each variable that the present path changed, what was known where the path began."""

    def __setitem__(self, name: str, fact: int) -> None:
        if self._before is not None and name not in self._before:
            self._before[name] = self.get(name)
        super().__setitem__(name, fact)

    def begin(self) -> dict[str, int | None] | None:
        """Begin a path; gives what `take_back` wants."""
        outer, self._before = self._before, {}
        return outer

    @property
    def changes(self) -> Changes:
        """What the present path has changed so far."""
        return {name: self[name] for name in self._before or ()}

    def take_back(self, outer: dict[str, int | None] | None) -> Changes:
        """End the present path and take back its changes, which are the result."""
        changes = self.changes
        for name, fact in (self._before or {}).items():
            if fact is None:
                del self[name]
            else:
                super().__setitem__(name, fact)
        self._before = outer
        return changes


class PatFlow:
    """Visits the operations of a function until the facts no longer change.

    A subclass gives `unbound`, the facts of a variable that nothing was assigned to, and
    `transfer`, which updates the facts after one operation. `transfer` of an operation in a loop
    is called again with more facts, so what it records must be overwritten or only grow.
    """

    unbound: ClassVar[int] = 0

    def __init__(self) -> None:
        self._from_bodies: dict[pat.WhileOp, dict[str, int]] = {}
        """What the body of each loop leads back to its head: it keeps nested loops linear."""

    def transfer(self, op: Operation, facts: Facts) -> None:
        """Update `facts` from before `op` to after it; operations with regions are not given."""
        raise NotImplementedError

    def run(self, block: Block, facts: Mapping[str, int]) -> Facts | None:
        """The facts at the end of a block, or `None` if control never gets there."""
        here = Facts(facts)
        return here if self._through(block, here) else None

    def _through(self, block: Block, facts: Facts) -> bool:
        """Take the facts to the end of a block, if control gets there."""
        op = block.first_op
        while op is not None:
            if op.regions and not self._inside(op, facts):
                return False
            if type(op) is not pat.IfOp and type(op) is not pat.WhileOp:
                self.transfer(op, facts)
                if type(op) is pat.ReturnOp:
                    return False
            op = op.next_op
        return True

    def _inside(self, op: Operation, facts: Facts) -> bool:
        match op:
            case pat.IfOp():
                return self._if(op, facts)
            case pat.WhileOp():
                return self._while(op, facts)
            case pat.LogicalOp():
                outer = facts.begin()
                self._through(op.rhs.block, facts)
                return self._join([{}, facts.take_back(outer)], facts)
            case _:
                return True

    def _if(self, op: pat.IfOp, facts: Facts) -> bool:
        ends: list[Changes] = []
        outer = facts.begin()
        for condition, body in op.branches:
            self._through(condition.block, facts)
            tested = facts.begin()
            reached = self._through(body.block, facts)
            changes = facts.take_back(tested)
            if reached:
                ends.append({**facts.changes, **changes})
        reached = op.otherwise is None or self._through(op.otherwise.block, facts)
        changes = facts.take_back(outer)
        if reached:
            ends.append(changes)
        return self._join(ends, facts)

    def _while(self, op: pat.WhileOp, facts: Facts) -> bool:
        from_body = self._from_bodies.setdefault(op, {})
        while True:
            for name, fact in from_body.items():
                facts[name] = facts.get(name, self.unbound) | fact
            outer = facts.begin()
            self._through(op.condition.block, facts)
            tested = facts.changes
            reached = self._through(op.body.block, facts)
            changes = facts.take_back(outer)
            new = [name for name in changes if self._grows(facts, name, changes[name])]
            if not reached or not new:
                return self._join([tested], facts)
            for name in new:
                from_body[name] = from_body.get(name, 0) | changes[name]

    def _grows(self, facts: Facts, name: str, fact: int) -> bool:
        known = facts.get(name, self.unbound)
        return known | fact != known

    def _join(self, ends: Sequence[Changes], facts: Facts) -> bool:
        """Go on where paths meet that began at `facts`; whether any of them gets there."""
        if len(ends) == 1:
            joined = dict(ends[0])
        else:
            joined = dict[str, int]()
            count = dict[str, int]()
            for changes in ends:
                for name, fact in changes.items():
                    joined[name] = joined.get(name, 0) | fact
                    count[name] = count.get(name, 0) + 1
            for name, paths in count.items():
                if paths < len(ends):
                    joined[name] |= facts.get(name, self.unbound)
        for name, fact in joined.items():
            facts[name] = fact
        return bool(ends)


class StatementEnds:
    """Finds the operation that ends a statement, and remembers it for all the statement."""

    def __init__(self) -> None:
        self._ends: dict[Operation, Operation] = {}

    def of(self, op: Operation) -> Operation:
        """The end of the statement which `op` helps to compute. It stands in the block of the
        statement, also if `op` is on the right side of an `and` or `or`."""
        known = self._ends.get(op)
        if known is not None:
            return known
        passed = [op]
        while type(parent := op.parent_op()) is pat.LogicalOp:
            op = parent
        while op not in self._ends and not ends_statement(op) and op.next_op is not None:
            passed.append(op)
            op = op.next_op
        end = self._ends.get(op, op)
        for one in passed:
            self._ends[one] = end
        return end

    def joins(self, value: SSAValue) -> bool:
        """Whether every use of a value helps to compute the statement that computes it."""
        owner, use = value.owner, value.get_unique_use()
        assert isinstance(owner, Operation)
        if use is not None and use.operation is owner.next_op:
            return True
        end = self.of(owner)
        return all(self.of(use.operation) is end for use in value.uses)


def ends_statement(op: Operation) -> bool:
    """Whether nothing after `op` is computed in the same statement."""
    if not op.results or type(op) is pat.LaunchOp:
        return True
    (result,) = op.results
    return result.first_use is None


def variable_read(value: SSAValue) -> str | None:
    """The variable that a value was read from."""
    owner = value.owner
    return owner.variable.data if type(owner) is pat.GetOp else None
