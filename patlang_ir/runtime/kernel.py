"""A kernel as a Python function over arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.backends.numpy import Evaluator
from patlang_ir.diagnostics import Diagnostic, LaunchError, counted, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.runtime.arguments import (
    DTYPES,
    Memory,
    check_extents,
    check_overlap,
    expect_scalar,
    is_used,
    launch_error,
    scalar_type,
    sizes_of_call,
)
from patlang_ir.runtime.compiler import KernelCompiler, Request
from patlang_ir.runtime.devices import device_target
from patlang_ir.runtime.matrices import as_matrices, check_matrices, sizes_of_blocks
from patlang_ir.runtime.usage import usage_of

if TYPE_CHECKING:
    from patlang_ir.runtime.triton_module import PrintedLauncher

CHUNK = 16384
"""Lanes that the evaluator treats at once: their values fit into a core's cache."""


class Kernel:
    """A compiled kernel. Calling it runs it on the device where its arguments are.

    NumPy arrays and CPU tensors run in the evaluator, CUDA tensors on the GPU; both are written
    in place.
    """

    def __init__(self, program: ModuleOp, name: str):
        self.name = name
        self.compiler = KernelCompiler(program, name)
        self.params = self.compiler.func.param_names
        self._evaluators: dict[tuple[object, ...], Evaluator] = {}
        self._launchers: dict[tuple[object, ...], PrintedLauncher] = {}
        self._known: dict[tuple[object, ...], PrintedLauncher] = {}
        """What launched for arguments of these kinds before. It makes all checks by itself."""

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(self.params)})>"

    # --- looking at it ---

    def ir(self, level: str = "tile", **request: Any) -> str:
        """The kernel's IR at level `pat`, `tile` or `tl`."""
        return str(self.compiler.module(level, _request(**request)))

    def triton_source(
        self,
        signature: Mapping[str, str] | None = None,
        *,
        triton: str | None = None,
        target: str = "cuda:90",
        math: str = "",
    ) -> str:
        """A stand-alone Triton module; it runs on Triton 3.6 to 3.9."""
        from patlang_ir.backends.triton import print_triton

        request = _request(signature, triton=triton, target=target, math=math)
        return print_triton(self.compiler.module("tl", request)).text

    # --- running it ---

    def __call__(
        self,
        *args: Any,
        math: str = "",
        device: str = "auto",
        block: Mapping[str, int] | None = None,
        checked: bool = False,
    ) -> None:
        """Run the kernel; the buffers that it stores to are written in place.

        `device` is that of the arguments unless it is said: `cpu` takes CUDA tensors too, by
        copying them there and back. `block` sets block sizes on the GPU, `math` is `strict` or
        `fast`. With `checked`, on the CPU, an access outside its buffer is a RunError.

        Raises CompileError if the kernel cannot be compiled for these types, and LaunchError if
        the arguments do not fit; nothing has been written then.
        """
        sizes = tuple(block.items()) if block else None
        key = (math, device, sizes, checked, *map(_kind, args))
        known = self._known.get(key)
        if known is not None:
            try:
                known(*args)
                return
            except LaunchError:
                pass  # The checks below say more.
        request = self.request_of(args, math, block, checked)
        if self._device(args, device) == "cuda":
            if checked:
                raise self._refusal("P505", "runs checked on the CPU only", "say device='cpu'")
            self.launch(request, args)
            self._known[key] = self._launchers[request.key]
            return
        arrays = [_as_numpy(arg) for arg in args]
        self.evaluate(self.compiler.tile(request), request, arrays)
        _copy_back(args, arrays)

    def bind(
        self, *args: Any, math: str = "", block: Mapping[str, int] | None = None
    ) -> Callable[[], None]:
        """A function without arguments that runs the kernel on these, again and again.

        Everything is checked, compiled and tuned now, and nothing is run. Each call then reads and
        writes the same memory, with the same single numbers. Bind again for another array or
        tensor, also where a variable was set to a new one, and for other numbers.

        Raises CompileError and LaunchError as a call does.
        """
        request = self.request_of(args, math, block)
        if self._device(args, "auto") == "cuda":
            return self.launcher(request).bind(self._checked(request, args))
        return self._evaluation(self.compiler.tile(request), request, list(map(_as_numpy, args)))

    def request_of(
        self,
        args: Sequence[Any],
        math: str = "",
        block: Mapping[str, int] | None = None,
        checked: bool = False,
    ) -> Request:
        """What a call with these arguments is compiled for."""
        if len(args) != len(self.params):
            wanted = ", ".join(self.params)
            raise self._refusal(
                "P203",
                f"takes {counted(len(self.params), 'argument')} ({wanted}), not {len(args)}",
            )
        return Request(self._signature(args), math=math, block=block or {}, checked=checked)

    def _device(self, args: Sequence[Any], wanted: str) -> str:
        """Where a call runs: `cpu` or `cuda`."""
        arrays = [arg for arg in args if _is_array(arg)]
        on_gpu = [bool(getattr(array, "is_cuda", False)) for array in arrays]
        if wanted == "cpu":
            return "cpu"
        if wanted not in ("auto", "cuda"):
            raise self._refusal("P505", f"cannot run on '{wanted}'", "say auto, cpu or cuda")
        if any(on_gpu) and not all(on_gpu):
            raise self._refusal(
                "P505", "got arrays on both the CPU and the GPU", "move them all to one device"
            )
        if wanted == "cuda" and not any(on_gpu):
            raise self._refusal(
                "P505", "got no array on the GPU", "pass CUDA tensors, for example x.cuda()"
            )
        return "cuda" if any(on_gpu) else "cpu"

    def _refusal(self, code: str, message: str, help: str = "") -> LaunchError:
        place = place_of(self.compiler.func.location)
        return LaunchError(Diagnostic(code, f"kernel '{self.name}' {message}", place, help))

    def evaluate(self, kernel: tile.KernelOp, request: Request, args: Sequence[Any]) -> None:
        """Check the arguments, then run the kernel in the evaluator.

        In a checked run an access outside its buffer and an integer division by 0 are a RunError.
        """
        self._evaluation(kernel, request, args)()

    def _evaluation(
        self, kernel: tile.KernelOp, request: Request, args: Sequence[Any]
    ) -> Callable[[], None]:
        """A run in the evaluator, whose arguments are checked now."""
        sizes = check_arguments(kernel, args)
        args = used_arguments(kernel, args)
        if request.key not in self._evaluators:
            self._evaluators[request.key] = Evaluator(kernel, checked=request.checked)
        usage = usage_of(kernel)
        # A lane that has stopped may still do what a checked run must see.
        hidden = request.checked and usage.stops_early
        chunk = CHUNK if usage.block_independent and not hidden else None
        blocks = None
        if kernel.kind.data is KernelKind.MATMUL:
            blocks = sizes_of_blocks(kernel, request.block)
        run = self._evaluators[request.key].run
        return partial(run, args, sizes=sizes, blocks=blocks, chunk=chunk)

    def launch(self, request: Request, args: Sequence[Any]) -> None:
        """Run the printed Triton on CUDA tensors."""
        launcher = self.launcher(request)
        launcher(*self._checked(request, args))

    def _checked(self, request: Request, args: Sequence[Any]) -> Sequence[Any]:
        """The arguments that a launcher takes."""
        kernel = self.compiler.tile(request)
        sizes = check_arguments(kernel, args)
        if kernel.kind.data is not KernelKind.MATMUL:
            return args
        sizes_of_blocks(kernel, request.block)
        return as_matrices(kernel, args, sizes)

    def launcher(self, request: Request) -> PrintedLauncher:
        """The printed Triton for a request, loaded once."""
        if request.key not in self._launchers:
            from patlang_ir.backends.triton import print_triton
            from patlang_ir.runtime.triton_module import load_triton

            module = self.compiler.module("tl", replace(request, target=device_target()))
            text = print_triton(module)
            self._launchers[request.key] = load_triton(text, self.name)
        return self._launchers[request.key]

    def _signature(self, args: Sequence[Any]) -> dict[str, str]:
        """The element types of arrays and the types of single numbers."""
        types: dict[str, str] = {}
        for name, arg in zip(self.params, args, strict=True):
            type = self._element(name, arg) if _is_array(arg) else scalar_type(arg)
            if type is not None:
                types[name] = type
        return types

    def _element(self, name: str, array: Any) -> str:
        dtype = str(array.dtype).removeprefix("torch.")
        if dtype not in DTYPES:
            help = f"kernels take {', '.join(DTYPES.values())}"
            message = f"takes no elements of type {dtype}, which '{name}' has"
            raise self._refusal("P502", message, help)
        return DTYPES[dtype]


