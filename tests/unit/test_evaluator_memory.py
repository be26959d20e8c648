"""Loads, stores and atomics: bounds, padding, masks, guards, and what a wrong guard does."""

from __future__ import annotations

import numpy as np
import pytest
from evaluator_kernels import grid, linear
from hypothesis import given, settings
from hypothesis import strategies as st

from patlang_ir.backends.numpy import evaluate
from patlang_ir.diagnostics import LaunchError

SCATTER = """%offs = tile.index offs : T<i64>
%i = tile.load %index[%offs] : (B<i64>, T<i64>) -> T<i64>
%v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
tile.store %v, %out[%i] : T<f32>, B<f32>, T<i64>"""
GATHER = """%offs = tile.index offs : T<i64>
%i = tile.load %index[%offs] : (B<i64>, T<i64>) -> T<i64>
%v = tile.load %x[%i] : (B<f32>, T<i64>) -> T<f32>
tile.store %v, %out[%offs] : T<f32>, B<f32>, T<i64>"""
BUFFERS = {"index": "i64[]", "x": "f32[]", "out": "f32[]"}

cuts = pytest.mark.parametrize("block", [None, 1, 3, 4, 7, 64])
indices = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 12), min_size=1, max_size=9)


def blocks(size: int | None) -> dict[str, int] | None:
    return {"BLOCK_SIZE": size} if size else None


@cuts
@settings(max_examples=20, deadline=None)
@given(indices)
def test_a_load_outside_its_buffer_gives_0(block: int | None, index: list[int]) -> None:
    x = np.arange(10, 17, dtype=np.float32)
    out = np.full(len(index), np.float32(99))
    args = [np.array(index, np.int64), x, out]
    evaluate(linear(BUFFERS, GATHER), args, {"n": len(index)}, blocks=blocks(block))
    assert out.tolist() == [x[i] if 0 <= i < 7 else 0.0 for i in index]


@cuts
@settings(max_examples=20, deadline=None)
@given(indices)
def test_a_store_outside_its_buffer_does_nothing(block: int | None, index: list[int]) -> None:
    x = np.arange(1, len(index) + 1, dtype=np.float32)
    out = np.zeros(7, np.float32)
    args = [np.array(index, np.int64), x, out]
    evaluate(linear(BUFFERS, SCATTER), args, {"n": len(index)}, blocks=blocks(block))
    for place in range(7):
        writers = [x[lane] for lane, i in enumerate(index) if i == place] or [0.0]
        assert out[place] in writers


def test_an_empty_buffer_reads_as_0() -> None:
    out = np.full(3, np.float32(9))
    args = [np.array([0, 1, -1]), np.zeros(0, np.float32), out]
    evaluate(linear(BUFFERS, GATHER), args, {"n": 3})
    assert out.tolist() == [0, 0, 0]


@pytest.mark.parametrize("type", ["i8", "i16", "i32", "ui8"])
def test_narrow_indices(type: str) -> None:
    """Also where the buffer is longer than the index type can count."""
    kernel = linear(
        {"index": f"{type}[]", "x": "i64[]", "out": "i64[]"},
        f"""%offs = tile.index offs : T<i64>
        %i = tile.load %index[%offs] : (B<{type}>, T<i64>) -> T<{type}>
        %v = tile.load %x[%i] : (B<i64>, T<{type}>) -> T<i64>
        tile.store %v, %out[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    index = np.array([0, 5, 100]).astype({"ui8": "uint8"}.get(type, type.replace("i", "int")))
    out = np.zeros(3, np.int64)
    evaluate(kernel, [index, np.arange(1000), out], {"n": 3})
    assert out.tolist() == [0, 5, 100]


OFFS_STORED = """%offs = tile.index offs : T<i64>
tile.store %offs, %out[%offs] : T<i64>, B<i64>, T<i64>"""
OFFS_CAST = """%offs = tile.index offs : T<i64>
%narrow = tile.cast %offs : T<i64> -> T<i16>
%back = tile.cast %narrow : T<i16> -> T<i64>
tile.store %back, %out[%offs] : T<i64>, B<i64>, T<i64>"""


@cuts
@pytest.mark.parametrize("body", [OFFS_STORED, OFFS_CAST])
def test_offs_is_kept_where_it_is_more_than_an_index(block: int | None, body: str) -> None:
    out = np.full(9, -1)
    evaluate(linear({"out": "i64[]"}, body), [out], {"n": 9}, blocks=blocks(block))
    assert out.tolist() == list(range(9))


@cuts
def test_padding_lanes_never_write(block: int | None) -> None:
    """A padding lane has the index of a lane inside: `offs % 5` of lane 5 would be 0 again."""
    kernel = linear(
        {"out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %five = tile.constant 5 : i64
        %fives = tile.broadcast %five : i64 -> T<i64>
        %i = tile.rem %offs, %fives : T<i64>
        tile.store %offs, %out[%i] : T<i64>, B<i64>, T<i64>
        tile.atomic add %offs, %out[%i] : T<i64>, B<i64>, T<i64>""",
    )
    out = np.full(5, 77)
    evaluate(kernel, [out], {"n": 5}, blocks=blocks(block))
    assert out.tolist() == [0, 2, 4, 6, 8]


