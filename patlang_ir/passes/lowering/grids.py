"""The grid of programs, which has one axis: a launch may have 65,535 programs along another one."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import i32
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.tl import BinaryKind, Function
from patlang_ir.passes.lowering.emitter import Emitter
from patlang_ir.rewriting import give_place

PROGRAMS = tl.ProgramIdOp | tl.NumProgramsOp


def flatten_grid(stage: tile.StageOp, blocks: Collection[str]) -> list[tile.SizeOp]:
    """Number the programs of a 2-D stage by rows, on the first axis of the grid.

    ```
    program_id(0)   -> program_id(0) // cdiv(n_cols, BLOCK_C)
    program_id(1)   -> program_id(0) % cdiv(n_cols, BLOCK_C)
    num_programs(1) -> cdiv(n_cols, BLOCK_C)
    ```

    `blocks` are the sizes of the stage that cut its input. With one of them the programs along
    that axis are those of the grid. Gives the extents that the new operations read.
    """
    found = [op for op in stage.walk() if isinstance(op, PROGRAMS)]
    numbered = [op for op in found if op.axis.value.data < 2]
    if not numbered or stage.kernel.rank < 2:
        return []
    if "BLOCK_C" not in blocks:
        return []
    if "BLOCK_R" not in blocks:
        for op in numbered:
            _replace(op, type(op)(1 - op.axis.value.data))
        return []
    return [_divide(stage, numbered)]


def _divide(stage: tile.StageOp, numbered: list[PROGRAMS]) -> tile.SizeOp:
    """Compute both numbers of a program at the start of the stage, in 32 bits, which hold them."""
    extent = tile.SizeOp(tile.SizeKind.N_COLS)
    emit = Emitter()
    width = emit.call(Function.CDIV, emit.add(extent), emit.add(tl.ConstexprOp("BLOCK_C")))
    columns = emit.full(width, i32)
    if _writes_without_columns(stage):
        columns = emit.call(Function.MAXIMUM, columns, emit.literal(1, i32))
    columns.name_hint = "col_blocks"
    program = emit.add(tl.ProgramIdOp(0))
    row = emit.binary(BinaryKind.FLOORDIV, program, columns)
    column = emit.binary(BinaryKind.MOD, program, columns)
    first = stage.body.block.first_op
    assert first is not None
    for op in emit.ops:
        give_place(op, first.location)
        Rewriter.insert_op(op, InsertPoint.before(first))
    for op in numbered:
        if isinstance(op, tl.ProgramIdOp):
            value = (row, column)[op.axis.value.data]
        else:
            assert op.axis.value.data == 1, "no stage asks for the number of programs along rows"
            value = columns
        value.name_hint = value.name_hint or op.result.name_hint
        Rewriter.replace_op(op, [], [value])
    return extent


def _replace(op: PROGRAMS, new: Operation) -> None:
    give_place(new, op.location)
    new.results[0].name_hint = op.result.name_hint
    Rewriter.replace_op(op, new)


def _writes_without_columns(stage: tile.StageOp) -> bool:
    """Whether programs run, for a write that does not follow the columns, though there are none."""
    if stage.above is not None and any(1 in other.covered for other in stage.kernel.stages):
        return False
    writes = (op for op in stage.walk() if isinstance(op, tl.StoreOp | tl.AtomicOp))
    return any(tl.sizes_of(op.pointer.type)[1:] in ((), (1,)) for op in writes)
