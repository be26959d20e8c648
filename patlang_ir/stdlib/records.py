"""Named records in one global store: how functions of a program share state."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import ANY, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.registry import host

SHARED = "__vars"
"""The record that `set_var` with two arguments writes to."""


@host("set_var", 2, 3, pure=False, retains=(1, 2), gives=UNIT, stateful=True)
def set_var(machine: Machine, *arguments: Value) -> None:
    """`set_var(key, value)` writes to the shared record, `set_var(record, key, value)` to a named
    one."""
    record, key, item = arguments if len(arguments) == 3 else (SHARED, *arguments)
    place = machine.records.setdefault(string("set_var", 1, record), {})
    place[string("set_var", len(arguments) - 1, key)] = item


@host("get", 2, pure=False, gives=ANY, stateful=True)
def get(machine: Machine, record: Value, key: Value) -> Value:
    """A property of a record; unit if there is none. The shared record is `"__vars"`."""
    return machine.records.get(string("get", 1, record), {}).get(string("get", 2, key))
