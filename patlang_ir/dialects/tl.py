"""`tl`: a Triton program, one operation for each call or Python statement that is printed.

Nothing is left to decide here: masks, casts, pointer arithmetic, launch options and names are
all in the IR. Control flow is that of `scf`, which prints as `for`, `if` and `while`. A value
with a name hint is a Python variable; one without is written where it is used, so it must have
one use and no effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    AnyFloatConstr,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    i32,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    BlockArgument,
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
    VarConstraint,
    base,
    eq,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    param_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.str_enum import StrEnum

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.signature import parse_body, parse_signature, print_signature
from patlang_ir.dialects.sizes import parse_sizes, print_sizes

OLDEST_TRITON = "tl.oldest_triton"
"""The attribute of a module that names the oldest Triton for which its kernels are right."""

# --- types ---

NUMBER = base(IntegerType) | AnyFloatConstr


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """A pointer to elements in device memory: `!tl.pointer<f32>`."""

    name = "tl.pointer"
    element: Attribute = param_def(NUMBER)


@irdl_attr_definition
class TensorType(ParametrizedAttribute, TypeAttribute):
    """A tensor of numbers or pointers. A size is the name of a constexpr, or a number.

    `!tl.tensor<[BLOCK_SIZE], f32>`
    """

    name = "tl.tensor"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(NUMBER | base(PointerType))

    def __init__(self, shape: Sequence[str | int], element: Attribute):
        sizes = (StringAttr(s) if isinstance(s, str) else IntAttr(s) for s in shape)
        super().__init__(ArrayAttr(sizes), element)

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            sizes = parse_sizes(parser)
            parser.parse_punctuation(",")
            return (sizes, parser.parse_type())

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_sizes(printer, self.sizes)
            printer.print_string(", ")
            printer.print_attribute(self.element)


def element_of(type: Attribute) -> Attribute:
    """The element type of a tensor; a scalar's own type."""
    return type.element if isinstance(type, TensorType) else type


def sizes_of(type: Attribute) -> tuple[str | int, ...]:
    """The sizes of a tensor; none for a scalar."""
    return type.sizes if isinstance(type, TensorType) else ()


def shaped(sizes: Sequence[str | int], element: Attribute) -> Attribute:
    """A tensor of these sizes, or the scalar type where there are none."""
    return TensorType(sizes, element) if sizes else element


def like(type: Attribute, element: Attribute) -> Attribute:
    """The type of the same shape as `type` with another element type."""
    return shaped(sizes_of(type), element)


# --- attributes ---


class UnaryKind(StrEnum):
    NEG = "neg"
    INVERT = "invert"


class BinaryKind(StrEnum):
    ADD = "add"
    SUB = "sub"
    MUL = "mul"
    DIV = "div"
    FLOORDIV = "floordiv"
    MOD = "mod"
    AND = "and"
    OR = "or"
    XOR = "xor"
    SHL = "shl"
    SHR = "shr"
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


class Function(StrEnum):
    """A function of Triton's language or of its device library."""

    WHERE = "where"
    CDIV = "cdiv"
    MAXIMUM = "maximum"
    MINIMUM = "minimum"
    MAXIMUM_NAN = "maximum_nan"
    MINIMUM_NAN = "minimum_nan"
    ABS = "abs"
    FMA = "fma"
    DIV_RN = "div_rn"
    SQRT = "sqrt"
    SQRT_RN = "sqrt_rn"
    FLOOR = "floor"
    CEIL = "ceil"
    EXP = "exp"
    EXP2 = "exp2"
    LOG = "log"
    LOG2 = "log2"
    SIN = "sin"
    COS = "cos"
    ERF = "erf"
    LIB_FLOOR = "lib_floor"
    LIB_CEIL = "lib_ceil"
    LIB_TRUNC = "lib_trunc"
    LIB_ROUND = "lib_round"
    LIB_FMOD = "lib_fmod"
    LIB_EXP = "lib_exp"
    LIB_EXP2 = "lib_exp2"
    LIB_LOG = "lib_log"
    LIB_LOG2 = "lib_log2"
    LIB_SIN = "lib_sin"
    LIB_COS = "lib_cos"
    LIB_TAN = "lib_tan"
    LIB_TANH = "lib_tanh"
    LIB_ERF = "lib_erf"
    LIB_POW = "lib_pow"


