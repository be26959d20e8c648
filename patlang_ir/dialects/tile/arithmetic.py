"""Arithmetic and mathematics, for each lane alone."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.ir import (
    Attribute,
    SSAValue,
)
from xdsl.irdl import (
    VarConstraint,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import (
    Pure,
)

from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.tile.types import VALUE


class UnaryOp(PlainOp, ABC):
    """An operation on each element that keeps the type."""

    T: ClassVar = VarConstraint("T", VALUE)
    operand = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute | None = None):
        super().__init__(operands=[operand], result_types=[type or operand.type])


class BinaryOp(PlainOp, ABC):
    """An operation on the elements of two values of one type, which is also that of the result."""

    T: ClassVar = VarConstraint("T", VALUE)
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue, type: Attribute | None = None):
        super().__init__(operands=[lhs, rhs], result_types=[type or lhs.type])


@irdl_op_definition
class AddOp(BinaryOp):
    """The sum. Integers wrap."""

    name = "tile.add"


@irdl_op_definition
class SubOp(BinaryOp):
    """The difference. Integers wrap."""

    name = "tile.sub"


@irdl_op_definition
class MulOp(BinaryOp):
    """The product. Integers wrap."""

    name = "tile.mul"


@irdl_op_definition
class DivOp(BinaryOp):
    """The quotient of two floats, correctly rounded."""

    name = "tile.div"


@irdl_op_definition
class QuotientOp(BinaryOp):
    """The quotient of two integers, truncated toward zero; 0 where the divisor is 0."""

    name = "tile.quotient"


@irdl_op_definition
class RemOp(BinaryOp):
    """The remainder of truncating division, with the sign of the left operand.

    For floats it is exact. For integers it is 0 where the divisor is 0.
    """

    name = "tile.rem"


@irdl_op_definition
class MaxOp(BinaryOp):
    """The larger value; NaN if one is NaN; +0 is larger than -0."""

    name = "tile.max"


@irdl_op_definition
class MinOp(BinaryOp):
    """The smaller value; NaN if one is NaN; -0 is smaller than +0."""

    name = "tile.min"


@irdl_op_definition
class PowOp(BinaryOp):
    """The left operand to the power of the right one. Floats."""

    name = "tile.pow"


@irdl_op_definition
class AndOp(BinaryOp):
    """Logical and of truth values."""

    name = "tile.and"


@irdl_op_definition
class OrOp(BinaryOp):
    """Logical or of truth values."""

    name = "tile.or"


@irdl_op_definition
class BandOp(BinaryOp):
    """Bitwise and of integers."""

    name = "tile.band"


@irdl_op_definition
class BorOp(BinaryOp):
    """Bitwise or of integers."""

    name = "tile.bor"


@irdl_op_definition
class BxorOp(BinaryOp):
    """Bitwise exclusive or of integers."""

    name = "tile.bxor"


@irdl_op_definition
class ShlOp(BinaryOp):
    """Shift left; 0 where the count is at least the width. A negative count counts as that too."""

    name = "tile.shl"


@irdl_op_definition
class ShrOp(BinaryOp):
    """Arithmetic shift right; the sign where the count is negative or at least the width."""

    name = "tile.shr"


@irdl_op_definition
class NegOp(UnaryOp):
    """The negative. Integers wrap."""

    name = "tile.neg"


@irdl_op_definition
class NotOp(UnaryOp):
    """Logical not of a truth value."""

    name = "tile.not"


@irdl_op_definition
class BnotOp(UnaryOp):
    """Bitwise complement of an integer."""

    name = "tile.bnot"


@irdl_op_definition
class AbsOp(UnaryOp):
    """The absolute value. The smallest integer wraps to itself."""

    name = "tile.abs"


@irdl_op_definition
class SqrtOp(UnaryOp):
    """The square root, correctly rounded; NaN for negative values."""

    name = "tile.sqrt"


@irdl_op_definition
class FloorOp(UnaryOp):
    """The largest whole number not above the value."""

    name = "tile.floor"


@irdl_op_definition
class CeilOp(UnaryOp):
    """The smallest whole number not below the value."""

    name = "tile.ceil"


@irdl_op_definition
class TruncOp(UnaryOp):
    """The value without its fraction."""

    name = "tile.trunc"


@irdl_op_definition
class RoundOp(UnaryOp):
    """The nearest whole number; halves away from zero."""

    name = "tile.round"


@irdl_op_definition
class ExpOp(UnaryOp):
    """e to the power of the value."""

    name = "tile.exp"


@irdl_op_definition
class Exp2Op(UnaryOp):
    """2 to the power of the value."""

    name = "tile.exp2"


@irdl_op_definition
class LogOp(UnaryOp):
    """The natural logarithm; NaN for negative values, -inf for 0."""

    name = "tile.log"


@irdl_op_definition
class Log2Op(UnaryOp):
    """The logarithm to base 2."""

    name = "tile.log2"


@irdl_op_definition
class SinOp(UnaryOp):
    """The sine of an angle in radians."""

    name = "tile.sin"


@irdl_op_definition
class CosOp(UnaryOp):
    """The cosine of an angle in radians."""

    name = "tile.cos"


@irdl_op_definition
class TanOp(UnaryOp):
    """The tangent of an angle in radians."""

    name = "tile.tan"


@irdl_op_definition
class TanhOp(UnaryOp):
    """The hyperbolic tangent."""

    name = "tile.tanh"


@irdl_op_definition
class ErfOp(UnaryOp):
    """The error function."""

    name = "tile.erf"


@irdl_op_definition
class FmaOp(PlainOp):
    """`a * b + c` with one rounding.

    ```mlir
    %3 = tile.fma %0, %1, %2 : f32
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.fma"
    a = operand_def(T)
    b = operand_def(T)
    c = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$a `,` $b `,` $c attr-dict `:` type($result)"

    def __init__(self, a: SSAValue, b: SSAValue, c: SSAValue, type: Attribute | None = None):
        super().__init__(operands=[a, b, c], result_types=[type or a.type])
