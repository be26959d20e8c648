"""Named records in one global store: how functions of a program share state."""

from __future__ import annotations

from itertools import zip_longest

from patlang_ir.runtime.host_kinds import ANY, TEXT, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value
from patlang_ir.stdlib.arguments import list_or_unit, position_in, string
from patlang_ir.stdlib.lists import list_push, list_set
from patlang_ir.stdlib.registry import host

SHARED = "__vars"
"""The record that `set_var` with two arguments writes to."""


@host("set_var", 2, 3, pure=False, retains=(1, 2), gives=UNIT, stateful=True)
def set_var(machine: Machine, *arguments: Value) -> None:
    """`set_var(key, value)` writes to the shared record, `set_var(record, key, value)` to a named
    one."""
    record, key, item = arguments if len(arguments) == 3 else (SHARED, *arguments)
    name = string("set_var", 1, record)
    machine.records.set(name, string("set_var", len(arguments) - 1, key), item)


@host("get", 2, pure=False, gives=ANY, stateful=True)
def get(machine: Machine, record: Value, key: Value) -> Value:
    """A property of a record; unit if there is none. The shared record is `"__vars"`."""
    return machine.records.get(string("get", 1, record), string("get", 2, key))


@host("new", 2, 6, pure=False, gives=TEXT, stateful=True)
def new(machine: Machine, class_name: Value, name: Value, *options: Value) -> str:
    """A new record of a class, known by its name. `"inherits", P` and `"traits", [A, B]` may follow
    for this record alone."""
    parent: str | None = None
    traits: list[str] = []
    for position, (option, given) in enumerate(zip_longest(options[::2], options[1::2])):
        at = 3 + 2 * position
        match string("new", at, option):
            case "inherits":
                parent = string("new", at + 1, given)
            case "traits":
                traits = [string("new", at + 1, it) for it in list_or_unit("new", at + 1, given)]
            case _:
                help = 'write "inherits" or "traits"'
                raise Fault("P603", f"new: there is no option '{option}'", help)
    return machine.records.new(
        string("new", 1, class_name), string("new", 2, name), parent, tuple(traits)
    )


@host("send", 2, None, pure=False, retains=tuple(range(64)), stateful=True)
def send(machine: Machine, record: Value, method: Value, *arguments: Value) -> Value:
    """Call a method of a record: `send(x, "m", a)` is `x.m(a)`. A method that no class has gives
    unit; `send(x, "set", key, value)` sets a property."""
    return machine.records.method(record, method)(record, *arguments)


@host("emit", 1, 2, pure=False, retains=(1,), stateful=True)
def emit(machine: Machine, event: Value, data: Value = None) -> Value:
    """Run the handlers of an event, in the order in which `when` was reached. The result is that of
    the last one."""
    return machine.records.emit(event, data)


@host("record.push", 3, pure=False, retains=(2,), gives=UNIT, stateful=True)
def record_push(machine: Machine, record: Value, key: Value, item: Value) -> None:
    """`set_var(record, key, list_push(get(record, key), item))`"""
    items = machine.records.held_list(record, key)
    if items is not None:
        items.append(item)
        return
    name = string("get", 2, key)
    machine.records.set_member(record, name, list_push(machine.records.member(record, name), item))


@host("record.set_item", 4, pure=False, retains=(3,), gives=UNIT, stateful=True)
def record_set_item(machine: Machine, record: Value, key: Value, at: Value, item: Value) -> None:
    """`set_var(record, key, list_set(get(record, key), at, item))`"""
    items = machine.records.held_list(record, key)
    if items is not None:
        items[position_in("list_set", at, len(items))] = item
        return
    name = string("get", 2, key)
    changed = list_set(machine.records.member(record, name), at, item)
    machine.records.set_member(record, name, changed)
