"""Numbers that are known through branches and loops: each turn of a loop finds the same one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from patlang_ir.analysis.literals import counters_between
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, python_number
from patlang_ir.passes.constant_folding import decided

Known = Sequence[Number | None]
"""For each value its number, or None where it is not known."""


class KnownValues:
    """The numbers of values, found by walking through the kernel as if it ran.

    A loop is walked again until its carried values, which start as known as they are before the
    loop, stay as they are. A branch or body that cannot be reached is not walked. Triton finds
    such code in the same way, and 3.6 fails on a load or store there.
    """

    def __init__(self, module: ModuleOp):
        self.numbers: dict[SSAValue, Number | None] = {}
        self.walk(module.body.block)

    def of(self, values: Iterable[SSAValue]) -> Known:
        return [self.numbers.get(value) for value in values]

    def set(self, values: Sequence[SSAValue], known: Known) -> None:
        self.numbers.update(zip(values, known, strict=True))

    def walk(self, block: Block) -> Known:
        """Visit a block; what its last operation takes."""
        for op in block.ops:
            self.visit(op)
        return self.of(block.last_op.operands) if block.last_op else ()

    def visit(self, op: Operation) -> None:
        match op:
            case tile.ConstantOp():
                self.numbers[op.result] = op.value
            case scf.IfOp():
                self.visit_if(op)
            case scf.ForOp():
                self.visit_for(op)
            case scf.WhileOp():
                self.visit_while(op)
            case _ if op.regions:
                for block in (block for region in op.regions for block in region.blocks):
                    self.walk(block)
            case _ if len(op.results) == 1:
                self.numbers[op.results[0]] = decided(op, self.of(op.operands))
            case _:
                pass

    def visit_if(self, op: scf.IfOp) -> None:
        (condition,) = self.of([op.cond])
        taken = [op.true_region, op.false_region]
        if condition is not None:
            taken = taken[:1] if python_number(condition) else taken[1:]
        yielded = [self.walk(region.block) for region in taken if region.blocks]
        if op.results:
            self.set(op.results, joined(*yielded))

    def visit_for(self, op: scf.ForOp) -> None:
        index, *carried = op.body.block.args
        counters = counters_between(self.of([op.lb, op.ub, op.step]))
        known = self.of(op.iter_args)
        if counters is not None and len(counters) == 1:
            self.set([index, *carried], self.of([op.lb, *op.iter_args]))
            known = self.walk(op.body.block)
        elif counters != range(0):
            self.numbers[index] = None
            before: Known | None = None
            while before is None or not same(before, known):
                before = known
                self.set(carried, known)
                known = joined(known, self.walk(op.body.block))
        self.set(op.results, known)

    def visit_while(self, op: scf.WhileOp) -> None:
        test, body = op.before_region.block, op.after_region.block
        known = self.of(op.arguments)
        passed: Known = ()
        before: Known | None = None
        while before is None or not same(before, known):
            before = known
            self.set(test.args, known)
            condition, *passed = self.walk(test)
            if condition is not None and not python_number(condition):
                break
            self.set(body.args, passed)
            known = joined(known, self.walk(body))
        self.set(op.results, passed)


def joined(first: Known, *others: Known) -> Known:
    """What is known of values that come from several places."""
    places = zip(first, *others, strict=True)
    return [a if all(same([a], [b]) for b in rest) else None for a, *rest in places]


def same(left: Known, right: Known) -> bool:
    """Whether two say the same; two NaNs are, and the two zeros are not."""
    return repr(left) == repr(right)


class KnownInEveryTurn(RewritePattern):
    """for ... iter_args(a = 0) { f(a); yield 2 * a } -> for ... iter_args(a = 0) { f(0); ... }

    So for what a branch gives. What is handed on stays, for nothing may need it any more.
    """

    def __init__(self, module: ModuleOp):
        self.module = module

    @cached_property
    def numbers(self) -> Mapping[SSAValue, Number | None]:
        """Looked for when the first branch or loop is met; most kernels have none."""
        return KnownValues(self.module).numbers

    @op_type_rewrite_pattern
    def match_and_rewrite(
        self, op: scf.IfOp | scf.ForOp | scf.WhileOp, rewriter: PatternRewriter
    ) -> None:
        self.replace(op.results, InsertPoint.after(op), rewriter)
        for block in (block for region in op.regions for block in region.blocks):
            self.replace(block.args, InsertPoint.at_start(block), rewriter)

    def replace(
        self, values: Sequence[SSAValue], place: InsertPoint, rewriter: PatternRewriter
    ) -> None:
        for value in values:
            number = self.numbers.get(value)
            uses = [use for use in value.uses if not hands_on(use)]
            if number is None or not uses:
                continue
            literal = rewriter.insert(tile.ConstantOp(number, value.type), place).result
            for use in uses:
                use.operation.operands[use.index] = literal
                rewriter.notify_op_modified(use.operation)


def hands_on(use: Use) -> bool:
    """Whether this gives the value to the next turn, or to what comes after."""
    tested = isinstance(use.operation, scf.ConditionOp) and use.index == 0
    return isinstance(use.operation, scf.YieldOp | scf.ConditionOp) and not tested
