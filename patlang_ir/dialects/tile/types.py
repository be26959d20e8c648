"""The types of values, and the attributes of operations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

from xdsl.dialects.builtin import (
    AnyFloat,
    AnyFloatConstr,
    ArrayAttr,
    IntAttr,
    IntegerType,
    StringAttr,
    i1,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    Operation,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    base,
    eq,
    irdl_attr_definition,
    param_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from patlang_ir.dialects.copies import Copies, Layout
from patlang_ir.dialects.matrices import Matrix
from patlang_ir.dialects.sizes import parse_sizes, print_sizes, size_attributes

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


def _parse_shaped(parser: AttrParser) -> Sequence[Attribute]:
    """Read `<[BLOCK_R, 1], f32>`."""
    with parser.in_angle_brackets():
        sizes = parse_sizes(parser)
        parser.parse_punctuation(",")
        return (sizes, parser.parse_type())


def _print_shaped(printer: Printer, sizes: Sequence[str | int], element: Attribute) -> None:
    with printer.in_angle_brackets():
        print_sizes(printer, sizes)
        printer.print_string(", ")
        printer.print_attribute(element)


@irdl_attr_definition
class TileType(ParametrizedAttribute, TypeAttribute):
    """One element for each lane of a block. A size is a symbol, or 1 for an axis that is kept.

    `!tile.tile<[BLOCK_R, 1], f32>`
    """

    name = "tile.tile"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(base(IntegerType) | AnyFloatConstr)

    def __init__(self, shape: Sequence[str | int], element: Attribute):
        super().__init__(size_attributes(shape), element)

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_shaped(parser)

    def print_parameters(self, printer: Printer) -> None:
        _print_shaped(printer, self.sizes, self.element)


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """A parameter that is indexed: elements in memory, as many as the caller gave.

    `!tile.buffer<f32>`, or `!tile.buffer<!tile.unknown>` before `tile-specialize`.
    """

    name = "tile.buffer"
    element: Attribute = param_def(base(UnknownType) | base(IntegerType) | AnyFloatConstr)


@irdl_attr_definition
class AccessType(ParametrizedAttribute, TypeAttribute):
    """A block of a matrix in memory.

    `!tile.access<[BLOCK_M, BLOCK_K], f32>`
    """

    name = "tile.access"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(base(IntegerType) | AnyFloatConstr)

    def __init__(self, shape: Sequence[str | int], element: Attribute):
        super().__init__(size_attributes(shape), element)

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return _parse_shaped(parser)

    def print_parameters(self, printer: Printer) -> None:
        _print_shaped(printer, self.sizes, self.element)


unknown = UnknownType()


def element_of(type: Attribute) -> Attribute:
    """The element type of a tile or buffer; a scalar's own type."""
    return type.element if isinstance(type, TileType | BufferType | AccessType) else type


def sizes_of(type: Attribute) -> tuple[str | int, ...]:
    """The sizes of a tile; none for a scalar."""
    return type.sizes if isinstance(type, TileType) else ()


@cache
def like(type: Attribute, element: Attribute) -> Attribute:
    """The type of the same shape as `type` with another element type."""
    return TileType(type.sizes, element) if isinstance(type, TileType) else element


@cache
def shaped(sizes: tuple[str | int, ...], element: Attribute) -> Attribute:
    """A tile of these sizes, or the scalar type where there are none."""
    return TileType(sizes, element) if sizes else element


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
    M = "M"
    N_OF_MATRIX = "N"
    K = "K"


class Extent(StrEnum):
    ONE = "one"
    BLOCKS = "blocks"
    ALL = "all"


class Order(StrEnum):
    """How the programs of a matmul kernel follow each other: those that share rows and columns of
    blocks together, and perhaps each program one block after the other.

    In `flattened` order a program's loop over blocks and the loop in it run as one, so that what
    the next block needs is on its way while this one is stored.
    """

    GROUPED = "grouped"
    PERSISTENT = "persistent"
    FLATTENED = "flattened"

    @property
    def repeats(self) -> bool:
        """Whether a program makes one block after the other."""
        return self != Order.GROUPED


class ReduceKind(StrEnum):
    SUM = "sum"
    PROD = "prod"
    MAX = "max"
    MIN = "min"
    ARGMAX = "argmax"
    ARGMIN = "argmin"
    ANY = "any"
    ALL = "all"


class Precision(StrEnum):
    IEEE = "ieee"
    TF32 = "tf32"
    TF32X3 = "tf32x3"


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


@irdl_attr_definition
class OrderAttr(EnumAttribute[Order], SpacedOpaqueSyntaxAttribute):
    name = "tile.order"


@irdl_attr_definition
class MatrixAttr(Matrix):
    """A parameter as a matrix: `#tile.matrix<"a", [M, K]>`"""

    name = "tile.matrix"

    def __init__(self, parameter: str, extents: Sequence[str | int]):
        super().__init__(parameter, extents)


@irdl_attr_definition
class CopiesAttr(Copies):
    """How copies of parameters lie: `#tile.copies<{a = "rows", c = "rows"}, 256, 2147483648>`"""

    name = "tile.copies"

    def __init__(self, layouts: Mapping[str, Layout], extent: int, volume: int):
        super().__init__(layouts, extent, volume)


@irdl_attr_definition
class PrecisionAttr(EnumAttribute[Precision], SpacedOpaqueSyntaxAttribute):
    name = "tile.precision"


ACCESS = base(UnknownType) | base(AccessType)
VALUE = base(UnknownType) | base(TileType) | base(IntegerType) | AnyFloatConstr
INDEX = VALUE
FLAG = base(UnknownType) | base(TileType) | eq(i1)


def verify_flag(op: Operation, flag: SSAValue, other: SSAValue) -> None:
    """A truth value must have i1 elements and the shape of the value that it belongs to."""
    if isinstance(other.type, UnknownType) or isinstance(flag.type, UnknownType):
        return
    if flag.type != like(other.type, i1):
        raise VerifyException(f"expected {like(other.type, i1)}, got {flag.type}")
