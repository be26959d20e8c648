"""Which matrices to copy, so that the GPU can move their blocks by itself, and how copies lie."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from xdsl.ir import SSAValue

from patlang_ir.dialects import tile
from patlang_ir.dialects.copies import Layout
from patlang_ir.dialects.tile import SizeKind
from patlang_ir.matmul_targets import COPIED_FROM, MatmulTarget
from patlang_ir.passes.blocks.descriptors import Access, Decision, described_buffers
from patlang_ir.passes.blocks.places import Matrix, place_of
from patlang_ir.passes.blocks.pointers import name_of
from patlang_ir.passes.matmul_plans import factors_of

CUT = ((SizeKind.M, "BLOCK_M"), (SizeKind.N_OF_MATRIX, "BLOCK_N"))
"""The extents that programs cut, each into blocks of its size."""
EXTENTS = {SizeKind.M, SizeKind.N_OF_MATRIX, SizeKind.K}


def copies_of(
    stage: tile.StageOp,
    decisions: Sequence[Decision],
    target: MatmulTarget | None,
    *,
    always: bool = False,
) -> tile.CopiesAttr | None:
    """How copies of the matrices lie that can be described; None if no copy pays.

    With `always` copies are for products of every size that has elements.
    """
    dots = [op for op in stage.walk() if isinstance(op, tile.DotOp)]
    if stage.covered or target is None or not target.copied.issuperset(map(factors_of, dots)):
        return None
    if not EXTENTS.issubset(extents_of(decisions)):
        return None
    buffers = described_buffers(decisions)
    described = [d.access for d in decisions if d.access.place.matrix.buffer in buffers]
    stores = [access for access in described if isinstance(access.op, tile.StoreBlockOp)]
    if not described or not all(map(is_whole, stores)):
        return None
    wanted = [use for dot in dots for use in factors_by_depth(dot, target)]
    layouts = {
        name_of(matrix.buffer): layout_of(matrix, wanted, stores)
        for matrix in (access.place.matrix for access in described)
    }
    extent, volume = (1, 1) if always else COPIED_FROM
    return tile.CopiesAttr(layouts, extent, volume)


def extents_of(decisions: Sequence[Decision]) -> Iterator[SizeKind]:
    """The extents that the matrices of a stage have."""
    for decision in decisions:
        for extent in decision.access.place.matrix.extents:
            if isinstance(extent.owner, tile.SizeOp):
                yield extent.owner.kind.data


def is_whole(store: Access) -> bool:
    """Whether the programs together write every element, so that none of a copy is left as it was.

    Each program writes the block at `pid_m * BLOCK_M`, `pid_n * BLOCK_N`, or the same with the
    axes exchanged, on every way through the kernel.
    """
    if store.op.parent_op() is not store.stage:
        return False
    place = store.place
    sides = zip(place.starts, place.matrix.extents, place.matrix.sizes, strict=True)
    return {cut_axis(*side) for side in sides} == {0, 1}


def cut_axis(start: SSAValue, extent: SSAValue, size: str | int) -> int | None:
    """The axis of the launch whose programs have all blocks along a side of a matrix."""
    match start.owner, extent.owner:
        case tile.MulOp(lhs=lhs, rhs=rhs), tile.SizeOp(kind=kind):
            pass
        case _:
            return None
    for program, block in ((lhs.owner, rhs.owner), (rhs.owner, lhs.owner)):
        match program, block:
            case tile.ProgramOp(), tile.BlockSizeOp(symbol=symbol):
                axis = program.axis.data
                if symbol.data == size and CUT[axis : axis + 1] == ((kind.data, size),):
                    return axis
            case _:
                pass
    return None


def factors_by_depth(dot: tile.DotOp, target: MatmulTarget) -> Iterator[tuple[SSAValue, Layout]]:
    """The matrices whose blocks are multiplied as they are, where these must lie by their depth."""
    if factors_of(dot) not in target.by_depth:
        return
    for value, axis in ((dot.lhs, 1), (dot.rhs, 0)):
        while isinstance(value.owner, tile.TransposeOp):
            value, axis = value.owner.operand, 1 - axis
        if isinstance(value.owner, tile.LoadBlockOp):
            buffer = place_of(value.owner.access).matrix.buffer
            yield buffer, Layout.ROWS if axis == 1 else Layout.COLUMNS


def layout_of(
    matrix: Matrix, wanted: Collection[tuple[SSAValue, Layout]], stores: Sequence[Access]
) -> Layout:
    """Along what the elements of a copy lie side by side; a stored one is stored by rows."""
    if any(store.place.matrix.buffer is matrix.buffer for store in stores):
        return Layout.ROWS
    found = {layout for buffer, layout in wanted if buffer is matrix.buffer}
    return found.pop() if len(found) == 1 else Layout.EITHER
