"""The text of expressions, literals and names."""

from __future__ import annotations

import math
import struct

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, bf16, f16, f32, f64, i1, i8, i32
from xdsl.dialects.scf import Scf
from xdsl.ir import Attribute
from xdsl.parser import Parser

from patlang_ir.backends.triton import print_triton
from patlang_ir.backends.triton.expressions import float_text, shortest_f32
from patlang_ir.backends.triton.names import Scope, legal
from patlang_ir.dialects.tl import Tl
from patlang_ir.passes.lowering.numbers import cast_number, fits_default, rounded
from patlang_ir.passes.tl_name_values import TlNameValues

PARAMS = '%a "a" : f32, %b "b" : f32, %p "p" : !tl.pointer<f32>'


def body_of(text: str, *, named: bool = False) -> str:
    """The statements of a kernel; with `named` its values are named first."""
    context = Context()
    for dialect in (Builtin, Scf, Tl):
        context.load_dialect(dialect)
    ir = f"tl.kernel @k({PARAMS}) constexprs [] {{\n{text}\n}}"
    module = Parser(context, ir).parse_module()
    module.verify()
    if named:
        TlNameValues().apply(context, module)
    lines = print_triton(module).text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("def k("))
    return "\n".join(line[4:] for line in lines[start + 1 :])


STORE = "tl.store %r, %p : f32, !tl.pointer<f32>"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["%0 = sub %a, %b", "%r = sub %0, %b"], "a - b - b"),
        (["%0 = sub %a, %b", "%r = sub %b, %0"], "b - (a - b)"),
        (["%0 = add %a, %b", "%r = mul %0, %b"], "(a + b) * b"),
        (["%0 = mul %a, %b", "%r = add %0, %b"], "a * b + b"),
        (["%0 = div %a, %b", "%r = div %a, %0"], "a / (a / b)"),
    ],
)
def test_parentheses(lines: list[str], expected: str) -> None:
    ops = [line.replace("= ", "= tl.binary ") + " : f32, f32 -> f32" for line in lines]
    text = "\n".join(ops).replace("%r", "%1")
    assert body_of(f"{text}\n{STORE.replace('%r', '%1')}") == f"tl.store(p, {expected})"


def test_comparisons_bind_loosest() -> None:
    text = """%0 = tl.binary lt %a, %b : f32, f32 -> i1
    %1 = tl.binary gt %a, %b : f32, f32 -> i1
    %2 = tl.binary and %0, %1 : i1, i1 -> i1
    %3 = tl.binary eq %2, %2 : i1, i1 -> i1"""
    with pytest.raises(Exception, match="needs a name"):
        body_of(f"{text}\n%r = tl.call where(%3, %a, %b) : (i1, f32, f32) -> f32\n{STORE}")
    named = text.replace("%2", "%both")
    expected = "both = (a < b) & (a > b)\ntl.store(p, tl.where(both == both, a, b))"
    body = f"{named}\n%4 = tl.call where(%3, %a, %b) : (i1, f32, f32) -> f32\n"
    assert body_of(body + STORE.replace("%r", "%4")) == expected


def test_a_cast_of_an_expression() -> None:
    text = """%0 = tl.binary add %a, %b : f32, f32 -> f32
    %1 = tl.cast %0 : f32 -> f64
    %2 = tl.unary neg %1 : f64
    %3 = tl.cast %2 : f64 -> f32
    tl.store %3, %p : f32, !tl.pointer<f32>"""
    assert body_of(text) == "tl.store(p, (-(a + b).to(tl.float64)).to(tl.float32))"


LOOP = """%zero = tl.constant 0 : i32
%three = tl.constant 3 : i32
%one = tl.constant 1 : i32
"""


def test_variables_that_go_round() -> None:
    """Three values change places: one assignment for all."""
    text = f"""{LOOP}
    %s, %t, %u = scf.for %i = %zero to %three step %one iter_args(%x = %a, %y = %b, %z = %a)
        -> (f32, f32, f32) : i32 {{
      scf.yield %y, %z, %x : f32, f32, f32
    }}
    tl.store %s, %p : f32, !tl.pointer<f32>"""
    expected = "x = a\ny = b\nz = a\nfor i in range(3):\n    x, y, z = y, z, x\ntl.store(p, x)"
    assert body_of(text, named=True) == expected


def test_an_order_that_loses_nothing() -> None:
    """`y` takes the old `x`, so it is assigned first."""
    text = f"""{LOOP}
    %s, %t = scf.for %i = %zero to %three step %one iter_args(%x = %a, %y = %b)
        -> (f32, f32) : i32 {{
      %n = tl.binary add %x, %y : f32, f32 -> f32
      scf.yield %n, %x : f32, f32
    }}
    tl.store %t, %p : f32, !tl.pointer<f32>"""
    expected = """x = a
y = b
for i in range(3):
    n = x + y
    y = x
    x = n
tl.store(p, y)"""
    assert body_of(text, named=True) == expected


