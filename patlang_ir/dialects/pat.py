"""`pat`: a PatLang program as it was written.

Variables have names, values are dynamic, control flow is structured. Host functions and kernels
look alike here. Names are open at first (`pat.name`, `pat.apply`); `pat-resolve-names` says what
each of them is.

A statement's block has no terminator. A block that computes one value (a condition, the right
side of `and`) ends with `pat.yield`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    Block,
    Dialect,
    Operation,
    ParametrizedAttribute,
    Region,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    eq,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
    var_region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, NoTerminator, Pure, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.plain_op import PlainOp
from patlang_ir.dialects.signature import parse_body

# --- types and attributes ---


@irdl_attr_definition
class ValueType(ParametrizedAttribute, TypeAttribute):
    """Any PatLang value: unit, truth value, number, string, list or closure."""

    name = "pat.value"


value = ValueType()
VALUE = eq(value)


class UnaryKind(StrEnum):
    NEG = "neg"
    NOT = "not"
    BNOT = "bnot"


class BinaryKind(StrEnum):
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    REM = "rem"
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"
    BAND = "band"
    BOR = "bor"
    BXOR = "bxor"
    SHL = "shl"
    SHR = "shr"


class LogicalKind(StrEnum):
    AND = "and"
    OR = "or"


class ContractKind(StrEnum):
    REQUIRE = "require"
    ENSURE = "ensure"
    ASSERT = "assert"


class KernelKind(StrEnum):
    LINEAR = "linear"
    GRID = "grid"
    MATMUL = "matmul"


class AtomicKind(StrEnum):
    ADD = "add"
    MAX = "max"
    MIN = "min"


@irdl_attr_definition
class UnaryKindAttr(EnumAttribute[UnaryKind], SpacedOpaqueSyntaxAttribute):
    name = "pat.unary_kind"


@irdl_attr_definition
class BinaryKindAttr(EnumAttribute[BinaryKind], SpacedOpaqueSyntaxAttribute):
    name = "pat.binary_kind"


@irdl_attr_definition
class LogicalKindAttr(EnumAttribute[LogicalKind], SpacedOpaqueSyntaxAttribute):
    name = "pat.logical_kind"


@irdl_attr_definition
class ContractKindAttr(EnumAttribute[ContractKind], SpacedOpaqueSyntaxAttribute):
    name = "pat.contract_kind"


@irdl_attr_definition
class AtomicKindAttr(EnumAttribute[AtomicKind], SpacedOpaqueSyntaxAttribute):
    name = "pat.atomic_kind"


@irdl_attr_definition
class KernelKindAttr(EnumAttribute[KernelKind], SpacedOpaqueSyntaxAttribute):
    """What a marker makes of a function: `linear` (1-D), `grid` (2-D) or `matmul`."""

    name = "pat.kernel_kind"


# --- program structure ---


def _print_body(printer: Printer, region: Region) -> None:
    printer.print_string(" ")
    printer.print_region(region, print_empty_block=False)


def block_region(ops: Iterable[Operation] = ()) -> Region:
    """A region of one block that holds `ops`."""
    return Region(Block(ops))


LIBRARIES = "pat.libraries"
"""The attribute of a module that lists the bundled libraries it includes."""


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """The statements at the top level, in their order.

    ```mlir
    pat.program {
      %0 = pat.constant 1
      pat.let "x", %0
    }
    ```
    """

    name = "pat.program"
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, body: Region):
        super().__init__(regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> ProgramOp:
        return cls(parse_body(parser))

    def print(self, printer: Printer) -> None:
        _print_body(printer, self.body)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function; with `kernel` it is a marked one.

    The parameters are variables of the body. `returns "r"` names the variable whose value a call
    gives when the body ends without `pat.return`. `options` are those of the marker.

    ```mlir
    pat.func @twice("x") returns "r" {
      %0 = pat.name "x"
      %1 = pat.binary add %0, %0
      pat.let "r", %1
    }
    pat.func @copy("x", "out") kernel linear options {math = "fast"} {
    }
    ```
    """

    name = "pat.func"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[StringAttr])
    result_name = opt_prop_def(StringAttr)
    kernel = opt_prop_def(KernelKindAttr)
    options = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        params: Sequence[str],
        body: Region,
        *,
        returns: str | None = None,
        kernel: KernelKind | None = None,
        options: DictionaryAttr | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(map(StringAttr, params)),
                "result_name": StringAttr(returns) if returns is not None else None,
                "kernel": KernelKindAttr(kernel) if kernel is not None else None,
                "options": options,
            },
            regions=[body],
        )

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    def verify_(self) -> None:
        if len(set(self.param_names)) != len(self.param_names):
            raise VerifyException("a parameter is given twice")
        if self.options is not None and self.kernel is None:
            raise VerifyException("only a kernel has options")

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        name = parser.parse_symbol_name().data
        params = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_str_literal)
        returns = kernel = options = None
        if parser.parse_optional_keyword("returns") is not None:
            returns = parser.parse_str_literal()
        if parser.parse_optional_keyword("kernel") is not None:
            kernel = parser.parse_str_enum(KernelKind)
            if parser.parse_optional_keyword("options") is not None:
                options = parser.parse_attribute()
                assert isinstance(options, DictionaryAttr)
        body = parse_body(parser)
        return cls(name, params, body, returns=returns, kernel=kernel, options=options)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.param_names, printer.print_string_literal)
        if self.result_name is not None:
            printer.print_string(" returns ")
            printer.print_string_literal(self.result_name.data)
        if self.kernel is not None:
            printer.print_string(f" kernel {self.kernel.data}")
        if self.options is not None:
            printer.print_string(" options ")
            printer.print_attribute(self.options)
        _print_body(printer, self.body)


