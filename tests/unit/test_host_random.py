"""Random programs give the same output as the model that copies every list."""

from __future__ import annotations

from host_model import TooLarge, run_compiled, run_model
from hypothesis import given, reject, settings
from hypothesis import strategies as st

NUMBERS = ("a", "b", "c")
LISTS = ("xs", "ys", "zs")
DEPTH = 3
CHANGING = (
    "make function add takes xs, v returns xs",
    "let xs = list_push(xs, v)",
    "end",
    "make function go takes n, acc, v",
    "if n <= 0 then",
    "return acc",
    "end",
    "let old = acc",
    "let acc = go(n - 1, list_push(acc, n), v)",
    "return add(list_push(acc, old.length), v)",
    "end",
)
PUTS = (
    "let put = |xs, v| { return list_push(xs, v) }",
    "let puts = [put, |xs, v| { let ys = put(xs, 0)\nlet ys = list_push(ys, xs)\nreturn ys }]",
)
"""Functions and closures that change a list which may be their caller's."""


class Writer:
    """Draws the text of a program."""

    def __init__(self, draw: st.DrawFn):
        self.draw = draw
        self.counters = 0
        self.in_closure = False
        self.callees: list[str] = []

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def number(self, depth: int = 0) -> str:
        kind = self.draw(st.integers(0, 5 if depth > 2 else 15))
        if kind <= 2:
            return self.pick(*NUMBERS)
        if kind <= 5:
            return self.pick("0", "1", "2", "3", "0.5", "2.0", "-1", "7")
        inner = depth + 1
        if kind <= 9:
            if self.draw(st.integers(0, 3)) == 0:
                return f"({self.number(inner)} {self.pick('/', '%')} {self.divisor(inner)})"
            return f"({self.number(inner)} {self.pick('+', '-', '*')} {self.number(inner)})"
        if kind == 10:
            return f"{self.pick(*LISTS)}[{self.number(inner)}]"
        if kind == 11:
            return self.pick("to_num(list_len({}))", "{}.length").format(self.pick(*LISTS))
        if kind == 12:
            name = self.pick("floor", "abs", "trunc", "to_num", "round")
            return f"{name}({self.number(inner)})"
        if kind == 13:
            name = self.pick("min", "max")
            return f"{name}({self.number(inner)}, {self.number(inner)})"
        if kind == 14 and not self.in_closure and self.draw(st.booleans()):
            call = self.pick("k({0}, {1})", "k({0})", "ks[1]({0}, {1}, 5)", 'emit("e", {0})')
            return call.format(self.item(inner), self.number(inner))
        if kind == 14 and self.callees and not self.in_closure:
            return f"{self.pick(*self.callees)}_count({self.list(inner)}, {self.number(inner)})"
        return f"-{self.pick(*NUMBERS)}"

    def divisor(self, depth: int) -> str:
        if self.draw(st.integers(0, 5)) == 0:
            return self.number(depth)
        return self.pick("2", "3", "0.5", "-2")

    def list(self, depth: int = 0) -> str:
        kind = self.draw(st.integers(0, 3 if depth > 2 else 11))
        inner = depth + 1
        if kind <= 3:
            return self.pick(*LISTS)
        if kind >= 10:
            return self.passed(self.pick(*LISTS, self.list(inner)), inner)
        if kind == 4:
            return f"[{self.number(inner)}, {self.number(inner)}]"
        if kind == 5:
            return "[]"
        if kind == 6:
            return f"list_push({self.list(inner)}, {self.item(inner)})"
        if kind == 7 and self.callees and not self.in_closure:
            return f"{self.pick(*self.callees)}({self.list(inner)}, {self.number(inner)})"
        if kind == 8 and self.callees and not self.in_closure:
            return f'apply("{self.pick(*self.callees)}", {self.list(inner)}, 1)'
        return f"list_set([1, 2], {self.pick('0', '1', '1')}, {self.item(inner)})"

    def passed(self, xs: str, depth: int) -> str:
        """A list handed to a function that changes it; closures have no closures to call."""
        own = () if self.in_closure else ("put({0}, {1})", "puts[{2}]({0}, {1})")
        call = self.pick("add({0}, {1})", "go({2}, {0}, {1})", 'apply("add", {0}, {1})', *own)
        return call.format(xs, self.item(depth), self.pick("0", "1"))

    def item(self, depth: int) -> str:
        kind = self.draw(st.integers(0, 19))
        if kind == 0:
            return self.pick('"t"', "true", '"12"')
        return self.list(depth) if kind == 1 else self.number(depth)

    def condition(self) -> str:
        kind = self.draw(st.integers(0, 6))
        if kind <= 2:
            sign = self.pick("<", "<=", ">", ">=", "==", "!=")
            return f"{self.number(1)} {sign} {self.number(1)}"
        if kind == 3:
            return f"{self.list(1)} == {self.list(1)}"
        if kind == 4:
            word = self.pick("and", "or")
            return f"{self.condition()} {word} {self.condition()}"
        return f"not {self.number(1)}" if kind == 5 else self.pick(*NUMBERS, *LISTS)

    def block(self, depth: int, in_function: bool) -> list[str]:
        count = self.draw(st.integers(1, 4))
        return [line for _ in range(count) for line in self.statement(depth, in_function)]

    def statement(self, depth: int, in_function: bool) -> list[str]:
        kind = self.draw(st.integers(-2, 16 if depth < DEPTH else 6))
        if kind == -2:
            xs = self.pick(*LISTS)
            return [f"let {xs} = {self.passed(xs, 1)}"]
        if kind == -1:
            xs, ys = self.pick(*LISTS), self.pick(*LISTS)
            return [f"let spare = {xs}", f"let {xs} = {ys}", f"let {ys} = spare"]
        if kind <= 2:
            xs = self.pick(*LISTS)
            return [f"let {xs} = list_push({xs}, {self.item(1)})"]
        if kind == 3:
            return [f"let {self.pick(*LISTS)} = {self.list()}"]
        if kind == 4:
            name = self.pick(*NUMBERS)
            return [f"let {'mut ' if name == 'a' else ''}{name} = {self.number()}"]
        if kind == 5:
            xs = self.pick(*LISTS)
            change = f"let {xs} = list_set({xs}, {self.pick('0', '1', 'a')}, {self.item(1)})"
            return [f"if {xs}.length > 1 then", change, "end"]
        if kind == 6:
            return [f"print({self.item(0)})"]
        if kind == 7:
            return [f"a = {self.number()}"]
        if kind <= 12:
            return self.loop(depth, in_function)
        if kind == 16 and not self.in_closure:
            name = self.pick("let k = ", "let ks = list_push(ks, k)\nlet k = ")
            return [f"{name}|p, xs| {{", *self.closure(depth), "}"]
        if kind == 13 and in_function:
            returned = self.list()
            return [f"if {self.condition()} then", f"return {returned}", "end"]
        other = self.block(depth + 1, in_function)
        return [
            f"if {self.condition()} then",
            *self.block(depth + 1, in_function),
            *(["else", *other] if self.draw(st.booleans()) else []),
            "end",
        ]

    def closure(self, depth: int) -> list[str]:
        """The body of a closure that gives a number; it may change what it captures."""
        self.in_closure = True
        body = self.block(max(depth, 1) + 1, False)
        lines = [*body, f"return {self.number()} + p"]
        self.in_closure = False
        return lines

    def loop(self, depth: int, in_function: bool) -> list[str]:
        self.counters += 1
        i = f"i{self.counters}"
        bound = self.pick("3", "2", "to_num(list_len({0}))", "{0}.length").format(self.pick(*LISTS))
        read = f"let {self.pick(*NUMBERS)} = {self.pick(*LISTS)}[{i}]"
        return [
            f"let {i} = 0",
            f"while {i} < {bound} and {i} < 4 do",
            *([read] if self.draw(st.booleans()) else []),
            *self.block(depth + 1, in_function),
            f"let {i} = {i} + 1",
            "end",
        ]

    def function(self, name: str) -> list[str]:
        mut = self.pick("mut ", "mut ", "mut ", "mut ", "")
        head = [
            f"make function {name} takes xs, b returns ys",
            f"let {mut}a = 1",
            "let c = 0.5",
            f"let ys = {self.pick('[]', 'xs')}",
            "let zs = [1, 2]",
            "let k = |p| { return a + p }",
            "let ks = [{ return xs.length }, |p, q| { return q }]",
            *PUTS,
        ]
        body = self.block(1, True)
        count = [f"make function {name}_count takes xs, b", f"let r = {name}(xs, b)"]
        self.callees.append(name)
        return [*head, *body, "end", *count, "return to_num(list_len(r)) + 1", "end"]

    def program(self) -> str:
        functions = [*CHANGING]
        functions += [line for name in ("f", "g") for line in self.function(name)]
        mut = self.pick("mut ", "mut ", "mut ", "mut ", "")
        head = [f"let {mut}xs = []", "let ys = [1, 2.5]", "let zs = [3]"]
        head += [f"let {mut}a = 1", "let b = 2.5", "let c = 0"]
        head += ["let k = |p| { return b + p }", "let ks = [k, k]", *PUTS]
        shown = [f"print({name})" for name in (*NUMBERS, *LISTS, "ks")]
        event = ["when e do", "let p = event_data", *self.closure(0), "end"]
        blocks = [*self.block(0, False), *event, *self.block(0, False)]
        return "\n".join([*functions, *head, *blocks, *shown])


@st.composite
def programs(draw: st.DrawFn) -> str:
    return Writer(draw).program()


@settings(max_examples=60, deadline=None)
@given(programs())
def test_printed_python_agrees_with_the_model(text: str) -> None:
    try:
        want = run_model(text)
    except TooLarge:
        reject()
    assert run_compiled(text) == want
    assert run_compiled(text, moves=False) == want
