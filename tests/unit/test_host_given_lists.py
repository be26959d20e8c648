"""A list that a variable gives up when it is passed on is changed in place by who gets it."""

from __future__ import annotations

import io

import pytest
from host_model import resolved, run_compiled
from xdsl.context import Context

from patlang_ir.backends.python import print_python
from patlang_ir.diagnostics import RunError
from patlang_ir.frontend import parse
from patlang_ir.passes.pat_lift_closures import PatLiftClosures
from patlang_ir.passes.pat_mark_moves import PatMarkMoves
from patlang_ir.passes.pat_resolve_names import PatResolveNames
from patlang_ir.runtime.host import NoKernels, run_program
from patlang_ir.stdlib import lists

ADD = "fn add(xs, v) { let xs = list_push(xs, v) return xs }"
LOOP = "let xs = []\nlet i = 0\nwhile i < 1000 {{ {} let i = i + 1 }}\nprint(xs.length)"
GROWING = {
    "a function": ADD + LOOP.format("let xs = add(xs, i)"),
    "a function that returns the change": "fn add(xs, v) { return list_push(xs, v) }"
    + LOOP.format("let xs = add(xs, i)"),
    "a function that changes another variable": """fn add(xs, v) {
      let ys = list_push(xs, v)
      return list_set(ys, 0, v)
    }"""
    + LOOP.format("let xs = add(xs, i)"),
    "a function with a loop": """fn add(xs, v) {
      let end = xs.length + 1
      while xs.length < end { let xs = list_push(xs, v) }
      return xs
    }"""
    + LOOP.format("let xs = add(xs, i)"),
    "a function of a function": ADD
    + "fn more(v, xs) { if v > 5 { return add(xs, v) } return list_push(xs, v) }"
    + LOOP.format("let xs = more(i, xs)"),
    "a function by its name": ADD + LOOP.format('let xs = apply("add", xs, i)'),
    "a closure": "let add = |xs, v| { let xs = list_push(xs, v) return xs }"
    + LOOP.format("let xs = add(xs, i)"),
    "a closure that captures": "let one = 1\nlet add = |xs, v| { return list_push(xs, v + one) }"
    + LOOP.format("let xs = add(xs, i)"),
    "a method": """class C { fn add(xs, v) { return list_push(xs, v) } }
    let c = new("C", "c")
    """
    + LOOP.format("let xs = c.add(xs, i)"),
    "other variables": ADD + LOOP.format("let ys = add(xs, i) let zs = ys let xs = add(zs, i)"),
    "an accumulator": """fn go(n, acc) {
      if n <= 0 { return acc }
      return go(n - 1, list_push(acc, n))
    }
    print(go(1000, []).length)""",
    "a sum of accumulators": """fn go(n, acc) {
      if n <= 0 { return acc.length }
      return 1 + go(n - 1, list_push(acc, n))
    }
    print(go(1000, []))""",
    "a swap": LOOP.format("""
      let xs = list_push(xs, i)
      let t = xs let xs = ys let ys = t
      let ys = list_push(ys, i)
    """).replace("let i = 0", "let ys = []\nlet i = 0"),
    "an item": """let m = [[], []]
    let i = 0
    while i < 1000 {
      let row = m[i % 2]
      let row = list_push(row, i)
      let m = list_set(m, i % 2, row)
      let i = i + 1
    }
    print(m[0].length + m[1].length)""",
    "an item in a function": """fn more(m, n) {
      let i = 0
      while i < n {
        let row = m[1]
        let j = 0
        while j < 10 { let row = list_push(row, i + j) let j = j + 1 }
        if i > 5 { let row = list_set(row, i, j) }
        let m = list_set(m, 1, row)
        let i = i + 1
      }
      return m
    }
    print(more([[], []], 100)[1].length)""",
    "an item of an item": ADD
    + """let m = [[], [[]]]
    let i = 0
    while i < 1000 {
      let row = m[1]
      let cell = row[0]
      let cell = add(cell, i)
      let row = list_set(row, 0, cell)
      let m = list_set(m, 1, row)
      let i = i + 1
    }
    print(m[1][0].length)""",
}
"""Programs that make lists longer a thousand times."""


def printed(text: str) -> str:
    module = resolved(text)
    PatMarkMoves().apply(Context(), module)
    return print_python(module).text


@pytest.mark.parametrize("form", GROWING)
def test_a_list_that_is_passed_on_is_not_copied(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    count: list[int] = []

    def push(xs: list[object] | None, item: object) -> list[object]:
        count.append(len(xs or []))
        return [*(xs or []), item]

    def copied(xs: list[object]) -> list[object]:
        count.append(len(xs))
        return xs.copy()

    monkeypatch.setattr(lists, "list_push", push)
    monkeypatch.setattr(lists, "copied", copied)
    assert "[*" not in printed(GROWING[form])
    output, error = run_compiled(GROWING[form])
    assert error == ""
    assert float(output) >= 1000
    assert sum(count) <= 4


def failure(text: str) -> RunError:
    module = parse(text, "test.patlang").module
    for step in (PatLiftClosures(), PatResolveNames(), PatMarkMoves()):
        step.apply(Context(), module)
    with pytest.raises(RunError) as caught:
        run_program(module, launcher=NoKernels(), out=io.StringIO())
    return caught.value


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ("let ys = add(list_set(xs, i, 0), 1)", [("xs", "[1, 2]"), ("i", "7")]),
        ("print(list_set(xs, i, 0))", [("xs", "[1, 2]"), ("i", "7")]),
        ("print(add(xs, i) - i)", [("i", "7")]),
        ("print(list_push(xs, i) - i)", [("xs", "[1, 2]"), ("i", "7")]),
        ("let ys = add(xs, i % 0)", [("i", "7")]),
    ],
)
def test_an_error_shows_no_variable_that_gave_its_list_up(
    statement: str, shown: list[tuple[str, str]]
) -> None:
    error = failure(f"{ADD}\nlet i = 7\nlet xs = [1, 2]\n{statement}")
    assert [*error.values] == shown


@pytest.mark.parametrize(
    "statement",
    [
        "print(add(xs, 1))\nprint(xs)",
        "let xs = add(xs, xs.length)",
        "let xs = size(xs)",
        "while i < 3 { print(add(xs, i)) let i = i + 1 }",
        "let f = { return add(xs, 1) }\nprint(f())",
        "assert add(xs, 1)",
    ],
)
def test_a_variable_that_is_read_again_keeps_its_list(statement: str) -> None:
    text = f"{ADD}\nfn size(xs) {{ return xs.length }}\nlet i = 0\nlet xs = [1]\n{statement}"
    assert ":= None" not in printed(text)


@pytest.mark.parametrize(
    "between",
    [
        "print(m)",
        "let i = 1",
        "let m = [[2], [3]]",
        "if i == 0 { let kept = m }",
        "while i < 0 { let i = i + 1 }",
        "let f = { return m }",
        "if i > 5 { return }",
        "let m = list_set(m, 1, [7])",
    ],
)
def test_an_item_that_may_be_seen_stays(between: str) -> None:
    text = """let i = 0
    let m = [[0], [1]]
    let row = m[i]
    {}
    let row = list_push(row, 5)
    let m = list_set(m, i, row)"""
    assert "list_take" not in printed(text.replace("{}", between))
    assert "list_take" in printed(text.replace("{}", "print(row)"))
