"""Say of each name in a program what it stands for."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from patlang_ir.analysis.scopes import ProgramNames
from patlang_ir.diagnostics import Report
from patlang_ir.dialects import pat
from patlang_ir.passes.resolve_host_names import ResolveHostCall, ResolveHostName
from patlang_ir.passes.resolve_kernel_names import (
    RefuseForms,
    ResolveKernelCall,
    ResolveKernelName,
    ResolveLoad,
    check_kernel,
)
from patlang_ir.rewriting import expect_gone, rewrite
from patlang_ir.traversal import walk


@dataclass(frozen=True)
class PatResolveNames(ModulePass):
    """Every name becomes a parameter, a variable, an implicit name, a constant or a function.

    Names that nothing binds, calls of unknown functions or with a wrong number of arguments, and
    what a kernel cannot hold are errors.
    """

    name = "pat-resolve-names"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = ProgramNames(op)
        with Report() as report:
            check_lifted(op, names, report)
        with Report() as report:
            for kernel in names.kernels.values():
                check_kernel(kernel, report)
            rewrite(
                op,
                RefuseForms(names, report),
                ResolveHostName(names, report),
                ResolveHostCall(names, report),
                ResolveKernelName(names, report),
                ResolveLoad(names, report),
                ResolveKernelCall(names, report),
            )
        expect_gone(op, pat.NameOp, pat.ApplyOp)


def check_lifted(module: ModuleOp, names: ProgramNames, report: Report) -> None:
    """A closure of host code must be a function by now."""
    for op in walk(module):
        if isinstance(op, pat.ClosureOp) and names.kernel_of(op) is None:
            help = "run pat-lift-closures before pat-resolve-names"
            report.error(op, "P902", "the closure was not lifted", help)
