"""Which block of the result each program of a matmul kernel makes, on a grid of one axis."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr, i32
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.tile import Order, SizeKind
from patlang_ir.dialects.tl import BinaryKind, Function
from patlang_ir.passes.lowering.emitter import Emitter
from patlang_ir.rewriting import give_place

CUTS = (("BLOCK_M", SizeKind.M), ("BLOCK_N", SizeKind.N_OF_MATRIX))
"""What each axis of the grid follows."""


def number_programs(stage: tile.StageOp, order: Order | None) -> list[str]:
    """Compute both numbers of a program from one; the sizes that cut the result.

    ```
    pid_m, pid_n -> program // col_blocks, program % col_blocks
    pid_m, pid_n -> first + program % width % height, program % width // height    (grouped)
    ```

    A group is `GROUP_M` rows of blocks high, the last one perhaps less. Programs of a group follow
    each other, so that they find rows and columns of blocks in the cache. A persistent or
    flattened program makes one block after the other.
    """
    ops = [op for op in stage.walk() if isinstance(op, tl.ProgramIdOp) and op.axis.value.data < 2]
    axes = sorted({op.axis.value.data for op in ops})
    if not axes:
        return []
    emit = Emitter()
    counts = [block_count(axis, emit) for axis in axes]
    program = emit.add(tl.ProgramIdOp(0))
    counting = len(emit.ops)
    repeats = order is not None and order.repeats
    if repeats:
        program = Block(arg_types=[i32]).args[0]
    places = split(program, counts, order, emit) if len(axes) == 2 else (program,)
    numbers = dict(zip(axes, places, strict=True))
    insert(stage, emit.ops)
    for op in ops:
        number = numbers[op.axis.value.data]
        number.name_hint = number.name_hint or op.result.name_hint
        Rewriter.replace_op(op, [], [number])
    if repeats:
        assert isinstance(program.owner, Block)
        loop = repeat(stage, program, counts, emit.ops[:counting])
        if order == Order.FLATTENED:
            loop.attributes[tl.FLATTEN] = UnitAttr()
    return [CUTS[axis][0] for axis in axes]


def block_count(axis: int, emit: Emitter) -> SSAValue:
    """The number of blocks along an axis, which 32 bits hold."""
    symbol, kind = CUTS[axis]
    extent = emit.add(tile.SizeOp(kind))
    count = emit.call(Function.CDIV, extent, emit.add(tl.ConstexprOp(symbol)))
    count = emit.full(count, i32)
    count.name_hint = ("row_blocks", "col_blocks")[axis]
    return count


def split(
    program: SSAValue, counts: list[SSAValue], order: Order | None, emit: Emitter
) -> tuple[SSAValue, SSAValue]:
    """The row and the column of blocks that a program has."""
    row_blocks, col_blocks = counts
    if order is None:
        row = emit.binary(BinaryKind.FLOORDIV, program, col_blocks)
        return row, emit.binary(BinaryKind.MOD, program, col_blocks)
    group = emit.add(tl.ConstexprOp("GROUP_M"))
    width = emit.binary(BinaryKind.MUL, col_blocks, group)
    width.name_hint = "group_size"
    whole = emit.binary(BinaryKind.FLOORDIV, program, width)
    first = emit.binary(BinaryKind.MUL, whole, group)
    first.name_hint = "group_start"
    left = emit.binary(BinaryKind.SUB, row_blocks, first)
    height = emit.call(Function.MINIMUM, left, group)
    height.name_hint = "group_rows"
    within = emit.binary(BinaryKind.MOD, program, width)
    within.name_hint = "place"
    row = emit.binary(BinaryKind.ADD, first, emit.binary(BinaryKind.MOD, within, height))
    return row, emit.binary(BinaryKind.FLOORDIV, within, height)


def insert(stage: tile.StageOp, ops: list[Operation]) -> None:
    first = stage.body.block.first_op
    assert first is not None
    for op in ops:
        give_place(op, first.location)
        Rewriter.insert_op(op, InsertPoint.before(first))


def repeat(
    stage: tile.StageOp, number: SSAValue, counts: list[SSAValue], before: list[Operation]
) -> scf.ForOp:
    """Put what a block needs into a loop over blocks; the rest stays before it."""
    body = stage.body.block
    inner = Block(arg_types=[i32])
    inner.args[0].name_hint = "block"
    number.replace_all_uses_with(inner.args[0])
    emit = Emitter()
    total = counts[0] if len(counts) == 1 else emit.binary(BinaryKind.MUL, *counts)
    step = emit.add(tl.NumProgramsOp(0))
    total.name_hint, step.name_hint = "blocks", "programs"
    moving: set[Operation] = set()
    for op in tuple(body.ops):
        if op in before or not depends(op, inner, moving):
            continue
        moving.add(op)
        op.detach()
        inner.add_op(op)
    inner.add_op(scf.YieldOp())
    start = next(op for op in before if isinstance(op, tl.ProgramIdOp)).result
    start.name_hint = "program"
    loop = scf.ForOp(start, total, step, [], Region(inner))
    for op in (*emit.ops, loop):
        give_place(op, stage.location)
        body.add_op(op)
    return loop


def depends(op: Operation, inner: Block, moving: set[Operation]) -> bool:
    """Whether an operation needs the number of the block, or does something with memory."""
    if op.regions or not op.results:
        return True
    if isinstance(op, tl.LoadOp):
        return True
    return any(value.owner is inner or value.owner in moving for value in op.operands)
