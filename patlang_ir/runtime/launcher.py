"""Calls of kernels from PatLang programs: lists in, new lists out."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.analysis.accesses import accesses_of
from patlang_ir.diagnostics import Diagnostic, LaunchError
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.runtime.arguments import (
    NUMPY_TYPES,
    array_of_list,
    element_name,
    launch_error,
    scalar_type,
)
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.devices import choose_device, describe
from patlang_ir.runtime.kernel import Kernel


class ListCall:
    """A kernel with its arguments on a device, to be run once or again and again."""

    def __init__(self, kernel: Kernel, request: Request, arrays: list[Any], device: str):
        self.kernel, self.request, self.arrays = kernel, request, arrays
        self.typed = kernel.compiler.tile(request)
        self._tensors: list[Any] | None = None
        if device != "cpu":
            import torch

            self._tensors = [
                torch.as_tensor(array).cuda() if hasattr(array, "shape") else array
                for array in arrays
            ]

    @property
    def values(self) -> list[Any]:
        """The arguments where they are, buffers as arrays or tensors."""
        return self.arrays if self._tensors is None else self._tensors

    def run(self) -> None:
        """Run the kernel; on a GPU without waiting for its end."""
        if self._tensors is None:
            self.kernel.evaluate(self.typed, self.request, self.arrays)
        else:
            self.kernel.launch(self.request, self._tensors)

    def time(self, count: int) -> float:
        """Run once, and then `count` times more; the milliseconds of those.

        All runs start with the same elements, so that many leave the result of one.
        """
        written = set(self.typed.written)
        buffers = [
            value for arg, value in zip(self.typed.args, self.values, strict=True) if arg in written
        ]
        before = [_copy(buffer) for buffer in buffers]
        self.run()
        if not self._reads_what_it_writes():
            return self._milliseconds(count)
        total = 0.0
        for _ in range(count):
            for buffer, first in zip(buffers, before, strict=True):
                buffer[...] = first
            total += self._milliseconds(1)
        return total

    def _reads_what_it_writes(self) -> bool:
        written = set(self.typed.written)
        reads = (op for op in accesses_of(self.typed) if not isinstance(op, tile.StoreOp))
        return any(op.buffer in written for op in reads)

    def _milliseconds(self, count: int) -> float:
        self._finish()
        start = perf_counter()
        for _ in range(count):
            self.run()
        self._finish()
        return (perf_counter() - start) * 1000.0

    def _finish(self) -> None:
        if self._tensors is not None:
            import torch

            torch.cuda.synchronize()

    def results(self) -> list[Any]:
        """The array of each argument that the kernel writes, None for the others."""
        written = set(self.typed.written)
        return [
            (value if self._tensors is None else value.cpu().numpy()) if arg in written else None
            for arg, value in zip(self.typed.args, self.values, strict=True)
        ]


def _copy(buffer: Any) -> Any:
    return buffer.clone() if hasattr(buffer, "data_ptr") else buffer.copy()


class ListRunner:
    """Runs kernels on one device. Lists cross as f64, or i64 where their elements are indices;
    those of matmul kernels cross as f32."""

    def __init__(self, device: str, math: str, checked: bool):
        self.math, self.checked = math, checked
        self.wanted, self.device = device, ""

    def prepare(
        self,
        kernel: Kernel,
        args: Sequence[Any],
        shape: Sequence[int] = (),
        *,
        shapes: Sequence[Sequence[int]] = (),
        block: Mapping[str, int] | None = None,
    ) -> ListCall:
        """A call with these arguments. A list with as many elements as `shape` gets that shape;
        with `shapes` each argument gets its own."""
        types = {name: scalar_type(arg) for name, arg in zip(kernel.params, args, strict=True)}
        scalars = {name: type for name, type in types.items() if type is not None}
        kind = kernel.compiler.func.kernel
        default = "f32" if kind is not None and kind.data is KernelKind.MATMUL else "f64"
        request = Request(scalars, default, math=self.math, block=block or {}, checked=self.checked)
        typed = kernel.compiler.tile(request)
        arrays = [
            _shaped(_convert(typed, name, arg.type, value), own)
            for name, arg, value, own in zip(
                typed.param_names, typed.args, args, shapes or [shape] * len(args), strict=True
            )
        ]
        if not self.device:
            self.device = self._choose_device()
            print(f"kernels run on {describe(self.device)}", file=sys.stderr)
        return ListCall(kernel, request, arrays, self.device)

    def _choose_device(self) -> str:
        """A checked run is one of the evaluator, which looks at every access."""
        if not self.checked:
            return choose_device(self.wanted)
        if self.wanted != "cuda":
            return "cpu"
        raise LaunchError(
            Diagnostic("P505", "a checked run is not possible on a GPU", help="say --device cpu")
        )


def _convert(kernel: tile.KernelOp, name: str, type: object, value: Any) -> Any:
    if not isinstance(type, tile.BufferType):
        return value
    if hasattr(value, "shape"):
        return _cast(kernel, name, element_name(type), value)
    if not isinstance(value, list):
        raise launch_error(kernel, "P502", f"'{name}' is a buffer: pass a list for it")
    return array_of_list(kernel, name, element_name(type), cast(list[Any], value))


def _cast(kernel: tile.KernelOp, name: str, element: str, array: Any) -> Any:
    """An array or a tensor with elements of a certain type; itself if it has them already."""
    wanted = NUMPY_TYPES.get(element, "")
    if str(array.dtype).removeprefix("torch.") == wanted:
        return array
    if hasattr(array, "data_ptr"):
        import torch

        result = array.to(getattr(torch, wanted))
    else:
        result = array.astype(wanted)
    if element.startswith("i") and bool((result != array).any()):
        message = f"'{name}' must hold whole numbers, because its elements are used as indices"
        raise launch_error(kernel, "P502", message)
    return result


def _shaped(value: Any, shape: Sequence[int]) -> Any:
    if not shape or not hasattr(value, "shape") or value.size != shape[0] * shape[1]:
        return value
    return value.reshape(shape)


class ProgramLauncher:
    """Runs the kernels of one program, by their names."""

    def __init__(self, program: ModuleOp, runner: ListRunner):
        self.program, self.runner = program, runner
        self._kernels: dict[str, Kernel] = {}

    def launch(self, name: str, args: Sequence[Any]) -> list[Any]:
        """Run a kernel; the new list for each argument that it writes, None for the others."""
        if name not in self._kernels:
            self._kernels[name] = Kernel(self.program, name)
        call = self.runner.prepare(self._kernels[name], args)
        call.run()
        return [None if array is None else array.tolist() for array in call.results()]


def make_launcher(
    program: ModuleOp, *, device: str = "auto", math: str = "", checked: bool = False
) -> ProgramLauncher:
    """A launcher for the kernels of a program, as `pat` IR before or after name resolution."""
    return ProgramLauncher(program, ListRunner(device, math, checked))
