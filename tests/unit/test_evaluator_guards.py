"""Masks and guards, what a wrong guard does, and the checks of `checked`."""

from __future__ import annotations

import re

import numpy as np
import pytest
from evaluator_kernels import linear, parse

from patlang_ir.backends.numpy import Evaluator, evaluate
from patlang_ir.diagnostics import RunError

cuts = pytest.mark.parametrize("block", [None, 1, 3, 4, 7, 64])


def blocks(size: int | None) -> dict[str, int] | None:
    return {"BLOCK_SIZE": size} if size else None


GUARDED = """%offs = tile.index offs : T<i64>
%n = tile.size n : i64
%ns = tile.broadcast %n : i64 -> T<i64>
%inside = tile.compare lt %offs, %ns : T<i64> -> T<i1>
%v = tile.load %x[%offs] MASK1 : (B<f32>, T<i64>TYPE1) -> T<f32>
tile.store %v, %out[%offs] MASK2 : T<f32>, B<f32>, T<i64>TYPE2"""
MASKED, BARE = ("mask %inside guarded", ", T<i1>"), ("guarded", "")


def guarded_copy(load: tuple[str, str], store: tuple[str, str]) -> Evaluator:
    text = GUARDED
    for number, (mask, type) in enumerate((load, store), 1):
        text = text.replace(f"MASK{number}", mask).replace(f"TYPE{number}", type)
    return Evaluator(linear({"x": "f32[]", "out": "f32[]"}, text))


@cuts
def test_a_right_guard_changes_nothing(block: int | None) -> None:
    x, out = np.arange(7, dtype=np.float32), np.zeros(7, np.float32)
    guarded_copy(MASKED, MASKED).run([x, out], sizes={"n": 7}, blocks=blocks(block))
    assert np.array_equal(x, out)


@pytest.mark.parametrize(("load", "store"), [(BARE, MASKED), (MASKED, BARE)])
def test_a_missing_guard_is_found_in_a_padded_block(
    load: tuple[str, str], store: tuple[str, str]
) -> None:
    evaluator = guarded_copy(load, store)
    x, out = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    evaluator.run([x, out], sizes={"n": 8}, blocks={"BLOCK_SIZE": 4})
    assert np.array_equal(x, out)
    with pytest.raises(AssertionError, match="at index 8, outside its 8 elements"):
        evaluator.run([x, out], sizes={"n": 8}, blocks={"BLOCK_SIZE": 3})


def test_a_guard_against_padding_is_needed_where_the_index_is_inside() -> None:
    evaluator = guarded_copy(MASKED, BARE)
    x, out = np.arange(7, dtype=np.float32), np.zeros(9, np.float32)
    with pytest.raises(AssertionError, match="writes 'out' in a padding lane"):
        evaluator.run([x, out], sizes={"n": 7}, blocks={"BLOCK_SIZE": 3})


def test_a_wrong_guard_of_a_uniform_access_is_found_with_its_place() -> None:
    kernel = parse(
        """tile.kernel @k linear(%x "x" : !tile.buffer<f32>, %i "i" : i64) {
          tile.stage {
            %v = tile.load %x[%i] guarded : (!tile.buffer<f32>, i64) -> f32 loc("k.patlang":7:3)
            tile.store %v, %x[%i] guarded : f32, !tile.buffer<f32>, i64
          }
        }"""
    )
    evaluate(kernel, [np.zeros(3, np.float32), 2], {"n": 3})
    with pytest.raises(AssertionError, match=re.escape("k.patlang:7:3: guarded tile.load")):
        evaluate(kernel, [np.zeros(3, np.float32), 3], {"n": 3})


@cuts
def test_memory_is_touched_only_where_the_mask_holds(block: int | None) -> None:
    kernel = linear(
        {"m": "i1[]", "x": "f32[]", "out": "f32[]"},
        """%offs = tile.index offs : T<i64>
        %m1 = tile.load %m[%offs] : (B<i1>, T<i64>) -> T<i1>
        %m2 = tile.not %m1 : T<i1>
        %v = tile.load %x[%offs] mask %m1 : (B<f32>, T<i64>, T<i1>) -> T<f32>
        %one = tile.constant 1.0 : f32
        %ones = tile.broadcast %one : f32 -> T<f32>
        %w = tile.add %v, %ones : T<f32>
        tile.store %w, %out[%offs] mask %m2 : T<f32>, B<f32>, T<i64>, T<i1>
        tile.atomic add %w, %out[%offs] mask %m1 : T<f32>, B<f32>, T<i64>, T<i1>""",
    )
    mask = np.array([True, False, True, False, True])
    x, out = np.arange(5, dtype=np.float32), np.full(5, np.float32(50))
    evaluate(kernel, [mask, x, out], {"n": 5}, blocks=blocks(block))
    assert out.tolist() == [51, 1, 53, 1, 55]


PLACED = """tile.kernel @k linear(%index "index" : !tile.buffer<i64>,
    %x "cells" : !tile.buffer<i64>) {
  tile.stage {
    %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
    %i = tile.load %index[%offs] : (!tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>)
      -> !tile.tile<[BLOCK_SIZE], i64>
    OPERATION loc("k.patlang":4:9)
  }
}"""
LOAD = """%v = tile.load %x[%i] : (!tile.buffer<i64>, !tile.tile<[BLOCK_SIZE], i64>)
  -> !tile.tile<[BLOCK_SIZE], i64>"""
STORE = """tile.store %i, %x[%i] : !tile.tile<[BLOCK_SIZE], i64>, !tile.buffer<i64>,
  !tile.tile<[BLOCK_SIZE], i64>"""
DIVIDE = "%v = tile.quotient %offs, %i : !tile.tile<[BLOCK_SIZE], i64>"


@cuts
@pytest.mark.parametrize("operation", [LOAD, STORE])
def test_checked_shows_an_index_outside(operation: str, block: int | None) -> None:
    evaluator = Evaluator(parse(PLACED.replace("OPERATION", operation)), checked=True)
    evaluator.run(
        [np.array([0, 2, 1]), np.zeros(3, np.int64)], sizes={"n": 3}, blocks=blocks(block)
    )
    for wrong in (3, -1):
        with pytest.raises(RunError) as error:
            evaluator.run(
                [np.array([0, wrong, 1]), np.zeros(3, np.int64)],
                sizes={"n": 3},
                blocks=blocks(block),
            )
        diagnostic = error.value.diagnostic
        assert diagnostic.code == "P607"
        assert diagnostic.message == f"index {wrong} is outside 'cells', which has 3 elements"
        assert str(diagnostic.place) == "k.patlang:4:9"


@cuts
def test_checked_shows_a_division_by_0(block: int | None) -> None:
    evaluator = Evaluator(parse(PLACED.replace("OPERATION", DIVIDE)), checked=True)
    cells = np.zeros(3, np.int64)
    evaluator.run([np.array([5, 2, 1]), cells], sizes={"n": 3}, blocks=blocks(block))
    with pytest.raises(RunError, match=re.escape("k.patlang:4:9: error[P602]")):
        evaluator.run([np.array([5, 0, 1]), cells], sizes={"n": 3}, blocks=blocks(block))
