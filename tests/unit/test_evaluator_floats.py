"""Float operations against exact fractions, on random and special bit patterns of each type."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import evaluator_reference as exact
import numpy as np
import pytest
from evaluator_kernels import linear, run_op, same_bits
from evaluator_reference import FORMATS, Format

from patlang_ir.backends.numpy import evaluate

Array = np.ndarray[Any, Any]
COUNT = 600


def patterns(format: Format, count: int, seed: int) -> list[int]:
    """Special bit patterns, neighbours of powers of two, and random ones."""
    random = np.random.default_rng(seed)
    one = format.of(1.0)
    special = [
        *(0, 1, 2, one - 1, one, one + 1, format.infinity - 1, format.infinity, format.nan),
        *(1 << (format.precision - 1), (1 << (format.precision - 1)) - 1, format.of(0.5)),
        *(format.of(v) for v in (1.5, 2.5, 3.0, 255.5, 4095.5)),
    ]
    special += [bits | format.sign for bits in special]
    everywhere = random.integers(0, 1 << format.width, count, dtype=np.uint64)
    near = [
        format.of(math.ldexp(v, int(e)))
        for v, e in zip(random.standard_normal(count), random.integers(-4, 5, count), strict=True)
    ]
    pool = [*special, *map(int, everywhere), *near]
    return [pool[i] for i in random.integers(0, len(pool), count)]


def memory(format: Format, bits: list[int]) -> Array:
    """A buffer with these bit patterns."""
    words = np.array(bits, f"u{format.width // 8}")
    return words if format.name == "bf16" else words.view(f"f{format.width // 8}")


def check(op: str, format: Format, reference: Callable[..., int], arity: int) -> None:
    columns = [patterns(format, COUNT, seed) for seed in range(arity)]
    check_lanes(op, format, reference, list(zip(*columns, strict=True)))


def check_lanes(
    op: str, format: Format, reference: Callable[..., int], lanes: Sequence[tuple[int, ...]]
) -> None:
    """The bits of an operation, for the bits of its operands in each lane."""
    columns = [memory(format, list(column)) for column in zip(*lanes, strict=True)]
    got = run_op(op, columns, [format.name] * len(columns), format.name)
    want = [reference(format, *map(format.value, lane)) for lane in lanes]
    assert same_bits(got, memory(format, want), format.name)


BINARY: dict[str, Callable[..., int]] = {
    "add": exact.add,
    "sub": exact.sub,
    "mul": exact.mul,
    "div": exact.div,
    "rem": exact.rem,
    "max": exact.maximum,
    "min": exact.minimum,
}
UNARY: dict[str, Callable[..., int]] = {
    "neg": exact.neg,
    "abs": exact.absolute,
    "sqrt": exact.sqrt,
    **{name: partial(exact.whole, round=name) for name in ("floor", "ceil", "trunc", "round")},
}

formats = pytest.mark.parametrize("format", FORMATS.values(), ids=lambda f: f.name)


@formats
@pytest.mark.parametrize("op", BINARY)
def test_binary(op: str, format: Format) -> None:
    check(f"tile.{op}", format, BINARY[op], 2)


@formats
@pytest.mark.parametrize("op", UNARY)
def test_unary(op: str, format: Format) -> None:
    check(f"tile.{op}", format, UNARY[op], 1)


@formats
def test_fma_rounds_once(format: Format) -> None:
    check("tile.fma", format, exact.fma, 3)


@pytest.mark.parametrize("format", [exact.F32, exact.F64], ids=lambda f: f.name)
def test_fma_where_two_roundings_differ(format: Format) -> None:
    """The product lies between two values; an addend far below it decides which one is nearer."""
    random = np.random.default_rng(5)
    count, half = 300, format.precision // 2
    scale = 20 if format is exact.F32 else 300
    lanes = [
        (
            math.ldexp(2**half + 2 * int(i) + 1, int(e) - half),
            math.ldexp(2 ** (format.precision - half) + 2 * int(j) + 1, half - format.precision),
            float(sign) * math.ldexp(1.0, int(e) - int(k)),
        )
        for i, j, e, k, sign in zip(
            random.integers(0, 2 ** (half - 3), count),
            random.integers(0, 2 ** (half - 3), count),
            random.integers(-scale, scale, count),
            random.integers(format.precision + 2, 6 * scale, count),
            random.choice([-1, 1], count),
            strict=True,
        )
    ]
    check_lanes("tile.fma", format, exact.fma, [tuple(map(format.of, lane)) for lane in lanes])


@formats
def test_fma_at_its_ends(format: Format) -> None:
    """Products that overflow, sums that cancel, and results near the smallest value."""
    big, small, one = format.infinity - 1, format.lowest, format.of(1.0)
    tiny = format.of(math.ldexp(1.5, small // 2))
    minus = format.sign
    lanes = [
        (big, big, format.infinity | minus),
        (big, big, big | minus),
        (big, one + 1, big | minus),
        (one, one, one | minus),
        (one | minus, one, one),
        (0, one | minus, minus),
        (tiny, tiny, 0),
        (tiny, tiny, 1 | minus),
        (tiny, tiny | minus, 1),
        (1, 1, 1),
        (1, one - 1, 1),
        (format.infinity, 0, one),
        (format.infinity, one, format.infinity | minus),
    ]
    check_lanes("tile.fma", format, exact.fma, lanes)


@pytest.mark.parametrize("format", [exact.F16, exact.BF16], ids=lambda f: f.name)
def test_narrow_floats_round_after_each_operation(format: Format) -> None:
    """`(a + b) * b - a`: kept in f32 between the operations it would have other bits."""
    inputs = [patterns(format, COUNT, seed) for seed in range(2)]
    name = format.name
    kernel = linear(
        {"x": f"{name}[]", "y": f"{name}[]", "out": f"{name}[]"},
        f"""%offs = tile.index offs : T<i64>
        %a = tile.load %x[%offs] : (B<{name}>, T<i64>) -> T<{name}>
        %b = tile.load %y[%offs] : (B<{name}>, T<i64>) -> T<{name}>
        %s = tile.add %a, %b : T<{name}>
        %p = tile.mul %s, %b : T<{name}>
        %d = tile.sub %p, %a : T<{name}>
        tile.store %d, %out[%offs] : T<{name}>, B<{name}>, T<i64>""",
    )
    out = memory(format, [0] * COUNT)
    evaluate(kernel, [*(memory(format, bits) for bits in inputs), out], {"n": COUNT})
    want: list[int] = []
    for a, b in zip(*([format.value(v) for v in bits] for bits in inputs), strict=True):
        total = format.value(exact.add(format, a, b))
        product = format.value(exact.mul(format, total, b))
        want.append(exact.sub(format, product, a))
    assert same_bits(out, memory(format, want), name)


@formats
def test_signed_zeros(format: Format) -> None:
    """Whichever comes first, `+0` is the larger one."""
    zeros = [0, format.sign, 0, format.sign], [0, 0, format.sign, format.sign]
    arrays = [memory(format, list(column)) for column in zeros]
    names = [format.name, format.name]
    assert np.array_equal(
        run_op("tile.max", arrays, names, format.name).view(f"u{format.width // 8}"),
        [0, 0, 0, format.sign],
    )
    assert np.array_equal(
        run_op("tile.min", arrays, names, format.name).view(f"u{format.width // 8}"),
        [0, format.sign, format.sign, format.sign],
    )


COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@formats
@pytest.mark.parametrize("predicate", COMPARISONS)
def test_compare(predicate: str, format: Format) -> None:
    columns = [patterns(format, COUNT, seed) for seed in range(2)]
    columns[1][::3] = columns[0][::3]
    arrays = [memory(format, bits) for bits in columns]
    got = run_op(
        f"tile.compare {predicate}", arrays, [format.name] * 2, "i1", f"{{{format.name}}} -> {{i1}}"
    )
    values = [[format.value(bits) for bits in column] for column in columns]
    assert got.tolist() == [COMPARISONS[predicate](a, b) for a, b in zip(*values, strict=True)]


@formats
def test_truth_counts_nan_as_true(format: Format) -> None:
    bits = patterns(format, COUNT, 0)
    got = run_op(
        "tile.truth", [memory(format, bits)], [format.name], "i1", f"{{{format.name}}} -> {{i1}}"
    )
    assert got.tolist() == [format.value(b) != 0 for b in bits]


@formats
def test_select_keeps_every_bit(format: Format) -> None:
    a, b = patterns(format, COUNT, 0), patterns(format, COUNT, 1)
    condition = np.random.default_rng(2).integers(0, 2, COUNT).astype(bool)
    got = run_op(
        "tile.select",
        [condition, memory(format, a), memory(format, b)],
        ["i1", format.name, format.name],
        format.name,
        f"{{i1}}, {{{format.name}}}",
    )
    want = memory(format, [x if c else y for c, x, y in zip(condition, a, b, strict=True)])
    assert same_bits(got, want, format.name)


INEXACT: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "exp2": lambda v: 2.0**v,
    "log": math.log,
    "log2": math.log2,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "tanh": math.tanh,
    "erf": math.erf,
}


def distance(format: Format, got: int, want: int) -> int:
    """How many values lie between two bit patterns."""

    def place(bits: int) -> int:
        return -(bits ^ format.sign) if bits & format.sign else bits

    return abs(place(got) - place(want))


@formats
@pytest.mark.parametrize("op", INEXACT)
def test_inexact_functions_are_close(op: str, format: Format) -> None:
    """Within 4 units of the last place of the double result rounded once."""
    random = np.random.default_rng(3)
    points = random.uniform(0.01, 8.0, 400) * (1 if "log" in op else random.choice([-1, 1], 400))
    bits = [format.of(float(v)) for v in points]
    got = run_op(f"tile.{op}", [memory(format, bits)], [format.name], format.name)
    words = got.view(f"u{format.width // 8}").tolist()
    want = [format.of(INEXACT[op](format.value(b))) for b in bits]
    assert max(distance(format, *pair) for pair in zip(words, want, strict=True)) <= 4


@formats
def test_pow_is_close(format: Format) -> None:
    random = np.random.default_rng(4)
    a = [format.of(float(v)) for v in random.uniform(0.1, 4.0, 400)]
    b = [format.of(float(v)) for v in random.uniform(-4.0, 4.0, 400)]
    got = run_op("tile.pow", [memory(format, a), memory(format, b)], [format.name] * 2, format.name)
    want = [format.of(format.value(x) ** format.value(y)) for x, y in zip(a, b, strict=True)]
    words = got.view(f"u{format.width // 8}").tolist()
    assert max(distance(format, *pair) for pair in zip(words, want, strict=True)) <= 4


@pytest.mark.parametrize(
    ("op", "value", "want"),
    [
        ("exp", -math.inf, 0.0),
        ("exp", math.inf, math.inf),
        ("log", 0.0, -math.inf),
        ("log", -1.0, math.nan),
        ("log2", 0.0, -math.inf),
        ("sin", math.inf, math.nan),
        ("tanh", math.inf, 1.0),
        ("erf", -math.inf, -1.0),
        ("erf", math.nan, math.nan),
    ],
)
def test_inexact_functions_at_their_ends(op: str, value: float, want: float) -> None:
    for type in (np.float32, np.float64):
        name = f"f{type().itemsize * 8}"
        got = run_op(f"tile.{op}", [np.array([value], type)], [name], name)
        assert np.array_equal(got, np.array([want], type), equal_nan=True)


@pytest.mark.parametrize("op", [*INEXACT])
@pytest.mark.parametrize("type", ["f32", "f64"])
def test_a_lane_does_not_depend_on_its_neighbours(op: str, type: str) -> None:
    """Vector units have other code for the last few lanes: it must give the same bits."""
    values = (
        np.random.default_rng(6)
        .uniform(0.01, 9.0, 1003)
        .astype(np.dtype(type.replace("f", "float")))
    )
    together = run_op(f"tile.{op}", [values], [type], type)
    for start, stop in ((0, 1), (3, 8), (500, 517), (990, 1003)):
        alone = run_op(f"tile.{op}", [values[start:stop].copy()], [type], type)
        assert same_bits(alone, together[start:stop], type)
