"""Bindings, control flow and contracts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    StringAttr,
    UnitAttr,
)
from xdsl.ir import (
    Region,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.pat.programs import print_body
from patlang_ir.dialects.pat.types import VALUE, ContractKind, ContractKindAttr
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.signature import parse_body


@irdl_op_definition
class LetOp(PlainOp):
    """`let x = value`, or with `mut` the form that a bare assignment may follow.

    ```mlir
    pat.let "x", %0
    pat.let mut "x", %0
    ```
    """

    name = "pat.let"
    variable = prop_def(StringAttr)
    mutable = opt_prop_def(UnitAttr)
    value = operand_def(VALUE)
    assembly_format = "(`mut` $mutable^)? $variable `,` $value attr-dict"

    def __init__(self, variable: str, stored: SSAValue, *, mutable: bool = False):
        super().__init__(
            operands=[stored],
            properties={
                "variable": StringAttr(variable),
                "mutable": UnitAttr() if mutable else None,
            },
        )


@irdl_op_definition
class AssignOp(PlainOp):
    """`x = value`.

    ```mlir
    pat.assign "x", %0
    ```
    """

    name = "pat.assign"
    variable = prop_def(StringAttr)
    value = operand_def(VALUE)
    assembly_format = "$variable `,` $value attr-dict"

    def __init__(self, variable: str, stored: SSAValue):
        super().__init__(operands=[stored], properties={"variable": StringAttr(variable)})


@irdl_op_definition
class YieldOp(PlainOp):
    """The value of a condition or of the right side of `and` and `or`.

    ```mlir
    pat.yield %0
    ```
    """

    name = "pat.yield"
    value = operand_def(VALUE)
    traits = traits_def(IsTerminator())
    assembly_format = "$value attr-dict"

    def __init__(self, yielded: SSAValue):
        super().__init__(operands=[yielded])


@irdl_op_definition
class IfOp(IRDLOperation):
    """A chain of conditions and bodies; `else` is the last body, without a condition.

    Regions alternate: condition, body, condition, body, ..., and the body of `else` if their
    number is odd.

    ```mlir
    pat.if {
      %0 = pat.name "x"
      pat.yield %0
    } then {
    } elif {
      %1 = pat.name "y"
      pat.yield %1
    } then {
    } else {
    }
    ```
    """

    name = "pat.if"
    arms = var_region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, arms: Sequence[Region]):
        super().__init__(regions=[arms])

    @property
    def branches(self) -> tuple[tuple[Region, Region], ...]:
        """The pairs of condition and body."""
        return tuple(zip(self.arms[0::2], self.arms[1::2], strict=False))

    @property
    def otherwise(self) -> Region | None:
        """The body of `else`."""
        return self.arms[-1] if len(self.arms) % 2 else None

    def verify_(self) -> None:
        if len(self.arms) < 2:
            raise VerifyException("a condition and a body are needed")
        for condition, _ in self.branches:
            if not isinstance(condition.block.last_op, YieldOp):
                raise VerifyException("a condition ends with pat.yield")

    @classmethod
    def parse(cls, parser: Parser) -> IfOp:
        arms: list[Region] = []
        while True:
            arms.append(parse_body(parser))
            parser.parse_keyword("then")
            arms.append(parse_body(parser))
            if parser.parse_optional_keyword("elif") is None:
                break
        if parser.parse_optional_keyword("else") is not None:
            arms.append(parse_body(parser))
        return cls(arms)

    def print(self, printer: Printer) -> None:
        for position, (condition, body) in enumerate(self.branches):
            printer.print_string(" elif" if position else "")
            print_body(printer, condition)
            printer.print_string(" then")
            print_body(printer, body)
        if self.otherwise is not None:
            printer.print_string(" else")
            print_body(printer, self.otherwise)


@irdl_op_definition
class WhileOp(PlainOp):
    """`while condition do body end`.

    ```mlir
    pat.while {
      %0 = pat.name "x"
      pat.yield %0
    } do {
    }
    ```
    """

    name = "pat.while"
    condition = region_def("single_block")
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, condition: Region, body: Region):
        super().__init__(regions=[condition, body])

    def verify_(self) -> None:
        if not isinstance(self.condition.block.last_op, YieldOp):
            raise VerifyException("a condition ends with pat.yield")

    @classmethod
    def parse(cls, parser: Parser) -> WhileOp:
        condition = parse_body(parser)
        parser.parse_keyword("do")
        return cls(condition, parse_body(parser))

    def print(self, printer: Printer) -> None:
        print_body(printer, self.condition)
        printer.print_string(" do")
        print_body(printer, self.body)


@irdl_op_definition
class ReturnOp(PlainOp):
    """`return value`; without a value the call gives unit.

    ```mlir
    pat.return %0
    ```
    """

    name = "pat.return"
    value = opt_operand_def(VALUE)
    assembly_format = "($value^)? attr-dict"

    def __init__(self, returned: SSAValue | None = None):
        super().__init__(operands=[returned])


@irdl_op_definition
class ContractOp(PlainOp):
    """`require`, `ensure` or `assert`: stops the program if the condition does not hold.

    ```mlir
    pat.contract require %0
    ```
    """

    name = "pat.contract"
    kind = prop_def(ContractKindAttr)
    condition = operand_def(VALUE)
    assembly_format = "$kind $condition attr-dict"

    def __init__(self, kind: ContractKind, condition: SSAValue):
        super().__init__(operands=[condition], properties={"kind": ContractKindAttr(kind)})
