"""Rewrites: places are carried over, endless ones stop, lowerings are checked."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import CompileError, place_of
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import Pat
from patlang_ir.rewriting import PatternOf, expect_gone, kinds_of, rewrite
from patlang_ir.tools.located_parser import LocatedParser
from patlang_ir.traversal import walk

PROGRAM = """\
pat.program {
  %0 = pat.constant 1
  pat.let "x", %0
  pat.while {
    %1 = pat.constant 2
    pat.yield %1
  } do {
  }
}
"""


def parse(text: str = PROGRAM) -> ModuleOp:
    ctx = Context()
    ctx.load_dialect(Pat)
    return LocatedParser(ctx, text, "in.mlir").parse_module()


def places(module: ModuleOp, kind: type[Operation]) -> list[str]:
    return [str(place_of(op.location)) for op in module.walk() if isinstance(op, kind)]


class ConstantToList(RewritePattern):
    """constant -> list(constant)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ConstantOp, rewriter: PatternRewriter) -> None:
        if op.result.first_use is not None and isinstance(
            op.result.first_use.operation, pat.ListOp
        ):
            return
        inner = pat.ConstantOp(7)
        rewriter.replace(op, [inner, pat.ListOp([inner.result])])


class WhileToIf(RewritePattern):
    """while c do body -> if c then (let y = 3)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.WhileOp, rewriter: PatternRewriter) -> None:
        condition = rewriter.move_region_contents_to_new_regions(op.condition)
        value = pat.ConstantOp(3)
        body = pat.block_region([value, pat.LetOp("y", value.result)])
        rewriter.replace(op, pat.IfOp([condition, body]))


class LetToAssign(RewritePattern):
    """let -> assign"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.LetOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, pat.AssignOp(op.variable.data, op.value))


class AssignToLet(RewritePattern):
    """assign -> let"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.AssignOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, pat.LetOp(op.variable.data, op.value))


def test_new_operations_get_the_place_of_the_old_one():
    module = parse()
    assert rewrite(module, ConstantToList()) == 2
    assert places(module, pat.ConstantOp) == ["in.mlir:2:3", "in.mlir:5:5"]
    assert places(module, pat.ListOp) == ["in.mlir:2:3", "in.mlir:5:5"]


def test_operations_inside_new_ones_get_it_too_and_moved_ones_keep_theirs():
    module = parse()
    assert rewrite(module, WhileToIf()) == 1
    assert places(module, pat.IfOp) == ["in.mlir:4:3"]
    assert places(module, pat.ConstantOp) == ["in.mlir:2:3", "in.mlir:5:5", "in.mlir:4:3"]


def test_a_place_that_the_pattern_sets_stays():
    class Placed(RewritePattern):
        """let -> assign at a place of its own"""

        @op_type_rewrite_pattern
        def match_and_rewrite(self, op: pat.LetOp, rewriter: PatternRewriter) -> None:
            new = pat.AssignOp(op.variable.data, op.value)
            new.location = FileLineColLoc(StringAttr("other"), IntAttr(8), IntAttr(9))
            rewriter.replace(op, new)

    module = parse()
    rewrite(module, Placed())
    assert places(module, pat.AssignOp) == ["other:8:9"]


def test_the_first_pattern_that_fits_wins():
    module = parse()
    assert rewrite(module, LetToAssign(), AssignToLet()) == 1
    assert places(module, pat.LetOp) == []


def test_rewrites_that_undo_each_other_stop_with_an_error():
    with pytest.raises(CompileError) as caught:
        rewrite(parse(), LetToAssign(), AssignToLet(), recursively=True)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "P907"
    assert str(diagnostic.place) == "in.mlir:3:3"
    assert "still applies after" in diagnostic.message


def test_the_limit_counts_rewrites():
    assert rewrite(parse(), ConstantToList(), recursively=True, limit=2) == 2
    with pytest.raises(CompileError):
        rewrite(parse(), ConstantToList(), recursively=True, limit=1)


def test_an_annotation_says_what_a_pattern_is_for():
    class Either(RewritePattern):
        """nothing"""

        @op_type_rewrite_pattern
        def match_and_rewrite(
            self, op: pat.LetOp | pat.AssignOp, rewriter: PatternRewriter
        ) -> None: ...

    class Any(RewritePattern):
        """nothing"""

        def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None: ...

    assert kinds_of(LetToAssign()) is pat.LetOp
    assert kinds_of(Either()) == pat.LetOp | pat.AssignOp
    assert kinds_of(Any()) is Operation


def test_a_pattern_with_a_table_sees_the_operations_of_its_table():
    class Seen(PatternOf):
        """nothing"""

        operations = (pat.LetOp, pat.WhileOp)

        def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
            seen.append(op.name)

    seen: list[str] = []
    assert rewrite(parse(), Seen()) == 0
    assert seen == [op.name for op in parse().walk() if op.name in ("pat.let", "pat.while")]
    assert len(set(seen)) == 2


def test_a_walk_goes_through_the_text_and_bears_that_operations_are_erased():
    module = parse()
    assert [*walk(module)] == [*module.walk()]
    for op in walk(module):
        if isinstance(op, pat.LetOp):
            op.detach()
            op.erase()
    assert not any(isinstance(op, pat.LetOp) for op in module.walk())


def test_a_lowering_must_leave_nothing():
    module = parse()
    expect_gone(module, pat.AssignOp, "tile")
    with pytest.raises(CompileError) as caught:
        expect_gone(module, pat.LetOp, pat.ConstantOp)
    assert [(d.code, str(d.place), d.message) for d in caught.value.diagnostics] == [
        ("P902", "in.mlir:2:3", "'pat.constant' was not lowered"),
        ("P902", "in.mlir:3:3", "'pat.let' was not lowered"),
    ]


def test_a_dialect_is_named_by_its_name():
    with pytest.raises(CompileError) as caught:
        expect_gone(parse(), "pat")
    assert {d.message.split("'")[1] for d in caught.value.diagnostics} == {
        "pat.program",
        "pat.constant",
        "pat.let",
        "pat.while",
        "pat.yield",
    }
