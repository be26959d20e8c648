"""`--verify-diagnostics`: the errors that a text says it causes, against those that came.

    pat.let "x", %y   // expected-error {{used but not defined}}
    # expected-error@+1 {{P201: 'y' is not bound}}
    let x = y

Between the braces stands a part of the code and message. `@+1`, `@-1` name another line, `@unknown`
an error without a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from patlang_ir.diagnostics import Diagnostic, Place

_COMMENT = re.compile(
    r"(?://|\#).*?expected-(?P<severity>error|warning)"
    r"\s*(?:@(?P<where>[+-]\d+|unknown))?\s*\{\{(?P<text>.*?)\}\}"
)


@dataclass(frozen=True)
class Expectation:
    """One comment: what is expected, at which line (none: without a place)."""

    severity: str
    text: str
    line: int | None
    comment: Place

    def fits(self, found: Diagnostic) -> bool:
        """Whether `found` is what the comment speaks of."""
        if found.severity != self.severity or self.text not in f"{found.code}: {found.message}":
            return False
        if self.line is None or found.place is None:
            return self.line is None and found.place is None
        return (found.place.file, found.place.line) == (self.comment.file, self.line)


def expectations(text: str, file: str) -> tuple[Expectation, ...]:
    """The expectations of a text, in their order."""
    return tuple(
        _expectation(found, Place(file, number, found.start() + 1))
        for number, line in enumerate(text.splitlines(), start=1)
        for found in _COMMENT.finditer(line)
    )


def _expectation(found: re.Match[str], comment: Place) -> Expectation:
    where = found["where"]
    line = None if where == "unknown" else comment.line + int(where or 0)
    return Expectation(found["severity"], found["text"], line, comment)


def differences(
    expected: Iterable[Expectation], found: Iterable[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """What came and was not expected, then what was expected and did not come."""
    missing = list(expected)
    surplus: list[Diagnostic] = []
    for diagnostic in found:
        match = next((item for item in missing if item.fits(diagnostic)), None)
        if match is None:
            surplus.append(diagnostic)
        else:
            missing.remove(match)
    return (*surplus, *map(_did_not_come, missing))


def _did_not_come(expectation: Expectation) -> Diagnostic:
    line = expectation.line
    where = "without a place" if line is None else f"at line {line}"
    return Diagnostic(
        "P904",
        f"the {expectation.severity} '{expectation.text}' did not come {where}",
        expectation.comment,
    )
