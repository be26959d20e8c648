"""What expressions compute."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    BoolAttr,
    FloatAttr,
    IntAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import (
    Region,
    SSAValue,
)
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.pat.types import (
    VALUE,
    BinaryKind,
    BinaryKindAttr,
    LogicalKind,
    LogicalKindAttr,
    UnaryKind,
    UnaryKindAttr,
    value,
)
from patlang_ir.dialects.plain_op import PlainOp


@irdl_op_definition
class ConstantOp(PlainOp):
    """A literal: an integer of any size, a double, a truth value, a string, or `unit`.

    ```mlir
    %0 = pat.constant 2.5
    %1 = pat.constant "text"
    %2 = pat.constant unit
    ```
    """

    name = "pat.constant"
    value = prop_def(IntAttr | FloatAttr | BoolAttr | StringAttr | UnitAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())

    def __init__(self, literal: Number | StringAttr | UnitAttr):
        super().__init__(properties={"value": literal}, result_types=[value])

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        if parser.parse_optional_keyword("unit") is not None:
            return cls(UnitAttr())
        return cls(parse_literal(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        if isinstance(self.value, UnitAttr):
            printer.print_string("unit")
        else:
            print_literal(printer, self.value)


@irdl_op_definition
class NameOp(PlainOp):
    """The value of a name, before it is known what the name stands for.

    ```mlir
    %0 = pat.name "offs"
    ```
    """

    name = "pat.name"
    variable = prop_def(StringAttr)
    result = result_def(VALUE)
    assembly_format = "$variable attr-dict"

    def __init__(self, variable: str):
        super().__init__(properties={"variable": StringAttr(variable)}, result_types=[value])


@irdl_op_definition
class GetOp(PlainOp):
    """The value of a variable or parameter, which with `given` holds it no longer.

    ```mlir
    %0 = pat.get "x"
    %1 = pat.get "x" given
    ```
    """

    name = "pat.get"
    variable = prop_def(StringAttr)
    given = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    assembly_format = "$variable (`given` $given^)? attr-dict"

    def __init__(self, variable: str):
        super().__init__(properties={"variable": StringAttr(variable)}, result_types=[value])


@irdl_op_definition
class ImplicitOp(PlainOp):
    """The value of a name that kernels have without declaring it, such as `offs` or `n`.

    ```mlir
    %0 = pat.implicit "offs"
    ```
    """

    name = "pat.implicit"
    variable = prop_def(StringAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$variable attr-dict"

    def __init__(self, variable: str):
        super().__init__(properties={"variable": StringAttr(variable)}, result_types=[value])


@irdl_op_definition
class UnaryOp(PlainOp):
    """`-x`, `not x`, `bnot x`.

    ```mlir
    %1 = pat.unary neg %0
    ```
    """

    name = "pat.unary"
    kind = prop_def(UnaryKindAttr)
    operand = operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$kind $operand attr-dict"

    def __init__(self, kind: UnaryKind, operand: SSAValue):
        super().__init__(
            operands=[operand], properties={"kind": UnaryKindAttr(kind)}, result_types=[value]
        )


@irdl_op_definition
class BinaryOp(PlainOp):
    """Arithmetic, comparison or bitwise work on two values.

    ```mlir
    %2 = pat.binary add %0, %1
    ```
    """

    name = "pat.binary"
    kind = prop_def(BinaryKindAttr)
    lhs = operand_def(VALUE)
    rhs = operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$kind $lhs `,` $rhs attr-dict"

    def __init__(self, kind: BinaryKind, lhs: SSAValue, rhs: SSAValue):
        super().__init__(
            operands=[lhs, rhs], properties={"kind": BinaryKindAttr(kind)}, result_types=[value]
        )


@irdl_op_definition
class LogicalOp(PlainOp):
    """`and`, `or`: the right side runs only if the left one does not decide. Gives a truth value.

    ```mlir
    %1 = pat.logical and %0 {
      %2 = pat.name "x"
      pat.yield %2
    }
    ```
    """

    name = "pat.logical"
    kind = prop_def(LogicalKindAttr)
    lhs = operand_def(VALUE)
    result = result_def(VALUE)
    rhs = region_def("single_block")
    assembly_format = "$kind $lhs $rhs attr-dict"

    def __init__(self, kind: LogicalKind, lhs: SSAValue, rhs: Region):
        super().__init__(
            operands=[lhs],
            properties={"kind": LogicalKindAttr(kind)},
            regions=[rhs],
            result_types=[value],
        )


@irdl_op_definition
class ListOp(PlainOp):
    """A new list.

    ```mlir
    %2 = pat.list [%0, %1]
    ```
    """

    name = "pat.list"
    items = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "`[` $items `]` attr-dict"

    def __init__(self, items: Sequence[SSAValue]):
        super().__init__(operands=items, result_types=[value])


@irdl_op_definition
class IndexOp(PlainOp):
    """`base[index]`: an element of a list, a character of a string.

    ```mlir
    %2 = pat.index %0[%1]
    ```
    """

    name = "pat.index"
    base = operand_def(VALUE)
    index = operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$base `[` $index `]` attr-dict"

    def __init__(self, base: SSAValue, index: SSAValue):
        super().__init__(operands=[base, index], result_types=[value])


@irdl_op_definition
class MemberOp(PlainOp):
    """`base.member`, for example the `length` of a list.

    ```mlir
    %1 = pat.member %0, "length"
    ```
    """

    name = "pat.member"
    base = operand_def(VALUE)
    member = prop_def(StringAttr)
    result = result_def(VALUE)
    assembly_format = "$base `,` $member attr-dict"

    def __init__(self, base: SSAValue, member: str):
        super().__init__(
            operands=[base], properties={"member": StringAttr(member)}, result_types=[value]
        )
