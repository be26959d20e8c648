"""Indices that are linear in the number of the lane, and the elements that each lane has alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.accesses import Access
from patlang_ir.analysis.ranges import Interval, Ranges
from patlang_ir.dialects import tile

STRIDE = 2**15
"""Strides below this times the number of lanes do not wrap."""


@dataclass(frozen=True)
class Linear:
    """`stride * offs + constant`, and the terms: each a uniform value with its factor."""

    stride: int = 0
    constant: int = 0
    terms: frozenset[tuple[SSAValue, int]] = frozenset()

    def plus(self, other: Linear, sign: int = 1) -> Linear:
        counts = Counter(dict(self.terms))
        for value, factor in other.terms:
            counts[value] += sign * factor
        return Linear(
            self.stride + sign * other.stride,
            self.constant + sign * other.constant,
            frozenset((value, factor) for value, factor in counts.items() if factor),
        )

    def times(self, factor: int) -> Linear:
        terms = frozenset((value, factor * own) for value, own in self.terms if factor)
        return Linear(self.stride * factor, self.constant * factor, terms)


def linear_of(index: SSAValue) -> Linear | None:
    """An index as a linear function of `offs`, or None if it is none."""
    match index.owner:
        case tile.IndexOp() as op if op.kind.data == tile.IndexKind.OFFS:
            return Linear(stride=1)
        case tile.ConstantOp(value=IntAttr() as literal):
            return Linear(constant=literal.data)
        case tile.BroadcastOp() as op:
            return linear_of(op.operand)
        case tile.AddOp() | tile.SubOp() | tile.MulOp() as op:
            lhs, rhs = linear_of(op.lhs), linear_of(op.rhs)
            if lhs is not None and rhs is not None:
                return _combined(op, lhs, rhs)
        case _:
            pass
    return None if tile.sizes_of(index.type) else Linear(terms=frozenset({(index, 1)}))


def _combined(op: tile.AddOp | tile.SubOp | tile.MulOp, lhs: Linear, rhs: Linear) -> Linear | None:
    match op:
        case tile.AddOp():
            return lhs.plus(rhs)
        case tile.SubOp():
            return lhs.plus(rhs, -1)
        case _:
            if lhs == Linear(constant=lhs.constant):
                return rhs.times(lhs.constant)
            if rhs == Linear(constant=rhs.constant):
                return lhs.times(rhs.constant)
            uniform = not (lhs.stride or rhs.stride or tile.sizes_of(op.result.type))
            return Linear(terms=frozenset({(op.result, 1)})) if uniform else None


def own_elements(accesses: Sequence[Access]) -> bool:
    """Whether each lane has the elements alone that it touches through these accesses.

    All go in one stride, and what else an index holds stays within a stride. Accesses of different
    form never meet, since on a GPU other threads may do them for the same lane.
    """
    forms = {linear_of(op.index) for op in accesses}
    known = [form for form in forms if form is not None]
    if len(known) != len(forms) or len({form.stride for form in known}) != 1:
        return False
    stride = abs(known[0].stride)
    base = Linear(terms=frozenset(term for term in known[0].terms if not changes(term[0])))
    ranges = Ranges()
    spans = sorted((_span(form.plus(base, -1), ranges) for form in known), key=lambda s: s.low)
    apart = all(left.high < right.low for left, right in pairwise(spans))
    return 0 < stride < STRIDE and apart and spans[-1].high - spans[0].low < stride


def _span(rest: Linear, ranges: Ranges) -> Interval:
    """What a form holds besides its lanes."""
    spans = [_scaled(ranges.of(value), factor) for value, factor in rest.terms]
    start = Interval(rest.constant, rest.constant)
    return reduce(lambda a, b: Interval(a.low + b.low, a.high + b.high), spans, start)


def _scaled(span: Interval, factor: int) -> Interval:
    ends = (span.low * factor, span.high * factor)
    return Interval(min(ends), max(ends))


def changes(value: SSAValue) -> bool:
    """Whether a value may differ from turn to turn of a loop."""
    return in_loop(value.owner if isinstance(value.owner, Operation) else value.owner.parent_op())


def in_loop(op: Operation | None) -> bool:
    """Whether an operation is a loop, or in one."""
    while op is not None and not isinstance(op, scf.ForOp | scf.WhileOp):
        op = op.parent_op()
    return op is not None
