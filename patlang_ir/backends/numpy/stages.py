"""What passes between the stages of a kernel, and which of them run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from patlang_ir.analysis.independence import axes_of
from patlang_ir.backends.numpy.contexts import known_element
from patlang_ir.backends.numpy.elements import Value
from patlang_ir.backends.numpy.programs import AXES, Grid
from patlang_ir.diagnostics import Diagnostic, LaunchError, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import Extent, SizeKind

Extents = Mapping[SizeKind, int]


def measured(stage: tile.StageOp, extents: Extents) -> int:
    """What a stage's limits speak of: the elements along the axes that the kernel must cover."""
    axes = list(AXES[stage.kernel.kind.data].values())
    covered = frozenset[int]().union(*(other.covered for other in stage.kernel.stages))
    return prod(extents[axes[axis]] for axis in covered or range(len(axes)))


def runs(stage: tile.StageOp, extents: Extents) -> bool:
    """Whether a stage runs for an input of this size, where no GPU moves blocks by itself."""
    if stage.described is not None:
        return False
    if stage.above is None and stage.upto is None:
        return True
    size = measured(stage, extents)
    if stage.above is not None and size <= stage.above.data:
        return False
    return stage.upto is None or size <= stage.upto.data


def too_large(kernel: tile.KernelOp, extents: Extents) -> LaunchError:
    """The error where no stage of a kernel takes an input of this size."""
    limit = max(stage.upto.data for stage in kernel.stages if stage.upto is not None)
    size = measured(kernel.stages[0], extents)
    combining = (op for op in kernel.walk() if isinstance(op, tile.CombineOp))
    axes = {axes_of(op, kernel.rank) for op in combining}
    where = "along rows and along columns" if len(axes) > 1 else "inside a loop or a branch"
    return LaunchError(
        Diagnostic(
            "P501",
            f"kernel '{kernel.sym_name.data}' combines lanes {where}, which takes at most {limit} "
            f"elements, and {size} were given",
            place_of(kernel.location),
        )
    )


class Scratch:
    """The scratch buffers of one run. Each is made when the stage that fills it starts."""

    def __init__(self, kernel: tile.KernelOp):
        self.kernel = kernel
        self.buffers: dict[SSAValue, Value] = {}
        self.shapes: dict[SSAValue, tuple[int, ...]] = {}

    def allocate(self, stage: tile.StageOp, grid: Grid) -> Sequence[Value | None]:
        """Every scratch buffer; those that this stage fills are made now."""
        if not self.kernel.scratch:
            return []
        filled = {op.buffer for op in stage.walk() if isinstance(op, tile.StoreOp)}
        for op in self.kernel.scratch:
            if op.result in filled:
                self._make(op, grid)
        return [self.buffers.get(op.result) for op in self.kernel.scratch]

    def _make(self, op: tile.ScratchOp, grid: Grid) -> None:
        extents = [grid.extents[kind] for kind in AXES[self.kernel.kind.data].values()]
        blocks = [len(cuts) for cuts in grid.cuts.values()]
        sizes = {Extent.ONE: [1] * len(blocks), Extent.BLOCKS: blocks, Extent.ALL: extents}
        shape = tuple(sizes[extent.data][axis] for axis, extent in enumerate(op.extents))
        self.shapes[op.result] = shape
        self.buffers[op.result] = np.zeros(prod(shape), known_element(op, op.result.type).memory)

    def extents_over(self, stage: tile.StageOp, extents: Extents) -> Extents:
        """The extents of a stage's input: the kernel's, or those of a scratch buffer."""
        if stage.over is None:
            return extents
        axes = AXES[self.kernel.kind.data].values()
        own = dict(zip(axes, self.shapes[stage.over], strict=True))
        return {SizeKind.N: prod(own.values()), **own}
