"""Calls of kernels from PatLang programs: lists in, new lists out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.diagnostics import Diagnostic, LaunchError
from patlang_ir.dialects import tile
from patlang_ir.runtime.arguments import array_of_list, element_name, launch_error, scalar_type
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.devices import choose_device, describe
from patlang_ir.runtime.kernel import Kernel


class ProgramLauncher:
    """Runs the kernels of one program on one device.

    Lists cross as f64, or i64 where their elements are indices, and come back as new lists.
    """

    def __init__(self, program: ModuleOp, device: str, math: str, checked: bool):
        self.program, self.math, self.checked = program, math, checked
        self.wanted, self.device = device, ""
        self._kernels: dict[str, Kernel] = {}

    def launch(self, name: str, args: Sequence[Any]) -> list[Any]:
        """Run a kernel; the new list for each argument that it writes, None for the others."""
        if name not in self._kernels:
            self._kernels[name] = Kernel(self.program, name)
        kernel = self._kernels[name]
        types = {name: scalar_type(arg) for name, arg in zip(kernel.params, args, strict=True)}
        scalars = {name: type for name, type in types.items() if type is not None}
        request = Request(scalars, default="f64", math=self.math)
        typed = kernel.compiler.tile(request)
        arrays = [
            self._convert(typed, name, arg.type, value)
            for name, arg, value in zip(typed.param_names, typed.args, args, strict=True)
        ]
        self._run(kernel, typed, request, arrays)
        written = set(typed.written)
        return [
            array.tolist() if arg in written else None
            for arg, array in zip(typed.args, arrays, strict=True)
        ]

    def _convert(self, kernel: tile.KernelOp, name: str, type: object, value: Any) -> Any:
        if not isinstance(type, tile.BufferType):
            return value
        if not isinstance(value, list):
            raise launch_error(kernel, "P502", f"'{name}' is a buffer: pass a list for it")
        return array_of_list(kernel, name, element_name(type), cast(list[Any], value))

    def _run(
        self, kernel: Kernel, typed: tile.KernelOp, request: Request, arrays: list[Any]
    ) -> None:
        if not self.device:
            self.device = self._choose_device()
            print(f"kernels run on {describe(self.device)}", file=sys.stderr)
        if self.device == "cpu":
            kernel.evaluate(typed, request, arrays, checked=self.checked)
            return
        import torch

        tensors = [torch.as_tensor(a).cuda() if hasattr(a, "shape") else a for a in arrays]
        kernel.launch(request, tensors)
        for array, tensor in zip(arrays, tensors, strict=True):
            if hasattr(array, "shape"):
                array[...] = tensor.cpu().numpy()

    def _choose_device(self) -> str:
        """A checked run is one of the evaluator, which looks at every access."""
        if not self.checked:
            return choose_device(self.wanted)
        if self.wanted != "cuda":
            return "cpu"
        raise LaunchError(
            Diagnostic("P505", "a checked run is not possible on a GPU", help="say --device cpu")
        )


def make_launcher(
    program: ModuleOp, *, device: str = "auto", math: str = "", checked: bool = False
) -> ProgramLauncher:
    """A launcher for the kernels of a program, as `pat` IR before or after name resolution."""
    return ProgramLauncher(program, device, math, checked)
