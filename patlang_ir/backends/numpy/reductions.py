"""Reductions, over the lanes inside the input.

Integer sums and products wrap at the width of their result. Float sums and products of f16 and
bf16 are taken in f32 and rounded once; a sum adds in NumPy's order: pairwise along the last axis of
the tile or over the whole of it, one row after the other along the first axis.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from patlang_ir.backends.numpy.elements import Element, Kind, Value, where
from patlang_ir.dialects.tile import ReduceKind

Reduction = Callable[[Value, int | None], Value]
"""From a tile and an axis, or None for all axes, to its result; an axis is kept."""


def reduction_of(kind: ReduceKind, operand: Element, result: Element) -> Reduction:
    """What reduces held values of one element type to a result of another."""
    match kind:
        case ReduceKind.SUM:
            return _accumulate(np.add, result)
        case ReduceKind.PROD:
            return _accumulate(np.multiply, result)
        case ReduceKind.MAX:
            return _largest(operand)
        case ReduceKind.MIN:
            return _smallest(operand)
        case ReduceKind.ARGMAX:
            return lambda value, axis: _first(np.argmax, value, axis)
        case ReduceKind.ARGMIN:
            return lambda value, axis: _first(np.argmin, value, axis)
        case ReduceKind.ANY:
            return lambda value, axis: np.not_equal(value, 0).any(axis, keepdims=axis is not None)
        case ReduceKind.ALL:
            return lambda value, axis: np.not_equal(value, 0).all(axis, keepdims=axis is not None)


def _accumulate(ufunc: np.ufunc, result: Element) -> Reduction:
    narrow = result.round

    def reduce(value: Value, axis: int | None) -> Value:
        total = ufunc.reduce(value, axis, dtype=result.held, keepdims=axis is not None)
        return narrow(total) if narrow else total

    return reduce


def _largest(element: Element) -> Reduction:
    """NaN if there is one; `+0` is larger than `-0`; the least value where there are no lanes."""
    if element.kind is Kind.BOOL:
        return lambda value, axis: value.any(axis, keepdims=axis is not None)
    least = -np.inf if element.kind is Kind.FLOAT else element.smallest
    neutral = element.held.type(least)

    def reduce(value: Value, axis: int | None) -> Value:
        keep = axis is not None
        result = np.max(value, axis, keepdims=keep, initial=neutral)
        if element.kind is Kind.INT or not np.any(result == 0):
            return result
        plus = np.any((value == 0) & ~np.signbit(value), axis, keepdims=keep)
        zero = where(plus, neutral.dtype.type(0.0), neutral.dtype.type(-0.0))
        return where(result == 0, zero, result)

    return reduce


def _smallest(element: Element) -> Reduction:
    """As `_largest`; `-0` is smaller than `+0`."""
    if element.kind is Kind.BOOL:
        return lambda value, axis: value.all(axis, keepdims=axis is not None)
    if element.kind is Kind.INT:
        greatest = element.held.type(element.largest)
        return lambda value, axis: np.min(value, axis, keepdims=axis is not None, initial=greatest)
    largest = _largest(element)
    return lambda value, axis: np.negative(largest(np.negative(value), axis))


def _first(find: Callable[..., Value], value: Value, axis: int | None) -> Value:
    """The position of the first NaN, else of the first extreme; 0 where there are no lanes."""
    keep = axis is not None
    if value.size:
        return find(value, axis, keepdims=keep)
    return np.sum(value, axis, dtype=np.int64, keepdims=keep)
