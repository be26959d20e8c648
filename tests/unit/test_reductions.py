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

from patlang_ir.diagnostics import LaunchError
from patlang_ir.dialects import tile

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


# --- in kernels that do more ---


def total(x: Array) -> Any:
    return x.sum() if x.size else 0.0


def most(x: Array) -> Any:
    return x.max() if x.size else -math.inf


def twice_centred(x: Array, out: Array) -> Sequence[Any]:
    centred = x - total(x)
    return x, centred * total(centred)


def variance(x: Array, out: Array) -> Sequence[Any]:
    centred = x * x.size - total(x)
    return x, centred + total(centred * centred)


def restored(x: Array, out: Array) -> Sequence[Any]:
    return np.full_like(x, total(x)), x + total(x)


def counted(x: Array, out: Array) -> Sequence[Any]:
    return x, np.full_like(x, max(0, math.ceil(total(abs(x)) / 3) * 3))


def between(x: Array, out: Array) -> Sequence[Any]:
    out = 1 + total(x) + 0 * x
    return x, out * total(out)


KERNELS: dict[str, tuple[str, Callable[..., Sequence[Any]]]] = {
    "subtracted": ("store(out, offs, x[offs] - sum(x[offs]))", lambda x, o: (x, x - total(x))),
    "used twice": (
        "let d = x[offs] - sum(x[offs]); store(out, offs, d * sum(d))",
        twice_centred,
    ),
    "mean, then variance": (
        "let d = x[offs] * n - sum(x[offs]); store(out, offs, d + sum(d * d))",
        variance,
    ),
    "with n": (
        "store(out, offs, x[offs] + sum(x[offs]) * n)",
        lambda x, o: (x, x + total(x) * x.size),
    ),
    "several of one level": (
        "let s = sum(x[offs]); let m = prod(x[offs]); store(out, offs, s * x[offs] + m)",
        lambda x, o: (x, total(x) * x + math.prod(x)),
    ),
    "in place": (
        "let s = sum(x[offs]); store(x, offs, x[offs] + s); store(out, offs, x[offs])",
        lambda x, o: (x + total(x), x + total(x)),
    ),
    "loaded before the store, used after it": (
        "let v = x[offs]; let s = sum(v); store(x, offs, s); store(out, offs, v + s)",
        restored,
    ),
    "summed in a loop before the store": (
        """let v = 0; let i = 0
        while i < 3 do
          let v = v + x[offs]; let i = i + 1
        end
        let s = sum(x[offs]); store(x, offs, s); store(out, offs, v - 2 * x[offs] + 3 * s)""",
        lambda x, o: (np.full_like(x, total(x)), 3 * x + total(x)),
    ),
    "chosen in a branch before the store": (
        """let v = x[offs]
        if n > 2 then
          let v = x[offs] * 3
        end
        let s = sum(x[offs]); store(x, offs, s); store(out, offs, v + s)""",
        lambda x, o: (np.full_like(x, total(x)), x * (3 if x.size > 2 else 1) + total(x)),
    ),
    "stored, then summed": (
        "let v = x[offs]; store(x, offs, v * 2); let s = sum(x[offs]); store(out, offs, v + s)",
        lambda x, o: (x * 2, x + 2 * total(x)),
    ),
    "stored between two sums": (
        """store(out, offs, 1); let s = sum(x[offs]); store(out, offs, out[offs] + s)
        let t = sum(out[offs]); store(out, offs, out[offs] * t)""",
        between,
    ),
    "stores in a loop, its counter afterwards": (
        """let i = 0
        while i < 3 do
          store(out, offs, out[offs] + x[offs]); let i = i + 1
        end
        let s = sum(out[offs]); store(x, offs, s + i + x[offs])""",
        lambda x, o: (3 * total(x) + 3 + x, 3 * x),
    ),
    "lanes carried by a loop that stores": (
        """let v = x[offs]; let i = 0
        while i < 2 do
          store(out, offs, out[offs] + v); let v = v + out[offs]; let i = i + 1
        end
        let s = sum(v); store(out, offs, v + s + i)""",
        lambda x, o: (x, 5 * x + 5 * total(x) + 2),
    ),
    "a branch that depends on it": (
        """let s = sum(x[offs])
        if s > 0 then
          store(out, offs, x[offs])
        else
          store(out, offs, s)
        end""",
        lambda x, o: (x, x if total(x) > 0 else np.full_like(x, total(x))),
    ),
    "a loop bound that depends on it": (
        """let s = sum(abs(x[offs])); let i = 0
        while i < s do
          let i = i + 3
        end
        store(out, offs, i)""",
        counted,
    ),
    "a loop that depends on lanes carried over": (
        """let s = sum(x[offs]); let v = x[offs]; let i = 0
        while i < 4 do
          let v = v + s; let i = i + 1
        end
        store(out, offs, v + sum(v))""",
        lambda x, o: (x, x + 4 * total(x) + total(x + 4 * total(x))),
    ),
    "a scatter of it": (
        "store(out, n - 1 - offs, x[offs] + sum(x[offs]))",
        lambda x, o: (x, x[::-1] + total(x)),
    ),
    "the element at an extreme": (
        "let m = argmax(x[offs]); store(out, offs, x[offs] + x[m])",
        lambda x, o: (x, x + (x[int(np.argmax(x))] if x.size else 0)),
    ),
    "atomics of every lane": (
        "let s = sum(x[offs]); atomic_add(out, offs, x[offs] * s)",
        lambda x, o: (x, x * total(x)),
    ),
    "a sum of nothing but a number": (
        "store(out, offs, sum(2) + x[offs])",
        lambda x, o: (x, x + 2 * x.size),
    ),
    "a running sum": (
        "let c = cumsum(x[offs]); store(x, offs, c); store(out, offs, c + sum(c))",
        lambda x, o: (np.cumsum(x), np.cumsum(x) + total(np.cumsum(x))),
    ),
    "a running sum of a running sum": (
        "let c = cumsum(x[offs] - sum(x[offs])); store(out, offs, cumsum(c))",
        lambda x, o: (x, np.cumsum(np.cumsum(x - total(x)))),
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_reductions_in_kernels_that_do_more(name: str):
    body, expected = KERNELS[name]
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(shape)],
        lambda x, out: [np.array(a, "f8") for a in expected(x, out)],
        x="f64",
        out="f64",
    )


