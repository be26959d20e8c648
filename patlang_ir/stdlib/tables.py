"""Host functions on things that change: string buffers and vectors, known by integer handles."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import ANY, NAT, TEXT, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value, text, whole_index
from patlang_ir.stdlib.arguments import position_in
from patlang_ir.stdlib.registry import host


@host("sb_new", 0, pure=False, gives=NAT, stateful=True)
def sb_new(machine: Machine) -> int:
    """A new string buffer."""
    return machine.buffers.new()


@host("sb_push", 2, pure=False, gives=UNIT, stateful=True)
def sb_push(machine: Machine, handle: Value, x: Value) -> None:
    """Append the text form of `x` to a string buffer."""
    machine.buffers[handle].append(text(x))


@host("sb_str", 1, pure=False, gives=TEXT, stateful=True)
def sb_str(machine: Machine, handle: Value) -> str:
    """The text in a string buffer."""
    parts = machine.buffers[handle]
    parts[:] = ["".join(parts)]
    return parts[0]


@host("vec_new", 0, 1, pure=False, gives=NAT, stateful=True)
def vec_new(machine: Machine, capacity: Value = 0) -> int:
    """A new empty vector; all copies of its handle share it."""
    return machine.vectors.new()


@host("vec_push", 2, pure=False, retains=(1,), gives=UNIT, stateful=True)
def vec_push(machine: Machine, handle: Value, item: Value) -> None:
    """Append `item` to a vector."""
    machine.vectors[handle].append(item)


@host("vec_get", 2, pure=False, gives=ANY, stateful=True)
def vec_get(machine: Machine, handle: Value, at: Value) -> Value:
    """The element of a vector at position `at`; unit outside."""
    items = machine.vectors[handle]
    position = whole_index(at)
    return items[position] if 0 <= position < len(items) else None


@host("vec_set", 3, pure=False, retains=(2,), gives=UNIT, stateful=True)
def vec_set(machine: Machine, handle: Value, at: Value, item: Value) -> None:
    """Replace the element of a vector at position `at`, which must be inside."""
    items = machine.vectors[handle]
    items[position_in("vec_set", at, len(items))] = item


@host("vec_len", 1, pure=False, gives=NAT, stateful=True)
def vec_len(machine: Machine, handle: Value) -> int:
    """The number of elements of a vector."""
    return len(machine.vectors[handle])


@host("vec_to_list", 1, pure=False, fresh=True, stateful=True)
def vec_to_list(machine: Machine, handle: Value) -> list[Value]:
    """The elements of a vector as a list."""
    return machine.vectors[handle].copy()
