"""The block sizes of a kernel that is tuned, among which each launcher finds the fastest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import AtomicKind, KernelKind
from patlang_ir.dialects.scalars import is_float
from patlang_ir.rewriting import rewrite
from patlang_ir.targets import block_of
from patlang_ir.traversal import walk


@dataclass
class PlanCandidates(RewritePattern):
    """kernel options {autotune = [256, 512]}
    -> kernel options {candidates = [{BLOCK_SIZE = 256}, {BLOCK_SIZE = 512}], bitwise}

    In a 2-D kernel a size is the number of lanes. There are no candidates where the caller chose
    the sizes, or where one program does everything.
    """

    chosen: bool

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.KernelOp, rewriter: PatternRewriter) -> None:
        autotune = op.option("autotune")
        if autotune is None or op.options is None or op.kind.data == KernelKind.MATMUL:
            return
        options: dict[str, Attribute] = {
            k: v for k, v in op.options.data.items() if k != "autotune"
        }
        if not self.chosen and not all(stage.single for stage in op.stages):
            sizes = cast(ArrayAttr[IntegerAttr], autotune)
            blocks = (block_of(size.value.data, op.rank) for size in sizes)
            options["candidates"] = ArrayAttr(map(_dictionary, blocks))
            if _gives_the_same_bits(op):
                options["bitwise"] = UnitAttr()
        op.options = DictionaryAttr(options) if options else None
        rewriter.notify_op_modified(op)


def _gives_the_same_bits(kernel: tile.KernelOp) -> bool:
    """Whether the results are the same bits for blocks of every size, and in every run."""
    strict = kernel.option("math") != StringAttr("fast")
    deterministic = kernel.option("deterministic") != BoolAttr.from_bool(False)
    return strict and deterministic and not any(map(_adds_floats, walk(kernel)))


def _adds_floats(op: Operation) -> bool:
    """Whether floats are added in memory, in an order that no one decides."""
    if not isinstance(op, tile.AtomicOp) or op.kind.data != AtomicKind.ADD:
        return False
    return is_float(tile.element_of(op.value.type))


def _dictionary(sizes: Mapping[str, int]) -> DictionaryAttr:
    return DictionaryAttr({name: IntegerAttr(size, i64) for name, size in sizes.items()})


@dataclass(frozen=True)
class TilePlanCandidates(ModulePass):
    """Make block sizes of the numbers of lanes that a marker offers with `autotune`."""

    name = "tile-plan-candidates"

    block: str = field(default="", metadata={"help": 'block sizes to use: "BLOCK_SIZE=256"'})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        rewrite(op, PlanCandidates(chosen=bool(self.block)))
