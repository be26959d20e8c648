"""Loads, stores and atomics."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tl.attributes import AtomicFunction, AtomicFunctionAttr
from patlang_ir.dialects.tl.types import ANY, NUMBER


@irdl_op_definition
class LoadOp(PlainOp):
    """`tl.load(pointer, mask=..., other=...)`.

    ```mlir
    %3 = tl.load %0 mask %1 : i1 other %2 : f32 : !tl.pointer<f32> -> f32
    ```
    """

    name = "tl.load"
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    other = opt_operand_def(NUMBER)
    result = result_def(ANY)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$pointer (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? attr-dict"
        " `:` type($pointer) `->` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        mask: SSAValue | None,
        other: SSAValue | None,
        type: Attribute,
    ):
        super().__init__(
            operands=[pointer, mask, other],
            properties={"operandSegmentSizes": _segments(mask is not None, other is not None)},
            result_types=[type],
        )


@cache
def _segments(mask: bool, other: bool) -> Attribute:
    """How many operands of a load are its pointer, its mask and its value elsewhere."""
    return DenseArrayBase.from_list(i32, [1, int(mask), int(other)])


@irdl_op_definition
class StoreOp(PlainOp):
    """`tl.store(pointer, value, mask=...)`.

    ```mlir
    tl.store %1, %0 mask %2 : f32, !tl.pointer<f32>, i1
    ```
    """

    name = "tl.store"
    value = operand_def(ANY)
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $pointer (`mask` $mask^)? attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, pointer: SSAValue, mask: SSAValue | None):
        super().__init__(operands=[value, pointer, mask])


@irdl_op_definition
class AtomicOp(PlainOp):
    """`tl.atomic_add(pointer, value, mask=...)` and its relatives; the old value is not used.

    ```mlir
    tl.atomic add %1, %0 mask %2 : f32, !tl.pointer<f32>, i1
    ```
    """

    name = "tl.atomic"
    function = prop_def(AtomicFunctionAttr)
    value = operand_def(ANY)
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$function $value `,` $pointer (`mask` $mask^)? attr-dict `:` type(operands)"

    def __init__(
        self,
        function: AtomicFunction,
        value: SSAValue,
        pointer: SSAValue,
        mask: SSAValue | None,
    ):
        super().__init__(
            operands=[value, pointer, mask],
            properties={"function": AtomicFunctionAttr(function)},
        )


@irdl_op_definition
class BarrierOp(PlainOp):
    """`tl.debug_barrier()`: the threads of a program wait for each other.

    ```mlir
    tl.barrier
    ```
    """

    name = "tl.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()
