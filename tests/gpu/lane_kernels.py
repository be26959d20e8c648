"""Small kernels with scalars, rows and columns, reductions, atomics, and numbers that go wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from evaluator_kernels import grid, linear
from program import Program, floats

LANES: Sequence[Program] = (
    Program(
        "scalars_and_lengths",
        linear,
        {"x": "f32[]", "table": "f64[]", "out": "f64[]", "k": "i64", "s": "f64"},
        """%offs = tile.index offs : T<i64>
        %n = tile.size n : i64
        %length = tile.length %table : B<f64>
        %nb = tile.broadcast %n : i64 -> T<i64>
        %lb = tile.broadcast %length : i64 -> T<i64>
        %kb = tile.broadcast %k : i64 -> T<i64>
        %m = tile.mul %offs, %kb : T<i64>
        %i = tile.rem %m, %lb : T<i64>
        %j = tile.sub %i, %kb : T<i64>
        %t = tile.load %table[%j] : (B<f64>, T<i64>) -> T<f64>
        %sb = tile.broadcast %s : f64 -> T<f64>
        %u = tile.mul %t, %sb : T<f64>
        %c = tile.constant 0.1 : f64
        %cb = tile.broadcast %c : f64 -> T<f64>
        %w = tile.add %u, %cb : T<f64>
        %back = tile.sub %nb, %offs : T<i64>
        tile.store %w, %out[%back] : T<f64>, B<f64>, T<i64>""",
        lambda g: [
            *floats(50)(g)[:1],
            g.standard_normal(13),
            np.zeros(50),
            np.array(3),
            np.array(0.3),
        ],
        {"n": 50},
    ),
    Program(
        "rows_and_columns",
        grid,
        {"x": "f32[]", "out": "f32[]", "flat": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %row = tile.index row : R<i64>
        %col = tile.index col : C<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %rows = tile.size n_rows : i64
        %rb = tile.broadcast %rows : i64 -> C<i64>
        %cm = tile.mul %col, %rb : C<i64>
        %cb = tile.broadcast %cm : C<i64> -> T<i64>
        %rowb = tile.broadcast %row : R<i64> -> T<i64>
        %turned = tile.add %cb, %rowb : T<i64>
        tile.store %v, %out[%turned] : T<f32>, B<f32>, T<i64>
        tile.store %turned, %flat[%offs] : T<i64>, B<i64>, T<i64>""",
        lambda g: [
            g.standard_normal((37, 300)).astype("f4"),
            np.zeros(37 * 300, "f4"),
            np.zeros(37 * 300, "i8"),
        ],
        {"n_rows": 37, "n_cols": 300},
    ),
    Program(
        "whole_input_reductions",
        linear,
        {"x": "f32[]", "k": "i32[]", "f": "f32[]", "i": "i64[]", "m": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %w = tile.load %k[%offs] : (B<i32>, T<i64>) -> T<i32>
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %two = tile.constant 2 : i64
        %s = tile.reduce max %v : T<f32> -> f32
        %t = tile.reduce min %v : T<f32> -> f32
        tile.store %s, %f[%zero] : f32, B<f32>, i64
        tile.store %t, %f[%one] : f32, B<f32>, i64
        %sum = tile.reduce sum %w : T<i32> -> i32
        %wide = tile.cast %sum : i32 -> i64
        tile.store %wide, %i[%zero] : i64, B<i64>, i64
        %p = tile.reduce prod %w : T<i32> -> i32
        %pw = tile.cast %p : i32 -> i64
        tile.store %pw, %i[%one] : i64, B<i64>, i64
        %a = tile.reduce argmax %v : T<f32> -> i64
        %b = tile.reduce argmin %w : T<i32> -> i64
        tile.store %a, %m[%zero] : i64, B<i64>, i64
        tile.store %b, %m[%one] : i64, B<i64>, i64""",
        lambda g: [
            np.round(g.standard_normal(128) * 3).astype("f4"),
            g.integers(-9, 9, 128).astype("i4") | 1,
            np.zeros(2, "f4"),
            np.zeros(2, "i8"),
            np.zeros(2, "i8"),
        ],
        {"n": 128},
        "cover [0]",
    ),
    Program(
        "reductions_with_nan",
        linear,
        {"x": "f32[]", "f": "f32[]", "m": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %s = tile.reduce max %v : T<f32> -> f32
        %t = tile.reduce min %v : T<f32> -> f32
        tile.store %s, %f[%zero] : f32, B<f32>, i64
        tile.store %t, %f[%one] : f32, B<f32>, i64
        %a = tile.reduce argmax %v : T<f32> -> i64
        %b = tile.reduce argmin %v : T<f32> -> i64
        tile.store %a, %m[%zero] : i64, B<i64>, i64
        tile.store %b, %m[%one] : i64, B<i64>, i64""",
        lambda g: [
            np.array([1, 5, np.nan, 7, -3, np.nan, 2, 0] * 8, "f4"),
            np.zeros(2, "f4"),
            np.zeros(2, "i8"),
        ],
        {"n": 64},
        "cover [0]",
    ),
    Program(
        "row_softmax",
        grid,
        {"x": "f32[]", "out": "f32[]", "best": "i64[]", "any": "i1[]"},
        """%offs = tile.index offs : T<i64>
        %row = tile.index row : R<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %top = tile.reduce max %v axis 1 : T<f32> -> R<f32>
        %tb = tile.broadcast %top : R<f32> -> T<f32>
        %d = tile.sub %v, %tb : T<f32>
        %total = tile.reduce sum %d axis 1 : T<f32> -> R<f32>
        %totb = tile.broadcast %total : R<f32> -> T<f32>
        %q = tile.div %d, %totb : T<f32>
        tile.store %q, %out[%offs] : T<f32>, B<f32>, T<i64>
        %a = tile.reduce argmax %v axis 1 : T<f32> -> R<i64>
        tile.store %a, %best[%row] : R<i64>, B<i64>, R<i64>
        %two = tile.constant 2.0 : f32
        %twob = tile.broadcast %two : f32 -> T<f32>
        %big = tile.compare gt %v, %twob : T<f32> -> T<i1>
        %some = tile.reduce any %big axis 1 : T<i1> -> R<i1>
        tile.store %some, %any[%row] : R<i1>, B<i1>, R<i64>""",
        lambda g: [
            g.standard_normal((16, 64)).astype("f4"),
            np.zeros((16, 64), "f4"),
            np.zeros(16, "i8"),
            np.zeros(16, "?"),
        ],
        {"n_rows": 16, "n_cols": 64},
        "cover [1]",
        1e-5,
    ),
    Program(
        "literals_are_compared_in_their_type",
        linear,
        {"x": "f64[]", "y": "f32[]", "s": "f64", "out": "i32[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f64>, T<i64>) -> T<f64>
        %w = tile.load %y[%offs] : (B<f32>, T<i64>) -> T<f32>
        %tenth = tile.constant 0.1 : f64
        %tiny = tile.constant 1.0e-40 : f32
        %tenths = tile.broadcast %tenth : f64 -> T<f64>
        %tinies = tile.broadcast %tiny : f32 -> T<f32>
        %below = tile.compare lt %v, %tenths : T<f64> -> T<i1>
        %same = tile.compare eq %w, %tinies : T<f32> -> T<i1>
        %c = tile.compare lt %s, %tenth : f64 -> i1
        %a = tile.cast %below : T<i1> -> T<i32>
        %b = tile.cast %same : T<i1> -> T<i32>
        %d = tile.condition %c : i1
        %r = scf.if %d -> (!tile.tile<[BLOCK_SIZE], i32>) {
          scf.yield %a : !tile.tile<[BLOCK_SIZE], i32>
        } else {
          %ab = tile.add %a, %b : T<i32>
          scf.yield %ab : !tile.tile<[BLOCK_SIZE], i32>
        }
        tile.store %r, %out[%offs] : T<i32>, B<i32>, T<i64>""",
        lambda g: [
            np.resize([0.1, np.nextafter(0.1, 0), np.float32(0.1)], 99),
            np.resize([1e-40, 1.00001e-40], 99).astype("f4"),
            np.array(0.1),
            np.zeros(99, "i4"),
        ],
        {"n": 99},
    ),
    Program(
        "atomics",
        linear,
        {"x": "i32[]", "count": "i32[]", "top": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i32>, T<i64>) -> T<i32>
        %wide = tile.cast %v : T<i32> -> T<i64>
        %one = tile.constant 1 : i32
        %ones = tile.broadcast %one : i32 -> T<i32>
        tile.atomic add %ones, %count[%wide] : T<i32>, B<i32>, T<i64>
        %zero = tile.constant 0 : i64
        %zeros = tile.broadcast %zero : i64 -> T<i64>
        tile.atomic max %offs, %top[%wide] : T<i64>, B<i64>, T<i64>
        %seven = tile.constant 7 : i64
        tile.atomic add %seven, %top[%zero] : i64, B<i64>, i64""",
        lambda g: [
            g.integers(1, 9, 3000).astype("i4"),
            np.zeros(9, "i4"),
            np.zeros(9, "i8"),
        ],
        {"n": 3000},
    ),
    Program(
        "atomic_extremes",
        linear,
        {"x": "f32[]", "at": "i32[]", "high": "f32[]", "low": "f32[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
        %i = tile.load %at[%offs] : (B<i32>, T<i64>) -> T<i32>
        %wide = tile.cast %i : T<i32> -> T<i64>
        tile.atomic max %v, %high[%wide] : T<f32>, B<f32>, T<i64>
        tile.atomic min %v, %low[%wide] : T<f32>, B<f32>, T<i64>""",
        lambda g: [
            np.where(g.random(300) < 0.1, np.nan, g.standard_normal(300)).astype("f4"),
            np.repeat(np.arange(30), 10).astype("i4"),
            np.full(30, -np.inf, "f4"),
            np.full(30, np.inf, "f4"),
        ],
        {"n": 300},
    ),
    Program(
        "minus_one_in_bf16",
        linear,
        {"x": "i32[]", "whole": "bf16[]", "chosen": "bf16[]", "carried": "bf16[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i32>, T<i64>) -> T<i32>
        %zero = tile.constant 0 : i32
        %zeros = tile.broadcast %zero : i32 -> T<i32>
        %less = tile.constant -1 : i32
        %lesses = tile.broadcast %less : i32 -> T<i32>
        %three = tile.constant 3 : i32
        %threes = tile.broadcast %three : i32 -> T<i32>
        %a = tile.compare gt %v, %threes : T<i32> -> T<i1>
        %wide = tile.cast %v : T<i32> -> T<i64>
        %b = tile.compare lt %offs, %wide : T<i64> -> T<i1>
        %c = tile.or %a, %b : T<i1>
        %i = tile.select %c, %lesses, %zeros : T<i1>, T<i32>
        %f = tile.cast %i : T<i32> -> T<f32>
        %r = tile.cast %i : T<i32> -> T<bf16>
        tile.store %r, %whole[%offs] : T<bf16>, B<bf16>, T<i64>
        %d = tile.compare ne %v, %threes : T<i32> -> T<i1>
        %none = tile.cast %zeros : T<i32> -> T<f32>
        %g = tile.select %d, %f, %none : T<i1>, T<f32>
        %s = tile.cast %g : T<f32> -> T<bf16>
        tile.store %s, %chosen[%offs] : T<bf16>, B<bf16>, T<i64>
        %two = tile.constant 2 : i32
        %one = tile.constant 1 : i32
        %last = scf.for %k = %zero to %two step %one iter_args(%p = %none)
            -> (!tile.tile<[BLOCK_SIZE], f32>) : i32 {
          scf.yield %f : !tile.tile<[BLOCK_SIZE], f32>
        }
        %t = tile.cast %last : T<f32> -> T<bf16>
        tile.store %t, %carried[%offs] : T<bf16>, B<bf16>, T<i64>""",
        lambda g: [g.integers(-5, 9, 300).astype("i4"), *np.zeros((3, 300), "u2")],
        {"n": 300},
    ),
)