def rows(x: Array) -> Array:
    return x.sum(1, keepdims=True)


def row_most(x: Array) -> Array:
    return x.max(1, keepdims=True, initial=-math.inf)


def column_most(x: Array) -> Array:
    return x.max(0, keepdims=True, initial=-math.inf)


def scaled_rows(x: Array, out: Array) -> Sequence[Any]:
    shifted = x - row_most(x)
    return x, shifted * rows(shifted)


def scaled_columns(x: Array, out: Array) -> Sequence[Any]:
    shifted = x - column_most(x)
    return x, shifted * shifted.sum(0, keepdims=True)


def first_of_all(x: Array, out: Array) -> Sequence[Any]:
    return x, x + (int(np.argmax(x)) if x.size else 0)


GRID_KERNELS: dict[str, tuple[str, Callable[..., Sequence[Any]]]] = {
    "rows, twice": (
        "let e = x[offs] - reduce_max(x[offs], 1); store(out, offs, e * sum(e, 1))",
        scaled_rows,
    ),
    "columns, twice": (
        "let e = x[offs] - reduce_max(x[offs], 0); store(out, offs, e * sum(e, 0))",
        scaled_columns,
    ),
    "all of it": (
        "store(out, offs, x[offs] - sum(x[offs]))",
        lambda x, o: (x, x - total(x)),
    ),
    "the first extreme of all": ("store(out, offs, x[offs] + argmax(x[offs]))", first_of_all),
    "the first extreme of each row": (
        "store(out, offs, x[offs] + argmax(x[offs], 1))",
        lambda x, o: (x, x + (x.argmax(1, keepdims=True) if x.shape[1] else 0)),
    ),
    "with n_rows and n_cols": (
        "store(out, offs, sum(x[offs], 1) * n_cols + n_rows)",
        lambda x, o: (x, rows(x) * x.shape[1] + x.shape[0] + 0 * x),
    ),
    "a row number": (
        "store(out, offs, sum(row + 0 * x[offs], 1))",
        lambda x, o: (x, np.arange(x.shape[0])[:, None] * x.shape[1] + 0 * x),
    ),
    "one row times another": (
        "store(out, offs, sum(x[offs] * x[col], 1))",
        lambda x, o: (x, rows(x * x[:1]) + 0 * x if x.size else x),
    ),
    "loaded before the store, used after it": (
        "let v = x[offs]; let s = sum(v, 1); store(x, offs, s); store(out, offs, v + s)",
        lambda x, o: (rows(x) + 0 * x, x + rows(x)),
    ),
    "a sum of sums": (
        "let s = sum(x[offs], 1); store(out, offs, sum(x[offs] * s, 1) + s)",
        lambda x, o: (x, rows(x * rows(x)) + rows(x) + 0 * x),
    ),
    "rows carried by a loop that stores": (
        """let r = row; let i = 0
        while i < 2 do
          store(out, offs, out[offs] + x[offs]); let r = r + row; let i = i + 1
        end
        let s = sum(x[offs], 1); store(x, offs, s + r + i)""",
        lambda x, o: (rows(x) + 3 * np.arange(x.shape[0])[:, None] + 2 + 0 * x, 2 * x),
    ),
    "running sums along rows": (
        "store(out, offs, cumsum(x[offs], 1) + sum(x[offs], 1))",
        lambda x, o: (x, np.cumsum(x, 1) + rows(x)),
    ),
    "running sums along columns": (
        "store(out, offs, cumsum(x[offs], 0) + sum(x[offs], 0))",
        lambda x, o: (x, np.cumsum(x, 0) + x.sum(0, keepdims=True)),
    ),
}


