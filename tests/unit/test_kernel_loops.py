"""Loops in kernels, compared with the same loops run by Python.

A loop is written once, in Python; a few lines below write it as PatLang.
"""

from __future__ import annotations

import ast
from textwrap import indent
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import scf

import patlang_ir as pl
from patlang_ir.diagnostics import CompileError
from patlang_ir.runtime.compiler import Request

OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "and", ast.Or: "or",
    ast.USub: "-", ast.Not: "not",
}  # fmt: skip


def patlang(node: ast.AST) -> str:
    """Python as PatLang."""
    match node:
        case ast.Module(body=body):
            return "\n".join(map(patlang, body))
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return f"let {name} = {patlang(value)}"
        case ast.While(test=test, body=body):
            return f"while {patlang(test)} do\n{_block(body)}\nend"
        case ast.If(test=test, body=body, orelse=orelse):
            otherwise = f"\nelse\n{_block(orelse)}" if orelse else ""
            return f"if {patlang(test)} then\n{_block(body)}{otherwise}\nend"
        case ast.BinOp(left=left, op=op, right=right):
            return f"({patlang(left)} {OPERATORS[type(op)]} {patlang(right)})"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"({patlang(left)} {OPERATORS[type(op)]} {patlang(right)})"
        case ast.BoolOp(op=op, values=[left, right]):
            return f"({patlang(left)} {OPERATORS[type(op)]} {patlang(right)})"
        case ast.UnaryOp(op=op, operand=operand):
            return f"({OPERATORS[type(op)]} {patlang(operand)})"
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            return f"{name}[{patlang(index)}]"
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return str(value)
        case _:
            raise NotImplementedError(ast.dump(node))


def _block(body: list[ast.stmt]) -> str:
    return indent("\n".join(map(patlang, body)), "  ")


X = [3.0, 1.0, 4.0, 1.5, 0.0]
GIVEN: dict[str, Any] = {"n": len(X), "s": 7, "f": 2.75}


def kernel_of(source: str) -> tuple[pl.Kernel, dict[str, Any]]:
    """The kernel that stores what the variables of a program are, and what Python makes of them."""
    values = {**GIVEN, "x": X}
    exec(source, values)
    found = {k: v for k, v in values.items() if k not in (*GIVEN, "x", "__builtins__")}
    stores = "\n".join(f"store(out, {i}, {name})" for i, name in enumerate(found))
    body = indent(f"store(y, offs, x[offs])\n{patlang(ast.parse(source))}\n{stores}", "  ")
    text = f"# @gpu_kernel\nmake a function called k takes x, y, out, s, f\n{body}\nend\n"
    return pl.loads(text)["k"], found


def check(source: str) -> int:
    """Run both; the number of loops that became counted ones."""
    kernel, expected = kernel_of(source)
    out = np.full(len(expected), -777.0)
    kernel(np.array(X), np.array(X), out, GIVEN["s"], GIVEN["f"])
    assert dict(zip(expected, out.tolist(), strict=True)) == expected, source
    signature = {"x": "f64", "y": "f64", "out": "f64", "s": "i64", "f": "f64"}
    ops = kernel.compiler.tile(Request(signature)).walk()
    return sum(isinstance(op, scf.ForOp) for op in ops)


COUNTED = {
    "the start counts": "i = 3\na = 0\nwhile i < 9:\n a = a + i\n i = i + 1",
    "a step": "i = 0\na = 0\nwhile i < 10:\n a = a * 2 + i\n i = i + 3",
    "step first": "i = 0\na = 0\nwhile i < 10:\n i = i + 3\n a = a * 2 + i",
    "step in the middle": "i = 0\na = 0\nwhile i < 10:\n a = a + i\n i = i + 3\n a = a * 2 + i",
    "step in two parts": "i = 0\na = 0\nwhile i < 10:\n i = i + 1\n a = a * 2 + i\n i = 2 + i - 1",
    "step on the left": "i = 0\na = 0\nwhile i < 10:\n a = a + i\n i = 2 + i",
    "up to and with": "i = 1\na = 0\nwhile i <= 9:\n a = a + i\n i = i + 2",
    "up to n": "i = 0\na = 0\nwhile i < n:\n a = a + x[i]\n i = i + 1",
    "up to n and with": "i = 0\na = 0\nwhile i <= n:\n a = a + i\n i = i + 2",
    "up to a sum": "i = 0\na = 0\nwhile i < s + n * 2 - 1:\n a = a + i\n i = i + 1",
    "down": "i = 9\na = 0\nwhile i > 2:\n a = a * 2 + i\n i = i - 2",
    "down and with": "i = n\na = 0\nwhile i >= 0:\n a = a * 2 + i\n i = i - 1",
    "down by a sum": "i = 9\na = 0\nwhile i > 0:\n a = a * 2 + i\n i = i + -4",
    "turned around": "i = 0\na = 0\nwhile 8 > i:\n a = a + i\n i = i + 1",
    "turned around, down": "i = n\na = 0\nwhile 1 <= i:\n a = a + i\n i = i - 1",
    "one turn beyond": "i = 0\na = 0\nwhile i < 1:\n a = a + n\n i = i + 100",
    "a copy of the bound": "b = n\ni = 0\nc = 0\nwhile i < b:\n c = c + b\n i = i + 1",
    "the bound is set again": "b = 4\ni = 0\na = 0\nwhile i < b:\n a = a + i\n i = i + 1\nb = 9",
    "a bound computed before": "i = 0\na = 0\nb = n + 1\nwhile i < b - 2:\n a = a + i\n i = i + 1",
    "floats inside": "i = 0\na = 0.5\nwhile i < 4:\n a = a * 1.5 + f\n i = i + 1",
    "an integer becomes a float": "i = 0\na = 1\nwhile i < 4:\n a = a + 0.25\n i = i + 1",
    "a swap": "i = 0\na = 1\nb = 2.5\nwhile i < 3:\n t = a\n a = b\n b = t\n i = i + 1\nt = 0",
    "an if inside": (
        "i = 0\na = 0\nwhile i < 9:\n if i > 4:\n  a = a + i\n else:\n  a = a - 1\n i = i + 2"
    ),
}

