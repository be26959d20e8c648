"""For people: which form each block of a kernel is accessed in, and the fact that decided."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.copies import Layout
from patlang_ir.matmul_targets import MATMUL_TARGETS
from patlang_ir.passes.blocks.copies import copies_of
from patlang_ir.passes.blocks.descriptors import Decision, decide, described_buffers
from patlang_ir.passes.blocks.pointers import name_of
from patlang_ir.passes.tile_legalize_block_pointers import kernels_of, prepare


def explain_blocks(module: ModuleOp, target: str) -> Iterator[str]:
    """A line for each access of the matmul kernels of a typed module, which is not changed."""
    module = module.clone()
    prepare(module)
    known = MATMUL_TARGETS.get(target)
    for kernel in kernels_of(module):
        for stage in kernel.stages:
            has = known is not None and known.descriptors
            decisions = decide(stage, has_descriptors=has)
            buffers = described_buffers(decisions)
            copies = copies_of(stage, decisions, known)
            for decision in decisions:
                described = decision.access.place.matrix.buffer in buffers
                yield _line(decision, copies, described=described)


def _line(decision: Decision, copies: tile.CopiesAttr | None, *, described: bool) -> str:
    access = decision.access
    place, matrix = place_of(access.op.location), access.place.matrix
    where = f"{place.file}:{place.line}: " if place is not None else ""
    verb = "load" if isinstance(access.op, tile.LoadBlockOp) else "store"
    what = f"{where}{verb} '{name_of(matrix.buffer)}' [{', '.join(map(str, matrix.sizes))}]"
    if described:
        copy = _copy(copies, name_of(matrix.buffer)) if copies is not None else ""
        return f"{what}: descriptor {decision.reason}; {copy}else pointers"
    reason = decision.reason
    if decision.described:
        reason = "another access of the matrix has no descriptor"
    return f"{what}: pointers; {reason}"


def _copy(copies: tile.CopiesAttr, name: str) -> str:
    """When a descriptor is that of a copy, and how it lies."""
    least = f"M, N, K >= {copies.extent.data} and M * N * K >= {copies.volume.data}"
    layout = copies.by_name[name]
    if layout is Layout.EITHER:
        return f"if {least}, of a copy; "
    other = Layout.COLUMNS if layout is Layout.ROWS else Layout.ROWS
    return f"if {least}, of a copy by {layout}, also where it lies by {other}; "
