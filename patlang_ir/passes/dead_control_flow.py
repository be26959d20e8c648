"""Control flow that literals decide: branches never taken and loops without a turn."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.scalars import is_integer
from patlang_ir.passes.constant_folding import FOLDED, computed


def literal_of(value: SSAValue) -> bool | int | float | None:
    """The number that a value is, if it is a literal."""
    return python_number(value.owner.value) if isinstance(value.owner, tile.ConstantOp) else None


class DecidedByOne(RewritePattern):
    """false and x -> false; true or x -> true; 0 * x -> 0; select(true, x, y) -> x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: tile.AndOp | tile.OrOp | tile.MulOp | tile.SelectOp, rewriter: PatternRewriter
    ) -> None:
        decided = decided_by_one(op)
        if decided is not None:
            rewriter.replace(op, [], [decided])


def decided_by_one(op: Operation) -> SSAValue | None:
    """The operand that an operation gives because a literal decides it."""
    if isinstance(op, tile.SelectOp):
        condition = literal_of(op.condition)
        return None if condition is None else op.lhs if condition else op.rhs
    match op:
        case tile.AndOp():
            deciding = False
        case tile.OrOp():
            deciding = True
        case tile.MulOp() if is_integer(tile.element_of(op.result.type)):
            deciding = 0
        case _:
            return None
    sides = (side for side in op.operands if literal_of(side) is not None)
    return next((side for side in sides if literal_of(side) == deciding), None)


class TakeBranch(RewritePattern):
    """if true { a } else { b } -> a"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.IfOp, rewriter: PatternRewriter) -> None:
        condition = literal_of(op.cond)
        if condition is None:
            return
        region = op.true_region if condition else op.false_region
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
    """while false { ... } -> the values that the loop starts with; so for `for` and 5 to 2

    Triton 3.6 fails on a loop whose first test it finds to be false.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp | scf.WhileOp, rewriter: PatternRewriter) -> None:
        if isinstance(op, scf.ForOp):
            low, high = literal_of(op.lb), literal_of(op.ub)
            if low is not None and high is not None and low >= high:
                rewriter.replace(op, [], list(op.iter_args))
            return
        first = FirstTest(op)
        if first.condition is False:
            rewriter.replace(op, first.ops, first.passed)
        else:
            first.forget()


class FirstTest:
    """The test of a loop with the values that it starts with, as far as literals decide it."""

    def __init__(self, loop: scf.WhileOp):
        block = loop.before_region.block
        self.values: dict[SSAValue, SSAValue] = dict(zip(block.args, loop.arguments, strict=True))
        self.ops: list[Operation] = []
        self.condition: bool | int | float | None = None
        self.passed: list[SSAValue] = []
        for op in block.ops:
            if isinstance(op, scf.ConditionOp):
                self.condition = literal_of(self.value(op.condition))
                self.passed = [self.value(arg) for arg in op.args]
                return
            if op.regions:
                return
            self.copy(op)

    def value(self, value: SSAValue) -> SSAValue:
        return self.values.get(value, value)

    def copy(self, op: Operation) -> None:
        new = op.clone(self.values)
        decided = decided_by_one(new)
        if decided is not None:
            self.values[op.results[0]] = decided
            new.erase()
        elif isinstance(new, FOLDED) and all(literal_of(v) is not None for v in new.operands):
            literal = tile.ConstantOp(computed(new), new.results[0].type)
            self.values[op.results[0]] = literal.result
            self.ops.append(literal)
            new.erase()
        else:
            self.ops.append(new)

    def forget(self) -> None:
        """Take the copies away; they use values of the kernel."""
        for op in reversed(self.ops):
            op.erase()
