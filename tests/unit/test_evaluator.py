"""Whole kernels: control flow, cuts into blocks in any order, chunks, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
import pytest
from evaluator_kernels import MEMORY, grid, linear, parse
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.ir import Operation

from patlang_ir.backends.numpy import Evaluator, evaluate
from patlang_ir.backends.numpy.arithmetic import TABLE
from patlang_ir.backends.numpy.elements import ELEMENTS
from patlang_ir.backends.numpy.steps import STEPS
from patlang_ir.diagnostics import CompileError
from patlang_ir.dialects import tile


def backwards(count: int) -> Iterable[int]:
    return reversed(range(count))


def shuffled(count: int) -> Iterable[int]:
    return np.random.default_rng(count).permutation(count).tolist()


NO_STEPS = ("tile.kernel", "tile.stage", "tile.scratch", "tile.scalar")
"""What holds steps, makes buffers, or is gone after inference."""


@pytest.mark.parametrize(
    "op",
    [op for op in tile.OPERATIONS if op.name not in NO_STEPS],
    ids=lambda op: op.name,
)
def test_every_operation_has_a_meaning(op: type[Operation]) -> None:
    assert op in STEPS


@pytest.mark.parametrize("op", tile.ELEMENTWISE, ids=lambda op: op.name)
def test_every_elementwise_operation_runs(op: type[Operation]) -> None:
    """On the first kind of element that it takes."""
    kinds = TABLE[op].keys() if op in TABLE else ()
    type = next((name for name in ("f32", "i32", "i1") if ELEMENT_KINDS[name] in kinds), "i1")
    if op is tile.CompareOp:
        text = "tile.compare eq %v, %v : T<i1> -> T<i1>"
    elif op is tile.SelectOp:
        text = "tile.select %v, %v, %v : T<i1>, T<i1>"
    elif issubclass(op, tile.ConversionOp):
        text = f"{op.name} %v : T<i1> -> T<i1>"
    else:
        arity = {tile.UnaryOp: 1, tile.BinaryOp: 2}.get(op.__base__, 3)
        text = f"{op.name} {', '.join(['%v'] * arity)} : T<{type}>"
    kernel = linear(
        {"x": f"{type}[]", "out": f"{type}[]"},
        f"""%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<{type}>, T<i64>) -> T<{type}>
        %r = {text}
        tile.store %r, %out[%offs] : T<{type}>, B<{type}>, T<i64>""",
    )
    assert any(isinstance(inner, op) for inner in kernel.walk())
    evaluate(kernel, [np.ones(3, MEMORY[type]), np.zeros(3, MEMORY[type])], {"n": 3})


ELEMENT_KINDS = {element.name: element.kind for element in ELEMENTS.values()}


PLACES = """%offs = tile.index offs : T<i64>
%row = tile.index row : R<i32>
%col = tile.index col : C<i64>
%rows = tile.broadcast %row : R<i32> -> T<i32>
%cols = tile.broadcast %col : C<i64> -> T<i64>
%inside = tile.in_domain : T<i1>
%n = tile.size n : i64
%n_rows = tile.size n_rows : i64
%n_cols = tile.size n_cols : i32
%length = tile.length %r : B<i32>
%zero = tile.constant 0 : i64
%one = tile.constant 1 : i64
%two = tile.constant 2 : i64
%three = tile.constant 3 : i64
%wide = tile.cast %n_cols : i32 -> i64
tile.store %rows, %r[%offs] : T<i32>, B<i32>, T<i64>
tile.store %cols, %c[%offs] : T<i64>, B<i64>, T<i64>
tile.store %inside, %in[%offs] : T<i1>, B<i1>, T<i64>
tile.store %n, %sizes[%zero] : i64, B<i64>, i64
tile.store %n_rows, %sizes[%one] : i64, B<i64>, i64
tile.store %wide, %sizes[%two] : i64, B<i64>, i64
tile.store %length, %sizes[%three] : i64, B<i64>, i64"""


@pytest.mark.parametrize("block", [None, (1, 1), (2, 3), (4, 4), (8, 2), (1, 16)])
@pytest.mark.parametrize("order", [None, backwards, shuffled])
def test_rows_columns_and_sizes(
    block: tuple[int, int] | None, order: Callable[..., Iterable[int]]
) -> None:
    kernel = grid({"r": "i32[]", "c": "i64[]", "in": "i1[]", "sizes": "i64[]"}, PLACES)
    r, c = np.zeros((5, 7), np.int32), np.zeros((5, 7), np.int64)
    inside, sizes = np.zeros((5, 7), bool), np.zeros(4, np.int64)
    blocks = dict(zip(("BLOCK_R", "BLOCK_C"), block, strict=True)) if block else None
    evaluate(kernel, [r, c, inside, sizes], {"n_rows": 5, "n_cols": 7}, blocks=blocks, order=order)
    assert r.tolist() == [[row] * 7 for row in range(5)]
    assert c.tolist() == [list(range(7))] * 5
    assert inside.all()
    assert sizes.tolist() == [35, 5, 7, 35]


def test_in_domain_is_false_in_padding_lanes() -> None:
    """Counted by a sum of blocks, which each program takes for itself."""
    kernel = linear(
        {"out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %inside = tile.in_domain : T<i1>
        %out_inside = tile.not %inside : T<i1>
        %big = tile.constant 100 : i64
        %bigs = tile.broadcast %big : i64 -> T<i64>
        %far = tile.select %inside, %offs, %bigs : T<i1>, T<i64>
        tile.store %far, %out[%far] guarded : T<i64>, B<i64>, T<i64>""",
    )
    with pytest.raises(AssertionError, match="index 100,"):
        evaluate(kernel, [np.zeros(7, np.int64)], {"n": 7}, blocks={"BLOCK_SIZE": 4})
    evaluate(kernel, [np.zeros(7, np.int64)], {"n": 7}, blocks={"BLOCK_SIZE": 7})


