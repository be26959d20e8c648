"""The state of one run of a program, which host functions work on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TextIO, TypeVar

from patlang_ir.runtime.records import Records
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value, describe, is_closure

if TYPE_CHECKING:
    from subprocess import Popen

    from patlang_ir.backends.python import PythonText
    from patlang_ir.runtime.fibers import Fibers
    from patlang_ir.runtime.host_network import Network
    from patlang_ir.runtime.kernel_session import KernelSession
    from patlang_ir.runtime.kernel_texts import KernelTexts
    from patlang_ir.runtime.launcher import ListRunner

Item = TypeVar("Item")


class Handles(Generic[Item]):
    """Lists that change, known to the program by integers."""

    def __init__(self, what: str):
        self._what = what
        self._lists: list[list[Item]] = []

    def new(self) -> int:
        """The handle of a new empty list."""
        self._lists.append([])
        return len(self._lists)

    def __getitem__(self, handle: Value) -> list[Item]:
        if type(handle) is int and 1 <= handle <= len(self._lists):
            return self._lists[handle - 1]
        raise Fault("P603", f"there is no {self._what} {shown(handle)}")


class Machine:
    """Everything that one run of a program has.

    `file` is the program's own file, `path_map` says where files of other machines are found.
    """

    def __init__(
        self,
        args: Iterable[str] = (),
        out: TextIO | None = None,
        *,
        file: str = "",
        path_map: Sequence[tuple[str, str]] = (),
    ):
        self.args = tuple(args)
        self.out = out or sys.stdout
        self.file, self.path_map = file, path_map
        self.buffers: Handles[str] = Handles("string buffer")
        self.vectors: Handles[Value] = Handles("vector")
        self.records = Records()
        self.functions: Mapping[str, tuple[Callable[..., Value], int]] = {}
        self.texts: list[str] = []
        self.text_handles: dict[str, int] = {}
        self.files: dict[str, list[str]] = {}
        self.passed, self.failed = 0, 0
        """How the checks of the library `test` went."""
        self.sessions: dict[int, KernelSession | None] = {}
        self.processes: dict[int, Popen[bytes]] = {}
        self.programs: dict[str, PythonText] = {}
        """The Python of what was run, by the file name that tracebacks show."""
        self.kept: dict[str, Value] = {}
        """The variables of a session."""
        self.load: Callable[[Machine], object] = lambda machine: None
        self.runner: Callable[[], ListRunner] | None = None
        """Gives what runs kernels that the program names by their text."""

    @cached_property
    def fibers(self) -> Fibers:
        from patlang_ir.runtime.fibers import Fibers

        return Fibers()

    @cached_property
    def network(self) -> Network:
        from patlang_ir.runtime.host_network import Network

        return Network()

    @cached_property
    def kernels(self) -> KernelTexts:
        from patlang_ir.runtime.kernel_texts import KernelTexts

        if self.runner is None:
            raise Fault("P505", "there is nothing to run kernels on")
        return KernelTexts(self.runner())

    def fresh(self) -> Machine:
        """A machine for the same program with nothing in it; it shares processes and connections,
        which belong to the system."""
        machine = Machine(self.args, self.out, file=self.file, path_map=self.path_map)
        machine.processes, machine.network = self.processes, self.network
        machine.runner = self.runner
        self.load(machine)
        return machine

    def close(self) -> None:
        """Let go of what would outlive the run."""
        if "fibers" in self.__dict__:
            self.fibers.close()
        if "network" in self.__dict__:
            self.network.close_all()

    def function(self, name: Value, given: int, caller: str = "apply") -> Callable[..., Value]:
        """The function of the program of that name, for a call with `given` arguments."""
        if type(name) is not str:
            what = f"a function is called by its name, not by {describe(name)}"
            help = "call a closure as f(...)" if is_closure(name) else ""
            raise Fault("P603", f"{caller}: {what}", help)
        if name not in self.functions:
            raise Fault("P603", f"{caller}: the program has no function '{name}'")
        function, taken = self.functions[name]
        if given <= taken:
            return function
        return lambda *arguments: function(*arguments[:taken])
