"""Blocks as tensors of pointers: the index of each element, and the mask of those in the matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import BlockArgument, Operation, SSAValue

from patlang_ir.analysis.ranges import LARGEST_BLOCK, Ranges
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number
from patlang_ir.dialects.tile import ComparePredicate as Predicate
from patlang_ir.passes.blocks.places import Place, Sizes, is_zero

Emit = Callable[[Operation], SSAValue]


class BlockBuilder:
    """Writes what a block of these sizes needs, as `emit` inserts it."""

    def __init__(self, sizes: Sizes, emit: Emit, ranges: Ranges):
        self.sizes, self.emit, self.ranges = sizes, emit, ranges

    def shape(self, axis: int) -> Sizes:
        """The sizes of a value that differs along one axis only."""
        return tuple(size if i == axis else 1 for i, size in enumerate(self.sizes))

    def lanes(self, axis: int) -> SSAValue:
        lanes = self.emit(tile.LaneOp(self.shape(axis)))
        lanes.name_hint = self.hint("lanes", axis)
        return lanes

    def hint(self, word: str, axis: int) -> str:
        """A name for what belongs to an axis: `lanes_m` for one that `BLOCK_M` cuts."""
        size = self.sizes[axis]
        return f"{word}_{size.rpartition('_')[2].lower()}" if isinstance(size, str) else word

    def spread(self, value: SSAValue, sizes: Sizes) -> SSAValue:
        type = tile.shaped(sizes, tile.element_of(value.type))
        return value if value.type == type else self.emit(tile.BroadcastOp(value, type))

    def index(self, place: Place) -> SSAValue:
        """(row * row stride + col * col stride) + (lane of the row * row stride + ...)

        The first part is one number, and the second the same in every turn of a loop.
        """
        start: SSAValue | None = None
        offsets: SSAValue | None = None
        name = name_of(place.matrix.buffer)
        for axis, first in enumerate(place.starts):
            stride = self.emit(tile.StrideOp(place.matrix.buffer, axis))
            stride.name_hint = f"{name}_{('row', 'col')[axis]}_stride"
            if not is_zero(first):
                part = self.emit(tile.MulOp(first, stride))
                part.name_hint = f"{name}_{('row', 'col')[axis]}"
                start = self.sum(start, part)
            if self.sizes[axis] != 1:
                spread = self.spread(stride, self.shape(axis))
                part = self.emit(tile.MulOp(self.lanes(axis), spread))
                part = self.spread(part, self.sizes)
                offsets = self.sum(offsets, part)
        if offsets is not None:
            offsets.name_hint = f"{name}_offsets"
        if start is None:
            start = self.emit(tile.ConstantOp(number(0), i64))
            if offsets is not None:
                return offsets
        start.name_hint = start.name_hint or f"{name}_start"
        whole = self.spread(start, self.sizes)
        return whole if offsets is None else self.emit(tile.AddOp(whole, offsets))

    def sum(self, lhs: SSAValue | None, rhs: SSAValue) -> SSAValue:
        return rhs if lhs is None else self.emit(tile.AddOp(lhs, rhs))

    def inside(self, domain: Sequence[tuple[int, SSAValue, SSAValue]]) -> SSAValue | None:
        """Which elements lie in the matrix, by axis, start and extent; None for all of them."""
        mask: SSAValue | None = None
        for axis, start, extent in domain:
            for condition in self.conditions(axis, start, extent):
                whole = self.spread(condition, self.sizes)
                mask = whole if mask is None else self.emit(tile.AndOp(mask, whole))
        return mask

    def conditions(self, axis: int, start: SSAValue, extent: SSAValue) -> list[SSAValue]:
        """0 <= start + lane and start + lane < extent, where that is not proved."""
        shape, lanes = self.shape(axis), self.lanes(axis)
        left = extent
        if not is_zero(start):
            left = self.emit(tile.SubOp(extent, start))
            left.name_hint = self.hint("left", axis)
        found: list[SSAValue] = []
        if self.ranges.of(left).low <= self.last_lane(axis):
            found.append(self.emit(tile.CompareOp(Predicate.LT, lanes, self.spread(left, shape))))
        if self.ranges.of(start).low < 0:
            zero = self.emit(tile.ConstantOp(number(0), i64))
            before = self.spread(self.emit(tile.SubOp(zero, start)), shape)
            found.append(self.emit(tile.CompareOp(Predicate.GE, lanes, before)))
        for condition in found:
            condition.name_hint = self.hint("mask", axis)
        return found

    def last_lane(self, axis: int) -> int:
        """The largest number that a lane may have."""
        size = self.sizes[axis]
        return size - 1 if isinstance(size, int) else LARGEST_BLOCK - 1

    def chosen(self, mask: SSAValue, value: SSAValue, other: SSAValue) -> SSAValue:
        """The value where the mask holds, and the scalar `other` elsewhere."""
        return self.emit(tile.SelectOp(mask, value, self.spread(other, self.sizes)))


def name_of(buffer: SSAValue) -> str:
    """The parameter that a buffer is."""
    kernel = buffer.owner.parent_op() if isinstance(buffer, BlockArgument) else None
    if isinstance(kernel, tile.KernelOp) and isinstance(buffer, BlockArgument):
        return kernel.param_names[buffer.index]
    return buffer.name_hint or "matrix"


def domain_of(place: Place, axes: Sequence[int] = (0, 1)) -> list[tuple[int, SSAValue, SSAValue]]:
    """The start and the extent of a block along each of these axes."""
    return [(axis, place.starts[axis], place.matrix.extents[axis]) for axis in axes]
