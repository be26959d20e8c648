"""How a kernel uses its buffers."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import SSAValue

from patlang_ir.dialects import tile
from patlang_ir.traversal import walk

Access: TypeAlias = tile.LoadOp | tile.StoreOp | tile.AtomicOp


def accesses_of(kernel: tile.KernelOp) -> list[Access]:
    """Every access to memory, in program order."""
    return [op for op in walk(kernel) if isinstance(op, Access)]


def is_plain(index: SSAValue) -> bool:
    """Whether an index is `offs` itself, so that each lane has its own element."""
    owner = index.owner
    return isinstance(owner, tile.IndexOp) and owner.kind.data == tile.IndexKind.OFFS


def exact_buffers(kernel: tile.KernelOp) -> set[SSAValue]:
    """The buffers that must have exactly one element for each lane of the whole input."""
    return {op.buffer for op in accesses_of(kernel) if is_plain(op.index)}


class Aliases:
    """Which buffers may be the same memory: those that each lane accesses in its own element alone.

    A launch allows two such buffers to be the same one, and no other overlap with a written buffer.
    """

    def __init__(self, kernel: tile.KernelOp):
        accesses = accesses_of(kernel)
        touched = {op.buffer for op in accesses} & set[SSAValue](kernel.args)
        self.lane_local = touched - {op.buffer for op in accesses if not is_plain(op.index)}

    def of(self, buffers: set[SSAValue]) -> set[SSAValue]:
        """These buffers, and all that may be the same memory as one of them."""
        return buffers | self.lane_local if buffers & self.lane_local else buffers
