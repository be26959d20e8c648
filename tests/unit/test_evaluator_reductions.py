"""Reductions over the whole input, rows and columns, also in blocks with padding lanes."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from evaluator_kernels import MEMORY, grid, linear
from evaluator_reference import BF16, F16, F32, Format, wrap

from patlang_ir.backends.numpy import evaluate

Array = np.ndarray[Any, Any]
single = pytest.mark.parametrize("block", [None, {"BLOCK_SIZE": 4}])
sizes = pytest.mark.parametrize("n", [1, 2, 5, 8, 100])


def reduce_all(
    kind: str, type: str, x: Array, result: str, block: dict[str, int] | None = None
) -> Array:
    """`out[0] = kind(x[offs])` in a single program; a padding lane holds 7 before it is loaded."""
    kernel = linear(
        {"x": f"{type}[]", "out": f"{result}[]"},
        f"""%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<{type}>, T<i64>) -> T<{type}>
        %r = tile.reduce {kind} %v : T<{type}> -> {result}
        %zero = tile.constant 0 : i64
        tile.store %r, %out[%zero] : {result}, B<{result}>, i64""",
        stage="cover [0]",
    )
    out = np.zeros(1, MEMORY[result])
    evaluate(kernel, [x, out], {"n": x.size}, blocks=block)
    return out


def padded(kind: str, x: Array, block: dict[str, int] | None) -> float:
    """The same of `x[offs] - 3`, whose padding lanes hold -3, and of its negative."""
    kernel = linear(
        {"x": "i32[]", "out": "i32[]"},
        f"""%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i32>, T<i64>) -> T<i32>
        %three = tile.constant 3 : i32
        %threes = tile.broadcast %three : i32 -> T<i32>
        %w = tile.sub %v, %threes : T<i32>
        %m = tile.neg %w : T<i32>
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %r = tile.reduce {kind} %w : T<i32> -> i32
        %s = tile.reduce {kind} %m : T<i32> -> i32
        tile.store %r, %out[%zero] : i32, B<i32>, i64
        tile.store %s, %out[%one] : i32, B<i32>, i64""",
        stage="cover [0]",
    )
    out = np.zeros(2, np.int32)
    evaluate(kernel, [x, out], {"n": x.size}, blocks=block)
    return out.tolist()


@single
@sizes
def test_padding_never_shows(n: int, block: dict[str, int] | None) -> None:
    x = np.random.default_rng(n).integers(-5, 6, n).astype(np.int32)
    values = [v - 3 for v in x.tolist()]
    negative = [-v for v in values]
    both = (values, negative)
    assert padded("sum", x, block) == [sum(v) for v in both]
    assert padded("prod", x, block) == [wrap(math.prod(v), 32) for v in both]
    assert padded("max", x, block) == [max(v) for v in both]
    assert padded("min", x, block) == [min(v) for v in both]
    assert padded("argmax", x, block) == [v.index(max(v)) for v in both]
    assert padded("argmin", x, block) == [v.index(min(v)) for v in both]


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "i64", "ui8"])
def test_integer_sums_wrap_at_the_width_of_the_result(type: str) -> None:
    info = np.iinfo(MEMORY[type])
    x = np.random.default_rng(1).integers(
        info.min, info.max, 100, dtype=MEMORY[type], endpoint=True
    )
    for result in ("i8", "i16", "i32", "i64", "ui8"):
        width = np.iinfo(MEMORY[result]).bits
        total, product = sum(x.tolist()), math.prod(x.tolist())
        want = wrap(total, width, signed=result != "ui8")
        assert reduce_all("sum", type, x, result).tolist() == [want]
        want = wrap(product, width, signed=result != "ui8")
        assert reduce_all("prod", type, x, result).tolist() == [want]


def test_truth_values_are_counted() -> None:
    x = np.array([True, False, True, True])
    assert reduce_all("sum", "i1", x, "i32").tolist() == [3]


@single
@pytest.mark.parametrize("n", [0, 1, 3, 4, 9])
def test_any_and_all(n: int, block: dict[str, int] | None) -> None:
    for seed in range(4):
        x = np.random.default_rng(seed).integers(0, 2, n).astype(bool)
        assert reduce_all("any", "i1", x, "i1", block).tolist() == [any(x.tolist())]
        assert reduce_all("all", "i1", x, "i1", block).tolist() == [all(x.tolist())]


@pytest.mark.parametrize(
    ("kind", "neutral"), [("sum", 0.0), ("prod", 1.0), ("max", -math.inf), ("min", math.inf)]
)
def test_no_lanes_give_the_neutral_element(kind: str, neutral: float) -> None:
    empty = np.zeros(0, np.float32)
    for block in (None, {"BLOCK_SIZE": 4}):
        assert reduce_all(kind, "f32", empty, "f32", block).tolist() == [neutral]
    if kind in ("max", "min"):
        info = np.iinfo(np.int16)
        want = info.min if kind == "max" else info.max
        assert reduce_all(kind, "i16", np.zeros(0, np.int16), "i16").tolist() == [want]
        assert reduce_all(f"arg{kind}", "i16", np.zeros(0, np.int16), "i64").tolist() == [0]


@single
@sizes
@pytest.mark.parametrize("nans", [0, 1, 3])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_nan_wins_extremes(type: str, nans: int, n: int, block: dict[str, int] | None) -> None:
    """The value is NaN, and the place is that of the first NaN, else of the first extreme."""
    random = np.random.default_rng(n + nans)
    x = random.integers(-3, 4, n).astype(MEMORY[type])
    x[random.integers(0, n, nans)] = np.nan
    values = x.tolist()
    numbers = [v for v in values if not math.isnan(v)]
    first_nan = next((i for i, v in enumerate(values) if math.isnan(v)), None)
    for kind, extreme in (("max", max), ("min", min)):
        want = math.nan if first_nan is not None else extreme(numbers)
        got = reduce_all(kind, type, x, type, block)
        assert np.array_equal(got, [want], equal_nan=True)
        place = values.index(extreme(numbers)) if first_nan is None else first_nan
        assert reduce_all(f"arg{kind}", type, x, "i64", block).tolist() == [place]


@pytest.mark.parametrize("zeros", ["+-", "-+", "--", "++", "-----+--"])
def test_signed_zeros(zeros: str) -> None:
    x = np.array([0.0 if z == "+" else -0.0 for z in zeros], np.float32)
    assert np.signbit(reduce_all("max", "f32", x, "f32")[0]) == ("+" not in zeros)
    assert np.signbit(reduce_all("min", "f32", x, "f32")[0]) == ("-" in zeros)


@pytest.mark.parametrize("type", ["f32", "f64"])
@pytest.mark.parametrize("n", [1, 100, 3001])
def test_float_sums_are_close_and_do_not_depend_on_padding(type: str, n: int) -> None:
    x = np.random.default_rng(n).standard_normal(n).astype(MEMORY[type])
    got = reduce_all("sum", type, x, type)
    scale = sum(map(abs, map(Fraction, x.tolist())))
    error = abs(Fraction(float(got[0])) - sum(map(Fraction, x.tolist())))
    assert error <= scale * Fraction(float(np.finfo(MEMORY[type]).eps)) * 8
    assert np.array_equal(reduce_all("sum", type, x, type, {"BLOCK_SIZE": 32}), got)


@pytest.mark.parametrize("format", [F16, BF16], ids=lambda f: f.name)
def test_narrow_floats_add_in_f32_and_round_once(format: Format) -> None:
    """1 + 2001 halves of its last place would stay 1 if each sum were rounded."""
    small = format.of(2.0**-format.precision)
    words = np.array([format.of(1.0)] + [small] * 2001, np.uint16)
    x = words if format is BF16 else words.view(np.float16)
    got = reduce_all("sum", format.name, x, format.name).view(np.uint16).tolist()
    exact = 1 + 2001 * Fraction(2) ** -format.precision
    assert F32.value(F32.nearest(exact)) == exact
    assert got == [format.nearest(exact)]


@pytest.mark.parametrize("format", [F16, BF16], ids=lambda f: f.name)
def test_a_narrow_sum_is_rounded_before_it_is_used(format: Format) -> None:
    """`sum(x) - 1` of 1 and a half of its last place: the sum is 1 again."""
    name = format.name
    kernel = linear(
        {"x": f"{name}[]", "out": f"{name}[]"},
        f"""%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<{name}>, T<i64>) -> T<{name}>
        %r = tile.reduce sum %v : T<{name}> -> {name}
        %one = tile.constant 1.0 : {name}
        %rest = tile.sub %r, %one : {name}
        %zero = tile.constant 0 : i64
        tile.store %rest, %out[%zero] : {name}, B<{name}>, i64""",
    )
    words = np.array([format.of(1.0), format.of(2.0**-format.precision)], np.uint16)
    x = words if format is BF16 else words.view(np.float16)
    out = np.full_like(x[:1], 7)
    evaluate(kernel, [x, out], {"n": 2})
    assert out.view(np.uint16).tolist() == [0]


BLOCKS = [
    None,
    {"BLOCK_R": 2, "BLOCK_C": 8},
    {"BLOCK_R": 8, "BLOCK_C": 8},
    {"BLOCK_R": 1, "BLOCK_C": 5},
]


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (6, 2), (7, 5)])
@pytest.mark.parametrize(
    ("kind", "python"),
    [
        ("sum", sum),
        ("max", max),
        ("min", min),
        ("prod", math.prod),
        ("argmax", lambda row: row.index(max(row))),
        ("argmin", lambda row: row.index(min(row))),
    ],
)
def test_along_rows(kind: str, python: Any, shape: tuple[int, int], block: dict[str, int]) -> None:
    """A block that covers the columns gives each row's result, whatever rows it has."""
    kernel = grid(
        {"x": "i64[]", "out": "i64[]", "back": "i64[]"},
        f"""%offs = tile.index offs : T<i64>
        %row = tile.index row : R<i64>
        %v = tile.load %x[%offs] : (B<i64>, T<i64>) -> T<i64>
        %r = tile.reduce {kind} %v axis 1 : T<i64> -> R<i64>
        %wide = tile.broadcast %r : R<i64> -> T<i64>
        tile.store %r, %out[%row] : R<i64>, B<i64>, R<i64>
        tile.store %wide, %back[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    x = np.random.default_rng(3).integers(-4, 5, shape)
    out, back = np.zeros(shape[0], np.int64), np.zeros(shape, np.int64)
    evaluate(kernel, [x, out, back], {"n_rows": shape[0], "n_cols": shape[1]}, blocks=block)
    want = [python(row) for row in x.tolist()]
    assert out.tolist() == want
    assert back.tolist() == [[value] * shape[1] for value in want]


@pytest.mark.parametrize("block", [None, {"BLOCK_R": 8, "BLOCK_C": 2}])
@pytest.mark.parametrize(
    ("kind", "python"), [("sum", sum), ("argmax", lambda row: row.index(max(row)))]
)
def test_along_columns(kind: str, python: Any, block: dict[str, int] | None) -> None:
    kernel = grid(
        {"x": "i64[]", "out": "i64[]"},
        f"""%offs = tile.index offs : T<i64>
        %col = tile.index col : C<i64>
        %v = tile.load %x[%offs] : (B<i64>, T<i64>) -> T<i64>
        %r = tile.reduce {kind} %v axis 0 : T<i64> -> C<i64>
        tile.store %r, %out[%col] : C<i64>, B<i64>, C<i64>""",
    )
    x = np.random.default_rng(3).integers(-4, 5, (7, 5))
    out = np.zeros(5, np.int64)
    evaluate(kernel, [x, out], {"n_rows": 7, "n_cols": 5}, blocks=block)
    assert out.tolist() == [python(column) for column in x.T.tolist()]


@pytest.mark.parametrize("block", [None, {"BLOCK_R": 2, "BLOCK_C": 2}])
@pytest.mark.parametrize("shape", [(3, 5), (1, 6), (0, 4), (4, 0)])
def test_over_rows_and_columns(shape: tuple[int, int], block: dict[str, int] | None) -> None:
    """A stage that covers both axes is one block; a place counts along rows."""
    kernel = grid(
        {"x": "i64[]", "out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i64>, T<i64>) -> T<i64>
        %s = tile.reduce sum %v : T<i64> -> i64
        %p = tile.reduce argmin %v : T<i64> -> i64
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        tile.store %s, %out[%zero] : i64, B<i64>, i64
        tile.store %p, %out[%one] : i64, B<i64>, i64""",
        stage="cover [0, 1]",
    )
    x = np.random.default_rng(8).integers(1, 9, shape)
    out = np.zeros(2, np.int64)
    evaluate(kernel, [x, out], {"n_rows": shape[0], "n_cols": shape[1]}, blocks=block)
    flat = x.ravel().tolist()
    assert out.tolist() == [sum(flat), flat.index(min(flat)) if flat else 0]


