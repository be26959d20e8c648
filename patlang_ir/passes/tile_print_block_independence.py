"""Print how each value of a kernel depends on lanes and blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from patlang_ir.analysis.block_independence import BlockIndependence
from patlang_ir.analysis.independence import Independence, is_block_independent
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.traversal import walk


class TilePrintBlockIndependence(ModulePass):
    """Print how each value of a kernel depends on lanes and blocks, for people and tests.

    One line for each operation with results: `lane: tile.add`, in program order, after a line that
    says whether the kernel may run in blocks of any size. The words of matmul kernels are those of
    `analysis/block_facts.py`.
    """

    name = "tile-print-block-independence"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in op.ops:
            if isinstance(kernel, tile.KernelOp):
                print(describe(kernel))


def describe(kernel: tile.KernelOp) -> str:
    """The lines for one kernel."""
    if kernel.kind.data is KernelKind.MATMUL:
        return describe_matmul(kernel)
    verdict = "independent" if is_block_independent(kernel) else "block-dependent"
    found = Independence(kernel).of
    return "\n".join([f"@{kernel.sym_name.data}: {verdict}", *_lines(kernel, found)])


def describe_matmul(kernel: tile.KernelOp) -> str:
    """The lines for one kernel, with the reasons for which it depends on the sizes of blocks."""
    found = BlockIndependence(kernel)
    reasons = [f"  because {reason.message}" for reason in found.reasons]
    covered = [f"  one block covers axis {axis}" for axis in sorted(found.covered)]
    verdict = "block-dependent" if reasons else "independent"
    facts = {value: fact.dependence for value, fact in found.facts.items()}
    head = [f"@{kernel.sym_name.data}: {verdict}", *reasons, *covered]
    return "\n".join([*head, *_lines(kernel, facts)])


def _lines(kernel: tile.KernelOp, found: Mapping[SSAValue, str]) -> Iterator[str]:
    for inner in walk(kernel):
        kinds = [found[result] for result in inner.results if result in found]
        if kinds:
            yield f"  {', '.join(kinds)}: {inner.name}"
