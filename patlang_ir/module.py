"""A compiled PatLang program as a Python module: its kernels, and its host code."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from patlang_ir.frontend import Program, parse, parse_file
from patlang_ir.frontend.includes import PathMap
from patlang_ir.runtime.compiler import kernel_function, kernels_of
from patlang_ir.runtime.kernel import Kernel


class Module:
    """The kernels of a PatLang program by name, and the program itself.

    >>> module = load("kernels.patlang")
    >>> module["softmax"](x, out)
    """

    def __init__(self, program: Program, path_map: PathMap = ()):
        self.program, self.path_map = program, path_map
        kernels = {name: Kernel(program.module, name) for name in kernels_of(program.module)}
        self.kernels: Mapping[str, Kernel] = MappingProxyType(kernels)

    def __getitem__(self, name: str) -> Kernel:
        kernel_function(self.program.module, name)
        return self.kernels[name]

    def __repr__(self) -> str:
        return f"<PatLang module with kernels {', '.join(self.kernels) or 'none'}>"

    def run(
        self,
        args: Sequence[str] = (),
        *,
        device: str = "auto",
        math: str = "",
        checked: bool = False,
        path_map: PathMap | None = None,
    ) -> Any:
        """Run the host program; the value of a `return` at its top level. `path_map` says where the
        program finds its own files, the one that it was loaded with if there is none."""
        from patlang_ir.runtime.compiler import apply_pipeline
        from patlang_ir.runtime.host import LateLauncher, run_program
        from patlang_ir.runtime.launcher import make_launcher

        module = self.program.module
        launcher = LateLauncher(
            lambda: make_launcher(module, device=device, math=math, checked=checked)
        )
        resolved = apply_pipeline(module, "patlang-host")
        found = self.path_map if path_map is None else path_map
        return run_program(resolved, list(args), launcher=launcher, path_map=found)


def load(path: str | os.PathLike[str], *, path_map: PathMap = ()) -> Module:
    """The module of a PatLang file. A pair (old, new) of `path_map` says that an included path that
    begins with `old` is looked for with `new` in its place. Raises CompileError with every error
    found."""
    return Module(parse_file(path, path_map=path_map), path_map)


def loads(text: str, name: str = "<text>", *, path_map: PathMap = ()) -> Module:
    """The module of a PatLang text; places name it `name`, and it includes files beside that."""
    return Module(parse(text, name, path_map=path_map), path_map)
