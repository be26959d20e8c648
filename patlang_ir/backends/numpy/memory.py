"""Loads, stores and atomics.

Without `guarded` an access is defined everywhere: outside its buffer a load gives 0 and a write
does nothing, and padding lanes never write. With `guarded` it touches memory exactly where its mask
holds, as on a GPU, and it is an error of the compiler if that is outside the buffer or a write by a
padding lane.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from xdsl.ir import Operation

from patlang_ir.backends.numpy.arithmetic import larger, smaller
from patlang_ir.backends.numpy.elements import BF16, Element, Kind, Value, where
from patlang_ir.backends.numpy.programs import Program, Sizes
from patlang_ir.diagnostics import Diagnostic, RunError, place_of
from patlang_ir.dialects.pat import AtomicKind
from patlang_ir.dialects.tile import IndexKind

Data = NDArray[Any]
Put = Callable[[Data, Any, Value], None]


@dataclass(frozen=True)
class Access:
    """What is fixed about one access: its operation, the buffer's name, element and lanes."""

    op: Operation
    name: str
    element: Element
    sizes: Sizes
    guarded: bool
    checked: bool
    contiguous: bool
    """Whether the index is `offs`."""

    def load(self, program: Program, data: Data, index: Value, mask: Value) -> Value:
        """The elements at an index."""
        if not self.sizes:
            return self._load_one(program, data, index, mask)
        span = self._span(program, data, mask)
        if span is not None:
            return self.element.decode(data[span].reshape(program.shape(self.sizes)).copy())
        index = self._indices(program, index)
        inside = within(index, data)
        self._check(program, data, index, inside, mask)
        touched = inside & mask
        if touched.all():
            return self.element.decode(data.take(index))
        zero = data.dtype.type(0)
        found = data.take(where(touched, index, 0)) if data.size else zero
        return self.element.decode(where(touched, found, zero))

    def _load_one(self, program: Program, data: Data, index: Value, mask: Value) -> Value:
        place = int(index)
        inside = 0 <= place < data.size
        if not inside:
            self._check(program, data, index, np.False_, mask)
        return self.element.decode(data[place] if inside and mask else data.dtype.type(0))

    def write(
        self, program: Program, data: Data, index: Value, value: Value, mask: Value, *, put: Put
    ) -> None:
        """Put a value at an index, where the access reaches."""
        span = self._span(program, data, mask)
        if span is not None:
            put(data, span, program.trim(value, self.sizes).reshape(-1))
            return
        index = self._indices(program, index)
        inside = within(index, data)
        self._check(program, data, index, inside, mask)
        if self.guarded and np.any(mask & ~program.in_domain(self.sizes)):
            raise AssertionError(f"{self._where()} writes '{self.name}' in a padding lane")
        touched = program.trim(inside & mask, self.sizes)
        index = program.trim(index, self.sizes)
        value = program.trim(value, self.sizes)
        if not touched.all():
            index, value = index[touched], value[touched]
        put(data, index.astype(np.int64), value)

    def _span(self, program: Program, data: Data, mask: Value) -> slice | None:
        """The elements at `offs` where they follow each other and all are touched."""
        if not (self.contiguous and mask is np.True_ and program.full):
            return None
        start = program.flat_start()
        if start is None:
            return None
        stop = start + prod(program.shape(self.sizes))
        return slice(start, stop) if stop <= data.size else None

    def _indices(self, program: Program, index: Value) -> Value:
        """`offs` is not kept where only accesses need it."""
        return program.index(IndexKind.OFFS) if self.contiguous else index

    def _check(
        self, program: Program, data: Data, index: Value, inside: Value, mask: Value
    ) -> None:
        """Find an access outside the buffer where there must be none."""
        if not (self.guarded or self.checked):
            return
        outside = np.logical_not(inside) & mask
        if not np.any(outside):
            return
        if self.guarded:
            wrong = np.broadcast_to(index, outside.shape)[outside]
            raise AssertionError(
                f"{self._where()} touches '{self.name}' at index {wrong.flat[0]},"
                f" outside its {data.size} elements"
            )
        wrong = program.trim(index, self.sizes)[program.trim(outside, self.sizes)]
        if wrong.size:
            raise RunError(
                Diagnostic(
                    "P607",
                    f"index {wrong.flat[0]} is outside '{self.name}',"
                    f" which has {data.size} elements",
                    place_of(self.op.location),
                    help="without --checked a load gives 0 there, and a store does nothing",
                )
            )

    def _where(self) -> str:
        return f"{place_of(self.op.location) or 'unknown place'}: guarded {self.op.name}"


def flat_view(data: Data) -> Data:
    """The memory of a matrix from its first element to its last, with what lies between rows."""
    if data.ndim == 1:
        return data
    steps = [stride // data.itemsize for stride in data.strides]
    last = sum((size - 1) * step for size, step in zip(data.shape, steps, strict=True))
    return as_strided(data, (last + 1 if data.size else 0,), (data.itemsize,))


def within(index: Value, data: Data) -> Value:
    """Where an index is inside a buffer."""
    return np.greater_equal(index, 0) & np.less(index, data.size)


def put_elements(element: Element) -> Put:
    """A store; where indices collide, one of the values stays."""

    def put(data: Data, index: Value, value: Value) -> None:
        data[index] = element.encode(value)

    return put


def combine_elements(kind: AtomicKind, element: Element) -> Put:
    """An atomic, one lane after the other."""
    if element is BF16 or (element.kind is Kind.FLOAT and kind is not AtomicKind.ADD):
        return _combine_in_turn(kind, element)
    ufunc = {AtomicKind.ADD: np.add, AtomicKind.MAX: np.maximum, AtomicKind.MIN: np.minimum}[kind]

    def put(data: Data, index: Value, value: Value) -> None:
        ufunc.at(data, index, element.encode(value))

    return put


def _combine_in_turn(kind: AtomicKind, element: Element) -> Put:
    """For what NumPy cannot: bf16, and the signs of zeros."""
    combine = {AtomicKind.ADD: np.add, AtomicKind.MAX: larger, AtomicKind.MIN: smaller}[kind]

    def put(data: Data, index: Value, value: Value) -> None:
        places = range(*index.indices(data.size)) if isinstance(index, slice) else index.flat
        for place, one in zip(places, value.flat, strict=True):
            data[place] = element.encode(combine(element.decode(data[place]), one))

    return put
