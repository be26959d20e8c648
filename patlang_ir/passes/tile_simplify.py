"""Compute now what can be, once what is the same, before a loop what it does not change."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.dataflow import is_pure, live_values
from patlang_ir.dialects import tile
from patlang_ir.passes.common_values import merge_common_values
from patlang_ir.passes.constant_folding import FoldLiterals
from patlang_ir.passes.dead_code import erase_dead
from patlang_ir.passes.dead_control_flow import (
    DropTurnless,
    DropUnentered,
    SelectKnown,
    TakeBranch,
)
from patlang_ir.passes.known_values import KnownInEveryTurn
from patlang_ir.rewriting import rewrite
from patlang_ir.traversal import walk


class SelectSame(RewritePattern):
    """select(c, x, x) -> x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.SelectOp, rewriter: PatternRewriter) -> None:
        if op.lhs is op.rhs:
            rewriter.replace(op, [], [op.lhs])


class PassThrough(RewritePattern):
    """for ... iter_args(a = x) { yield a } -> x in the place of a and of the result"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        block, yielded = op.body.block, _yielded(op.body.block)
        for i, arg in enumerate(block.args[1:]):
            if yielded[i] is not arg:
                continue
            rewriter.replace_all_uses_with(op.results[i], op.iter_args[i])
            for use in tuple(arg.uses):
                if use.operation is not block.last_op:
                    use.operation.operands[use.index] = op.iter_args[i]
                    rewriter.notify_op_modified(use.operation)


class DropUnused(RewritePattern):
    """for ... iter_args(a = x, b = y) where nothing needs b -> for ... iter_args(a = x)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp, rewriter: PatternRewriter) -> None:
        live = live_values(op)
        keep = [i for i, arg in enumerate(op.body.block.args[1:]) if arg in live]
        if len(keep) == len(op.results):
            return
        body = op.detach_region(op.body)
        block = body.block
        last = block.last_op
        assert last is not None
        last.operands = [last.operands[i] for i in keep]
        results: list[SSAValue] = list(op.iter_args)
        inits = [op.iter_args[i] for i in keep]
        for i in reversed(range(len(results))):
            if i not in keep:
                block.erase_arg(block.args[i + 1], safe_erase=False)
        loop = scf.ForOp(op.lb, op.ub, op.step, inits, body)
        rewriter.insert(loop)
        for i, result in zip(keep, loop.results, strict=True):
            results[i] = result
        rewriter.replace(op, [], results)


@dataclass(frozen=True)
class HoistFromLoop(RewritePattern):
    """for ... { v = f(x); ... } with x from outside -> v = f(x); for ... { ... }

    A load moves too if the loop writes no memory: outside its buffer it gives 0. Where that is an
    error, in a `checked` run, it stays: the loop may have no turn. So does an integer division.
    """

    checked: bool

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: scf.ForOp | scf.WhileOp, rewriter: PatternRewriter) -> None:
        writes = any(isinstance(inner, tile.StoreOp | tile.AtomicOp) for inner in walk(op))
        for region in op.regions:
            for inner in tuple(region.block.ops):
                if not (is_pure(type(inner)) or (isinstance(inner, tile.LoadOp) and not writes)):
                    continue
                if inner.regions or inner is region.block.last_op or not _outside(inner, region):
                    continue
                if self.checked and isinstance(inner, tile.LoadOp | tile.QuotientOp | tile.RemOp):
                    continue
                inner.detach()
                rewriter.insert(inner)


def _outside(op: Operation, region: Region) -> bool:
    """Whether every operand is defined outside the region."""
    return not any(region.is_ancestor(operand.owner) for operand in op.operands)


def _yielded(block: Block) -> tuple[SSAValue, ...]:
    assert block.last_op is not None
    return tuple(block.last_op.operands)


@dataclass(frozen=True)
class TileSimplify(ModulePass):
    """Compute now what can be, once what is the same, before a loop what it does not change."""

    name = "tile-simplify"

    checked: bool = field(
        default=False, metadata={"help": "what is an error in a checked run stays where it is"}
    )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, KnownInEveryTurn(op))
        literals = (FoldLiterals(), SelectKnown(), TakeBranch(), DropTurnless(), DropUnentered())
        loops = (SelectSame(), PassThrough(), DropUnused())
        rewrite(op, *literals, *loops, recursively=True)
        rewrite(op, HoistFromLoop(self.checked), recursively=True)
        merge_common_values(op)
        erase_dead(op)
