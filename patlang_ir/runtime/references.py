"""How Python counts the references to a list that only one place holds.

A list with this count may be changed where it is, since its place alone shows the change.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

NEVER = -1


def _is_counted() -> bool:
    """Whether this Python counts every reference."""
    locked: Callable[[], bool] = getattr(sys, "_is_gil_enabled", lambda: True)
    return sys.implementation.name == "cpython" and sys.version_info < (3, 14) and locked()


def _count(xs: object) -> int:
    return sys.getrefcount(xs)


def _held_once() -> int:
    """The count in a function that got the element of a list as its argument."""
    holder: list[object] = [[]]
    return _count(holder[0])


HELD_ONCE = _held_once() if _is_counted() else NEVER
"""In a function whose parameter is the list, and which has no other variable for it."""
