"""Where a value can come from: through arithmetic, branches and loops."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.traits import Pure

from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import ReduceKind
from patlang_ir.traversal import walk


def sources_of(value: SSAValue) -> Sequence[SSAValue]:
    """The values that `value` is computed from, one step back.

    A result of control flow comes from what its regions yield; an argument of a loop from its
    start value and from what the body yields. A comparison, a load, a size or a position has no
    source here: it makes a new value.
    """
    match value:
        case OpResult(op=op):
            return _sources_of_result(op, value.index)
        case BlockArgument(block=block):
            return _sources_of_argument(block, value.index)
        case _:
            return ()


def _sources_of_result(op: Operation, index: int) -> Sequence[SSAValue]:
    match op:
        case scf.IfOp():
            return (yielded(op.true_region.block)[index], yielded(op.false_region.block)[index])
        case scf.ForOp():
            return (op.iter_args[index], yielded(op.body.block)[index])
        case scf.WhileOp():
            return (yielded(op.before_region.block)[index],)
        case tile.SelectOp():
            return (op.lhs, op.rhs)
        case tile.CompareOp() | tile.TruthOp() | tile.LoadOp() | tile.LengthOp():
            return ()
        case tile.ReduceOp() if op.kind.data in (ReduceKind.ARGMAX, ReduceKind.ARGMIN):
            return ()
        case _:
            return tuple(op.operands)


def _sources_of_argument(block: Block, index: int) -> Sequence[SSAValue]:
    match block.parent_op():
        case scf.ForOp() as loop:
            if index == 0:
                return (loop.lb, loop.ub, loop.step)
            return (loop.iter_args[index - 1], yielded(block)[index - 1])
        case scf.WhileOp() as loop:
            if block is loop.before_region.block:
                return (loop.arguments[index], yielded(loop.after_region.block)[index])
            return (yielded(loop.before_region.block)[index],)
        case _:
            return ()


def yielded(block: Block) -> Sequence[SSAValue]:
    """What a block ends with, without the condition."""
    match block.last_op:
        case scf.YieldOp() as last:
            return tuple(last.operands)
        case scf.ConditionOp() as last:
            return tuple(last.args)
        case _:
            return ()


def backward_slice(roots: Iterable[SSAValue]) -> set[SSAValue]:
    """Every value that the roots are computed from, the roots included."""
    seen: set[SSAValue] = set()
    stack = list(roots)
    while stack:
        value = stack.pop()
        if value in seen:
            continue
        seen.add(value)
        stack.extend(sources_of(value))
    return seen


@cache
def is_pure(kind: type[Operation]) -> bool:
    """Whether operations of a kind have no effects."""
    return kind.has_trait(Pure)


def live_values(loop: scf.ForOp) -> set[SSAValue]:
    """The carried variables of a loop that something needs: a result with uses, an effect, a
    nested region, or another such variable.
    """
    block = loop.body.block
    next_values = yielded(block)
    stack: list[SSAValue] = []
    for i, result in enumerate(loop.results):
        if result.first_use is not None:
            stack += (block.args[i + 1], next_values[i])
    for op in block.ops:
        if op is not block.last_op and (op.regions or not is_pure(type(op))):
            stack += (operand for inner in walk(op) for operand in inner.operands)
    live: set[SSAValue] = set()
    while stack:
        value = stack.pop()
        if value in live:
            continue
        live.add(value)
        if isinstance(value, BlockArgument) and value.block is block and value.index > 0:
            stack.append(next_values[value.index - 1])
        elif isinstance(value, OpResult) and value.op.parent_block() is block:
            stack += value.op.operands
    return live


def dependencies_of(value: SSAValue) -> Sequence[SSAValue]:
    """Every value that decides `value`, one step back: its operands, and what steers the flow."""
    match value:
        case OpResult(op=scf.IfOp() as op):
            return (*sources_of(value), op.cond)
        case OpResult(op=scf.ForOp() as op):
            return (*sources_of(value), op.lb, op.ub, op.step)
        case OpResult(op=scf.WhileOp() as op):
            return (*sources_of(value), *_condition(op))
        case OpResult(op=op):
            return tuple(op.operands)
        case BlockArgument(block=block):
            loop = block.parent_op()
            if isinstance(loop, scf.ForOp):
                return (*sources_of(value), loop.lb, loop.ub, loop.step)
            steering = _condition(loop) if isinstance(loop, scf.WhileOp) else ()
            return (*sources_of(value), *steering)
        case _:
            return ()


def _condition(loop: scf.WhileOp) -> Sequence[SSAValue]:
    last = loop.before_region.block.last_op
    return (last.condition,) if isinstance(last, scf.ConditionOp) else ()
