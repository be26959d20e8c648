"""The state of one run of a program, which host functions work on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TextIO, TypeVar

from patlang_ir.runtime.values import Fault, Value, describe

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
        shown = handle if type(handle) is int else describe(handle)
        raise Fault("P603", f"there is no {self._what} {shown}")


class Machine:
    """Output, arguments, buffers, vectors, records and functions of one run."""

    def __init__(self, args: Iterable[str] = (), out: TextIO | None = None):
        self.args = tuple(args)
        self.out = out or sys.stdout
        self.buffers: Handles[str] = Handles("string buffer")
        self.vectors: Handles[Value] = Handles("vector")
        self.records: dict[str, dict[str, Value]] = {}
        self.functions: Mapping[str, tuple[Callable[..., Value], int]] = {}

    def function(self, name: Value, given: int) -> Callable[..., Value]:
        """The function of the program that `apply` means, for a call with `given` arguments."""
        if name not in self.functions:
            shown = f"'{name}'" if type(name) is str else describe(name)
            raise Fault("P603", f"apply: the program has no function {shown}")
        function, taken = self.functions[name]
        if given <= taken:
            return function
        return lambda *arguments: function(*arguments[:taken])

    def member(self, base: Value, name: str) -> Value:
        """`base.name`: a property of the record that `base` names; unit if there is none."""
        if type(base) is not str:
            return None
        return self.records.get(base, {}).get(name)
