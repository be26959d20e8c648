"""Diagnostics as values, and the exceptions that carry them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects.builtin import ArrayAttr, CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException

from patlang_ir.diagnostics.codes import CODES

Severity = Literal["error", "warning"]


@dataclass(frozen=True, order=True)
class Place:
    """A position in a source text; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


def place_of(location: Attribute) -> Place | None:
    """The innermost source position of an operation's location, if it has one."""
    match location:
        case FileLineColLoc():
            return Place(location.filename.data, location.line.data, location.column.data)
        case CallSiteLoc():
            return place_of(location.callee)
        case NameLoc():
            return place_of(location.location)
        case FusedLoc(locations=ArrayAttr() as parts):
            places = (place_of(part) for part in parts)
            return next((place for place in places if place is not None), None)
        case _:
            return None


def calls_of(location: Attribute) -> tuple[Place, ...]:
    """The places of the calls that led to an operation's location, innermost first."""
    if not isinstance(location, CallSiteLoc):
        return ()
    caller = place_of(location.caller)
    here = (caller,) if caller is not None else ()
    return (*calls_of(location.callee), *here, *calls_of(location.caller))


@dataclass(frozen=True)
class Diagnostic:
    """One message: what was found, where, and what to write instead.

    `called_from` are the calls that led to the place of an inlined function, innermost first. The
    same message for another call is the same diagnostic.
    """

    code: str
    message: str
    place: Place | None = None
    help: str = ""
    severity: Severity = "error"
    called_from: tuple[Place, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        assert self.code in CODES, self.code

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        text = f"{where}{self.severity}[{self.code}]: {self.message}"
        calls = "".join(f"\n  called at {place}" for place in self.called_from)
        return f"{text}{calls}\n  help: {self.help}" if self.help else f"{text}{calls}"


class CompileError(DiagnosticException):
    """A program was refused. `diagnostics` holds every reason that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]):
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(map(str, self.diagnostics)))


class LaunchError(Exception):
    """A kernel cannot run on these arguments; nothing was written."""

    def __init__(self, diagnostic: Diagnostic):
        self.diagnostic = diagnostic
        super().__init__(str(diagnostic))


class RunError(Exception):
    """A PatLang program stopped. `stack` lists the calls, innermost last; `values` are variables at
    the place of the error, and what they held."""

    def __init__(
        self,
        diagnostic: Diagnostic,
        stack: tuple[tuple[str, Place], ...] = (),
        values: tuple[tuple[str, str], ...] = (),
    ):
        self.diagnostic = diagnostic
        self.stack = stack
        self.values = values
        super().__init__(str(diagnostic))


class Report:
    """Collects the errors of one pass, so that a user sees all of them at once.

    >>> with Report() as report:
    ...     report.error(op, "P201", "'x' is not bound")

    Leaving the block raises one `CompileError` with everything collected.
    """

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []

    def error(
        self, at: Operation | Attribute | Place | None, code: str, message: str, help: str = ""
    ) -> None:
        """Add an error at an operation, a location or a place."""
        location = at.location if isinstance(at, Operation) else at
        if isinstance(location, Attribute):
            place, calls = place_of(location), calls_of(location)
        else:
            place, calls = location, ()
        diagnostic = Diagnostic(code, message, place, help, called_from=calls)
        if diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def __enter__(self) -> Report:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: object) -> None:
        if isinstance(value, CompileError):
            self.diagnostics.extend(value.diagnostics)
        if kind is not None and not issubclass(kind, CompileError):
            return
        if self.diagnostics:
            raise CompileError(self.diagnostics) from None


def refuse(
    at: Operation | Attribute | Place | None, code: str, message: str, help: str = ""
) -> CompileError:
    """A `CompileError` with one diagnostic, for a place where no other can follow."""
    report = Report()
    report.error(at, code, message, help)
    return CompileError(report.diagnostics)


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 element, 2 elements."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
