"""Let the threads of a program wait where one may touch an element after another one did."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.analysis.accesses import Access, Aliases
from patlang_ir.analysis.dataflow import backward_slice
from patlang_ir.dialects import tile

Pending = frozenset[Access]
"""The accesses since the last barrier that other threads may not have done yet."""


@dataclass(frozen=True)
class Barriers:
    """Places the barriers of one kernel."""

    aliases: Aliases

    def place(self, block: Block, pending: Pending) -> Pending:
        """Place those of a block, given what is pending before it; what is pending after it."""
        for op in block.ops:
            match op:
                case tile.LoadOp() | tile.StoreOp() | tile.AtomicOp() if _has_lanes(op):
                    if any(self.meets(earlier, op) for earlier in pending):
                        barrier = tile.BarrierOp()
                        barrier.location = op.location
                        Rewriter.insert_op(barrier, InsertPoint.before(op))
                        pending = Pending()
                    pending |= {op}
                case scf.IfOp():
                    pending = self.place_in(op, pending)
                case scf.ForOp() | scf.WhileOp():
                    pending = self.place_in(op, pending | _lane_accesses(op))
                case _:
                    pass
        return pending

    def place_in(self, op: Operation, pending: Pending) -> Pending:
        """Place those in the regions of an operation, each of which may run or not."""
        ends = [self.place(region.block, pending) for region in op.regions if region.blocks]
        return pending.union(*ends)

    def meets(self, earlier: Access, later: Access) -> bool:
        """Whether the order of two accesses matters, and nothing keeps it.

        What a lane stores may be computed from what it loaded; then the load came first.
        """
        if isinstance(earlier, tile.LoadOp) and isinstance(later, tile.LoadOp):
            return False
        if earlier.buffer.type != later.buffer.type:
            return False
        if later.buffer not in self.aliases.of({earlier.buffer}):
            return False
        if isinstance(earlier, tile.LoadOp) and not isinstance(later, tile.LoadOp):
            return earlier.result not in backward_slice([later.value])
        return not _same_kind_of_atomic(earlier, later)


def _same_kind_of_atomic(earlier: Access, later: Access) -> bool:
    return isinstance(earlier, tile.AtomicOp) and isinstance(later, tile.AtomicOp)


def _has_lanes(op: Access) -> bool:
    """Whether each thread has elements of its own; what is uniform is done by one of them."""
    return bool(tile.sizes_of(op.index.type))


def _lane_accesses(op: Operation) -> Pending:
    return Pending(inner for inner in op.walk() if isinstance(inner, Access) and _has_lanes(inner))


class TilePlaceBarriers(ModulePass):
    """Place a barrier between two accesses to one element by lanes of one program.

    `store v, out[offs]; load out[offs]` -> `store v, out[offs]; barrier; load out[offs]`

    Triton spreads the lanes of each access over the threads in a way of its own, so a thread may
    read what another one is about to write.
    """

    name = "tile-place-barriers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if not isinstance(kernel, tile.KernelOp):
                continue
            barriers = Barriers(Aliases(kernel))
            for stage in kernel.stages:
                barriers.place(stage.body.block, Pending())
