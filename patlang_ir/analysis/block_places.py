"""Where blocks of a matmul kernel start, as polynomials, and whether the cut decides it.

The unknowns are the extents of matrices, the numbers of programs, the sizes of blocks, the counters
of loops, and any other number that is the same for every cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import scf
from xdsl.ir import Operation

from patlang_ir.analysis.block_facts import FIXED, Dependence, Fact, Place, cut
from patlang_ir.analysis.matrix_extents import extent_of
from patlang_ir.analysis.polynomials import Polynomial
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import SizeKind

PROGRAMS = ("pid_m", "pid_n")
AXES = {"BLOCK_M": 0, "BLOCK_N": 1}
EXTENTS = {"BLOCK_M": SizeKind.M, "BLOCK_N": SizeKind.N_OF_MATRIX, "BLOCK_K": SizeKind.K}


class Numbers:
    """The unknowns of one kernel."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self._cutting: set[int] = set()

    def unknown(self, key: object, *, cutting: bool = False) -> Polynomial:
        """A number by what it is; `cutting` if it is not the same for every cut."""
        number = self._numbers.setdefault(key, len(self._numbers))
        if cutting:
            self._cutting.add(number)
        return Polynomial.unknown(number)

    def program(self, axis: int) -> Polynomial:
        return self.unknown(PROGRAMS[axis], cutting=True)

    def block_size(self, symbol: str) -> Polynomial:
        return self.unknown(symbol, cutting=True)

    def turn(self, loop: scf.ForOp) -> Polynomial:
        """The counter of a loop over K."""
        return self.unknown(loop, cutting=True)

    @property
    def cuts(self) -> int:
        """How many unknowns are not the same for every cut, as far as is known."""
        return len(self._cutting)

    def is_cut(self, form: Polynomial) -> bool:
        return any(number in self._cutting for monomial in form.terms for number in monomial)

    def own_start(self, symbol: str) -> Polynomial:
        """Where the block of a program starts."""
        return self.program(AXES[symbol]) * self.block_size(symbol)


@dataclass(frozen=True)
class BlockAccess:
    """A load or store of a block, with where it is and on what it depends."""

    op: tile.LoadBlockOp | tile.StoreBlockOp
    place: Place
    fact: Fact
    """Of what is loaded or stored, the conditions around it included."""
    own: Mapping[int, int]
    """The axes of the launch along which each program has a block of its own, each with the side
    of the block that lies along it."""


@dataclass(frozen=True)
class Extension:
    """What a pointer's block means along its axes: on what its elements depend, the axes of the
    launch along which each program has a block of its own, each with the side of the block that
    lies along it, and those that one block must cover."""

    facts: tuple[Fact, ...]
    own: Mapping[int, int]
    covered: frozenset[int]


def extension_of(
    op: Operation, place: Place, numbers: Numbers, loops: list[scf.ForOp]
) -> Extension:
    """What is known of the block at a place, by the loops over K around."""
    extents = (extent_of(place.pointer.rows), extent_of(place.pointer.cols))
    facts: list[Fact] = []
    own: dict[int, int] = {}
    covered: set[int] = set()
    sides = zip(place.pointer.sizes, place.starts, extents, strict=True)
    for number, (size, start, extent) in enumerate(sides):
        fact = _start(op, _Side(size, start, extent), numbers, loops)
        facts.append(fact)
        own |= dict.fromkeys(_own_axes(size, start, numbers), number)
        if isinstance(size, str) and size in AXES and not start.terms:
            covered |= {AXES[size]} if fact.dependence is Dependence.FIXED else set()
    return Extension(tuple(facts), own, frozenset(covered))


class _Side(NamedTuple):
    """A block along an axis: its size, where it starts, and the extent of its matrix."""

    size: str | int
    start: Polynomial
    extent: SizeKind | int | None


def _start(op: Operation, side: _Side, numbers: Numbers, loops: list[scf.ForOp]) -> Fact:
    """On what the elements depend that a block has along an axis."""
    size, start, extent = side
    if not isinstance(size, str):
        message = f"where a block of {size} starts depends on the sizes of other blocks"
        return cut(op, message) if numbers.is_cut(start) else FIXED
    if extent == EXTENTS[size]:
        if size in AXES and (not start.terms or start == numbers.own_start(size)):
            return FIXED
        if size == "BLOCK_K":
            for loop in loops:
                if start == numbers.turn(loop):
                    return Fact(Dependence.TURN, loop=loop)
    if size == "BLOCK_K":
        return cut(op, "a block of BLOCK_K does not go from 0 to K with a loop in steps of BLOCK_K")
    expected = f"pid_{size[-1].lower()} * {size}, in a matrix of {EXTENTS[size]}"
    return cut(op, f"a block of {size} does not start at {expected}")


def _own_axes(size: str | int, start: Polynomial, numbers: Numbers) -> set[int]:
    """The axes of the launch along which the blocks of two programs never meet."""
    if isinstance(size, str):
        return {AXES[size]} if size in AXES and start == numbers.own_start(size) else set()
    steps = Polynomial.constant(size)
    return {axis for axis in range(2) if start == numbers.program(axis) * steps}
