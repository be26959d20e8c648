"""What is known of each GPU that kernels are compiled for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A GPU architecture.

    `block` lanes a program with `warps` warps suit a kernel that treats each element alone;
    `largest` is the number of lanes up to which one program holds a whole input in registers.
    """

    backend: str
    arch: int | str
    warp_size: int
    block: int = 1024
    warps: int = 4
    largest: int = 32768


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