def _request(signature: Mapping[str, str] | None = None, **options: Any) -> Request:
    given = {key: value for key, value in options.items() if value is not None}
    return Request(dict(signature or {}), **given)


def _kind(value: Any) -> object:
    """What an argument says about the types that a kernel is compiled for."""
    kind = value.__class__
    if kind is int:
        return int if -(2**63) <= value < 2**63 else float
    return kind, getattr(value, "dtype", None)


def _is_array(value: object) -> bool:
    return isinstance(value, np.ndarray) or hasattr(value, "data_ptr")


def _as_numpy(value: Any) -> Any:
    """A CPU tensor as an array over the same memory; of a CUDA tensor a copy."""
    if not hasattr(value, "data_ptr"):
        return value
    if value.is_neg():
        what = "a tensor is the negative of what it lies in"
        raise LaunchError(Diagnostic("P501", what, help="pass its resolve_neg()"))
    value = value.cpu()
    if str(value.dtype) == "torch.bfloat16":
        import torch

        return value.detach().view(torch.uint16).numpy()
    return value.detach().numpy()


def _copy_back(args: Sequence[Any], arrays: Sequence[Any]) -> None:
    """Write results that were computed on the CPU into the CUDA tensors that were passed."""
    for arg, array in zip(args, arrays, strict=True):
        if getattr(arg, "is_cuda", False):
            import torch

            arg.copy_(torch.as_tensor(array).view(arg.dtype))


