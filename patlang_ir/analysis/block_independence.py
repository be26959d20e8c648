"""Whether a matmul kernel means the same for every size of blocks, and why not.

It does if `pid_m * BLOCK_M` and `pid_n * BLOCK_N` are where blocks of `BLOCK_M` rows or `BLOCK_N`
columns start, and loops from 0 to `K` in steps of `BLOCK_K` combine what their turns give. The
analysis interprets the kernel once with facts in the place of values; a loop whose variables have
facts that its turns change, again until they stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr, i64
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.block_facts import (
    COMBINATIONS,
    FIXED,
    TOO_EARLY,
    Dependence,
    Fact,
    Place,
    Reason,
    alike,
    combined,
    computed,
    cut,
    first_cut,
    is_zero,
    joined,
)
from patlang_ir.analysis.block_places import AXES, PROGRAMS, BlockAccess, Numbers, extension_of
from patlang_ir.analysis.block_sources import loads_behind
from patlang_ir.analysis.polynomials import Polynomial
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import SizeKind

Carried: TypeAlias = Sequence[tuple[SSAValue, SSAValue]]
"""The variables of a loop, each with what it starts as."""


class BlockIndependence:
    """The facts of every value of a matmul kernel.

    `accesses` are its loads and stores; `covered` the axes of the launch along which one program
    must have all.
    """

    def __init__(self, kernel: tile.KernelOp):
        self.facts: dict[SSAValue, Fact] = {arg: FIXED for arg in kernel.args}
        self.places: dict[SSAValue, Place] = {}
        self.accesses: dict[Operation, BlockAccess] = {}
        self.covered: set[int] = set()
        self.numbers = Numbers()
        self._loops: list[scf.ForOp] = []
        """The loops over K around the operation that is looked at."""
        self._around: list[Fact] = []
        """The conditions and loops around the operation that is looked at."""
        for stage in kernel.stages:
            self._block(stage.body.block)

    @property
    def reasons(self) -> list[Reason]:
        """Why what the kernel stores depends on the sizes of blocks; nothing if it does not."""
        stores = [a for a in self.accesses.values() if isinstance(a.op, tile.StoreBlockOp)]
        found = (access.fact.reason for access in stores)
        return list(dict.fromkeys(reason for reason in found if reason is not None))

    # --- whole numbers ---

    def _number(self, op: Operation, form: Polynomial, name: str = "") -> Fact:
        if not self.numbers.is_cut(form):
            return Fact(Dependence.FIXED, form, zero=not form.terms)
        name = name or "what the sizes of blocks decide"
        reason = Reason(op, f"{name} is used as a number")
        return Fact(Dependence.CUT, form, reason=reason)

    def _form(self, value: SSAValue) -> Polynomial:
        form = self.facts[value].form
        cutting = self.facts[value].dependence is not Dependence.FIXED
        return self.numbers.unknown(value, cutting=cutting) if form is None else form

    # --- operations ---

    def _block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case scf.ForOp():
                    self._for(op)
                case scf.WhileOp():
                    self._while(op)
                case scf.IfOp():
                    self._if(op)
                case scf.YieldOp() | scf.ConditionOp():
                    pass
                case _:
                    self._operation(op)

    def _operation(self, op: Operation) -> None:
        match op:
            case tile.BlockPointerOp():
                self.places[op.result] = Place(op, (self._form(op.row), self._form(op.col)))
            case tile.AdvanceOp():
                place = self.places[op.access]
                row, col = place.starts
                moved = (row + self._form(op.rows), col + self._form(op.cols))
                self.places[op.result] = replace(place, starts=moved)
            case tile.LoadBlockOp():
                self._access(op, op.access, FIXED)
                self.facts[op.result] = self.accesses[op].fact
            case tile.StoreBlockOp():
                self._access(op, op.access, self.facts[op.value])
            case _:
                self.facts[op.results[0]] = self._computed(op)

    def _computed(self, op: Operation) -> Fact:
        facts = [self.facts[operand] for operand in op.operands]
        match op:
            case tile.ConstantOp(value=IntAttr(data=value)) if op.result.type == i64:
                return self._number(op, Polynomial.constant(value))
            case tile.ConstantOp():
                return replace(FIXED, zero=is_zero(op.result))
            case tile.SizeOp(kind=kind):
                return self._number(op, self.numbers.unknown(kind.data))
            case tile.ProgramOp(axis=axis):
                name = PROGRAMS[axis.data]
                return self._number(op, self.numbers.program(axis.data), f"'{name}'")
            case tile.BlockSizeOp(symbol=symbol):
                form = self.numbers.block_size(symbol.data)
                return self._number(op, form, f"'{symbol.data}'")
            case tile.AddOp() | tile.SubOp() | tile.MulOp() if op.result.type == i64:
                return self._sum(op, facts)
            case tile.DotOp():
                return self._dot(op, *facts)
            case tile.ReduceOp():
                return self._reduce(op, facts[0])
            case tile.ScanOp():
                return self._scan(op, facts[0])
            case _:
                return computed(op, facts)

    def _sum(self, op: tile.AddOp | tile.SubOp | tile.MulOp, facts: list[Fact]) -> Fact:
        """Arithmetic on whole numbers."""
        if any(f.dependence in (Dependence.PART, Dependence.RUNNING) for f in facts):
            return computed(op, facts)
        lhs, rhs = self._form(op.lhs), self._form(op.rhs)
        match op:
            case tile.AddOp():
                form = lhs + rhs
            case tile.SubOp():
                form = lhs - rhs
            case tile.MulOp():
                form = lhs * rhs
        fact, found = self._number(op, form), first_cut(*facts)
        if fact.dependence is Dependence.CUT and found is not None:
            return replace(fact, reason=found.reason)
        return fact

    # --- what combines lanes ---

    def _dot(self, op: tile.DotOp, lhs: Fact, rhs: Fact, acc: Fact) -> Fact:
        along = tile.sizes_of(op.lhs.type)[1]
        placed = loads_behind(op.lhs, 1) or loads_behind(op.rhs, 0)
        product = self._combine(op, along, "sum", alike(op, lhs, rhs), bool(placed))
        return combined(op, "sum", acc, product)

    def _reduce(self, op: tile.ReduceOp, operand: Fact) -> Fact:
        how = COMBINATIONS.get(op.kind.data)
        sums_parts = operand.dependence is Dependence.PART and operand.how == how == "sum"
        fact = FIXED if sums_parts else operand
        for axis, size in enumerate(tile.sizes_of(op.operand.type)):
            if op.axis is None or op.axis.data == axis:
                placed = bool(loads_behind(op.operand, axis))
                fact = self._combine(op, size, how, fact, placed)
        if sums_parts and fact.dependence is Dependence.FIXED:
            return operand
        return fact if fact.dependence is Dependence.PART and fact != operand else alike(op, fact)

    def _scan(self, op: tile.ScanOp, operand: Fact) -> Fact:
        axis = op.axis.data
        size = tile.sizes_of(op.operand.type)[axis]
        placed = bool(loads_behind(op.operand, axis))
        return alike(op, self._combine(op, size, None, operand, placed))

    def _combine(
        self, op: Operation, size: str | int, how: str | None, operand: Fact, placed: bool
    ) -> Fact:
        """What becomes of a value when its elements along an axis of this size are combined."""
        if not isinstance(size, str) or operand.dependence is Dependence.CUT:
            return operand
        if not placed:
            return cut(op, f"a block of {size} elements is combined that comes from no matrix")
        if size in AXES:
            self.covered.add(AXES[size])
            return operand
        if operand.dependence is not Dependence.TURN or how is None:
            return cut(op, f"a block of {size} elements is combined outside of a loop over K")
        return Fact(Dependence.PART, loop=operand.loop, how=how)

    # --- memory ---

    def _access(
        self, op: tile.LoadBlockOp | tile.StoreBlockOp, access: SSAValue, value: Fact
    ) -> None:
        found = extension_of(op, self.places[access], self.numbers, self._loops)
        self.covered |= found.covered
        facts = [value, *found.facts]
        if isinstance(op, tile.StoreBlockOp):
            facts += self._around
        fact = alike(op, *facts)
        if isinstance(op, tile.StoreBlockOp) and fact.dependence is Dependence.TURN:
            fact = cut(op, "a loop over K stores in each of its turns")
        self.accesses[op] = BlockAccess(op, self.places[access], fact, found.own)

    # --- control flow ---

    def _for(self, op: scf.ForOp) -> None:
        bounds = [self.facts[value] for value in (op.lb, op.ub, op.step)]
        body, starts = op.body.block, tuple(op.iter_args)
        over_k = self._counts_k(op)
        around = FIXED if over_k else alike(op, *bounds)
        counter = self.numbers.unknown(op, cutting=over_k or around.dependence is Dependence.CUT)
        self.facts[body.args[0]] = self._number(op, counter, "the counter of a loop over K")
        args, results = body.args[1:], op.results
        if over_k:
            self._turns_of_k(op, counter)
            return
        self._around.append(around)
        self._repeat(op, body, around, tuple(zip(args, starts, strict=True)))
        self._around.pop()
        self._give(args, results, around)

    def _counts_k(self, op: scf.ForOp) -> bool:
        steps = self.numbers.block_size("BLOCK_K")
        forms = [self._form(value) for value in (op.lb, op.ub, op.step)]
        return forms == [Polynomial(), self.numbers.unknown(SizeKind.K), steps]

    def _turns_of_k(self, op: scf.ForOp, counter: Polynomial) -> None:
        body, starts = op.body.block, tuple(op.iter_args)
        args, ends = body.args[1:], _end_of(body)
        steps = self.numbers.block_size("BLOCK_K")
        for i, (arg, start) in enumerate(zip(args, starts, strict=True)):
            if start in self.places:
                self.places[arg] = self._moved(self.places[start], arg, cutting=True)
                continue
            first = self.facts[start]
            running = Fact(Dependence.RUNNING, loop=op, index=i)
            self.facts[arg] = first if first.dependence is Dependence.CUT else running
        self._loops.append(op)
        self._around.append(Fact(Dependence.TURN, loop=op))
        self._block(body)
        moves: dict[int, tuple[bool, ...]] = {}
        for i, (arg, start, end) in enumerate(zip(args, starts, ends, strict=True)):
            if start not in self.places:
                continue
            moved = _minus(self.places[end], self.places[arg])
            moves[i] = tuple(bool(amount.terms) for amount in moved)
            along = [counter if amount == steps else None for amount in moved]
            self.places[arg] = self._moved(
                self.places[start], arg, moves[i], along=along, cutting=True
            )
        self._block(body)
        self._around.pop()
        self._loops.pop()
        for i, (result, start, end) in enumerate(zip(op.results, starts, ends, strict=True)):
            if start in self.places:
                self.places[result] = self._moved(
                    self.places[start], result, moves[i], cutting=True
                )
                continue
            self.facts[result] = self._after_turns(op, i, self.facts[start], self.facts[end])

    def _after_turns(self, op: scf.ForOp, index: int, start: Fact, end: Fact) -> Fact:
        """What a variable is after a loop over K."""
        found = first_cut(start, end)
        if found is not None:
            return replace(found, form=None)
        kept = end.dependence is Dependence.RUNNING and end.loop is op and end.index == index
        if start.dependence is Dependence.FIXED and (kept or end.dependence is Dependence.FIXED):
            return FIXED
        return cut(op, "a loop over K keeps something else than a sum, a maximum or a minimum")

    def _moved(
        self,
        place: Place,
        value: SSAValue,
        moves: Sequence[bool] = (True, True),
        *,
        cutting: bool,
        along: Sequence[Polynomial | None] = (None, None),
    ) -> Place:
        """A place that a loop moves: as far as is known `along` each axis, or by some number."""

        def start(axis: int) -> Polynomial:
            if not moves[axis]:
                return place.starts[axis]
            number = along[axis] or self.numbers.unknown((value, axis), cutting=cutting)
            return place.starts[axis] + number

        return replace(place, starts=(start(0), start(1)))

    def _repeat(self, op: Operation, body: Block, around: Fact, loop: Carried) -> None:
        """Look at the body of a loop until what is known of its variables stays."""
        self._begin(loop)
        changed = True
        while changed:
            known = self.numbers.cuts
            self._block(body)
            changed = self._carry(op, loop, _end_of(body), around) or known != self.numbers.cuts

    def _begin(self, loop: Carried) -> None:
        for arg, start in loop:
            if start in self.places:
                self.places[arg] = self.places[start]
            else:
                self.facts[arg] = replace(self.facts[start], form=None)

    def _carry(self, op: Operation, loop: Carried, ends: Sequence[SSAValue], around: Fact) -> bool:
        """Put what a turn leaves into the variables; whether more can be anything than before."""
        changed = False
        for (arg, start), end in zip(loop, ends, strict=True):
            if arg in self.places:
                first, old = self.places[start], self.places[arg]
                moved = _minus(self.places[end], old)
                moves = [
                    bool(m.terms) or a != b
                    for m, a, b in zip(moved, old.starts, first.starts, strict=True)
                ]
                cuts = around.dependence is Dependence.CUT or any(map(self.numbers.is_cut, moved))
                self.places[arg] = self._moved(first, arg, moves, cutting=cuts)
                changed = changed or self.places[arg] != old
                continue
            both = replace(joined(op, self.facts[arg], self.facts[end]), form=None)
            changed = changed or both != self.facts[arg]
            self.facts[arg] = both
        return changed

    def _give(self, given: Sequence[SSAValue], taken: Sequence[SSAValue], around: Fact) -> None:
        """The variables after a loop, or in the other part of it."""
        cuts = around.dependence is Dependence.CUT
        for source, target in zip(given, taken, strict=True):
            if source in self.places:
                place = self.places[source]
                self.places[target] = self._moved(place, target, cutting=True) if cuts else place
            else:
                self.facts[target] = around if cuts else self.facts[source]

    def _while(self, op: scf.WhileOp) -> None:
        before, after = op.before_region.block, op.after_region.block
        condition, *passed = _end_of(before)
        loop = tuple(zip(before.args, op.arguments, strict=True))
        around, changed = FIXED, True
        self._begin(loop)
        while changed:
            known = self.numbers.cuts
            self._around.append(around)
            self._block(before)
            self._give(passed, after.args, around)
            self._block(after)
            self._around.pop()
            holds = self._condition(op, self.facts[condition])
            changed = self._carry(op, loop, _end_of(after), holds) or holds != around
            changed = changed or known != self.numbers.cuts
            around = holds
        self._give(passed, op.results, around)

    def _condition(self, op: Operation, condition: Fact) -> Fact:
        """On what depends that a branch is taken."""
        found = alike(op, condition)
        return cut(op, TOO_EARLY) if found.dependence is Dependence.TURN else found

    def _if(self, op: scf.IfOp) -> None:
        around = self._condition(op, self.facts[op.cond])
        arms = [region.block for region in op.regions if region.blocks]
        self._around.append(around)
        for arm in arms:
            self._block(arm)
        self._around.pop()
        ends = [_end_of(arm) for arm in arms]
        for result, *given in zip(op.results, *ends, strict=True):
            if given[0] in self.places:
                same = self.places[given[0]] == self.places[given[1]]
                free = self._moved(self.places[given[0]], result, cutting=True)
                self.places[result] = self.places[given[0]] if same else free
                continue
            first, second = (self.facts[value] for value in given)
            fact = replace(joined(op, first, second), form=None)
            if around != FIXED:
                fact = alike(op, around, fact)
            self.facts[result] = fact


def _minus(a: Place, b: Place) -> tuple[Polynomial, Polynomial]:
    return a.starts[0] - b.starts[0], a.starts[1] - b.starts[1]


def _end_of(block: Block) -> tuple[SSAValue, ...]:
    assert block.last_op is not None
    return tuple(block.last_op.operands)
