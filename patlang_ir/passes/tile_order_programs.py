"""Choose in which order the programs of a matmul kernel make the blocks of the result."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import Order, OrderAttr
from patlang_ir.rewriting import rewrite

ORDERS = ("rows", *Order)


@dataclass
class OrderStage(RewritePattern):
    """stage { ... program 0 ... program 1 ... } -> stage order grouped { ... }"""

    order: Order

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.order is not None or op.kernel.kind.data != KernelKind.MATMUL:
            return
        axes = {inner.axis.data for inner in op.walk() if isinstance(inner, tile.ProgramOp)}
        if axes == {0, 1} or (axes and self.order == Order.PERSISTENT):
            op.order = OrderAttr(self.order)
            rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class TileOrderPrograms(ModulePass):
    """Choose in which order the programs of a matmul kernel make the blocks of the result.

    `grouped` keeps together those that share rows and columns of blocks, so that they find them in
    the cache; `persistent` has one program for each processor besides, which makes one block after
    the other; `rows` goes row by row.
    """

    name = "tile-order-programs"
    order: str = field(default="grouped", metadata={"help": f"one of {', '.join(ORDERS)}"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.order not in ORDERS:
            listed = ", ".join(ORDERS)
            raise refuse(None, "P905", f"'{self.order}' is no order", f"the orders are {listed}")
        if self.order != "rows":
            rewrite(op, OrderStage(Order(self.order)))
