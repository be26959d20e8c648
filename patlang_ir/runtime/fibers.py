"""Fibres: functions of a program that stop in between and are resumed.

Each runs on a thread of its own, and only one thread at a time goes on. So a fibre may stop inside
any number of calls.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from patlang_ir.runtime.values import Fault, Value


class _Abandoned(BaseException):
    """Ends a fibre that nobody resumes any more."""


class Fiber:
    """One fibre, which has not started yet."""

    def __init__(self, function: Callable[[Value], Value]):
        self.alive = True
        self._function = function
        self._thread: threading.Thread | None = None
        self._given: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Value, BaseException | None]] = SimpleQueue()

    def resume(self, given: Value) -> Value:
        """Go on until the next `pause` or the end; gives its value or the result."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, args=(given,), daemon=True)
            self._thread.start()
        else:
            self._given.put(given)
        value, error = self._answers.get()
        if error is not None:
            raise error
        return value

    def pause(self, value: Value) -> Value:
        """Called on the thread of the fibre: stop here; gives what it is resumed with."""
        self._answers.put((value, None))
        given = self._given.get()
        if given is _Abandoned:
            raise _Abandoned
        return given

    def abandon(self) -> None:
        """Let the thread of a fibre that has stopped in between come to its end."""
        if self._thread is not None and self.alive:
            self._given.put(_Abandoned)

    def _run(self, given: Value) -> None:
        try:
            answer = (self._function(given), None)
        except _Abandoned:
            return
        except BaseException as error:
            answer = (None, error)
        self.alive = False
        self._answers.put(answer)


class Fibers:
    """The fibres of one run, known to the program by integers."""

    def __init__(self) -> None:
        self._all: list[Fiber] = []
        self._running: list[Fiber] = []

    def new(self, function: Callable[[Value], Value]) -> int:
        self._all.append(Fiber(function))
        return len(self._all)

    def find(self, handle: Value) -> Fiber | None:
        if type(handle) is int and 1 <= handle <= len(self._all):
            return self._all[handle - 1]
        return None

    def resume(self, fiber: Fiber, given: Value) -> Value:
        if fiber in self._running:
            raise Fault("P603", "fiber_resume: the fibre is running already")
        self._running.append(fiber)
        try:
            return fiber.resume(given)
        finally:
            self._running.pop()

    def pause(self, value: Value) -> Value:
        if not self._running:
            raise Fault("P603", "fiber_yield: no fibre is running here")
        return self._running[-1].pause(value)

    def close(self) -> None:
        """Abandon the fibres that have not come to their end."""
        for fiber in self._all:
            fiber.abandon()
