"""The attributes of operations: which function, and what a launcher passes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from patlang_ir.dialects.tl.types import NUMBER


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


FLATTEN = "tl.flatten"
"""On a `scf.for` that Triton makes one loop with the loop in it."""


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
    that of the launch's own input, along the axis `"0"` or `"1"`. The strides are those of a
    matrix, in elements.
    """

    POINTER = "pointer"
    SCALAR = "scalar"
    LENGTH = "length"
    N = "n"
    N_ROWS = "n_rows"
    N_COLS = "n_cols"
    EXTENT = "extent"
    M = "M"
    N_OF_MATRIX = "N"
    K = "K"
    DESCRIPTOR = "descriptor"
    ROW_STRIDE = "row_stride"
    COL_STRIDE = "col_stride"


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


class ScratchExtent(StrEnum):
    """An extent of scratch: one, as many as programs fill it, or that of the input."""

    ONE = "one"
    BLOCKS = "blocks"
    ALL = "all"


@irdl_attr_definition
class ScratchExtentAttr(EnumAttribute[ScratchExtent], SpacedOpaqueSyntaxAttribute):
    name = "tl.scratch_extent"
