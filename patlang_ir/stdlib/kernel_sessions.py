"""The library `triton_session`: kernels and tensors that stay where they run, by their names."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import BOOL
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value, describe, is_list, text
from patlang_ir.stdlib.kernel_calls import ANY_LIST, LINEAR, attempt, kernel_of, refused
from patlang_ir.stdlib.registry import host

if TYPE_CHECKING:
    from patlang_ir.runtime.kernel_session import KernelSession


def _session(machine: Machine, session: Value) -> KernelSession:
    """The session that a value `[pid, port, ready_file]` stands for."""
    if is_list(session) and len(session) == 3 and type(session[1]) is int:
        found = machine.sessions.get(session[1])
        if found is not None:
            return found
    raise refused("this session has not been started, or it has been stopped")


def _status(action: Callable[[], object]) -> list[Value]:
    """Only the status of an action."""

    def act() -> list[Value]:
        action()
        return []

    return attempt(act)[-1]


@host("triton_session_start", 1, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_session_start(machine: Machine, timeout_ms: Value) -> list[Value]:
    """A session, which keeps kernels and tensors; gives `[session, status]`. It is part of this
    process, so there is nothing to wait for."""

    def start() -> list[Value]:
        from patlang_ir.runtime.kernel_session import KernelSession

        number = len(machine.sessions) + 1
        machine.sessions[number] = KernelSession(machine.kernels.runner)
        return [[os.getpid(), number, ""]]

    return attempt(start, "")


@host("triton_session_define", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_session_define(
    machine: Machine, session: Value, source: Value, name: Value
) -> list[Value]:
    """Define a 1-D kernel in a session by its source; gives the status."""
    return _status(
        lambda: _session(machine, session).define(kernel_of(machine, source, name, LINEAR))
    )


@host("triton_session_store", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_session_store(
    machine: Machine, session: Value, tensor: Value, values: Value
) -> list[Value]:
    """Store a list of numbers in a session under a name; gives the status."""

    def store() -> None:
        name = _name("tensor", tensor)
        if not is_list(values):
            raise refused(f"the tensor '{name}' must be a list, not {describe(values)}")
        _session(machine, session).store(name, values)

    return _status(store)


@host("triton_session_launch", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_session_launch(
    machine: Machine, session: Value, kernel: Value, tensors: Value
) -> list[Value]:
    """Run a kernel of a session on tensors of the session, given by their names; gives the
    status."""

    def launch() -> None:
        if not is_list(tensors) or not tensors:
            raise refused("the names of the tensors must be a list with at least one")
        names = [_name("tensor", name) for name in tensors]
        _session(machine, session).launch(_name("kernel", kernel), names)

    return _status(launch)


@host("triton_session_fetch", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_session_fetch(machine: Machine, session: Value, tensor: Value) -> list[Value]:
    """The elements of a tensor of a session as floats; gives `[list, status]`."""
    return attempt(
        lambda: [_session(machine, session).fetch(_name("tensor", tensor))],
        [],
    )


@host("triton_session_stop", 1, pure=False, gives=BOOL, stateful=True)
def triton_session_stop(machine: Machine, session: Value) -> bool:
    """End a session and forget what it keeps; gives true."""
    if is_list(session) and len(session) == 3 and session[1] in machine.sessions:
        machine.sessions[session[1]] = None
    return True


def _name(what: str, value: Value) -> str:
    if type(value) is not str or not value:
        raise refused(f"the name of a {what} must be a string, not {text(value) or 'an empty one'}")
    return value