def test_a_reduction_cut_into_blocks_gives_another_answer() -> None:
    """What the legality analysis must find: each program sees its own lanes only."""
    kernel = linear(
        {"x": "i64[]", "out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i64>, T<i64>) -> T<i64>
        %r = tile.reduce sum %v : T<i64> -> i64
        %wide = tile.broadcast %r : i64 -> T<i64>
        tile.store %wide, %out[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    x, out = np.array([1, 2, 3, 4, 5]), np.zeros(5, np.int64)
    evaluate(kernel, [x, out], {"n": 5}, blocks={"BLOCK_SIZE": 2})
    assert out.tolist() == [3, 3, 7, 7, 5]
    evaluate(kernel, [x, out], {"n": 5})
    assert out.tolist() == [15] * 5


def test_the_place_found_by_a_block_is_one_in_the_whole_input() -> None:
    kernel = grid(
        {"x": "i64[]", "out": "i64[]", "rows": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i64>, T<i64>) -> T<i64>
        %p = tile.reduce argmax %v : T<i64> -> i64
        %wide = tile.broadcast %p : i64 -> T<i64>
        tile.store %wide, %out[%offs] : T<i64>, B<i64>, T<i64>
        %q = tile.reduce argmax %v axis 0 : T<i64> -> C<i64>
        %long = tile.broadcast %q : C<i64> -> T<i64>
        tile.store %long, %rows[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    x = np.array([[1, 5, 2], [7, 3, 9], [4, 4, 8]])
    out, rows = np.zeros((3, 3), np.int64), np.zeros((3, 3), np.int64)
    blocks = {"BLOCK_R": 2, "BLOCK_C": 2}
    evaluate(kernel, [x, out, rows], {"n_rows": 3, "n_cols": 3}, blocks=blocks)
    assert out.tolist() == [[3, 3, 5], [3, 3, 5], [6, 6, 8]]
    assert rows.tolist() == [[1, 0, 1], [1, 0, 1], [2, 2, 2]]
