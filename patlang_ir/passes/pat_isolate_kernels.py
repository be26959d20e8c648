"""Keep the kernels of a program, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.scopes import did_you_mean
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import pat
from patlang_ir.rewriting import expect_gone, rewrite


@dataclass(frozen=True)
class EraseOthers(RewritePattern):
    """pat.func -> nothing, unless it is a kernel that is kept"""

    kept: frozenset[str]

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.FuncOp, rewriter: PatternRewriter) -> None:
        if op.sym_name.data not in self.kept:
            rewriter.erase(op)


class EraseProgram(RewritePattern):
    """pat.program -> nothing"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ProgramOp, rewriter: PatternRewriter) -> None:
        rewriter.erase(op)


@dataclass(frozen=True)
class PatIsolateKernels(ModulePass):
    """Erase the statements of the top level and the functions that are no kernels."""

    name = "pat-isolate-kernels"

    kernel: str | None = field(default=None, metadata={"help": "keep this kernel only"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, EraseOthers(self._kept(op)), EraseProgram())
        expect_gone(op, pat.ProgramOp)

    def _kept(self, module: ModuleOp) -> frozenset[str]:
        functions = (op for op in module.ops if isinstance(op, pat.FuncOp))
        kernels = [op.sym_name.data for op in functions if op.kernel is not None]
        if not kernels:
            help = "a kernel has '# @gpu_kernel' on the line above its function"
            raise refuse(module, "P210", "the program has no kernel", help)
        if self.kernel is None:
            return frozenset(kernels)
        if self.kernel not in kernels:
            listed = f"the kernels are: {', '.join(kernels)}"
            help = did_you_mean(self.kernel, kernels, listed)
            raise refuse(module, "P210", f"there is no kernel '{self.kernel}'", help)
        return frozenset((self.kernel,))
