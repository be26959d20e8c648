"""Loops of kernels run as the language says: start, bound, step, and what is left afterwards."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_texts import GRID, gives, refused

X = [3, -1, 4, 1, -5]


def loop(start: str, condition: str, update: str, result: str = "a") -> str:
    """A loop that counts its turns in `a`, one for each lane."""
    return f"""let i = {start}; let a = x[offs] * 0
    while {condition} do
      let a = a + 1; {update}
    end
    store(out, offs, {result})"""


def turns(start: float, holds: str, step: str) -> tuple[int, float]:
    """The same in Python: how many turns it takes, and the counter afterwards."""
    count, i = 0, start
    while eval(holds, {"i": i, "n": 5}):
        i = eval(step, {"i": i, "n": 5})
        count += 1
    return count, i


STARTS = ["3", "0", "-4", "6", "7", "n", "2.5"]
CONDITIONS = ["i < 6", "i <= 6", "6 > i", "i < n", "i + 1 < 6", "i * i < 30"]
STEPS = ["i + 1", "i + 2", "2 + i", "i + i + 3", "i - -1", "1 + i + 1", "i * 2 + 11", "i + n"]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_loop_starts_where_its_counter_is_and_ends_at_its_bound(start: str, condition: str):
    first = eval(start, {"n": 5})
    count, last = turns(first, condition, "i + 1")
    gives(loop(start, condition, "let i = i + 1"), [count] * 5, X, [0] * 5)
    gives(loop(start, condition, "let i = i + 1", "a * 0 + i"), [last] * 5, X, [0] * 5)


@pytest.mark.parametrize("step", STEPS)
def test_the_step_is_the_one_update_wherever_it_stands(step: str):
    count, last = turns(0, "i < 10", step)
    update = f"let i = {step}"
    before = f"""let i = 0; let a = x[offs] * 0
    while i < 10 do
      {update}
      let a = a + 1
    end
    store(out, offs, a * 1000 + i)"""
    expected = [count * 1000 + last] * 5
    gives(before, expected, X, [0] * 5)
    gives(loop("0", "i < 10", update, "a * 1000 + i"), expected, X, [0] * 5)


@pytest.mark.parametrize("step", ["i - 1", "i - 3", "-2 + i", "i + -1"])
@pytest.mark.parametrize("condition", ["i > 0", "i >= 0", "0 < i", "i > -n"])
def test_a_loop_may_count_down(step: str, condition: str):
    count, last = turns(10, condition, step)
    body = loop("10", condition, f"let i = {step}", "a * 1000 + i")
    gives(body, [count * 1000 + last] * 5, X, [0] * 5)


def test_the_counter_may_be_used_and_set_in_the_body():
    body = """let i = 1; let a = 0
    while i < 20 do
      let a = a + i
      if a > 10 then
        let i = i * 2
      end
      let i = i + 1
    end
    store(out, offs, a * 100 + i + x[offs] * 0)"""
    i, a = 1, 0
    while i < 20:
        a += i
        i = i * 2 + 1 if a > 10 else i + 1
    gives(body, [a * 100 + i] * 5, X, [0] * 5)


def test_a_bound_that_the_loop_moves_is_followed():
    body = """let i = 0; let m = 10
    while i < m do
      let i = i + 1; let m = m - 2
    end
    store(out, offs, i * 100 + m + x[offs] * 0)"""
    gives(body, [4 * 100 + 2] * 5, X, [0] * 5)


def test_loops_in_loops():
    body = """let i = 0; let j = 0; let a = x[offs] * 0
    while i < 3 do
      let j = i
      while j < 4 do
        let a = a + x[offs]; let j = j + 1
      end
      let i = i + 1
    end
    store(out, offs, a + i * 100 + j)"""
    gives(body, [9 * x + 304 for x in X], X, [0] * 5)


def test_a_loop_that_makes_no_turn_changes_nothing():
    gives(loop("9", "i < 3", "let i = i + 1", "a + i"), [9] * 5, X, [0] * 5)


ENDLESS = {
    "nothing is updated": ("while i < 3 do\nstore(out, offs, 1)\nend", "i < 3"),
    "another variable is": ("while i < 3 do\nlet j = i + 1\nstore(out, offs, j)\nend", "i < 3"),
    "a step of zero": ("while i < 3 do\nlet i = i + 0\nstore(out, offs, 1)\nend", "i < 3"),
    "steps that undo each other": (
        "while i < 3 do\nlet i = i + 1\nstore(out, offs, 1)\nlet i = i - 1\nend",
        "i < 3",
    ),
    "a step away from the bound": (
        "while i < 3 do\nlet i = i - 1\nstore(out, offs, 1)\nend",
        "i < 3",
    ),
    "true": ("while true do\nstore(out, offs, 1)\nend", None),
    "a bound alone": ("while n > 0 do\nstore(out, offs, i)\nend", "n > 0"),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_a_loop_that_cannot_end_is_refused(case: str):
    lines, at = ENDLESS[case]
    shown = "> 0" if at == "n > 0" else "< 3" if at else None
    found = refused(f"let i = 0\n{lines}", "P401", shown, params="out")
    assert found.place is not None and found.place.line == 4


LANE_CONDITIONS = ["i < x[offs]", "offs < 3", "x[offs] > 0 and i < 3", "not (x[offs] > i)"]


@pytest.mark.parametrize("condition", LANE_CONDITIONS)
def test_a_loop_that_each_lane_would_end_elsewhere_is_refused(condition: str):
    body = f"""let i = 0
    while {condition} do
      let i = i + 1
    end
    store(out, offs, i + x[offs])"""
    found = refused(body, "P302", None)
    assert found.place is not None and found.place.line == 4
    assert "select" in found.help


CARRIED = {
    "a number that becomes one for each lane": (
        "0.0",
        "let a = a + x[offs]",
        [4 * x for x in X],
    ),
    "a whole number that gets a fraction": ("0", "let a = a + 0.5", [2] * 5),
    "a whole number that becomes one for each lane": (
        "1",
        "let a = a + x[offs] * 2",
        [8 * x + 1 for x in X],
    ),
    "a number that becomes a position": ("0", "let a = offs", [0, 1, 2, 3, 4]),
    "a truth value for each lane": ("false", "let a = x[offs] > 0", [1, 0, 1, 1, 0]),
    "a quotient": ("8", "let a = a / 2", [0.5] * 5),
}


@pytest.mark.parametrize("case", CARRIED)
def test_what_a_loop_carries_has_one_type_from_the_start(case: str):
    start, update, expected = CARRIED[case]
    stored = "select(a, 1, 0)" if start == "false" else "a + x[offs] * 0"
    body = f"""let a = {start}; let i = 0
    while i < 4 do
      {update}; let i = i + 1
    end
    store(out, offs, {stored})"""
    gives(body, expected, X, [0] * 5)


def test_two_variables_of_a_loop_change_places():
    body = """let a = 1; let b = x[offs]; let i = 0
    while i < 3 do
      let t = a; let a = b; let b = t; let i = i + 1
    end
    store(out, offs, a * 10 + b)"""
    gives(body, [10 * x + 1 for x in X], X, [0] * 5)


def test_rows_and_columns_are_carried_in_their_shape():
    body = """let a = 0; let i = 0
    while i < 3 do
      let a = a + row; let i = i + 1
    end
    store(out, offs, a * 10 + col + x[offs] * 0)"""
    expected = [[0, 1, 2], [30, 31, 32]]
    gives(body, expected, [[1, 2, 3], [4, 5, 6]], [[0, 0, 0], [0, 0, 0]], marker=GRID)


def test_what_cannot_be_carried_is_refused_where_it_differs():
    body = """let a = 1; let i = 0
    while i < 4 do
      let a = x[offs] > 0; let i = i + 1
    end
    store(out, offs, a)"""
    found = refused(body, "P304", None, np.ones(3), np.ones(3))
    assert "'a'" in found.message and found.place is not None
