"""Closures, methods, classes and events at run time: what stops a program, and how deep they go."""

from __future__ import annotations

import io

import pytest
from host_model import resolved
from test_host_errors import fails, shown

from patlang_ir.diagnostics import CompileError
from patlang_ir.passes.pipelines import HOST
from patlang_ir.runtime.host import NoKernels, run_program


def output(text: str) -> str:
    out = io.StringIO()
    run_program(resolved(text), launcher=NoKernels(), out=out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "code", "place", "message"),
    [
        ("let f = [1]\nlet a = f[0](2)", "P601", "2:9", "the integer 1 cannot be called"),
        ("let f = { }\nlet a = f()()", "P601", "2:9", "unit cannot be called"),
        ('fn f(g) {\n  return g("x")\n}\nf(1.5)', "P601", "2:10", "the float 1.5 cannot be called"),
        (
            "fn f(max) {\n  return max(1, 2, 3)\n}\nf(2)",
            "P601",
            "2:10",
            "the integer 2 cannot be called",
        ),
        (
            "let xs = [1]\nxs.push(2)",
            "P601",
            "2:4",
            "the method 'push' cannot be called: the list [1] is no record",
        ),
        (
            "let a = 1\na.b = 2",
            "P601",
            "2:3",
            "a member 'b' cannot be set: the integer 1 is no record",
        ),
        (
            "let a = { }\nsend(a, 1)",
            "P603",
            "2:1",
            "send: argument 2 must be a string, not the integer 1",
        ),
        (
            'let a = 1\nsend(a, "m")',
            "P601",
            "2:1",
            "the method 'm' cannot be called: the integer 1 is no record",
        ),
        (
            'send("a", "set", 1, 2)',
            "P603",
            "1:1",
            "set: the name of a member must be a string, not the integer 1",
        ),
        ("emit([])", "P603", "1:1", "emit: argument 1 must be a string, not the list []"),
        ('new("A", 1)', "P603", "1:1", "new: argument 2 must be a string, not the integer 1"),
        ('new("A", "a", "trait", [])', "P603", "1:1", "new: there is no option 'trait'"),
        (
            'new("A", "a", "traits", ["B", 1])',
            "P603",
            "1:1",
            "new: argument 4 must be a string, not the integer 1",
        ),
        (
            "let f = { }\napply(f, 1)",
            "P603",
            "2:1",
            "apply: a function is called by its name, not by a closure",
        ),
        (
            'let f = |x| {\n  return x - "a"\n}\nlet b = f(1)',
            "P601",
            "2:12",
            "'-' does not take the integer 1 and the string \"a\"",
        ),
        (
            'class A {\n  field x = 1 - "a"\n}',
            "P601",
            "2:15",
            "'-' does not take the integer 1 and the string \"a\"",
        ),
        (
            "let n = 1\nlet f = { n = 2  let n = 3  n = 4 }\nf()",
            "P604",
            "2:29",
            "cannot assign twice to the immutable variable 'n'",
        ),
    ],
)
def test_what_stops_a_program(text: str, code: str, place: str, message: str) -> None:
    error, _ = fails(text)
    assert shown(error) == (code, place, message)


def test_contracts_name_the_closure_and_quote_it() -> None:
    closure = 'fn f() {\n  return |x| {\n    require x.ok(1) and x.limit > 0\n  }\n}\nf()("a")'
    error, _ = fails(closure)
    assert shown(error) == (
        "P605",
        "3:5",
        "contract violation: precondition failed in f.closure(): x.ok(1) and x.limit > 0",
    )
    method = 'class A {\n  fn m(f) {\n    ensure f(|x| { })\n  }\n}\nnew("A", "a").m(|x| { })'
    error, _ = fails(method)
    assert shown(error) == (
        "P605",
        "3:5",
        "contract violation: postcondition failed in A.m(): f(|...| { ... })",
    )


def test_the_stack_goes_through_closures_methods_and_events() -> None:
    text = """
class A {
  fn m(x) { return x - "s" }
}
when go do
  event_data.m(1)
end
fn run(f) {
  return f(new("A", "a"))
}
let start = |a| {
  emit("go", a)
}
run(start)
"""
    error, _ = fails(text)
    calls = [(name, place.line, place.column) for name, place in error.stack]
    assert calls == [
        ("the program", 14, 1),
        ("run", 9, 10),
        ("main.start", 12, 3),
        ("when.go", 6, 14),
        ("A.m", 3, 22),
    ]


