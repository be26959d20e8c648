"""Numbers and tensors: literals, positions, operators and functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import ClassVar

from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntAttr, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    VarConstraint,
    eq,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tl.attributes import (
    BinaryKind,
    BinaryKindAttr,
    Function,
    FunctionAttr,
    UnaryKind,
    UnaryKindAttr,
)
from patlang_ir.dialects.tl.types import ANY, NUMBER, TensorType

binary_kind = cache(BinaryKindAttr)
function_attribute = cache(FunctionAttr)


@irdl_op_definition
class ConstexprOp(PlainOp):
    """A compile-time parameter of the kernel, such as `BLOCK_SIZE`.

    ```mlir
    %0 = tl.constexpr "BLOCK_SIZE" : i32
    ```
    """

    name = "tl.constexpr"
    symbol = prop_def(StringAttr)
    result = result_def(NUMBER)
    traits = traits_def(Pure())
    assembly_format = "$symbol attr-dict `:` type($result)"

    def __init__(self, symbol: str, type: Attribute = i32):
        super().__init__(properties={"symbol": StringAttr(symbol)}, result_types=[type])


@irdl_op_definition
class ConstantOp(PlainOp):
    """A Python literal. Triton gives it the type of the operand that it meets.

    ```mlir
    %0 = tl.constant 0.5 : f32
    ```
    """

    name = "tl.constant"
    value = prop_def(IntAttr | FloatAttr | BoolAttr)
    result = result_def(NUMBER)
    traits = traits_def(Pure())

    def __init__(self, literal: Number, type: Attribute):
        super().__init__(properties={"value": literal}, result_types=[type])

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        literal = parse_literal(parser)
        if isinstance(literal, StringAttr):
            parser.raise_error("expected a number or a truth value")
        parser.parse_punctuation(":")
        return cls(literal, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_literal(printer, self.value)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ProgramIdOp(PlainOp):
    """`tl.program_id(axis)`.

    ```mlir
    %0 = tl.program_id 0 : i32
    ```
    """

    name = "tl.program_id"
    axis = prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(NUMBER)
    traits = traits_def(Pure())

    def __init__(self, axis: int):
        super().__init__(properties={"axis": IntegerAttr(axis, i32)}, result_types=[i32])

    @classmethod
    def parse(cls, parser: Parser) -> ProgramIdOp:
        axis = parser.parse_integer()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls(axis)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.axis.value.data} : i32")


@irdl_op_definition
class NumProgramsOp(PlainOp):
    """`tl.num_programs(axis)`.

    ```mlir
    %0 = tl.num_programs 0 : i32
    ```
    """

    name = "tl.num_programs"
    axis = prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(NUMBER)
    traits = traits_def(Pure())

    def __init__(self, axis: int):
        super().__init__(properties={"axis": IntegerAttr(axis, i32)}, result_types=[i32])

    @classmethod
    def parse(cls, parser: Parser) -> NumProgramsOp:
        axis = parser.parse_integer()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls(axis)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.axis.value.data} : i32")


@irdl_op_definition
class ArangeOp(PlainOp):
    """`tl.arange(0, SIZE)`: 32-bit numbers from 0.

    ```mlir
    %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>
    ```
    """

    name = "tl.arange"
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: str | int):
        super().__init__(result_types=[TensorType([size], i32)])


@irdl_op_definition
class FullOp(PlainOp):
    """`tl.full(shape, value, dtype)`; for a scalar the shape is `()`.

    ```mlir
    %1 = tl.full %0 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>
    ```
    """

    name = "tl.full"
    value = operand_def(NUMBER)
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($value) `->` type($result)"

    def __init__(self, value: SSAValue, type: Attribute):
        super().__init__(operands=[value], result_types=[type])


@irdl_op_definition
class ExpandOp(PlainOp):
    """`x[:, None]` (axis 1) or `x[None, :]` (axis 0).

    ```mlir
    %1 = tl.expand %0 axis 1 : !tl.tensor<[BLOCK_R], i32> -> !tl.tensor<[BLOCK_R, 1], i32>
    ```
    """

    name = "tl.expand"
    operand = operand_def(TensorType)
    axis = prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand `axis` $axis attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, axis: int, type: Attribute):
        super().__init__(
            operands=[operand],
            properties={"axis": IntegerAttr(axis, i32)},
            result_types=[type],
        )


@irdl_op_definition
class BroadcastOp(PlainOp):
    """`tl.broadcast_to(x, shape)`, for a value that must have its full shape.

    ```mlir
    %1 = tl.broadcast_to %0 : f32 -> !tl.tensor<[BLOCK_SIZE], f32>
    ```
    """

    name = "tl.broadcast_to"
    operand = operand_def(ANY)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute):
        super().__init__(operands=[operand], result_types=[type])


@irdl_op_definition
class UnaryOp(PlainOp):
    """`-x` or `~x`.

    ```mlir
    %1 = tl.unary neg %0 : f32
    ```
    """

    T: ClassVar = VarConstraint("T", ANY)
    name = "tl.unary"
    kind = prop_def(UnaryKindAttr)
    operand = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$kind $operand attr-dict `:` type($result)"

    def __init__(self, kind: UnaryKind, operand: SSAValue):
        super().__init__(
            operands=[operand],
            properties={"kind": UnaryKindAttr(kind)},
            result_types=[operand.type],
        )


@irdl_op_definition
class BinaryOp(PlainOp):
    """A Python operator between two values; Triton broadcasts a scalar operand.

    ```mlir
    %2 = tl.binary add %0, %1 : !tl.pointer<f32>, i64 -> !tl.pointer<f32>
    ```
    """

    name = "tl.binary"
    kind = prop_def(BinaryKindAttr)
    lhs = operand_def(ANY)
    rhs = operand_def(ANY)
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = (
        "$kind $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"
    )

    def __init__(self, kind: BinaryKind, lhs: SSAValue, rhs: SSAValue, type: Attribute):
        super().__init__(
            operands=[lhs, rhs], properties={"kind": binary_kind(kind)}, result_types=[type]
        )


@irdl_op_definition
class CallOp(PlainOp):
    """A call of a function on elements: `tl.where(...)`, `libdevice.exp(...)`.

    ```mlir
    %1 = tl.call sqrt_rn(%0) : (f32) -> f32
    ```
    """

    name = "tl.call"
    function = prop_def(FunctionAttr)
    args = var_operand_def(ANY)
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = "$function `(` $args `)` attr-dict `:` functional-type(operands, results)"

    def __init__(self, function: Function, args: Sequence[SSAValue], type: Attribute):
        super().__init__(
            operands=args,
            properties={"function": function_attribute(function)},
            result_types=[type],
        )


@irdl_op_definition
class CastOp(PlainOp):
    """`x.to(dtype)`, or with `bitcast` the same bits.

    ```mlir
    %1 = tl.cast %0 : i32 -> i64
    ```
    """

    name = "tl.cast"
    operand = operand_def(ANY)
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute):
        super().__init__(operands=[operand], result_types=[type])
