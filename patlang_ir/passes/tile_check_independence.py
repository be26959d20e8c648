"""Refuse kernels in which one lane sees what another one wrote."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass

from patlang_ir.analysis.accesses import Access
from patlang_ir.analysis.independence import accesses_beside_atomics, crossing_accesses
from patlang_ir.diagnostics import Report
from patlang_ir.dialects import tile
from patlang_ir.rewriting import expect_typed


class TileCheckIndependence(ModulePass):
    """Refuse kernels in which one lane sees what another one wrote.

    Such a kernel would need all lanes to wait for each other, which the blocks of a launch cannot.
    """

    name = "tile-check-independence"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_typed(op)
        with Report() as report:
            for kernel in op.ops:
                if isinstance(kernel, tile.KernelOp):
                    check_kernel(kernel, report)


def check_kernel(kernel: tile.KernelOp, report: Report) -> None:
    """Report each access that meets another lane's write."""
    names: dict[SSAValue, str] = dict(zip(kernel.args, kernel.param_names, strict=True))
    beside = accesses_beside_atomics(kernel)
    for access in beside:
        name = names[access.buffer]
        report.error(
            access,
            "P402",
            f"'{name}' is {_verb(access)} here, and an atomic changes it too",
            f"let atomics of one kind alone touch '{name}' in a kernel",
        )
    mixed = {access.buffer for access in beside}
    for access in crossing_accesses(kernel):
        name = names[access.buffer]
        if access.buffer in mixed:
            continue
        report.error(
            access,
            "P402",
            f"'{name}' is {_verb(access)} here at an index that other lanes write too",
            f"index '{name}' by plain offs wherever it is written and read in one kernel, "
            "or write to another buffer and go on in a second kernel",
        )


def _verb(access: Access) -> str:
    return "read" if isinstance(access, tile.LoadOp) else "written"
