"""How the input is cut into programs: one block, blocks with padding lanes, or exact chunks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np

from patlang_ir.backends.numpy.elements import Value
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import IndexKind, SizeKind

AXES: dict[KernelKind, dict[str, SizeKind]] = {
    KernelKind.LINEAR: {"BLOCK_SIZE": SizeKind.N},
    KernelKind.GRID: {"BLOCK_R": SizeKind.N_ROWS, "BLOCK_C": SizeKind.N_COLS},
    KernelKind.MATMUL: {"BLOCK_M": SizeKind.M, "BLOCK_N": SizeKind.N_OF_MATRIX},
}
"""The block sizes of each kind of kernel, with the extent that each one cuts."""

LOOPS: dict[KernelKind, dict[str, SizeKind]] = {KernelKind.MATMUL: {"BLOCK_K": SizeKind.K}}
"""The block sizes that loops inside a program step by, with the extent of the loop."""

Sizes = tuple[str | int, ...]


@dataclass(frozen=True)
class Cut:
    """The part of an axis that one program has: `inside` of its lanes are not padding."""

    start: int
    lanes: int
    inside: int

    @property
    def indices(self) -> Value:
        return np.arange(self.start, self.start + self.lanes, dtype=np.int64)


@dataclass(frozen=True)
class Program:
    """One block of a launch. The first along an axis does what happens once along it."""

    extents: Mapping[SizeKind, int]
    cuts: Mapping[str, Cut]
    place: tuple[int, ...]
    """Its number along each axis of the launch."""
    counts: tuple[int, ...]
    """The number of programs along each axis."""
    loops: Mapping[str, int]
    """The lanes of the blocks that loops inside the program go through."""

    def is_first(self, axes: Sequence[int]) -> bool:
        """Whether it does what happens once along these axes."""
        return not any(self.place[axis] for axis in axes)

    @property
    def full(self) -> bool:
        """Whether no lane is padding."""
        return all(cut.lanes == cut.inside for cut in self.cuts.values())

    def lanes(self, symbol: str) -> int:
        """How many lanes a block has along an axis."""
        return self.cuts[symbol].lanes if symbol in self.cuts else self.loops[symbol]

    def shape(self, sizes: Sizes) -> tuple[int, ...]:
        """How many lanes a tile of these sizes has."""
        return tuple(self.lanes(s) if isinstance(s, str) else s for s in sizes)

    def trim(self, value: Value, sizes: Sizes) -> Value:
        """The lanes inside the input, in the full shape of the tile."""
        shape = self.shape(sizes)
        lanes = value if value.shape == shape else np.broadcast_to(value, shape)
        if self.full:
            return lanes
        inside = {symbol: cut.inside for symbol, cut in self.cuts.items()}
        return lanes[tuple(slice(inside.get(s) if isinstance(s, str) else s) for s in sizes)]

    def pad(self, value: Value, sizes: Sizes) -> Value:
        """The reverse of `trim`, with 0 in the padding lanes."""
        if self.full or not sizes:
            return value
        lanes = np.zeros(self.shape(sizes), value.dtype)
        self.trim(lanes, sizes)[...] = value
        return lanes

    def in_domain(self, sizes: Sizes) -> Value:
        """Which lanes are inside the input; one truth value where all are."""
        if self.full or not sizes:
            return np.True_
        return self.pad(np.True_, sizes)

    def index(self, kind: IndexKind) -> Value:
        """The position of each lane."""
        match kind, tuple(self.cuts.values()):
            case IndexKind.OFFS, (cut,):
                return cut.indices
            case IndexKind.OFFS, (rows, columns):
                width = np.int64(self.extents[SizeKind.N_COLS])
                return rows.indices[:, None] * width + columns.indices
            case IndexKind.ROW, (rows, _):
                return rows.indices[:, None]
            case IndexKind.COL, (_, columns):
                return columns.indices[None, :]
            case _:
                raise AssertionError(f"a linear kernel has no {kind}")

    def flat_start(self) -> int | None:
        """Where `offs` starts if it counts up lane by lane, else None."""
        match tuple(self.cuts.values()):
            case (cut,):
                return cut.start
            case (rows, columns) if columns.lanes == self.extents[SizeKind.N_COLS]:
                return rows.start * columns.lanes
            case _:
                return None

    def position(self, found: Value, sizes: Sizes, axis: int | None) -> Value:
        """From a position among the lanes inside this block to one in the whole input."""
        if axis is not None:
            size = sizes[axis]
            return found + (self.cuts[size].start if isinstance(size, str) else 0)
        match tuple(self.cuts[s] for s in sizes if isinstance(s, str)):
            case (cut,):
                return found + cut.start
            case (rows, columns) if columns.inside:
                row, column = divmod(found, columns.inside)
                width = self.extents[SizeKind.N_COLS]
                return (row + rows.start) * width + column + columns.start
            case _:
                return found


@dataclass(frozen=True)
class Grid:
    """The programs of a launch, in the order of their numbers."""

    extents: Mapping[SizeKind, int]
    cuts: Mapping[str, Sequence[Cut]]
    loops: Mapping[str, int] = field(default_factory=dict[str, int])

    def __len__(self) -> int:
        return int(np.prod([len(cuts) for cuts in self.cuts.values()]))

    def __iter__(self) -> Iterator[Program]:
        counts = tuple(len(cuts) for cuts in self.cuts.values())
        for numbered in product(*(enumerate(cuts) for cuts in self.cuts.values())):
            place, cuts = zip(*numbered, strict=True)
            own = dict(zip(self.cuts, cuts, strict=True))
            yield Program(self.extents, own, place, counts, self.loops)

    def ordered(self, order: Sequence[int]) -> Iterator[Program]:
        programs = list(self)
        assert sorted(order) == list(range(len(programs))), "each program must run once"
        return (programs[number] for number in order)


def whole(extents: Mapping[SizeKind, int], axes: Mapping[str, SizeKind]) -> Grid:
    """One block that covers the input exactly: what a kernel means."""
    return Grid(extents, {s: [Cut(0, extents[k], extents[k])] for s, k in axes.items()})


def whole_matrices(
    extents: Mapping[SizeKind, int], axes: Mapping[str, SizeKind], loops: Mapping[str, SizeKind]
) -> Grid:
    """One block that covers the matrices. It has a lane where there is no element, for a loop must
    get on."""
    cuts = {s: [Cut(0, max(extents[k], 1), extents[k])] for s, k in axes.items()}
    return Grid(extents, cuts, {s: max(extents[k], 1) for s, k in loops.items()})


def power_of_two(extent: int) -> int:
    """The smallest one that is at least `extent`."""
    return 1 << max(extent - 1, 0).bit_length()


def in_blocks(
    extents: Mapping[SizeKind, int],
    axes: Mapping[str, SizeKind],
    sizes: Mapping[str, int],
    covered: Sequence[str] = (),
    loops: Sequence[str] = (),
) -> Grid:
    """Blocks of one size, the last one with padding lanes; at least one program.

    A `covered` axis has one block of a power of two, as a GPU needs it.
    """
    cuts: dict[str, Sequence[Cut]] = {}
    for symbol, kind in axes.items():
        extent = extents[kind]
        size = power_of_two(extent) if symbol in covered else sizes[symbol]
        cuts[symbol] = [
            Cut(start, size, max(min(size, extent - start), 0))
            for start in range(0, max(extent, 1), size)
        ]
    return Grid(extents, cuts, {symbol: sizes[symbol] for symbol in loops})


def in_chunks(extents: Mapping[SizeKind, int], axes: Mapping[str, SizeKind], lanes: int) -> Grid:
    """Blocks of about so many lanes and no padding: whole rows of a 2-D input."""
    symbol, *inner = axes
    for other in inner:
        lanes = max(lanes // max(extents[axes[other]], 1), 1)
    extent = extents[axes[symbol]]
    starts = range(0, max(extent, 1), lanes)
    first = [Cut(start, size, size) for start in starts for size in [min(lanes, extent - start)]]
    rest = {s: [Cut(0, extents[axes[s]], extents[axes[s]])] for s in inner}
    return Grid(extents, {symbol: first, **rest})
