"""Let the threads of a program wait where one may touch an element after another one did."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.str_enum import StrEnum

from patlang_ir.analysis.accesses import Access, Aliases, accesses_of
from patlang_ir.dialects import tile
from patlang_ir.traversal import walk

Memory = SSAValue | Attribute
"""A buffer, or the type of those that may be the same memory."""
Writes = dict[Memory, frozenset[StrEnum | None]]
"""How memory was written: the kind of atomics, None for stores."""


@dataclass(frozen=True)
class Pending:
    """The accesses since the last barrier that other threads may not have done yet."""

    loads: dict[Memory, int] = field(default_factory=dict[Memory, int])
    """Sets of loads, as the bits of a number."""
    writes: Writes = field(default_factory=Writes)

    def __or__(self, other: Pending) -> Pending:
        loads = {m: self.loads.get(m, 0) | other.loads.get(m, 0) for m in self.loads | other.loads}
        none = frozenset[StrEnum | None]()
        both = self.writes | other.writes
        writes = {m: self.writes.get(m, none) | other.writes.get(m, none) for m in both}
        return Pending(loads, writes)


class Barriers:
    """Places the barriers of one kernel."""

    def __init__(self, kernel: tile.KernelOp):
        self.aliases = Aliases(kernel)
        accesses = accesses_of(kernel)
        written = {self.memory(op) for op in accesses if not isinstance(op, tile.LoadOp)}
        loads = [op for op in accesses if isinstance(op, tile.LoadOp)]
        loads = [op for op in loads if self.memory(op) in written]
        self.bits = {load: 1 << number for number, load in enumerate(loads)}
        self.needs: dict[SSAValue, int] = defaultdict(int)
        """The loads without which a value cannot be computed."""

    def memory(self, op: Access) -> Memory:
        return op.buffer.type if op.buffer in self.aliases.lane_local else op.buffer

    def pending(self, op: Operation) -> Pending:
        """What an access leaves behind; nothing if it is uniform, for one thread does it alone."""
        match op:
            case tile.LoadOp() if op in self.bits and tile.sizes_of(op.index.type):
                return Pending({self.memory(op): self.bits[op]})
            case tile.StoreOp() if tile.sizes_of(op.index.type):
                return Pending(writes={self.memory(op): frozenset([None])})
            case tile.AtomicOp() if tile.sizes_of(op.index.type):
                return Pending(writes={self.memory(op): frozenset([op.kind.data])})
            case _:
                return Pending()

    def place(self, block: Block, pending: Pending) -> Pending:
        """Place those of a block, given what is pending before it; what is pending after it."""
        for op in block.ops:
            match op:
                case scf.IfOp():
                    pending = self.place_in(op, pending)
                case scf.ForOp() | scf.WhileOp():
                    for inner in walk(op):
                        pending |= self.pending(inner)
                    pending = self.place_in(op, pending)
                case _:
                    own = self.pending(op)
                    if self.meet(pending, own, op):
                        barrier = tile.BarrierOp()
                        barrier.location = op.location
                        Rewriter.insert_op(barrier, InsertPoint.before(op))
                        pending = Pending()
                    pending = pending | own if own.loads or own.writes else pending
                    self.note_needs(op)
        return pending

    def place_in(self, op: Operation, pending: Pending) -> Pending:
        """Place those in the regions of an operation, each of which may run or not."""
        after = pending
        for region in op.regions:
            for block in region.blocks:
                after |= self.place(block, pending)
        return after

    def note_needs(self, op: Operation) -> None:
        needs = self.bits.get(op, 0) if isinstance(op, tile.LoadOp) else 0
        for operand in op.operands:
            needs |= self.needs[operand]
        for result in op.results:
            self.needs[result] = needs

    def meet(self, pending: Pending, own: Pending, op: Operation) -> bool:
        """Whether the order of an access and of what is pending matters, and nothing keeps it.

        What a lane stores may be computed from what it loaded; then the load came first.
        """
        if any(memory in pending.writes for memory in own.loads):
            return True
        for memory, kinds in own.writes.items():
            earlier = pending.writes.get(memory)
            if earlier is not None and (earlier != kinds or None in kinds):
                return True
            assert isinstance(op, tile.StoreOp | tile.AtomicOp)
            if pending.loads.get(memory, 0) & ~self.needs[op.value]:
                return True
        return False


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
            barriers = Barriers(kernel)
            for stage in kernel.stages:
                barriers.place(stage.body.block, Pending())
