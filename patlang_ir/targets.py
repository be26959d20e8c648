"""What is known of each GPU that kernels are compiled for."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST_BLOCK = 65536
"""The most lanes of a block that a user may ask for."""


@dataclass(frozen=True)
class Shape:
    """The lanes of a block, and the warps that work on it."""

    lanes: int
    warps: int


def block_of(lanes: int, rank: int) -> dict[str, int]:
    """The sizes of a block of so many lanes, for an input of this rank."""
    if rank == 1:
        return {"BLOCK_SIZE": lanes}
    columns = min(lanes, 128)
    return {"BLOCK_R": lanes // columns, "BLOCK_C": columns}


@dataclass(frozen=True)
class Target:
    """A GPU architecture, and the blocks that suit a kernel on it.

    `each` is for kernels that treat each element alone, `reduce` for programs that combine the
    lanes of a block, `cover` for one program that covers a whole axis.
    """

    backend: str
    arch: int | str
    warp_size: int
    each: Shape = Shape(1024, 4)
    reduce: Shape = Shape(8192, 8)
    cover: Shape = Shape(1024, 4)

    def shape_of(self, *, combines: bool, covers: bool) -> Shape:
        """The blocks of a stage that combines lanes within blocks, or covers an axis."""
        if covers:
            return self.cover
        return self.reduce if combines else self.each


TARGETS: dict[str, Target] = {
    "cuda:80": Target("cuda", 80, 32),
    "cuda:90": Target("cuda", 90, 32),
    "cuda:100": Target("cuda", 100, 32),
    "cuda:120": Target("cuda", 120, 32),
    "hip:gfx942": Target("hip", "gfx942", 64),
    "hip:gfx950": Target("hip", "gfx950", 64),
    "hip:gfx1100": Target("hip", "gfx1100", 32),
}
"""The targets by the names that users write."""

DEFAULT_TARGET = "cuda:90"
TRITON_VERSIONS = ("3.6", "3.7", "3.8", "3.9")
"""The versions of Triton that kernels are compiled for."""
