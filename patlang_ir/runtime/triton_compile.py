"""Compiling `tl` kernels with Triton for any target, also where there is no GPU."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i1

from patlang_ir.backends.triton import print_triton
from patlang_ir.backends.triton.types import signature_type
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tl
from patlang_ir.runtime.triton_errors import explained
from patlang_ir.runtime.triton_module import load_functions

LAUNCHES = tl.LaunchOp | tl.MatmulLaunchOp

COVERED = {1: 1024, 2: 32}
"""The block size that stands for an axis which one program covers, whose extent is not known, by
the number of such axes."""


def compile_triton(module: ModuleOp, target: str = "cuda:90") -> dict[str, dict[str, Any]]:
    """What Triton makes of each kernel: its stages by name, such as `ttir`, `ptx` and `cubin`."""
    launches = {op.kernel.data: op for op in module.walk() if isinstance(op, LAUNCHES)}
    kernels = [op for op in module.ops if isinstance(op, tl.KernelOp)]
    text = print_triton(module)
    _, functions = load_functions(text)
    compiled: dict[str, dict[str, Any]] = {}
    for kernel in kernels:
        name = kernel.sym_name.data
        function = functions[text.names[name]]

        def build(kernel: tl.KernelOp = kernel, function: Any = function) -> dict[str, Any]:
            return build_kernel(kernel, launches.get(kernel.sym_name.data), function, target)

        try:
            compiled[name] = build()
        except Exception as error:
            raise explained(error, text, build) from error
    return compiled


def build_kernel(
    kernel: tl.KernelOp, launch: LAUNCHES | None, function: Any, target: str
) -> dict[str, Any]:
    """Compile one kernel for its argument types and the options of its launch.

    Matrices are taken as those of most calls: rows of elements side by side, each aligned.
    """
    triton: Any = import_module("triton")
    plan = plan_of(launch) if launch is not None else {}
    unknown = sum(c.data not in plan for c in kernel.constexprs)
    constexprs = {c.data: plan.pop(c.data, COVERED.get(unknown)) for c in kernel.constexprs}
    constexprs |= {name: False for name in constexprs if name.endswith("_TURNED")}
    parameters = [name for name in function.arg_names if name not in constexprs]
    types = {
        name: signature_type(arg.type, constexprs)
        for name, arg in zip(parameters, kernel.args, strict=True)
    }
    if isinstance(launch, tl.MatmulLaunchOp):
        constexprs |= {name: 1 for name in parameters if name.endswith("_col_stride")}
        described = isinstance(launch.described, DictionaryAttr)
        aligned = [name for name in parameters if name not in constexprs and not described]
    else:
        aligned = [name for name in parameters if types[name][0] == "*"]
    signature = {**types, **dict.fromkeys(constexprs, "constexpr")}
    source = triton.compiler.ASTSource(
        fn=function,
        signature=signature,
        constexprs=constexprs,
        attrs={(list(signature).index(name),): [["tt.divisibility", 16]] for name in aligned},
    )
    return dict(triton.compile(source, target=gpu_target(target), options=plan).asm)


def plan_of(launch: LAUNCHES) -> dict[str, int | bool]:
    """The block sizes and options of a launch, those for large inputs if there are several."""
    options = launch.plan.data if isinstance(launch, tl.LaunchOp) else None
    if isinstance(launch, tl.MatmulLaunchOp):
        options = {**launch.plans.data[0].data, **launch.options.data}
    plan: dict[str, int | bool] = {}
    for name, value in (options or {}).items():
        match value:
            case IntegerAttr(type=type) if type == i1:
                plan[name] = bool(value.value.data)
            case IntegerAttr():
                plan[name] = value.value.data
            case _:
                pass
    return plan


def gpu_target(target: str) -> Any:
    """Triton's object for `cuda:90` or `hip:gfx942`."""
    gpu: Any = import_module("triton.backends.compiler").GPUTarget
    backend, _, arch = target.partition(":")
    if backend == "cuda" and arch.isdigit():
        return gpu("cuda", int(arch), 32)
    if backend == "hip" and arch.startswith("gfx"):
        return gpu("hip", arch, 64 if arch.startswith("gfx9") else 32)
    raise refuse(None, "P903", f"'{target}' is no target", help="write cuda:90 or hip:gfx942")
