"""Host functions on other programs."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import BOOL, INT, NAT, TEXT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.registry import host


def _command(name: str, program: Value, arguments: tuple[Value, ...]) -> list[str]:
    """What to start; arguments that are no strings are left out."""
    return [string(name, 1, program), *(item for item in arguments if type(item) is str)]


def _cannot_start(name: str, program: Value, error: Exception) -> Fault:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Fault("P603", f"{name}: cannot start '{program}': {reason}")


@host("exec_capture", 1, None, pure=False, gives=TEXT, stateful=True)
def exec_capture(machine: Machine, program: Value, *arguments: Value) -> str:
    """Run a program to its end, and give what it wrote. If it failed, what it wrote to its error
    output follows. Arguments that are no strings are left out."""
    import subprocess

    machine.out.flush()
    try:
        done = subprocess.run(
            _command("exec_capture", program, arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except (OSError, ValueError) as error:
        raise _cannot_start("exec_capture", program, error) from None
    written = done.stdout + (done.stderr if done.returncode else b"")
    return written.decode(errors="replace")


@host("spawn", 1, None, pure=False, gives=NAT, stateful=True)
def spawn(machine: Machine, program: Value, *arguments: Value) -> int:
    """Start a program and go on; gives its process id. What it writes is thrown away."""
    import subprocess

    machine.out.flush()
    try:
        process = subprocess.Popen(
            _command("spawn", program, arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError) as error:
        raise _cannot_start("spawn", program, error) from None
    machine.processes[process.pid] = process
    return process.pid


@host("wait", 1, pure=False, gives=INT, stateful=True)
def wait(machine: Machine, pid: Value) -> int:
    """Wait until a spawned program has ended, and give its exit code; -1 if it was killed."""
    process = machine.processes.get(pid) if type(pid) is int else None
    if process is None:
        raise Fault("P603", f"wait: this program has spawned no process {shown(pid)}")
    machine.out.flush()
    return max(process.wait(), -1)


@host("is_alive", 1, pure=False, gives=BOOL, stateful=True)
def is_alive(machine: Machine, pid: Value) -> bool:
    """Whether a spawned program still runs."""
    process = machine.processes.get(pid) if type(pid) is int else None
    return process is not None and process.poll() is None


@host("kill", 1, pure=False, gives=BOOL, stateful=True)
def kill(machine: Machine, pid: Value) -> bool:
    """End a spawned program; whether it still ran."""
    if not is_alive(machine, pid):
        return False
    machine.processes[pid].kill()
    machine.processes[pid].wait()
    return True
