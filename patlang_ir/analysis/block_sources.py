"""Where the elements of a block come from, along an axis: which loads, through what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from patlang_ir.dialects import tile

Side: TypeAlias = tuple[SSAValue, int]
"""A value along an axis."""


def loads_behind(value: SSAValue, axis: int) -> tuple[tuple[tile.LoadBlockOp, int], ...]:
    """The loads that an axis of a block comes from, each with the axis of what it loads."""
    found: dict[tuple[tile.LoadBlockOp, int], None] = {}
    seen: set[Side] = set()
    waiting = [(value, axis)]
    while waiting:
        side = waiting.pop()
        if side in seen or not varies(*side):
            continue
        seen.add(side)
        if isinstance(side[0].owner, tile.LoadBlockOp):
            found[side[0].owner, side[1]] = None
        waiting += sources_along(*side)
    return tuple(found)


def varies(value: SSAValue, axis: int) -> bool:
    """Whether a value has several elements along an axis."""
    sizes = tile.sizes_of(value.type)
    return axis < len(sizes) and sizes[axis] != 1


def sources_along(value: SSAValue, axis: int) -> Iterator[Side]:
    """What the elements of a value along an axis are computed from, one step back."""
    match value:
        case OpResult(op=tile.LoadBlockOp()):
            return
        case OpResult(op=tile.TransposeOp(operand=operand)):
            yield operand, 1 - axis
        case OpResult(op=tile.DotOp() as dot):
            yield (dot.rhs if axis else dot.lhs), axis
            yield dot.acc, axis
        case OpResult(op=scf.ForOp() as loop, index=i):
            yield loop.iter_args[i], axis
            yield _last(loop.body.block)[i], axis
        case OpResult(op=scf.WhileOp() as loop, index=i):
            yield _last(loop.before_region.block)[i + 1], axis
        case OpResult(op=scf.IfOp() as branch, index=i):
            for region in branch.regions:
                yield _last(region.block)[i], axis
        case OpResult(op=op):
            yield from ((operand, axis) for operand in op.operands)
        case BlockArgument(block=block, index=i):
            yield from ((source, axis) for source in _carried(block, i))
        case _:
            return


def _carried(block: Block, index: int) -> Iterator[SSAValue]:
    """What a variable of a loop may be."""
    match block.parent_op():
        case scf.ForOp() as loop if index > 0:
            yield loop.iter_args[index - 1]
            yield _last(block)[index - 1]
        case scf.WhileOp() as loop if block is loop.before_region.block:
            yield loop.arguments[index]
            yield _last(loop.after_region.block)[index]
        case scf.WhileOp() as loop:
            yield _last(loop.before_region.block)[index + 1]
        case _:
            return


def _last(block: Block) -> tuple[SSAValue, ...]:
    assert block.last_op is not None
    return tuple(block.last_op.operands)
