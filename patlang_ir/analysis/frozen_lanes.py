"""Loops whose lanes stop each for itself, so that each block may leave when its own have stopped.

`while any(c)` looks at all lanes of the input: the loop goes on while one of them wants to. Where
nothing of a lane changes any more once its own `c` is false, the other turns are nothing to it,
and a block comes to the same by the `any` of its own lanes. So do `while not all(d)`, and
`while u and any(c)` with a uniform `u`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.dataflow import yielded
from patlang_ir.analysis.equal_values import FALSE, TRUE, EqualValues, is_function
from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import ReduceKind
from patlang_ir.traversal import walk

DEEP = 40
"""The depth of the expressions that are compared."""


def is_block_local(op: Operation) -> bool:
    """Whether a reduction means the same for the lanes of each block as for the whole input."""
    loop = op.parent_op()
    if not isinstance(op, tile.ReduceOp) or not isinstance(loop, scf.WhileOp):
        return False
    return op in tests_of(loop) and why_at_once(loop) is None


def tests_of(loop: scf.WhileOp) -> Sequence[tile.ReduceOp]:
    """Each `any(c)` that must hold for the loop to go on, and each `all(d)` that must not."""
    before = loop.before_region.block
    last = before.last_op
    tests: list[tile.ReduceOp] = []
    waiting = [(last.condition, True)] if isinstance(last, scf.ConditionOp) else []
    while waiting:
        value, holds = waiting.pop()
        owner = value.owner
        if not value.has_one_use():
            continue
        match owner:
            case tile.NotOp():
                waiting.append((owner.operand, not holds))
            case tile.AndOp() | tile.OrOp() if isinstance(owner, tile.AndOp) == holds:
                waiting += ((operand, holds) for operand in owner.operands)
            case tile.ReduceOp() if owner.axis is None and owner.parent is before:
                if owner.kind.data is (ReduceKind.ANY if holds else ReduceKind.ALL):
                    tests.append(owner)
            case _:
                pass
    return tests


def why_at_once(loop: scf.WhileOp) -> str | None:
    """Why a loop that tests lanes must see all of them; None if each block may see its own."""
    loops = [op for op in walk(loop) if isinstance(op, scf.WhileOp)]
    local: set[Operation] = set()
    reason = None
    for inner in reversed(loops):
        tests = tests_of(inner)
        reason = _why_at_once(inner, tests, local)
        local.update(tests if reason is None else ())
    return reason


def _why_at_once(
    loop: scf.WhileOp, tests: Sequence[tile.ReduceOp], local: set[Operation]
) -> str | None:
    """The same, where it is known which tests of the loops inside are local."""
    kernel = loop.parent_op()
    while kernel is not None and not isinstance(kernel, tile.KernelOp):
        kernel = kernel.parent_op()
    if kernel is None or kernel.kind.data is KernelKind.MATMUL:
        return "it is in no kernel over lanes"
    if any(isinstance(op, tile.StoreOp | tile.AtomicOp) for op in walk(loop)):
        return "the loop writes memory; store after it what it computes"
    combining = (op for op in walk(loop) if isinstance(op, tile.ReduceOp | tile.ScanOp))
    if not all(op in tests or op in local for op in combining):
        return "the loop combines lanes for more than its test"
    if yielded(loop.before_region.block) != tuple(loop.before_region.block.args):
        return "the test of the loop computes what its body goes on with"
    found = (LaneTest(loop, test).why_at_once() for test in tests)
    return next(filter(None, found), None)


def loops_at_once(kernel: tile.KernelOp) -> Iterator[str]:
    """Why the loops of a kernel that test lanes must see all of them, with their lines."""
    for loop in walk(kernel):
        if not isinstance(loop, scf.WhileOp) or not tests_of(loop):
            continue
        reason, place = why_at_once(loop), place_of(loop.location)
        if reason is not None:
            yield f"line {place.line}: {reason}" if place is not None else reason


class LaneTest:
    """What the variables of a loop do in a lane for which a test has come out false.

    `numbers` has a number for each variable, at the start of a turn.
    """

    def __init__(self, loop: scf.WhileOp, test: tile.ReduceOp):
        self.loop, self.test = loop, test
        self.before, self.after = loop.before_region.block, loop.after_region.block
        self.starts: Sequence[SSAValue] = tuple(loop.arguments)
        self.ends = yielded(self.after)
        self.values = EqualValues()
        self.own = [self.values.new() for _ in self.starts]
        self.numbers = list(self.own)
        for i in range(len(self.numbers)):
            self._relate(i)
        self.condition = self._number_of_condition()
        self.stays = self._staying()

    def why_at_once(self) -> str | None:
        """The variable that moves although the lane has stopped, if that matters."""
        leaves = self.values.leaves(self.condition)
        if any(self.values.is_new(leaf) and leaf not in self.own for leaf in leaves):
            return "the test of the loop is computed by a loop"
        for i, stays in enumerate(self.stays):
            if self.own[i] in leaves and not stays:
                return self._moves(i, "which decides whether it goes on")
        for i, stays in enumerate(self.stays):
            if self.loop.results[i].first_use is not None and not stays:
                return self._moves(i, "which is used after the loop")
        return None

    def _moves(self, i: int, use: str) -> str:
        name = self.before.args[i].name_hint or "a variable"
        if not tile.sizes_of(self.before.args[i].type):
            return f"'{name}' changes for a lane that has stopped, {use}"
        keep = f"let {name} = select(condition, new, {name})"
        return f"'{name}' may change for a lane that has stopped, {use}: {keep}"

    def _number_of_condition(self) -> int:
        self._give(self.before.args)
        self.values.visit(self.before)
        return self.values.of(self.test.operand)

    def _staying(self) -> Sequence[bool]:
        """Which variables are as before after a turn in which the test is false for a lane."""
        values = self.values
        values.assume(self.condition, self.test.kind.data is ReduceKind.ALL)
        self._give(self.after.args)
        values.visit(self.after)
        pairs = zip(self.numbers, self.ends, strict=True)
        return [values.resolved(number) == values.of(end) for number, end in pairs]

    def _give(self, args: Sequence[SSAValue]) -> None:
        for arg, number in zip(args, self.numbers, strict=True):
            self.values.give(arg, number)

    # --- what is known of the variables before every turn ---

    def _relate(self, i: int) -> None:
        """Give a variable the number of what it always is: `done` is `z >= 4` before every turn.

        Of one that starts as a literal less is known: where `done` starts as false, it implies
        `z >= 4`; a float that starts as 0 and is only added to is never -0.
        """
        start, end = self.starts[i], self.ends[i]
        always = AfterTurn(self, paired=True).by_parts(end, start, DEEP)
        if always is not None:
            self.numbers[i] = always
            return
        literal = self.values.of(start)
        if literal in (FALSE, TRUE):
            later = AfterTurn(self, paired=False).by_parts(end, end, DEEP)
            if later is not None:
                self.values.imply(self.numbers[i], later, literal == FALSE)
        if self._only_adds(i):
            self.values.not_minus_zero.add(self.numbers[i])

    def _only_adds(self, i: int) -> bool:
        """Whether a float starts as a literal but -0 and is only added to: so no sum is -0."""
        start = self.values.literal(self.values.of(self.starts[i]))
        if start is None or (start == 0 and copysign(1, start) < 0):
            return False
        sums: set[SSAValue] = {self.after.args[i]}
        for op in self.after.ops:
            match op:
                case tile.AddOp() if op.lhs in sums or op.rhs in sums:
                    sums.add(op.result)
                case tile.SelectOp() if op.lhs in sums and op.rhs in sums:
                    sums.add(op.result)
                case _:
                    pass
        return self.ends[i] in sums


class AfterTurn:
    """Values at the end of a turn as functions of what the variables are then.

    If `paired`, the values go with others before the loop, and those must be the same functions of
    what the variables start as. A load is not, since memory may have been written in between.
    """

    def __init__(self, test: LaneTest, *, paired: bool):
        self.test, self.paired = test, paired
        self.found: dict[tuple[SSAValue, SSAValue], int | None] = {}

    def number(self, end: SSAValue, start: SSAValue, depth: int) -> int | None:
        """The number of the function."""
        if (end, start) not in self.found:
            self.found[end, start] = self._variable(end, start)
            if self.found[end, start] is None:
                self.found[end, start] = self.by_parts(end, start, depth)
        return self.found[end, start]

    def _variable(self, end: SSAValue, start: SSAValue) -> int | None:
        variables = zip(self.test.ends, self.test.starts, self.test.numbers, strict=True)
        for own_end, own_start, number in variables:
            if own_end is end and (own_start is start or not self.paired):
                return number
        return None

    def by_parts(self, end: SSAValue, start: SSAValue, depth: int) -> int | None:
        """The number, from those of the operands."""
        values = self.test.values
        if end is start and not self.test.loop.is_ancestor(end.owner):
            return values.of(end)
        op, first = end.owner, start.owner
        if not depth or not isinstance(op, Operation) or not isinstance(first, Operation):
            return None
        if not is_function(op) or (self.paired and isinstance(op, tile.LoadOp)):
            return None
        if type(op) is not type(first) or op.properties != first.properties:
            return None
        if end.type != start.type or len(op.operands) != len(first.operands):
            return None
        operands: list[int] = []
        for later, earlier in zip(op.operands, first.operands, strict=True):
            number = self.number(later, earlier, depth - 1)
            if number is None:
                return None
            operands.append(number)
        return values.computed(op, tuple(operands))
