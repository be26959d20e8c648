"""What is known of each GPU that products of matrices are compiled for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from patlang_ir.dialects.tile import Order


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
    """The rows, columns and depth of a block of the result, and what works on it.

    `speed` is how many elements of the result a processor makes while the fastest plan for these
    factors makes 100.
    """

    m: int
    n: int
    k: int
    warps: int
    stages: int
    speed: int = 100
    order: Order = Order.GROUPED


Plans = Mapping[Factors, Sequence[BlockPlan]]


@dataclass(frozen=True)
class MatmulTarget:
    """A GPU architecture, as far as products of matrices go.

    `shared` is how many bytes of shared memory a program may have. A loop in `stages` stages has
    that many of its blocks there, less `in_registers`. A GPU with `descriptors` can move blocks by
    itself, and `described` are better plans for kernels in which it does. It multiplies factors in
    `by_depth` only where their elements lie side by side along the axis that is summed, and moves
    others through registers first, which takes longer than the product. For large
    products of those in `copied` it pays to copy matrices that do not lie so, or that the GPU
    cannot move.
    """

    shared: int
    in_registers: int
    plans: Plans
    precisions: frozenset[str] = frozenset(("ieee", "tf32", "tf32x3"))
    descriptors: bool = False
    described: Plans = field(default_factory=dict[Factors, Sequence[BlockPlan]])
    by_depth: frozenset[Factors] = frozenset((Factors.TF32, Factors.TF32X3, Factors.BYTE))
    copied: frozenset[Factors] = frozenset()


IEEE = (
    BlockPlan(64, 128, 32, 8, 3),
    BlockPlan(64, 64, 32, 4, 3, 97),
    BlockPlan(32, 64, 32, 4, 3, 75),
    BlockPlan(32, 32, 32, 4, 3, 45),
    BlockPlan(16, 64, 32, 4, 3, 40),
)
DOUBLE = (
    BlockPlan(64, 64, 16, 4, 3),
    BlockPlan(64, 32, 32, 4, 3, 70),
    BlockPlan(32, 32, 16, 4, 3, 42),
)
NOTHING = (
    BlockPlan(64, 128, 64, 8, 2),
    BlockPlan(16, 64, 64, 4, 2, 40),
)

LARGE: Plans = {
    Factors.HALF: (
        BlockPlan(128, 256, 64, 8, 3),
        BlockPlan(128, 128, 64, 4, 4, 85),
        BlockPlan(64, 128, 64, 4, 4, 75),
        BlockPlan(64, 64, 128, 4, 4, 60),
        BlockPlan(64, 32, 128, 4, 4, 40),
        BlockPlan(16, 64, 128, 4, 4, 17),
    ),
    Factors.BYTE: (
        BlockPlan(128, 128, 128, 8, 3),
        BlockPlan(64, 64, 128, 4, 4, 60),
        BlockPlan(16, 64, 128, 4, 4, 17),
    ),
    Factors.TF32: (
        BlockPlan(128, 256, 32, 8, 3),
        BlockPlan(128, 128, 32, 8, 3, 88),
        BlockPlan(64, 64, 32, 4, 4, 60),
        BlockPlan(16, 64, 64, 4, 4, 17),
    ),
    Factors.TF32X3: (
        BlockPlan(64, 128, 32, 4, 3, 98),
        BlockPlan(64, 64, 32, 4, 3),
        BlockPlan(16, 64, 32, 4, 3, 40),
    ),
    Factors.F32: IEEE,
    Factors.F64: DOUBLE,
    Factors.NONE: NOTHING,
}
"""For a GPU with much shared memory. The sizes of all plans were measured on an H200."""

SMALL: Plans = {
    **LARGE,
    Factors.HALF: (
        BlockPlan(128, 128, 64, 8, 2),
        BlockPlan(64, 64, 64, 4, 2, 60),
        BlockPlan(16, 64, 64, 4, 2, 17),
    ),
    Factors.BYTE: (
        BlockPlan(128, 128, 64, 8, 2),
        BlockPlan(64, 64, 64, 4, 2, 60),
        BlockPlan(16, 64, 64, 4, 2, 17),
    ),
    Factors.TF32: (
        BlockPlan(128, 128, 32, 8, 2),
        BlockPlan(64, 64, 32, 4, 2, 60),
        BlockPlan(16, 64, 32, 4, 2, 17),
    ),
    Factors.TF32X3: (
        BlockPlan(64, 64, 32, 4, 2),
        BlockPlan(16, 64, 32, 4, 2, 40),
    ),
}
"""The same for a GPU with less shared memory."""

HOPPER: Plans = {
    Factors.HALF: (
        BlockPlan(128, 256, 64, 8, 3, 100, Order.FLATTENED),
        BlockPlan(128, 128, 64, 4, 4, 93, Order.FLATTENED),
        BlockPlan(64, 128, 64, 4, 4, 80),
        BlockPlan(64, 64, 128, 4, 4, 62),
        BlockPlan(64, 32, 128, 4, 4, 40),
        BlockPlan(32, 32, 256, 4, 3, 20),
        BlockPlan(16, 64, 128, 4, 5, 17),
    ),
    Factors.TF32: (
        BlockPlan(128, 256, 32, 8, 4, 100, Order.PERSISTENT),
        BlockPlan(128, 128, 32, 4, 4, 88),
        BlockPlan(64, 128, 64, 4, 3, 75),
        BlockPlan(64, 64, 64, 4, 4, 60),
        BlockPlan(64, 32, 64, 4, 4, 38),
        BlockPlan(16, 64, 128, 4, 4, 17),
    ),
    Factors.BYTE: (
        BlockPlan(128, 128, 128, 8, 3),
        BlockPlan(64, 64, 256, 4, 3, 60),
        BlockPlan(16, 64, 256, 4, 3, 17),
    ),
}
"""For Hopper, where the GPU moves blocks by itself."""

COPIED = frozenset((Factors.HALF, Factors.TF32, Factors.TF32X3, Factors.BYTE))
"""What is multiplied so fast that loads of elements that do not lie well take most of the time."""

COPIED_FROM = (256, 2**31)
"""The least extent, and the least product of all three, for which copies are made.

A copy moves each element twice, and saves a little of each of its products: there are as many as
the extent that its matrix does not have. Of smaller products the launches of copies take longer on
the host than what they save.
"""

IEEE_ONLY, NO_TF32X3 = frozenset(("ieee",)), frozenset(("ieee", "tf32"))

MATMUL_TARGETS: dict[str, MatmulTarget] = {
    "cuda:80": MatmulTarget(166_912, 1, LARGE),
    "cuda:90": MatmulTarget(232_448, 0, LARGE, descriptors=True, described=HOPPER, copied=COPIED),
    "cuda:100": MatmulTarget(232_448, 0, LARGE, descriptors=True),
    "cuda:120": MatmulTarget(101_376, 1, SMALL, descriptors=True),
    "hip:gfx942": MatmulTarget(65_536, 1, SMALL, NO_TF32X3),
    "hip:gfx950": MatmulTarget(163_840, 0, SMALL, IEEE_ONLY),
    "hip:gfx1100": MatmulTarget(65_536, 1, SMALL, IEEE_ONLY),
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
