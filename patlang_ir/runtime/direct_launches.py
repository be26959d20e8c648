"""Launches of kernels like earlier ones, without Triton's search for the code that fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import FunctionType
from typing import Any

torch: Any = import_module("torch")
triton: Any = import_module("triton")
knobs: Any = import_module("triton.knobs")
driver: Any = import_module("triton.runtime").driver
JITFunction: Any = import_module("triton.runtime").JITFunction
CompiledKernel: Any = import_module("triton.compiler").CompiledKernel
Tensor, Parameter = torch.Tensor, torch.nn.Parameter
TensorDescriptor: Any = import_module("triton.tools.tensor_descriptor").TensorDescriptor

DIRECT_VERSIONS = ("3.6", "3.7", "3.8", "3.9")
"""The versions of Triton that choose code and launch it as a Dispatcher does, on CUDA."""
MOST_KNOWN = 1024
"""Of one kernel; then all are forgotten, for Triton keeps its code."""


@dataclass(frozen=True, slots=True)
class Code:
    """What Triton launches: a CompiledKernel that is loaded."""

    kernel: Any
    run: Callable[..., None]
    function: object
    metadata: object
    constants: Sequence[object]
    """What it takes after the arguments of a call."""


def dispatching(functions: Mapping[str, Any]) -> dict[str, Any]:
    """The functions of a printed module, whose launchers run its kernels by dispatchers.

    The kernels themselves stay: Triton finds in `functions` what they call. So do those that
    Triton interprets.
    """
    if not launches_directly(triton.__version__):
        return dict(functions)
    instead = {
        name: Dispatcher(value) if isinstance(value, JITFunction) else value
        for name, value in functions.items()
    }
    for name, value in functions.items():
        if isinstance(value, FunctionType) and value.__globals__ is functions:
            instead[name] = with_globals(value, instead)
    return instead


def with_globals(function: FunctionType, names: dict[str, Any]) -> FunctionType:
    """A function that looks its names up elsewhere."""
    other = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
    other.__kwdefaults__ = function.__kwdefaults__
    return other


class Dispatcher:
    """Stands for a function of Triton: `function[grid](*args, **options)` launches the same.

    What is launched depends on the current device, of a tensor on its type and whether its address
    is a multiple of 16, of an integer on its value, of a descriptor on its type and its block, and
    on all options. Triton looks at no more than this, and what it chose once is launched again.
    """

    def __init__(self, function: Any):
        self.function = function
        self.known: dict[tuple[object, ...], Code] = {}

    def __getitem__(self, grid: Sequence[int]) -> Callable[..., None]:
        return partial(self.launch, grid)

    def launch(self, grid: Sequence[int], /, *args: Any, **options: Any) -> None:
        device: int = torch.cuda.current_device()
        facts: list[object] = [device]
        values: list[object] = []
        for arg in args:
            kind = arg.__class__
            if kind is int:
                facts.append(arg)
                values.append(arg)
            elif kind is Tensor or kind is Parameter:
                address = arg.data_ptr()
                facts.append(arg.dtype)
                facts.append(address % 16 == 0)
                values.append(address)
            elif kind is float:
                facts.append(float)
                values.append(arg)
            elif kind is TensorDescriptor:
                facts.append(kind_of_descriptor(arg))
                values.append(arg)
            else:
                self.function[grid](*args, **options)
                return
        key = (*facts, *options, *options.values())
        code = self.known.get(key)
        if code is None or self.function.pre_run_hooks or is_watched():
            self.search(key, grid, args, options)
            return
        start(code, device, grid, values)

    def search(
        self,
        key: tuple[object, ...],
        grid: Sequence[int],
        args: Sequence[Any],
        options: Mapping[str, Any],
    ) -> None:
        """Let Triton launch, and keep what it chose."""
        kernel = self.function[grid](*args, **options)
        if not isinstance(kernel, CompiledKernel) or is_watched():
            return
        constants = [options[name] for name in self.function.arg_names[len(args) :]]
        if len(self.known) >= MOST_KNOWN:
            self.known.clear()
        self.known[key] = code_of(kernel, constants)


def code_of(kernel: Any, constants: Sequence[object] = ()) -> Code:
    return Code(kernel, kernel.run, kernel.function, kernel.packed_metadata, constants)


def kind_of_descriptor(matrix: Any) -> tuple[object, ...]:
    """What Triton may choose code by: the shape and the strides are arguments of the code."""
    rounds = getattr(matrix, "round_f32_to_tf32", False)
    return (matrix.base.dtype, *matrix.block_shape, matrix.padding, rounds)


def start(code: Code, device: int, grid: Sequence[int], args: Sequence[object]) -> None:
    """Launch code with its arguments. `device` is the current one; an address stands for a tensor.

    The three None are what hooks are told, and the hooks before and after.
    """
    x, y, z = (*grid, 1, 1)[:3]
    stream = driver.active.get_current_stream(device)
    code.run(
        *(x, y, z, stream, code.function, code.metadata, None, None, None), *args, *code.constants
    )


def repeated(kernel: Any, grid: Sequence[int]) -> Callable[..., None]:
    """`kernel[grid]` for a compiled kernel, which is launched again and again."""
    by_triton = kernel[grid]
    if not isinstance(kernel, CompiledKernel) or not launches_directly(triton.__version__):
        return by_triton
    code = code_of(kernel)

    def launch(*args: object) -> None:
        if is_watched():
            by_triton(*args)
            return
        start(code, torch.cuda.current_device(), grid, args)

    return launch


def is_watched() -> bool:
    """Whether Triton now calls hooks at launches, or makes other code than it did."""
    runtime = knobs.runtime
    return bool(
        getattr(runtime.launch_enter_hook, "calls", True)
        or getattr(runtime.launch_exit_hook, "calls", True)
        or runtime.debug
        or runtime.add_stages_inspection_hook
        or knobs.compilation.instrumentation_mode
    )


def launches_directly(version: str) -> bool:
    """Whether the launches of this version of Triton are known here; on AMD GPUs none are."""
    return ".".join(version.split(".")[:2]) in DIRECT_VERSIONS and torch.version.hip is None
