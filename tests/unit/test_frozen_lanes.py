"""Loops whose lanes stop each for itself run in blocks; what moves on is refused, by its name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from kernel_texts import CUT, GRID, LINEAR, equal, in_blocks, kernel_text, run, tile_kernel, whole

import patlang_ir as pl
from patlang_ir.analysis.combining import LIMIT
from patlang_ir.analysis.independence import is_block_independent
from patlang_ir.diagnostics import LaunchError, RunError
from patlang_ir.dialects import tile
from patlang_ir.runtime.kernel import CHUNK

STOPS = {
    "a choice": """let z = x[offs]
        while any(z < 4) do
          let z = select(z < 4, z + 1.5, z)
        end
        store(out, offs, z)""",
    "a choice of choices": """let z = x[offs]; let low = z < 4
        while any(low) do
          let z = select(low, select(z > 1, z + 2, z + 1), z); let low = z < 4 and low
        end
        store(out, offs, z)""",
    "the other way round": """let z = x[offs]; let done = z >= 4
        while not all(done) do
          let z = select(done, z, z + 1); let done = z >= 4
        end
        store(out, offs, z)""",
    "done, which starts as false": """let z = x[offs]; let done = 1 > 2
        while not all(done) do
          let z = select(done, z, z + 1); let done = z >= 4
        end
        store(out, offs, z)""",
    "active, which starts as true": """let z = 0.0; let i = 0; let active = true
        while i < 9 and any(active) do
          let z = select(active, z + x[offs], z); let active = z < 4; let i = i + 1
        end
        store(out, offs, z)""",
    "a flag that is only lowered": """let z = x[offs]; let active = z < 4; let i = 0
        while any(active) do
          let z = select(active, z + i, z); let i = i + 1
          let active = active and z < 4 and i < 3 - x[offs]
        end
        store(out, offs, z)""",
    "a count of integers": """let z = x[offs]; let steps = 0
        while any(z < 4) do
          let steps = steps + select(z < 4, 1, 0); let z = select(z < 4, z + 1, z)
        end
        store(out, offs, steps)""",
    "a count of floats": """let z = x[offs]; let steps = 0.0
        while any(z < 4) do
          let steps = steps + select(z < 4, 1.5, 0.0); let z = select(z < 4, z + 1, z)
        end
        store(out, offs, steps)""",
    "a float from which nothing is taken": """let z = x[offs]; let rest = x[offs]
        while any(z < 4) do
          let rest = rest - select(z < 4, z, 0.0); let z = z * select(z < 4, 0.5, 1)
          let z = z + select(z < 4, 5, -0.0)
        end
        store(out, offs, rest + z)""",
    "a bound": """let z = x[offs]; let i = 0
        while i < 3 and any(z < 4) do
          let z = select(z < 4, z + i, z); let i = i + 1
        end
        store(out, offs, z)""",
    "two tests": """let z = x[offs]; let y = z
        while any(z < 4) and any(z + y < 9) do
          let go = z < 4 and z + y < 9
          let z = select(go, z + 1, z); let y = select(go, y + 1, y)
        end
        store(out, offs, z * 16 + y)""",
    "either of two": """let z = x[offs]; let y = z * 2
        while any(z < 4 or y < 5) do
          let y = select(y < 5, y + 1, y); let z = select(z < 4, z + 1, z)
        end
        store(out, offs, z * 16 + y)""",
    "what nobody needs moves": """let z = x[offs]; let t = z
        while any(z < 4) do
          let t = t * 2 + 1; let z = select(z < 4, max(t, z + 1), z)
        end
        store(out, offs, z)""",
    "several steps between tests": """let z = x[offs]; let steps = 0
        while any(z < 4) do
          let j = 0
          while j < 3 do
            let steps = select(z < 4, steps + 1, steps); let z = select(z < 4, z + 1, z)
            let j = j + 1
          end
        end
        store(out, offs, steps)""",
    "a branch": """let z = x[offs]; let i = 0
        while any(z < 4) do
          if i % 2 == 0 then
            let z = select(z < 4, z + 1, z)
          else
            let z = select(z < 4, z + 2, z)
          end
          let i = i + 1
        end
        store(out, offs, z)""",
    "a loop in a loop": """let z = x[offs]; let total = 0
        while any(z < 4) do
          let w = x[offs]
          while any(w < z) do
            let w = select(w < z, w + 1, w)
          end
          let total = select(z < 4, total + w, total); let z = select(z < 4, z + 1, z)
        end
        store(out, offs, total)""",
    "loads": """let p = offs
        while any(x[p] < 2 and p < n) do
          let p = select(x[p] < 2 and p < n, p + 1, p)
        end
        store(out, offs, p)""",
    "Euclid": """let a = to_int(x[offs]) + 9; let b = 6
        while any(b != 0) do
          let rest = a % b; let a = select(b != 0, b, a); let b = rest
        end
        store(out, offs, a)""",
}  # fmt: skip

X = np.array([0.5, -3, 9, 4, -0.0, 0.0, 3.5, -7, 4, 1])


def differing_cut(text: str, shape: tuple[int, ...] = X.shape, passes: str = "") -> str | None:
    """A cut that gives other bits than one block over the whole input."""
    kernel = tile_kernel(text, passes)
    args = [np.resize(X, shape).reshape(-1), np.zeros(shape).reshape(-1)]
    meant = whole(tile_kernel(text), args, shape)
    cuts = in_blocks(kernel, args, shape, (1, 2, 3, 8))
    return next((name for name, found in cuts if not equal(found, meant)), None)


@pytest.mark.parametrize("name", STOPS)
def test_lanes_that_stop_for_themselves_run_in_blocks(name: str):
    text = kernel_text(STOPS[name])
    assert is_block_independent(tile_kernel(text))
    assert differing_cut(text) is None
    chain = tile_kernel(text, CUT)
    assert [stage.cover for stage in chain.stages] == [None]
    assert differing_cut(text, passes=CUT) is None


def test_over_rows_and_columns():
    text = kernel_text(
        """let z = x[offs]; let total = 0.0; let go = total < 4
        while any(go) do
          let total = select(go, total + row + 1, total); let z = select(go, z * 2, z)
          let go = total < 4
        end
        store(out, offs, z + total)""",
        marker=GRID,
    )
    assert is_block_independent(tile_kernel(text))
    for shape in ((1, 1), (3, 5), (0, 2)):
        assert differing_cut(text, shape) is None
        assert differing_cut(text, shape, CUT) is None


@pytest.mark.parametrize("n", [LIMIT, LIMIT + 1, 100_000])
def test_of_any_length(n: int):
    x = np.random.default_rng(n).normal(0, 3, n)
    expected = x.copy()
    while (expected < 4).any():
        expected = np.where(expected < 4, expected + 1.5, expected)
    assert np.array_equal(run(STOPS["a choice"], x, np.zeros(n)), expected)


def test_the_result_can_be_combined():
    body = STOPS["a choice"].replace("store(out, offs, z)", "store(out, 0, sum(z))")
    chain = tile_kernel(kernel_text(body), "tile-legalize-reductions")
    assert len(chain.stages) == 3
    x = np.arange(40_000.0) % 8
    found = run(body, x, np.zeros(1))[0]
    assert found == run(STOPS["a choice"], x, np.zeros(40_000)).sum()


MOVES = {
    "the value goes on": ("'z' may", """let z = x[offs]
        while any(z < 4) do
          let z = z * 2 + 9
        end
        store(out, offs, z)"""),
    "another value goes on": ("'t' may", """let z = x[offs]; let t = z
        while any(z < 4) do
          let t = t + 1; let z = select(z < 4, z + 1, z)
        end
        store(out, offs, t)"""),
    "the turns are counted": ("'turns' changes", """let z = x[offs]; let turns = 0
        while any(z < 4) do
          let z = select(z < 4, z + 1, z); let turns = turns + 1
        end
        store(out, offs, z + turns)"""),
    "a condition that is not that of the test": ("'z' may", """let z = x[offs]
        while any(z < 4) do
          let z = select(z < 5, z + 1, z)
        end
        store(out, offs, z)"""),
    "the condition of the next turn": ("'t' may", """let z = x[offs]; let t = 0.0
        while any(z < 4) do
          let z = select(z < 4, z + 1, z); let t = select(z < 4, t, t - 1)
        end
        store(out, offs, t)"""),
    "a lane that goes on again": ("'i' changes", """let z = x[offs]; let i = 0
        while i < 8 and any(z < i) do
          let z = select(z < i, z + 2, z); let i = i + 1
        end
        store(out, offs, z)"""),
    "minus zero becomes zero": ("'t' may", """let t = x[offs]; let z = select(t == 0, 9, t)
        while any(z < 4) do
          let t = t + select(z < 4, 0.0 * z, 0.0); let z = select(z < 4, z + 1, z)
        end
        store(out, offs, t)"""),
    "not NaN": ("'z' may", """let z = 0 - x[offs]
        while any(z < 4) do
          let z = select(z >= 4, z, z + 1)
        end
        store(out, offs, z)"""),
    "a flag that comes again": ("'go' may", """let z = x[offs]; let go = z < 4; let i = 0
        while i < 6 and any(go) do
          let z = select(go, z + 1, z); let go = z + i < 7; let i = i + 1
        end
        store(out, offs, z)"""),
    "a flag that starts otherwise": ("'done' may", """let z = x[offs]; let done = z > 8; let i = 0
        while i < 9 and not all(done) do
          let z = select(done, z - 1, z + 1); let done = z >= 4; let i = i + 1
        end
        store(out, offs, z)"""),
    "a flag of the turn before": ("'done' may", """let z = x[offs]; let done = 1 > 2; let i = 0
        while i < 9 and not all(done) do
          let next = 3.5 - z; let z = select(done, z, next); let done = next >= 0; let i = i + 1
        end
        store(out, offs, z)"""),
    "one of two tests": ("'z' may", """let z = x[offs]; let y = z
        while any(z < 4) and any(z + y < 9) do
          let z = select(z < 4, z + 1, z); let y = select(z + y < 9, y + 1, y)
        end
        store(out, offs, z * 16 + y)"""),
    "a sum in the body": ("the loop combines", """let z = x[offs]
        while any(z < 4) do
          let z = select(z < 4, z + 1 + abs(sum(z)), z)
        end
        store(out, offs, z)"""),
    "a store in the body": ("the loop writes", """let z = x[offs]
        while any(z < 4) do
          let z = select(z < 4, z + 1, z); store(out, offs, out[offs] + 1)
        end"""),
    "some lanes, or a count": ("combine them", """let z = x[offs]; let i = 0
        while i < 2 or any(z < 4) do
          let z = select(z < 4, z + 1, z); let i = i + 1
        end
        store(out, offs, z)"""),
    "all lanes must go on": ("combine them", """let z = x[offs]
        while all(z < 9) do
          let z = select(z < 9, z + 1, z)
        end
        store(out, offs, z)"""),
    "an outer flag": ("'w' may", """let z = x[offs]; let w = z
        while any(z < 4) do
          while any(w < 2) do
            let w = w + 1
          end
          let z = select(z < 4, z + 1, z)
        end
        store(out, offs, w)"""),
}  # fmt: skip
HARMLESS = {
    "some lanes, or a count",
    "a condition that is not that of the test",
    "not NaN",
}
"""Refused, though these cuts give the same."""


@pytest.mark.parametrize("name", MOVES)
def test_what_moves_is_refused_by_its_name(name: str):
    moves, body = MOVES[name]
    text = kernel_text(body)
    kernel = tile_kernel(text)
    assert not is_block_independent(kernel)
    n = LIMIT + 1
    with pytest.raises(LaunchError) as caught:
        pl.loads(text)["k"](np.full(n, 9.0), np.zeros(n))
    found = caught.value.diagnostic
    assert found.code == "P501" and moves in found.help, found.help


@pytest.mark.parametrize("name", [name for name in MOVES if name not in HARMLESS])
def test_and_would_depend_on_the_cut(name: str):
    assert differing_cut(kernel_text(MOVES[name][1])) is not None


def test_the_help_says_the_line():
    with pytest.raises(LaunchError) as caught:
        run(MOVES["another value goes on"][1], np.ones(LIMIT + 1), np.ones(LIMIT + 1))
    assert caught.value.diagnostic.help == (
        "line 5: 't' may change for a lane that has stopped, which is used after the loop: "
        "let t = select(condition, new, t)"
    )


def test_a_checked_run_sees_what_stopped_lanes_do():
    """In the second turn the first lane, which has stopped, reads outside its buffer."""
    body = """let z = x[offs]; let i = 0
    while any(z < 4) do
      let y = x[offs + i * select(offs == 0, n, 0)]
      let z = select(z < 4, z + 1 + y * 0, z); let i = i + 1
    end
    store(out, offs, z)"""
    x = np.full(CHUNK + 1, 4.0)
    assert (run(body, x, np.zeros(CHUNK + 1)) == 4).all()
    x[-1] = 0
    assert (run(body, x, np.zeros(CHUNK + 1)) == 4).all()
    with pytest.raises(RunError, match="x"):
        pl.loads(kernel_text(body))["k"](x, np.zeros(CHUNK + 1), checked=True)


def test_kernels_that_only_end_loops_have_small_blocks():
    def plan(body: str) -> Any:
        (stage,) = tile_kernel(kernel_text(body), CUT).stages
        assert isinstance(stage, tile.StageOp)
        return stage.plan

    assert plan(STOPS["a choice"]) == plan("store(out, offs, x[offs])")


def test_a_loop_may_be_tuned():
    marker = f"{LINEAR}(autotune=[64, 128])"
    assert run(STOPS["a choice"], np.ones(3), np.zeros(3), marker=marker).tolist() == [4, 4, 4]
