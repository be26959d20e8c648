"""Blocks of matrices that a GPU moves by itself, by a description of the matrix."""

from __future__ import annotations

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation, eq, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect

from patlang_ir.dialects.tile.types import BufferType, TileType


@irdl_op_definition
class DescriptorLoadOp(IRDLOperation):
    """The block whose first element is at a row and a column; 0 outside of the matrix.

    ```mlir
    %0 = tile.descriptor_load %a[%row, %col] : !tile.buffer<f16>, i64, i64
      -> !tile.tile<[BLOCK_M, BLOCK_K], f16>
    ```
    """

    name = "tile.descriptor_load"
    buffer = operand_def(BufferType)
    row = operand_def(eq(i64))
    col = operand_def(eq(i64))
    result = result_def(TileType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$buffer `[` $row `,` $col `]` attr-dict `:` type(operands) `->` type($result)"
    )

    def __init__(self, buffer: SSAValue, row: SSAValue, col: SSAValue, type: Attribute):
        super().__init__(operands=[buffer, row, col], result_types=[type])


@irdl_op_definition
class DescriptorStoreOp(IRDLOperation):
    """Write a block whose first element is at a row and a column; the rest of it is dropped.

    ```mlir
    tile.descriptor_store %0, %c[%row, %col] : !tile.tile<[BLOCK_M, BLOCK_N], f16>,
      !tile.buffer<f16>, i64, i64
    ```
    """

    name = "tile.descriptor_store"
    value = operand_def(TileType)
    buffer = operand_def(BufferType)
    row = operand_def(eq(i64))
    col = operand_def(eq(i64))
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $buffer `[` $row `,` $col `]` attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, buffer: SSAValue, row: SSAValue, col: SSAValue):
        super().__init__(operands=[value, buffer, row, col])
