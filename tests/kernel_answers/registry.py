"""Where the answers are kept, and what several of them need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Array = Any
ANSWERS: dict[str, Callable[..., None]] = {}


def answer(function: Callable[..., None]) -> Callable[..., None]:
    ANSWERS[function.__name__] = function
    return function


def at(x: Array, index: Array) -> Array:
    """The elements at an index that truncates toward zero; 0 outside."""
    index = np.trunc(index).astype(np.int64)
    flat = x.reshape(-1)
    inside = (index >= 0) & (index < flat.size)
    if not flat.size:
        return np.zeros(index.shape, x.dtype)
    return np.where(inside, flat[np.where(inside, index, 0)], x.dtype.type(0))


def saturated(value: Array, dtype: Any) -> Array:
    """Floats as integers, of which none wraps."""
    limits = np.iinfo(dtype)
    return np.array([min(max(int(v), limits.min), limits.max) for v in value.flat], dtype)


def rounded(value: Array) -> Array:
    """The nearest whole numbers, halves away from zero."""
    whole = np.trunc(value)
    return whole + np.where(np.abs(value - whole) >= 0.5, np.sign(value), 0).astype(value.dtype)


def lanes(x: Array) -> Array:
    return np.arange(x.size, dtype=np.int64)
