"""Turn counted `while` loops into loops with a start, a bound and a step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr, ModuleOp, i64
from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import Pure

from patlang_ir.analysis.ranges import Interval, Ranges
from patlang_ir.diagnostics import Report
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number
from patlang_ir.dialects.tile import ComparePredicate as Predicate
from patlang_ir.rewriting import rewrite
from patlang_ir.targets import LARGEST_BLOCK

MIRRORED = {
    Predicate.LT: Predicate.GT,
    Predicate.LE: Predicate.GE,
    Predicate.GT: Predicate.LT,
    Predicate.GE: Predicate.LE,
    Predicate.EQ: Predicate.EQ,
    Predicate.NE: Predicate.NE,
}

FAR = 2**60

ORDERED = (Predicate.LT, Predicate.LE, Predicate.GT, Predicate.GE)


@dataclass(frozen=True)
class Count:
    """How a loop counts: `while counter <predicate> bound`, `counter += step` once a turn.

    The step is a literal, or the size of a block, which is greater than 0.
    """

    counter: int
    predicate: Predicate
    bound: SSAValue
    step: int | str

    @property
    def ascending(self) -> bool:
        return isinstance(self.step, str) or self.step > 0

    @property
    def largest_step(self) -> int:
        return LARGEST_BLOCK if isinstance(self.step, str) else abs(self.step)

    def stride(self) -> Operation:
        """The operation that gives the step, without its sign."""
        if isinstance(self.step, str):
            return tile.BlockSizeOp(self.step)
        return tile.ConstantOp(number(abs(self.step)), i64)

    @property
    def inclusive(self) -> bool:
        return self.predicate in (Predicate.LE, Predicate.GE)

    @property
    def approaches(self) -> bool:
        """Whether the steps lead to the bound and not away from it."""
        return self.ascending == (self.predicate in (Predicate.LT, Predicate.LE))


def inside(value: SSAValue, loop: Operation) -> bool:
    """Whether a value is defined in a region of the loop."""
    owner = value.owner
    parent = owner.parent_op()
    while parent is not None and parent is not loop:
        parent = parent.parent_op()
    return parent is loop


def constant_of(value: SSAValue) -> int | None:
    """The value of an integer literal."""
    owner = value.owner
    if isinstance(owner, tile.ConstantOp) and isinstance(owner.value, IntAttr):
        return owner.value.data
    return None


def step_of(start: SSAValue, end: SSAValue) -> int | str | None:
    """`end - start` where `end` is `start` plus and minus literals, or plus the size of a block."""
    match end.owner:
        case tile.AddOp(lhs=lhs, rhs=rhs) if start in (lhs, rhs):
            other = (rhs if lhs is start else lhs).owner
            if isinstance(other, tile.BlockSizeOp):
                return other.symbol.data
        case _:
            pass
    total = 0
    while end is not start:
        match end.owner:
            case tile.AddOp(lhs=lhs, rhs=rhs):
                if constant_of(rhs) is None:
                    lhs, rhs = rhs, lhs
                sign = 1
            case tile.SubOp(lhs=lhs, rhs=rhs):
                sign = -1
            case _:
                return None
        amount = constant_of(rhs)
        if amount is None:
            return None
        total, end = total + sign * amount, lhs
    return total


def comparison_of(loop: scf.WhileOp) -> tuple[int, Predicate, SSAValue] | None:
    """The counter, predicate and bound of a loop whose condition compares one variable."""
    before = loop.before_region.block
    last = before.last_op
    assert isinstance(last, scf.ConditionOp)
    if not _passes_all(loop):
        return None
    match last.condition.owner:
        case tile.CompareOp() as compare:
            lhs, rhs, predicate = compare.lhs, compare.rhs, compare.predicate.data
        case _:
            return None
    if not _is_argument(lhs, before):
        lhs, rhs, predicate = rhs, lhs, MIRRORED[predicate]
    if not isinstance(lhs, BlockArgument) or not _is_argument(lhs, before) or lhs.type != i64:
        return None
    return lhs.index, predicate, rhs


def _passes_all(loop: scf.WhileOp) -> bool:
    """Whether the body gets just what the condition got."""
    before = loop.before_region.block
    last = before.last_op
    return isinstance(last, scf.ConditionOp) and tuple(last.args) == tuple(before.args)


def _is_argument(value: SSAValue, block: Block) -> bool:
    return isinstance(value, BlockArgument) and value.block is block


def count_of(loop: scf.WhileOp) -> Count | None:
    """How the loop counts, or None if it does not count by a constant step to a fixed bound."""
    comparison = comparison_of(loop)
    if comparison is None:
        return None
    counter, predicate, bound = comparison
    after = loop.after_region.block
    last = after.last_op
    assert isinstance(last, scf.YieldOp)
    step = step_of(after.args[counter], last.operands[counter])
    if step is None or not _fixed(bound, loop):
        return None
    return Count(counter, predicate, bound, step)


def _fixed(value: SSAValue, loop: scf.WhileOp) -> bool:
    """Whether a value is the same in every turn, and can be computed before the loop."""
    return all(
        isinstance(part.owner, Operation) and part.owner.has_trait(Pure)
        for part in _parts(value, loop)
    )


def _never_changes(value: SSAValue, loop: scf.WhileOp) -> bool:
    """Whether a condition depends on nothing that the body changes."""
    after, last = loop.after_region.block, loop.after_region.block.last_op
    assert last is not None
    return all(
        part.owner.has_trait(Pure)
        if isinstance(part.owner, Operation)
        else last.operands[part.index] is after.args[part.index]
        for part in _parts(value, loop)
        if isinstance(part, OpResult | BlockArgument)
    )


def _parts(value: SSAValue, loop: scf.WhileOp) -> Sequence[SSAValue]:
    """What a value is computed from inside the loop, itself included."""
    parts: dict[SSAValue, None] = {}
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if part in parts or not inside(part, loop):
            continue
        parts[part] = None
        if isinstance(part.owner, Operation):
            waiting += part.owner.operands
    return tuple(parts)


@dataclass
class RefuseEndlessLoop(RewritePattern):
    """while i < bound { no step, or a step away from the bound } -> error P401"""

    report: Report

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        last = op.before_region.block.last_op
        assert isinstance(last, scf.ConditionOp)
        place = last.condition.owner
        at = place if isinstance(place, Operation) else op
        if _passes_all(op) and _never_changes(last.condition, op):
            self.report.error(
                at,
                "P401",
                "nothing in the loop changes its condition, so it never ends",
                "count in the body: let i = i + 1",
            )
            return
        count = count_of(op)
        if count is None:
            return
        name = op.before_region.block.args[count.counter].name_hint or "the counter"
        if count.step == 0:
            message = f"'{name}' is the same after each turn, so the loop never ends"
            self.report.error(at, "P401", message, f"count in the body: let {name} = {name} + 1")
            return
        if count.approaches or count.predicate not in ORDERED:
            return
        direction = "up" if count.ascending else "down"
        self.report.error(
            at,
            "P401",
            f"'{name}' counts {direction}, away from the bound of the loop",
            "turn the comparison or the step around",
        )


@dataclass(frozen=True)
class CountTurns(RewritePattern):
    """while (i = start) i < bound { body; i + step } -> for i = start to bound step step { body }

    A loop that counts down becomes one that counts up from 0, with i = start - k. After the loop
    the counter is start + turns * step.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        count = count_of(op)
        if count is None or not count.approaches or count.predicate not in ORDERED:
            return
        if not _cannot_wrap(op, count):
            return

        def emit(new: Operation) -> SSAValue:
            return rewriter.insert(new).results[0]

        start = op.arguments[count.counter]
        bound = _hoisted(count.bound, op, rewriter)
        step = emit(count.stride())
        if count.inclusive:
            one = emit(tile.ConstantOp(number(1 if count.ascending else -1), i64))
            bound = emit(tile.AddOp(bound, one))
        low, high = start, bound
        if not count.ascending:
            low = emit(tile.ConstantOp(number(0), i64))
            high = emit(tile.SubOp(start, bound))
        arguments = list(op.arguments)
        arguments.pop(count.counter)
        body = _counted_body(op, count, start)
        loop = rewriter.insert(scf.ForOp(low, high, step, arguments, body))
        results: list[SSAValue] = list(loop.results)
        results.insert(count.counter, _final(op, count, (start, low, high, step), rewriter))
        rewriter.replace(op, [], results)


