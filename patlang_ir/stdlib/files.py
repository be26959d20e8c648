"""Host functions on files."""

from __future__ import annotations

from pathlib import Path

from patlang_ir.runtime.host_kinds import BOOL, NUMERAL, TEXT
from patlang_ir.runtime.values import Fault, Value, text
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.registry import host


def _failed(name: str, path: str, error: Exception) -> Fault:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Fault("P603", f"{name}: {path}: {reason}")


@host("write_file", 2, pure=False, gives=BOOL)
def write_file(path: Value, x: Value) -> bool:
    """Write the text form of `x` to a file, making its folder; gives true."""
    name = string("write_file", 1, path)
    try:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(text(x).encode())
    except (OSError, ValueError) as error:
        raise _failed("write_file", name, error) from None
    return True


@host("read_file", 1, pure=False, gives=TEXT)
def read_file(path: Value) -> str:
    """The text of a file."""
    name = string("read_file", 1, path)
    try:
        return Path(name).read_bytes().decode()
    except (OSError, ValueError) as error:
        raise _failed("read_file", name, error) from None


@host("file_exists", 1, pure=False, gives=NUMERAL)
def file_exists(path: Value) -> str:
    """`"1"` or `"0"`. Both are true as conditions: compare with `== "1"`."""
    try:
        return "1" if Path(string("file_exists", 1, path)).exists() else "0"
    except (OSError, ValueError):
        return "0"
