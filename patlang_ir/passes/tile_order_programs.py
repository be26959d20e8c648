"""Choose in which order the programs of a matmul kernel make the blocks of the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import Order, OrderAttr
from patlang_ir.matmul_targets import MATMUL_TARGETS, MatmulTarget
from patlang_ir.passes.matmul_plans import plans_in
from patlang_ir.passes.options import TARGET_HELP, expect_one_of, expect_target
from patlang_ir.rewriting import rewrite
from patlang_ir.targets import DEFAULT_TARGET

AUTO, ROWS = "auto", "rows"
ORDERS = (AUTO, ROWS, *Order)


@dataclass
class OrderStage(RewritePattern):
    """stage { ... program 0 ... program 1 ... } -> stage order grouped { ... }

    Where the target has plans in several orders, there is an alternative for each:
    stage described { ... } -> stage described order flattened { ... }; the same, order grouped
    """

    order: str
    target: MatmulTarget

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.order is not None or op.kernel.kind.data != KernelKind.MATMUL:
            return
        orders = self.orders(op)
        for order in orders[:-1]:
            other = op.clone()
            other.order = OrderAttr(order)
            rewriter.insert(other)
        for order in orders[-1:]:
            op.order = OrderAttr(order)
            rewriter.notify_op_modified(op)

    def orders(self, stage: tile.StageOp) -> Sequence[Order]:
        """The orders that a stage is made in; none if programs go row by row."""
        axes = {op.axis.data for op in stage.walk() if isinstance(op, tile.ProgramOp)}
        if self.order in (AUTO, Order.GROUPED):
            if axes != {0, 1}:
                return ()
            if self.order == AUTO and stage.described is not None and not stage.covered:
                return list(dict.fromkeys(plan.order for plan in plans_in(stage, self.target)))
            return (Order.GROUPED,)
        return (Order(self.order),) if axes and self.order != ROWS else ()


@dataclass(frozen=True)
class TileOrderPrograms(ModulePass):
    """Choose in which order the programs of a matmul kernel make the blocks of the result.

    `grouped` keeps together those that share rows and columns of blocks, so that they find them in
    the cache; `persistent` has one program for each processor besides, which makes one block after
    the other, and `flattened` the same with both loops in one; `rows` goes row by row. `auto` makes
    the stage in each order that the target has plans in, else grouped.
    """

    name = "tile-order-programs"
    order: str = field(default=AUTO, metadata={"help": f"one of {', '.join(ORDERS)}"})
    target: str = field(default=DEFAULT_TARGET, metadata={"help": TARGET_HELP})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expect_one_of(self.order, ORDERS, "order")
        expect_target(self.target)
        rewrite(op, OrderStage(self.order, MATMUL_TARGETS[self.target]))
