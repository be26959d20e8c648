"""Common subexpression elimination for `tl`: lowering computes masks and addresses each time."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator, MemoryEffectKind, get_effects

from patlang_ir.analysis.dataflow import is_pure
from patlang_ir.dialects import tl
from patlang_ir.passes.common_values import Merging, computation


def merge_common_values(kernel: tl.KernelOp) -> None:
    """Replace each operation that computes again what one before it, in scope, has computed.

    So it is with loops, and with loads that no write comes between.
    """
    _TlMerging().block(kernel.body.block)


class _TlMerging(Merging):
    """Merges the values of one kernel; `writes` counts the writes to memory so far."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    def key(self, op: Operation) -> Hashable | None:
        used = any(result.first_use is not None for result in op.results)
        if is_pure(type(op)):
            return computation(op) if used else None
        if op.has_trait(IsTerminator):
            return None
        effects = get_effects(op)
        if effects is None or any(effect.kind is not MemoryEffectKind.READ for effect in effects):
            self.writes += 1
            return None
        if not used:
            return None
        computed = structure(op, {}) if op.regions else computation(op)
        return (self.writes, op.parent, computed) if effects else computed


def structure(op: Operation, inside: dict[SSAValue, int]) -> tuple[Hashable, ...]:
    """What an operation computes, its regions included; `inside` numbers the values there."""
    blocks: list[Hashable] = []
    for block in (block for region in op.regions for block in region.blocks):
        for arg in block.args:
            inside[arg] = len(inside)
        types = tuple(arg.type for arg in block.args)
        blocks.append((types, *(structure(inner, inside) for inner in block.ops)))
    operands = (inside.get(operand, operand) for operand in op.operands)
    types = tuple(result.type for result in op.results)
    properties = tuple(sorted(op.properties.items()))
    for result in op.results:
        inside[result] = len(inside)
    return type(op), tuple(operands), properties, types, tuple(blocks)
