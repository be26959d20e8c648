"""Compiling one kernel of a program in this process, down to any level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import pat, tile
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.targets import DEFAULT_TARGET
from patlang_ir.verify import verify


@dataclass(frozen=True)
class Request:
    """What a kernel is compiled for.

    `signature` gives element types by parameter; a buffer that it does not name has the type
    `default`. An empty `math` leaves it to the marker, an empty `block` leaves the block sizes to
    the target's table. With `checked` nothing that is an error then is moved to where it would be
    one without reason.
    """

    signature: Mapping[str, str] = field(default_factory=dict[str, str])
    default: str = "f32"
    math: str = ""
    target: str = DEFAULT_TARGET
    triton: str = "3.6"
    block: Mapping[str, int] = field(default_factory=dict[str, int])
    checked: bool = False

    @cached_property
    def key(self) -> tuple[object, ...]:
        """Equal for equal requests, to keep compiled kernels by."""
        signature, block = tuple(self.signature.items()), tuple(self.block.items())
        options = self.default, self.math, self.target, self.triton, self.checked
        return signature, block, *options


@paused_collector()
def apply_pipeline(module: ModuleOp, text: str) -> ModuleOp:
    """A copy of the module after a pass pipeline, verified at the end.

    `patlang-opt` verifies after each pass; here that would take half of the time.
    """
    result, ctx = module.clone(), Context()
    for step in parse_pipeline(text):
        step.apply(ctx, result)
    verify(result)
    return result


class KernelCompiler:
    """Compiles a kernel of a program, and keeps what it compiled."""

    def __init__(self, program: ModuleOp, name: str):
        self.program, self.name = program, name
        self.func = kernel_function(program, name)
        self._kept: dict[tuple[object, ...], ModuleOp] = {}

    def tile(self, request: Request) -> tile.KernelOp:
        """The typed, simplified kernel that the evaluator runs."""
        (kernel,) = self.module("tile", request).ops
        assert isinstance(kernel, tile.KernelOp)
        return kernel

    def module(self, level: str, request: Request) -> ModuleOp:
        """A module with just this kernel at level `pat`, `tile` or `tl`."""
        key = (level, *request.key)
        if key not in self._kept:
            self._kept[key] = self._compile(level, request)
        return self._kept[key]

    def _compile(self, level: str, request: Request) -> ModuleOp:
        match level:
            case "pat":
                return ModuleOp([self.func.clone()])
            case "tile":
                signature = ",".join(f"{k}={v}" for k, v in request.signature.items())
                options = [f"kernel={self.name}", f'signature="{signature}"']
                options.append(f"default={request.default}")
                if request.math:
                    options.append(f"math={request.math}")
                if request.checked:
                    options.append("checked=true")
                text = f"patlang-kernel-to-tile{{{' '.join(options)}}}"
                return apply_pipeline(self.program, text)
            case "tl":
                block = ",".join(f"{k}={v}" for k, v in request.block.items())
                options = f'target="{request.target}" triton="{request.triton}" block="{block}"'
                return apply_pipeline(
                    self.module("tile", request), f"patlang-tile-to-triton{{{options}}}"
                )
            case _:
                raise refuse(None, "P903", f"'{level}' is not a level", "pat, tile or tl")


def kernels_of(program: ModuleOp) -> dict[str, pat.FuncOp]:
    """The marked functions of a program, by name, in their order."""
    functions = (op for op in program.ops if isinstance(op, pat.FuncOp))
    return {func.sym_name.data: func for func in functions if func.kernel is not None}


def kernel_function(program: ModuleOp, name: str) -> pat.FuncOp:
    """The marked function of that name; a KeyError lists those there are."""
    kernels = kernels_of(program)
    if name not in kernels:
        listed = ", ".join(kernels) or "none"
        raise KeyError(f"no kernel '{name}'; the kernels of this module are: {listed}")
    return kernels[name]
