"""Reading `.patlang` files in any tool that knows xDSL's frontends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.frontend import Frontend


@dataclass(frozen=True)
class PatLangFrontend(Frontend):
    """Reads a PatLang program into the `pat` dialect."""

    name = "patlang"

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        from patlang_ir.diagnostics import CompileError, Diagnostic
        from patlang_ir.frontend import parse
        from patlang_ir.frontend.includes import decode

        text = decode(input.read(), input_name)
        if isinstance(text, Diagnostic):
            raise CompileError([text])
        return parse(text, input_name).module
