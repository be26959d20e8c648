"""Writing `tl` operations: what each has for a type, and the base of the lowering patterns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from typing import ClassVar, Protocol, cast

from xdsl.dialects.builtin import f32, i1, i16
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.tl import (
    BinaryKind,
    Function,
    UnaryKind,
    element_of,
    like,
    shaped,
    sizes_of,
)
from patlang_ir.passes.lowering.numbers import HALVES, cast_number, literal_of
from patlang_ir.rewriting import PatternOf

COMPARISONS = frozenset(["eq", "ne", "lt", "le", "gt", "ge"])


class WithResult(Protocol):
    @property
    def result(self) -> SSAValue: ...


class Emitter:
    """Writes operations one after the other; each method gives the value of the new one."""

    def __init__(self) -> None:
        self.ops: list[Operation] = []

    def add(self, op: Operation) -> SSAValue:
        self.ops.append(op)
        return cast(WithResult, op).result

    def literal(self, value: bool | int | float, element: Attribute) -> SSAValue:
        return self.add(tl.ConstantOp(literal_of(value, element), element))

    def full(self, value: SSAValue, type: Attribute) -> SSAValue:
        return self.add(tl.FullOp(value, type))

    def binary(self, kind: BinaryKind, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        element = i1 if kind in COMPARISONS else element_of(lhs.type)
        return self.add(tl.BinaryOp(kind, lhs, rhs, shaped(joined(lhs, rhs), element)))

    def call(self, function: Function, *args: SSAValue) -> SSAValue:
        return self.add(tl.CallOp(function, args, shaped(joined(*args), element_of(args[-1].type))))

    def where(self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.call(Function.WHERE, condition, lhs, rhs)

    def cast(self, value: SSAValue, element: Attribute) -> SSAValue:
        """`value` in another element type; a literal becomes another literal."""
        if element_of(value.type) == element:
            return value
        match value.owner:
            case tl.ConstantOp(value=literal):
                return self.literal(cast_number(python_number(literal), element), element)
            case tl.ConstexprOp():
                return self.full(value, element)
            case tl.FullOp(value=scalar) if element_of(scalar.type) == element_of(value.type):
                return self.full(self.cast(scalar, element), like(value.type, element))
            case Operation():
                return self.add(tl.CastOp(value, like(value.type, element)))
            case _ if isinstance(value.type, tl.TensorType):
                return self.add(tl.CastOp(value, like(value.type, element)))
            case _:
                # A scalar argument or loop index may be a Python number in Triton's interpreter.
                return self.full(value, element)


def joined(*values: SSAValue) -> tuple[str | int, ...]:
    """The sizes that values of these shapes broadcast to."""
    shapes = {sizes_of(value.type) for value in values} - {()}
    if len(shapes) < 2:
        return next(iter(shapes), ())
    rank = max(map(len, shapes))
    padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return tuple(
        next((size for size in axis if size != 1), 1) for axis in zip(*padded, strict=True)
    )


def negative(value: SSAValue, emit: Emitter) -> SSAValue:
    """-a for integers, wrapping.

    For 16 bits it is `z - a`, where z is a program number that is 0 in every launch: NVIDIA's
    assembler takes `neg.s16` of -32768, and `abs.s16`, as 32768 if the result is widened.
    """
    element = element_of(value.type)
    if element != i16:
        return emit.add(tl.UnaryOp(UnaryKind.NEG, value))
    zero = emit.cast(emit.add(tl.ProgramIdOp(2)), element)
    return emit.binary(BinaryKind.SUB, zero, value)


def in_f32(
    emit: Emitter, operands: Sequence[SSAValue], compute: Callable[[Sequence[SSAValue]], SSAValue]
) -> SSAValue:
    """Compute with f16 and bf16 in f32, and round once; other types as they are."""
    element = element_of(operands[-1].type)
    if element not in HALVES:
        return compute(operands)
    return emit.cast(compute([emit.cast(operand, f32) for operand in operands]), element)


@cache
def converted(type: Attribute) -> Attribute:
    """The `tl` type of a `tile` type."""
    match type:
        case tile.TileType():
            return tl.TensorType(type.sizes, type.element)
        case tile.BufferType():
            return tl.PointerType(type.element)
        case tile.WeakType():
            return type.element
        case _:
            return type


def is_strict(op: Operation) -> bool:
    """Whether the kernel around `op` asks for the same bits everywhere."""
    parent: Operation | None = op
    while parent is not None and not isinstance(parent, tile.KernelOp):
        parent = parent.parent_op()
    option = parent.option("math") if parent is not None else None
    return option is None or "fast" not in str(option)


class Lowering(ABC):
    """Replaces one kind of operation, whose operands are lowered already."""

    operations: ClassVar[tuple[type[Operation], ...]]

    @abstractmethod
    def lower(self, op: Operation, emit: Emitter) -> SSAValue | None:
        """Write the operations in place of `op`; its new value, or nothing to leave `op` alone."""


class Lowerings(PatternOf):
    """Applies the first of several lowerings that is for an operation and does not leave it."""

    def __init__(self, lowerings: Sequence[Lowering]):
        self.table: dict[type[Operation], list[Lowering]] = {}
        for lowering in lowerings:
            for operation in lowering.operations:
                self.table.setdefault(operation, []).append(lowering)
        self.operations = self.table.keys()

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        for lowering in self.table.get(type(op), ()):
            emit = Emitter()
            value = lowering.lower(op, emit)
            if value is not None:
                self.replace(op, emit.ops, value, rewriter)
                return

    def replace(
        self, op: Operation, new: list[Operation], value: SSAValue, rewriter: PatternRewriter
    ) -> None:
        """Replace `op`; of the new values the one that stands for its result takes its name."""
        name, op.results[0].name_hint = op.results[0].name_hint, None
        rewriter.replace(op, new, [value])
        if value.name_hint is None:
            value.name_hint = name