@pytest.mark.parametrize(
    "block", [None, {"BLOCK_R": 2, "BLOCK_C": 4}, {"BLOCK_R": 8, "BLOCK_C": 1}]
)
def test_padding_lanes_of_a_grid_never_write(block: dict[str, int] | None) -> None:
    """Column 3 of a padded block of width 4 has the flat index of the next row's column 0.

    An atomic at a row happens once for each row, however many blocks lie along it.
    """
    kernel = grid(
        {"out": "i64[]", "rows": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %row = tile.index row : R<i64>
        %col = tile.index col : C<i64>
        %cols = tile.broadcast %col : C<i64> -> T<i64>
        tile.store %cols, %out[%offs] : T<i64>, B<i64>, T<i64>
        tile.atomic add %row, %rows[%row] : R<i64>, B<i64>, R<i64>""",
    )
    out, rows = np.full((5, 3), -1), np.zeros(5, np.int64)
    evaluate(kernel, [out, rows], {"n_rows": 5, "n_cols": 3}, blocks=block)
    assert out.tolist() == [[0, 1, 2]] * 5
    assert rows.tolist() == list(range(5))


def test_a_statement_finishes_for_all_lanes_before_the_next() -> None:
    """Reversing a buffer in place: no lane sees another lane's store."""
    kernel = linear(
        {"x": "f32[]"},
        """%offs = tile.index offs : T<i64>
        %n = tile.size n : i64
        %one = tile.constant 1 : i64
        %last = tile.sub %n, %one : i64
        %lasts = tile.broadcast %last : i64 -> T<i64>
        %i = tile.sub %lasts, %offs : T<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %w = tile.load %x[%i] : (B<f32>, T<i64>) -> T<f32>
        tile.store %w, %x[%offs] : T<f32>, B<f32>, T<i64>
        tile.store %v, %x[%i] : T<f32>, B<f32>, T<i64>""",
    )
    x = np.arange(9, dtype=np.float32)
    evaluate(kernel, [x], {"n": 9})
    assert x.tolist() == list(range(8, -1, -1))


def test_a_loaded_value_keeps_what_it_was() -> None:
    kernel = linear(
        {"x": "f32[]", "out": "f32[]"},
        """%offs = tile.index offs : T<i64>
        %old = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %zero = tile.constant 0.0 : f32
        %zeros = tile.broadcast %zero : f32 -> T<f32>
        tile.store %zeros, %x[%offs] : T<f32>, B<f32>, T<i64>
        tile.store %old, %out[%offs] : T<f32>, B<f32>, T<i64>""",
    )
    x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    evaluate(kernel, [x, out], {"n": 6})
    assert (x.tolist(), out.tolist()) == ([0.0] * 6, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0])


@pytest.mark.parametrize("block", [None, 2, 5])
@pytest.mark.parametrize(("index", "hit"), [(1, True), (-1, False), (3, False)])
def test_uniform_accesses_happen_once(block: int | None, index: int, hit: bool) -> None:
    kernel = linear(
        {"out": "i64[]", "count": "i64[]", "i": "i64"},
        """%seven = tile.constant 7 : i64
        tile.store %seven, %out[%i] : i64, B<i64>, i64
        tile.atomic add %seven, %count[%i] : i64, B<i64>, i64""",
    )
    out, count = np.zeros(3, np.int64), np.zeros(3, np.int64)
    evaluate(kernel, [out, count, index], {"n": 10}, blocks=blocks(block))
    assert out.tolist() == ([0, 7, 0] if hit else [0, 0, 0])
    assert count.tolist() == out.tolist()


@cuts
def test_a_uniform_store_happens_for_an_empty_input(block: int | None) -> None:
    kernel = linear(
        {"out": "i64[]"},
        """%zero = tile.constant 0 : i64
        %seven = tile.constant 7 : i64
        tile.store %seven, %out[%zero] : i64, B<i64>, i64""",
    )
    for chunk in (None, 4):
        out = np.zeros(1, np.int64)
        evaluate(kernel, [out], {"n": 0}, blocks=blocks(block), chunk=chunk)
        assert out.tolist() == [7]


ATOMIC = """%offs = tile.index offs : T<i64>
%i = tile.load %index[%offs] : (B<i64>, T<i64>) -> T<i64>
%v = tile.load %x[%offs] : (B<TYPE>, T<i64>) -> T<TYPE>
tile.atomic KIND %v, %out[%i] : T<TYPE>, B<TYPE>, T<i64>"""


@cuts
@pytest.mark.parametrize("kind", ["add", "max", "min"])
@pytest.mark.parametrize("type", ["i8", "i32", "i64", "f32", "f64", "f16", "bf16"])
def test_atomics_combine_all_lanes(type: str, kind: str, block: int | None) -> None:
    """Small whole numbers: every order of additions gives the same sum."""
    random = np.random.default_rng(1)
    index, x = random.integers(-1, 5, 23), random.integers(-9, 9, 23)
    start = [3, -3, 0, 5]
    want = list(start)
    combine = {"add": lambda a, b: a + b, "max": max, "min": min}[kind]
    for i, v in zip(index.tolist(), x.tolist(), strict=True):
        if 0 <= i < 4:
            want[i] = combine(want[i], v)
    kernel = linear(
        {"index": "i64[]", "x": f"{type}[]", "out": f"{type}[]"},
        ATOMIC.replace("TYPE", type).replace("KIND", kind),
    )
    out = _memory(type, start)
    evaluate(kernel, [index, _memory(type, x), out], {"n": 23}, blocks=blocks(block))
    assert np.array_equal(out, _memory(type, want))


def _memory(type: str, values: object) -> np.ndarray:
    if type != "bf16":
        return np.array(values, type.replace("i", "int").replace("f", "float"))
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


@pytest.mark.parametrize(
    ("kind", "start", "values", "want"),
    [
        ("max", "-0.0", "-0.0 0.0", "0.0"),
        ("min", "0.0", "-0.0 0.0", "-0.0"),
        ("max", "1.0", "nan 5.0", "nan"),
        ("min", "nan", "1.0 5.0", "nan"),
    ],
)
def test_atomic_extremes_of_zeros_and_nans(kind: str, start: str, values: str, want: str) -> None:
    kernel = linear(
        {"index": "i64[]", "x": "f32[]", "out": "f32[]"},
        ATOMIC.replace("TYPE", "f32").replace("KIND", kind),
    )
    out = np.array([float(start)], np.float32)
    x = np.array([float(v) for v in values.split()], np.float32)
    evaluate(kernel, [np.zeros(2, np.int64), x, out], {"n": 2})
    assert str(out[0]) == want


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([np.zeros(3, np.int64)], "takes 3 arguments, not 1"),
        ([np.zeros(3, np.int32), np.zeros(3, np.float32), np.zeros(3, np.float32)], "'index' has"),
        ([3, np.zeros(3, np.float32), np.zeros(3, np.float32)], "'index' must be an array"),
        (
            [np.zeros(3, np.int64), np.zeros(6, np.float32)[::2], np.zeros(3, np.float32)],
            "'x' is not",
        ),
        ([np.zeros(3, np.int64), np.zeros(3, np.float32), np.zeros(3, np.float64)], "'out' has"),
    ],
)
def test_wrong_buffers_are_refused(args: list[object], reason: str) -> None:
    with pytest.raises(LaunchError, match=reason):
        evaluate(linear(BUFFERS, GATHER), args, {"n": 3})  # pyright: ignore


def test_a_written_buffer_must_be_writable() -> None:
    out = np.zeros(3, np.float32)
    out.flags.writeable = False
    with pytest.raises(LaunchError, match="'out' is written"):
        evaluate(
            linear(BUFFERS, GATHER), [np.zeros(3, np.int64), np.zeros(3, np.float32), out], {"n": 3}
        )


@pytest.mark.parametrize(
    ("value", "fits"), [(127, True), (-128, True), (128, False), (1.5, False), (2.0, True)]
)
def test_a_scalar_must_fit_its_type(value: float, fits: bool) -> None:
    kernel = linear(
        {"out": "i8[]", "v": "i8"},
        """%zero = tile.constant 0 : i64
        tile.store %v, %out[%zero] : i8, B<i8>, i64""",
    )
    out = np.zeros(1, np.int8)
    if not fits:
        with pytest.raises(LaunchError, match="'v' must be an i8"):
            evaluate(kernel, [out, value], {"n": 1})
        return
    evaluate(kernel, [out, value], {"n": 1})
    assert out.tolist() == [value]
