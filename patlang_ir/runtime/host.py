"""Running a program on the host: its Python text is executed here, and its errors are located."""

from __future__ import annotations

import builtins
import contextlib
import linecache
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import cache, partial
from types import CodeType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.backends.python import PythonText, print_python
from patlang_ir.diagnostics import RunError, place_of, refuse
from patlang_ir.dialects import pat
from patlang_ir.runtime import values
from patlang_ir.runtime.host_errors import DEEPEST, program_error
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value
from patlang_ir.stdlib.registry import HOST_FUNCTIONS

if TYPE_CHECKING:
    from patlang_ir.runtime.launcher import ListRunner, ProgramLauncher


class Launcher(Protocol):
    """Runs kernels for a host program."""

    def launch(self, name: str, args: Sequence[Value], /) -> list[list[Value] | None]:
        """Run a kernel; for each argument a new list if it was written, else `None`."""
        ...


class LateLauncher:
    """A launcher that is made when the program runs its first kernel."""

    def __init__(self, make: Callable[[], ProgramLauncher]):
        self._make = cache(make)

    def launch(self, name: str, args: Sequence[Value], /) -> list[list[Value] | None]:
        return self._make().launch(name, args)

    def runner(self) -> ListRunner:
        """What runs kernels that are not by name in the program."""
        return self._make().runner


class NoKernels:
    """The launcher of a program that launches nothing."""

    def launch(self, name: str, args: Sequence[Value], /) -> list[list[Value] | None]:
        raise Fault("P505", f"there is nothing to run the kernel '{name}' on")


def run_program(
    module: ModuleOp,
    args: Iterable[str] = (),
    *,
    launcher: Launcher,
    out: TextIO | None = None,
    path_map: Sequence[tuple[str, str]] = (),
) -> Value:
    """Run the top level of a module whose names are resolved; gives what it returned.

    Raises `RunError` if the program stops with an error.
    """
    machine = Machine(args, out, file=_file_of(module), path_map=path_map)
    return _run_and_close(machine, print_python(module), launcher)


def _file_of(module: ModuleOp) -> str:
    places = (place_of(op.location) for op in module.ops if isinstance(op, pat.ProgramOp))
    return next((place.file for place in places if place is not None), "")


def run_text(
    text: PythonText,
    args: Iterable[str] = (),
    *,
    launcher: Launcher,
    out: TextIO | None = None,
) -> Value:
    """The same for a program that is printed already; it can be run again."""
    return _run_and_close(Machine(args, out), text, launcher)


def _run_and_close(machine: Machine, text: PythonText, launcher: Launcher) -> Value:
    try:
        return run_on(machine, text, launcher)
    finally:
        machine.close()


def run_on(machine: Machine, text: PythonText, launcher: Launcher) -> Value:
    """The same on a machine that may have state of its own, and keeps it."""
    if isinstance(launcher, LateLauncher):
        machine.runner = launcher.runner
    entry = _load(text, machine, launcher)
    try:
        with _room_for_recursion(), _numbers_of_any_length():
            return entry()
    except Exception as error:
        raise program_error(error, machine.programs) from error
    finally:
        machine.out.flush()


def _load(text: PythonText, machine: Machine, launcher: Launcher) -> Callable[[], Value]:
    """Execute the definitions of a printed program; gives its top level."""
    name = f"<patlang program {len(machine.programs) + 1}>"
    machine.programs[name] = text
    code = _compiled(text, name)

    def load(machine: Machine) -> Callable[[], Value]:
        scope: dict[str, Any] = {
            "__builtins__": builtins,
            "rt": values,
            "host": _host_functions(machine),
            "launch": partial(_launch, launcher),
        }
        exec(code, scope)
        machine.functions = {
            name: (scope[python], arity) for name, (python, arity) in text.functions.items()
        }
        machine.load = load
        return scope[text.entry]

    return load(machine)


def _compiled(text: PythonText, name: str) -> CodeType:
    linecache.cache[name] = (len(text.text), None, text.text.splitlines(keepends=True), name)
    try:
        with _numbers_of_any_length():
            return compile(text.text, name, "exec")
    except (SyntaxError, RecursionError, MemoryError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else None
        place = text.line_map.get(line or 0)
        help = "move the inner blocks into functions"
        raise refuse(place, "P120", "the blocks or expressions nest too deeply", help) from error


def _host_functions(machine: Machine) -> SimpleNamespace:
    functions = {
        function.python_name: partial(function.implementation, machine)
        if function.stateful
        else function.implementation
        for function in HOST_FUNCTIONS.values()
    }
    records = machine.records
    functions |= {
        "function": machine.function,
        "member": records.member,
        "set_member": records.set_member,
        "method": records.method,
        "define_class": records.define_class,
        "when": records.when,
        "emit": records.emit,  # itself, since a `partial` takes room on the machine's stack
    }
    return SimpleNamespace(**functions)


def _launch(
    launcher: Launcher, kernel: str, *args: Value, writes: Sequence[int] = ()
) -> list[Value]:
    """Run a kernel; gives the new lists of the arguments at the positions `writes`."""
    try:
        results = launcher.launch(kernel, list(args))
    except RunError as error:
        place = error.diagnostic.place
        inside = ((kernel, place),) if place is not None else ()
        raise RunError(error.diagnostic, inside) from error
    return [args[at].copy() if results[at] is None else results[at] for at in writes]


@contextlib.contextmanager
def _room_for_recursion() -> Generator[None]:
    """Calls of Python functions take no room on the machine's stack, so many may be open."""
    depth = sys.getrecursionlimit()
    sys.setrecursionlimit(max(depth, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(depth)


@contextlib.contextmanager
def _numbers_of_any_length() -> Generator[None]:
    """Integers of any size can be written and shown."""
    digits = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(digits)
