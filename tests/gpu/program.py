"""A small kernel for the tests, and what several of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from patlang_ir.dialects.tile import KernelOp

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Program:
    """A kernel, the types of its parameters, and the arguments and sizes of one call."""

    name: str
    build: Callable[..., KernelOp]
    params: Mapping[str, str]
    body: str
    arguments: Callable[[np.random.Generator], list[Array]]
    sizes: Mapping[str, int]
    stage: str = ""
    tolerance: float = 0.0
    """How far a float may lie off, relatively: only for sums whose order is not fixed."""

    def kernel(self) -> KernelOp:
        return self.build(self.params, self.body, self.stage)

    @property
    def types(self) -> list[str]:
        return [type.removesuffix("[]") for type in self.params.values()]


def floats(n: int, dtype: str = "f4") -> Callable[[np.random.Generator], list[Array]]:
    """One random array and an empty one of the same length."""
    return lambda g: [g.standard_normal(n).astype(dtype), np.zeros(n, dtype)]


X_OUT = {"x": "f32[]", "out": "f32[]"}
LOAD = """%offs = tile.index offs : T<i64>
%v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>"""
STORE = "tile.store %r, %out[%offs] : T<f32>, B<f32>, T<i64>"
