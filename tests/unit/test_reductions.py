"""Reductions of any length: a chain of stages gives what one block over the whole input gives.

With `limit=4` small inputs take the chain. Numbers are small and whole, so that sums are exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from kernel_texts import (
    GRID,
    LINEAR,
    equal,
    in_blocks,
    kernel_text,
    refused,
    run,
    same,
    tile_kernel,
    whole,
)

LIMIT = 4
CHAIN = f"tile-legalize-reductions{{limit={LIMIT}}}"
GUARDED = f"{CHAIN},tile-guard-accesses,tile-simplify,tile-plan-launches"
LENGTHS = [(0,), (1,), (4,), (5,), (13,)]
SHAPES = [(0, 3), (3, 0), (4, 1), (2, 3), (5, 4), (2, 9), (9, 2)]

Array = np.ndarray[Any, Any]


def check(
    body: str,
    arrays: Callable[[Sequence[int]], list[Array]],
    expected: Callable[..., Sequence[Any]],
    *,
    marker: str = LINEAR,
    **types: str,
) -> None:
    """A kernel over `x, out` means the same whole, as a chain, and in blocks of any size.

    `expected` computes what both hold afterwards from what they held.
    """
    text = kernel_text(body, marker=marker)
    kernel = tile_kernel(text, **types)
    for shape in LENGTHS if marker == LINEAR else SHAPES:
        given = arrays(shape)
        args = [array.reshape(-1) for array in given]
        meant = whole(kernel, args, shape)
        answer = [np.asarray(a).reshape(-1) for a in expected(*(a.copy() for a in given))]
        assert all(map(same, meant, answer)), (shape, args, meant, answer)
        for passes, sizes in ((CHAIN, (1, 3)), (GUARDED, (1, 3, 4, 8))):
            chain = tile_kernel(text, passes, **types)
            for name, found in in_blocks(chain, args, shape, sizes):
                assert equal(found, meant), (passes, shape, name, args, found, meant)


# --- each kind, by itself ---


def first_extreme(values: list[Any], better: Callable[[Any, Any], bool]) -> int:
    best = 0
    for i, value in enumerate(values):
        if math.isnan(value):
            return i
        if better(value, values[best]):
            best = i
    return best


def largest(values: list[Any], least: Any) -> Any:
    found = least
    for value in values:
        if math.isnan(value):
            return value
        above = value > found or (value == found == 0 and math.copysign(1, value) > 0)
        found = value if above else found
    return found


ANSWERS: dict[str, Callable[[list[Any], Any], Any]] = {
    "sum": lambda values, _: sum(values) if values else 0.0,
    "prod": lambda values, _: math.prod(values),
    "reduce_max": largest,
    "reduce_min": lambda values, least: -largest([-v for v in values], least),
    "argmax": lambda values, _: first_extreme(values, lambda a, b: a > b),
    "argmin": lambda values, _: first_extreme(values, lambda a, b: a < b),
    "any": lambda values, _: int(any(values)),
    "all": lambda values, _: int(all(values)),
}
"""Each reduction in plain Python; the second argument is what a maximum of nothing is."""

SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0]


def whole_numbers(shape: Sequence[int], dtype: str = "f8") -> Array:
    generator = np.random.default_rng(math.prod(shape))
    return generator.integers(-3, 4, shape).astype(dtype)


def special_numbers(shape: Sequence[int]) -> Array:
    """Few numbers, many of them equal, zeros of both signs, infinities and now and then a NaN."""
    generator = np.random.default_rng(sum(shape))
    values = generator.integers(-1, 2, shape).astype("f8")
    chosen = generator.integers(0, 25, shape)
    for i, value in enumerate(SPECIAL):
        values[chosen == i] = value
    return values


def negative_numbers(shape: Sequence[int]) -> Array:
    """All below zero, so that a padding lane that is read as 0 shows."""
    return -1.0 - np.abs(whole_numbers(shape))


def call(kind: str, axis: str = "") -> str:
    reduction = f"{kind}(x[offs]{axis})"
    return f"select({reduction}, 1, 0)" if kind in ("any", "all") else reduction


def result_type(kind: str, element: str) -> str:
    return "i64" if kind in ("argmax", "argmin", "any", "all") or element != "f64" else "f64"


NUMPY = {"f64": "f8", "i32": "i4", "i64": "i8", "bool": "?"}
INPUTS: dict[str, tuple[str, Callable[[Sequence[int]], Array]]] = {
    "whole": ("f64", whole_numbers),
    "special": ("f64", special_numbers),
    "negative": ("f64", negative_numbers),
    "i32": ("i32", lambda shape: whole_numbers(shape, "i4")),
    "bool": ("bool", lambda shape: whole_numbers(shape) > 0),
}


def cases() -> list[tuple[str, str]]:
    found = [(kind, data) for kind in ANSWERS for data in INPUTS]
    unfit = {("sum", "special"), ("prod", "special")}
    return [
        (kind, data)
        for kind, data in found
        if (kind, data) not in unfit and (data != "bool" or kind in ("any", "all"))
    ]


@pytest.mark.parametrize(("kind", "data"), cases())
@pytest.mark.parametrize("axis", [None, 0, 1], ids=["all", "columns", "rows"])
def test_every_reduction_over_rows_and_columns(kind: str, data: str, axis: int | None):
    element, make = INPUTS[data]
    stored = result_type(kind, element)
    index = {None: "0", 0: "col", 1: "row"}[axis]
    argument = "" if axis is None else f", {axis}"

    def arrays(shape: Sequence[int]) -> list[Array]:
        count = 1 if axis is None else shape[1 - axis]
        return [make(shape), np.zeros(count, NUMPY[stored])]

    def expected(x: Array, out: Array) -> Sequence[Any]:
        least = -math.inf if element == "f64" else np.iinfo("i4").min
        if kind == "reduce_min" and element != "f64":
            least = -np.iinfo("i4").max
        lines = {None: [x.reshape(-1)], 0: x.T, 1: x}[axis]
        found = [ANSWERS[kind](line.tolist(), least) for line in lines]
        return x, np.array(found, out.dtype)

    body = f"store(out, {index}, {call(kind, argument)})"
    check(body, arrays, expected, marker=GRID, x=element, out=stored)


@pytest.mark.parametrize(("kind", "data"), cases())
def test_every_reduction_over_a_whole_input(kind: str, data: str):
    element, make = INPUTS[data]
    stored = result_type(kind, element)
    least = -math.inf if element == "f64" else np.iinfo("i4").min + (kind == "reduce_min")

    def expected(x: Array, out: Array) -> Sequence[Any]:
        return x, [ANSWERS[kind](x.tolist(), least)]

    check(
        f"store(out, 0, {call(kind)})",
        lambda shape: [make(shape), np.zeros(1, NUMPY[stored])],
        expected,
        x=element,
        out=stored,
    )


# --- from Python ---


def test_a_position_is_no_reason_to_take_integers():
    x = np.array([0.5, 2.5, 1.5])
    assert run("store(out, 0, x[argmax(x[offs])])", x, np.zeros(1)).tolist() == [2.5]


def test_an_axis_that_a_kernel_does_not_have_is_refused():
    refused("store(out, 0, sum(x[offs], 1))", "P305", "sum")
    refused("store(out, 0, sum(x[offs], 2))", "P305", "sum", marker=GRID)
    refused("store(out, 0, sum(x[offs], n_rows))", "P305", "sum", marker=GRID)
    refused("store(out, 0, cumsum(x[offs], 1))", "P305", "cumsum")


def test_truth_values_are_not_summed():
    refused("store(out, 0, sum(x[offs] > 0))", "P305", "sum")
