"""Whether a kernel's results depend on how its input is cut into blocks."""

from __future__ import annotations

from collections import defaultdict

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.accesses import Access, accesses_of, is_plain
from patlang_ir.dialects import tile


def crossing_accesses(kernel: tile.KernelOp) -> list[Access]:
    """The accesses through which one lane sees what another lane wrote, or writes over it.

    Accesses to one buffer, one of them a write, are safe if each is at plain `offs`, where every
    lane has an element of its own. A buffer that is written just once, outside loops, is safe too.
    """
    by_buffer: dict[SSAValue, list[Access]] = defaultdict(list)
    for op in accesses_of(kernel):
        by_buffer[op.buffer].append(op)
    crossing: list[Access] = []
    for buffer in kernel.written:
        accesses = by_buffer[buffer]
        if len(accesses) == 1 and not _in_loop(accesses[0]):
            continue
        if all(isinstance(op, tile.AtomicOp) for op in accesses):
            continue
        crossing += (op for op in accesses if not is_plain(op.index))
    return crossing


def _in_loop(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, scf.ForOp | scf.WhileOp):
        parent = parent.parent_op()
    return parent is not None


def is_block_independent(kernel: tile.KernelOp) -> bool:
    """Whether the kernel may run in blocks of any size, in any order.

    No value may come from all lanes, and no lane may see what another one wrote.
    """
    if any(isinstance(op, tile.ReduceOp) for op in kernel.walk()):
        return False
    return not crossing_accesses(kernel)
