"""Shapes of kernels are inferred: what is one number, what one for each lane, row or column."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, gives, refused, run

X = [3, -1, 4, 1, -5]
ROWS = [[1, 2, 3], [5, 7, 11]]
NOTHING = [[0, 0, 0], [0, 0, 0]]


def grid(body: str, expected: object, *inputs: object, params: str = "x, out") -> None:
    gives(body, expected, *(inputs or (ROWS, NOTHING)), params=params, marker=GRID)


# --- rows and columns ---

POSITIONS = {
    "row": lambda r, c: r,
    "col": lambda r, c: c,
    "row2": lambda r, c: r,
    "col2": lambda r, c: c,
    "row * 10 + col": lambda r, c: r * 10 + c,
    "offs": lambda r, c: 3 * r + c,
    "row * n_cols + col - offs": lambda r, c: 0,
    "n_rows * 10 + n_cols": lambda r, c: 23,
    "select(row == col, 1, 0)": lambda r, c: r == c,
    "max(row, col)": max,
    "select(mask and mask_r and mask_c, 1, 0)": lambda r, c: 1,
    "x[offs]": lambda r, c: ROWS[r][c],
    "x[col]": lambda r, c: ROWS[0][c],
    "x[row]": lambda r, c: ROWS[0][r],
    "x[row * n_cols]": lambda r, c: ROWS[r][0],
    "x[row * n_cols + n_cols - 1 - col]": lambda r, c: ROWS[r][2 - c],
    "x[row * n_cols + col]": lambda r, c: ROWS[r][c],
    "x[0] * col": lambda r, c: c,
    "x[offs] * x[col] + x[row]": lambda r, c: ROWS[r][c] * ROWS[0][c] + ROWS[0][r],
    "sum(x[offs], 1)": lambda r, c: sum(ROWS[r]),
    "sum(x[offs], 0)": lambda r, c: ROWS[0][c] + ROWS[1][c],
    "sum(x[offs])": lambda r, c: 29,
    "sum(row)": lambda r, c: 3,
    "sum(col, 1)": lambda r, c: 3,
    "sum(row, 0)": lambda r, c: 1,
    "reduce_max(x[offs], 1) - x[offs]": lambda r, c: max(ROWS[r]) - ROWS[r][c],
    "sum(x[col] * row, 1)": lambda r, c: 6 * r,
}


@pytest.mark.parametrize("value", POSITIONS)
def test_a_row_lies_along_its_row_and_a_column_along_its_column(value: str):
    expected = [[POSITIONS[value](r, c) for c in range(3)] for r in range(2)]
    grid(f"store(out, offs, {value} + 0 * x[offs])", expected)


@pytest.mark.parametrize("shape", [(3, 3), (1, 4), (4, 1), (2, 5)])
def test_rows_and_columns_of_any_shape(shape: tuple[int, int]):
    rows, columns = np.indices(shape)
    x = rows * 7 + columns
    body = "store(out, offs, x[offs] * 100 + row * 10 + col)"
    grid(body, x * 100 + rows * 10 + columns, x.tolist(), np.zeros(shape).tolist())


def test_a_matrix_is_transposed_by_an_index():
    x = [[1, 2, 3], [5, 7, 11]]
    expected = [1, 5, 2, 7, 3, 11]
    found = run(
        "store(out, col * n_rows + row, x[offs])", np.array(x, "f8"), np.zeros(6), marker=GRID
    )
    assert found.tolist() == expected
    square = [[1, 2], [3, 5]]
    grid("store(out, offs, x[col * n_rows + row])", [[1, 3], [2, 5]], square, [[0, 0], [0, 0]])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("store(out, row, sum(x[offs], 1))", [6, 23]),
        ("store(out, row, row * 10 + n_cols + x[row] * 0)", [3, 13]),
        ("store(out, row, x[row * n_cols + 1])", [2, 7]),
        ("store(out, n_rows - 1 - row, reduce_max(x[offs], 1))", [11, 3]),
        ("store(out, col, sum(x[offs], 0))", [6, 9, 14]),
        ("store(out, col, argmax(x[offs], 0) * 10 + col)", [10, 11, 12]),
        ("store(out, 0, sum(x[offs])); store(out, 1, reduce_min(x[offs]))", [29, 1]),
        ("atomic_add(out, row, x[offs])", [6, 23]),
        ("atomic_add(out, col, x[offs] * 0 + 1)", [2, 2, 2]),
        ("atomic_add(out, row, row + x[0])", [1, 2]),
    ],
)
def test_vectors_are_stored_for_each_row_or_column(body: str, expected: list[float]):
    out = run(body, np.array(ROWS, "f8"), np.zeros(len(expected)), marker=GRID)
    assert out.tolist() == expected


def test_a_value_of_each_lane_does_not_fit_a_row():
    found = refused("store(out, row, x[offs])", "P307", "store", marker=GRID)
    assert "sum" in found.help
    refused("store(out, col, x[row])", "P307", "store", marker=GRID)
    refused("store(out, 0, x[row])", "P307", "store", marker=GRID)


# --- one number or one for each lane ---

SCALARS = {
    "n > 10": False,
    "n == 5": True,
    "n > 2 and n < 9": True,
    "not (n > 2)": False,
    "n": True,
    "n - 5": False,
    "x[0] > 2": True,
    "x[n - 1] > 0": False,
    "max(1, x[0]) > 2": True,
    "select(n > 2, x[0], 0) > 2": True,
    "sum(x[offs]) > 1": True,
    "reduce_max(x[offs]) > 4": False,
    "any(x[offs] > 3)": True,
    "all(x[offs] > 0)": False,
    "argmax(x[offs]) == 2": True,
    "abs(n - 7) == 2": True,
    "sqrt(n * n) == n": True,
}


@pytest.mark.parametrize("condition", SCALARS)
def test_a_condition_of_one_number_is_allowed(condition: str):
    body = f"""store(out, offs, x[offs])
    if {condition} then
      store(out, offs, 9)
    end"""
    gives(body, [9] * 5 if SCALARS[condition] else X, X, [0] * 5)


LANES = [
    "x[offs] > 0", "offs > 2", "x[offs]", "max(1, x[offs]) > 2", "max(x[offs], 1) > 2",
    "select(x[offs] > 0, 1, 0) > 0", "select(n > 2, x[offs], 0) > 0", "n > 2 and x[offs] > 0",
    "not (offs == 1)", "exp(x[offs]) > 1", "x[offs] - sum(x[offs]) > 0", "fma(1, n, offs) > 2",
    "mask and offs > 1",
]  # fmt: skip


@pytest.mark.parametrize("condition", LANES)
def test_a_condition_of_each_lane_is_refused_with_what_to_write(condition: str):
    body = f"""let y = 0
    if {condition} then
      let y = x[offs]
    end
    store(out, offs, y)"""
    found = refused(body, "P302", None)
    assert found.place is not None and found.place.line == 4
    assert "select(" in found.help


@pytest.mark.parametrize(
    "condition", ["row > 0", "col == 1", "sum(x[offs], 1) > 3", "sum(x[offs], 0)"]
)
def test_a_condition_of_each_row_or_column_is_refused(condition: str):
    body = f"""store(out, offs, x[offs])
    if {condition} then
      store(out, offs, 1)
    end"""
    assert refused(body, "P302", None, marker=GRID).place is not None


def test_a_sum_over_rows_and_columns_is_one_number():
    body = """store(out, offs, x[offs])
    if sum(x[offs]) > 28 then
      store(out, offs, 1)
    end"""
    grid(body, [[1, 1, 1], [1, 1, 1]])


@pytest.mark.parametrize("elif_", ["elif", "else\n if"])
def test_a_condition_further_down_is_looked_at_too(elif_: str):
    end = "end\nend" if "else" in elif_ else "end"
    body = f"""if n > 100 then
      store(out, offs, 1)
    {elif_} x[offs] > 0 then
      store(out, offs, 2)
    {end}"""
    refused(body, "P302", None)


# --- a variable has the shape that it was given last ---


def test_a_variable_that_is_set_again_has_the_new_shape():
    body = """let v = 1; let w = x[offs]; let v = w; let w = n
    if w > 4 then
      store(out, offs, v * 10 + w)
    end"""
    gives(body, [10 * x + 5 for x in X], X, [0] * 5)
    for lines in ("let v = 1; let v = x[offs]", "let v = n\nlet u = v\nlet v = x[offs] + u"):
        body = f"{lines}\nif v > 0 then\nstore(out, offs, v)\nend"
        refused(body, "P302", None)


# --- branches ---


def test_branches_join_a_number_and_lanes():
    body = """let r = 1
    if n > 4 then
      let r = x[offs]
    end
    store(out, offs, r)"""
    gives(body, X, X, [0] * 5)
    gives(body, [1, 1, 1], X[:3], [0] * 3)


def test_branches_join_integers_and_floats():
    body = """let r = 7
    if n > 4 then
      let r = 0.5
    elif n > 3 then
      let r = n
    end
    store(out, offs, r + x[offs] * 0)"""
    gives(body, [0.5] * 5, X, [0] * 5)
    gives(body, [4] * 4, X[:4], [0] * 4)
    gives(body, [7] * 2, X[:2], [0] * 2)


def test_branches_that_all_give_a_value_give_it():
    body = """let s = sum(x[offs])
    if s > 4 then
      let r = 1
    elif s > 1 then
      let r = x[offs]
    else
      let r = 3
    end
    store(out, offs, r)"""
    gives(body, X, X, [0] * 5)
    gives(body, [1, 1], [3, 3], [0, 0])
    gives(body, [3, 3], [0, 0], [0, 0])


UNSET = {
    "one arm": "if n > 4 then\n let r = 1\nend",
    "the other arm": "if n > 4 then\n let q = 1\nelse\n let r = 1\nend",
    "an arm of three": "if n > 4 then\n let r = 1\nelif n > 3 then\n let r = 2\nend",
    "a loop": "let i = 0\nwhile i < n do\n let r = i\n let i = i + 1\nend",
    "an arm in a loop": """let i = 0
        while i < n do
          if i > 2 then
            let r = i
          end
          let i = i + 1
        end""",
}


@pytest.mark.parametrize("case", UNSET)
def test_a_variable_that_a_path_leaves_unset_is_refused(case: str):
    found = refused(f"{UNSET[case]}\nstore(out, offs, r)", "P303", "r)", params="out")
    assert "'r'" in found.message and "let r" in found.help


def test_truth_values_and_numbers_do_not_join():
    body = """let r = 1
    if n > 4 then
      let r = x[offs] > 0
    end
    store(out, offs, r)"""
    refused(body, "P304", None)


# --- indices ---

INDEXED = {
    "let j = 0; store(out, j, sum(x[offs]))": [2, 0, 0, 0, 0],
    "let j = n - 1; store(out, j, x[0])": [0, 0, 0, 0, 3],
    "store(out, 2, n)": [0, 0, 5, 0, 0],
    "store(out, argmax(x[offs]), 7)": [0, 0, 7, 0, 0],
    "store(out, offs, x[0] * x[offs])": [9, -3, 12, 3, -15],
    "store(out, offs, x[n - 1] + x[1])": [-6, -6, -6, -6, -6],
    "store(out, offs, 1)": [1, 1, 1, 1, 1],
    "store(out, n - 1 - offs, x[offs])": [-5, 1, 4, -1, 3],
    "let k = offs + 0; store(out, k, x[k])": X,
    "store(out, offs, x[x[1] + 2])": [-1, -1, -1, -1, -1],
}


@pytest.mark.parametrize("body", INDEXED)
def test_loads_and_stores_go_by_the_shapes_of_index_and_value(body: str):
    gives(body, INDEXED[body], X, [0] * 5)


@pytest.mark.parametrize("index", ["0", "n - 1", "let j"])
def test_lanes_do_not_fit_one_element(index: str):
    body = (
        "let j = 0; store(out, j, x[offs])" if index == "let j" else f"store(out, {index}, x[offs])"
    )
    found = refused(body, "P307", "store")
    assert "sum" in found.help and "offs" in found.help


def test_one_element_buffers_hold_coefficients():
    body = "store(out, offs, x[offs] * a[0] + a[1])"
    gives(body, [2 * x + 1 for x in X], X, [2, 1], [0] * 5, params="x, a, out")


# --- one number a program ---


@pytest.mark.parametrize("name", ["pid", "pid_r", "pid_c", "BLOCK_SIZE", "BLOCK_R", "BLOCK_C"])
@pytest.mark.parametrize("marker", [LINEAR, GRID])
def test_what_depends_on_the_cut_has_no_value(name: str, marker: str):
    uses = (
        f"store(out, 0, 1.0 * {name})",
        f"store(out, {name}, sum(x[offs]))",
        f"store(out, offs, x[offs] + {name})",
        f"if {name} == 0 then\nstore(out, offs, 1)\nend",
        f"if {name} > 64 then\nstore(out, offs, 1)\nend",
    )
    for body in uses:
        found = refused(body, "P208", name, marker=marker)
        assert found.help
