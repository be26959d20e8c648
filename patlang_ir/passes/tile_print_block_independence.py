"""Print how each value of a kernel depends on lanes and blocks."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from patlang_ir.analysis.independence import Independence, is_block_independent
from patlang_ir.dialects import tile
from patlang_ir.traversal import walk


class TilePrintBlockIndependence(ModulePass):
    """Print how each value of a kernel depends on lanes and blocks, for people and tests.

    One line for each operation with results: `lane tile.add`, in program order, after a line that
    says whether the kernel may run in blocks of any size.
    """

    name = "tile-print-block-independence"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, tile.KernelOp):
                print(describe(kernel))


def describe(kernel: tile.KernelOp) -> str:
    """The lines for one kernel."""
    verdict = "independent" if is_block_independent(kernel) else "block-dependent"
    found = Independence(kernel).of
    lines = [f"@{kernel.sym_name.data}: {verdict}"]
    for inner in walk(kernel):
        if inner.results:
            kinds = ", ".join(found[result] for result in inner.results)
            lines.append(f"  {kinds}: {inner.name}")
    return "\n".join(lines)
