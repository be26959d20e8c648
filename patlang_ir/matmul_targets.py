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
    `busy`, smaller blocks are better. A GPU with `descriptors` can move blocks by itself, and
    `described` are better plans for kernels in which it does. It multiplies factors in `by_depth`
    only where their elements lie side by side along the axis that is summed. For large products of
    those in `copied` it pays to copy matrices that do not lie so, or that the GPU cannot move.
    """

    shared: int
    in_registers: int
    busy: int
    precisions: frozenset[str] = frozenset(("ieee", "tf32", "tf32x3"))
    plans: dict[Factors, tuple[BlockPlan, ...]] = field(default_factory=lambda: PLANS)
    descriptors: bool = False
    described: dict[Factors, tuple[BlockPlan, ...]] = field(
        default_factory=dict[Factors, tuple[BlockPlan, ...]]
    )
    by_depth: frozenset[Factors] = frozenset((Factors.TF32, Factors.BYTE))
    copied: frozenset[Factors] = frozenset()


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

DESCRIBED: dict[Factors, tuple[BlockPlan, ...]] = {
    Factors.TF32: (
        BlockPlan(128, 128, 32, 4, 3),
        BlockPlan(64, 64, 32, 4, 4),
        BlockPlan(16, 64, 64, 4, 4),
    ),
    Factors.BYTE: (
        BlockPlan(128, 128, 128, 8, 3),
        BlockPlan(64, 64, 128, 4, 4),
        BlockPlan(16, 64, 128, 4, 4),
    ),
}
"""Where the GPU moves blocks by itself, and smaller ones are faster."""

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

COPIED = frozenset((Factors.HALF, Factors.TF32, Factors.BYTE))
"""What is multiplied so fast that loads of elements that do not lie well take most of the time."""

COPIED_FROM = (256, 2**31)
"""The least extent, and the least product of all three, for which copies are made.

A copy moves each element twice, and saves a little of each of its products: there are as many as
the extent that its matrix does not have. Of smaller products the launches of copies take longer on
the host than what they save.
"""

MATMUL_TARGETS: dict[str, MatmulTarget] = {
    "cuda:80": MatmulTarget(166_912, 1, 96),
    "cuda:90": MatmulTarget(232_448, 0, 100, descriptors=True, described=DESCRIBED, copied=COPIED),
    "cuda:100": MatmulTarget(232_448, 0, 120, descriptors=True),
    "cuda:120": MatmulTarget(101_376, 1, 128, plans=SMALL, descriptors=True),
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
