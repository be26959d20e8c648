"""Blocks of operations as lists of steps, and the control flow of `scf`.

Slots are given by the lifetimes of the values, so that memory which is not needed any more is
soon used again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from patlang_ir.backends.numpy.contexts import FIRST_FREE, Context, Step, Values, known_element
from patlang_ir.backends.numpy.steps import step_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind


@dataclass
class Compiler:
    """Gives the values of one stage their slots, and its operations their steps."""

    kind: KernelKind
    names: Mapping[SSAValue, str]
    checked: bool
    slots: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    free: list[int] = field(default_factory=list[int])
    edges: dict[Operation, int] = field(default_factory=dict[Operation, int])
    count: int = FIRST_FREE

    def __post_init__(self) -> None:
        self.context = Context(self.kind, self.names, self.slots, self.checked, self.edges)

    def keep_edges(self, stage: Operation) -> None:
        """Give each load of a block a slot for the lanes that lie in its matrix."""
        for op in stage.walk():
            if isinstance(op, tile.LoadBlockOp):
                self.edges[op] = self.count
                self.count += 1

    def give_slots(self, values: Sequence[SSAValue]) -> list[int]:
        for value in values:
            if self.free:
                self.slots[value] = self.free.pop()
                continue
            self.slots[value] = self.count
            self.count += 1
        return self.slots_of(values)

    def share_slots(self, values: Sequence[SSAValue], slots: Sequence[int]) -> None:
        self.slots.update(zip(values, slots, strict=True))

    def slots_of(self, values: Sequence[SSAValue]) -> list[int]:
        return [self.slots[value] for value in values]

    def block(self, block: Block) -> list[Step]:
        """The steps of a block; its terminator has none."""
        dying = last_uses(block)
        steps: list[Step] = []
        for op in block.ops:
            if isinstance(op, scf.YieldOp | scf.ConditionOp):
                self._release(dying[op])
                break
            make = REGIONS.get(type(op))
            if make is not None:
                steps.append(make(self, op))
                self._release(dying[op])
                continue
            self._release(dying[op])
            self.give_slots(op.results)
            steps.append(step_of(self.context, op))
            self._release([result for result in op.results if not any(result.uses)])
        return steps

    def _release(self, values: Sequence[SSAValue]) -> None:
        self.free.extend(self.slots[value] for value in values)


def last_uses(block: Block) -> Mapping[Operation, list[SSAValue]]:
    """The values of a block's operations by the operation of the block that uses them last."""
    place = {op: number for number, op in enumerate(block.ops)}
    dying: dict[Operation, list[SSAValue]] = defaultdict(list)
    for op in block.ops:
        for result in op.results:
            users = {block.find_ancestor_op_in_block(use.operation) for use in result.uses}
            known = [user for user in users if user is not None]
            if known:
                dying[max(known, key=place.__getitem__)].append(result)
    return dying


def run(steps: Sequence[Step], values: Values) -> None:
    for step in steps:
        step(values)


def move(sources: Sequence[int], targets: Sequence[int]) -> Step:
    """All at once: a target may be a source."""
    if list(sources) == list(targets):
        return lambda values: None

    def step(values: Values) -> None:
        moved = [values[source] for source in sources]
        for target, value in zip(targets, moved, strict=True):
            values[target] = value

    return step


def for_loop(compiler: Compiler, op: scf.ForOp) -> Step:
    """The results have the slots of the carried values."""
    start, bound, stride = compiler.slots_of([op.lb, op.ub, op.step])
    counter, *carried = op.body.block.args
    compiler.share_slots(op.results, compiler.give_slots(carried))
    targets = compiler.slots_of(carried)
    (i,) = compiler.give_slots([counter])
    begin = move(compiler.slots_of(op.iter_args), targets)
    body = compiler.block(op.body.block)
    body.append(move(compiler.slots_of(terminator(op.body).operands), targets))
    held = known_element(op, counter.type).held.type
    compiler.free.append(i)

    def step(values: Values) -> None:
        begin(values)
        for number in range(int(values[start]), int(values[bound]), int(values[stride])):
            values[i] = held(number)
            for inner in body:
                inner(values)

    return step


def while_loop(compiler: Compiler, op: scf.WhileOp) -> Step:
    """The results have the slots of what the condition passes on."""
    before, after = op.before_region.block, op.after_region.block
    entry = compiler.give_slots(before.args)
    begin = move(compiler.slots_of(op.arguments), entry)
    passed = compiler.give_slots(after.args)
    compiler.share_slots(op.results, passed)
    test = compiler.block(before)
    condition = terminator(op.before_region)
    holds, *given = compiler.slots_of(condition.operands)
    pass_on = move(given, passed)
    body = compiler.block(after)
    body.append(move(compiler.slots_of(terminator(op.after_region).operands), entry))
    compiler.free.extend(entry)

    def step(values: Values) -> None:
        begin(values)
        while True:
            run(test, values)
            going_on = values[holds]
            pass_on(values)
            if not going_on:
                return
            run(body, values)

    return step


def if_else(compiler: Compiler, op: scf.IfOp) -> Step:
    condition = compiler.slots[op.cond]
    results = compiler.give_slots(op.results)
    branches = [branch(compiler, region, results) for region in (op.true_region, op.false_region)]
    yes, no = branches

    def step(values: Values) -> None:
        run(yes if values[condition] else no, values)

    return step


def branch(compiler: Compiler, region: Region, results: Sequence[int]) -> list[Step]:
    if not region.blocks:
        return []
    steps = compiler.block(region.block)
    return [*steps, move(compiler.slots_of(terminator(region).operands), results)]


def terminator(region: Region) -> Operation:
    last = region.block.last_op
    assert last is not None
    return last


REGIONS: dict[type[Operation], Callable[[Compiler, Any], Step]] = {
    scf.ForOp: for_loop,
    scf.WhileOp: while_loop,
    scf.IfOp: if_else,
}
"""What each operation with regions becomes."""
