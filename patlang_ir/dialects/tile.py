"""`tile`: a kernel as an SSA program over blocks of lanes.

A kernel is a chain of stages; each stage is one launch. A value is *uniform* (a scalar) or a
tile: one element for each lane of a block. Block sizes are symbols such as `BLOCK_SIZE`, which
have no value here: a kernel means what it computes when one block covers the whole input.
Control flow is that of `scf`. Before `tile-infer-shapes` every value has type `!tile.unknown`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, Self, TypeAlias

from xdsl.dialects.builtin import (
    AnyFloat,
    AnyFloatConstr,
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerType,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
    i1,
    i64,
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
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    Pure,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from patlang_ir.dialects.literals import Number, parse_literal, print_literal
from patlang_ir.dialects.pat import AtomicKind, AtomicKindAttr, KernelKind, KernelKindAttr
from patlang_ir.dialects.signature import parse_body, parse_signature, print_signature
from patlang_ir.dialects.sizes import parse_sizes, print_sizes

# --- types ---

Scalar: TypeAlias = IntegerType | AnyFloat


@irdl_attr_definition
class UnknownType(ParametrizedAttribute, TypeAttribute):
    """The type of a value before `tile-infer-shapes`."""

    name = "tile.unknown"


@irdl_attr_definition
class WeakType(ParametrizedAttribute, TypeAttribute):
    """A scalar parameter: like a literal, it takes the type that it meets.

    `!tile.weak<f64>`
    """

    name = "tile.weak"
    element: Attribute = param_def(base(IntegerType) | AnyFloatConstr)


@irdl_attr_definition
class TileType(ParametrizedAttribute, TypeAttribute):
    """One element for each lane of a block. A size is a symbol, or 1 for an axis that is kept.

    `!tile.tile<[BLOCK_R, 1], f32>`
    """

    name = "tile.tile"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(base(IntegerType) | AnyFloatConstr)

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


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A parameter that is indexed: elements in memory, as many as the caller gave.

    `!tile.buffer<f32>`, or `!tile.buffer<!tile.unknown>` before `tile-specialize`.
    """

    name = "tile.buffer"
    element: Attribute = param_def(base(UnknownType) | base(IntegerType) | AnyFloatConstr)


unknown = UnknownType()


def element_of(type: Attribute) -> Attribute:
    """The element type of a tile or buffer; a scalar's own type."""
    return type.element if isinstance(type, TileType | BufferType) else type


def sizes_of(type: Attribute) -> tuple[str | int, ...]:
    """The sizes of a tile; none for a scalar."""
    return type.sizes if isinstance(type, TileType) else ()


def like(type: Attribute, element: Attribute) -> Attribute:
    """The type of the same shape as `type` with another element type."""
    return TileType(type.sizes, element) if isinstance(type, TileType) else element


def shaped(sizes: Sequence[str | int], element: Attribute) -> Attribute:
    """A tile of these sizes, or the scalar type where there are none."""
    return TileType(sizes, element) if sizes else element


# --- attributes ---


class ComparePredicate(StrEnum):
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


class IndexKind(StrEnum):
    OFFS = "offs"
    ROW = "row"
    COL = "col"


class SizeKind(StrEnum):
    N = "n"
    N_ROWS = "n_rows"
    N_COLS = "n_cols"


class Extent(StrEnum):
    ONE = "one"
    BLOCKS = "blocks"
    ALL = "all"


class ReduceKind(StrEnum):
    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    ANY = "any"
    ALL = "all"


@irdl_attr_definition
class ComparePredicateAttr(EnumAttribute[ComparePredicate], SpacedOpaqueSyntaxAttribute):
    name = "tile.predicate"


@irdl_attr_definition
class IndexKindAttr(EnumAttribute[IndexKind], SpacedOpaqueSyntaxAttribute):
    name = "tile.index_kind"


@irdl_attr_definition
class SizeKindAttr(EnumAttribute[SizeKind], SpacedOpaqueSyntaxAttribute):
    name = "tile.size_kind"


