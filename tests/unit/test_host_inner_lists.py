"""Lists in lists and in records change in place, and nobody who holds one of them sees it."""

from __future__ import annotations

import pytest
from host_model import TooLarge, resolved, run_compiled, run_model
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from xdsl.context import Context

from patlang_ir.dialects import pat
from patlang_ir.passes.pat_mark_moves import PatMarkMoves

AT = st.sampled_from(["0", "1", "i", "i + 1", "2"])
VALUES = ("7", '"t"', "r", "rows[{at}]", "a.s", "[r]", "same(r)", 'get("__vars", "k")', "c()", "[]")
VALUE = st.builds(str.format, st.sampled_from(VALUES), at=AT)
STATEMENTS = (
    "let rows = list_set(rows, {at}, list_push(rows[{at}], {v}))",
    "let rows = list_set(rows, {at}, list_push(rows[{at}], {v}))",
    "let rows = list_set(rows, {at}, list_set(rows[{at}], 0, {v}))",
    "let rows = list_set(rows, {other}, list_push(rows[{at}], {v}))",
    "let rows = list_push(rows, {v})",
    "let rows = list_push(rows, [{v}])",
    "let r = rows[{at}]",
    "let r = list_push(r, {v})",
    "let r = add(r, {v})",
    "let r = put(r, {v})",
    "let rows = add(rows, {v})",
    "let rows = all(rows, {v})",
    "let kept = all(rows, {v})",
    "let kept = list_push(rows, {v})",
    "a.s = add(a.s, {v})",
    "let r = twice(2, add(r, {v}))",
    "let t = rows\nlet rows = kept\nlet kept = t",
    "let r = rows[{at}]\nlet r = list_push(r, {v})\nlet rows = list_set(rows, {at}, r)",
    "let row = rows[{at}]\nlet row = list_push(row, {v})\nlet rows = list_set(rows, {at}, row)",
    "let row = rows[{at}]\nlet r = row\nlet row = put(row, {v})\n"
    "let rows = list_set(rows, {at}, row)",
    "let row = rows[{at}]\nlet row = list_set(row, 0, r)\n"
    "let rows = list_set(rows, {at}, [row, row])",
    "let row = rows[{at}]\nlet c = {{ return row }}\nif i > 0 {{ let row = add(row, {v}) }}\n"
    "let rows = list_set(rows, {at}, row)\nlet row = add(row, 8)",
    "let row = rows[i]\nlet i = 1 - i\nlet row = put(row, {v})\nlet rows = list_set(rows, i, row)",
    "let rows = dig(rows, {at}, {v})",
    "let kept = dig(rows, {other}, {v})",
    "let rows = dig(dig(rows, {at}, {v}), {other}, 6)",
    "let rows = [add(rows[0], {v}), rows[1], r]",
    "let r = a.put(r, {v})",
    "let kept = rows",
    "let rows = kept",
    "let c = {{ return rows[{at}] }}",
    "a.s = list_push(a.s, {v})",
    "a.s = list_push(a.s, {v})",
    "b.s = list_push(b.s, {v})",
    "b.s = list_push(a.s, {v})",
    "a.s = list_set(a.s, 0, {v})",
    "a.s = {v}",
    "b.s = a.s",
    "let r = a.s",
    "let a2 = a\na2.s = list_push(a.s, {v})",
    'set_var("k", list_push(get("__vars", "k"), {v}))',
    'set_var("k", list_push(get("__vars", "k"), {v}))',
    'set_var("k", list_set(get("__vars", "k"), 0, {v}))',
    'set_var("a", "s", list_push(get("a", "s"), {v}))',
    'set_var("k", list_push(get("a", "s"), {v}))',
    'set_var("k", {v})',
    'let r = get("__vars", "k")',
    "a.add({v})",
    'let a = new("C", "a")',
    "let i = 1 - i",
)
STATEMENT = st.builds(str.format, st.sampled_from(STATEMENTS), at=AT, other=AT, v=VALUE)
HEAD = """
class C {
  field s = [0]
  fn add(x) { self.s = list_push(self.s, x) }
  fn put(xs, x) { return list_push(xs, x) }
}
fn same(x) { return x }
fn add(xs, x) { let xs = list_push(xs, x) return xs }
fn twice(n, xs) { if n <= 0 { return xs } return twice(n - 1, list_push(xs, xs.length)) }
fn all(xs, x) {
  let i = 0
  let ys = xs
  while i < ys.length {
    let ys = list_set(ys, i, list_push(ys[i], x))
    let i = i + 1
  }
  return ys
}
fn dig(xs, at, x) {
  let row = xs[at]
  let row = put_in(row, x)
  let row = list_push(row, x)
  let xs = list_set(xs, at, row)
  return xs
}
fn put_in(xs, x) { let first = xs[0] let xs = list_set(xs, 0, list_push([first], x)) return xs }
let put = |xs, x| { let xs = list_push(xs, x) return xs }
let a = new("C", "a")
let b = new("C", "b")
let rows = [[1], [2], [3]]
let kept = [[4], [5], [6]]
let r = [8]
let i = 0
let c = { return [9] }
set_var("k", [10])
"""
SHOWN = 'print([rows, kept, r, a.s, b.s, get("__vars", "k"), c(), new("C", "d").s])'