class ReduceFunction(StrEnum):
    """How the elements are combined; `max_nan` and `min_nan` give NaN where one is NaN."""

    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    MAX_NAN = "max_nan"
    MIN_NAN = "min_nan"


class ReduceIndexFunction(StrEnum):
    """Which element is looked for: the first NaN, else the first largest or smallest one."""

    ARGMAX = "argmax"
    ARGMIN = "argmin"


class AtomicFunction(StrEnum):
    """How a value is combined with the one in memory; `max_nan` and `min_nan` keep a NaN."""

    ADD = "add"
    MAX = "max"
    MIN = "min"
    MAX_NAN = "max_nan"
    MIN_NAN = "min_nan"


class ArgumentKind(StrEnum):
    """What the launcher passes for one argument of a kernel.

    A pointer or length is that of a parameter or of scratch; the others are numbers. An extent is
    that of the launch's own input, along the axis `"0"` or `"1"`.
    """

    POINTER = "pointer"
    SCALAR = "scalar"
    LENGTH = "length"
    N = "n"
    N_ROWS = "n_rows"
    N_COLS = "n_cols"
    EXTENT = "extent"


@irdl_attr_definition
class UnaryKindAttr(EnumAttribute[UnaryKind], SpacedOpaqueSyntaxAttribute):
    name = "tl.unary_kind"


@irdl_attr_definition
class BinaryKindAttr(EnumAttribute[BinaryKind], SpacedOpaqueSyntaxAttribute):
    name = "tl.binary_kind"


@irdl_attr_definition
class FunctionAttr(EnumAttribute[Function], SpacedOpaqueSyntaxAttribute):
    name = "tl.function"


@irdl_attr_definition
class ReduceFunctionAttr(EnumAttribute[ReduceFunction], SpacedOpaqueSyntaxAttribute):
    name = "tl.reduce_function"


@irdl_attr_definition
class ReduceIndexFunctionAttr(EnumAttribute[ReduceIndexFunction], SpacedOpaqueSyntaxAttribute):
    name = "tl.reduce_index_function"


@irdl_attr_definition
class AtomicFunctionAttr(EnumAttribute[AtomicFunction], SpacedOpaqueSyntaxAttribute):
    name = "tl.atomic_function"


@irdl_attr_definition
class ParameterAttr(ParametrizedAttribute):
    """A parameter of a launcher: its name, its element type, and what is known of its use.

    It is a `scalar` or a `buffer`, and may be `unused`. An `exact` buffer has one element for each
    lane; a `written` one is stored to; of a `local` one each lane touches its own element only.

    `#tl.parameter<"x", f32, "buffer", "exact", "local">`
    """

    name = "tl.parameter"
    parameter: StringAttr = param_def()
    element: Attribute = param_def(NUMBER)
    facts: ArrayAttr[StringAttr] = param_def()

    def __init__(self, parameter: str, element: Attribute, facts: Sequence[str]):
        super().__init__(StringAttr(parameter), element, ArrayAttr(map(StringAttr, facts)))

    def has(self, fact: str) -> bool:
        return StringAttr(fact) in self.facts.data

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            name = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            element = parser.parse_type()
            facts: list[StringAttr] = []
            while parser.parse_optional_punctuation(",") is not None:
                facts.append(StringAttr(parser.parse_str_literal()))
            return (name, element, ArrayAttr(facts))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.parameter.data)
            printer.print_string(", ")
            printer.print_attribute(self.element)
            for fact in self.facts:
                printer.print_string(", ")
                printer.print_string_literal(fact.data)


@irdl_attr_definition
class ArgumentAttr(ParametrizedAttribute):
    """An argument of a kernel: what is passed, and of which parameter, scratch or axis.

    `#tl.argument<length "x">`, `#tl.argument<n "">`
    """

    name = "tl.argument"
    kind: StringAttr = param_def()
    parameter: StringAttr = param_def()

    def __init__(self, kind: ArgumentKind, parameter: str = ""):
        super().__init__(StringAttr(kind), StringAttr(parameter))

    @property
    def passed(self) -> ArgumentKind:
        return ArgumentKind(self.kind.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            kind = parser.parse_str_enum(ArgumentKind)
            return (StringAttr(kind), StringAttr(parser.parse_str_literal()))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.kind.data} ")
            printer.print_string_literal(self.parameter.data)


