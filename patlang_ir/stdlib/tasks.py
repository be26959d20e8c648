"""Host functions that call functions of the program: by name, in turns, or side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import ANY, BOOL, NAT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value
from patlang_ir.stdlib.arguments import list_or_unit
from patlang_ir.stdlib.registry import host

if TYPE_CHECKING:
    from patlang_ir.runtime.fibers import Fiber


@host("apply", 1, None, pure=False, retains=tuple(range(64)), stateful=True)
def apply(machine: Machine, name: Value, *arguments: Value) -> Value:
    """Call the function of the program with this name."""
    return machine.function(name, len(arguments))(*arguments)


def _fiber(machine: Machine, name: str, handle: Value) -> Fiber:
    fiber = machine.fibers.find(handle)
    if fiber is None:
        raise Fault("P603", f"{name}: there is no fibre {shown(handle)}")
    return fiber


@host("fiber_new", 1, pure=False, gives=NAT, stateful=True)
def fiber_new(machine: Machine, name: Value) -> int:
    """A new fibre, which will run the function of the program with this name."""
    return machine.fibers.new(machine.function(name, 1, "fiber_new"))


@host("fiber_resume", 1, 2, pure=False, retains=(1,), gives=ANY, stateful=True)
def fiber_resume(machine: Machine, handle: Value, x: Value = None) -> Value:
    """Run a fibre up to its next `fiber_yield`, and give the value it yields; at its end the result
    of its function. The first `x` is the argument of the function, a later one the result of the
    `fiber_yield`. A fibre that has ended cannot be resumed."""
    fiber = _fiber(machine, "fiber_resume", handle)
    if not fiber.alive:
        help = "ask fiber_alive first"
        raise Fault("P603", f"fiber_resume: fibre {handle} has come to its end", help)
    return machine.fibers.resume(fiber, x)


@host("fiber_yield", 0, 1, pure=False, retains=(0,), gives=ANY, stateful=True)
def fiber_yield(machine: Machine, x: Value = None) -> Value:
    """Stop the fibre that runs here; its `fiber_resume` gives `x`. The result is the value of the
    next `fiber_resume`."""
    return machine.fibers.pause(x)


@host("fiber_alive", 1, pure=False, gives=BOOL, stateful=True)
def fiber_alive(machine: Machine, handle: Value) -> bool:
    """Whether a fibre has not come to its end."""
    return _fiber(machine, "fiber_alive", handle).alive


@host("parallel_map", 2, pure=False, retains=(0,), fresh=True, stateful=True)
def parallel_map(machine: Machine, xs: Value, name: Value) -> list[Value]:
    """The results of a function of the program for each element of a list, in order. The calls run
    on threads side by side, up to 1000 at a time, each with records, buffers and vectors of its
    own."""
    items = list_or_unit("parallel_map", 1, xs)
    machine.function(name, 1, "parallel_map")

    def work(item: Value) -> Value:
        own = machine.fresh()
        try:
            return own.function(name, 1, "parallel_map")(item)
        finally:
            own.fibers.close()

    from patlang_ir.runtime.side_by_side import side_by_side

    return side_by_side(work, items)