def _hoisted(value: SSAValue, loop: scf.WhileOp, rewriter: PatternRewriter) -> SSAValue:
    """A fixed value, computed before the loop."""
    parts = {part.owner for part in _parts(value, loop)}
    copies: dict[SSAValue, SSAValue] = {}
    for op in loop.before_region.block.ops:
        if op in parts:
            rewriter.insert(op.clone(copies))
    return copies.get(value, value)


def _counted_body(loop: scf.WhileOp, count: Count, start: SSAValue) -> Region:
    """The body of a `while` as that of a `for`: the counter is no longer carried."""
    body = loop.detach_region(loop.after_region)
    block = body.block
    last = block.last_op
    assert isinstance(last, scf.YieldOp)
    operands = list(last.operands)
    operands.pop(count.counter)
    last.operands = operands
    counter = block.args[count.counter]
    turn = block.insert_arg(i64, 0)
    if count.ascending:
        turn.name_hint = counter.name_hint
        counter.replace_all_uses_with(turn)
    else:
        down = tile.SubOp(start, turn)
        down.location = loop.location
        down.result.name_hint = counter.name_hint
        counter.replace_all_uses_with(down.result)
        block.insert_op_before(down, block.first_op or last)
    block.erase_arg(counter)
    return body


def _final(
    loop: scf.WhileOp, count: Count, range: tuple[SSAValue, ...], rewriter: PatternRewriter
) -> SSAValue:
    """The counter's value after the loop."""
    start, low, high, step = range
    if loop.results[count.counter].first_use is None:
        return start

    def emit(new: Operation) -> SSAValue:
        return rewriter.insert(new).results[0]

    if count.step == 1:
        return emit(tile.MaxOp(start, high))
    zero = emit(tile.ConstantOp(number(0), i64))
    one = emit(tile.ConstantOp(number(1), i64))
    reach = emit(tile.AddOp(emit(tile.SubOp(high, low)), emit(tile.SubOp(step, one))))
    turns = emit(tile.MaxOp(emit(tile.QuotientOp(reach, step)), zero))
    signed = step
    if isinstance(count.step, int):
        signed = emit(tile.ConstantOp(number(count.step), i64))
    return emit(tile.AddOp(start, emit(tile.MulOp(turns, signed))))


def _cannot_wrap(loop: scf.WhileOp, count: Count) -> bool:
    """Whether start and bound are small enough for what is computed from them.

    A loop upward to an exclusive bound computes nothing, unless its counter is used afterwards and
    can end behind the bound.
    """
    exact = count.step == 1 or not any(loop.results[count.counter].uses)
    if count.ascending and not count.inclusive and exact:
        return True
    ranges = Ranges()
    ends = (ranges.of(loop.arguments[count.counter]), ranges.of(count.bound))
    return all(
        end.low >= -FAR and end.high <= FAR for end in (*ends, Interval(0, count.largest_step))
    )


class TileCanonicalizeLoops(ModulePass):
    """Turn counted `while` loops into `scf.for`; the others stay as they are.

    The counter starts at its value before the loop, steps by a literal anywhere in the body, up
    or down, and is compared with a bound that the loop does not change.
    """

    name = "tile-canonicalize-loops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with Report() as report:
            rewrite(op, RefuseEndlessLoop(report), CountTurns())