# --- programs ---


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A function under `@triton.jit`; `constexprs` are its compile-time parameters.

    ```mlir
    tl.kernel @add_kernel(%x "x" : !tl.pointer<f32>, %n "n" : i64) constexprs ["BLOCK_SIZE"] {
    }
    ```
    """

    name = "tl.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[StringAttr])
    constexprs = prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, params: Sequence[str], constexprs: Sequence[str], body: Region):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(map(StringAttr, params)),
                "constexprs": ArrayAttr(map(StringAttr, constexprs)),
            },
            regions=[body],
        )

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        name = parser.parse_symbol_name().data
        params, args = parse_signature(parser)
        parser.parse_keyword("constexprs")
        constexprs = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_str_literal
        )
        return cls(name, params, constexprs, parse_body(parser, args))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_signature(printer, self.param_names, self.args)
        printer.print_string(" constexprs ")
        with printer.in_square_brackets():
            printer.print_list(self.constexprs, lambda c: printer.print_string_literal(c.data))
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class LauncherOp(IRDLOperation):
    """The Python function that checks its arguments and launches a chain of kernels.

    Its body holds one `tl.launch` for each stage.

    ```mlir
    tl.launcher @add rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">] {
      tl.launch "add_kernel" args [#tl.argument<pointer "x">, #tl.argument<n "">]
        blocks ["BLOCK_SIZE"] plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64}
    }
    ```
    """

    name = "tl.launcher"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[ParameterAttr])
    rank = prop_def(IntAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(self, name: str, params: Sequence[ParameterAttr], rank: int, body: Region):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(params),
                "rank": IntAttr(rank),
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> LauncherOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("rank")
        rank = parser.parse_integer()
        parser.parse_keyword("params")
        params = parser.parse_attribute()
        assert isinstance(params, ArrayAttr)
        return cls(name, params.data, rank, parse_body(parser))  # pyright: ignore

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" rank {self.rank.data} params ")
        printer.print_attribute(self.params)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


class ScratchExtent(StrEnum):
    """An extent of scratch: one, as many as programs fill it, or that of the input."""

    ONE = "one"
    BLOCKS = "blocks"
    ALL = "all"


@irdl_attr_definition
class ScratchExtentAttr(EnumAttribute[ScratchExtent], SpacedOpaqueSyntaxAttribute):
    name = "tl.scratch_extent"


@irdl_op_definition
class ScratchOp(IRDLOperation):
    """Memory that the launches of a chain pass values in; the launch `filled_by` makes its size.

    ```mlir
    tl.scratch "scratch" extents [#tl<scratch_extent blocks>] filled_by "sum_kernel_1" : f32
    ```
    """

    name = "tl.scratch"
    sym_name = prop_def(StringAttr)
    extents = prop_def(ArrayAttr[ScratchExtentAttr])
    filled_by = prop_def(StringAttr)
    element = prop_def(NUMBER)
    assembly_format = "$sym_name `extents` $extents `filled_by` $filled_by `:` $element attr-dict"

    def __init__(
        self, name: str, extents: Sequence[ScratchExtent], filled_by: str, element: Attribute
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "extents": ArrayAttr(map(ScratchExtentAttr, extents)),
                "filled_by": StringAttr(filled_by),
                "element": element,
            }
        )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """One launch: what each argument is, the constexprs and launch options, and the grid.

    The grid has one axis, on which the programs are numbered by rows of blocks. `blocks` names the constexpr that cuts each axis of the input, empty for an axis that has no
    lanes. Its value stands in the plan. An axis in `cover` has one program, whose block has
    `next_power_of_2` lanes of the axis. The input is that of the launcher, or `over` scratch. With
    `above` or `upto` the launch takes place only where the input has more or at most so many
    elements along the axes that some launch covers.

    ```mlir
    tl.launch "add_kernel" args [#tl.argument<pointer "x">] blocks ["BLOCK_SIZE"]
      plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64, enable_fp_fusion = false}
    tl.launch "sum_kernel" args [#tl.argument<pointer "x">] blocks ["BLOCK_SIZE"] cover [0]
      over "scratch" above 32768 plan {num_warps = 4 : i64, enable_fp_fusion = false}
    ```
    """

    name = "tl.launch"
    kernel = prop_def(StringAttr)
    args = prop_def(ArrayAttr[ArgumentAttr])
    blocks = prop_def(ArrayAttr[StringAttr])
    cover = opt_prop_def(ArrayAttr[IntAttr])
    over = opt_prop_def(StringAttr)
    above = opt_prop_def(IntAttr)
    upto = opt_prop_def(IntAttr)
    plan = prop_def(DictionaryAttr)

    def __init__(
        self,
        kernel: str,
        args: Sequence[ArgumentAttr],
        blocks: Sequence[str],
        plan: DictionaryAttr,
        *,
        cover: Sequence[int] = (),
        over: str | None = None,
        above: int | None = None,
        upto: int | None = None,
    ):
        super().__init__(
            properties={
                "kernel": StringAttr(kernel),
                "args": ArrayAttr(args),
                "blocks": ArrayAttr(map(StringAttr, blocks)),
                "cover": ArrayAttr(map(IntAttr, cover)) if cover else None,
                "over": StringAttr(over) if over is not None else None,
                "above": IntAttr(above) if above is not None else None,
                "upto": IntAttr(upto) if upto is not None else None,
                "plan": plan,
            }
        )

    @property
    def covered(self) -> frozenset[int]:
        """The axes that one program covers."""
        return frozenset(axis.data for axis in self.cover or ())

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        kernel = parser.parse_str_literal()
        parser.parse_keyword("args")
        args = parser.parse_attribute()
        assert isinstance(args, ArrayAttr)
        parser.parse_keyword("blocks")
        square = parser.Delimiter.SQUARE
        blocks = parser.parse_comma_separated_list(square, parser.parse_str_literal)
        cover: Sequence[int] = ()
        if parser.parse_optional_keyword("cover") is not None:
            cover = parser.parse_comma_separated_list(square, parser.parse_integer)
        over = parser.parse_str_literal() if parser.parse_optional_keyword("over") else None
        above = parser.parse_integer() if parser.parse_optional_keyword("above") else None
        upto = parser.parse_integer() if parser.parse_optional_keyword("upto") else None
        parser.parse_keyword("plan")
        plan = parser.parse_attribute()
        assert isinstance(plan, DictionaryAttr)
        return cls(kernel, args.data, blocks, plan, cover=cover, over=over, above=above, upto=upto)  # pyright: ignore

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.kernel.data)
        printer.print_string(" args ")
        printer.print_attribute(self.args)
        printer.print_string(" blocks ")
        with printer.in_square_brackets():
            printer.print_list(self.blocks, lambda b: printer.print_string_literal(b.data))
        if self.cover is not None:
            printer.print_string(" cover ")
            print_sizes(printer, [axis.data for axis in self.cover])
        if self.over is not None:
            printer.print_string(" over ")
            printer.print_string_literal(self.over.data)
        if self.above is not None:
            printer.print_string(f" above {self.above.data}")
        if self.upto is not None:
            printer.print_string(f" upto {self.upto.data}")
        printer.print_string(" plan ")
        printer.print_attribute(self.plan)


# --- values ---

ANY = NUMBER | base(TensorType) | base(PointerType)


@irdl_op_definition
class ConstexprOp(IRDLOperation):
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

    def __init__(self, symbol: str):
        super().__init__(properties={"symbol": StringAttr(symbol)}, result_types=[i32])


@irdl_op_definition
class ConstantOp(IRDLOperation):
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
class ProgramIdOp(IRDLOperation):
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
class NumProgramsOp(IRDLOperation):
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
class ArangeOp(IRDLOperation):
    """`tl.arange(0, SIZE)`: 32-bit numbers from 0.

    ```mlir
    %0 = tl.arange : !tl.tensor<[BLOCK_SIZE], i32>
    ```
    """

    name = "tl.arange"
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, size: str):
        super().__init__(result_types=[TensorType([size], i32)])


@irdl_op_definition
class FullOp(IRDLOperation):
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
class ExpandOp(IRDLOperation):
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
class BroadcastOp(IRDLOperation):
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
class UnaryOp(IRDLOperation):
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
class BinaryOp(IRDLOperation):
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
            operands=[lhs, rhs], properties={"kind": BinaryKindAttr(kind)}, result_types=[type]
        )


@irdl_op_definition
class CallOp(IRDLOperation):
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
            operands=[args],
            properties={"function": FunctionAttr(function)},
            result_types=[type],
        )


@irdl_op_definition
class CastOp(IRDLOperation):
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


@irdl_op_definition
class ReduceOp(IRDLOperation):
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
class ReduceIndexOp(IRDLOperation):
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
class CumsumOp(IRDLOperation):
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


# --- memory ---


@irdl_op_definition
class LoadOp(IRDLOperation):
    """`tl.load(pointer, mask=..., other=...)`.

    ```mlir
    %3 = tl.load %0 mask %1 : i1 other %2 : f32 : !tl.pointer<f32> -> f32
    ```
    """

    name = "tl.load"
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    other = opt_operand_def(NUMBER)
    result = result_def(ANY)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$pointer (`mask` $mask^ `:` type($mask))? (`other` $other^ `:` type($other))? attr-dict"
        " `:` type($pointer) `->` type($result)"
    )

    def __init__(
        self,
        pointer: SSAValue,
        mask: SSAValue | None,
        other: SSAValue | None,
        type: Attribute,
    ):
        super().__init__(operands=[pointer, mask, other], result_types=[type])


@irdl_op_definition
class StoreOp(IRDLOperation):
    """`tl.store(pointer, value, mask=...)`.

    ```mlir
    tl.store %1, %0 mask %2 : f32, !tl.pointer<f32>, i1
    ```
    """

    name = "tl.store"
    value = operand_def(ANY)
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $pointer (`mask` $mask^)? attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, pointer: SSAValue, mask: SSAValue | None):
        super().__init__(operands=[value, pointer, mask])


@irdl_op_definition
class AtomicOp(IRDLOperation):
    """`tl.atomic_add(pointer, value, mask=...)` and its relatives; the old value is not used.

    ```mlir
    tl.atomic add %1, %0 mask %2 : f32, !tl.pointer<f32>, i1
    ```
    """

    name = "tl.atomic"
    function = prop_def(AtomicFunctionAttr)
    value = operand_def(ANY)
    pointer = operand_def(ANY)
    mask = opt_operand_def(ANY)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "$function $value `,` $pointer (`mask` $mask^)? attr-dict `:` type(operands)"

    def __init__(
        self,
        function: AtomicFunction,
        value: SSAValue,
        pointer: SSAValue,
        mask: SSAValue | None,
    ):
        super().__init__(
            operands=[value, pointer, mask],
            properties={"function": AtomicFunctionAttr(function)},
        )


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """`tl.debug_barrier()`: the threads of a program wait for each other.

    ```mlir
    tl.barrier
    ```
    """

    name = "tl.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


OPERATIONS: list[type[Operation]] = [
    KernelOp,
    LauncherOp,
    ScratchOp,
    LaunchOp,
    ConstexprOp,
    ConstantOp,
    ProgramIdOp,
    NumProgramsOp,
    ArangeOp,
    FullOp,
    ExpandOp,
    BroadcastOp,
    UnaryOp,
    BinaryOp,
    CallOp,
    CastOp,
    ReduceOp,
    ReduceIndexOp,
    CumsumOp,
    LoadOp,
    StoreOp,
    AtomicOp,
    BarrierOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    PointerType,
    TensorType,
    UnaryKindAttr,
    BinaryKindAttr,
    FunctionAttr,
    ReduceFunctionAttr,
    ReduceIndexFunctionAttr,
    AtomicFunctionAttr,
    ParameterAttr,
    ArgumentAttr,
    ScratchExtentAttr,
]

Tl = Dialect("tl", OPERATIONS, ATTRIBUTES)
