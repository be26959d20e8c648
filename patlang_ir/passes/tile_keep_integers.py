"""Compute with integers what went through floats because `/` gives one: `trunc(i / 7) * 3`.

A float of 64 bits holds every whole number up to 2**53, and rounds none of them. So a computation
on whole numbers that are proved to stay below gives the same in integers.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f64, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from patlang_ir.analysis.ranges import BINARY, Interval, Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number, python_number
from patlang_ir.dialects.scalars import integer_range, is_integer
from patlang_ir.rewriting import rewrite
from patlang_ir.traversal import walk

EXACT = Interval(1 - 2**53, 2**53 - 1)
"""Of these whole numbers a float of 64 bits holds every one, and their quotients truncate right."""

ROUNDED = (tile.TruncOp, tile.FloorOp, tile.CeilOp, tile.RoundOp)
EXACTLY = (tile.AddOp, tile.SubOp, tile.MulOp, tile.MaxOp, tile.MinOp)


class WholeNumbers:
    """The floats that are whole numbers, with their intervals."""

    def __init__(self, module: ModuleOp):
        self.ranges = Ranges()
        self.spans: dict[SSAValue, Interval] = {}
        for op in walk(module):
            if not op.regions and len(op.results) == 1 and is_f64(op.results[0]):
                span = self._span(op)
                if span is not None and within(span, EXACT):
                    self.spans[op.results[0]] = span

    def _span(self, op: Operation) -> Interval | None:
        match op:
            case tile.ConstantOp():
                value = python_number(op.value)
                return Interval(int(value), int(value)) if float(value).is_integer() else None
            case tile.CastOp() if is_integer(tile.element_of(op.operand.type)):
                return self.ranges.of(op.operand)
            case tile.TruncOp() | tile.FloorOp() if self.quotient_of(op) is not None:
                return self.divided(tile.QuotientOp, op.operand.owner)
            case tile.RemOp():
                return self.divided(tile.RemOp, op)
            case tile.SelectOp() if self.all_whole(op.lhs, op.rhs):
                return self.spans[op.lhs].hull(self.spans[op.rhs])
            case tile.BroadcastOp():
                return self.spans.get(op.operand)
            case _ if isinstance(op, ROUNDED):
                return self.spans.get(op.operand)
            case _ if isinstance(op, EXACTLY) and self.all_whole(op.lhs, op.rhs):
                return BINARY[type(op)](self.spans[op.lhs], self.spans[op.rhs])
            case _:
                return None

    def divided(self, kind: type[tile.BinaryOp], op: Operation | object) -> Interval | None:
        """The interval of a quotient or remainder, if its divisor is a whole number but 0."""
        assert isinstance(op, tile.BinaryOp)
        if not self.all_whole(op.lhs, op.rhs):
            return None
        divisor = self.spans[op.rhs]
        return (
            None if divisor.low <= 0 <= divisor.high else BINARY[kind](self.spans[op.lhs], divisor)
        )

    def all_whole(self, *values: SSAValue) -> bool:
        return all(value in self.spans for value in values)

    def quotient_of(self, op: tile.TruncOp | tile.FloorOp) -> tile.DivOp | None:
        """The division whose whole part this is; `floor` is that of what is not negative."""
        division = op.operand.owner
        if not isinstance(division, tile.DivOp):
            return None
        spans = [self.spans.get(value) for value in division.operands]
        negative = any(span is None or span.low < 0 for span in spans)
        return None if negative and isinstance(op, tile.FloorOp) else division

    def sources(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The whole numbers that a whole number is computed from."""
        match value.owner:
            case tile.TruncOp() | tile.FloorOp() as op if division := self.quotient_of(op):
                return (division.lhs, division.rhs)
            case tile.SelectOp() as op:
                return (op.lhs, op.rhs)
            case tile.ConstantOp() | tile.CastOp():
                return ()
            case Operation() as op:
                return tuple(op.operands)
            case _:
                return ()


def is_f64(value: SSAValue) -> bool:
    return tile.element_of(value.type) == f64


def within(inner: Interval, outer: Interval) -> bool:
    return outer.low <= inner.low and inner.high <= outer.high


