"""Everything a user is told: codes, places, messages, and how they are shown."""

from patlang_ir.diagnostics.codes import CODES
from patlang_ir.diagnostics.diagnostic import (
    CompileError,
    Diagnostic,
    LaunchError,
    Place,
    Report,
    RunError,
    counted,
    place_of,
    refuse,
)

__all__ = [
    "CODES",
    "CompileError",
    "Diagnostic",
    "LaunchError",
    "Place",
    "Report",
    "RunError",
    "counted",
    "place_of",
    "refuse",
]
