"""Applying rewrites: every new operation gets a place, and no pass runs for ever."""

from __future__ import annotations

from xdsl.dialects.builtin import LocationAttr, ModuleOp, UnknownLoc
from xdsl.ir import Attribute, Operation
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriterListener,
    PatternRewriteWalker,
    RewritePattern,
)

from patlang_ir.diagnostics import Report, refuse
from patlang_ir.dialects import tile


def rewrite(
    module: ModuleOp,
    *patterns: RewritePattern,
    recursively: bool = False,
    limit: int | None = None,
) -> int:
    """Apply the first pattern that fits, to every operation; how often one did.

    With `recursively` the results are rewritten too, until nothing changes. Operations that a
    rewrite inserts get the place of the one it matched, unless they have their own.
    """
    if limit is None:
        limit = 10_000 + 100 * sum(1 for _ in module.walk())
    applier = _Applier(patterns, limit)
    listener = PatternRewriterListener(operation_insertion_handler=[applier.inserted.append])
    walker = PatternRewriteWalker(applier, apply_recursively=recursively, listener=listener)
    walker.rewrite_module(module)
    return applier.applied


class _Applier(RewritePattern):
    """Tries the patterns in their order, and keeps the books."""

    def __init__(self, patterns: tuple[RewritePattern, ...], limit: int):
        self.patterns = patterns
        self.limit = limit
        self.applied = 0
        self.inserted: list[Operation] = []

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        place = op.location
        for pattern in self.patterns:
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                self._record(pattern, place)
                return

    def _record(self, pattern: RewritePattern, place: LocationAttr) -> None:
        for op in self.inserted:
            give_place(op, place)
        self.inserted.clear()
        self.applied += 1
        if self.applied > self.limit:
            raise refuse(
                place,
                "P907",
                f"{type(pattern).__name__} still applies after {self.limit} rewrites",
                help="two rewrites undo each other, or one fits its own result",
            )


def give_place(op: Operation, place: LocationAttr) -> None:
    """Set the location of `op` and of all inside it, where there is none yet."""
    for inner in op.walk():
        if isinstance(inner.location, UnknownLoc):
            inner.location = place
        for region in inner.regions:
            for block in region.blocks:
                for arg in block.args:
                    if isinstance(arg.location, UnknownLoc):
                        arg.location = place


def expect_typed(module: ModuleOp) -> None:
    """What a pass over typed kernels needs: the first value whose type is not known is an error."""
    for op in module.walk():
        for value in (*op.results, *(a for r in op.regions for b in r.blocks for a in b.args)):
            if _is_unknown(value.type):
                help = "run tile-specialize and tile-infer-shapes first"
                raise refuse(op, "P902", f"the type of a value of '{op.name}' is not known", help)


def _is_unknown(type: Attribute) -> bool:
    element = type.element if isinstance(type, tile.BufferType) else type
    return element == tile.unknown


def expect_gone(module: ModuleOp, *kinds: type[Operation] | str) -> None:
    """The promise of a lowering: no operation of these classes or dialects is left.

    Of each operation that is left the first one is reported.
    """
    dialects = {kind for kind in kinds if isinstance(kind, str)}
    classes = tuple(kind for kind in kinds if not isinstance(kind, str))
    seen: set[str] = set()
    with Report() as report:
        for op in module.walk():
            if op.name in seen or not (op.dialect_name() in dialects or isinstance(op, classes)):
                continue
            seen.add(op.name)
            report.error(op, "P902", f"'{op.name}' was not lowered")