@irdl_attr_definition
class ReduceKindAttr(EnumAttribute[ReduceKind], SpacedOpaqueSyntaxAttribute):
    name = "tile.reduce_kind"


@irdl_attr_definition
class ExtentAttr(EnumAttribute[Extent], SpacedOpaqueSyntaxAttribute):
    name = "tile.extent"


VALUE = base(UnknownType) | base(TileType) | base(IntegerType) | AnyFloatConstr
INDEX = VALUE
FLAG = base(UnknownType) | base(TileType) | eq(i1)


def _verify_flag(op: Operation, flag: SSAValue, other: SSAValue) -> None:
    """A truth value must have i1 elements and the shape of the value that it belongs to."""
    if isinstance(other.type, UnknownType) or isinstance(flag.type, UnknownType):
        return
    if flag.type != like(other.type, i1):
        raise VerifyException(f"expected {like(other.type, i1)}, got {flag.type}")


# --- kernels ---


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A kernel: its parameters, and one or more stages that run one after the other.

    The word after the name is the kind: `linear`, `grid` or `matmul`. Each parameter has the
    name that callers use. `options` are those of the marker.

    ```mlir
    tile.kernel @copy linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
      tile.stage {
        %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
        %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>)
          -> !tile.tile<[BLOCK_SIZE], f32>
        tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>,
          !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
      }
    }
    ```
    """

    name = "tile.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    kind = prop_def(KernelKindAttr)
    params = prop_def(ArrayAttr[StringAttr])
    options = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        kind: KernelKind,
        params: Sequence[str],
        body: Region,
        options: DictionaryAttr | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "kind": KernelKindAttr(kind),
                "params": ArrayAttr(map(StringAttr, params)),
                "options": options,
            },
            regions=[body],
        )

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def stages(self) -> tuple[StageOp, ...]:
        return tuple(op for op in self.body.block.ops if isinstance(op, StageOp))

    @property
    def scratch(self) -> tuple[ScratchOp, ...]:
        return tuple(op for op in self.body.block.ops if isinstance(op, ScratchOp))

    @property
    def rank(self) -> int:
        """The number of axes of the input."""
        return 1 if self.kind.data == KernelKind.LINEAR else 2

    @property
    def written(self) -> tuple[BlockArgument, ...]:
        """The parameters that the kernel stores to, in their order."""
        stored = {op.buffer for op in self.walk() if isinstance(op, StoreOp | AtomicOp)}
        return tuple(arg for arg in self.args if arg in stored)

    def option(self, name: str) -> Attribute | None:
        """The value of a marker's option."""
        return self.options.data.get(name) if self.options is not None else None

    def verify_(self) -> None:
        if len(self.params) != len(self.args):
            raise VerifyException("each parameter needs a name")
        for op in self.body.block.ops:
            if not isinstance(op, StageOp | ScratchOp):
                raise VerifyException("a kernel holds tile.stage and tile.scratch only")

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        name = parser.parse_symbol_name().data
        kind = parser.parse_str_enum(KernelKind)
        params, args = parse_signature(parser)
        options = None
        if parser.parse_optional_keyword("options") is not None:
            options = parser.parse_attribute()
            assert isinstance(options, DictionaryAttr)
        return cls(name, kind, params, parse_body(parser, args), options)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" {self.kind.data}")
        print_signature(printer, self.param_names, self.args)
        if self.options is not None:
            printer.print_string(" options ")
            printer.print_attribute(self.options)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class ScratchOp(IRDLOperation):
    """A buffer that lives as long as the kernel's launches: stages pass values in it.

    Its extent along each axis is `one` element, one for each of the `blocks` of the stage that
    fills it, or `all` of the input's.

    ```mlir
    %0 = tile.scratch [blocks] : !tile.buffer<f32>
    ```
    """

    name = "tile.scratch"
    extents = prop_def(ArrayAttr[ExtentAttr])
    result = result_def(BufferType)

    def __init__(self, extents: Sequence[Extent], type: Attribute):
        super().__init__(
            properties={"extents": ArrayAttr(map(ExtentAttr, extents))}, result_types=[type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScratchOp:
        extents = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_str_enum(Extent)
        )
        parser.parse_punctuation(":")
        return cls(extents, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(self.extents, lambda extent: printer.print_string(extent.data))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class StageOp(IRDLOperation):
    """One launch of a kernel.

    One block covers each axis in `cover`. The input of the stage is that of the kernel, or `over`
    a scratch buffer its elements. A stage with `above` or `upto` runs only where the covered part
    of the kernel's input, or else the whole, has more or at most so many elements. `plan` holds
    the block sizes and launch options once they are chosen.

    ```mlir
    tile.stage {
    }
    tile.stage cover [0] upto 32768 plan {num_warps = 4 : i64} {
    }
    tile.stage cover [0] over %0 : !tile.buffer<f32> above 32768 {
    }
    ```
    """

    name = "tile.stage"
    over = opt_operand_def(BufferType)
    cover = opt_prop_def(ArrayAttr[IntAttr])
    above = opt_prop_def(IntAttr)
    upto = opt_prop_def(IntAttr)
    plan = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        body: Region,
        *,
        cover: Sequence[int] = (),
        over: SSAValue | None = None,
        above: int | None = None,
        upto: int | None = None,
        plan: DictionaryAttr | None = None,
    ):
        super().__init__(
            operands=[over],
            properties={
                "cover": ArrayAttr(map(IntAttr, cover)) if cover else None,
                "above": IntAttr(above) if above is not None else None,
                "upto": IntAttr(upto) if upto is not None else None,
                "plan": plan,
            },
            regions=[body],
        )

    @property
    def kernel(self) -> KernelOp:
        parent = self.parent_op()
        assert isinstance(parent, KernelOp)
        return parent

    @property
    def covered(self) -> frozenset[int]:
        """The axes that one block covers."""
        return frozenset(axis.data for axis in self.cover or ())

    @property
    def single(self) -> bool:
        """Whether one program covers the whole input."""
        return len(self.covered) == self.kernel.rank

    @classmethod
    def parse(cls, parser: Parser) -> StageOp:
        cover: Sequence[int] = ()
        over = above = upto = plan = None
        if parser.parse_optional_keyword("cover") is not None:
            cover = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        if parser.parse_optional_keyword("over") is not None:
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            over = parser.resolve_operand(name, parser.parse_type())
        if parser.parse_optional_keyword("above") is not None:
            above = parser.parse_integer()
        if parser.parse_optional_keyword("upto") is not None:
            upto = parser.parse_integer()
        if parser.parse_optional_keyword("plan") is not None:
            plan = parser.parse_attribute()
            assert isinstance(plan, DictionaryAttr)
        body = parse_body(parser)
        return cls(body, cover=cover, over=over, above=above, upto=upto, plan=plan)

    def print(self, printer: Printer) -> None:
        if self.cover is not None:
            printer.print_string(" cover ")
            print_sizes(printer, [axis.data for axis in self.cover])
        if self.over is not None:
            printer.print_string(" over ")
            printer.print_ssa_value(self.over)
            printer.print_string(" : ")
            printer.print_attribute(self.over.type)
        if self.above is not None:
            printer.print_string(f" above {self.above.data}")
        if self.upto is not None:
            printer.print_string(f" upto {self.upto.data}")
        if self.plan is not None:
            printer.print_string(" plan ")
            printer.print_attribute(self.plan)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


# --- where a lane is ---


@irdl_op_definition
class IndexOp(IRDLOperation):
    """The position of each lane: `offs` in the flat input, or its `row` or `col`.

    ```mlir
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %row = tile.index row : !tile.tile<[BLOCK_R, 1], i64>
    ```
    """

    name = "tile.index"
    kind = prop_def(IndexKindAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$kind attr-dict `:` type($result)"

    def __init__(self, kind: IndexKind, type: Attribute = unknown):
        super().__init__(properties={"kind": IndexKindAttr(kind)}, result_types=[type])


@irdl_op_definition
class SizeOp(IRDLOperation):
    """The extent of the kernel's whole input, in every stage: `n`, or `n_rows` and `n_cols`.

    ```mlir
    %n = tile.size n : i64
    ```
    """

    name = "tile.size"
    kind = prop_def(SizeKindAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())
    assembly_format = "$kind attr-dict `:` type($result)"

    def __init__(self, kind: SizeKind, type: Attribute = i64):
        super().__init__(properties={"kind": SizeKindAttr(kind)}, result_types=[type])


@irdl_op_definition
class LengthOp(IRDLOperation):
    """The number of elements of a buffer.

    ```mlir
    %0 = tile.length %x : !tile.buffer<f32>
    ```
    """

    name = "tile.length"
    buffer = operand_def(BufferType)
    result = result_def(eq(i64))
    traits = traits_def(Pure())
    assembly_format = "$buffer attr-dict `:` type($buffer)"

    def __init__(self, buffer: SSAValue):
        super().__init__(operands=[buffer], result_types=[i64])


@irdl_op_definition
class InDomainOp(IRDLOperation):
    """Which lanes lie inside the input; the others are padding of the last block.

    ```mlir
    %0 = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
    ```
    """

    name = "tile.in_domain"
    result = result_def(TileType)
    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, sizes: Sequence[str | int]):
        super().__init__(result_types=[TileType(sizes, i1)])


class AxisOp(IRDLOperation, ABC):
    """A number that belongs to an axis of the launch."""

    axis = prop_def(IntAttr)
    result = result_def(eq(i64))
    traits = traits_def(Pure())

    def __init__(self, axis: int):
        super().__init__(properties={"axis": IntAttr(axis)}, result_types=[i64])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        axis = parser.parse_integer()
        parser.parse_punctuation(":")
        parser.parse_type()
        return cls(axis)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.axis.data} : i64")