def check_arguments(kernel: tile.KernelOp, args: Sequence[Any]) -> dict[str, int]:
    """The sizes of a call. Raises LaunchError if an argument does not fit."""
    if kernel.kind.data is KernelKind.MATMUL:
        return check_matrices(kernel, args)
    buffers: list[tuple[str, Sequence[int]] | None] = []
    ranges: list[Memory | None] = []
    for name, arg, value in zip(kernel.param_names, kernel.args, args, strict=True):
        if not isinstance(arg.type, tile.BufferType):
            if is_used(arg):
                expect_scalar(kernel, name, value)
            buffers.append(None)
            ranges.append(None)
            continue
        if not hasattr(value, "shape"):
            raise launch_error(
                kernel, "P502", f"'{name}' is a buffer, and {type(value).__name__} was given"
            )
        buffers.append((name, _shape_of(value)))
        ranges.append(_memory_of(kernel, name, value))
    sizes = sizes_of_call(kernel, buffers)
    check_extents(kernel, sizes)
    check_overlap(kernel, ranges)
    return sizes


def used_arguments(kernel: tile.KernelOp, args: Sequence[Any]) -> list[Any]:
    """The arguments, with a 0 for each single number that the kernel does not use."""
    pairs = zip(kernel.args, args, strict=True)
    return [
        arg if is_used(param) or isinstance(param.type, tile.BufferType) else 0
        for param, arg in pairs
    ]


def _memory_of(kernel: tile.KernelOp, name: str, value: Any) -> Memory:
    """The name, the addresses and the shape of a buffer, which must be contiguous."""
    if not hasattr(value, "data_ptr"):
        contiguous, start, size = value.flags.c_contiguous, value.ctypes.data, value.nbytes
    else:
        contiguous, start = value.is_contiguous(), value.data_ptr()
        size = value.numel() * value.element_size()
    if not contiguous:
        copy = "contiguous" if hasattr(value, "data_ptr") else "copy"
        help = f"pass {name}.{copy}(); of a buffer that is written, copy it back afterwards"
        raise launch_error(kernel, "P506", f"'{name}' is not contiguous", help)
    return Memory(name, start, start + size, _shape_of(value))


def _shape_of(value: Any) -> tuple[int, ...]:
    return tuple(value.shape)
