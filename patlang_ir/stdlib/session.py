"""What the inputs of a session use to share variables; no program can name these functions."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import ANY, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value
from patlang_ir.stdlib.json_library import json_quote
from patlang_ir.stdlib.registry import host
from patlang_ir.stdlib.system import print_line


@host("session.value", 1, pure=False, gives=ANY, stateful=True)
def session_value(machine: Machine, name: Value) -> Value:
    """The value of a variable that an earlier input left."""
    return machine.kept.get(name)


@host("session.keep", 2, pure=False, retains=(1,), gives=UNIT, stateful=True)
def session_keep(machine: Machine, name: Value, item: Value) -> None:
    """Leave the value of a variable to later inputs."""
    machine.kept[name] = item


@host("session.show", 1, pure=False, gives=UNIT, stateful=True)
def session_show(machine: Machine, x: Value) -> None:
    """Print the value of an input, a string with its quotes, and unit not at all."""
    if x is not None:
        print_line(machine, json_quote(x) if type(x) is str else x)
