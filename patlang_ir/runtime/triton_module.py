"""Printed Triton, loaded into this process and run on a GPU."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from hashlib import sha256
from types import TracebackType
from typing import Any

from patlang_ir.backends.triton import TritonText
from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError
from patlang_ir.runtime.bound import BoundLaunches, record
from patlang_ir.runtime.triton_errors import explained
from patlang_ir.runtime.triton_places import show_patlang_places


class PrintedLauncher:
    """The launcher of a kernel, from a printed module.

    Calling it raises LaunchError if the arguments do not fit, and CompileError at the PatLang line
    if Triton refuses the kernel.
    """

    def __init__(self, text: TritonText, name: str):
        self.text, self.name = text, name
        self.file, self.functions = load_functions(text)

    @cached_property
    def function(self) -> Callable[..., None]:
        """The launcher, which has Triton search once for the code of calls of one kind."""
        from patlang_ir.runtime.direct_launches import dispatching

        return dispatching(self.functions)[self.text.names[self.name]]

    def __call__(self, *args: Any) -> None:
        try:
            self.function(*args)
        except Exception as error:
            raise self.failure(error, lambda: self.function(*args)) from error

    def bind(self, args: Sequence[Any]) -> BoundLaunches:
        """The launches of a call with these arguments, after its checks."""
        name = self.text.names[self.name]
        device = next(arg.get_device() for arg in args if hasattr(arg, "get_device"))
        try:
            return BoundLaunches(record(self.functions, name, args), device)
        except Exception as error:
            again = partial(record, self.functions, name, args)
            raise self.failure(error, again) from error

    def failure(self, error: Exception, again: Callable[[], object]) -> LaunchError | CompileError:
        """What went wrong: in the launcher, or in Triton, which `again` repeats."""
        code = next((code for type, code in REFUSALS.items() if isinstance(error, type)), None)
        if code is None or not raised_in(self.file, error):
            return explained(error, self.text, again)
        return LaunchError(Diagnostic(code, f"kernel '{self.name}': {error}"))


REFUSALS: dict[type[Exception], str] = {
    TypeError: "P502",
    OverflowError: "P502",
    ValueError: "P501",
    AssertionError: "P403",
}
"""What an error that a launcher raises by itself means."""


def load_triton(text: TritonText, name: str) -> PrintedLauncher:
    """The launcher of the kernel `name`, from a printed module."""
    return PrintedLauncher(text, name)


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
