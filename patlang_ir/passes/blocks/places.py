"""Where each block of a matrix lies: numbers in the place of pointers that move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.rewriting import give_place

Sizes = tuple[str | int, ...]


@dataclass(frozen=True)
class Matrix:
    """A buffer of `rows` x `cols` elements, which is accessed in blocks of these sizes."""

    buffer: SSAValue
    rows: SSAValue
    cols: SSAValue
    sizes: Sizes

    @property
    def extents(self) -> tuple[SSAValue, SSAValue]:
        return self.rows, self.cols


@dataclass(frozen=True)
class Place:
    """A block of a matrix, whose first element is at `row` and `col`."""

    matrix: Matrix
    row: SSAValue
    col: SSAValue

    @property
    def starts(self) -> tuple[SSAValue, SSAValue]:
        return self.row, self.col


class Places:
    """Makes the pointer of each load and store of a stage where it is used.

    ```
    for ... iter_args(%p = %a) { load_block %p } ->
    for ... iter_args(%p = %a, %row = %row0, %col = %col0) {
      %q = block_pointer %x[%row, %col]; load_block %q
    }
    ```
    """

    def __init__(self, stage: tile.StageOp):
        self.known: dict[SSAValue, Place] = {}
        self.visit(stage.body.block)
        drop_accesses(stage)

    def visit(self, block: Block) -> None:
        for op in tuple(block.ops):
            match op:
                case tile.BlockPointerOp():
                    name_starts(op)
                    matrix = Matrix(op.buffer, wide(op.rows, op), wide(op.cols, op), op.sizes)
                    self.known[op.result] = Place(matrix, wide(op.row, op), wide(op.col, op))
                case tile.AdvanceOp():
                    self.known[op.result] = self.advanced(op)
                case tile.LoadBlockOp() | tile.StoreBlockOp():
                    self.point(op)
                case scf.ForOp():
                    self.visit_for(op)
                case scf.WhileOp():
                    self.visit_while(op)
                case scf.IfOp():
                    self.visit_if(op)
                case _:
                    pass

    def point(self, op: tile.LoadBlockOp | tile.StoreBlockOp) -> None:
        if isinstance(op.access.owner, tile.BlockPointerOp):
            return
        place = self.known[op.access]
        matrix, type = place.matrix, op.access.type
        new = tile.BlockPointerOp(matrix.buffer, matrix.extents, place.starts, matrix.sizes, type)
        op.operands[op.operands.index(op.access)] = insert(new, op)

    def advanced(self, op: tile.AdvanceOp) -> Place:
        place = self.known[op.access]
        row, col = (
            moved(start, wide(amount, op), op)
            for start, amount in zip(place.starts, (op.rows, op.cols), strict=True)
        )
        return Place(place.matrix, row, col)

    def visit_for(self, op: scf.ForOp) -> None:
        body, starts = op.body.block, tuple(op.iter_args)
        carried = self.matrices(starts)
        self.add_arguments(body, body.args[1:], carried)
        self.visit(body)
        self.give_numbers(end_of(body).operands, body, carried)
        if carried:
            region = op.detach_region(op.body)
            inits = [*starts, *self.numbers(starts)]
            self.replace(op, scf.ForOp(op.lb, op.ub, op.step, inits, region), carried)

    def visit_while(self, op: scf.WhileOp) -> None:
        before, after, starts = op.before_region.block, op.after_region.block, op.arguments
        carried = self.matrices(starts)
        self.add_arguments(before, before.args, carried)
        self.visit(before)
        given = end_of(before).operands[1:]
        passed = self.matrices(given)
        self.give_numbers(given, before, passed)
        self.add_arguments(after, after.args, passed)
        self.visit(after)
        self.give_numbers(end_of(after).operands, after, carried)
        if carried or passed:
            types = [*op.result_types, *[i64] * (2 * len(passed))]
            regions = [op.detach_region(region) for region in (op.before_region, op.after_region)]
            inits = [*starts, *self.numbers(starts)]
            self.replace(op, scf.WhileOp(inits, types, *regions), passed)

    def visit_if(self, op: scf.IfOp) -> None:
        arms = [region.block for region in op.regions if region.blocks]
        for arm in arms:
            self.visit(arm)
        given = self.matrices(end_of(arms[0]).operands)
        for arm in arms:
            self.give_numbers(end_of(arm).operands, arm, given)
        if given:
            types = [*op.result_types, *[i64] * (2 * len(given))]
            taken, otherwise = map(op.detach_region, (op.true_region, op.false_region))
            self.replace(op, scf.IfOp(op.cond, types, taken, otherwise), given)

    def matrices(self, values: Sequence[SSAValue]) -> dict[int, Matrix]:
        """The matrix of each value that is an access, by its position."""
        found = ((i, self.known[v]) for i, v in enumerate(values) if is_access(v))
        return {i: place.matrix for i, place in found}

    def numbers(self, values: Sequence[SSAValue]) -> list[SSAValue]:
        """The rows and columns of those that are accesses."""
        return [n for value in values if is_access(value) for n in self.known[value].starts]

    def add_arguments(
        self, block: Block, args: Sequence[SSAValue], carried: dict[int, Matrix]
    ) -> None:
        """Two numbers for each access that a block takes."""
        args = tuple(args)
        for i, matrix in carried.items():
            row, col = (block.insert_arg(i64, len(block.args)) for _ in range(2))
            row.name_hint, col.name_hint = "row", "col"
            self.known[args[i]] = Place(matrix, row, col)

    def give_numbers(
        self, given: Sequence[SSAValue], block: Block, carried: dict[int, Matrix]
    ) -> None:
        """End a block with the numbers of the accesses that it gives; each stays in its matrix."""
        if self.matrices(given) != carried:
            raise refuse(
                end_of(block),
                "P404",
                "a variable points into one matrix on one path and into another on the other",
                "give each pointer a variable of its own",
            )
        end_of(block).operands = [*end_of(block).operands, *self.numbers(given)]

    def replace(self, op: Operation, new: Operation, carried: dict[int, Matrix]) -> None:
        """Put an operation with more results in the place of `op`."""
        give_place(new, op.location)
        count = len(op.results)
        for old, result in zip(op.results, new.results, strict=False):
            result.name_hint = old.name_hint
        for position, (i, matrix) in enumerate(carried.items()):
            row, col = new.results[count + 2 * position :][:2]
            self.known[new.results[i]] = Place(matrix, row, col)
        Rewriter.replace_op(op, new, new.results[:count])


def is_access(value: SSAValue) -> bool:
    return isinstance(value.type, tile.AccessType)


def end_of(block: Block) -> Operation:
    last = block.last_op
    assert last is not None
    return last


Carrier = scf.ForOp | scf.WhileOp | scf.IfOp


def drop_accesses(stage: tile.StageOp) -> None:
    """Let loops and branches carry no accesses, which nothing needs any more."""
    for op in tuple(stage.walk()):
        match op:
            case tile.AdvanceOp():
                Rewriter.replace_op(op, [], [op.access])
            case scf.ForOp() | scf.WhileOp() | scf.YieldOp() | scf.ConditionOp():
                op.operands = [value for value in op.operands if not is_access(value)]
            case _:
                pass
    for op in tuple(stage.walk()):
        if isinstance(op, Carrier):
            drop_from(op)


def drop_from(op: Carrier) -> None:
    """A loop or branch without the arguments and results that are accesses."""
    for block in (region.block for region in op.regions if region.blocks):
        for arg in reversed(block.args):
            if is_access(arg):
                block.erase_arg(arg)
    if not any(map(is_access, op.results)):
        return
    kept = [result for result in op.results if not is_access(result)]
    types = [result.type for result in kept]
    regions = [op.detach_region(region) for region in tuple(op.regions)]
    match op:
        case scf.ForOp():
            new = scf.ForOp(op.lb, op.ub, op.step, op.operands[3:], regions[0])
        case scf.WhileOp():
            new = scf.WhileOp(op.operands, types, *regions)
        case scf.IfOp():
            new = scf.IfOp(op.cond, types, regions[0], regions[1])
    give_place(new, op.location)
    for old, result in zip(kept, new.results, strict=True):
        result.name_hint = old.name_hint
        old.replace_all_uses_with(result)
    Rewriter.insert_op(new, InsertPoint.before(op))
    Rewriter.erase_op(op)


def name_starts(op: tile.BlockPointerOp) -> None:
    """A number that has the name of a pointer only because it was computed for it gets its own."""
    for start, hint in ((op.row, "row"), (op.col, "col")):
        if start.name_hint in (None, op.result.name_hint):
            start.name_hint = hint


def moved(start: SSAValue, amount: SSAValue, before: Operation) -> SSAValue:
    return start if is_zero(amount) else insert(tile.AddOp(start, amount), before)


def place_of(access: SSAValue) -> Place:
    """The place of a block whose pointer is made where it is used."""
    op = access.owner
    assert isinstance(op, tile.BlockPointerOp)
    return Place(Matrix(op.buffer, op.rows, op.cols, op.sizes), op.row, op.col)


def is_zero(value: SSAValue) -> bool:
    owner = value.owner
    return isinstance(owner, tile.ConstantOp) and owner.value.data == 0  # pyright: ignore


def wide(value: SSAValue, before: Operation) -> SSAValue:
    """A whole number in 64 bits."""
    return value if value.type == i64 else insert(tile.CastOp(value, i64), before)


def insert(new: Operation, before: Operation) -> SSAValue:
    give_place(new, before.location)
    Rewriter.insert_op(new, InsertPoint.before(before))
    return new.results[0]