@irdl_op_definition
class ProgramOp(AxisOp):
    """The number of this program along an axis of the launch.

    ```mlir
    %0 = tile.program 0 : i64
    ```
    """

    name = "tile.program"


@irdl_op_definition
class ProgramsOp(AxisOp):
    """The number of programs along an axis of the launch.

    ```mlir
    %0 = tile.programs 1 : i64
    ```
    """

    name = "tile.programs"


# --- values ---


@irdl_op_definition
class ConstantOp(IRDLOperation):
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
class ScalarOp(IRDLOperation):
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


class UnaryOp(IRDLOperation, ABC):
    """An operation on each element that keeps the type."""

    T: ClassVar = VarConstraint("T", VALUE)
    operand = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($result)"

    def __init__(self, operand: SSAValue, type: Attribute | None = None):
        super().__init__(operands=[operand], result_types=[type or operand.type])


class BinaryOp(IRDLOperation, ABC):
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
class FmaOp(IRDLOperation):
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


@irdl_op_definition
class CompareOp(IRDLOperation):
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
            properties={"predicate": ComparePredicateAttr(predicate)},
            result_types=[type or known],
        )

    def verify_(self) -> None:
        _verify_flag(self, self.result, self.lhs)


@irdl_op_definition
class SelectOp(IRDLOperation):
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
        _verify_flag(self, self.condition, self.result)