# --- values ---


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


# --- calls ---


@irdl_op_definition
class ApplyOp(PlainOp):
    """A call by name, before it is known what the name stands for.

    ```mlir
    %1 = pat.apply "print"(%0)
    ```
    """

    name = "pat.apply"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class CallValueOp(PlainOp):
    """A call of a closure value, as in `fs[0](5)`. `or_host` names the host function that is called
    if the value is no closure: a variable of its name may hold something else.

    ```mlir
    %2 = pat.call_value %0(%1)
    %3 = pat.call_value %0(%1) or_host "count"
    ```
    """

    name = "pat.call_value"
    callee = operand_def(VALUE)
    args = var_operand_def(VALUE)
    or_host = opt_prop_def(StringAttr)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` (`or_host` $or_host^)? attr-dict"

    def __init__(self, callee: SSAValue, args: Sequence[SSAValue], *, or_host: str | None = None):
        super().__init__(
            operands=[callee, *args],
            properties={"or_host": StringAttr(or_host) if or_host is not None else None},
            result_types=[value],
        )


@irdl_op_definition
class CallOp(PlainOp):
    """A call of a function of the program.

    ```mlir
    %1 = pat.call "twice"(%0)
    ```
    """

    name = "pat.call"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class HostOp(PlainOp):
    """A call of a host function. `in_place`: the first argument is a list at its last use.

    ```mlir
    %2 = pat.host "list_push"(%0, %1) in_place
    ```
    """

    name = "pat.host"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    in_place = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` (`in_place` $in_place^)? attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class LaunchOp(PlainOp):
    """A kernel called from host code. `written` names the variables that get new lists, by the
    position of their argument: an empty string for an argument that the kernel only reads.

    ```mlir
    pat.launch "add"(%0, %1) writes ["", "out"]
    ```
    """

    name = "pat.launch"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    written = prop_def(ArrayAttr[StringAttr])
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` `writes` $written attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue], written: Sequence[str]):
        super().__init__(
            operands=args,
            properties={
                "callee": StringAttr(callee),
                "written": ArrayAttr(map(StringAttr, written)),
            },
            result_types=[value],
        )


# --- closures and records ---


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
        _print_body(printer, self.body)


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


# --- kernels: what names turn out to be inside one ---


@irdl_op_definition
class IntrinsicOp(PlainOp):
    """A function of the kernel language, such as `exp` or `select`.

    ```mlir
    %1 = pat.intrinsic "exp"(%0)
    ```
    """

    name = "pat.intrinsic"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class LoadOp(PlainOp):
    """`buffer[index]` where `buffer` is a parameter of the kernel.

    ```mlir
    %1 = pat.load "x"[%0]
    ```
    """

    name = "pat.load"
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$buffer `[` $index `]` attr-dict"

    def __init__(self, buffer: str, index: SSAValue):
        super().__init__(
            operands=[index], properties={"buffer": StringAttr(buffer)}, result_types=[value]
        )


@irdl_op_definition
class StoreOp(PlainOp):
    """`store(buffer, index, value)`.

    ```mlir
    pat.store %1, "out"[%0]
    ```
    """

    name = "pat.store"
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    value = operand_def(VALUE)
    assembly_format = "$value `,` $buffer `[` $index `]` attr-dict"

    def __init__(self, buffer: str, index: SSAValue, stored: SSAValue):
        super().__init__(operands=[index, stored], properties={"buffer": StringAttr(buffer)})


@irdl_op_definition
class AtomicOp(PlainOp):
    """`atomic_add(buffer, index, value)` and its relatives. The old value cannot be used.

    ```mlir
    pat.atomic add %1, "out"[%0]
    ```
    """

    name = "pat.atomic"
    kind = prop_def(AtomicKindAttr)
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    value = operand_def(VALUE)
    assembly_format = "$kind $value `,` $buffer `[` $index `]` attr-dict"

    def __init__(self, kind: AtomicKind, buffer: str, index: SSAValue, stored: SSAValue):
        super().__init__(
            operands=[index, stored],
            properties={"kind": AtomicKindAttr(kind), "buffer": StringAttr(buffer)},
        )


# --- statements ---


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
            _print_body(printer, condition)
            printer.print_string(" then")
            _print_body(printer, body)
        if self.otherwise is not None:
            printer.print_string(" else")
            _print_body(printer, self.otherwise)


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
        _print_body(printer, self.condition)
        printer.print_string(" do")
        _print_body(printer, self.body)


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


OPERATIONS: list[type[Operation]] = [
    ProgramOp,
    FuncOp,
    ConstantOp,
    NameOp,
    GetOp,
    ImplicitOp,
    UnaryOp,
    BinaryOp,
    LogicalOp,
    ListOp,
    IndexOp,
    MemberOp,
    ApplyOp,
    CallValueOp,
    CallOp,
    HostOp,
    LaunchOp,
    ClosureOp,
    MakeClosureOp,
    SendOp,
    SetMemberOp,
    WhenOp,
    ClassOp,
    IntrinsicOp,
    LoadOp,
    StoreOp,
    AtomicOp,
    LetOp,
    AssignOp,
    YieldOp,
    IfOp,
    WhileOp,
    ReturnOp,
    ContractOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    ValueType,
    UnaryKindAttr,
    BinaryKindAttr,
    LogicalKindAttr,
    ContractKindAttr,
    AtomicKindAttr,
    KernelKindAttr,
]

Pat = Dialect("pat", OPERATIONS, ATTRIBUTES)
