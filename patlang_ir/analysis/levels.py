"""How many reductions in a row an operation of a stage depends on, through values or memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.accesses import Aliases
from patlang_ir.dialects import tile
from patlang_ir.traversal import walk


def writes(op: Operation) -> bool:
    """Whether an operation, or one inside it, writes memory."""
    return bool(written_by(op))


def written_by(op: Operation) -> set[SSAValue]:
    """The buffers that an operation, or one inside it, writes."""
    return {inner.buffer for inner in walk(op) if isinstance(inner, tile.StoreOp | tile.AtomicOp)}


def read_by(op: Operation) -> set[SSAValue]:
    """The buffers that an operation, or one inside it, loads from."""
    return {inner.buffer for inner in walk(op) if isinstance(inner, tile.LoadOp)}


def levels_of(ops: Sequence[Operation], aliases: Aliases) -> dict[Operation, int]:
    """The level of each operation of a block: 0 where it depends on no reduction.

    An operation comes after the writes to the buffers that it touches, and a write after the loads
    from its buffer.
    """
    levels: dict[Operation, int] = {}
    loaded: dict[SSAValue, int] = {}
    written: dict[SSAValue, int] = {}
    for op in ops:
        reads, stores = aliases.of(read_by(op)), aliases.of(written_by(op))
        owners = (operand.owner for inner in walk(op) for operand in inner.operands)
        after = [_after(owner, levels) for owner in owners]
        after += [written.get(buffer, 0) for buffer in reads | stores]
        after += [loaded.get(buffer, 0) for buffer in stores]
        levels[op] = max(after, default=0)
        loaded.update({b: max(levels[op], loaded.get(b, 0)) for b in reads})
        written.update({b: max(levels[op], written.get(b, 0)) for b in stores})
    return levels


def _after(owner: Operation | Block, levels: dict[Operation, int]) -> int:
    if not isinstance(owner, Operation) or owner not in levels:
        return 0
    return levels[owner] + (1 if isinstance(owner, tile.CombineOp) else 0)
