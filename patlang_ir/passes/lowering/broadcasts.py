"""Shapes and literals: what Triton broadcasts and types by itself stays unwritten."""

from __future__ import annotations

from xdsl.dialects.builtin import f32, f64, i32, i64
from xdsl.dialects.scf import ForOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.tl import Function, element_of
from patlang_ir.passes.lowering.emitter import COMPARISONS, Emitter, Lowering, converted, joined
from patlang_ir.passes.lowering.numbers import default_type, fits_default


class LowerBroadcast(Lowering):
    """tile.broadcast a -> tl.full a for a scalar, tl.broadcast_to a for a tensor"""

    operations = (tile.BroadcastOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        (value,) = op.operands
        type = converted(op.results[0].type)
        assert isinstance(type, tl.TensorType)
        if not isinstance(value.type, tl.TensorType):
            return emit.full(value, type)
        while len(value.type.sizes) < len(type.sizes):
            wider = tl.TensorType([1, *value.type.sizes], value.type.element)
            value = emit.add(tl.ExpandOp(value, 0, wider))
            assert isinstance(value.type, tl.TensorType)
        return value if value.type == type else emit.add(tl.BroadcastOp(value, type))


class DropBroadcast(RewritePattern):
    """x * full(a) -> x * a, where the other operands still give the result its shape"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tl.BinaryOp | tl.CallOp | tl.StoreOp | tl.AtomicOp, rewriter: PatternRewriter
    ) -> None:
        for position, operand in enumerate(op.operands):
            while (source := broadcast_source(operand)) is not None:
                if not self.is_shaped_without(op, position, source):
                    break
                op.operands[position] = operand = source
                rewriter.notify_op_modified(op)

    def is_shaped_without(self, op: Operation, position: int, source: SSAValue) -> bool:
        """Whether the result keeps its shape; the pointer of a store has that of the access."""
        if isinstance(op, tl.StoreOp | tl.AtomicOp) and position == 1:
            return False
        others = [*op.operands[:position], source, *op.operands[position + 1 :]]
        return joined(*others) == joined(*op.operands)


def broadcast_source(value: SSAValue) -> SSAValue | None:
    """What `value` repeats in every lane."""
    match value.owner:
        case tl.FullOp(value=source) | tl.BroadcastOp(operand=source):
            same = element_of(source.type) == element_of(value.type)
            return source if same and value.type != source.type else None
        case _:
            return None


class TypeLiterals(RewritePattern):
    """0.1 -> full((), 0.1, f64), where Triton would give the bare literal another type"""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for position, operand in enumerate(op.operands):
            literal = operand.owner
            if not isinstance(literal, tl.ConstantOp) or keeps_type(op, position, literal):
                continue
            full = tl.FullOp(operand, operand.type)
            rewriter.insert(full, InsertPoint.before(op))
            op.operands[position] = full.result
            rewriter.notify_op_modified(op)


def keeps_type(op: Operation, position: int, literal: tl.ConstantOp) -> bool:
    """Whether Triton reads a bare literal as this operand with its type and value.

    To compare it, Triton 3.6 to 3.8 give it its default type first.
    """
    value = python_number(literal.value)
    match op:
        case tl.FullOp() | tl.LoadOp():
            return True
        case ForOp():
            return position < 3
        case tl.StoreOp() | tl.AtomicOp():
            return fits_default(value)
        case tl.BinaryOp(kind=kind) if is_literal(op.operands[1 - position]):
            return False
        case tl.BinaryOp(kind=kind):
            return kind.data not in COMPARISONS or isinstance(value, int) or fits_default(value)
        case tl.CallOp(function=function) if function.data == Function.WHERE:
            other = op.operands[3 - position] if position > 0 else None
            known = other is not None and not is_literal(other)
            return known or (position > 0 and default_type(value) == literal.result.type)
        case tl.CallOp():
            return keeps_type_in_call(op, literal)
        case _:
            return False


def keeps_type_in_call(op: tl.CallOp, literal: tl.ConstantOp) -> bool:
    """A function makes a tensor of each literal first, and joins their types afterwards."""
    type = literal.result.type
    default = default_type(python_number(literal.value))
    if len(op.args) == 1 or default is None:
        return False
    if type == default:
        return True
    joins = not op.function.data.startswith("lib_")
    return joins and type == WIDER.get(default) and not all(map(is_literal, op.args))


WIDER: dict[Attribute, Attribute] = {f32: f64, i32: i64}
"""The type that the default type of a literal is widened to where it meets that type."""


def is_literal(value: SSAValue) -> bool:
    """Whether the value prints as a Python number, without a type of Triton's."""
    return isinstance(value.owner, tl.ConstantOp | tl.ConstexprOp)


BROADCASTS = (LowerBroadcast(),)
