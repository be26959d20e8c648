"""What a tool says when something goes wrong: any exception becomes diagnostics."""

from __future__ import annotations

import os

from xdsl.utils.exceptions import ArgSpecParseError, DiagnosticException, ParseError

from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, Place, RunError

USER_ERRORS = (
    *(CompileError, LaunchError, RunError),
    *(ParseError, ArgSpecParseError, DiagnosticException, OSError),
)


def diagnostics_of(error: BaseException, activity: str) -> tuple[Diagnostic, ...]:
    """The diagnostics of an exception. `activity` says what the tool was doing."""
    match error:
        case CompileError():
            return error.diagnostics
        case LaunchError() | RunError():
            return (error.diagnostic,)
        case ParseError():
            at = error.span.get_location()
            return (Diagnostic("P906", error.msg, Place(at.file, at.line, at.col)),)
        case ArgSpecParseError():
            return (Diagnostic("P905", str(error).strip().splitlines()[-1].strip()),)
        case DiagnosticException():
            return (Diagnostic("P908", f"{activity}: {error}"),)
        case OSError(filename=None):
            return (Diagnostic("P101", f"the output cannot be written: {error.strerror}"),)
        case OSError():
            return (Diagnostic("P101", f"{error.strerror}: '{error.filename}'"),)
        case RecursionError():
            return (Diagnostic("P120", f"{activity}: the nesting is too deep"),)
        case _:
            return (_internal(error, activity),)


def _internal(error: BaseException, activity: str) -> Diagnostic:
    return Diagnostic(
        "P999",
        f"{activity}: {type(error).__name__}: {error}",
        help="this is a defect of the compiler; PATLANG_DEBUG=1 shows where it happened",
    )


def reraise_if_debugging(error: BaseException) -> None:
    """With PATLANG_DEBUG=1 a defect of the compiler ends in its traceback."""
    if os.environ.get("PATLANG_DEBUG") == "1" and not isinstance(error, USER_ERRORS):
        raise error
