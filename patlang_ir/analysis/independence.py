"""How the values of a kernel depend on lanes and blocks, and whether its memory does.

A value is *uniform* (one for the whole input), *lane* (one for each lane, whatever the blocks) or
*block* (it depends on how the input is cut). Without a reduction nothing depends on blocks; a
reduction of lanes does, until a block covers the axes that it combines.
"""

from __future__ import annotations

from collections import defaultdict

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue
from xdsl.utils.str_enum import StrEnum

from patlang_ir.analysis.accesses import Access, accesses_of, is_plain
from patlang_ir.analysis.dataflow import dependencies_of
from patlang_ir.dialects import tile


class Dependence(StrEnum):
    UNIFORM = "uniform"
    LANE = "lane"
    BLOCK = "block"


class Independence:
    """The dependence of each value of a kernel."""

    def __init__(self, kernel: tile.KernelOp):
        self.of: dict[SSAValue, Dependence] = dict.fromkeys(kernel.args, Dependence.UNIFORM)
        values = [v for op in kernel.walk() for v in _defined_by(op)]
        changed = True
        while changed:
            changed = False
            for value in values:
                found = self._compute(value)
                if self.of.get(value) != found:
                    self.of[value] = found
                    changed = True

    def _compute(self, value: SSAValue) -> Dependence:
        owner = value.owner
        if isinstance(owner, tile.CombineOp | tile.ProgramOp | tile.ProgramsOp) and cuts(owner):
            return Dependence.BLOCK
        sources = [self.of.get(source, Dependence.UNIFORM) for source in dependencies_of(value)]
        if Dependence.BLOCK in sources:
            return Dependence.BLOCK
        return Dependence.LANE if isinstance(value.type, tile.TileType) else Dependence.UNIFORM


def cuts(op: Operation) -> bool:
    """Whether an operation sees the block that it runs in and not the whole input."""
    if not isinstance(op, tile.CombineOp):
        return True
    stage = op.parent_op()
    while stage is not None and not isinstance(stage, tile.StageOp):
        stage = stage.parent_op()
    if stage is None or op.in_block is not None:
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
    by_buffer: dict[SSAValue, list[Access]] = defaultdict(list)
    for op in accesses_of(kernel):
        by_buffer[op.buffer].append(op)
    crossing: list[Access] = []
    for buffer in kernel.written:
        if not _is_safe(by_buffer[buffer]):
            crossing += (op for op in by_buffer[buffer] if not is_plain(op.index))
    return crossing


def _is_safe(accesses: list[Access]) -> bool:
    """Whether the accesses to one written buffer mean the same for every cut into blocks.

    They do at plain `offs`, where every lane has an element of its own; where one statement
    outside loops does them all; where only atomics touch the buffer; and where it is only written
    at uniform indices, since then every program writes the same values in the same order.
    """
    if all(is_plain(op.index) for op in accesses):
        return True
    if len(accesses) == 1 and not _in_loop(accesses[0]):
        return True
    if all(isinstance(op, tile.AtomicOp) for op in accesses):
        return True
    stores = all(isinstance(op, tile.StoreOp) for op in accesses)
    return stores and not any(tile.sizes_of(op.index.type) for op in accesses)


def _in_loop(op: Operation) -> bool:
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, scf.ForOp | scf.WhileOp):
        parent = parent.parent_op()
    return parent is not None


def is_block_independent(kernel: tile.KernelOp) -> bool:
    """Whether the kernel may run in blocks of any size, in any order.

    No value may depend on blocks, and no lane may see what another one wrote.
    """
    if any(isinstance(op, tile.CombineOp) and cuts(op) for op in kernel.walk()):
        return False
    return not crossing_accesses(kernel)
