"""Verification: the operation at fault is named with its place."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.cf import Cf
from xdsl.dialects.func import Func
from xdsl.dialects.test import Test

from patlang_ir.diagnostics import CompileError
from patlang_ir.dialects.pat import Pat
from patlang_ir.tools.located_parser import LocatedParser
from patlang_ir.verify import verify


def parse(text: str) -> ModuleOp:
    ctx = Context()
    for dialect in (Builtin, Pat, Func, Cf, Test):
        ctx.load_dialect(dialect)
    return LocatedParser(ctx, text, "in.mlir").parse_module()


def faults(text: str) -> list[str]:
    with pytest.raises(CompileError) as caught:
        verify(parse(text))
    assert all(diagnostic.code == "P901" for diagnostic in caught.value.diagnostics)
    return [f"{d.place}: {d.message}" for d in caught.value.diagnostics]


def test_every_operation_at_fault_is_reported():
    assert faults(
        """pat.func @f("x", "x") {
}
pat.func @g("y") {
}
pat.func @h("z", "z") {
}"""
    ) == [
        "in.mlir:1:1: 'pat.func': a parameter is given twice",
        "in.mlir:5:1: 'pat.func': a parameter is given twice",
    ]


def test_the_reason_of_a_wrong_type_is_one_line():
    (fault,) = faults('%0 = "test.op"() : () -> i32\n"pat.yield"(%0) : (i32) -> ()')
    assert fault.startswith("in.mlir:2:1: 'pat.yield': operand")
    assert "!pat.value" in fault and "i32" in fault and "\n" not in fault


def test_a_use_before_the_definition():
    assert faults(
        """pat.program {
  pat.let "x", %a
  %a = pat.constant 1
}"""
    ) == ["in.mlir:2:3: 'pat.let' uses %a before it is defined"]


def test_a_use_inside_a_region_before_the_definition():
    assert faults(
        """pat.program {
  pat.while {
    pat.yield %a
  } do {
  }
  %a = pat.constant 1
}"""
    ) == ["in.mlir:3:5: 'pat.yield' uses %a before it is defined"]


def test_a_value_is_not_visible_after_its_region():
    module = parse(
        """pat.program {
  pat.while {
    %a = pat.constant 1
    pat.yield %a
  } do {
  }
  %b = pat.constant 2
  pat.let "x", %b
}"""
    )
    inner = next(op for op in module.walk() if op.name == "pat.constant")
    let = next(op for op in module.walk() if op.name == "pat.let")
    let.operands[0] = inner.results[0]
    with pytest.raises(CompileError, match=r"'pat.let' uses %a before it is defined"):
        verify(module)


def test_values_from_outside_and_block_arguments_are_defined():
    verify(
        parse(
            """%0 = "test.op"() : () -> i32
"test.op"(%0) ({
^bb0(%1: i32):
  "test.termop"(%0, %1) : (i32, i32) -> ()
}) : (i32) -> ()"""
        )
    )


def test_blocks_of_one_region_may_stand_in_any_order():
    verify(
        parse(
            """func.func @f() {
  cf.br ^second
^first:
  "test.termop"(%0) : (i32) -> ()
^second:
  %0 = "test.op"() : () -> i32
  cf.br ^first
}"""
        )
    )


def test_one_that_differs_from_others_of_its_kind_by_a_type():
    (fault,) = faults(
        """%0, %1 = "test.op"() : () -> (!pat.value, i32)
"pat.set_member"(%0, %0) <{member = "x"}> : (!pat.value, !pat.value) -> ()
"pat.set_member"(%0, %0) <{member = "x"}> : (!pat.value, !pat.value) -> ()
"pat.set_member"(%0, %1) <{member = "x"}> : (!pat.value, i32) -> ()
"pat.set_member"(%0, %0) <{member = "x"}> : (!pat.value, !pat.value) -> ()"""
    )
    assert fault.startswith("in.mlir:4:1: 'pat.set_member': operand")


def test_one_that_differs_from_others_of_its_kind_by_a_property():
    (fault,) = faults(
        """%0 = "test.op"() : () -> !pat.value
"pat.set_member"(%0, %0) <{member = "x"}> : (!pat.value, !pat.value) -> ()
"pat.set_member"(%0, %0) : (!pat.value, !pat.value) -> ()
"test.op"() : () -> ()"""
    )
    assert (
        fault
        == "in.mlir:3:1: 'pat.set_member': property 'member' expected in operation 'pat.set_member'"
    )


def test_a_block_without_its_end():
    (fault,) = faults(
        """"func.func"() <{sym_name = "f", function_type = () -> ()}> ({
^bb0:
}) : () -> ()"""
    )
    assert "empty block" in fault
