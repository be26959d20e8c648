"""Check that programs of matmul kernels do not meet, and whether block sizes decide the result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass

from patlang_ir.analysis.block_independence import BlockIndependence
from patlang_ir.analysis.block_places import BlockAccess
from patlang_ir.analysis.matrix_extents import extent_of, matrices_of, sources_of
from patlang_ir.diagnostics import Report, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import SizeKind
from patlang_ir.rewriting import expect_typed
from patlang_ir.traversal import walk

AXES = ((SizeKind.M, "pid_m * BLOCK_M"), (SizeKind.N_OF_MATRIX, "pid_n * BLOCK_N"))
"""The extents that a launch cuts, and where the block of a program starts."""


class TileCheckBlocks(ModulePass):
    """Refuse matmul kernels whose programs write over each other, or see what others wrote.

    What is found out is kept: an axis that one block must cover becomes one of the stage's `cover`,
    and the reason for which block sizes decide the result the kernel's option `pinned`.
    """

    name = "tile-check-blocks"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_typed(op)
        with Report() as report:
            for kernel in op.ops:
                if isinstance(kernel, tile.KernelOp) and kernel.kind.data is KernelKind.MATMUL:
                    check_extents(kernel, report)
                    check_kernel(kernel, report)


def check_extents(kernel: tile.KernelOp, report: Report) -> None:
    """Report extents that no call can give."""
    known = sources_of(matrices_of(kernel))
    for op in walk(kernel):
        if isinstance(op, tile.SizeOp) and op.kind.data not in known:
            size = op.kind.data
            report.error(
                op,
                "P208",
                f"'{size}' has no value: no matrix of the kernel has {size} rows or columns",
                f"use the extents that are given to make_block_ptr, or pass {size} as a parameter",
            )
        if isinstance(op, tile.BlockPointerOp) and None in (extent_of(op.rows), extent_of(op.cols)):
            report.error(
                op,
                "P313",
                "the rows and columns of a matrix are M, N, K or literals",
                "a matrix may be larger than what the kernel does with it",
            )


def check_kernel(kernel: tile.KernelOp, report: Report) -> None:
    """Report stores that meet others, and keep what the sizes of blocks decide."""
    found = BlockIndependence(kernel)
    names: dict[SSAValue, str] = dict(zip(kernel.args, kernel.param_names, strict=True))
    known = sources_of(matrices_of(kernel))
    by_buffer: dict[SSAValue, list[BlockAccess]] = defaultdict(list)
    for access in found.accesses.values():
        by_buffer[access.place.pointer.buffer].append(access)
    for buffer, accesses in by_buffer.items():
        stores = [a for a in accesses if isinstance(a.op, tile.StoreBlockOp)]
        loads = [a for a in accesses if isinstance(a.op, tile.LoadBlockOp)]
        for store in stores:
            _check_store(store, names[buffer], found, known, report)
        for store in stores[1:]:
            if not _keeps_apart(store, stores[0], found.covered):
                report.error(
                    store.op,
                    "P402",
                    f"the programs write blocks of '{names[buffer]}' here that others write too",
                    f"write '{names[buffer]}' through one pointer",
                )
        for load in loads if stores else ():
            if any(not _is_same(load, store) for store in stores):
                _report_meeting(load, names[buffer], report)
    covered = sorted(found.covered)
    for stage in kernel.stages:
        stage.cover = ArrayAttr(map(IntAttr, covered)) if covered else None
    _keep_reason(kernel, found)


def _check_store(
    store: BlockAccess,
    name: str,
    found: BlockIndependence,
    known: Mapping[SizeKind, object],
    report: Report,
) -> None:
    for axis, (size, start) in enumerate(AXES):
        if axis in store.own or axis in found.covered or size not in known:
            continue
        report.error(
            store.op,
            "P402",
            f"the programs along {size} all write this block of '{name}'",
            f"give each program a block of its own, which starts at {start}, or combine the "
            f"elements along {size}",
        )


def _keeps_apart(store: BlockAccess, first: BlockAccess, covered: Collection[int]) -> bool:
    """Whether each program stores to its own rows and columns in both of two stores."""

    def sides(access: BlockAccess) -> dict[int, tuple[int, str | int]]:
        sizes = access.place.pointer.sizes
        return {a: (side, sizes[side]) for a, side in access.own.items() if a not in covered}

    return sides(store) == sides(first)


def _is_same(load: BlockAccess, store: BlockAccess) -> bool:
    """Whether a program loads just what it stores."""
    a, b = load.place, store.place
    return a.starts == b.starts and a.pointer.sizes == b.pointer.sizes


def _report_meeting(load: BlockAccess, name: str, report: Report) -> None:
    report.error(
        load.op,
        "P402",
        f"'{name}' is read here in another block than it is written in",
        f"read '{name}' through the pointer that it is written through, or write to another buffer",
    )


def _keep_reason(kernel: tile.KernelOp, found: BlockIndependence) -> None:
    options: dict[str, Attribute] = dict(kernel.options.data) if kernel.options is not None else {}
    options.pop("pinned", None)
    for reason in found.reasons[:1]:
        place = place_of(reason.at.location)
        where = f" ({place})" if place is not None else ""
        options["pinned"] = StringAttr(f"{reason.message}{where}")
    kernel.options = DictionaryAttr(options) if options else None
