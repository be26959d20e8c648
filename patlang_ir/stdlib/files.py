"""Host functions on files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from patlang_ir.runtime.host_kinds import BOOL, NAT, NUMERAL, TEXT, list_of
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


@host("read_file_bytes", 1, pure=False, fresh=True, gives=list_of(NAT))
def read_file_bytes(path: Value) -> list[Value]:
    """The bytes of a file, as a list of integers."""
    return list(_bytes_of("read_file_bytes", path))


@host("read_file_b64", 1, pure=False, gives=TEXT)
def read_file_b64(path: Value) -> str:
    """The bytes of a file in base 64."""
    from base64 import b64encode

    return b64encode(_bytes_of("read_file_b64", path)).decode()


def _bytes_of(name: str, path: Value) -> bytes:
    where = string(name, 1, path)
    try:
        return Path(where).read_bytes()
    except (OSError, ValueError) as error:
        raise _failed(name, where, error) from None


@host("list_dir", 1, pure=False, fresh=True, gives=list_of(TEXT))
def list_dir(path: Value) -> list[Value]:
    """The names in a folder, sorted."""
    where = string("list_dir", 1, path)
    try:
        return sorted(entry.name for entry in Path(where).iterdir())
    except (OSError, ValueError) as error:
        raise _failed("list_dir", where, error) from None


@host("remove_file", 1, pure=False, gives=BOOL)
def remove_file(path: Value) -> bool:
    """Remove a file, which must exist; gives true."""
    where = string("remove_file", 1, path)
    try:
        Path(where).unlink()
    except (OSError, ValueError) as error:
        raise _failed("remove_file", where, error) from None
    return True


def _from_to(name: str, doc: str, act: Callable[[str, str], object]) -> None:
    """A function that takes the path of a file to another path, and makes the folder of that."""

    def run(source: Value, target: Value) -> bool:
        old, new = string(name, 1, source), string(name, 2, target)
        try:
            Path(new).parent.mkdir(parents=True, exist_ok=True)
            act(old, new)
        except (OSError, ValueError) as error:
            raise _failed(name, f"{old} to {new}", error) from None
        return True

    run.__doc__ = doc
    host(name, 2, pure=False, gives=BOOL)(run)


def _copy(old: str, new: str) -> None:
    from shutil import copyfile

    copyfile(old, new)


_from_to("rename_file", "Move a file to another path; gives true.", os.replace)
_from_to("copy_file", "Copy a file to another path; gives true.", _copy)
