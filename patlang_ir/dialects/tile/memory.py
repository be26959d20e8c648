"""Loads and stores of elements."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    UnitAttr,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
)
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.pat import AtomicKind, AtomicKindAttr
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tile.types import (
    FLAG,
    INDEX,
    VALUE,
    BufferType,
    UnknownType,
    element_of,
    like,
    unknown,
    verify_flag,
)


@irdl_op_definition
class LoadOp(PlainOp):
    """Elements of a buffer. Where the index is outside the buffer the result is 0.

    With a `mask` the memory is touched only where it holds, and the result is 0 elsewhere;
    `tile-guard-accesses` adds it.

    ```mlir
    %1 = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32
    %3 = tile.load %x[%0] mask %2 : (!tile.buffer<f32>, i64, i1) -> f32
    ```
    """

    name = "tile.load"
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)? attr-dict"
        " `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        buffer: SSAValue,
        index: SSAValue,
        type: Attribute = unknown,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[buffer, index, mask],
            properties={"guarded": UnitAttr() if guarded else None},
            result_types=[type],
        )

    def verify_(self) -> None:
        if isinstance(self.result.type, UnknownType):
            return
        if self.result.type != like(self.index.type, element_of(self.buffer.type)):
            raise VerifyException("the result has the buffer's elements and the index's shape")
        if self.mask is not None:
            verify_flag(self, self.mask, self.index)


@irdl_op_definition
class StoreOp(PlainOp):
    """Write elements of a buffer. Nothing is written where the index is outside the buffer, nor
    by padding lanes.

    With a `mask` memory is touched only where it holds; `tile-guard-accesses` adds it.

    ```mlir
    tile.store %1, %out[%0] : f32, !tile.buffer<f32>, i64
    tile.store %1, %out[%0] mask %2 : f32, !tile.buffer<f32>, i64, i1
    ```
    """

    name = "tile.store"
    value = operand_def(VALUE)
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = (
        "$value `,` $buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)? attr-dict"
        " `:` type(operands)"
    )

    def __init__(
        self,
        value: SSAValue,
        buffer: SSAValue,
        index: SSAValue,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[value, buffer, index, mask],
            properties={"guarded": UnitAttr() if guarded else None},
        )

    def verify_(self) -> None:
        verify_write(self)


@irdl_op_definition
class BarrierOp(PlainOp):
    """All lanes of a program finish the accesses before it, then those after it begin.

    `tile-place-barriers` adds it; before that every statement is one.

    ```mlir
    tile.barrier
    ```
    """

    name = "tile.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


@irdl_op_definition
class AtomicOp(PlainOp):
    """Combine values into elements of a buffer, one lane after the other in any order.

    ```mlir
    tile.atomic add %1, %out[%0] : f32, !tile.buffer<f32>, i64
    ```
    """

    name = "tile.atomic"
    kind = prop_def(AtomicKindAttr)
    value = operand_def(VALUE)
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$kind $value `,` $buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)?"
        " attr-dict `:` type(operands)"
    )

    def __init__(
        self,
        kind: AtomicKind,
        value: SSAValue,
        buffer: SSAValue,
        index: SSAValue,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[value, buffer, index, mask],
            properties={
                "kind": AtomicKindAttr(kind),
                "guarded": UnitAttr() if guarded else None,
            },
        )

    def verify_(self) -> None:
        verify_write(self)


def verify_write(op: StoreOp | AtomicOp) -> None:
    """The value of a write has the buffer's elements and the index's shape."""
    if isinstance(op.value.type, UnknownType) or isinstance(op.index.type, UnknownType):
        return
    if op.value.type != like(op.index.type, element_of(op.buffer.type)):
        raise VerifyException("the value has the buffer's elements and the index's shape")
    if op.mask is not None:
        verify_flag(op, op.mask, op.index)
