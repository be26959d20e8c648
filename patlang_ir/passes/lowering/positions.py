"""Where a lane is: `tile.index` and `tile.in_domain`, computed once at the start of each stage."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import IntAttr, i1, i8, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import (
    ComparePredicate,
    IndexKind,
    ReduceKind,
    SizeKind,
    TileType,
    element_of,
    shaped,
    sizes_of,
)
from patlang_ir.dialects.tl import BinaryKind, ReduceIndexFunction
from patlang_ir.passes.lowering.emitter import Emitter, Lowering, converted
from patlang_ir.rewriting import give_place

Size = str | int

AXIS = {IndexKind.OFFS: 0, IndexKind.ROW: 0, IndexKind.COL: 1}
"""The axis of the grid of programs that an index follows."""

SEARCHES = {
    ReduceKind.ARGMAX: ReduceIndexFunction.ARGMAX,
    ReduceKind.ARGMIN: ReduceIndexFunction.ARGMIN,
}


class Positions:
    """Writes what a stage needs to know of its lanes before the first operation, each thing once.

    ```
    offs (2-D) -> row * n_cols + col
    in_domain  -> offs < n, or row < n_rows and col < n_cols
    ```
    """

    def __init__(self, stage: tile.StageOp):
        self.stage = stage
        self.is_grid = stage.kernel.kind.data == KernelKind.GRID
        self.first = stage.body.block.first_op
        self.own_sizes: set[tile.SizeOp] = set()
        self.known: dict[tuple[object, Attribute], SSAValue] = {}

    def expand(self) -> set[tile.SizeOp]:
        """Replace every position of the stage; the sizes that are those of its own input."""
        for op in list(self.stage.walk()):
            match op:
                case tile.IndexOp():
                    self.replace(op, self.index(op.kind.data, op.result.type))
                case tile.InDomainOp():
                    self.replace(op, self.in_domain(op.result.type))
                case tile.ReduceOp() if op.kind.data in SEARCHES:
                    self.search(op)
                case _:
                    pass
        return self.own_sizes

    def replace(self, op: Operation, value: SSAValue) -> None:
        hint = value.name_hint
        op.results[0].replace_all_uses_with(value)
        value.name_hint = hint
        if op is self.first:
            self.first = op.next_op
        Rewriter.erase_op(op)

    def write(self, op: Operation, hint: str | None = None) -> SSAValue:
        """Insert `op` before the first operation of the stage."""
        give_place(op, (self.first or self.stage).location)
        point = InsertPoint.before(self.first) if self.first else InsertPoint.at_end(self.block)
        Rewriter.insert_op(op, point)
        result = op.results[0]
        result.name_hint = hint
        return result

    @property
    def block(self):
        return self.stage.body.block

    def once(self, what: object, type: Attribute, write: Callable[[], SSAValue]) -> SSAValue:
        if (what, type) not in self.known:
            self.known[what, type] = write()
        return self.known[what, type]

    def index(self, kind: IndexKind, type: Attribute) -> SSAValue:
        """The index of each lane, in the shape of `type`."""
        return self.once(kind, type, lambda: self._index(kind, type))

    def _index(self, kind: IndexKind, type: Attribute) -> SSAValue:
        if not self.is_grid:
            return self.write(tile.IndexOp(kind, type), "offs")
        rows, columns = sizes_of(type)
        element = element_of(type)
        if kind == IndexKind.OFFS:
            row = self.index(IndexKind.ROW, TileType([rows, 1], element))
            width = self.spread(self.size(SizeKind.N_COLS, element), row.type)
            start = self.spread(self.write(tile.MulOp(row, width)), type)
            column = self.index(IndexKind.COL, TileType([1, columns], element))
            return self.write(tile.AddOp(start, self.spread(column, type)), "offs")
        own = TileType([rows, 1] if kind == IndexKind.ROW else [1, columns], element)
        if own != type:
            return self.spread(self.index(kind, own), type)
        return self.write(tile.IndexOp(kind, type), str(kind))

    def size(self, kind: SizeKind, element: Attribute) -> SSAValue:
        op = tile.SizeOp(kind)
        if self.stage.over is not None:
            self.own_sizes.add(op)
        size = self.write(op)
        return size if element == i64 else self.write(tile.CastOp(size, element))

    def spread(self, value: SSAValue, type: Attribute) -> SSAValue:
        shape = shaped(sizes_of(type), element_of(value.type))
        return value if value.type == shape else self.write(tile.BroadcastOp(value, shape))

    def in_domain(self, type: Attribute) -> SSAValue:
        """Which lanes lie inside the input."""
        return self.once("in_domain", type, lambda: self._in_domain(type))

    def _in_domain(self, type: Attribute) -> SSAValue:
        if not self.is_grid:
            return self.below(IndexKind.OFFS, SizeKind.N, sizes_of(type), "mask")
        rows, columns = sizes_of(type)
        if columns == 1:
            return self.below(IndexKind.ROW, SizeKind.N_ROWS, (rows, 1), "row_mask")
        if rows == 1:
            return self.below(IndexKind.COL, SizeKind.N_COLS, (1, columns), "col_mask")
        row = self.spread(self.in_domain(TileType([rows, 1], i1)), type)
        column = self.spread(self.in_domain(TileType([1, columns], i1)), type)
        return self.write(tile.AndOp(row, column), "mask")

    def below(
        self, kind: IndexKind, extent: SizeKind, sizes: tuple[Size, ...], hint: str
    ) -> SSAValue:
        index = self.index(kind, TileType(sizes, i64))
        limit = self.spread(self.size(extent, i64), index.type)
        return self.write(tile.CompareOp(ComparePredicate.LT, index, limit), hint)

    def search(self, op: tile.ReduceOp) -> None:
        """tile.reduce argmax v -> tl.reduce_index argmax v, offs (or the row or column)"""
        value = op.operand
        sizes = sizes_of(value.type)
        kind = IndexKind.OFFS
        if self.is_grid and op.axis is not None:
            kind = IndexKind.COL if op.axis.data else IndexKind.ROW
        index = self.index(kind, TileType(sizes, i64))
        new: list[Operation] = []
        if element_of(value.type) == i1:
            new.append(tile.CastOp(value, shaped(sizes, i8)))
            value = new[0].results[0]
        result = shaped(sizes_of(op.result.type), i64)
        axis = axis_of(op.axis, sizes)
        search = tl.ReduceIndexOp(SEARCHES[op.kind.data], value, index, axis, converted(result))
        new.append(search)
        last = search.result
        if op.result.type != result:
            new.append(tile.CastOp(last, op.result.type))
            last = new[-1].results[0]
        for each in new:
            give_place(each, op.location)
        last.name_hint = op.result.name_hint
        Rewriter.replace_op(op, new, [last])


def axis_of(axis: IntAttr | None, sizes: tuple[Size, ...]) -> int | None:
    """The axis of a reduction; that of a 1-D tile need not be written."""
    if axis is not None:
        return axis.data
    return 0 if len(sizes) == 1 else None


class LowerProgram(Lowering):
    """tile.program 0 -> tl.program_id(0), as i64"""

    operations = (tile.ProgramOp, tile.ProgramsOp)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.ProgramOp | tile.ProgramsOp)
        new = tl.ProgramIdOp if isinstance(op, tile.ProgramOp) else tl.NumProgramsOp
        return emit.cast(emit.add(new(op.axis.data)), i64)


class LowerIndex(Lowering):
    """tile.index offs -> program_id * BLOCK_SIZE + arange; arange if one block covers the axis"""

    operations = (tile.IndexOp,)

    def lower(self, op: Operation, emit: Emitter) -> SSAValue:
        assert isinstance(op, tile.IndexOp)
        sizes, element = sizes_of(op.result.type), element_of(op.result.type)
        axis = AXIS[op.kind.data]
        symbol = sizes[axis]
        assert isinstance(symbol, str)
        lanes = emit.add(tl.ArangeOp(symbol))
        if axis in stage_of(op).covered:
            index = emit.cast(lanes, element)
        else:
            block = emit.add(tl.ConstexprOp(symbol))
            program = emit.cast(emit.add(tl.ProgramIdOp(axis)), element)
            start = emit.binary(BinaryKind.MUL, program, block)
            index = emit.add(
                tl.BinaryOp(BinaryKind.ADD, start, lanes, tl.TensorType([symbol], element))
            )
        if len(sizes) == 1:
            return index
        return emit.add(tl.ExpandOp(index, 1 - axis, converted(op.result.type)))


def stage_of(op: Operation) -> tile.StageOp:
    """The stage that an operation stands in."""
    parent = op.parent_op()
    while not isinstance(parent, tile.StageOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent


POSITIONS = (LowerIndex(), LowerProgram())