class ConversionOp(IRDLOperation, ABC):
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
        _verify_flag(self, self.result, self.operand)


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
class ConditionOp(IRDLOperation):
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


# --- memory ---


@irdl_op_definition
class LoadOp(IRDLOperation):
    """Elements of a buffer. Where the index is outside the buffer the result is 0.

    With a `mask` the memory is touched only where it holds, and the result is 0 elsewhere;
    `tile-guard-accesses` adds it.

    ```mlir
    %1 = tile.load %x[%0] : (!tile.buffer<f32>, i64) -> f32
    %3 = tile.load %x[%0] mask %2 : (!tile.buffer<f32>, i64, i1) -> f32
    ```
    """

    name = "tile.load"
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)? attr-dict"
        " `:` functional-type(operands, results)"
    )

    def __init__(
        self,
        buffer: SSAValue,
        index: SSAValue,
        type: Attribute = unknown,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[buffer, index, mask],
            properties={"guarded": UnitAttr() if guarded else None},
            result_types=[type],
        )

    def verify_(self) -> None:
        if isinstance(self.result.type, UnknownType):
            return
        if self.result.type != like(self.index.type, element_of(self.buffer.type)):
            raise VerifyException("the result has the buffer's elements and the index's shape")
        if self.mask is not None:
            _verify_flag(self, self.mask, self.index)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Write elements of a buffer. Nothing is written where the index is outside the buffer, nor
    by padding lanes.

    With a `mask` memory is touched only where it holds; `tile-guard-accesses` adds it.

    ```mlir
    tile.store %1, %out[%0] : f32, !tile.buffer<f32>, i64
    tile.store %1, %out[%0] mask %2 : f32, !tile.buffer<f32>, i64, i1
    ```
    """

    name = "tile.store"
    value = operand_def(VALUE)
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryWriteEffect())
    assembly_format = (
        "$value `,` $buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)? attr-dict"
        " `:` type(operands)"
    )

    def __init__(
        self,
        value: SSAValue,
        buffer: SSAValue,
        index: SSAValue,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[value, buffer, index, mask],
            properties={"guarded": UnitAttr() if guarded else None},
        )

    def verify_(self) -> None:
        verify_write(self)


@irdl_op_definition
class BarrierOp(IRDLOperation):
    """All lanes of a program finish the accesses before it, then those after it begin.

    `tile-place-barriers` adds it; before that every statement is one.

    ```mlir
    tile.barrier
    ```
    """

    name = "tile.barrier"
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = "attr-dict"

    def __init__(self):
        super().__init__()


@irdl_op_definition
class AtomicOp(IRDLOperation):
    """Combine values into elements of a buffer, one lane after the other in any order.

    ```mlir
    tile.atomic add %1, %out[%0] : f32, !tile.buffer<f32>, i64
    ```
    """

    name = "tile.atomic"
    kind = prop_def(AtomicKindAttr)
    value = operand_def(VALUE)
    buffer = operand_def(BufferType)
    index = operand_def(INDEX)
    mask = opt_operand_def(FLAG)
    guarded = opt_prop_def(UnitAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    assembly_format = (
        "$kind $value `,` $buffer `[` $index `]` (`mask` $mask^)? (`guarded` $guarded^)?"
        " attr-dict `:` type(operands)"
    )

    def __init__(
        self,
        kind: AtomicKind,
        value: SSAValue,
        buffer: SSAValue,
        index: SSAValue,
        mask: SSAValue | None = None,
        *,
        guarded: bool = False,
    ):
        super().__init__(
            operands=[value, buffer, index, mask],
            properties={
                "kind": AtomicKindAttr(kind),
                "guarded": UnitAttr() if guarded else None,
            },
        )

    def verify_(self) -> None:
        verify_write(self)


def verify_write(op: StoreOp | AtomicOp) -> None:
    """The value of a write has the buffer's elements and the index's shape."""
    if isinstance(op.value.type, UnknownType) or isinstance(op.index.type, UnknownType):
        return
    if op.value.type != like(op.index.type, element_of(op.buffer.type)):
        raise VerifyException("the value has the buffer's elements and the index's shape")
    if op.mask is not None:
        _verify_flag(op, op.mask, op.index)


# --- across lanes ---


@irdl_op_definition
class ReduceOp(IRDLOperation):
    """One value from the lanes of the whole input, or of each row or column.

    Without an axis the result is a scalar; with one, that axis has size 1. With `in_block` the
    lanes are only those of this program's block.

    ```mlir
    %1 = tile.reduce sum %0 : !tile.tile<[BLOCK_SIZE], f32> -> f32
    %3 = tile.reduce max %2 axis 1 : !tile.tile<[BLOCK_R, BLOCK_C], f32>
      -> !tile.tile<[BLOCK_R, 1], f32>
    ```
    """

    name = "tile.reduce"
    kind = prop_def(ReduceKindAttr)
    operand = operand_def(VALUE)
    axis = opt_prop_def(IntAttr)
    in_block = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    traits = traits_def(Pure())

    def __init__(
        self,
        kind: ReduceKind,
        operand: SSAValue,
        axis: int | None = None,
        type: Attribute = unknown,
        *,
        in_block: bool = False,
    ):
        super().__init__(
            operands=[operand],
            properties={
                "kind": ReduceKindAttr(kind),
                "axis": IntAttr(axis) if axis is not None else None,
                "in_block": UnitAttr() if in_block else None,
            },
            result_types=[type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        kind = parser.parse_str_enum(ReduceKind)
        operand = parser.parse_unresolved_operand()
        axis = parser.parse_integer() if parser.parse_optional_keyword("axis") else None
        in_block = parser.parse_optional_keyword("in_block") is not None
        parser.parse_punctuation(":")
        value = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_punctuation("->")
        return cls(kind, value, axis, parser.parse_type(), in_block=in_block)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.kind.data} ")
        printer.print_ssa_value(self.operand)
        if self.axis is not None:
            printer.print_string(f" axis {self.axis.data}")
        if self.in_block is not None:
            printer.print_string(" in_block")
        printer.print_string(" : ")
        printer.print_attribute(self.operand.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class ScanOp(IRDLOperation):
    """The running sum of the lanes along an axis, each lane's own value included.

    With `in_block` it starts anew in each block.

    ```mlir
    %1 = tile.scan %0 axis 0 : !tile.tile<[BLOCK_SIZE], f32>
    ```
    """

    T: ClassVar = VarConstraint("T", VALUE)
    name = "tile.scan"
    operand = operand_def(T)
    axis = prop_def(IntAttr)
    in_block = opt_prop_def(UnitAttr)
    result = result_def(T)
    traits = traits_def(Pure())

    def __init__(
        self,
        operand: SSAValue,
        axis: int,
        type: Attribute | None = None,
        *,
        in_block: bool = False,
    ):
        super().__init__(
            operands=[operand],
            properties={"axis": IntAttr(axis), "in_block": UnitAttr() if in_block else None},
            result_types=[type or operand.type],
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScanOp:
        operand = parser.parse_unresolved_operand()
        parser.parse_keyword("axis")
        axis = parser.parse_integer()
        in_block = parser.parse_optional_keyword("in_block") is not None
        parser.parse_punctuation(":")
        value = parser.resolve_operand(operand, parser.parse_type())
        return cls(value, axis, in_block=in_block)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.operand)
        printer.print_string(f" axis {self.axis.data}")
        if self.in_block is not None:
            printer.print_string(" in_block")
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


CombineOp: TypeAlias = ReduceOp | ScanOp
"""An operation that sees more than one lane."""

ELEMENTWISE: list[type[Operation]] = [
    AddOp, SubOp, MulOp, DivOp, QuotientOp, RemOp, MaxOp, MinOp, PowOp,
    AndOp, OrOp, BandOp, BorOp, BxorOp, ShlOp, ShrOp,
    NegOp, NotOp, BnotOp, AbsOp, SqrtOp, FloorOp, CeilOp, TruncOp, RoundOp,
    ExpOp, Exp2Op, LogOp, Log2Op, SinOp, CosOp, TanOp, TanhOp, ErfOp,
    FmaOp, CompareOp, SelectOp, CastOp, TruthOp, BroadcastOp,
]  # fmt: skip
"""The operations that treat each lane alone."""

OPERATIONS: list[type[Operation]] = [
    KernelOp,
    ScratchOp,
    StageOp,
    IndexOp,
    ProgramOp,
    ProgramsOp,
    SizeOp,
    LengthOp,
    InDomainOp,
    ConstantOp,
    ScalarOp,
    *ELEMENTWISE,
    ConditionOp,
    LoadOp,
    StoreOp,
    AtomicOp,
    BarrierOp,
    ReduceOp,
    ScanOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    UnknownType,
    WeakType,
    TileType,
    BufferType,
    ComparePredicateAttr,
    IndexKindAttr,
    SizeKindAttr,
    ReduceKindAttr,
    ExtentAttr,
]

Tile = Dialect("tile", OPERATIONS, ATTRIBUTES)
