"""What combines several lanes."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    IntAttr,
    UnitAttr,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    Pure,
)

from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tile.types import VALUE, ReduceKind, ReduceKindAttr, unknown


@irdl_op_definition
class ReduceOp(PlainOp):
    """One value from the lanes of the whole input, or of each row or column.

    Without an axis the result is a scalar; with one, that axis has size 1. With `in_block` the
    lanes are only those of this program's block.

    ```mlir
    %1 = tile.reduce sum %0 : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %3 = tile.reduce max %2 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32>
      -> !tile.tile<[BLOCK_R, 1], f32>
    ```
    """

    name = "tile.reduce"
    kind = prop_def(ReduceKindAttr)
    operand = operand_def(VALUE)
    axis = opt_prop_def(IntAttr)
    in_block = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())

    def __init__(
        self,
        kind: ReduceKind,
        operand: SSAValue,
        axis: int | None = None,
        type: Attribute = unknown,
        *,
        in_block: bool = False,
    ):
        super().__init__(
            operands=[operand],
            properties={
                "kind": ReduceKindAttr(kind),
                "axis": IntAttr(axis) if axis is not None else None,
                "in_block": UnitAttr() if in_block else None,
            },
            result_types=[type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        kind = parser.parse_str_enum(ReduceKind)
        operand = parser.parse_unresolved_operand()
        axis = parser.parse_integer() if parser.parse_optional_keyword("axis") else None
        in_block = parser.parse_optional_keyword("in_block") is not None
        parser.parse_punctuation(":")
        value = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_punctuation("->")
        return cls(kind, value, axis, parser.parse_type(), in_block=in_block)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} ")
        printer.print_ssa_value(self.operand)
        if self.axis is not None:
            printer.print_string(f" axis {self.axis.data}")
        if self.in_block is not None:
            printer.print_string(" in_block")
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ScanOp(PlainOp):
    """The running sum of the lanes along an axis, each lane's own value included.

    With `in_block` it starts anew in each block.

    ```mlir
    %1 = tile.scan %0 axis 0 : !tile.tile<[BLOCK_SIZE], f32>
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.scan"
    operand = operand_def(T)
    axis = prop_def(IntAttr)
    in_block = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue,
        axis: int,
        type: Attribute | None = None,
        *,
        in_block: bool = False,
    ):
        super().__init__(
            operands=[operand],
            properties={"axis": IntAttr(axis), "in_block": UnitAttr() if in_block else None},
            result_types=[type or operand.type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("axis")
        axis = parser.parse_integer()
        in_block = parser.parse_optional_keyword("in_block") is not None
        parser.parse_punctuation(":")
        value = parser.resolve_operand(operand, parser.parse_type())
        return cls(value, axis, in_block=in_block)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(f" axis {self.axis.data}")
        if self.in_block is not None:
            printer.print_string(" in_block")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)
