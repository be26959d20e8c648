"""Common subexpression elimination that knows the memory rules of kernels.

A write to one buffer leaves what was loaded from another one as it is, unless both may be the same
memory. Dominator-scoped hashing of values, as in Briggs, Cooper and
Simpson, "Value Numbering" (1997).
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Hashable

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import Pure

from patlang_ir.analysis.accesses import Aliases
from patlang_ir.analysis.levels import written_by
from patlang_ir.dialects import tile


def merge_common_values(module: ModuleOp) -> None:
    """Replace each operation that computes again what one before it, in scope, has computed."""
    for kernel in module.ops:
        if isinstance(kernel, tile.KernelOp):
            for stage in kernel.stages:
                _Merging(Aliases(kernel)).block(stage.body.block, ChainMap())


class _Merging:
    """Walks one stage; `versions` counts the writes to each buffer so far."""

    def __init__(self, aliases: Aliases) -> None:
        self.aliases = aliases
        self.versions: Counter[SSAValue] = Counter()

    def block(self, block: Block, known: ChainMap[Hashable, Operation]) -> None:
        for op in tuple(block.ops):
            if op.regions:
                self.regions(op, known)
                continue
            self.versions.update(self.aliases.of(written_by(op)))
            key = self.key(op)
            if key is None:
                continue
            earlier = known.get(key)
            if earlier is None:
                known[key] = op
                continue
            for old, new in zip(op.results, earlier.results, strict=True):
                old.replace_all_uses_with(new)
            block.erase_op(op)

    def regions(self, op: Operation, known: ChainMap[Hashable, Operation]) -> None:
        """What a region writes is new at its start, since a loop comes back, and after it."""
        writes = self.aliases.of(written_by(op))
        self.versions.update(writes)
        for region in op.regions:
            for block in region.blocks:
                self.block(block, known.new_child())
            self.versions.update(writes)

    def key(self, op: Operation) -> Hashable | None:
        """Equal for two operations with the same result."""
        version = None
        if isinstance(op, tile.LoadOp):
            version = self.versions[op.buffer]
        elif not op.has_trait(Pure) or not op.results:
            return None
        properties = tuple(sorted(op.properties.items()))
        types = tuple(result.type for result in op.results)
        return type(op), tuple(op.operands), properties, types, version
