"""Which blocks a GPU can move by itself: what must hold for a tensor descriptor, as a table.

What is not proved here and may hold for a call is looked at when it comes (`fits_descriptor` in the
printed launcher). A store through a descriptor without one of these facts writes to other memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import gcd

from xdsl.dialects import scf
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import BlockArgument, SSAValue

from patlang_ir.dialects import tile
from patlang_ir.passes.blocks.places import Place, place_of

BlockAccess = tile.LoadBlockOp | tile.StoreBlockOp

ALIGNMENT = 16
"""The bytes that addresses, strides and rows of blocks are multiples of."""
LEAST_BLOCK = 16
"""The plans of products have blocks of a power of two from here."""


class Verdict(Enum):
    """Whether a fact holds for every call, for none, or is to be looked at in each."""

    HOLDS = "holds"
    FAILS = "fails"
    AT_LAUNCH = "at launch"


@dataclass(frozen=True)
class Access:
    """A load or store of a block, in its stage."""

    op: BlockAccess
    stage: tile.StageOp
    has_descriptors: bool

    @property
    def place(self) -> Place:
        return place_of(self.op.access)

    @property
    def width(self) -> int:
        """The bytes of an element; 0 where it has no whole number of them."""
        element = tile.element_of(self.place.matrix.buffer.type)
        return element.bitwidth // 8  # pyright: ignore

    def others(self) -> Iterator[BlockAccess]:
        """All accesses of the same buffer in the stage."""
        buffer = self.place.matrix.buffer
        for op in self.stage.walk():
            if isinstance(op, BlockAccess) and place_of(op.access).matrix.buffer is buffer:
                yield op


def _known(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.FAILS


def _target(access: Access) -> Verdict:
    return _known(access.has_descriptors)


def _product(access: Access) -> Verdict:
    return _known(any(isinstance(op, tile.DotOp) for op in access.stage.walk()))


def _parameter(access: Access) -> Verdict:
    return _known(isinstance(access.place.matrix.buffer, BlockArgument))


def _one_shape(access: Access) -> Verdict:
    return _known(len({place_of(op.access).matrix.sizes for op in access.others()}) == 1)


def _one_way(access: Access) -> Verdict:
    return _known(len({type(op) for op in access.others()}) == 1)


def _element(access: Access) -> Verdict:
    return _known(access.width in (1, 2, 4, 8))


def _wide(access: Access) -> Verdict:
    sizes = access.place.matrix.sizes
    least = min(size if isinstance(size, int) else LEAST_BLOCK for size in sizes)
    return _known(least * access.width >= ALIGNMENT)


def _start(access: Access) -> Verdict:
    return _known(
        all(multiple(start) * access.width % ALIGNMENT == 0 for start in access.place.starts)
    )


def _small(access: Access) -> Verdict:
    """A block is stored from shared memory, where one of 32-bit elements leaves too little room."""
    return _known(isinstance(access.op, tile.LoadBlockOp) or access.width <= 2)


def _whole_rows(access: Access) -> Verdict:
    return Verdict.AT_LAUNCH if isinstance(access.op, tile.StoreBlockOp) else Verdict.HOLDS


def _at_launch(access: Access) -> Verdict:
    return Verdict.AT_LAUNCH


OBLIGATIONS: tuple[tuple[str, Callable[[Access], Verdict]], ...] = (
    ("the GPU moves blocks by itself", _target),
    ("the kernel multiplies blocks", _product),
    ("the matrix is a parameter", _parameter),
    ("its blocks have one shape", _one_shape),
    ("it is only loaded or only stored", _one_way),
    ("its elements have 1, 2, 4 or 8 bytes", _element),
    ("its elements have 16 bits or less, for they are stored", _small),
    ("its blocks have 16 bytes or more along each axis", _wide),
    ("its blocks start at multiples of 16 bytes", _start),
    ("its first element lies at a multiple of 16 bytes", _at_launch),
    ("its elements lie side by side along one axis", _at_launch),
    ("its rows lie multiples of 16 bytes apart", _at_launch),
    ("its extents are below 2**31", _at_launch),
    ("its rows have a multiple of 16 bytes, for they are stored", _whole_rows),
)
"""What must hold of an access, in the order in which it is looked at."""


def multiple(value: SSAValue) -> int:
    """A number that divides a value for certain; 0 for 0."""
    match value.owner:
        case tile.ConstantOp(value=IntAttr() as literal):
            return abs(literal.data)
        case tile.BlockSizeOp():
            return LEAST_BLOCK
        case tile.MulOp(lhs=lhs, rhs=rhs):
            return multiple(lhs) * multiple(rhs)
        case tile.AddOp(lhs=lhs, rhs=rhs) | tile.SubOp(lhs=lhs, rhs=rhs):
            return gcd(multiple(lhs), multiple(rhs))
        case tile.CastOp(operand=operand):
            return multiple(operand)
        case _:
            pass
    loop = value.block.parent_op() if isinstance(value, BlockArgument) else None
    if isinstance(loop, scf.ForOp) and value is loop.body.block.args[0]:
        return gcd(multiple(loop.lb), multiple(loop.step))
    return 1


@dataclass(frozen=True)
class Decision:
    """What becomes of an access, and the fact that decided it."""

    access: Access
    described: bool
    reason: str


def decide(stage: tile.StageOp, *, has_descriptors: bool) -> list[Decision]:
    """The form of every access of a stage, in program order."""
    accesses = [
        Access(op, stage, has_descriptors) for op in stage.walk() if isinstance(op, BlockAccess)
    ]
    return [Decision(access, *judged(access)) for access in accesses]


def judged(access: Access) -> tuple[bool, str]:
    """Whether an access can be described, and why not, or what its calls are asked."""
    asked: list[str] = []
    for statement, judge in OBLIGATIONS:
        match judge(access):
            case Verdict.FAILS:
                return False, f"not proved: {statement}"
            case Verdict.AT_LAUNCH:
                asked.append(statement)
            case Verdict.HOLDS:
                pass
    return True, f"if {', '.join(asked)}"


def described_buffers(decisions: Sequence[Decision]) -> set[SSAValue]:
    """The buffers all of whose accesses can be described."""
    buffers = {decision.access.place.matrix.buffer for decision in decisions}
    left = {d.access.place.matrix.buffer for d in decisions if not d.described}
    return buffers - left
