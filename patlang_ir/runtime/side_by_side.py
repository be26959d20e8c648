"""The same work on several items at once, on threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST_THREADS = 1000


def side_by_side(work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """The results in order. Of several errors that of the first item is raised, and nothing more is
    started.

    The threads do not keep the process alive, so an interrupt ends them with it.
    """
    waiting: SimpleQueue[tuple[Future[Result], Item]] = SimpleQueue()
    answers: list[Future[Result]] = [Future() for _ in items]
    for pair in zip(answers, items, strict=True):
        waiting.put(pair)

    def run() -> None:
        for answer, item in _taken(waiting):
            try:
                answer.set_result(work(item))
            except BaseException as error:
                answer.set_exception(error)

    for _ in range(min(len(items), MOST_THREADS)):
        Thread(target=run, daemon=True).start()
    try:
        return [answer.result() for answer in answers]
    finally:
        list(_taken(waiting))


def _taken(waiting: SimpleQueue[Item]) -> Iterator[Item]:
    """The items one by one; several threads may take them."""
    while True:
        try:
            yield waiting.get_nowait()
        except Empty:
            return
