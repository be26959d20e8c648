"""The Python variables of a kernel: which values share one, and what it is called.

Every value with a name hint is a variable. A value that a loop carries is one variable before,
in and after the loop, and so is what both arms of a branch give. Where the old value of such a
variable is not needed any more, the new one is assigned to it at once.
"""

from __future__ import annotations

import builtins
import keyword
from bisect import bisect_right, insort
from collections import defaultdict
from collections.abc import Iterable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from patlang_ir.dialects import tl

RESERVED = frozenset({"tl", "triton", "torch", "libdevice", *keyword.kwlist, *dir(builtins)})

Loop = scf.ForOp | scf.WhileOp


def legal(name: str) -> str:
    """`name` as a Python name that hides nothing."""
    name = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    if not name.isidentifier():
        name = f"_{name}"
    return f"{name}_" if name in RESERVED else name


class Scope:
    """Names that are taken; a new one gets a number if it must."""

    def __init__(self, taken: Iterable[str] = ()):
        self.taken = set(taken)
        self.numbers: defaultdict[str, int] = defaultdict(int)
        """The last number that each name got; all up to it are taken."""

    def new(self, hint: str) -> str:
        name = candidate = legal(hint)
        while candidate in self.taken:
            self.numbers[name] += 1
            candidate = f"{name}_{self.numbers[name]}"
        self.taken.add(candidate)
        return candidate


class Names:
    """The variable of every value of a kernel that has one."""

    def __init__(self, kernel: tl.KernelOp, scope: Scope):
        self.scope = scope
        self.entry = kernel.body.block
        self.variables: dict[SSAValue, str] = {}
        self.planned: dict[SSAValue, str] = {}
        self.bases: dict[str, str] = {}
        """The legal hint that each name was made from."""
        self.reads: dict[str, list[int]] = {}
        """Where each variable is read, in order."""
        self.positions = Positions(kernel)
        for name, arg in zip(kernel.param_names, kernel.args, strict=True):
            self.give(arg, scope.new(name))
        self.visit(self.entry)

    def get(self, value: SSAValue) -> str | None:
        return self.variables.get(value)

    def give(self, value: SSAValue, name: str) -> None:
        self.variables[value] = name
        self.bases.setdefault(name, legal(hint_of(value)))
        reads = self.reads.setdefault(name, [])
        for position in self.positions.uses(value):
            insort(reads, position)

    def visit(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case tl.ConstantOp() | tl.ConstexprOp():
                    continue
                case scf.ForOp():
                    body = op.body.block
                    self.give(body.args[0], self.scope.new(hint_of(body.args[0])))
                    self.loop(op, op.iter_args, body, [body.args[1:]])
                case scf.WhileOp():
                    body = op.after_region.block
                    self.loop(op, op.arguments, body, [op.before_region.block.args, body.args])
                case scf.IfOp():
                    self.branch(op)
                case _:
                    for result in op.results:
                        if result.name_hint is not None:
                            self.give(result, self.planned.get(result) or self.new(result))

    def new(self, value: SSAValue) -> str:
        return self.scope.new(hint_of(value))

    def loop(
        self,
        op: Loop,
        starts: Sequence[SSAValue],
        body: Block,
        groups: Sequence[Sequence[SSAValue]],
    ) -> None:
        """One variable for each carried value; plan which values of the body become it at once."""
        claimed: set[str] = set()
        names: list[str] = []
        for start, result in zip(starts, op.results, strict=True):
            name = self.planned.get(result) or self.reusable([start], result, op, claimed)
            names.append(name or self.new(result))
            claimed.add(names[-1])
        for values in (*groups, op.results):
            for name, value in zip(names, values, strict=True):
                self.give(value, name)
        for name, value in zip(names, end_of(body).operands, strict=True):
            self.plan(name, value, body)
        self.visit(body)

    def branch(self, op: scf.IfOp) -> None:
        arms = [block for region in op.regions for block in region.blocks]
        given = list(zip(*(end_of(arm).operands for arm in arms), strict=True))
        claimed: set[str] = set()
        for result, values in zip(op.results, given, strict=True):
            name = self.planned.get(result) or self.reusable(values, result, op, claimed)
            name = name or self.new(result)
            claimed.add(name)
            self.give(result, name)
            for arm, value in zip(arms, values, strict=True):
                self.plan(name, value, arm)
        for arm in arms:
            self.visit(arm)

    def reusable(
        self, values: Iterable[SSAValue], result: SSAValue, op: Operation, claimed: set[str]
    ) -> str | None:
        """A variable that `op` may assign, for its value is not needed afterwards."""
        for value in values:
            name = self.variables.get(value)
            if name is None or name in claimed or hint_of(value) != hint_of(result):
                continue
            if block_of(value) is not op.parent_block() or value.type != result.type:
                continue
            if block_of(value) is self.entry and isinstance(value, BlockArgument):
                continue
            last = self.positions.end(op) if isinstance(op, scf.IfOp) else self.positions.start(op)
            if all(use <= last for use in self.positions.uses(value)):
                return name
        return None

    def plan(self, name: str, value: SSAValue, block: Block) -> None:
        """Let `value` be assigned to `name` where it is computed, if nobody needs the old value."""
        op = value.owner
        if not isinstance(op, Operation) or op.parent_block() is not block:
            return
        if value.name_hint is None or legal(value.name_hint) != self.bases[name]:
            return
        if len(self.positions.uses(value)) != 1 or value in self.planned:
            return
        first = self.positions.start(op) if isinstance(op, Loop) else self.positions.end(op)
        last = self.positions.start(end_of(block))
        reads = self.reads[name]
        following = bisect_right(reads, first)
        if following == len(reads) or reads[following] > last:
            self.planned[value] = name


def hint_of(value: SSAValue) -> str:
    return value.name_hint or "value"


def block_of(value: SSAValue) -> Block | None:
    return value.block if isinstance(value, BlockArgument) else value.owner.parent_block()  # pyright: ignore


def end_of(block: Block) -> Operation:
    last = block.last_op
    assert last is not None
    return last


class Positions:
    """Where in the text each operation stands, and where values are read."""

    def __init__(self, kernel: tl.KernelOp):
        self.ranges: dict[Operation, tuple[int, int]] = {}
        self.reads: dict[SSAValue, Sequence[int]] = {}
        self.number(kernel, 0)

    def number(self, op: Operation, start: int) -> int:
        end = start
        for region in op.regions:
            for block in region.blocks:
                for inner in block.ops:
                    end = self.number(inner, end + 1)
        self.ranges[op] = (start, end)
        return end

    def start(self, op: Operation) -> int:
        return self.ranges[op][0]

    def end(self, op: Operation) -> int:
        return self.ranges[op][1]

    def uses(self, value: SSAValue) -> Sequence[int]:
        """Where `value` is read: an operation without a name is written where it is used."""
        found = self.reads.get(value)
        if found is None:
            found = [at for use in value.uses for at in self.written_at(use.operation)]
            self.reads[value] = found
        return found

    def written_at(self, op: Operation) -> Sequence[int]:
        """The statements in whose text `op` stands."""
        if not op.results or isinstance(op, Loop | scf.IfOp) or op.results[0].name_hint is not None:
            return (self.start(op),)
        return self.uses(op.results[0])
