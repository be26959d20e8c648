"""Conversions between element types, each with one rounding."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from patlang_ir.backends.numpy.elements import BF16, F16, Element, Kind, Value, round_to_bf16, where


def cast_function(source: Element, target: Element) -> Callable[[Value], Value]:
    """What converts held values of one element type to those of another."""
    held = target.held
    if target.kind is Kind.BOOL:
        return truth
    if source.kind is Kind.FLOAT and target.kind is Kind.INT:
        return _saturating(target)
    if target is F16:
        return lambda value: value.astype(np.float16).astype(held)
    if target is not BF16:
        return lambda value: value.astype(held)
    if source.name == "i64":
        return lambda value: _f64_to_bf16(_shorten(value))
    if source.held != held:
        return lambda value: _f64_to_bf16(value.astype(np.float64))
    return round_to_bf16


def truth(value: Value) -> Value:
    """Whether a value counts as true: everything but 0, NaN too."""
    return np.not_equal(value, 0)


def _saturating(target: Element) -> Callable[[Value], Value]:
    """Truncate toward zero; out of range gives the nearest end, NaN gives 0."""
    held = target.held
    low, last = np.float64(target.smallest), held.type(target.largest)
    # The largest i64 is not a double: clip to the double below it, and put it in afterwards.
    high = np.float64(target.largest)
    if int(high) > target.largest:
        high = np.nextafter(high, 0.0)

    def convert(value: Value) -> Value:
        wide = value.astype(np.float64)
        whole = where(np.isnan(wide), 0.0, np.clip(wide, low, high)).astype(held)
        return where(wide > high, last, whole)

    return convert


def _f64_to_bf16(value: Value) -> Value:
    """Through float32 values rounded to odd, so that the second rounding is the only one."""
    wide = np.asarray(value, np.float64)
    near = wide.astype(np.float32)
    back = near.astype(np.float64)
    inexact = (back != wide) & ~np.isnan(wide)
    too_far = np.abs(back) > np.abs(wide)
    bits = near.view(np.uint32) - too_far.astype(np.uint32) | inexact.astype(np.uint32)
    return round_to_bf16(bits.view(np.float32))


def _shorten(value: Value) -> Value:
    """Integers as doubles that lie on the same side of every bf16 and every midpoint."""
    whole = np.asarray(value)
    low = whole & np.int64(0xFFFF)
    sticky = whole - low + where(low != 0, np.int64(0x8000), np.int64(0))
    large = (whole >= 2**40) | (whole <= -(2**40))
    return where(large, sticky, whole).astype(np.float64)