DEEP = {
    "a closure": "let f = |g, n| {{ if n == 0 then return 0 end return 1 + g(g, n - 1) }}\n"
    "print(f(f, {depth}))",
    "a method": "class A {{ fn m(n) {{ if n == 0 then return 0 end return 1 + self.m(n - 1) }} }}\n"
    'print(new("A", "a").m({depth}))',
    "send": "class A {{ fn m(n, s) {{ if n < 1 then return 0 end\n"
    'return 1 + send(self, s, n - 1, s) }} }}\nprint(new("A", "a").m({depth}, "m"))',
    "an event": "when e do if event_data == 0 then return 0 end\n"
    'return 1 + emit("e", event_data - 1) end\nprint(emit("e", {depth}))',
}


@pytest.mark.parametrize("form", DEEP)
def test_calls_nest_deeply(form: str) -> None:
    depth = 50_000  # an event takes two calls
    assert output(DEEP[form].format(depth=depth)) == f"{depth}\n"


@pytest.mark.parametrize(
    "text",
    [
        "let f = |g| { return g(g) }\nf(f)",
        'class A { fn m() { return self.m() } }\nnew("A", "a").m()',
        'when e do emit("e") end\nemit("e")',
    ],
)
def test_endless_recursion_is_an_error(text: str) -> None:
    error, _ = fails(text)
    assert error.diagnostic.code == "P606"


def test_closures_can_be_made_in_conditions() -> None:
    text = """
fn any(xs, test) {
  let i = 0
  while i < xs.length do
    if test(xs[i]) then return true end
    let i = i + 1
  end
  return false
}
let n = 0
while not any([1, 2, 3], |x| { return x < n }) and any([n], |x| { return x < 9 }) do
  let n = n + 1
end
print(n)
if n == 0 then print("no")
elif any([n], |x| { return x == 2 }) or any([], { }) then print("yes")
end
print(any([5], |x| { return any([x], |y| { return y == x and n == 2 }) }))
"""
    assert output(text) == "2\nyes\ntrue\n"


def test_names_of_python_and_of_closures_do_not_meet() -> None:
    text = """
fn main_f(x) { return "function" }
let class = |_, lambda, rt| {
  let None = lambda
  let __ = 3
  return "" + _ + None + rt + __
}
let host = class("a", "b", "c", "d")
let f = |n| { return main_f(n) + n + host }
let t1 = f(1)
print(t1 + f(2))
let main_f = |n| { return n }
let A_m = "variable"
class A { fn m() { return A_m } }
print(new("A", "id").m())
"""
    assert output(text) == "function1abc3function2abc3\nvariable\n"


def test_every_piece_of_a_kernel_pipeline_sees_lifted_closures() -> None:
    assert HOST.index("pat-lift-closures") < HOST.index("pat-resolve-names")


def test_blocks_that_nest_too_deep_for_python() -> None:
    depth = 45
    text = "let f = " + "{ return " * depth + "1" + " }" * depth + "\nprint(f)"
    with pytest.raises(CompileError) as caught:
        resolved(text.replace("{ return", "{ if 1 { return").replace(" }", " } }"))
    assert [problem.code for problem in caught.value.diagnostics] == ["P120"]
    assert output(text) == "<closure>\n"


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        ("class A { field f = 1 fn m() { return f } }", "P201", "reads a field as self.f"),
        ("class A { fn n() { } fn m() { n() } }", "P202", "another one as self.n(...)"),
        ("fn n() { return size }\nlet size = 1", "P201", "pass it as a parameter"),
        ("let f = { return totl }\nlet total = 1", "P201", "did you mean 'total'?"),
        ("let twice = { }\nlet a = twic()", "P202", "did you mean 'twice'?"),
        ("let f = print", "P206", "write |x| { return print(x) }"),
        ("fn g() { }\nlet f = g", "P206", 'write apply("g", ...)'),
        ("while true do break end", "P201", "a loop ends by its condition"),
        ("let f = |n| { return f(n) }", "P201", "make a function called f ... end"),
        ("let f = |n| { return later }\nlet later = 1", "P201", "it is set in line 2"),
    ],
)
def test_refusals_say_what_to_write(text: str, code: str, help: str) -> None:
    with pytest.raises(CompileError) as caught:
        resolved(text)
    (problem,) = caught.value.diagnostics
    assert problem.code == code
    assert help in problem.help
