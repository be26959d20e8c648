"""Blocks of matrices: pointers to them, and what is done with whole blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects import scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    IntAttr,
    StringAttr,
)
from xdsl.ir import (
    Attribute,
    Block,
    BlockArgument,
    Operation,
    OpResult,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    MemoryReadEffect,
    MemoryWriteEffect,
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.sizes import parse_sizes, print_sizes, size_attributes
from patlang_ir.dialects.tile.types import (
    ACCESS,
    VALUE,
    AccessType,
    BufferType,
    Precision,
    PrecisionAttr,
    TileType,
    UnknownType,
    element_of,
    sizes_of,
    unknown,
)


@irdl_op_definition
class BlockPointerOp(IRDLOperation):
    """The block of a matrix whose first element is at `row` and `col`.

    The matrix has `rows` x `cols` elements. Parts of the block may lie outside of it, on any side.

    ```mlir
    %p = tile.block_pointer %a[%row, %col] of %rows x %cols as [BLOCK_M, BLOCK_K]
      : !tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[BLOCK_M, BLOCK_K], f32>
    ```
    """

    name = "tile.block_pointer"
    buffer = operand_def(BufferType)
    row = operand_def(VALUE)
    col = operand_def(VALUE)
    rows = operand_def(VALUE)
    cols = operand_def(VALUE)
    shape = prop_def(ArrayAttr[StringAttr | IntAttr])
    result = result_def(ACCESS)
    traits = traits_def(Pure())

    def __init__(
        self,
        buffer: SSAValue,
        extents: tuple[SSAValue, SSAValue],
        start: tuple[SSAValue, SSAValue],
        sizes: Sequence[str | int],
        type: Attribute = unknown,
    ):
        super().__init__(
            operands=[buffer, *start, *extents],
            properties={"shape": size_attributes(sizes)},
            result_types=[type],
        )

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse(cls, parser: Parser) -> BlockPointerOp:
        buffer = parser.parse_unresolved_operand()
        start = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_unresolved_operand
        )
        parser.parse_keyword("of")
        rows = parser.parse_unresolved_operand()
        parser.parse_keyword("x")
        names = [buffer, *start, rows, parser.parse_unresolved_operand()]
        parser.parse_keyword("as")
        shape = parse_sizes(parser)
        parser.parse_punctuation(":")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        parser.parse_punctuation("->")
        values = parser.resolve_operands(names, types, parser.pos)
        if len(values) != 5:
            parser.raise_error("a block starts at a row and a column")
        source, row, col, *extents = values
        sizes = [size.data for size in shape]
        return cls(source, (extents[0], extents[1]), (row, col), sizes, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        with printer.in_square_brackets():
            printer.print_list([self.row, self.col], printer.print_ssa_value)
        printer.print_string(" of ")
        printer.print_ssa_value(self.rows)
        printer.print_string(" x ")
        printer.print_ssa_value(self.cols)
        printer.print_string(" as ")
        print_sizes(printer, self.sizes)
        printer.print_string(" : ")
        printer.print_list(self.operand_types, printer.print_attribute)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        if isinstance(self.result.type, UnknownType):
            return
        if self.result.type != AccessType(self.sizes, element_of(self.buffer.type)):
            raise VerifyException("the block has the buffer's elements and the given shape")


def pointed_buffer(access: SSAValue) -> SSAValue:
    """The buffer that a pointer points into. A variable has one buffer on all paths."""
    while True:
        match access:
            case OpResult(op=BlockPointerOp(buffer=buffer)):
                return buffer
            case OpResult(op=AdvanceOp() as op):
                access = op.access
            case OpResult(op=scf.ForOp() as loop, index=i):
                access = loop.iter_args[i]
            case OpResult(op=scf.WhileOp() as loop, index=i):
                access = _given(loop.before_region.block, i + 1)
            case OpResult(op=scf.IfOp() as branch, index=i):
                access = _given(branch.true_region.block, i)
            case BlockArgument(block=block, index=i):
                access = _passed(block, i)
            case _:
                raise ValueError(f"{access} is no pointer to a block")


def _passed(block: Block, index: int) -> SSAValue:
    """What a variable of a loop is in the first turn."""
    match block.parent_op():
        case scf.ForOp() as loop:
            return loop.iter_args[index - 1]
        case scf.WhileOp() as loop if block is loop.before_region.block:
            return loop.arguments[index]
        case scf.WhileOp() as loop:
            return _given(loop.before_region.block, index + 1)
        case _:
            raise ValueError("a pointer is no parameter")


def _given(block: Block, index: int) -> SSAValue:
    assert block.last_op is not None
    return block.last_op.operands[index]


@irdl_op_definition
class AdvanceOp(IRDLOperation):
    """The block so many rows and columns further on.

    ```mlir
    %q = tile.advance %p by %0, %1 : !tile.access<[BLOCK_M, BLOCK_K], f32>, i64, i64
    ```
    """

    T: ClassVar = VarConstraint("T", ACCESS)
    name = "tile.advance"
    access = operand_def(T)
    rows = operand_def(VALUE)
    cols = operand_def(VALUE)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$access `by` $rows `,` $cols attr-dict `:` type(operands)"

    def __init__(self, access: SSAValue, rows: SSAValue, cols: SSAValue):
        super().__init__(operands=[access, rows, cols], result_types=[access.type])


@irdl_op_definition
class LoadBlockOp(IRDLOperation):
    """The elements of a block; 0 where it lies outside the matrix.

    ```mlir
    %0 = tile.load_block %p : !tile.access<[BLOCK_M, BLOCK_K], f32>
      -> !tile.tile<[BLOCK_M, BLOCK_K], f32>
    ```
    """

    name = "tile.load_block"
    access = operand_def(ACCESS)
    result = result_def(VALUE)
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$access attr-dict `:` type($access) `->` type($result)"

    def __init__(self, access: SSAValue, type: Attribute = unknown):
        super().__init__(operands=[access], result_types=[type])

    def verify_(self) -> None:
        _verify_block(self.access, self.result)


@irdl_op_definition
class StoreBlockOp(IRDLOperation):
    """Write the elements of a block; those outside the matrix are dropped.

    ```mlir
    tile.store_block %0, %p : !tile.tile<[BLOCK_M, BLOCK_N], f32>,
      !tile.access<[BLOCK_M, BLOCK_N], f32>
    ```
    """

    name = "tile.store_block"
    value = operand_def(VALUE)
    access = operand_def(ACCESS)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $access attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, access: SSAValue):
        super().__init__(operands=[value, access])

    def verify_(self) -> None:
        _verify_block(self.access, self.value)


def _verify_block(access: SSAValue, value: SSAValue) -> None:
    """A block in registers has the shape and the elements of its block in memory."""
    if not isinstance(access.type, AccessType) or isinstance(value.type, UnknownType):
        return
    if value.type != TileType(access.type.sizes, access.type.element):
        raise VerifyException(f"{access.type} and {value.type} differ")


@irdl_op_definition
class ZerosOp(IRDLOperation):
    """A block of zeros, which takes the type of what it meets: that of an accumulator.

    `tile-infer-shapes` makes it a constant.

    ```mlir
    %0 = tile.zeros [BLOCK_M, BLOCK_N] : !tile.unknown
    ```
    """

    name = "tile.zeros"
    shape = prop_def(ArrayAttr[StringAttr | IntAttr])
    result = result_def(VALUE)
    traits = traits_def(Pure())

    def __init__(self, sizes: Sequence[str | int], type: Attribute = unknown):
        super().__init__(properties={"shape": size_attributes(sizes)}, result_types=[type])

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse(cls, parser: Parser) -> ZerosOp:
        sizes = [size.data for size in parse_sizes(parser)]
        parser.parse_punctuation(":")
        return cls(sizes, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_sizes(printer, self.sizes)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """A block with its rows as columns.

    ```mlir
    %1 = tile.transpose %0 : !tile.tile<[BLOCK_N, BLOCK_K], f32>
      -> !tile.tile<[BLOCK_K, BLOCK_N], f32>
    ```
    """

    name = "tile.transpose"
    operand = operand_def(VALUE)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute = unknown):
        super().__init__(operands=[operand], result_types=[type])

    def verify_(self) -> None:
        if not isinstance(self.operand.type, TileType):
            return
        turned = TileType(self.operand.type.sizes[::-1], self.operand.type.element)
        if self.result.type not in (turned, unknown):
            raise VerifyException(f"expected {turned}")


@irdl_op_definition
class DotOp(IRDLOperation):
    """The product of two matrices, added to an accumulator.

    `ieee` multiplies f32 exactly as f32; `tf32` and `tf32x3` cut the operands. The products of
    f16 and bf16 are exact; those of i8 are added in i32.

    ```mlir
    %3 = tile.dot ieee %0, %1, %2 : !tile.tile<[BLOCK_M, BLOCK_K], f32>,
      !tile.tile<[BLOCK_K, BLOCK_N], f32>, !tile.tile<[BLOCK_M, BLOCK_N], f32>
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.dot"
    precision = prop_def(PrecisionAttr)
    lhs = operand_def(VALUE)
    rhs = operand_def(VALUE)
    acc = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$precision $lhs `,` $rhs `,` $acc attr-dict `:` type(operands)"

    def __init__(
        self,
        lhs: SSAValue,
        rhs: SSAValue,
        acc: SSAValue,
        precision: Precision = Precision.IEEE,
        type: Attribute | None = None,
    ):
        super().__init__(
            operands=[lhs, rhs, acc],
            properties={"precision": PrecisionAttr(precision)},
            result_types=[type or acc.type],
        )

    def verify_(self) -> None:
        if any(isinstance(operand.type, UnknownType) for operand in self.operands):
            return
        lhs, rhs, acc = (sizes_of(operand.type) for operand in self.operands)
        if len(lhs) != 2 or len(rhs) != 2 or lhs[1] != rhs[0] or acc != (lhs[0], rhs[1]):
            raise VerifyException(f"blocks of {lhs}, {rhs} and {acc} have no product")
        if element_of(self.lhs.type) != element_of(self.rhs.type):
            raise VerifyException("both factors have the same elements")


BLOCKS: tuple[type[Operation], ...] = (
    BlockPointerOp, AdvanceOp, LoadBlockOp, StoreBlockOp,
    ZerosOp, TransposeOp, DotOp,
)  # fmt: skip
"""The operations of matmul kernels."""
