"""Common subexpression elimination that knows the memory rules of kernels.

A write to one buffer leaves what was loaded from another one as it is, unless both may be the same
memory. Dominator-scoped hashing of values, as in Briggs, Cooper and
Simpson, "Value Numbering" (1997).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.accesses import Aliases
from patlang_ir.analysis.dataflow import is_pure
from patlang_ir.analysis.levels import written_by
from patlang_ir.dialects import tile


def merge_common_values(module: ModuleOp) -> None:
    """Replace each operation that computes again what one before it, in scope, has computed."""
    for kernel in module.ops:
        if isinstance(kernel, tile.KernelOp):
            for stage in kernel.stages:
                _TileMerging(Aliases(kernel)).block(stage.body.block)


class Merging(ABC):
    """Walks blocks, and keeps what the operations in scope compute."""

    def __init__(self) -> None:
        self.known: dict[Hashable, Operation] = {}

    @abstractmethod
    def key(self, op: Operation) -> Hashable | None:
        """Equal for two operations with the same result; called in the order of the text."""

    def block(self, block: Block) -> None:
        own: list[Hashable] = []
        for op in tuple(block.ops):
            if op.regions:
                self.regions(op)
            key = self.key(op)
            if key is None:
                continue
            earlier = self.known.setdefault(key, op)
            if earlier is op:
                own.append(key)
                continue
            for old, new in zip(op.results, earlier.results, strict=True):
                old.replace_all_uses_with(new)
            block.erase_op(op)
        for key in own:
            del self.known[key]

    def regions(self, op: Operation) -> None:
        """Walk the blocks inside an operation."""
        for region in op.regions:
            for block in region.blocks:
                self.block(block)


def computation(op: Operation) -> tuple[Hashable, ...]:
    """What an operation without regions computes, if it has no effects."""
    properties = tuple(sorted(op.properties.items())) if op.properties else ()
    return type(op), *op.operands, properties, *(result.type for result in op.results)


class _TileMerging(Merging):
    """Merges the values of one stage; `versions` counts the writes to each buffer so far."""

    def __init__(self, aliases: Aliases) -> None:
        super().__init__()
        self.aliases = aliases
        self.versions: Counter[SSAValue] = Counter()

    def regions(self, op: Operation) -> None:
        """What a region writes is new at its start, since a loop comes back, and after it."""
        writes = self.aliases.of(written_by(op))
        self.versions.update(writes)
        for region in op.regions:
            for block in region.blocks:
                self.block(block)
            self.versions.update(writes)

    def key(self, op: Operation) -> Hashable | None:
        match op:
            case tile.LoadOp():
                return self.versions[op.buffer], computation(op)
            case tile.StoreOp() | tile.AtomicOp():
                self.versions.update(self.aliases.of({op.buffer}))
                return None
            case _ if is_pure(type(op)) and op.results and not op.regions:
                return computation(op)
            case _:
                return None
