"""Which reads of variables are the last ones before the variable is bound again, or its function
ends."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Block, Operation

from patlang_ir.analysis.pat_flow import Facts, PatFlow
from patlang_ir.dialects import pat


class LastUses(PatFlow):
    """Asks of some reads in one function whether another one may follow: the facts of a variable
    are the reads on the way here, a bit for each, since it was bound."""

    def __init__(self, block: Block, result: str | None, reads: Iterable[pat.GetOp]):
        super().__init__()
        self._bits: dict[pat.GetOp, int] = {}
        self._followed: dict[str, int] = {}
        """The reads of each variable that others follow."""
        count: dict[str, int] = {}
        for read in reads:
            name = read.variable.data
            count[name] = count.get(name, 0) + 1
            self._bits[read] = 1 << count[name]
            self._followed[name] = 0
        end = self.run(block, {})
        if end is not None and result in self._followed:
            self._followed[result] |= end.get(result, 0)

    def is_last(self, read: pat.GetOp) -> bool:
        """Whether nothing reads the variable afterwards."""
        return not self._bits[read] & self._followed[read.variable.data]

    def transfer(self, op: Operation, facts: Facts) -> None:
        if type(op) is pat.GetOp:
            name = op.variable.data
            if name in self._followed:
                self._followed[name] |= facts.get(name, 0)
                facts[name] = self._bits.get(op, 0)
        elif type(op) is pat.LetOp or type(op) is pat.AssignOp:
            self._bind(op.variable.data, facts)
        elif type(op) is pat.LaunchOp:
            for name in op.written:
                self._bind(name.data, facts)

    def _bind(self, name: str, facts: Facts) -> None:
        if name in self._followed:
            facts[name] = 0
