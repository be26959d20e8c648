"""PatLang IR: kernels from PatLang to Triton, with one meaning on the CPU and the GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from patlang_ir.diagnostics import CompileError, LaunchError, RunError
    from patlang_ir.module import Module, load, loads
    from patlang_ir.runtime.kernel import Kernel

__version__ = "0.1.0"
__all__ = ["CompileError", "Kernel", "LaunchError", "Module", "RunError", "load", "loads"]

_HOMES = {
    "CompileError": "diagnostics",
    "LaunchError": "diagnostics",
    "RunError": "diagnostics",
    "Kernel": "runtime.kernel",
    "Module": "module",
    "load": "module",
    "loads": "module",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that the tools start fast."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module 'patlang_ir' has no attribute '{name}'")
    return getattr(import_module(f"patlang_ir.{_HOMES[name]}"), name)
