"""Small kernels with loops and branches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from evaluator_kernels import linear
from program import LOAD, STORE, X_OUT, Program, floats

FLOW: Sequence[Program] = (
    Program(
        "swap_in_a_loop",
        linear,
        X_OUT,
        f"""{LOAD}
        %zero = tile.constant 0 : i32
        %five = tile.constant 5 : i32
        %one = tile.constant 1 : i32
        %f = tile.constant 0.5 : f32
        %b = tile.broadcast %f : f32 -> T<f32>
        %a1, %r = scf.for %i = %zero to %five step %one iter_args(%p = %v, %q = %b)
            -> (!tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>) : i32 {{
          %s = tile.add %p, %q : T<f32>
          scf.yield %q, %s : !tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        floats(100),
        {"n": 100},
    ),
    Program(
        "trade_places",
        linear,
        {"x": "f32[]", "y": "f32[]", "out": "f32[]"},
        f"""{LOAD}
        %w = tile.load %y[%offs] : (B<f32>, T<i64>) -> T<f32>
        %zero = tile.constant 0 : i64
        %three = tile.constant 3 : i64
        %one = tile.constant 1 : i64
        %a, %b = scf.for %i = %zero to %three step %one iter_args(%p = %v, %q = %w)
            -> (!tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>) : i64 {{
          scf.yield %q, %p : !tile.tile<[BLOCK_SIZE], f32>, !tile.tile<[BLOCK_SIZE], f32>
        }}
        %r = tile.sub %a, %b : T<f32>
        {STORE}""",
        lambda g: [*floats(40)(g)[:1], *floats(40)(g)],
        {"n": 40},
    ),
    Program(
        "index_of_a_loop",
        linear,
        X_OUT,
        f"""{LOAD}
        %two = tile.constant 2 : i64
        %nine = tile.constant 9 : i64
        %r = scf.for %i = %two to %nine step %two iter_args(%sum = %v)
            -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {{
          %square = tile.mul %i, %i : i64
          %f = tile.cast %square : i64 -> f32
          %g = tile.cast %i : i64 -> f32
          %h = tile.div %f, %g : f32
          %b = tile.broadcast %h : f32 -> T<f32>
          %s = tile.add %sum, %b : T<f32>
          scf.yield %s : !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        floats(33),
        {"n": 33},
    ),
    Program(
        "nested_loops",
        linear,
        {**X_OUT, "k": "i64"},
        f"""{LOAD}
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %r = scf.for %i = %zero to %k step %one iter_args(%acc = %v)
            -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {{
          %inner = scf.for %j = %zero to %i step %one iter_args(%acc2 = %acc)
              -> (!tile.tile<[BLOCK_SIZE], f32>) : i64 {{
            %t = tile.add %acc2, %acc : T<f32>
            scf.yield %t : !tile.tile<[BLOCK_SIZE], f32>
          }}
          scf.yield %inner : !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        lambda g: [*floats(20)(g), np.array(4)],
        {"n": 20},
    ),
    Program(
        "while_with_an_expression",
        linear,
        {**X_OUT, "limit": "f32"},
        f"""{LOAD}
        %start = tile.constant 1.0 : f32
        %s, %r = scf.while (%a = %start, %acc = %v)
            : (f32, !tile.tile<[BLOCK_SIZE], f32>) -> (f32, !tile.tile<[BLOCK_SIZE], f32>) {{
          %c = tile.compare lt %a, %limit : f32 -> i1
          %d = tile.condition %c : i1
          scf.condition(%d) %a, %acc : f32, !tile.tile<[BLOCK_SIZE], f32>
        }} do {{
        ^body(%a2 : f32, %acc2 : !tile.tile<[BLOCK_SIZE], f32>):
          %two = tile.constant 2.0 : f32
          %a3 = tile.mul %a2, %two : f32
          %b = tile.broadcast %a3 : f32 -> T<f32>
          %acc3 = tile.add %acc2, %b : T<f32>
          scf.yield %a3, %acc3 : f32, !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        lambda g: [*floats(20)(g), np.array(50.0)],
        {"n": 20},
    ),
    Program(
        "while_that_loads_its_condition",
        linear,
        {**X_OUT, "steps": "i32[]"},
        f"""{LOAD}
        %zero = tile.constant 0 : i64
        %s, %r = scf.while (%a = %zero, %acc = %v)
            : (i64, !tile.tile<[BLOCK_SIZE], f32>) -> (i64, !tile.tile<[BLOCK_SIZE], f32>) {{
          %step = tile.load %steps[%a] : (B<i32>, i64) -> i32
          %none = tile.constant 0 : i32
          %c = tile.compare gt %step, %none : i32 -> i1
          %d = tile.condition %c : i1
          %wide = tile.cast %step : i32 -> i64
          %next = tile.add %a, %wide : i64
          scf.condition(%d) %next, %acc : i64, !tile.tile<[BLOCK_SIZE], f32>
        }} do {{
        ^body(%a2 : i64, %acc2 : !tile.tile<[BLOCK_SIZE], f32>):
          %f = tile.cast %a2 : i64 -> f32
          %b = tile.broadcast %f : f32 -> T<f32>
          %acc3 = tile.add %acc2, %b : T<f32>
          scf.yield %a2, %acc3 : i64, !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        lambda g: [*floats(20)(g), np.array([2, 9, 3, 9, 9, 0, 7], np.int32)],
        {"n": 20},
    ),
    Program(
        "while_tests_what_the_body_ignores",
        linear,
        {**X_OUT, "limit": "f32"},
        f"""{LOAD}
        %start = tile.constant 1.0 : f32
        %one = tile.constant 1 : i32
        %s, %i, %r = scf.while (%a = %start, %k = %one, %acc = %v)
            : (f32, i32, !tile.tile<[BLOCK_SIZE], f32>)
            -> (f32, i32, !tile.tile<[BLOCK_SIZE], f32>) {{
          %c = tile.compare lt %a, %limit : f32 -> i1
          %d = tile.condition %c : i1
          scf.condition(%d) %a, %k, %acc : f32, i32, !tile.tile<[BLOCK_SIZE], f32>
        }} do {{
        ^body(%a2 : f32, %k2 : i32, %acc2 : !tile.tile<[BLOCK_SIZE], f32>):
          %k3 = tile.add %k2, %k2 : i32
          %a3 = tile.cast %k3 : i32 -> f32
          %acc3 = tile.add %acc2, %acc2 : T<f32>
          scf.yield %a3, %k3, %acc3 : f32, i32, !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        lambda g: [*floats(20)(g), np.array(50.0)],
        {"n": 20},
    ),
    Program(
        "while_any_lane_lives",
        linear,
        {**X_OUT, "k": "i32"},
        f"""{LOAD}
        %zero = tile.constant 0 : i32
        %one = tile.constant 1 : i32
        %s, %r = scf.while (%i = %zero, %acc = %v)
            : (i32, !tile.tile<[BLOCK_SIZE], f32>) -> (i32, !tile.tile<[BLOCK_SIZE], f32>) {{
          %two = tile.constant 2.0 : f32
          %b = tile.broadcast %two : f32 -> T<f32>
          %c = tile.compare lt %acc, %b : T<f32> -> T<i1>
          %alive = tile.reduce any %c : T<i1> -> i1
          %more = tile.compare lt %i, %k : i32 -> i1
          %both = tile.and %alive, %more : i1
          %d = tile.condition %both : i1
          scf.condition(%d) %i, %acc : i32, !tile.tile<[BLOCK_SIZE], f32>
        }} do {{
        ^body(%i2 : i32, %acc2 : !tile.tile<[BLOCK_SIZE], f32>):
          %sq = tile.mul %acc2, %acc2 : T<f32>
          %h = tile.constant 0.5 : f32
          %hb = tile.broadcast %h : f32 -> T<f32>
          %acc3 = tile.add %sq, %hb : T<f32>
          %i3 = tile.add %i2, %one : i32
          scf.yield %i3, %acc3 : i32, !tile.tile<[BLOCK_SIZE], f32>
        }}
        {STORE}""",
        lambda g: [np.abs(g.standard_normal(32)).astype("f4"), np.zeros(32, "f4"), np.array(9)],
        {"n": 32},
        "cover [0]",
    ),
    Program(
        "branches",
        linear,
        {**X_OUT, "k": "i32"},
        f"""{LOAD}
        %three = tile.constant 3 : i32
        %c = tile.compare lt %k, %three : i32 -> i1
        %d = tile.condition %c : i1
        %r, %count = scf.if %d -> (!tile.tile<[BLOCK_SIZE], f32>, i32) {{
          %w = tile.mul %v, %v : T<f32>
          %one = tile.constant 1 : i32
          %k2 = tile.add %k, %one : i32
          scf.yield %w, %k2 : !tile.tile<[BLOCK_SIZE], f32>, i32
        }} else {{
          %seven = tile.constant 7 : i32
          scf.yield %v, %seven : !tile.tile<[BLOCK_SIZE], f32>, i32
        }}
        %five = tile.constant 5 : i32
        %e = tile.compare ge %count, %five : i32 -> i1
        scf.if %e {{
          tile.store %r, %out[%offs] : T<f32>, B<f32>, T<i64>
        }}""",
        lambda g: [*floats(20)(g), np.array(5)],
        {"n": 20},
    ),
)
