"""Host functions on connections. Ports listen on the loopback interface only."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import BOOL, INT, NAT, TEXT, UNIT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value, text
from patlang_ir.stdlib.arguments import real_float, string, whole
from patlang_ir.stdlib.registry import host

PORTS = 1 << 16


def _port(name: str, position: int, value: Value) -> int:
    port = whole(name, position, value)
    if not 0 <= port < PORTS:
        raise Fault("P603", f"{name}: a port is 0 to {PORTS - 1}, not {port}")
    return port


def _failed(name: str, what: object, error: OSError) -> Fault:
    return Fault("P603", f"{name}: {what}: {error.strerror or error}")


def _is_open(machine: Machine, name: str, handle: Value) -> int:
    if type(handle) is int:
        try:
            _ = machine.network[handle]
            return handle
        except KeyError:
            pass
    raise Fault("P603", f"{name}: there is no open connection {shown(handle)}")


@host("tcp_listen", 1, pure=False, gives=NAT, stateful=True)
def tcp_listen(machine: Machine, port: Value) -> int:
    """Listen on a port, or on a free one for 0; gives its number."""
    number = _port("tcp_listen", 1, port)
    try:
        return machine.network.listen(number)
    except OSError as error:
        raise _failed("tcp_listen", f"port {number}", error) from None


@host("tcp_try_listen", 1, pure=False, gives=INT, stateful=True)
def tcp_try_listen(machine: Machine, port: Value) -> int:
    """As `tcp_listen`, but -1 if the port is taken."""
    try:
        return machine.network.listen(_port("tcp_try_listen", 1, port))
    except OSError:
        return -1


def _accept(machine: Machine, name: str, port: Value, seconds: float | None) -> int:
    number = _port(name, 1, port)
    if not machine.network.is_listening(number):
        raise Fault("P603", f"{name}: nothing listens on port {number}", "call tcp_listen first")
    machine.out.flush()
    try:
        return machine.network.accept(number, seconds)
    except TimeoutError:
        return -1
    except OSError as error:
        raise _failed(name, f"port {number}", error) from None


@host("tcp_accept", 1, pure=False, gives=NAT, stateful=True)
def tcp_accept(machine: Machine, port: Value) -> int:
    """Wait for a connection to a port."""
    return _accept(machine, "tcp_accept", port, None)


@host("tcp_accept_timeout", 2, pure=False, gives=INT, stateful=True)
def tcp_accept_timeout(machine: Machine, port: Value, duration: Value) -> int:
    """Wait for a connection to a port; -1 if none comes in so many milliseconds."""
    milliseconds = real_float("tcp_accept_timeout", 2, duration)
    if not milliseconds < 1e12:
        raise Fault("P603", f"tcp_accept_timeout: cannot wait {text(duration)} milliseconds")
    return _accept(machine, "tcp_accept_timeout", port, max(0.0, milliseconds) / 1000.0)


@host("tcp_connect", 2, pure=False, gives=NAT, stateful=True)
def tcp_connect(machine: Machine, name: Value, port: Value) -> int:
    """Connect to a port of a machine."""
    where, number = string("tcp_connect", 1, name), _port("tcp_connect", 2, port)
    try:
        return machine.network.connect(where, number)
    except OSError as error:
        raise _failed("tcp_connect", f"{where} port {number}", error) from None


@host("tcp_try_connect", 2, pure=False, gives=INT, stateful=True)
def tcp_try_connect(machine: Machine, name: Value, port: Value) -> int:
    """As `tcp_connect`, but -1 if nobody answers."""
    where, number = string("tcp_try_connect", 1, name), _port("tcp_try_connect", 2, port)
    try:
        return machine.network.connect(where, number)
    except OSError:
        return -1


@host("tcp_read", 1, pure=False, gives=TEXT, stateful=True)
def tcp_read(machine: Machine, connection: Value) -> str:
    """Wait for text, and give what one read brings, at most 64 KiB; empty at the end."""
    handle = _is_open(machine, "tcp_read", connection)
    machine.out.flush()
    try:
        return machine.network[handle].read()
    except OSError as error:
        raise _failed("tcp_read", f"connection {handle}", error) from None


@host("tcp_read_or_empty", 1, pure=False, gives=TEXT, stateful=True)
def tcp_read_or_empty(machine: Machine, connection: Value) -> str:
    """As `tcp_read`, but empty on an error too."""
    machine.out.flush()
    try:
        return machine.network[connection].read() if type(connection) is int else ""
    except (OSError, KeyError):
        return ""


@host("tcp_write", 2, pure=False, gives=BOOL, stateful=True)
def tcp_write(machine: Machine, connection: Value, x: Value) -> bool:
    """Write the text form of `x`; gives true."""
    handle = _is_open(machine, "tcp_write", connection)
    try:
        machine.network[handle].socket.sendall(text(x).encode())
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Fault("P603", f"tcp_write: connection {handle}: {reason}") from None
    return True


@host("tcp_close", 1, pure=False, gives=UNIT, stateful=True)
def tcp_close(machine: Machine, connection: Value) -> None:
    """Close a connection, if it is open."""
    if type(connection) is int:
        machine.network.close(connection)
