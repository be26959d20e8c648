"""Mask every access, so that none leaves its buffer and padding lanes never show."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1, i64
from xdsl.ir import Attribute, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import Pure

from patlang_ir.analysis.accesses import Access, is_plain
from patlang_ir.analysis.inside import Inside
from patlang_ir.analysis.ranges import Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, number, python_number
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.scalars import integer_range, is_float
from patlang_ir.dialects.tile import ComparePredicate as Predicate
from patlang_ir.dialects.tile import ReduceKind, SizeKind
from patlang_ir.rewriting import expect_typed, rewrite
from patlang_ir.traversal import walk


class Proofs:
    """What is proved of the indices in each stage of a module, before masks are added."""

    def __init__(self, module: ModuleOp):
        ranges = Ranges()
        stages = (op for op in walk(module) if isinstance(op, tile.StageOp))
        self._inside = {stage: Inside(stage, ranges) for stage in stages}

    def around(self, op: Operation | None) -> Inside:
        """The proofs for the stage that an operation stands in."""
        while not isinstance(op, tile.StageOp):
            assert op is not None
            op = op.parent_op()
        return self._inside[op]


class Guard:
    """Builds the mask of one access, in front of it."""

    def __init__(self, op: Access, proofs: Proofs, rewriter: PatternRewriter):
        self.op, self.rewriter = op, rewriter
        self.inside = proofs.around(op)
        self.sizes = tile.sizes_of(op.index.type)

    def emit(self, op: Operation) -> SSAValue:
        return self.rewriter.insert(op).results[0]

    def in_domain(self) -> list[SSAValue]:
        """The lanes of the input, where each lane has an index of its own."""
        return [self.emit(tile.InDomainOp(self.sizes))] if self.sizes else []

    def in_buffer(self) -> list[SSAValue]:
        """0 <= index and index < length, unless that is proved of the lanes of the input."""
        buffer, index, mask = self.op.buffer, self.op.index, self.op.mask
        low, high = self.inside.low(index, mask), self.inside.high(index, buffer, mask)
        conditions: list[SSAValue] = []
        if any(proof.in_domain and not proof.everywhere for proof in (low, high)):
            conditions += self.in_domain()
        if not low.in_domain:
            conditions.append(self.compare(Predicate.GE, None))
        if not high.in_domain:
            conditions.append(self.compare(Predicate.LT, self.length()))
        return conditions

    def length(self) -> SSAValue:
        """The length of the buffer: `n` where that is the same."""
        if self.op.buffer in self.inside.exact:
            return self.emit(tile.SizeOp(SizeKind.N))
        return self.emit(tile.LengthOp(self.op.buffer))

    def zero(self) -> SSAValue:
        return self.emit(tile.ConstantOp(number(0), i64))

    def compare(self, predicate: Predicate, bound: SSAValue | None) -> SSAValue:
        """A test of the index against a bound, or 0.

        For `offs - 1 >= 0` it is `offs >= 1`, if no part of the index wraps.
        """
        index = self.op.index
        while self.sizes and self.inside.is_small(index):
            match index.owner:
                case tile.AddOp(lhs=rest, rhs=OpResult(op=tile.BroadcastOp(operand=part))):
                    moved = tile.SubOp
                case tile.AddOp(lhs=OpResult(op=tile.BroadcastOp(operand=part)), rhs=rest):
                    moved = tile.SubOp
                case tile.SubOp(lhs=rest, rhs=OpResult(op=tile.BroadcastOp(operand=part))):
                    moved = tile.AddOp
                case _:
                    break
            if tile.sizes_of(part.type):
                break
            if bound is None and moved is tile.AddOp:
                index, bound = rest, part
            else:
                index, bound = rest, self.emit(moved(bound or self.zero(), part))
        bound = bound or self.zero()
        if self.sizes:
            bound = self.emit(tile.BroadcastOp(bound, index.type))
        return self.emit(tile.CompareOp(predicate, index, bound))

    def all(self, conditions: list[SSAValue]) -> SSAValue | None:
        """One mask that holds where all conditions do, and the mask of the access."""
        if self.op.mask is not None:
            conditions = [*conditions, self.op.mask]
        if not conditions:
            return None
        mask, *rest = conditions
        for condition in rest:
            mask = self.emit(tile.AndOp(mask, condition))
        return mask


def stays_inside(op: Access) -> bool:
    """Whether lanes of the input reach no element outside; scratch is made to measure."""
    return is_plain(op.index) or isinstance(op.buffer.owner, tile.ScratchOp)


class LoadWhereNeeded(RewritePattern):
    """select c, (load x[i]), 0 -> load x[i] mask c, where c depends on nothing but positions

    What is loaded lane by lane alone is better loaded as a whole, so plain `offs` is left.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.SelectOp, rewriter: PatternRewriter) -> None:
        load, holds = op.lhs.owner, True
        if not isinstance(load, tile.LoadOp):
            load, holds = op.rhs.owner, False
        if not isinstance(load, tile.LoadOp) or load.mask is not None or stays_inside(load):
            return
        if not is_zero(op.rhs if holds else op.lhs) or not load.result.has_one_use():
            return
        if load.parent is not op.parent or written_between(load, op):
            return
        if not is_positional(op.condition) or op.condition.type != flags_of(load.index):
            return
        mask = op.condition if holds else rewriter.insert(tile.NotOp(op.condition)).result
        rewriter.replace(op, tile.LoadOp(load.buffer, load.index, load.result.type, mask))
        rewriter.erase(load)


