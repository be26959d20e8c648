"""Closures, events, classes and records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
)
from xdsl.ir import (
    Region,
    SSAValue,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
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
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.pat.programs import print_body
from patlang_ir.dialects.pat.types import VALUE, value
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.signature import parse_body


@irdl_op_definition
class ClosureOp(PlainOp):
    """`|x| { ... }`: a function as a value, as it was written.

    What it mentions of the variables around it gets the values they have here. `returns` is that of
    a method. `pat-lift-closures` makes a function of the body.

    ```mlir
    %0 = pat.closure("x") {
      %1 = pat.name "x"
      %2 = pat.name "step"
      %3 = pat.binary add %1, %2
      pat.return %3
    }
    ```
    """

    name = "pat.closure"
    params = prop_def(ArrayAttr[StringAttr])
    result_name = opt_prop_def(StringAttr)
    result = result_def(VALUE)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, params: Sequence[str], body: Region, *, returns: str | None = None):
        super().__init__(
            properties={
                "params": ArrayAttr(map(StringAttr, params)),
                "result_name": StringAttr(returns) if returns is not None else None,
            },
            regions=[body],
            result_types=[value],
        )

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    def verify_(self) -> None:
        if len(set(self.param_names)) != len(self.param_names):
            raise VerifyException("a parameter is given twice")

    @classmethod
    def parse(cls, parser: Parser) -> ClosureOp:
        params = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_str_literal)
        returns = None
        if parser.parse_optional_keyword("returns") is not None:
            returns = parser.parse_str_literal()
        return cls(params, parse_body(parser), returns=returns)

    def print(self, printer: Printer) -> None:
        with printer.in_parens():
            printer.print_list(self.param_names, printer.print_string_literal)
        if self.result_name is not None:
            printer.print_string(" returns ")
            printer.print_string_literal(self.result_name.data)
        print_body(printer, self.body)


@irdl_op_definition
class MakeClosureOp(PlainOp):
    """A closure of a function of the module, whose first parameters are bound to values.

    ```mlir
    %1 = pat.make_closure "main.add"(%0)
    ```
    """

    name = "pat.make_closure"
    callee = prop_def(StringAttr)
    captured = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $captured `)` attr-dict"

    def __init__(self, callee: str, captured: Sequence[SSAValue]):
        super().__init__(
            operands=captured, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class SendOp(PlainOp):
    """`base.method(args)`: a method of the record that `base` names.

    ```mlir
    %2 = pat.send %0, "deposit"(%1)
    ```
    """

    name = "pat.send"
    base = operand_def(VALUE)
    method = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$base `,` $method `(` $args `)` attr-dict"

    def __init__(self, base: SSAValue, method: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=[base, *args], properties={"method": StringAttr(method)}, result_types=[value]
        )


@irdl_op_definition
class SetMemberOp(PlainOp):
    """`base.member = value`, where `base` names a record.

    ```mlir
    pat.set_member %0, "balance", %1
    ```
    """

    name = "pat.set_member"
    base = operand_def(VALUE)
    member = prop_def(StringAttr)
    value = operand_def(VALUE)
    assembly_format = "$base `,` $member `,` $value attr-dict"

    def __init__(self, base: SSAValue, member: str, stored: SSAValue):
        super().__init__(operands=[base, stored], properties={"member": StringAttr(member)})


@irdl_op_definition
class WhenOp(PlainOp):
    """`when event do ... end`: from here on the closure runs when the event is emitted.

    ```mlir
    pat.when "tick", %0
    ```
    """

    name = "pat.when"
    event = prop_def(StringAttr)
    handler = operand_def(VALUE)
    assembly_format = "$event `,` $handler attr-dict"

    def __init__(self, event: str, handler: SSAValue):
        super().__init__(operands=[handler], properties={"event": StringAttr(event)})


@irdl_op_definition
class ClassOp(IRDLOperation):
    """`class NAME inherits P { ... }`: default values of fields, and methods, which are closures
    that get the name of the record as their first argument.

    ```mlir
    pat.class "Savings" inherits "Account" traits ["Audited"]
        fields ["rate"](%0) methods ["grow"](%1)
    ```
    """

    name = "pat.class"
    class_name = prop_def(StringAttr)
    inherits = opt_prop_def(StringAttr)
    class_traits = prop_def(ArrayAttr[StringAttr])
    fields = prop_def(ArrayAttr[StringAttr])
    methods = prop_def(ArrayAttr[StringAttr])
    defaults = var_operand_def(VALUE)
    closures = var_operand_def(VALUE)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$class_name (`inherits` $inherits^)? `traits` $class_traits "
        "`fields` $fields `(` $defaults `)` `methods` $methods `(` $closures `)` attr-dict"
    )

    def __init__(
        self,
        class_name: str,
        inherits: str | None,
        traits: Sequence[str],
        fields: Mapping[str, SSAValue],
        methods: Mapping[str, SSAValue],
    ):
        super().__init__(
            operands=[[*fields.values()], [*methods.values()]],
            properties={
                "class_name": StringAttr(class_name),
                "inherits": StringAttr(inherits) if inherits is not None else None,
                "class_traits": ArrayAttr(map(StringAttr, traits)),
                "fields": ArrayAttr(map(StringAttr, fields)),
                "methods": ArrayAttr(map(StringAttr, methods)),
            },
        )

    def verify_(self) -> None:
        for names, given in ((self.fields, self.defaults), (self.methods, self.closures)):
            if len(names) != len(given):
                raise VerifyException(f"{len(names)} names and {len(given)} values")
            if len(set(names)) != len(names):
                raise VerifyException("a field or a method is given twice")
