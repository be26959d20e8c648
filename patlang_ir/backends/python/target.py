"""Printing Python as a target of the tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from patlang_ir.backends.python.program import print_python


@dataclass(frozen=True)
class PythonTarget(Target):
    """The host part of a program whose names are resolved, as Python."""

    name = "python"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_python(module).text)
