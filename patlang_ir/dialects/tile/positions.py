"""Where a lane is, and how large the input is."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import (
    IntAttr,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    eq,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    Pure,
)
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tile.types import (
    VALUE,
    BufferType,
    IndexKind,
    IndexKindAttr,
    SizeKind,
    SizeKindAttr,
    TileType,
    element_of,
    sizes_of,
    unknown,
)


@irdl_op_definition
class IndexOp(PlainOp):
    """The position of each lane: `offs` in the flat input, or its `row` or `col`.

    ```mlir
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    ```
    """

    name = "tile.index"
    kind = prop_def(IndexKindAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$kind attr-dict `:` type($result)"

    def __init__(self, kind: IndexKind, type: Attribute = unknown):
        super().__init__(properties={"kind": IndexKindAttr(kind)}, result_types=[type])


@irdl_op_definition
class SizeOp(PlainOp):
    """The extent of the kernel's whole input, in every stage.

    `n`, or `n_rows` and `n_cols`; those of a product of matrices are `M`, `N` and `K`.

    ```mlir
    %n = tile.size n : i64
    ```
    """

    name = "tile.size"
    kind = prop_def(SizeKindAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$kind attr-dict `:` type($result)"

    def __init__(self, kind: SizeKind, type: Attribute = i64):
        super().__init__(properties={"kind": SizeKindAttr(kind)}, result_types=[type])


@irdl_op_definition
class LengthOp(PlainOp):
    """The number of elements of a buffer.

    ```mlir
    %0 = tile.length %x : !tile.buffer<f32>
    ```
    """

    name = "tile.length"
    buffer = operand_def(BufferType)
    result = result_def(eq(i64))
    traits = traits_def(Pure())
    assembly_format = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        super().__init__(operands=[buffer], result_types=[i64])


@irdl_op_definition
class InDomainOp(PlainOp):
    """Which lanes lie inside the input; the others are padding of the last block.

    ```mlir
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    ```
    """

    name = "tile.in_domain"
    result = result_def(TileType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[str | int]):
        super().__init__(result_types=[TileType(sizes, i1)])


class AxisOp(PlainOp, ABC):
    """A number that belongs to an axis of the launch."""

    axis = prop_def(IntAttr)
    result = result_def(eq(unknown) | eq(i64))
    traits = traits_def(Pure())

    def __init__(self, axis: int, type: Attribute = i64):
        super().__init__(properties={"axis": IntAttr(axis)}, result_types=[type])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        axis = parser.parse_integer()
        parser.parse_punctuation(":")
        return cls(axis, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.axis.data} : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ProgramOp(AxisOp):
    """The number of this program along an axis of the launch.

    ```mlir
    %0 = tile.program 0 : i64
    ```
    """

    name = "tile.program"


@irdl_op_definition
class ProgramsOp(AxisOp):
    """The number of programs along an axis of the launch.

    ```mlir
    %0 = tile.programs 1 : i64
    ```
    """

    name = "tile.programs"


@irdl_op_definition
class BlockSizeOp(IRDLOperation):
    """The number of lanes of a block along an axis, as the launch chooses it.

    ```mlir
    %0 = tile.block_size BLOCK_K : i64
    ```
    """

    name = "tile.block_size"
    symbol = prop_def(StringAttr)
    result = result_def(eq(unknown) | eq(i64))
    traits = traits_def(Pure())

    def __init__(self, symbol: str, type: Attribute = i64):
        super().__init__(properties={"symbol": StringAttr(symbol)}, result_types=[type])

    @classmethod
    def parse(cls, parser: Parser) -> BlockSizeOp:
        symbol = parser.parse_identifier()
        parser.parse_punctuation(":")
        return cls(symbol, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.symbol.data} : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class LaneOp(IRDLOperation):
    """The number of each lane within its block, along the axis that has more than one.

    ```mlir
    %0 = tile.lane : !tile.tile<[BLOCK_M, 1], i64>
    ```
    """

    name = "tile.lane"
    result = result_def(TileType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[str | int]):
        super().__init__(result_types=[TileType(sizes, i64)])

    @property
    def axis(self) -> int:
        """The axis along which the lanes are counted."""
        sizes = sizes_of(self.result.type)
        return next((axis for axis, size in enumerate(sizes) if size != 1), len(sizes) - 1)

    def verify_(self) -> None:
        sizes = sizes_of(self.result.type)
        if element_of(self.result.type) != i64 or sum(size != 1 for size in sizes) > 1:
            raise VerifyException("lanes are counted along one axis, in i64")


@irdl_op_definition
class StrideOp(AxisOp):
    """How many elements lie between neighbours along an axis of a matrix.

    ```mlir
    %0 = tile.stride %a 1 : !tile.buffer<f32>
    ```
    """

    name = "tile.stride"
    buffer = operand_def(BufferType)

    def __init__(self, buffer: SSAValue, axis: int):
        IRDLOperation.__init__(
            self, operands=[buffer], properties={"axis": IntAttr(axis)}, result_types=[i64]
        )

    @classmethod
    def parse(cls, parser: Parser) -> StrideOp:
        buffer = parser.parse_unresolved_operand()
        axis = parser.parse_integer()
        parser.parse_punctuation(":")
        return cls(parser.resolve_operand(buffer, parser.parse_type()), axis)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.buffer)
        printer.print_string(f" {self.axis.data} : ")
        printer.print_attribute(self.buffer.type)