def test_a_new_value_does_not_overwrite_one_that_is_read_later() -> None:
    """The new `x` has the same name, but the old one is stored after it is computed."""
    text = f"""{LOOP}
    %s = scf.for %i = %zero to %three step %one iter_args(%x = %a) -> (f32) : i32 {{
      %x_1 = tl.binary add %x, %b : f32, f32 -> f32
      tl.store %x, %p : f32, !tl.pointer<f32>
      scf.yield %x_1 : f32
    }}"""
    expected = "x = a\nfor i in range(3):\n    x_1 = x + b\n    tl.store(p, x)\n    x = x_1"
    assert body_of(text, named=True) == expected
    early = text.replace("tl.store %x, %p : f32, !tl.pointer<f32>\n", "")
    assert body_of(early, named=True) == "x = a\nfor i in range(3):\n    x = x + b"


def test_a_start_value_that_is_needed_afterwards_is_kept() -> None:
    text = f"""{LOOP}
    %x = tl.binary add %a, %b : f32, f32 -> f32
    %s = scf.for %i = %zero to %three step %one iter_args(%x_1 = %x) -> (f32) : i32 {{
      %x_2 = tl.binary mul %x_1, %b : f32, f32 -> f32
      scf.yield %x_2 : f32
    }}
    %r = tl.binary sub %s, %x : f32, f32 -> f32
    {STORE}"""
    body = body_of(text, named=True)
    assert body.startswith("x = a + b\nx_1 = x\nfor i in range(3):\n    x_1 = x_1 * b\n")
    assert body.endswith("r = x_1 - x\ntl.store(p, r)")


def test_a_start_value_of_an_outer_loop_is_not_overwritten() -> None:
    text = f"""{LOOP}
    %x = tl.binary add %a, %b : f32, f32 -> f32
    scf.for %i = %zero to %three step %one : i32 {{
      %s = scf.for %j = %zero to %three step %one iter_args(%x_1 = %x) -> (f32) : i32 {{
        %x_2 = tl.binary mul %x_1, %b : f32, f32 -> f32
        scf.yield %x_2 : f32
      }}
      tl.store %s, %p : f32, !tl.pointer<f32>
    }}"""
    expected = """x = a + b
for i in range(3):
    x_1 = x
    for j in range(3):
        x_1 = x_1 * b
    tl.store(p, x_1)"""
    assert body_of(text, named=True) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("x", "x"), ("for", "for_"), ("max", "max_"), ("tl", "tl_"), ("a.b", "a_b"), ("1x", "_1x")],
)
def test_legal_names(name: str, expected: str) -> None:
    assert legal(name) == expected


def test_names_of_a_scope() -> None:
    scope = Scope({"y"})
    assert [scope.new(name) for name in ("x", "x", "y", "x_1", "x")] == [
        "x",
        "x_1",
        "y_1",
        "x_1_1",
        "x_2",
    ]


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [
        (0.1, f64, "0.1"),
        (rounded(0.1, f32), f32, "0.1"),
        (1e30, f64, "1e+30"),
        (float("inf"), f32, 'float("inf")'),
        (float("-inf"), f32, 'float("-inf")'),
        (float("nan"), f64, 'float("nan")'),
        (16777216.0, f32, "16777216.0"),
    ],
)
def test_literals(value: float, element: Attribute, expected: str) -> None:
    assert float_text(value, element) == expected


def test_a_single_reads_back() -> None:
    for bits in range(1, 2**31, 7_654_321):
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        if not math.isnan(value):
            text = shortest_f32(value)
            assert struct.unpack("<f", struct.pack("<f", float(text)))[0] == value


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [
        (0.1, f16, 0.0999755859375),
        (65520.0, f16, float("inf")),
        (1.00390625, bf16, 1.0),
        (1.01171875, bf16, 1.015625),
        (3.4e38, bf16, float("inf")),
        (1e-45, f32, 1.401298464324817e-45),
        (9.2e-41, bf16, 9.183549615799121e-41),
    ],
)
def test_rounding(value: float, element: Attribute, expected: float) -> None:
    assert rounded(value, element) == expected


@pytest.mark.parametrize(
    ("value", "element", "expected"),
    [(300, i8, 44), (-129, i8, 127), (3e9, i32, 2**31 - 1), (float("nan"), i32, 0), (-7.9, i8, -7)],
)
def test_casts_of_literals(value: float, element: Attribute, expected: int) -> None:
    assert cast_number(value, element) == expected


def test_what_a_bare_literal_keeps() -> None:
    assert fits_default(0.5) and fits_default(-1) and fits_default(True)
    assert not fits_default(0.1) and not fits_default(2**31) and not fits_default(1e-40)
    assert cast_number(2, i1) is True
