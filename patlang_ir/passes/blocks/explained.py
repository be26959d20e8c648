"""For people: the form of each access of a kernel, the fact that decided, and the plans."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp
from xdsl.utils.hints import isa

from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.copies import Layout
from patlang_ir.matmul_targets import MATMUL_TARGETS
from patlang_ir.passes.blocks.copies import copies_of
from patlang_ir.passes.blocks.descriptors import Decision, decide, described_buffers
from patlang_ir.passes.blocks.pointers import name_of
from patlang_ir.passes.matmul_plans import NAMES, plans_of
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


def explain_plans(module: ModuleOp) -> Iterator[str]:
    """A line for each form of the matmul kernels of a planned module: its order and its blocks."""
    for kernel in kernels_of(module):
        for stage in kernel.stages:
            form = "pointers" if stage.described is None else "descriptors"
            order = stage.order.data if stage.order is not None else "rows"
            blocks = ", ".join(map(_block, plans_of(stage)))
            yield f"kernel '{kernel.sym_name.data}' by {form}, order {order}: blocks {blocks}"


def _block(plan: DictionaryAttr) -> str:
    sizes = (plan.data[name] for name in NAMES)
    return " x ".join(str(size.value.data) for size in sizes if isa(size, IntegerAttr))


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
