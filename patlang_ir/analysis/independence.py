"""How the values of a kernel depend on lanes and blocks, and whether its memory does.

A value is *uniform* (one for the whole input), *lane* (one for each lane, whatever the blocks) or
*block* (it depends on how the input is cut). Without a reduction nothing depends on blocks; a
reduction of lanes does, until a block covers the axes that it combines. The test of a loop in which
each lane stops for itself is one, and uniform to what comes out of the loop (`frozen_lanes.py`).
"""

from __future__ import annotations

from collections import defaultdict

from xdsl.ir import Operation, SSAValue
from xdsl.utils.str_enum import StrEnum

from patlang_ir.analysis.accesses import Access, accesses_of, is_plain
from patlang_ir.analysis.dataflow import dependencies_of
from patlang_ir.analysis.frozen_lanes import is_block_local
from patlang_ir.analysis.lane_indices import in_loop, own_elements
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.traversal import walk


class Dependence(StrEnum):
    UNIFORM = "uniform"
    LANE = "lane"
    BLOCK = "block"


class Independence:
    """The dependence of each value of a kernel."""

    def __init__(self, kernel: tile.KernelOp):
        self.of: dict[SSAValue, Dependence] = dict.fromkeys(kernel.args, Dependence.UNIFORM)
        values = [v for op in walk(kernel) for v in _defined_by(op)]
        self._cutting = {op for op in walk(kernel) if isinstance(op, SEES_BLOCKS) and cuts(op)}
        changed = True
        while changed:
            changed = False
            for value in values:
                found = self._compute(value)
                if self.of.get(value) != found:
                    self.of[value] = found
                    changed = True

    def _compute(self, value: SSAValue) -> Dependence:
        if value.owner in self._cutting:
            return Dependence.BLOCK
        sources = [self.of.get(source, Dependence.UNIFORM) for source in dependencies_of(value)]
        if Dependence.BLOCK in sources:
            return Dependence.BLOCK
        return Dependence.LANE if isinstance(value.type, tile.TileType) else Dependence.UNIFORM


SEES_BLOCKS = (tile.ReduceOp, tile.ScanOp, tile.ProgramOp, tile.ProgramsOp)


def cuts(op: Operation) -> bool:
    """Whether an operation sees the block that it runs in and not the whole input."""
    if not isinstance(op, tile.CombineOp):
        return True
    stage = op.parent_op()
    while stage is not None and not isinstance(stage, tile.StageOp):
        stage = stage.parent_op()
    if stage is None:
        return True
    if is_block_local(op):
        return False
    if op.in_block is not None:
        return True
    return not axes_of(op, stage.kernel.rank) <= stage.covered


def axes_of(op: tile.CombineOp, rank: int) -> frozenset[int]:
    """The axes that a reduction or scan combines."""
    return frozenset(range(rank)) if op.axis is None else frozenset([op.axis.data])


def _defined_by(op: Operation) -> list[SSAValue]:
    args = [arg for region in op.regions for block in region.blocks for arg in block.args]
    return [*args, *op.results]


def crossing_accesses(kernel: tile.KernelOp) -> list[Access]:
    """The accesses through which one lane sees what another lane wrote, or writes over it."""
    return [
        op
        for accesses in _to_written_buffers(kernel)
        if not _is_safe(accesses)
        for op in accesses
        if not is_plain(op.index)
    ]


def accesses_beside_atomics(kernel: tile.KernelOp) -> list[Access]:
    """The accesses to a buffer that are not of the same kind as an atomic before or after them.

    Atomics of one kind may come in any order; one that another kind or a store follows, may not.
    """
    beside: list[Access] = []
    for accesses in _to_written_buffers(kernel):
        first = next((op for op in accesses if isinstance(op, tile.AtomicOp)), None)
        if first is not None:
            beside += (
                op
                for op in accesses
                if not (isinstance(op, tile.AtomicOp) and op.kind == first.kind)
            )
    return beside


def _to_written_buffers(kernel: tile.KernelOp) -> list[list[Access]]:
    """The accesses to each buffer that the kernel writes."""
    by_buffer: dict[SSAValue, list[Access]] = defaultdict(list)
    for op in accesses_of(kernel):
        by_buffer[op.buffer].append(op)
    return [by_buffer[buffer] for buffer in kernel.written]


def _is_safe(accesses: list[Access]) -> bool:
    """Whether the accesses to one written buffer mean the same for every cut into blocks.

    They do where every lane has elements of its own; where one statement outside loops does them
    all; where only atomics touch the buffer; and where it is only written at uniform indices, or at
    the same row or column, since then every program writes the same values in the same order.
    """
    if own_elements(accesses):
        return True
    if len(accesses) == 1 and not in_loop(accesses[0]):
        return True
    if all(isinstance(op, tile.AtomicOp) for op in accesses):
        return True
    if not all(isinstance(op, tile.StoreOp) for op in accesses):
        return False
    uniform = not any(tile.sizes_of(op.index.type) for op in accesses)
    return uniform or {_axis_of(op.index) for op in accesses} in ROW_OR_COLUMN


ROW_OR_COLUMN = ({tile.IndexKind.ROW}, {tile.IndexKind.COL})


def _axis_of(index: SSAValue) -> tile.IndexKind | None:
    """`row` or `col`, where the index is that alone."""
    return index.owner.kind.data if isinstance(index.owner, tile.IndexOp) else None


def is_block_independent(kernel: tile.KernelOp) -> bool:
    """Whether the kernel may run in blocks of any size, in any order.

    No value may depend on blocks, and no lane may see what another one wrote. A matmul kernel has
    the option `pinned` if it may not, which `tile-check-blocks` sets.
    """
    if kernel.kind.data is KernelKind.MATMUL:
        return kernel.option("pinned") is None
    if any(isinstance(op, tile.CombineOp) and cuts(op) for op in walk(kernel)):
        return False
    return not crossing_accesses(kernel) and not accesses_beside_atomics(kernel)
