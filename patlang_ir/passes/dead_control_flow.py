"""Control flow that literals decide: branches never taken and loops without a turn."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import BlockArgument
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.literals import counters_of, literal_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import python_number


class SelectKnown(RewritePattern):
    """select(true, x, y) -> x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.SelectOp, rewriter: PatternRewriter) -> None:
        condition = literal_of(op.condition)
        if condition is not None:
            rewriter.replace(op, [], [op.lhs if python_number(condition) else op.rhs])


class TakeBranch(RewritePattern):
    """if true { a } else { b } -> a"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter) -> None:
        condition = literal_of(op.cond)
        if condition is None:
            return
        region = op.true_region if python_number(condition) else op.false_region
        if not region.blocks:
            rewriter.erase(op)
            return
        last = region.block.last_op
        assert isinstance(last, scf.YieldOp)
        results = tuple(last.operands)
        rewriter.erase(last)
        rewriter.inline_block(region.block, rewriter.insertion_point)
        rewriter.replace(op, [], results)


class DropTurnless(RewritePattern):
    """for ... from 5 to 2 { ... } -> the values that the loop starts with"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        if counters_of(op) == range(0):
            rewriter.replace(op, [], list(op.iter_args))


class DropUnentered(RewritePattern):
    """while { a; false } do { ... } -> a, with the values that the loop starts with"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        test = op.before_region.block
        last = test.last_op
        assert isinstance(last, scf.ConditionOp)
        condition = literal_of(last.condition)
        if condition is None or python_number(condition):
            return
        results = [
            op.arguments[v.index] if isinstance(v, BlockArgument) and v.block is test else v
            for v in last.args
        ]
        rewriter.erase(last)
        rewriter.inline_block(test, rewriter.insertion_point, op.arguments)
        rewriter.replace(op, [], results)