NESTED = {
    "a rectangle": (
        "i = 0\na = 0\nj = 0\nwhile i < 3:\n j = 0\n while j < 4:\n"
        "  a = a * 2 + i + j\n  j = j + 1\n i = i + 1"
    ),
    "a triangle": (
        "i = 0\na = 0\nj = 0\nwhile i < 5:\n j = i\n while j >= 0:\n"
        "  a = a + j\n  j = j - 2\n i = i + 1"
    ),
    "both to n": (
        "i = n\na = 0\nj = 0\nwhile i > 0:\n j = i\n while j <= n:\n"
        "  a = a + j * i\n  j = j + 1\n i = i - 1"
    ),
    "in an if": (
        "i = 0\na = 0\nj = 0\nwhile i < 6:\n if i == 3:\n  j = 0\n  while j < i:\n"
        "   a = a + j\n   j = j + 1\n else:\n  a = a + 100\n i = i + 1"
    ),
    "side by side": (
        "i = 0\na = 0\nwhile i < 4:\n a = a + i\n i = i + 1\nj = i\nwhile j < 9:\n"
        " a = a * 2 + j\n j = j + i"
    ),
}

UNCOUNTED = {
    # A scalar may be so large that the counter wraps on its way.
    "up to a scalar": "i = -2\na = 0\nwhile i < s:\n a = a + i\n i = i + 2",
    "from a scalar": "i = s\na = 0\nwhile i < 20:\n a = a + i\n i = i + 4",
    "no turn down": "i = 5\na = 0\nwhile i > s:\n a = 9\n i = i - 1",
    "a parameter counts": "a = 0\nk = s\nwhile k < 20:\n a = a + k\n k = k + 5",
    "doubling": "i = 1\na = 0\nwhile i < 100:\n a = a + i\n i = i * 2",
    "a float": "i = 0.0\na = 0\nwhile i < 1.0:\n a = a + i\n i = i + 0.125",
    "a float bound": "i = 0\na = 0\nwhile i < f:\n a = a + i\n i = i + 1",
    "a bound from memory": "i = 0\na = 0\nwhile i < x[0]:\n a = a + i\n i = i + 1",
    "elements until 0": "i = 0\na = 0\nwhile x[i] > 0.0:\n a = a + x[i]\n i = i + 1",
    "a moving bound": "i = 0\nb = 9\nwhile i < b:\n i = i + 2\n b = b - 1",
    "two steps": (
        "i = 0\na = 0\nwhile i < 9:\n if i > 3:\n  i = i + 2\n else:\n  i = i + 1\n a = a + i"
    ),
    "two conditions": "i = 0\na = 0\nwhile i < 9 and a < 10:\n a = a + i\n i = i + 1",
    "either": "i = 0\na = 0\nwhile i < 3 or a < 10:\n a = a + i\n i = i + 1",
    "unequal": "i = 0\na = 0\nwhile i != 6:\n a = a + i\n i = i + 2",
    "not": "i = 0\na = 0\nwhile not (i >= 6):\n a = a + i\n i = i + 1",
    "a number": "i = 6\na = 0\nwhile i:\n a = a + i\n i = i - 1",
    "a step of a scalar": "i = 0\na = 0\nwhile i < 20:\n a = a + i\n i = i + s",
    "half of n": "i = 0\nwhile i < n / 2:\n i = i + 1",
    "back and forth": (
        "i = 0\nd = 1\na = 0\nwhile i >= 0:\n if i == 3:\n  d = -1\n a = a + i\n i = i + d"
    ),
    "down to a scalar and with": "i = 9\na = 0\nwhile i >= s:\n a = a + i\n i = i - 1",
    "no step at times": "i = 0\na = 0\nwhile i < 3:\n a = a + 1\n if a > 4:\n  i = i + 1",
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_counted_loop(name: str) -> None:
    assert check(COUNTED[name]) == 1


@pytest.mark.parametrize("name", NESTED)
def test_nested_loops(name: str) -> None:
    assert check(NESTED[name]) >= 1


@pytest.mark.parametrize("name", UNCOUNTED)
def test_a_loop_that_stays_a_while(name: str) -> None:
    assert check(UNCOUNTED[name]) == 0


@pytest.mark.parametrize(
    "source",
    [
        "while 1 < 2:\n i = i + 1",
        "while i < 3:\n a = a + 1",
        "while i < 3:\n i = i - 1",
        "while i <= n:\n i = i + 1 - 2",
        "while i > -5:\n i = i + 2",
        "while 3 >= i:\n i = i - 1",
        "while i < 3:\n i = i + 0",
        "while i > -3:\n i = 1 + i - 1",
        "while i < s:\n i = i",
        "while i == 0:\n i = i + 0",
        "while i < 5:\n i = i + 1\n while a == 0:\n  i = i + 1",
    ],
)
def test_a_loop_that_never_ends_is_refused(source: str) -> None:
    body = indent(patlang(ast.parse(f"i = 0\na = 0\n{source}")), "  ")
    text = (
        f"# @gpu_kernel\nmake a function called k takes out, s\n{body}\n  store(out, 0, i)\nend\n"
    )
    with pytest.raises(CompileError) as caught:
        pl.loads(text)["k"].ir("tile")
    (found,) = caught.value.diagnostics
    assert found.code == "P401" and found.help


@pytest.mark.parametrize(
    "source",
    [
        "i = 5\na = 0\nwhile i < 5:\n a = 9\n i = i + 1",
        "i = 5\na = 0\nwhile i < -500:\n a = 9\n i = i + 7",
    ],
)
def test_a_loop_without_a_turn_goes_away(source: str) -> None:
    assert check(source) == 0


def test_a_loop_that_only_counts_goes_away() -> None:
    assert check("i = 0\nwhile i < n:\n i = i + 3") == 0


def test_lanes_are_carried() -> None:
    text = """
# @gpu_kernel
make a function called k takes x, out
  let a = 1
  let i = n
  while i > 0 do
    let a = a * 0.5 + x[offs]
    let i = i - 2
  end
  store(out, offs, a + i)
end
"""
    x, out = np.arange(5.0), np.zeros(5)
    pl.loads(text)["k"](x, out)
    assert out.tolist() == [0.125 + v * 1.75 - 1 for v in x]


# --- random loops ---

COUNTERS = "ijk"


def _terms(names: str) -> st.SearchStrategy[str]:
    numbers = st.integers(-6, 9).map(str)
    return st.one_of(numbers, st.sampled_from(["n", "s", *names])) if names else numbers


@st.composite
def loops(draw: st.DrawFn, depth: int = 0) -> str:
    """A loop that ends, with perhaps others inside."""
    name, outer = COUNTERS[depth], COUNTERS[:depth]
    step = draw(st.integers(1, 4)) * draw(st.sampled_from([1, -1]))
    relation = draw(st.sampled_from(["<", "<="] if step > 0 else [">", ">="]))
    bound = draw(_terms(outer))
    if draw(st.booleans()):
        bound = f"{bound} + {draw(st.integers(0, 3))}"
    condition = f"{name} {relation} {bound}"
    if draw(st.booleans()):
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[relation]
        condition = f"{bound} {turned} {name}"
    body = [draw(_statement(depth)) for _ in range(draw(st.integers(1, 3)))]
    update = draw(st.sampled_from([f"{name} + {step}", f"{step} + {name}", f"{name} - {-step}"]))
    steps = [f"{name} = {update}"]
    if draw(st.booleans()):
        steps.append(f"{name} = {name} {'+' if step > 0 else '-'} 1")
    for line in steps:
        body.insert(draw(st.integers(0, len(body))), line)
    inside = indent("\n".join(body), " ")
    return f"{name} = {draw(_terms(outer))}\nwhile {condition}:\n{inside}"


@st.composite
def _statement(draw: st.DrawFn, depth: int) -> str:
    names = COUNTERS[: depth + 1]
    kind = draw(st.sampled_from(["add", "mix", "if", "loop"]))
    if kind == "loop" and depth < 2:
        return draw(loops(depth + 1))
    if kind == "if":
        then, otherwise = draw(_terms(names)), draw(_terms(names))
        return f"if a > {draw(_terms(names))}:\n a = a - {then}\nelse:\n a = a + {otherwise}"
    if kind == "mix":
        return f"b = a - b * 0.5 + {draw(_terms(names))}"
    return f"a = a + {draw(_terms(names))} * {draw(st.integers(-3, 3))}"


@settings(max_examples=60, deadline=None)
@given(loops())
def test_random_loops(source: str) -> None:
    check(f"a = 0\nb = 1.0\ni = 0\nj = 0\nk = 0\n{source}")
