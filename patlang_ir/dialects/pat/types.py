"""The type of values, and the attributes of operations."""

from __future__ import annotations

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.irdl import (
    eq,
    irdl_attr_definition,
)
from xdsl.utils.str_enum import StrEnum


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
