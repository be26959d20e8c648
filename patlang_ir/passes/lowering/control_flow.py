"""Loops and branches: their types, the index of a `for`, and the condition of a `while`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.tl import BinaryKind
from patlang_ir.passes.lowering.broadcasts import is_literal
from patlang_ir.passes.lowering.emitter import COMPARISONS, Emitter, converted


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
        type_bare(op.body.block.args[0], op.body.block, rewriter)


class TypeScalars(RewritePattern):
    """def k(s): f(s) -> def k(s): f(full((), s, f64)), where the bare argument would not do

    Triton's interpreter leaves a float a Python number, and gives an integer the type that its
    value needs.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.KernelOp, rewriter: PatternRewriter) -> None:
        for arg in filter(is_bare, reversed(op.args)):
            for stage in op.stages:
                type_bare(arg, stage.body.block, rewriter)


def type_bare(value: BlockArgument, block: Block, rewriter: PatternRewriter) -> None:
    """Give a loop index or a scalar argument its type at the start of a block, if that needs it."""
    uses = [use for use in value.uses if block.find_ancestor_op_in_block(use.operation)]
    if all(bare_will_do(value, use.operation, use.index) for use in uses):
        return
    full = tl.FullOp(value, value.type)
    full.result.name_hint = value.name_hint
    rewriter.insert(full, InsertPoint.at_start(block))
    for use in uses:
        if not isinstance(use.operation, tl.FullOp):
            use.operation.operands[use.index] = full.result


def bare_will_do(value: BlockArgument, user: Operation, position: int) -> bool:
    """Whether a loop index or scalar, typed or a Python number, can stand as this operand."""
    match user:
        case tl.BinaryOp():
            other = user.operands[1 - position]
            return is_test(user) or not (other is value or is_literal(other) or is_bare(other))
        case tl.FullOp():
            return True
        case scf.ForOp():
            return position < 3
        case scf.IfOp():
            return True
        case _:
            return False


def is_test(op: tl.BinaryOp) -> bool:
    """Whether this compares two values for branches alone."""
    users = [use.operation for use in op.result.uses]
    return op.kind.data in COMPARISONS and all(isinstance(user, scf.IfOp) for user in users)


def is_bare(value: SSAValue) -> bool:
    """Whether this is a loop index or a scalar argument."""
    if not isinstance(value, BlockArgument):
        return False
    owner = value.block.parent_op()
    is_index = value.index == 0 and isinstance(owner, scf.ForOp)
    return is_index or (isinstance(owner, tile.KernelOp) and not is_buffer(value))


def is_buffer(value: SSAValue) -> bool:
    return isinstance(value.type, tl.PointerType)


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
