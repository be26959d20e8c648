"""`tile`: a kernel as an SSA program over blocks of lanes.

A kernel is a chain of stages; each stage is one launch. A value is *uniform* (a scalar) or a
tile: one element for each lane of a block. Block sizes are symbols such as `BLOCK_SIZE`, which
have no value here: a kernel means what it computes when one block covers the whole input.
Control flow is that of `scf`. Before `tile-infer-shapes` every value has type `!tile.unknown`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Attribute, Dialect, Operation

from patlang_ir.dialects.tile.arithmetic import (
    AbsOp,
    AddOp,
    AndOp,
    BandOp,
    BinaryOp,
    BnotOp,
    BorOp,
    BxorOp,
    CeilOp,
    CosOp,
    DivOp,
    ErfOp,
    Exp2Op,
    ExpOp,
    FloorOp,
    FmaOp,
    Log2Op,
    LogOp,
    MaxOp,
    MinOp,
    MulOp,
    NegOp,
    NotOp,
    OrOp,
    PowOp,
    QuotientOp,
    RemOp,
    RoundOp,
    ShlOp,
    ShrOp,
    SinOp,
    SqrtOp,
    SubOp,
    TanhOp,
    TanOp,
    TruncOp,
    UnaryOp,
)
from patlang_ir.dialects.tile.blocks import (
    BLOCKS,
    AdvanceOp,
    BlockPointerOp,
    DotOp,
    LoadBlockOp,
    StoreBlockOp,
    TransposeOp,
    ZerosOp,
    pointed_buffer,
)
from patlang_ir.dialects.tile.descriptors import DescriptorLoadOp, DescriptorStoreOp
from patlang_ir.dialects.tile.kernels import (
    KernelOp,
    ScratchOp,
    StageOp,
)
from patlang_ir.dialects.tile.lanes import (
    ReduceOp,
    ScanOp,
)
from patlang_ir.dialects.tile.memory import (
    AtomicOp,
    BarrierOp,
    LoadOp,
    StoreOp,
    verify_write,
)
from patlang_ir.dialects.tile.positions import (
    AxisOp,
    BlockSizeOp,
    IndexOp,
    InDomainOp,
    LaneOp,
    LengthOp,
    ProgramOp,
    ProgramsOp,
    SizeOp,
    StrideOp,
)
from patlang_ir.dialects.tile.types import (
    ACCESS,
    FLAG,
    INDEX,
    VALUE,
    AccessType,
    BufferType,
    ComparePredicate,
    ComparePredicateAttr,
    CopiesAttr,
    Extent,
    ExtentAttr,
    IndexKind,
    IndexKindAttr,
    MatrixAttr,
    Order,
    OrderAttr,
    Precision,
    PrecisionAttr,
    ReduceKind,
    ReduceKindAttr,
    Scalar,
    SizeKind,
    SizeKindAttr,
    TileType,
    UnknownType,
    WeakType,
    element_of,
    like,
    shaped,
    sizes_of,
    unknown,
)
from patlang_ir.dialects.tile.values import (
    BroadcastOp,
    CastOp,
    CompareOp,
    ConditionOp,
    ConstantOp,
    ConversionOp,
    ScalarOp,
    SelectOp,
    TruthOp,
)

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
    BlockSizeOp,
    LaneOp,
    StrideOp,
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
    *BLOCKS,
    DescriptorLoadOp,
    DescriptorStoreOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    UnknownType,
    WeakType,
    TileType,
    BufferType,
    CopiesAttr,
    AccessType,
    ComparePredicateAttr,
    IndexKindAttr,
    SizeKindAttr,
    ReduceKindAttr,
    ExtentAttr,
    PrecisionAttr,
    OrderAttr,
    MatrixAttr,
]

Tile = Dialect("tile", OPERATIONS, ATTRIBUTES)