class Integers:
    """Writes the integer of a whole number right after it, once."""

    def __init__(self, whole: WholeNumbers):
        self.whole = whole
        self.known: dict[SSAValue, SSAValue] = {}

    def of(self, value: SSAValue, rewriter: PatternRewriter) -> SSAValue:
        """The integer of 64 bits that a whole number is."""
        waiting = [value]
        while value not in self.known:
            top = waiting[-1]
            needed = [source for source in self.whole.sources(top) if source not in self.known]
            if needed:
                waiting += needed
                continue
            waiting.pop()
            owner = top.owner
            assert isinstance(owner, Operation)
            new = self._integer(owner)
            if isinstance(new, Operation):
                new.location = owner.location
                new.results[0].name_hint = top.name_hint
                new = rewriter.insert(new, InsertPoint.after(owner)).results[0]
            self.known[top] = new
        return self.known[value]

    def _integer(self, op: Operation) -> Operation | SSAValue:
        known = [self.known[source] for source in self.whole.sources(op.results[0])]
        match op:
            case tile.CastOp() if tile.element_of(op.operand.type) == i64:
                return op.operand
            case tile.ConstantOp():
                return tile.ConstantOp(number(int(python_number(op.value))), i64)
            case tile.CastOp():
                return tile.CastOp(op.operand, wide(op.operand))
            case tile.TruncOp() | tile.FloorOp() if self.whole.quotient_of(op) is not None:
                return tile.QuotientOp(known[0], known[1])
            case tile.SelectOp():
                return tile.SelectOp(op.condition, known[0], known[1])
            case tile.BroadcastOp():
                return tile.BroadcastOp(known[0], wide(op.result))
            case _ if isinstance(op, ROUNDED):
                return known[0]
            case tile.BinaryOp():
                return type(op)(known[0], known[1])
            case _:
                raise AssertionError(op.name)


def wide(value: SSAValue) -> Attribute:
    return tile.like(value.type, i64)


class TruncateQuotient(RewritePattern):
    """cast (div a, b) : f64 -> i64 -> cast (trunc (div a, b)) : f64 -> i64, a whole number"""

    def __init__(self, whole: WholeNumbers):
        self.whole = whole

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CastOp, rewriter: PatternRewriter) -> None:
        division = op.operand.owner
        if not isinstance(division, tile.DivOp) or not is_f64(op.operand):
            return
        span = self.whole.divided(tile.QuotientOp, division)
        if (
            span is None
            or not within(span, EXACT)
            or not is_integer(tile.element_of(op.result.type))
        ):
            return
        whole = rewriter.insert(tile.TruncOp(op.operand)).result
        self.whole.spans[whole] = span
        rewriter.replace(op, tile.CastOp(whole, op.result.type))


class KeepCast(RewritePattern):
    """cast (trunc (div (cast a), (cast b))) : f64 -> i32 -> cast (quotient a, b) : i64 -> i32"""

    def __init__(self, whole: WholeNumbers, integers: Integers):
        self.whole, self.integers = whole, integers

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CastOp, rewriter: PatternRewriter) -> None:
        target = tile.element_of(op.result.type)
        if not is_integer(target) or op.operand not in self.whole.spans:
            return
        value = self.integers.of(op.operand, rewriter)
        low, high = integer_range(target)
        if not within(self.whole.spans[op.operand], Interval(low, high)):
            value = self.limited(value, tile.MaxOp, low, rewriter)
            value = self.limited(value, tile.MinOp, high, rewriter)
        rewriter.replace(op, tile.CastOp(value, op.result.type))

    def limited(
        self, value: SSAValue, kind: type[tile.BinaryOp], limit: int, rewriter: PatternRewriter
    ) -> SSAValue:
        """A cast from a float saturates."""
        bound = rewriter.insert(tile.ConstantOp(number(limit), i64)).result
        if tile.sizes_of(value.type):
            bound = rewriter.insert(tile.BroadcastOp(bound, value.type)).result
        return rewriter.insert(kind(value, bound)).result


class KeepComparison(RewritePattern):
    """compare (cast a), (cast b) : f64 -> compare a, b : i64"""

    def __init__(self, whole: WholeNumbers, integers: Integers):
        self.whole, self.integers = whole, integers

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.CompareOp, rewriter: PatternRewriter) -> None:
        if not self.whole.all_whole(op.lhs, op.rhs):
            return
        lhs, rhs = (self.integers.of(value, rewriter) for value in op.operands)
        rewriter.replace(op, tile.CompareOp(op.predicate.data, lhs, rhs))


class TileKeepIntegers(ModulePass):
    """Compute with integers what is whole and went through floats because `/` gives one."""

    name = "tile-keep-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        whole = WholeNumbers(op)
        integers = Integers(whole)
        rewrite(op, TruncateQuotient(whole))
        rewrite(op, KeepCast(whole, integers), KeepComparison(whole, integers))
