"""Folding of operations on literals, by the evaluator: there is no second arithmetic."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from patlang_ir.analysis.literals import literal_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, number, python_number
from patlang_ir.dialects.scalars import integer_range, is_float, is_integer
from patlang_ir.rewriting import PatternOf

INEXACT = (
    tile.PowOp,
    tile.ExpOp,
    tile.Exp2Op,
    tile.LogOp,
    tile.Log2Op,
    tile.SinOp,
    tile.CosOp,
    tile.TanOp,
    tile.TanhOp,
    tile.ErfOp,
)
"""Functions whose last bit may differ from one device to another."""

FOLDED = tuple(op for op in tile.ELEMENTWISE if op not in (*INEXACT, tile.BroadcastOp))


class FoldLiterals(PatternOf):
    """add 1, 2 -> 3; mul x, 0 -> 0"""

    operations = FOLDED

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        number = decided(op, [literal_of(operand) for operand in op.operands])
        if number is not None:
            rewriter.replace(op, tile.ConstantOp(number, op.results[0].type))


def decided(op: Operation, known: Sequence[Number | None]) -> Number | None:
    """The number that an operation gives, as far as those of its operands decide it."""
    if not isinstance(op, FOLDED) or tile.sizes_of(op.results[0].type):
        return None
    numbers = [number for number in known if number is not None]
    if divides_by_zero(op, known):
        return None
    if len(numbers) == len(known):
        return computed(op, numbers)
    if isinstance(op, tile.SelectOp):
        return None if known[0] is None else known[1 if python_number(known[0]) else 2]
    result = decided_by_one(op, known) if numbers else decided_by_sameness(op)
    return None if result is None else number(result)


def divides_by_zero(op: Operation, known: Sequence[Number | None]) -> bool:
    """Whether a whole number is divided by 0, which a checked run reports."""
    if not isinstance(op, tile.QuotientOp | tile.RemOp) or not is_integer(op.results[0].type):
        return False
    return known[1] is not None and python_number(known[1]) == 0


def decided_by_one(op: Operation, known: Sequence[Number | None]) -> bool | int | None:
    """false and x -> false; 0 * x -> 0; min(x, lowest) -> lowest; x % 1 -> 0; x shl 64 -> 0"""
    numbers = [python_number(number) for number in known if number is not None]
    if isinstance(op, tile.AndOp | tile.OrOp):
        deciding = isinstance(op, tile.OrOp)
        return deciding if deciding in numbers else None
    type = op.results[0].type
    if not is_integer(type):
        return None
    low, high = integer_range(type)
    right = numbers[0] if known[1] is not None else None
    match op:
        case tile.MulOp() | tile.BandOp():
            deciding = 0
        case tile.BorOp():
            deciding = -1 if low else high
        case tile.MinOp():
            deciding = low
        case tile.MaxOp():
            deciding = high
        case tile.RemOp():
            return 0 if right in (1, -1) else None
        case tile.ShlOp() if right is not None:
            return None if 0 <= right < (high - low).bit_length() else 0
        case _:
            return None
    return deciding if deciding in numbers else None


def decided_by_sameness(op: Operation) -> bool | int | None:
    """x - x -> 0; x bxor x -> 0; x == x -> true, but not for floats"""
    if len(op.operands) != 2 or op.operands[0] is not op.operands[1]:
        return None
    if is_float(op.operands[0].type):
        return None
    match op:
        case tile.SubOp() | tile.BxorOp():
            return 0
        case tile.CompareOp(predicate=predicate):
            return predicate.data in ("eq", "le", "ge")
        case _:
            return None


def computed(op: Operation, numbers: Sequence[Number]) -> Number:
    """The value of an operation whose operands are known."""
    import numpy as np

    from patlang_ir.backends.numpy.contexts import FIRST_FREE, Context, Values
    from patlang_ir.backends.numpy.steps import step_of
    from patlang_ir.dialects.pat import KernelKind

    slots: dict[SSAValue, int] = {}
    for value in (*op.operands, *op.results):
        slots.setdefault(value, FIRST_FREE + len(slots))
    literals = [
        tile.ConstantOp(number, operand.type)
        for number, operand in zip(numbers, op.operands, strict=True)
    ]
    values: Values = [None] * (FIRST_FREE + len(slots))
    for literal, operand in zip(literals, op.operands, strict=True):
        slots[literal.result] = slots[operand]
    context = Context(KernelKind.LINEAR, {}, slots, checked=False)
    with np.errstate(all="ignore"):
        for step in (*literals, op):
            step_of(context, step)(values)
    return number(values[slots[op.results[0]]].item())
