"""Host functions on files that exist in memory only, as long as the program runs."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import BOOL, NUMERAL, TEXT, list_of
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value, text
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.registry import host


@host("vfs_write", 2, pure=False, gives=BOOL, stateful=True)
def vfs_write(machine: Machine, path: Value, x: Value) -> bool:
    """Write the text form of `x` to a file in memory; gives true."""
    machine.files[string("vfs_write", 1, path)] = [text(x)]
    return True


@host("vfs_append", 2, pure=False, gives=BOOL, stateful=True)
def vfs_append(machine: Machine, path: Value, x: Value) -> bool:
    """Append the text form of `x` to a file in memory, which is made if need be; gives true."""
    machine.files.setdefault(string("vfs_append", 1, path), []).append(text(x))
    return True


@host("vfs_read", 1, pure=False, gives=TEXT, stateful=True)
def vfs_read(machine: Machine, path: Value) -> str:
    """The text of a file in memory, which must exist."""
    name = string("vfs_read", 1, path)
    if name not in machine.files:
        raise Fault("P603", f"vfs_read: there is no file '{name}' in memory")
    parts = machine.files[name]
    parts[:] = ["".join(parts)]
    return parts[0]


@host("vfs_exists", 1, pure=False, gives=NUMERAL, stateful=True)
def vfs_exists(machine: Machine, path: Value) -> str:
    """`"1"` or `"0"`. Both are true as conditions: compare with `== "1"`."""
    return "1" if string("vfs_exists", 1, path) in machine.files else "0"


@host("vfs_delete", 1, pure=False, gives=BOOL, stateful=True)
def vfs_delete(machine: Machine, path: Value) -> bool:
    """Remove a file in memory; whether there was one."""
    return machine.files.pop(string("vfs_delete", 1, path), None) is not None


@host("vfs_list", 1, pure=False, fresh=True, gives=list_of(TEXT), stateful=True)
def vfs_list(machine: Machine, prefix: Value) -> list[Value]:
    """The names of the files in memory that start with `prefix`, sorted."""
    start = string("vfs_list", 1, prefix)
    return sorted(name for name in machine.files if name.startswith(start))
