"""The `triton` target of the tools."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from patlang_ir.backends.triton.printer import print_triton


@dataclass(frozen=True)
class TritonTarget(Target):
    """The text of a stand-alone Triton module, from the `tl` dialect."""

    name = "triton"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_triton(module).text)
