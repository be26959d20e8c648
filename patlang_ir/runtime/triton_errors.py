"""Triton's errors as diagnostics at the PatLang line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from patlang_ir.backends.triton import TritonText
from patlang_ir.diagnostics import CompileError, Place, refuse
from patlang_ir.runtime.captured_output import captured_errors

MLIR_FAILURES = ("error encountered during parsing", "PassManager::run failed")
"""Messages that say nothing: Triton writes the reason to the standard error output."""


def explained(error: BaseException, text: TritonText, again: Callable[[], object]) -> CompileError:
    """A P504 for an error of Triton's. `again` repeats the compilation, to hear the reason."""
    message = innermost_message(error)
    if any(failure in message for failure in MLIR_FAILURES):
        message = heard(again) or message
    return refuse(place_of_error(error, text), "P504", f"Triton says: {first_lines(message)}")


def innermost_message(error: BaseException) -> str:
    """What the innermost of Triton's errors says; it wraps each in one for the calling line."""
    message = str(error)
    cause: BaseException | None = error
    while cause is not None:
        message = getattr(cause, "error_message", None) or message
        cause = cause.__cause__
    return message


def place_of_error(error: BaseException | None, text: TritonText) -> Place | None:
    """The PatLang place of the innermost error that has one, else that of the kernel."""
    kernel = next(iter(text.line_map.values()), None)
    place = kernel
    while error is not None:
        node: Any = getattr(error, "node", None)
        if kernel is not None and hasattr(node, "lineno"):
            place = Place(kernel.file, node.lineno, node.col_offset + 1)
        error = error.__cause__
    return place


def heard(again: Callable[[], object]) -> str:
    """What Triton writes to the standard error output when it fails once more."""
    with captured_errors() as collected, suppress(Exception):
        again()
    return collected[0].strip()


def first_lines(message: str, limit: int = 4) -> str:
    lines = [line.rstrip() for line in message.strip().splitlines() if line.strip()]
    return "\n".join(lines[:limit])
