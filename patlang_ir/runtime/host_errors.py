"""What to tell about an error of a running program: where, which calls, and which values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from types import TracebackType

from patlang_ir.backends.python import PythonText
from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, Place, RunError
from patlang_ir.runtime.texts import describe, shown
from patlang_ir.runtime.values import Fault

DEEPEST = 110_000
"""How many calls may be open at once."""
MOST_VALUES = 6
"""How many variables an error shows."""

NAMES = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*')
"""The names in a text, and its strings."""
GIVEN_UP = re.compile(r"\b(\w+), \1 := None")
"""A variable that no longer shows what was passed on."""


def program_error(error: Exception, programs: Mapping[str, PythonText]) -> RunError | CompileError:
    """The error of a program whose Python raised `error`. What is no error of the program is raised
    again."""
    stack: list[tuple[str, Place]] = []
    innermost: TracebackType | None = None
    for trace, text in _frames(error.__traceback__, programs):
        place = _place(trace, text)
        if place is not None:
            stack.append((text.titles.get(trace.tb_frame.f_code.co_name, "the program"), place))
            innermost = trace
    if isinstance(error, CompileError):  # A kernel cannot be compiled for these arguments.
        calls = tuple(place for _, place in reversed(stack))
        found = error.diagnostics
        return CompileError(replace(it, called_from=(*it.called_from, *calls)) for it in found)
    diagnostic = _diagnostic(error, stack[-1][1] if stack else None)
    if isinstance(error, RunError):  # It happened inside a kernel.
        stack += error.stack
    if innermost is None or isinstance(error, RecursionError | MemoryError):
        return RunError(diagnostic, tuple(stack))
    values = _values(error, innermost, programs)
    return RunError(diagnostic, tuple(stack), values)


def _frames(
    trace: TracebackType | None, programs: Mapping[str, PythonText]
) -> Iterator[tuple[TracebackType, PythonText]]:
    """The open functions of the program, the outermost first."""
    while trace is not None:
        text = programs.get(trace.tb_frame.f_code.co_filename)
        if text is not None:
            yield trace, text
        trace = trace.tb_next


def _columns(trace: TracebackType) -> tuple[int | None, int | None, int | None]:
    """The line that runs, and the columns of the expression."""
    positions = trace.tb_frame.f_code.co_positions()
    line, _, start, end = next(islice(positions, trace.tb_lasti // 2, None))
    return line, start, end


def _place(trace: TracebackType, text: PythonText) -> Place | None:
    line, start, end = _columns(trace)
    if line is None or start is None or end is None:
        return text.line_map.get(trace.tb_lineno)
    return text.place_at(line, start, end)


def _values(
    error: Exception, trace: TracebackType, programs: Mapping[str, PythonText]
) -> tuple[tuple[str, str], ...]:
    """The variables that the expression mentions, and what they hold."""
    code = trace.tb_frame.f_code
    text = programs[code.co_filename]
    line, start, end = _columns(trace)
    python_names = text.variables.get(code.co_name, {})
    if isinstance(error, Fault) and error.code == "P605":
        of_program = {name: python for python, name in python_names.items()}
        mentioned = [of_program.get(name, "") for name in NAMES.findall(error.message)]
    else:
        expression = GIVEN_UP.sub("", text.text.splitlines()[(line or 1) - 1][start:end])
        mentioned = NAMES.findall(expression)
    held = trace.tb_frame.f_locals
    found = [name for name in dict.fromkeys(mentioned) if name in python_names and name in held]
    return tuple((python_names[name], shown(held[name])) for name in found[:MOST_VALUES])


def _diagnostic(error: Exception, place: Place | None) -> Diagnostic:
    match error:
        case Fault():
            return Diagnostic(error.code, error.message, place, error.help)
        case LaunchError():
            found = error.diagnostic
            return Diagnostic(found.code, found.message, place or found.place, found.help)
        case RunError():
            return replace(error.diagnostic, place=error.diagnostic.place or place)
        case ZeroDivisionError():
            help = "test the divisor first"
            return Diagnostic("P602", "division by an integer zero", place, help)
        case OverflowError():
            return Diagnostic("P601", "the integer is too large to become a float", place)
        case IndexError():
            return Diagnostic("P603", "list_set: the index is outside the list", place)
        case AttributeError(name="append"):
            message = f"list_push: argument 1 must be a list, not {describe(error.obj)}"
            return Diagnostic("P603", message, place)
        case RecursionError():
            help = "does the recursion come to an end? A loop needs no open calls"
            return Diagnostic("P606", f"more than {DEEPEST} calls are open", place, help)
        case MemoryError():
            return Diagnostic("P603", "there is not enough memory", place)
        case _:
            raise error
