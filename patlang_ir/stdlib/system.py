"""Host functions that reach outside: output, time, arguments, environment."""

from __future__ import annotations

import os
import sys
import time

from patlang_ir.runtime.host_kinds import NAT, TEXT, UNIT, list_of
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value, text
from patlang_ir.stdlib.arguments import real_float, string
from patlang_ir.stdlib.registry import host


@host("print", 0, None, pure=False, gives=UNIT, stateful=True)
def print_line(machine: Machine, x: Value = "", *_: Value) -> None:
    """Write the text form of `x` and a newline; further arguments are ignored."""
    try:
        machine.out.write(text(x) + "\n")
    except UnicodeEncodeError as error:
        raise Fault("P603", f"print: the output cannot show this text ({error.reason})") from None


@host("now_ms", 0, pure=False, gives=NAT)
def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@host("sleep_ms", 1, pure=False, gives=UNIT, stateful=True)
def sleep_ms(machine: Machine, duration: Value) -> None:
    """Wait this many milliseconds."""
    seconds = real_float("sleep_ms", 1, duration) / 1000.0
    machine.out.flush()
    if not seconds < 1e9:
        raise Fault("P603", f"sleep_ms: {text(duration)} milliseconds cannot be waited")
    time.sleep(max(0.0, seconds))


@host("argv", 0, pure=False, fresh=True, gives=list_of(TEXT), stateful=True)
def argv(machine: Machine) -> list[Value]:
    """The arguments given to the program."""
    return list(machine.args)


@host("getenv", 1, pure=False, gives=TEXT)
def getenv(name: Value) -> str:
    """The value of an environment variable; empty if it is not set."""
    try:
        return os.environ.get(string("getenv", 1, name), "")
    except UnicodeEncodeError:
        return ""


@host("read_line", 0, pure=False, gives=TEXT, stateful=True)
def read_line(machine: Machine) -> str:
    """The next line of the input, without its end; empty at the end of the input."""
    machine.out.flush()
    try:
        return sys.stdin.readline().removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise Fault("P603", f"read_line: the input is not text ({error.reason})") from None