def test_for_with_carried_tiles_and_scalars() -> None:
    """Each lane adds its own index `i` times; the scalar counts; both leave the loop."""
    kernel = linear(
        {"out": "i64[]", "total": "i32[]", "from": "i32", "to": "i32", "by": "i32"},
        """%offs = tile.index offs : T<i64>
        %zero = tile.constant 0 : i64
        %zeros = tile.broadcast %zero : i64 -> T<i64>
        %start = tile.constant 0 : i32
        %sum, %last = scf.for %i = %from to %to step %by
            iter_args(%acc = %zeros, %t = %start) -> (!tile.tile<[BLOCK_SIZE], i64>, i32) : i32 {
          %next = tile.add %acc, %offs : T<i64>
          %more = tile.add %t, %i : i32
          scf.yield %next, %more : !tile.tile<[BLOCK_SIZE], i64>, i32
        }
        tile.store %sum, %out[%offs] : T<i64>, B<i64>, T<i64>
        tile.store %last, %total[%zero] : i32, B<i32>, i64""",
    )
    for bounds in ((0, 5, 1), (3, 20, 4), (5, 5, 1), (9, 2, 1), (-4, 4, 3)):
        out, total = np.zeros(4, np.int64), np.zeros(1, np.int32)
        evaluate(kernel, [out, total, *bounds], {"n": 4})
        steps = list(range(*bounds))
        assert out.tolist() == [lane * len(steps) for lane in range(4)]
        assert total.tolist() == [sum(steps)]


