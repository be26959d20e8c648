"""Parts of a block outside its matrix never show: where values are combined, they are neutral."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import python_number
from patlang_ir.passes.blocks.places import end_of, place_of

Edge = tuple[SSAValue, SSAValue]
"""A block along an axis: where it starts, and where its matrix ends."""


def edges_of(value: SSAValue, axis: int) -> tuple[Edge, ...]:
    """Which edges of matrices the elements of a value come to, along an axis; each once."""
    return tuple(dict.fromkeys(_edges(value, axis, set())))


def _edges(value: SSAValue, axis: int, seen: set[tuple[SSAValue, int]]) -> Iterator[Edge]:
    if (value, axis) in seen or not varies(value, axis):
        return
    seen.add((value, axis))
    for source, its_axis in sources(value, axis):
        yield from _edges(source, its_axis, seen)
    if isinstance(value.owner, tile.LoadBlockOp):
        place = place_of(value.owner.access)
        yield place.starts[axis], place.matrix.extents[axis]


def varies(value: SSAValue, axis: int) -> bool:
    """Whether a value has several elements along the axis."""
    sizes = tile.sizes_of(value.type)
    return axis < len(sizes) and sizes[axis] != 1


def sources(value: SSAValue, axis: int) -> Iterator[tuple[SSAValue, int]]:
    """What the elements of a value along an axis are computed from, each with its axis."""
    match value:
        case OpResult(op=tile.TransposeOp(operand=operand)):
            yield operand, 1 - axis
        case OpResult(op=tile.DotOp() as dot):
            yield (dot.lhs, 0) if axis == 0 else (dot.rhs, 1)
            yield dot.acc, axis
        case OpResult(op=scf.ForOp() as loop, index=i):
            yield loop.iter_args[i], axis
            yield end_of(loop.body.block).operands[i], axis
        case OpResult(op=scf.WhileOp() as loop, index=i):
            yield end_of(loop.before_region.block).operands[i + 1], axis
        case OpResult(op=scf.IfOp() as branch, index=i):
            for region in branch.regions:
                yield end_of(region.block).operands[i], axis
        case OpResult(op=tile.LoadBlockOp()):
            return
        case OpResult(op=op):
            yield from ((operand, axis) for operand in op.operands)
        case BlockArgument(block=block, index=i):
            yield from ((source, axis) for source in sources_of_argument(block, i))
        case _:
            return


def sources_of_argument(block: Block, index: int) -> Iterator[SSAValue]:
    """What a variable of a loop may be."""
    match block.parent_op():
        case scf.ForOp() as loop if index > 0:
            yield loop.iter_args[index - 1]
            yield end_of(block).operands[index - 1]
        case scf.WhileOp() as loop if block is loop.before_region.block:
            yield loop.arguments[index]
            yield end_of(loop.after_region.block).operands[index]
        case scf.WhileOp() as loop:
            yield end_of(loop.before_region.block).operands[index + 1]
        case _:
            return


def is_zero_outside(value: SSAValue) -> bool:
    """Whether what comes from outside a matrix is 0 in a value."""
    return _is_zero(value, set())


def _is_zero(value: SSAValue, seen: set[SSAValue]) -> bool:
    """The same, where it is so of the values that are `seen`, which a loop carries round."""
    if value in seen:
        return True
    match value:
        case OpResult(op=tile.LoadBlockOp()):
            return True
        case OpResult(op=tile.TransposeOp() | tile.CastOp() | tile.NegOp() | tile.AbsOp() as op):
            return _is_zero(op.operand, seen)
        case OpResult(op=tile.AddOp() | tile.SubOp() | tile.MulOp() as op):
            return _is_zero(op.lhs, seen) and _is_zero(op.rhs, seen)
        case OpResult(op=tile.ConstantOp(value=literal)):
            return python_number(literal) == 0
        case OpResult(op=tile.BroadcastOp(operand=OpResult(op=tile.ConstantOp()) as operand)):
            return _is_zero(operand, seen)
        case OpResult(op=scf.ForOp() | scf.WhileOp() | scf.IfOp()) | BlockArgument():
            found = [source for source, _ in sources(value, 0)]
            return bool(found) and all(_is_zero(source, {*seen, value}) for source in found)
        case _:
            return False


def is_known_at(edge: Edge, op: Operation) -> bool:
    """Whether an edge was computed outside of every loop that has ended before `op`."""
    return all(_block_of(value).find_ancestor_op_in_block(op) is not None for value in edge)


def _block_of(value: SSAValue) -> Block:
    block = value.block if isinstance(value, BlockArgument) else value.owner.parent_block()  # pyright: ignore
    assert isinstance(block, Block)
    return block
