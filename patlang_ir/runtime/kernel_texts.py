"""Kernels that a program names by their text, for the host functions on kernels."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation

from patlang_ir.analysis.scopes import ProgramNames
from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, RunError
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.frontend.kernel_sources import MarkedKernel, parse_kernel
from patlang_ir.runtime.kernel import Kernel
from patlang_ir.runtime.launcher import ListRunner
from patlang_ir.runtime.values import Fault

REDUCTIONS = frozenset(
    (
        *("sum", "prod", "reduce_max", "reduce_min", "argmax", "argmin", "any", "all"),
        "cumsum",
    )
)
FAILURES = (CompileError, LaunchError, RunError, Fault)
"""What may go wrong with a kernel and its arguments."""


class KernelTexts:
    """The kernels of one run by their texts, each compiled once."""

    def __init__(self, runner: ListRunner):
        self.runner = runner
        self._found: dict[str, MarkedKernel] = {}
        self._kernels: dict[tuple[object, ...], Kernel] = {}

    def remember(self, kernels: Sequence[MarkedKernel]) -> None:
        """From now on, compile these texts inside their program."""
        self._found.update((kernel.text, kernel) for kernel in kernels)

    def kernel(
        self, text: str, name: str, kind: KernelKind, candidates: Sequence[int] = ()
    ) -> Kernel:
        """The kernel of a text; with block sizes to try if there are candidates."""
        key = (text, name, kind, *candidates)
        if key not in self._kernels:
            program = _tuned(self._program(text, name, kind), name, candidates)
            self._kernels[key] = Kernel(program, name)
        return self._kernels[key]

    def _program(self, text: str, name: str, kind: KernelKind) -> ModuleOp:
        known = self._found.get(text)
        if known is not None and (known.name, known.kind) == (name, kind):
            return isolated(known.program, name)
        return parse_kernel(text, name, kind)


def isolated(program: ModuleOp, name: str) -> ModuleOp:
    """A function with the functions it calls and the constants of the top level."""
    names = ProgramNames(program)
    needed: dict[str, None] = {name: None}
    for function in needed.copy():
        _add_called(names, function, needed)
    constants: list[Operation] = []
    for constant, value in names.constants.items():
        literal = pat.ConstantOp(value)
        bound = pat.LetOp(constant, literal.result)
        literal.location = bound.location = names.top_level[constant][0].location
        constants += literal, bound
    top_level = next(op for op in program.ops if isinstance(op, pat.ProgramOp))
    body = pat.ProgramOp(pat.block_region(constants))
    body.location = top_level.location
    return ModuleOp([body, *(names.functions[function].clone() for function in needed)])


def _add_called(names: ProgramNames, function: str, needed: dict[str, None]) -> None:
    for op in names.functions[function].walk():
        if not isinstance(op, pat.ApplyOp):
            continue
        callee = op.callee.data
        if callee in names.functions and callee not in needed:
            needed[callee] = None
            _add_called(names, callee, needed)


def _tuned(program: ModuleOp, name: str, candidates: Sequence[int]) -> ModuleOp:
    """The program with block sizes to try for the kernel."""
    if not candidates:
        return program
    function = next(
        op for op in program.ops if isinstance(op, pat.FuncOp) and op.sym_name.data == name
    )
    options = dict(function.options.data) if function.options is not None else {}
    options["autotune"] = ArrayAttr([IntegerAttr(size, i64) for size in candidates])
    function.options = DictionaryAttr(options)
    return program


def has_reduction(program: ModuleOp) -> bool:
    """Whether a function of a program combines the elements of its input."""
    functions = [op for op in program.ops if isinstance(op, pat.FuncOp)]
    own = {function.sym_name.data for function in functions}
    calls = (op for function in functions for op in function.walk() if isinstance(op, pat.ApplyOp))
    return any(call.callee.data in REDUCTIONS - own for call in calls)


def reason(error: Exception) -> str:
    """Why a kernel did not run, with its place, in one line for each cause."""
    match error:
        case CompileError():
            found = [it for it in error.diagnostics if it.severity == "error"]
        case LaunchError() | RunError():
            found = [error.diagnostic]
        case _:
            return str(error)
    return "; ".join(map(_line, found))


def _line(diagnostic: Diagnostic) -> str:
    where = f"{diagnostic.place}: " if diagnostic.place is not None else ""
    help = f" ({diagnostic.help})" if diagnostic.help else ""
    return f"{where}{diagnostic.message}{help}"
