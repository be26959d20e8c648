"""What the operations on blocks of matrices become: a step for each.

A pointer is a view of its matrix with a place in it. Elements outside the matrix are 0, and where
elements are combined they do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.block_sources import loads_behind
from patlang_ir.backends.numpy.contexts import PROGRAM, Context, Step, Values, known_element
from patlang_ir.backends.numpy.elements import Element, Value
from patlang_ir.backends.numpy.products import product_of
from patlang_ir.backends.numpy.reductions import reduction_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import ReduceKind


class Pointer(NamedTuple):
    """The block of a matrix that starts at a row and a column; both may lie outside."""

    data: NDArray[Any]
    row: int
    col: int
    rows: int
    cols: int

    def lanes(self, shape: tuple[int, ...]) -> tuple[slice, slice]:
        """The part of a block of this shape that lies in the matrix."""
        return _part(self.row, shape[0], self.rows), _part(self.col, shape[1], self.cols)

    def memory(self, lanes: tuple[slice, slice]) -> NDArray[Any]:
        """The elements of the matrix in these lanes."""
        rows, cols = lanes
        return self.data[
            rows.start + self.row : rows.stop + self.row,
            cols.start + self.col : cols.stop + self.col,
        ]


Place = Callable[[Values], Pointer]


def _part(start: int, size: int, extent: int) -> slice:
    """The lanes of an axis at which `0 <= start + lane < extent`."""
    first = min(max(-start, 0), size)
    return slice(first, max(min(extent - start, size), first))


def block_size(context: Context, op: tile.BlockSizeOp) -> Step:
    r, symbol = context.slot(op.result), op.symbol.data

    def step(values: Values) -> None:
        values[r] = np.int64(values[PROGRAM].lanes(symbol))

    return step


def lane(context: Context, op: tile.LaneOp) -> Step:
    r, sizes = context.slot(op.result), tile.sizes_of(op.result.type)

    def step(values: Values) -> None:
        shape = values[PROGRAM].shape(sizes)
        values[r] = np.arange(shape[op.axis], dtype=np.int64).reshape(shape)

    return step


def stride(context: Context, op: tile.StrideOp) -> Step:
    r, buffer, axis = context.slot(op.result), context.slot(op.buffer), op.axis.data

    def step(values: Values) -> None:
        data = values[buffer]
        values[r] = np.int64(data.strides[axis] // data.itemsize)

    return step


def block_pointer(context: Context, op: tile.BlockPointerOp) -> Step:
    r, buffer = context.slot(op.result), context.slot(op.buffer)
    numbers = [context.slot(value) for value in (op.row, op.col, op.rows, op.cols)]

    def step(values: Values) -> None:
        row, col, rows, cols = (int(values[slot]) for slot in numbers)
        data = values[buffer]
        within = (min(rows, data.shape[0]), min(cols, data.shape[1]))
        values[r] = Pointer(data, row, col, *within)

    return step


def advance(context: Context, op: tile.AdvanceOp) -> Step:
    r, a = context.slot(op.result), context.slot(op.access)
    rows, cols = context.slot(op.rows), context.slot(op.cols)

    def step(values: Values) -> None:
        old = values[a]
        moved = {"row": old.row + int(values[rows]), "col": old.col + int(values[cols])}
        values[r] = old._replace(**moved)

    return step


def loaded(source: Pointer, shape: tuple[int, ...], element: Element) -> Value:
    """The elements of a block, 0 outside the matrix."""
    lanes = source.lanes(shape)
    found = element.decode(source.memory(lanes).copy())
    if found.shape == shape:
        return found
    block = np.zeros(shape, element.held)
    block[lanes] = found
    return block


def put(target: Pointer, value: Value, shape: tuple[int, ...], element: Element) -> None:
    """Write the elements of a block that lie in the matrix."""
    lanes = target.lanes(shape)
    target.memory(lanes)[...] = element.encode(np.broadcast_to(value, shape)[lanes])


def load_block(context: Context, op: tile.LoadBlockOp) -> Step:
    r, a, edges = context.slot(op.result), context.slot(op.access), context.edges[op]
    element, sizes = known_element(op, op.result.type), tile.sizes_of(op.result.type)

    def step(values: Values) -> None:
        shape, source = values[PROGRAM].shape(sizes), values[a]
        values[edges] = source.lanes(shape)
        values[r] = loaded(source, shape, element)

    return step


def store_block(context: Context, op: tile.StoreBlockOp) -> Step:
    v, a = context.slot(op.value), context.slot(op.access)
    element, sizes = known_element(op, op.value.type), tile.sizes_of(op.value.type)

    def step(values: Values) -> None:
        put(values[a], values[v], values[PROGRAM].shape(sizes), element)

    return step


def described(context: Context, op: tile.DescriptorLoadOp | tile.DescriptorStoreOp) -> Place:
    """Where a descriptor points to: its buffer is the whole matrix."""
    buffer, row, col = (context.slot(value) for value in (op.buffer, op.row, op.col))

    def place(values: Values) -> Pointer:
        data = values[buffer]
        return Pointer(data, int(values[row]), int(values[col]), *data.shape)

    return place


def descriptor_load(context: Context, op: tile.DescriptorLoadOp) -> Step:
    r, place = context.slot(op.result), described(context, op)
    element, sizes = known_element(op, op.result.type), tile.sizes_of(op.result.type)

    def step(values: Values) -> None:
        values[r] = loaded(place(values), values[PROGRAM].shape(sizes), element)

    return step


def descriptor_store(context: Context, op: tile.DescriptorStoreOp) -> Step:
    v, place = context.slot(op.value), described(context, op)
    element, sizes = known_element(op, op.value.type), tile.sizes_of(op.value.type)

    def step(values: Values) -> None:
        put(place(values), values[v], values[PROGRAM].shape(sizes), element)

    return step


def zeros(context: Context, op: tile.ZerosOp) -> Step:
    r, held = context.slot(op.result), known_element(op, op.result.type).held

    def step(values: Values) -> None:
        values[r] = held.type(0)

    return step


def transpose(context: Context, op: tile.TransposeOp) -> Step:
    r, a, sizes = context.slot(op.result), context.slot(op.operand), tile.sizes_of(op.operand.type)

    def step(values: Values) -> None:
        values[r] = np.broadcast_to(values[a], values[PROGRAM].shape(sizes)).T

    return step


def inside_of(context: Context, *sides: tuple[SSAValue, int]) -> Callable[[Values, int], slice]:
    """Which lanes of an axis count: those inside of every matrix that they come from."""
    loads = {load for value, axis in sides for load in loads_behind(value, axis)}
    known = [(context.edges[load], axis) for load, axis in loads]

    def inside(values: Values, size: int) -> slice:
        parts = [values[slot][axis] for slot, axis in known if values[slot] is not None]
        first = max((part.start for part in parts), default=0)
        return slice(first, max(min((part.stop for part in parts), default=size), first))

    return inside


def dot(context: Context, op: tile.DotOp) -> Step:
    r, a, b, c = (context.slot(value) for value in (op.result, op.lhs, op.rhs, op.acc))
    left, right = (tile.sizes_of(value.type) for value in (op.lhs, op.rhs))
    factor, total = known_element(op, op.lhs.type), known_element(op, op.result.type)
    product = product_of(factor, total, op.precision.data)
    inside = inside_of(context, (op.lhs, 1), (op.rhs, 0))

    def step(values: Values) -> None:
        program = values[PROGRAM]
        lhs = np.broadcast_to(values[a], program.shape(left))
        rhs = np.broadcast_to(values[b], program.shape(right))
        lanes = inside(values, lhs.shape[1])
        values[r] = product(lhs[:, lanes], rhs[lanes], values[c])

    return step


def reduce(context: Context, op: tile.ReduceOp) -> Step:
    r, a, sizes = context.slot(op.result), context.slot(op.operand), tile.sizes_of(op.operand.type)
    result = known_element(op, op.result.type)
    reduction = reduction_of(op.kind.data, known_element(op, op.operand.type), result)
    axis = op.axis.data if op.axis is not None else None
    parts = combined_lanes(context, op.operand, axis)
    places = op.kind.data in (ReduceKind.ARGMAX, ReduceKind.ARGMIN)

    def step(values: Values) -> None:
        lanes = np.broadcast_to(values[a], values[PROGRAM].shape(sizes))
        found = reduction(lanes[parts(values, lanes.shape)], axis)
        values[r] = found.astype(result.held) if places else found

    return step


def scan(context: Context, op: tile.ScanOp) -> Step:
    r, a, sizes = context.slot(op.result), context.slot(op.operand), tile.sizes_of(op.operand.type)
    element, axis = known_element(op, op.result.type), op.axis.data
    parts = combined_lanes(context, op.operand, axis)

    def step(values: Values) -> None:
        lanes = np.broadcast_to(values[a], values[PROGRAM].shape(sizes))
        inside = parts(values, lanes.shape)
        total = np.cumsum(lanes[inside], axis, dtype=element.held)
        block = np.zeros(lanes.shape, element.held)
        block[inside] = element.round(total) if element.round else total
        values[r] = block

    return step


def combined_lanes(
    context: Context, operand: SSAValue, axis: int | None
) -> Callable[[Values, tuple[int, ...]], tuple[slice, ...]]:
    """The lanes that count, along one axis or along both."""
    combined = [[(operand, i)] if axis in (None, i) else [] for i in range(2)]
    inside = [inside_of(context, *sides) for sides in combined]

    def parts(values: Values, shape: tuple[int, ...]) -> tuple[slice, ...]:
        return tuple(part(values, size) for part, size in zip(inside, shape, strict=True))

    return parts


BLOCK_STEPS: dict[type[Operation], Callable[[Context, Any], Step]] = {
    tile.BlockSizeOp: block_size,
    tile.LaneOp: lane,
    tile.StrideOp: stride,
    tile.BlockPointerOp: block_pointer,
    tile.AdvanceOp: advance,
    tile.LoadBlockOp: load_block,
    tile.StoreBlockOp: store_block,
    tile.DescriptorLoadOp: descriptor_load,
    tile.DescriptorStoreOp: descriptor_store,
    tile.ZerosOp: zeros,
    tile.TransposeOp: transpose,
    tile.DotOp: dot,
}
"""What each operation on blocks becomes."""
