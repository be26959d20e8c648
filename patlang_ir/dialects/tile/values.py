"""Literals, comparisons, choices and conversions."""

from __future__ import annotations

from abc import ABC
from functools import cache
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    BoolAttr,
    FloatAttr,
    IntAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    VarConstraint,
    base,
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

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tile.types import (
    FLAG,
    VALUE,
    ComparePredicate,
    ComparePredicateAttr,
    UnknownType,
    WeakType,
    element_of,
    like,
    sizes_of,
    unknown,
    verify_flag,
)

compare_predicate = cache(ComparePredicateAttr)


@irdl_op_definition
class ConstantOp(PlainOp):
    """A literal.

    ```mlir
    %0 = tile.constant 2.5 : f32
    ```
    """

    name = "tile.constant"
    value = prop_def(IntAttr | FloatAttr | BoolAttr)
    result = result_def(base(UnknownType) | base(IntegerType) | AnyFloatConstr)
    traits = traits_def(Pure())

    def __init__(self, literal: Number, type: Attribute = unknown):
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
class ScalarOp(PlainOp):
    """The value of a scalar parameter, which has no type of its own before `tile-infer-shapes`.

    ```mlir
    %0 = tile.scalar %s : !tile.weak<f64>
    ```
    """

    name = "tile.scalar"
    parameter = operand_def(base(WeakType) | VALUE)
    result = result_def(eq(unknown))
    traits = traits_def(Pure())
    assembly_format = "$parameter attr-dict `:` type($parameter)"

    def __init__(self, parameter: SSAValue):
        super().__init__(operands=[parameter], result_types=[unknown])


@irdl_op_definition
class CompareOp(PlainOp):
    """A comparison; false where an operand is NaN, but `ne` is true there.

    ```mlir
    %2 = tile.compare lt %0, %1 : f32 -> i1
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.compare"
    predicate = prop_def(ComparePredicateAttr)
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(FLAG)
    traits = traits_def(Pure())
    assembly_format = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"

    def __init__(
        self,
        predicate: ComparePredicate,
        lhs: SSAValue,
        rhs: SSAValue,
        type: Attribute | None = None,
    ):
        known = unknown if lhs.type == unknown else like(lhs.type, i1)
        super().__init__(
            operands=[lhs, rhs],
            properties={"predicate": compare_predicate(predicate)},
            result_types=[type or known],
        )

    def verify_(self) -> None:
        verify_flag(self, self.result, self.lhs)


@irdl_op_definition
class SelectOp(PlainOp):
    """The second operand where the first holds, else the third.

    ```mlir
    %3 = tile.select %0, %1, %2 : i1, f32
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.select"
    condition = operand_def(FLAG)
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = (
        "$condition `,` $lhs `,` $rhs attr-dict `:` type($condition) `,` type($result)"
    )

    def __init__(
        self, condition: SSAValue, lhs: SSAValue, rhs: SSAValue, type: Attribute | None = None
    ):
        super().__init__(operands=[condition, lhs, rhs], result_types=[type or lhs.type])

    def verify_(self) -> None:
        verify_flag(self, self.condition, self.result)


class ConversionOp(PlainOp, ABC):
    """An operation whose result has another type than its operand."""

    operand = operand_def(VALUE)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute):
        super().__init__(operands=[operand], result_types=[type])


@irdl_op_definition
class CastOp(ConversionOp):
    """The same number in another element type.

    Floats round to nearest even. Float to integer truncates and saturates, NaN gives 0; integer
    to integer wraps; a truth value is 0 or 1; anything but 0 is true.

    ```mlir
    %1 = tile.cast %0 : i64 -> f32
    ```
    """

    name = "tile.cast"

    def verify_(self) -> None:
        if sizes_of(self.operand.type) != sizes_of(self.result.type):
            raise VerifyException("a cast keeps the shape")


@irdl_op_definition
class TruthOp(ConversionOp):
    """Whether a value counts as true: everything but `false` and 0.

    ```mlir
    %1 = tile.truth %0 : f32 -> i1
    ```
    """

    name = "tile.truth"

    def verify_(self) -> None:
        verify_flag(self, self.result, self.operand)


@irdl_op_definition
class BroadcastOp(ConversionOp):
    """The same value in every lane, or along an axis of size 1.

    ```mlir
    %1 = tile.broadcast %0 : f32 -> !tile.tile<[BLOCK_SIZE], f32>
    ```
    """

    name = "tile.broadcast"

    def verify_(self) -> None:
        if element_of(self.operand.type) != element_of(self.result.type):
            raise VerifyException("a broadcast keeps the element type")
        narrow, wide = sizes_of(self.operand.type), sizes_of(self.result.type)
        padded = (1,) * (len(wide) - len(narrow)) + narrow
        if len(narrow) > len(wide) or any(
            a not in (1, b) for a, b in zip(padded, wide, strict=True)
        ):
            raise VerifyException("the shapes do not broadcast")


@irdl_op_definition
class ConditionOp(PlainOp):
    """The condition of an `if` or `while`: one truth value for the whole kernel.

    ```mlir
    %1 = tile.condition %0 : !tile.unknown
    ```
    """

    name = "tile.condition"
    operand = operand_def(VALUE)
    result = result_def(eq(i1))
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand)"

    def __init__(self, operand: SSAValue):
        super().__init__(operands=[operand], result_types=[i1])