@settings(max_examples=150, deadline=None)
@given(st.lists(STATEMENT, min_size=3, max_size=14), st.integers(1, 3))
def test_no_holder_of_a_list_sees_a_change(statements: list[str], turns: int) -> None:
    body = "\n".join(f"{statement}\n{SHOWN}" for statement in statements)
    text = f"{HEAD}let turn = 0\nwhile turn < {turns} do\nlet turn = turn + 1\n{body}\nend"
    try:
        want = run_model(text)
    except TooLarge:
        reject()
    assert run_compiled(text) == want, text
    assert run_compiled(text, moves=False) == want, text


def calls(text: str) -> list[str]:
    """The host functions that a program calls after the pass."""
    module = resolved(text)
    PatMarkMoves().apply(Context(), module)
    module.verify()
    return [op.callee.data for op in module.walk() if isinstance(op, pat.HostOp)]


LISTS = "let i = 0\nlet m = [[1], [2]]\nlet n = [[3]]\nlet a = new('A', 'a')\n".replace("'", '"')


@pytest.mark.parametrize(
    ("statement", "function"),
    [
        ("let m = list_set(m, i, list_push(m[i], 5))", "list.push_held"),
        ("let m = list_set(m, i + 1, list_set(m[i + 1], 0, 5))", "list.set_held"),
        ("let m = list_set(m, floor(i / 2), list_push(m[floor(i / 2)], 5))", "list.push_held"),
        ("a.s = list_push(a.s, i * 2)", "record.push"),
        ("a.s = list_set(a.s, i, 5)", "record.set_item"),
        ('set_var("k", list_push(get("__vars", "k"), i))', "record.push"),
        ('set_var("a", "k", list_set(get("a", "k"), i, 0))', "record.set_item"),
    ],
)
def test_what_is_rewritten(statement: str, function: str) -> None:
    assert function in calls(LISTS + statement)


@pytest.mark.parametrize(
    "statement",
    [
        "let m = list_set(m, i, list_push(m[i + 1], 5))",
        "let m = list_set(m, i, list_push(n[i], 5))",
        "let n = list_set(m, i, list_push(m[i], 5))",
        "let m = list_set(m, now_ms(), list_push(m[now_ms()], 5))",
        "a.s = list_push(a.t, 5)",
        'let b = "b"\na.s = list_push(b.s, 5)',
        'a.s = list_push(a.s, get("a", "s"))',
        "a.s = list_push(a.s, a.size())",
        'set_var("k", list_push(get("__vars", "l"), 5))',
        'set_var("k", list_push(get("a", "k"), 5))',
    ],
)
def test_what_is_left_as_it_is(statement: str) -> None:
    changed = [name for name in calls(LISTS + statement) if "held" in name or "record" in name]
    assert changed == []


GROWING = {
    "a list in a list": (
        "let xs = [[]]",
        "let xs = list_set(xs, 0, list_push(xs[0], i))",
        "xs[0]",
    ),
    "a member": ('let a = new("A", "a")', "a.s = list_push(a.s, i)", "a.s"),
    "a shared variable": (
        'set_var("k", [])',
        'set_var("k", list_push(get("__vars", "k"), i))',
        'get("__vars", "k")',
    ),
}


@pytest.mark.parametrize("form", GROWING)
def test_a_list_that_one_place_holds_is_not_copied(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies: list[int] = []

    def counted(xs: list[object], item: object) -> list[object]:
        copies.append(len(xs or []))
        return [*(xs or []), item]

    for module in ("lists", "records"):
        monkeypatch.setattr(f"patlang_ir.stdlib.{module}.list_push", counted)
    head, change, grown = GROWING[form]
    loop = f"let i = 0\nwhile i < 1000 do\nlet i = i + 1\n{change}\nend"
    assert run_compiled(f"{head}\n{loop}\nprint({grown}.length)") == ("1000\n", "")
    assert sum(copies) <= 1