def test_carried_values_move_all_at_once() -> None:
    """Fibonacci: `b, a = a + b, b` must not use the new `b`."""
    kernel = linear(
        {"out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %ten = tile.constant 10 : i64
        %b, %a = scf.for %i = %zero to %ten step %one iter_args(%y = %one, %x = %zero)
            -> (i64, i64) : i64 {
          %z = tile.add %x, %y : i64
          scf.yield %z, %y : i64, i64
        }
        tile.store %a, %out[%zero] : i64, B<i64>, i64
        tile.store %b, %out[%one] : i64, B<i64>, i64""",
    )
    out = np.zeros(2, np.int64)
    evaluate(kernel, [out], {"n": 1})
    assert out.tolist() == [55, 89]


COLLATZ = """%zero = tile.constant 0 : i64
%one = tile.constant 1 : i64
%two = tile.constant 2 : i64
%three = tile.constant 3 : i64
%n = tile.size n : i64
scf.for %i = %zero to %n step %one : i64 {
  %first = tile.load %x[%i] : (B<i64>, i64) -> i64
  %count, %last = scf.while (%v = %first, %steps = %zero) : (i64, i64) -> (i64, i64) {
    %going = tile.compare ne %v, %one : i64 -> i1
    scf.condition(%going) %steps, %v : i64, i64
  } do {
  ^bb0(%steps2: i64, %v2: i64):
    %odd = tile.band %v2, %one : i64
    %is_odd = tile.condition %odd : i64
    %next = scf.if %is_odd -> (i64) {
      %tripled = tile.mul %v2, %three : i64
      %up = tile.add %tripled, %one : i64
      scf.yield %up : i64
    } else {
      %half = tile.shr %v2, %one : i64
      scf.yield %half : i64
    }
    %more = tile.add %steps2, %one : i64
    scf.yield %next, %more : i64, i64
  }
  tile.store %count, %out[%i] : i64, B<i64>, i64
}"""


def collatz(value: int) -> int:
    return 0 if value == 1 else 1 + collatz(3 * value + 1 if value % 2 else value // 2)


def test_while_and_if() -> None:
    x, out = np.arange(1, 28), np.zeros(27, np.int64)
    evaluate(linear({"x": "i64[]", "out": "i64[]"}, COLLATZ), [x, out], {"n": 27})
    assert out.tolist() == [collatz(v) for v in x.tolist()]


@pytest.mark.parametrize("flag", [True, False])
def test_if_without_else_and_with_tiles(flag: bool) -> None:
    kernel = linear(
        {"out": "f32[]", "flag": "i1", "v": "f32"},
        """%offs = tile.index offs : T<i64>
        %vs = tile.broadcast %v : f32 -> T<f32>
        %w = scf.if %flag -> (!tile.tile<[BLOCK_SIZE], f32>) {
          %d = tile.add %vs, %vs : T<f32>
          scf.yield %d : !tile.tile<[BLOCK_SIZE], f32>
        } else {
          scf.yield %vs : !tile.tile<[BLOCK_SIZE], f32>
        }
        scf.if %flag {
          tile.store %w, %out[%offs] : T<f32>, B<f32>, T<i64>
        }""",
    )
    out = np.zeros(3, np.float32)
    evaluate(kernel, [out, flag, 1.5], {"n": 3})
    assert out.tolist() == ([3.0] * 3 if flag else [0.0] * 3)


@pytest.mark.parametrize(("value", "holds"), [(0.0, 0), (-0.0, 0), (2.0, 1), (math.nan, 1)])
def test_a_condition_holds_for_all_but_0(value: float, holds: int) -> None:
    kernel = linear(
        {"out": "i32[]", "v": "f64"},
        """%zero = tile.constant 0 : i64
        %one = tile.constant 1 : i32
        %c = tile.condition %v : f64
        scf.if %c {
          tile.store %one, %out[%zero] : i32, B<i32>, i64
        }""",
    )
    out = np.zeros(1, np.int32)
    evaluate(kernel, [out, value], {"n": 1})
    assert out.tolist() == [holds]


def test_values_from_outside_live_as_long_as_a_loop_needs_them() -> None:
    """Many values made in the loop must not take the place of one made before it."""
    names = [f"%t{i}" for i in range(12)]
    chain = "\n".join(
        f"{name} = tile.add {previous}, %keep : T<i64>"
        for previous, name in zip(["%acc", *names], names, strict=False)
    )
    kernel = linear(
        {"out": "i64[]"},
        f"""%offs = tile.index offs : T<i64>
        %dead = tile.add %offs, %offs : T<i64>
        %keep = tile.sub %dead, %offs : T<i64>
        %early = tile.add %keep, %keep : T<i64>
        %zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %three = tile.constant 3 : i64
        %r = scf.for %i = %zero to %three step %one iter_args(%acc = %offs)
            -> (!tile.tile<[BLOCK_SIZE], i64>) : i64 {{
          {chain}
          scf.yield %t11 : !tile.tile<[BLOCK_SIZE], i64>
        }}
        %sum = tile.add %r, %early : T<i64>
        tile.store %sum, %out[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    out = np.zeros(5, np.int64)
    evaluate(kernel, [out], {"n": 5})
    assert out.tolist() == [39 * lane for lane in range(5)]


POLYNOMIAL = """%offs = tile.index offs : T<i64>
%v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
%one = tile.constant 1 : i64
%ones = tile.broadcast %one : i64 -> T<i64>
%left = tile.sub %offs, %ones : T<i64>
%w = tile.load %x[%left] : (B<f32>, T<i64>) -> T<f32>
%vv = tile.mul %v, %v : T<f32>
%sum = tile.add %vv, %w : T<f32>
%e = tile.exp %sum : T<f32>
tile.store %e, %out[%offs] : T<f32>, B<f32>, T<i64>"""


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 70), st.integers(1, 80), st.sampled_from([None, backwards, shuffled]))
def test_blocks_of_any_size_in_any_order(
    n: int, block: int, order: Callable[..., Iterable[int]]
) -> None:
    evaluator = Evaluator(linear({"x": "f32[]", "out": "f32[]"}, POLYNOMIAL))
    x = np.random.default_rng(n).standard_normal(n).astype(np.float32)
    whole, cut, chunked = (np.zeros(n, np.float32) for _ in range(3))
    evaluator.run([x, whole], sizes={"n": n})
    evaluator.run([x, cut], sizes={"n": n}, blocks={"BLOCK_SIZE": block}, order=order)
    evaluator.run([x, chunked], sizes={"n": n}, chunk=block)
    left = np.concatenate([[0], x[:-1]])[:n]
    assert np.allclose(whole, np.exp(x * x + left), rtol=1e-6)
    assert np.array_equal(whole.view(np.uint32), cut.view(np.uint32))
    assert np.array_equal(whole.view(np.uint32), chunked.view(np.uint32))


@pytest.mark.parametrize("chunk", [1, 3, 7, 20, 1000])
def test_chunks_of_rows(chunk: int) -> None:
    kernel = grid({"r": "i32[]", "c": "i64[]", "in": "i1[]", "sizes": "i64[]"}, PLACES)
    r, c = np.zeros((5, 7), np.int32), np.zeros((5, 7), np.int64)
    evaluate(
        kernel,
        [r, c, np.zeros((5, 7), bool), np.zeros(4, np.int64)],
        {"n_rows": 5, "n_cols": 7},
        chunk=chunk,
    )
    assert r.tolist() == [[row] * 7 for row in range(5)]
    assert c.tolist() == [list(range(7))] * 5


def test_an_order_must_run_each_program_once() -> None:
    evaluator = Evaluator(linear({"x": "f32[]", "out": "f32[]"}, POLYNOMIAL))
    args = [np.zeros(4, np.float32), np.zeros(4, np.float32)]
    with pytest.raises(AssertionError, match="each program must run once"):
        evaluator.run(args, sizes={"n": 4}, blocks={"BLOCK_SIZE": 2}, order=lambda count: [0, 0])


STAGES = """tile.kernel @k linear(%x "x" : !tile.buffer<f64>, %t "t" : !tile.buffer<f64>,
    %out "out" : !tile.buffer<f64>) {
  tile.stage cover [0] plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %v = tile.load %x[%offs] : (!tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>)
      -> !tile.tile<[BLOCK_SIZE], f64>
    %s = tile.reduce sum %v : !tile.tile<[BLOCK_SIZE], f64> -> f64
    %zero = tile.constant 0 : i64
    tile.store %s, %t[%zero] : f64, !tile.buffer<f64>, i64
  }
  tile.stage plan {BLOCK_SIZE = 256 : i64, num_warps = 4 : i64} {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %zero = tile.constant 0 : i64
    %s = tile.load %t[%zero] : (!tile.buffer<f64>, i64) -> f64
    %ss = tile.broadcast %s : f64 -> !tile.tile<[BLOCK_SIZE], f64>
    %v = tile.load %x[%offs] : (!tile.buffer<f64>, !tile.tile<[BLOCK_SIZE], i64>)
      -> !tile.tile<[BLOCK_SIZE], f64>
    %r = tile.div %v, %ss : !tile.tile<[BLOCK_SIZE], f64>
    tile.store %r, %out[%offs] : !tile.tile<[BLOCK_SIZE], f64>, !tile.buffer<f64>,
      !tile.tile<[BLOCK_SIZE], i64>
  }
}"""


@pytest.mark.parametrize("block", [None, {"BLOCK_SIZE": 2}, {"BLOCK_SIZE": 16}])
def test_stages_run_one_after_the_other(block: dict[str, int] | None) -> None:
    x, out = np.array([1.0, 2.0, 3.0, 4.0, 6.0]), np.zeros(5)
    evaluate(parse(STAGES), [x, np.zeros(1), out], {"n": 5}, blocks=block, order=backwards)
    assert out.tolist() == [v / 16 for v in x.tolist()]


def refused(text: str) -> CompileError:
    with pytest.raises(CompileError) as error:
        Evaluator(parse(text))
    return error.value


def test_unknown_types_are_refused() -> None:
    error = refused(
        """tile.kernel @k linear(%x "x" : !tile.buffer<f32>) {
          tile.stage {
            %offs = tile.index offs : !tile.unknown loc("k.patlang":3:5)
          }
        }"""
    )
    (diagnostic,) = error.diagnostics
    assert (diagnostic.code, str(diagnostic.place)) == ("P901", "k.patlang:3:5")
    assert "tile-infer-shapes" in diagnostic.help


def test_unknown_buffers_are_refused() -> None:
    text = 'tile.kernel @k linear(%x "x" : !tile.buffer<!tile.unknown>) {\n tile.stage {\n }\n}'
    assert refused(text).diagnostics[0].code == "P901"


def test_an_operation_on_a_type_that_it_does_not_take_is_refused() -> None:
    error = refused(
        'tile.kernel @k linear(%x "x" : i32) {\n tile.stage {\n %r = tile.sqrt %x : i32\n }\n}'
    )
    assert error.diagnostics[0].message == "'tile.sqrt' does not take i32"


def test_a_lane_condition_is_refused() -> None:
    error = refused(
        """tile.kernel @k linear() {
          tile.stage {
            %m = tile.in_domain : !tile.tile<[BLOCK_SIZE], i1>
            %c = tile.condition %m : !tile.tile<[BLOCK_SIZE], i1>
          }
        }"""
    )
    assert error.diagnostics[0].code == "P302"
