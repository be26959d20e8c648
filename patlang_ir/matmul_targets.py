"""What is known of each GPU that products of matrices are compiled for."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Factors(StrEnum):
    """What a GPU multiplies, from the slowest to the fastest."""

    F64 = "f64"
    F32 = "f32"
    TF32X3 = "tf32x3"
    TF32 = "tf32"
    HALF = "f16"
    BYTE = "i8"
    NONE = "nothing"


@dataclass(frozen=True)
class BlockPlan:
    """The rows, columns and depth of a block of the result, and what works on it."""

    m: int
    n: int
    k: int
    warps: int
    stages: int


@dataclass(frozen=True)
class MatmulTarget:
    """A GPU architecture, as far as products of matrices go.

    `shared` is how many bytes of shared memory a program may have. A loop in `stages` stages has
    that many of its blocks there, less `in_registers`. Where a plan gives fewer programs than
    `busy`, smaller blocks are better. `persistent` are the factors for which it pays to have one
    program for each processor.
    """

    shared: int
    in_registers: int
    busy: int
    precisions: frozenset[str] = frozenset(("ieee", "tf32", "tf32x3"))
    plans: dict[Factors, tuple[BlockPlan, ...]] = field(default_factory=lambda: PLANS)
    persistent: frozenset[Factors] = frozenset()


PLANS: dict[Factors, tuple[BlockPlan, ...]] = {
    Factors.HALF: (
        BlockPlan(128, 256, 64, 8, 3),
        BlockPlan(128, 128, 64, 8, 3),
        BlockPlan(64, 64, 64, 4, 4),
        BlockPlan(16, 64, 128, 4, 4),
    ),
    Factors.BYTE: (
        BlockPlan(128, 256, 128, 8, 3),
        BlockPlan(128, 128, 128, 8, 3),
        BlockPlan(64, 64, 128, 4, 4),
        BlockPlan(16, 64, 128, 4, 4),
    ),
    Factors.TF32: (
        BlockPlan(128, 256, 32, 8, 3),
        BlockPlan(128, 128, 32, 8, 3),
        BlockPlan(64, 64, 32, 4, 4),
        BlockPlan(16, 64, 64, 4, 4),
    ),
    Factors.TF32X3: (
        BlockPlan(128, 128, 32, 8, 3),
        BlockPlan(64, 64, 32, 4, 3),
        BlockPlan(16, 64, 32, 4, 3),
    ),
    Factors.F32: (
        BlockPlan(128, 64, 16, 8, 3),
        BlockPlan(64, 64, 16, 8, 3),
        BlockPlan(16, 64, 32, 4, 3),
    ),
    Factors.F64: (
        BlockPlan(64, 64, 16, 8, 3),
        BlockPlan(32, 32, 16, 4, 3),
    ),
    Factors.NONE: (
        BlockPlan(64, 128, 64, 8, 2),
        BlockPlan(16, 64, 64, 4, 2),
    ),
}
"""From the best blocks for large matrices to those for small ones."""

SMALL: dict[Factors, tuple[BlockPlan, ...]] = {
    **PLANS,
    Factors.HALF: (
        BlockPlan(128, 128, 64, 8, 2),
        BlockPlan(64, 64, 64, 4, 2),
        BlockPlan(16, 64, 64, 4, 2),
    ),
    Factors.BYTE: (
        BlockPlan(128, 128, 64, 8, 2),
        BlockPlan(64, 64, 64, 4, 2),
        BlockPlan(16, 64, 64, 4, 2),
    ),
    Factors.TF32: (
        BlockPlan(128, 128, 32, 8, 2),
        BlockPlan(64, 64, 32, 4, 2),
        BlockPlan(16, 64, 32, 4, 2),
    ),
    Factors.TF32X3: (
        BlockPlan(64, 64, 32, 4, 2),
        BlockPlan(16, 64, 32, 4, 2),
    ),
    Factors.F32: (BlockPlan(64, 64, 16, 8, 2), BlockPlan(16, 64, 32, 4, 2)),
    Factors.F64: (BlockPlan(64, 64, 16, 8, 2), BlockPlan(32, 32, 16, 4, 2)),
}
"""The same for a GPU with less shared memory."""

MATMUL_TARGETS: dict[str, MatmulTarget] = {
    "cuda:80": MatmulTarget(166_912, 1, 96),
    "cuda:90": MatmulTarget(232_448, 0, 100),
    "cuda:100": MatmulTarget(232_448, 0, 120),
    "cuda:120": MatmulTarget(101_376, 1, 128, plans=SMALL),
    "hip:gfx942": MatmulTarget(65_536, 1, 228, frozenset(("ieee", "tf32")), SMALL),
    "hip:gfx950": MatmulTarget(163_840, 0, 192, frozenset(("ieee",)), SMALL),
    "hip:gfx1100": MatmulTarget(65_536, 1, 72, frozenset(("ieee",)), SMALL),
}
"""The targets by the names that users write."""

GROUP = 8
"""How many rows of blocks the programs of a group make."""

DEEPEST = 64
WIDEST = 4096
"""The largest depth of a block that covers an axis, and the most elements that it covers."""

SMALLEST = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16}
SMALLEST_DEPTH = {Factors.BYTE: 32}
"""The smallest blocks that every version of Triton multiplies."""