def is_zero(value: SSAValue) -> bool:
    """Whether a value is what a load gives where it does not touch memory: 0, never -0."""
    owner = value.owner
    if isinstance(owner, tile.BroadcastOp):
        owner = owner.operand.owner
    if not isinstance(owner, tile.ConstantOp):
        return False
    return str(python_number(owner.value)) in ("0", "0.0", "False")


def written_between(first: Operation, last: Operation) -> bool:
    """Whether memory is written between two operations of a block."""
    op = first.next_op
    while op is not None and op is not last:
        if any(isinstance(inner, tile.StoreOp | tile.AtomicOp) for inner in walk(op)):
            return True
        op = op.next_op
    return False


def is_positional(value: SSAValue) -> bool:
    """Whether a value is computed from positions, extents and numbers alone."""
    seen, waiting = {value}, [value]
    while waiting:
        owner = waiting.pop().owner
        if isinstance(owner, Operation):
            if owner.regions or not owner.has_trait(Pure) or isinstance(owner, tile.CombineOp):
                return False
            waiting += set(owner.operands) - seen
            seen |= set(owner.operands)
        elif not isinstance(owner.parent_op(), tile.KernelOp):
            return False
    return True


def flags_of(index: SSAValue) -> Attribute:
    return tile.like(index.type, i1)


@dataclass
class GuardLoad(RewritePattern):
    """load x[i] -> load x[i] mask (0 <= i and i < length x); of x[offs] the lanes of the input"""

    proofs: Proofs

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.LoadOp, rewriter: PatternRewriter) -> None:
        if op.guarded is not None:
            return
        guard = Guard(op, self.proofs, rewriter)
        conditions = guard.in_domain() if stays_inside(op) else guard.in_buffer()
        mask = guard.all(conditions)
        rewriter.replace(op, tile.LoadOp(op.buffer, op.index, op.result.type, mask, guarded=True))


@dataclass
class GuardWrite(RewritePattern):
    """store v, x[i] -> store v, x[i] mask (the lanes of the input, and 0 <= i and i < length x)"""

    proofs: Proofs

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tile.StoreOp | tile.AtomicOp, rewriter: PatternRewriter
    ) -> None:
        if op.guarded is not None:
            return
        guard = Guard(op, self.proofs, rewriter)
        conditions = [] if stays_inside(op) else guard.in_buffer()
        if not any(isinstance(condition.owner, tile.InDomainOp) for condition in conditions):
            conditions = guard.in_domain() + conditions
        mask = guard.all(conditions)
        if isinstance(op, tile.StoreOp):
            new = tile.StoreOp(op.value, op.buffer, op.index, mask, guarded=True)
        else:
            new = tile.AtomicOp(op.kind.data, op.value, op.buffer, op.index, mask, guarded=True)
        rewriter.replace(op, new)


class HidePadding(RewritePattern):
    """reduce v -> reduce (select (the lanes of the input), v, neutral)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.ReduceOp, rewriter: PatternRewriter) -> None:
        if _hides_padding(op.operand) or _is_of_matrices(op):
            return
        sizes, element = tile.sizes_of(op.operand.type), tile.element_of(op.operand.type)
        inside = rewriter.insert(tile.InDomainOp(sizes)).result
        neutral = rewriter.insert(tile.ConstantOp(neutral_element(op.kind.data, element), element))
        padding = rewriter.insert(tile.BroadcastOp(neutral.result, op.operand.type)).result
        hidden = rewriter.insert(tile.SelectOp(inside, op.operand, padding)).result
        op.operands[0] = hidden
        rewriter.notify_op_modified(op)


def _hides_padding(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, tile.SelectOp) and isinstance(owner.condition.owner, tile.InDomainOp)


def _is_of_matrices(op: Operation) -> bool:
    """Whether this is in a matmul kernel, where `tile-legalize-block-pointers` masks accesses."""
    kernel = op
    while not isinstance(kernel, tile.KernelOp):
        parent = kernel.parent_op()
        assert parent is not None
        kernel = parent
    return kernel.kind.data == KernelKind.MATMUL


def neutral_element(kind: ReduceKind, element: Attribute) -> Number:
    """The value that changes no result of a reduction of this kind."""
    match kind:
        case ReduceKind.SUM:
            return number(0.0 if is_float(element) else 0)
        case ReduceKind.PROD:
            return number(1.0 if is_float(element) else 1)
        case ReduceKind.MAX | ReduceKind.ARGMAX:
            return number(-inf if is_float(element) else integer_range(element)[0])
        case ReduceKind.MIN | ReduceKind.ARGMIN:
            return number(inf if is_float(element) else integer_range(element)[1])
        case ReduceKind.ANY:
            return number(False)
        case ReduceKind.ALL:
            return number(True)


class TileGuardAccesses(ModulePass):
    """Mask every access, so that none leaves its buffer and padding lanes never show.

    A buffer that is indexed by plain `offs` has one element for each lane (a launch checks it),
    so there the lanes of the input are mask enough. Where lanes are combined, padding has the
    neutral element.
    """

    name = "tile-guard-accesses"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_typed(op)
        rewrite(op, LoadWhereNeeded())
        proofs = Proofs(op)
        rewrite(op, GuardLoad(proofs), GuardWrite(proofs), HidePadding())
