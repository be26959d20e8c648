"""Loops and branches: their types, the index of a `for`, and the condition of a `while`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from patlang_ir.dialects import tl
from patlang_ir.dialects.tl import BinaryKind
from patlang_ir.passes.lowering.broadcasts import is_literal
from patlang_ir.passes.lowering.emitter import Emitter, converted


class ConvertTypes(RewritePattern):
    """scf.for -> scf.for, with the `tl` types of what it carries"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.ForOp | scf.WhileOp | scf.IfOp, rewriter: PatternRewriter
    ) -> None:
        blocks = [block for region in op.regions for block in region.blocks]
        for value in [*op.results, *(arg for block in blocks for arg in block.args)]:
            type = converted(value.type)
            if type != value.type:
                rewriter.replace_value_with_new_type(value, type)


class TypeLoopIndex(RewritePattern):
    """for i in ...: f(i) -> for i in ...: f(full((), i, i64)), where the bare index would not do

    Triton types the index by the bounds, and its interpreter makes it a Python number.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        index = op.body.block.args[0]
        if all(index_will_do(index, use.operation, use.index) for use in index.uses):
            return
        full = tl.FullOp(index, index.type)
        full.result.name_hint = index.name_hint
        rewriter.insert(full, InsertPoint.at_start(op.body.block))
        index.replace_uses_with_if(full.result, lambda use: use.operation is not full)


def index_will_do(index: BlockArgument, user: Operation, position: int) -> bool:
    """Whether a loop index, of either kind, can stand as this operand."""
    match user:
        case tl.BinaryOp():
            other = user.operands[1 - position]
            return other is not index and not is_literal(other) and not is_loop_index(other)
        case tl.FullOp():
            return True
        case scf.ForOp():
            return position < 3
        case _:
            return False


def is_loop_index(value: SSAValue) -> bool:
    return (
        isinstance(value, BlockArgument)
        and value.index == 0
        and isinstance(value.block.parent_op(), scf.ForOp)
    )


class SeparateStarts(RewritePattern):
    """a = b = full(0.0) before a loop -> a = full(0.0); b = full(0.0)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp | scf.WhileOp, rewriter: PatternRewriter) -> None:
        for position, operand in enumerate(op.operands):
            owner = operand.owner
            if not isinstance(owner, tl.FullOp) or not is_literal(owner.value):
                continue
            own = tl.FullOp(owner.value, owner.result.type)
            own.location = owner.location
            rewriter.insert(own, InsertPoint.before(op))
            op.operands[position] = own.result
            rewriter.notify_op_modified(op)
            if owner.result.first_use is None:
                rewriter.erase(owner)


class RotateWhile(RewritePattern):
    """while f(a): body -> c = f(a); while c: body; c = f(a), where f(a) is no expression

    The flag is a number that the body reads: Triton 3.6 fails on a loop that carries a value which
    its test alone reads.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.WhileOp, rewriter: PatternRewriter) -> None:
        if is_expression(op.before_region.block) and body_reads_what_is_tested(op):
            return
        after = op.after_region.block
        yielded = after.last_op
        assert isinstance(yielded, scf.YieldOp)
        flag = after.insert_arg(i32, 0)
        flag.name_hint = "running"
        first = self.conditions(op, op.arguments, None, rewriter, InsertPoint.before(op))
        again = self.conditions(op, yielded.arguments, flag, rewriter, InsertPoint.before(yielded))
        rewriter.replace(yielded, scf.YieldOp(*again))
        test = Block(arg_types=[value.type for value in first])
        for mine, theirs in zip(test.args, after.args, strict=True):
            mine.name_hint = theirs.name_hint
        emit = Emitter()
        runs = emit.binary(BinaryKind.NE, test.args[0], emit.literal(0, i32))
        test.add_ops([*emit.ops, scf.ConditionOp(runs, *test.args)])
        for new in test.ops:
            new.location = op.location
        body = op.after_region
        op.detach_region(body)
        loop = scf.WhileOp(first, [value.type for value in first], Region(test), body)
        rewriter.replace(op, loop, loop.results[1:])

    def conditions(
        self,
        op: scf.WhileOp,
        arguments: Sequence[SSAValue],
        flag: SSAValue | None,
        rewriter: PatternRewriter,
        point: InsertPoint,
    ) -> list[SSAValue]:
        """Copy the test of the loop; whether it holds, as a number, and what goes with it."""
        before = op.before_region.block
        copies: dict[SSAValue, SSAValue] = dict(zip(before.args, arguments, strict=True))
        for inner in before.ops:
            if isinstance(inner, scf.ConditionOp):
                condition, *values = (copies.get(v, v) for v in (inner.condition, *inner.args))
                emit = Emitter()
                one = flag if flag is not None else emit.full(emit.literal(1, i32), i32)
                number = emit.where(condition, one, emit.literal(0, i32))
                rewriter.insert(emit.ops, point)
                return [number, *values]
            rewriter.insert(inner.clone(copies), point)
        raise AssertionError("a test ends with its condition")


def body_reads_what_is_tested(op: scf.WhileOp) -> bool:
    """Whether every carried value that the test reads is read in the body too."""
    pairs = zip(op.before_region.block.args, op.after_region.block.args, strict=True)
    return all(inner.first_use is not None for tested, inner in pairs if reads(tested))


def reads(tested: SSAValue) -> bool:
    return any(not isinstance(use.operation, scf.ConditionOp) for use in tested.uses)


def is_expression(test: Block) -> bool:
    """Whether a loop's test can be written as one expression of the carried variables."""
    end = test.last_op
    assert isinstance(end, scf.ConditionOp)
    if tuple(end.args) != tuple(test.args):
        return False
    for op in test.ops:
        if op is end or isinstance(op, tl.ConstantOp | tl.ConstexprOp):
            continue
        if op.regions or not is_side_effect_free(op):
            return False
        if any(len(tuple(result.uses)) != 1 for result in op.results):
            return False
    return True