@pytest.mark.parametrize("name", GRID_KERNELS)
def test_reductions_in_2d_kernels_that_do_more(name: str):
    body, expected = GRID_KERNELS[name]
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(shape)],
        lambda x, out: [np.array(a, "f8") for a in expected(x, out)],
        marker=GRID,
        x="f64",
        out="f64",
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("let s = sum(x[offs]); atomic_add(out, 0, s)", lambda x: [total(x), 0]),
        (
            "atomic_add(out, 0, 1); let s = sum(x[offs]); atomic_add(out, 1, s)",
            lambda x: [1, total(x)],
        ),
        (
            """let s = sum(x[offs]); let i = 0
            while i < 3 do
              atomic_add(out, 0, s); let i = i + 1
            end
            let t = sum(x[offs] - s); atomic_add(out, 1, t + i)""",
            lambda x: [3 * total(x), total(x - total(x)) + 3],
        ),
        (
            """let s = sum(x[offs])
            if s > 0 then
              store(out, 1, s)
            end""",
            lambda x: [0, max(total(x), 0)],
        ),
    ],
    ids=["once", "before and after", "in a loop", "in a branch"],
)
def test_what_is_not_of_lanes_happens_once(body: str, expected: Callable[[Array], list[Any]]):
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(2)],
        lambda x, out: (x, np.array(expected(x), "f8")),
        x="f64",
        out="f64",
    )


def test_scalars_take_part_in_every_stage():
    body = "let d = x[offs] * s - sum(x[offs] * s); store(out, offs, d + s * sum(d))"
    text = kernel_text(body, "x, s, out")
    kernel = tile_kernel(text, s="f64")
    for passes in (CHAIN, GUARDED):
        chain = tile_kernel(text, passes, s="f64")
        for (n,) in LENGTHS:
            x = whole_numbers((n,))
            args = [x, 3.0, np.zeros(n)]
            centred = x * 3 - total(x * 3)
            assert same(whole(kernel, args, (n,))[2], centred + 3 * total(centred))
            for name, found in in_blocks(chain, args, (n,)):
                assert same(found[2], centred + 3 * total(centred)), (n, name)


# --- what cannot be cut into stages ---

BOUNDED = {
    "in a loop": """let v = x[offs]; let i = 0
        while i < 3 do
          let v = v + sum(v); let i = i + 1
        end
        store(out, offs, v)""",
    "in a branch": """if n > 2 then
          store(out, offs, x[offs] + sum(x[offs]))
        end""",
}


def one_program(x: Array) -> Array:
    for _ in range(3):
        x = x + total(x)
    return x


