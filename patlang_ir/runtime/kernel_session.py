"""Kernels and tensors by their names, which stay on the device between launches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from patlang_ir.diagnostics import Diagnostic, LaunchError
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.kernel import Kernel
from patlang_ir.runtime.launcher import ListRunner


class KernelSession:
    """One session. A tensor holds floats; a launch writes to it where it is."""

    def __init__(self, runner: ListRunner):
        self.runner = runner
        self._kernels: dict[str, Kernel] = {}
        self._tensors: dict[str, Any] = {}

    def define(self, kernel: Kernel) -> None:
        """Add a kernel. Raises CompileError if it cannot be compiled."""
        kernel.compiler.tile(Request(default="f64", math=self.runner.math))
        self._kernels[kernel.name] = kernel

    def store(self, name: str, values: Sequence[Any]) -> None:
        """Add or replace a tensor."""
        for position, value in enumerate(values):
            if isinstance(value, bool | str | list | complex) or value is None:
                raise _error("P502", f"element {position} of the tensor '{name}' is not a number")
        try:
            self._tensors[name] = np.array([float(value) for value in values])
        except OverflowError:
            raise _error("P502", f"the tensor '{name}' holds a number that no float can") from None

    def launch(self, name: str, tensors: Sequence[str]) -> None:
        """Run a kernel on tensors."""
        kernel = _find("kernel", name, self._kernels)
        args = [_find("tensor", tensor, self._tensors) for tensor in tensors]
        if len(args) != len(kernel.params):
            listed = ", ".join(kernel.params)
            raise _error(
                "P203",
                f"kernel '{name}' takes {len(kernel.params)} tensors ({listed}), "
                f"and {len(args)} {'is' if len(args) == 1 else 'are'} given",
            )
        call = self.runner.prepare(kernel, args)
        call.run()
        self._tensors.update(zip(tensors, call.values, strict=True))

    def fetch(self, name: str) -> list[float]:
        """The elements of a tensor."""
        found = _find("tensor", name, self._tensors)
        return [float(value) for value in found.tolist()]


def _find(what: str, name: str, known: dict[str, Any]) -> Any:
    if name not in known:
        raise _error("P210", f"the session has no {what} '{name}'; it has: {_listed(known)}")
    return known[name]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _error(code: str, message: str) -> LaunchError:
    return LaunchError(Diagnostic(code, message))
