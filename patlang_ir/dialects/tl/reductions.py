"""Combining the lanes of a tensor."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    VarConstraint,
    base,
    eq,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tl.attributes import (
    ReduceFunction,
    ReduceFunctionAttr,
    ReduceIndexFunction,
    ReduceIndexFunctionAttr,
)
from patlang_ir.dialects.tl.types import ANY, TensorType


@irdl_op_definition
class ReduceOp(PlainOp):
    """`tl.sum(x, axis)` and its relatives.

    ```mlir
    %1 = tl.reduce sum %0 axis 0 : !tl.tensor<[BLOCK_SIZE], f32> -> f32
    ```
    """

    name = "tl.reduce"
    function = prop_def(ReduceFunctionAttr)
    operand = operand_def(TensorType)
    axis = opt_prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = (
        "$function $operand (`axis` $axis^)? attr-dict `:` type($operand) `->` type($result)"
    )

    def __init__(
        self, function: ReduceFunction, operand: SSAValue, axis: int | None, type: Attribute
    ):
        super().__init__(
            operands=[operand],
            properties={
                "function": ReduceFunctionAttr(function),
                "axis": IntegerAttr(axis, i32) if axis is not None else None,
            },
            result_types=[type],
        )


@irdl_op_definition
class ReduceIndexOp(PlainOp):
    """The index that belongs to the first extreme value.

    ```mlir
    %2 = tl.reduce_index argmax %0, %1 axis 0 : !tl.tensor<[BLOCK_SIZE], f32>,
      !tl.tensor<[BLOCK_SIZE], i64> -> i64
    ```
    """

    name = "tl.reduce_index"
    function = prop_def(ReduceIndexFunctionAttr)
    operand = operand_def(TensorType)
    indices = operand_def(TensorType)
    axis = opt_prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(ANY)
    traits = traits_def(Pure())
    assembly_format = (
        "$function $operand `,` $indices (`axis` $axis^)? attr-dict"
        " `:` type($operand) `,` type($indices) `->` type($result)"
    )

    def __init__(
        self,
        function: ReduceIndexFunction,
        operand: SSAValue,
        indices: SSAValue,
        axis: int | None,
        type: Attribute,
    ):
        super().__init__(
            operands=[operand, indices],
            properties={
                "function": ReduceIndexFunctionAttr(function),
                "axis": IntegerAttr(axis, i32) if axis is not None else None,
            },
            result_types=[type],
        )


@irdl_op_definition
class CumsumOp(PlainOp):
    """`tl.cumsum(x, axis)`: the running sum of the lanes along an axis.

    ```mlir
    %1 = tl.cumsum %0 axis 0 : !tl.tensor<[BLOCK_SIZE], f32>
    ```
    """

    T: ClassVar = VarConstraint("T", base(TensorType))
    name = "tl.cumsum"
    operand = operand_def(T)
    axis = prop_def(IntegerAttr.constr(eq(i32)))
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand `axis` $axis attr-dict `:` type($operand)"

    def __init__(self, operand: SSAValue, axis: int):
        super().__init__(
            operands=[operand],
            properties={"axis": IntegerAttr(axis, i32)},
            result_types=[operand.type],
        )
