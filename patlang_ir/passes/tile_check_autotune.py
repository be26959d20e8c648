"""Check the block sizes that a marker offers for tuning."""

from __future__ import annotations

from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, BoolAttr, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass

from patlang_ir.diagnostics import Report
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.scalars import is_float
from patlang_ir.dialects.tile import ReduceKind
from patlang_ir.targets import LARGEST_BLOCK
from patlang_ir.traversal import walk


class TileCheckAutotune(ModulePass):
    """Check `autotune=[...]`: powers of two, and on kernels that give the same for every size.

    A sum of floats depends on the order in which blocks are added, so a kernel with one may be
    tuned only with `deterministic=false`.
    """

    name = "tile-check-autotune"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with Report() as report:
            for kernel in op.ops:
                if isinstance(kernel, tile.KernelOp) and kernel.option("autotune") is not None:
                    check_kernel(kernel, report)


def check_kernel(kernel: tile.KernelOp, report: Report) -> None:
    """Report candidates that cannot be block sizes, and kernels that must not be tuned."""
    if kernel.kind.data == KernelKind.MATMUL:
        report.error(
            kernel,
            "P118",
            "a matmul kernel takes no 'autotune': its blocks come from a table for each GPU",
            "block=[128, 128, 64] chooses others",
        )
        return
    candidates = kernel.option("autotune")
    listed = cast(ArrayAttr[Attribute], candidates) if isinstance(candidates, ArrayAttr) else ()
    sizes = [_size(item) for item in listed]
    if not sizes:
        report.error(kernel, "P118", "'autotune' needs a list of block sizes: [256, 512, 1024]")
    for size in sizes:
        if size is None or size < 1 or size & (size - 1) or size > LARGEST_BLOCK:
            report.error(
                kernel,
                "P118",
                f"'autotune': {size} is not a block size",
                f"block sizes are powers of two up to {LARGEST_BLOCK}",
            )
    deterministic = kernel.option("deterministic") != BoolAttr.from_bool(False)
    if deterministic and any(map(_adds_floats, walk(kernel))):
        report.error(
            kernel,
            "P403",
            "a kernel that sums floats is not tuned: its block size decides in which order",
            "leave 'autotune' out, or allow other bits on each run with deterministic=false",
        )


def _adds_floats(op: Operation) -> bool:
    """Whether the size of blocks decides how a sum of floats is rounded."""
    match op:
        case tile.ReduceOp():
            ordered = op.kind.data in (ReduceKind.SUM, ReduceKind.PROD)
        case _:
            ordered = isinstance(op, tile.ScanOp)
    return ordered and is_float(tile.element_of(op.results[0].type))


def _size(item: Attribute) -> int | None:
    return item.value.data if isinstance(item, IntegerAttr) else None