@pytest.mark.parametrize("name", BOUNDED)
def test_inside_control_flow_one_program_does_it_up_to_the_limit(name: str):
    text = kernel_text(BOUNDED[name])
    for passes in (CHAIN, GUARDED):
        kernel = tile_kernel(text, passes)
        assert [stage.upto.data for stage in kernel.stages if stage.upto] == [LIMIT]
        for n in range(LIMIT + 1):
            x = whole_numbers((n,))
            expected = one_program(x) if name == "in a loop" else (x + total(x)) * (n > 2)
            for how, found in in_blocks(kernel, [x, np.zeros(n)], (n,)):
                assert same(found[1] + 0, expected + 0), (n, how)
        for n in (LIMIT + 1, 3 * LIMIT):
            x, out = whole_numbers((n,)), np.zeros(n)
            with pytest.raises(
                LaunchError, match=f"a branch, which takes at most {LIMIT} elements, and {n}"
            ) as caught:
                list(in_blocks(kernel, [x, out], (n,)))
            assert caught.value.diagnostic.code == "P501"
            assert caught.value.diagnostic.place is not None


def test_rows_and_columns_together_have_the_limit_too():
    text = kernel_text("store(out, offs, sum(x[offs], 0) * sum(x[offs], 1))", marker=GRID)
    for passes in (CHAIN, GUARDED):
        kernel = tile_kernel(text, passes)
        x = np.array([[1.0, 2.0], [3.0, 5.0]])
        for how, found in in_blocks(kernel, [x.reshape(-1), np.zeros(4)], (2, 2)):
            assert found[1].tolist() == [4 * 3, 7 * 3, 4 * 8, 7 * 8], how
        with pytest.raises(
            LaunchError, match="along columns, which takes at most 4 elements, and 6"
        ):
            list(in_blocks(kernel, [np.zeros(6), np.zeros(6)], (2, 3)))


# --- the shape of a chain ---


def stages_of(body: str, marker: str = LINEAR) -> list[tuple[tuple[int, ...], bool]]:
    """The axes that each stage above the limit covers, and whether its input is scratch."""
    kernel = tile_kernel(kernel_text(body, marker=marker), CHAIN)
    above = [stage for stage in kernel.stages if stage.above is not None]
    return [(tuple(sorted(stage.covered)), stage.over is not None) for stage in above]


def test_one_chain_serves_all_reductions_of_a_level():
    lanes, combine = ((), False), ((0,), True)
    assert stages_of("store(out, 0, sum(x[offs]))") == [lanes, combine]
    assert stages_of("store(out, offs, x[offs] - sum(x[offs]))") == [lanes, combine, lanes]
    several = "store(out, offs, x[offs] - sum(x[offs]) + reduce_max(x[offs]))"
    assert stages_of(several) == [lanes, combine, lanes]
    twice = "let d = x[offs] - sum(x[offs]); store(out, offs, d * sum(d))"
    assert stages_of(twice) == [lanes, combine, lanes, combine, lanes]


def test_only_the_axis_that_is_combined_is_covered():
    assert stages_of("store(out, row, sum(x[offs], 1))", GRID)[1] == ((1,), True)
    assert stages_of("store(out, col, sum(x[offs], 0))", GRID)[1] == ((0,), True)
    assert stages_of("store(out, 0, sum(x[offs]))", GRID)[1] == ((0, 1), True)


def test_a_kernel_without_reductions_stays_as_it_is():
    kernel = tile_kernel(kernel_text("store(out, offs, x[offs])"), CHAIN)
    (stage,) = kernel.stages
    assert (stage.above, stage.upto, stage.covered) == (None, None, frozenset())


def test_nothing_is_kept_that_can_be_computed_again():
    body = "let v = x[offs] * 2; let s = sum(v); store(out, offs, v + s)"
    kernel = tile_kernel(kernel_text(body), CHAIN)
    extents = [[extent.data for extent in op.extents] for op in kernel.scratch]
    assert extents == [[tile.Extent.BLOCKS], [tile.Extent.ONE]]


def test_a_value_that_only_a_reduction_needs_is_not_kept():
    body = "let s = sum(x[offs]); store(x, offs, 0.0); let t = sum(x[offs]); store(out, 0, s + t)"
    kernel = tile_kernel(kernel_text(body), CHAIN)
    assert [tile.Extent.ALL] not in [[e.data for e in op.extents] for op in kernel.scratch]


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
