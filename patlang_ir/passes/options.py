"""Options that several passes have, and what is said where one is wrong."""

from __future__ import annotations

from collections.abc import Collection

from patlang_ir.diagnostics import refuse
from patlang_ir.targets import TARGETS, TRITON_VERSIONS

TARGET_HELP = f"one of {', '.join(TARGETS)}"
TRITON_HELP = f"the oldest Triton to run on: {', '.join(TRITON_VERSIONS)}"


def expect_target(name: str) -> None:
    """Raise CompileError P903 unless a target is known."""
    if name not in TARGETS:
        raise refuse(
            None, "P903", f"'{name}' is not a target", f"the targets are {', '.join(TARGETS)}"
        )


def expect_one_of(value: str, choices: Collection[str], what: str) -> None:
    """Raise CompileError P905 unless a value is one of an option's."""
    if value not in choices:
        raise refuse(None, "P905", f"'{value}' is no {what}", f"they are {', '.join(choices)}")


def expect_triton(version: str | float) -> str:
    """A version of Triton as text. Raises CompileError P905 unless it is supported."""
    expect_one_of(str(version), TRITON_VERSIONS, "version of Triton that is supported")
    return str(version)
