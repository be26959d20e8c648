"""What closures mention of the variables around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from xdsl.ir import Operation

from patlang_ir.analysis.pat_flow import Facts, PatFlow
from patlang_ir.dialects import pat

UNBOUND = 1
BOUND = 2


def own_ops(owner: Operation) -> Iterator[Operation]:
    """The operations inside a function in the order of the text, without those of its closures."""
    for region in owner.regions:
        for block in region.blocks:
            for op in block.ops:
                yield op
                if op.regions and not isinstance(op, pat.ClosureOp):
                    yield from own_ops(op)


def walk_own(op: Operation) -> Iterator[Operation]:
    """An operation and those inside it, without those of closures."""
    yield op
    if not isinstance(op, pat.ClosureOp):
        yield from own_ops(op)


class Mentions:
    """For each closure the names that it may read before it binds them itself, each with the
    operation that does so first. What an inner closure mentions, the outer one does too."""

    def __init__(self) -> None:
        self._found: dict[pat.ClosureOp, Mapping[str, Operation]] = {}

    def of(self, closure: pat.ClosureOp) -> Mapping[str, Operation]:
        """The names, in the order of the text."""
        if closure not in self._found:
            self._found[closure] = _MentionFlow(closure, self).found
        return self._found[closure]


class _MentionFlow(PatFlow):
    """Whether variables are bound, through one closure."""

    unbound: ClassVar[int] = UNBOUND

    def __init__(self, closure: pat.ClosureOp, mentions: Mentions):
        super().__init__()
        self.mentions = mentions
        self.found: dict[str, Operation] = {}
        self.run(closure.body.block, dict.fromkeys(closure.param_names, BOUND))

    def transfer(self, op: Operation, facts: Facts) -> None:
        match op:
            case pat.NameOp():
                self._read(op.variable.data, op, facts)
            case pat.ApplyOp():
                self._read(op.callee.data, op, facts)
            case pat.ClosureOp():
                for name, mention in self.mentions.of(op).items():
                    self._read(name, mention, facts)
            case pat.LetOp() | pat.AssignOp():
                facts[op.variable.data] = BOUND
            case _:
                pass

    def _read(self, name: str, mention: Operation, facts: Facts) -> None:
        if facts.get(name, UNBOUND) & UNBOUND:
            self.found.setdefault(name, mention)
