"""Printed Triton, loaded into this process and run on a GPU."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from hashlib import sha256
from types import TracebackType
from typing import Any

from patlang_ir.backends.triton import TritonText
from patlang_ir.diagnostics import Diagnostic, LaunchError
from patlang_ir.runtime.triton_errors import explained
from patlang_ir.runtime.triton_places import show_patlang_places


def load_triton(text: TritonText, name: str) -> Callable[..., None]:
    """The launcher of the kernel `name`, from a printed module.

    Calling it raises LaunchError if the arguments do not fit, and CompileError at the PatLang line
    if Triton refuses the kernel.
    """
    file, functions = load_functions(text)
    launcher = functions[text.names[name]]

    def launch(*args: Any) -> None:
        try:
            launcher(*args)
        except Exception as error:
            if isinstance(error, RuntimeError) and raised_in(file, error):
                raise LaunchError(Diagnostic("P403", f"kernel '{name}': {error}")) from None
            if isinstance(error, TypeError | ValueError) and raised_in(file, error):
                code = "P502" if isinstance(error, TypeError) else "P501"
                raise LaunchError(Diagnostic(code, f"kernel '{name}': {error}")) from None
            raise explained(error, text, lambda: launcher(*args)) from error

    return launch


def load_functions(text: TritonText) -> tuple[str, dict[str, Any]]:
    """The file name that a module goes by, and its functions; loaded once for each text."""
    digest = sha256(repr((text.text, sorted(text.line_map.items()))).encode()).hexdigest()[:16]
    file = f"<triton {digest}>"
    if file not in _LOADED:
        _LOADED[file] = _load(text, file, digest)
    return file, _LOADED[file]


_LOADED: dict[str, dict[str, Any]] = {}


def _load(text: TritonText, file: str, digest: str) -> dict[str, Any]:
    """Run the text of a module. Triton reads the source of its functions from `linecache`."""
    lines = _with_digest(text.text.splitlines(), digest)
    linecache.cache[file] = (len(text.text), None, lines, file)
    functions: dict[str, Any] = {"__name__": file}
    exec(compile("".join(lines), file, "exec"), functions)
    for function in functions.values():
        if hasattr(function, "raw_src"):
            show_patlang_places(function, text)
    return functions


def _with_digest(lines: list[str], digest: str) -> list[str]:
    """Mark each kernel: Triton keeps machine code by source text, and places are no part of it."""
    marked = [""]
    for line in lines:
        mark = f"  # {digest}" if marked[-1] == "@triton.jit\n" else ""
        marked.append(f"{line}{mark}\n")
    return marked[1:]


def raised_in(file: str, error: BaseException) -> bool:
    """Whether an error comes from the text of a file itself, not from what it calls."""
    trace: TracebackType | None = error.__traceback__
    last = None
    while trace is not None:
        last = trace.tb_frame.f_code.co_filename
        trace = trace.tb_next
    return last == file
