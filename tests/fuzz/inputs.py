"""Random arguments for random kernels."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "unit"), str(TESTS / "gpu")]

from evaluator_kernels import MEMORY, same_bits  # noqa: E402
from operation_kernels import random_bits  # noqa: E402
from syntax import Kernel, Param  # noqa: E402

Array = np.ndarray[Any, Any]
Arguments = list[Any]
IR_NAMES = {"u8": "ui8", "bool": "i1"}


def memory_name(param: Param) -> str:
    """The name that the evaluator's tests have for the type of a parameter."""
    return IR_NAMES.get(param.type, param.type)


def arguments(kernel: Kernel, seed: int, shape: Sequence[int] | None = None) -> Arguments:
    """Random arguments; `shape` is that of the input, the kernel's own if it is left out."""
    rng = np.random.default_rng([seed, kernel.seed])
    shape = tuple(shape or kernel.shape)
    return [
        _buffer(rng, param, shape, number) if param.buffer else _number(rng, param)
        for number, param in enumerate(kernel.params)
    ]


def _buffer(rng: np.random.Generator, param: Param, shape: tuple[int, ...], number: int) -> Array:
    size = prod(shape) if param.length is None else param.length
    values = _values(rng, param, size, prod(shape))
    return values.reshape(shape) if number == 0 else values


def _values(rng: np.random.Generator, param: Param, size: int, lanes: int) -> Array:
    name = memory_name(param)
    match param.data:
        case "small":
            return _cast(rng.integers(0, 9, size), name)
        case "index":
            return _cast(rng.integers(-3, max(lanes, 8) + 3, size), name)
        case _:
            return random_bits(rng, name, size)


def _cast(values: Array, name: str) -> Array:
    if name == "bf16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(MEMORY[name])


def _number(rng: np.random.Generator, param: Param) -> int | float:
    if param.data == "limit":
        return int(rng.choice([0, 1, 2, 3, 5, -7, -(2**62), -(2**63)]))
    if param.type == "i64":
        return int(rng.choice([0, 1, 2, 3, 7, -1, -5, 31, 40, 100, 2**31, 2**63 - 1, -(2**63)]))
    return float(rng.choice([0.0, 1.0, 0.5, -2.25, 0.1, 1e-3, 3e9, 1e300, np.inf, np.nan, -0.0]))


def copies(args: Arguments) -> Arguments:
    return [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]


def differences(kernel: Kernel, got: Sequence[Any], wanted: Sequence[Any]) -> list[str]:
    """For each buffer that differs, where it first does so; all NaNs are one value."""
    found: list[str] = []
    for param, left, right in zip(kernel.params, got, wanted, strict=True):
        if not param.buffer:
            continue
        left, right = np.asarray(left).reshape(-1), np.asarray(right).reshape(-1)
        if same_bits(left, right, memory_name(param)):
            continue
        at = next(
            i
            for i in range(len(left))
            if not same_bits(left[i : i + 1], right[i : i + 1], memory_name(param))
        )
        found.append(f"{param.name}[{at}] is {left[at]!r}, not {right[at]!r}")
    return found
