"""Applying rewrites: every new operation gets a place, and no pass runs for ever."""

from __future__ import annotations

from abc import ABC
from collections.abc import Collection, Sequence
from functools import cache
from inspect import getclosurevars
from types import UnionType

from xdsl.dialects.builtin import LocationAttr, ModuleOp, UnknownLoc
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriterListener, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.utils.worklist import Worklist

from patlang_ir.diagnostics import Report, refuse
from patlang_ir.dialects import tile
from patlang_ir.traversal import walk


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
    driver = _Driver(patterns, recursively, limit)
    while driver.sweep(module) and recursively:
        pass
    return driver.applied


class PatternOf(RewritePattern, ABC):
    """A pattern for the operations of a table; one for a few says so by its annotation."""

    operations: Collection[type[Operation]]


class _Driver:
    """Tries the patterns in their order on the operations that they are for.

    It is xDSL's greedy driver but for that: an operation that no pattern is for costs nothing.
    """

    def __init__(self, patterns: Sequence[RewritePattern], recursively: bool, limit: int | None):
        self.patterns = [(pattern, kinds_of(pattern)) for pattern in patterns]
        self.fitting: dict[type[Operation], Sequence[RewritePattern]] = {}
        self.recursively, self.limit = recursively, limit
        self.applied = 0
        self.inserted: list[Operation] = []
        self.waiting: Worklist[Operation] = Worklist()
        self.listener = PatternRewriterListener(
            operation_insertion_handler=[self._note_inserted],
            operation_removal_handler=[self._note_removed],
            operation_modification_handler=[self._revisit],
            operation_replacement_handler=[self._note_replaced],
        )

    def sweep(self, module: ModuleOp) -> bool:
        """Visit every operation once, and what changes on the way; whether anything did."""
        ops = tuple(walk(module))
        if self.limit is None:
            self.limit = 10_000 + 100 * len(ops)
        for op in reversed(ops[1:]):
            self._wait(op)
        before = self.applied
        rewriter = PatternRewriter(InsertPoint.at_start(module.body.block))
        rewriter.extend_from_listener(self.listener)
        while self.waiting:
            self._visit(self.waiting.pop(), rewriter)
        return self.applied > before

    def _visit(self, op: Operation, rewriter: PatternRewriter) -> None:
        place = op.location
        rewriter.has_done_action = False
        rewriter.insertion_point = InsertPoint.before(op)
        for pattern in self._patterns_for(type(op)):
            pattern.match_and_rewrite(op, rewriter)
            if rewriter.has_done_action:
                self._record(pattern, place)
                return

    def _patterns_for(self, kind: type[Operation]) -> Sequence[RewritePattern]:
        found = self.fitting.get(kind)
        if found is None:
            found = [pattern for pattern, kinds in self.patterns if issubclass(kind, kinds)]
            self.fitting[kind] = found
        return found

    def _wait(self, op: Operation) -> None:
        if self._patterns_for(type(op)):
            self.waiting.push(op)

    def _revisit(self, op: Operation) -> None:
        if self.recursively:
            self._wait(op)

    def _note_inserted(self, op: Operation) -> None:
        self.inserted.append(op)
        self._revisit(op)

    def _note_replaced(self, op: Operation, values: Sequence[SSAValue | None]) -> None:
        for result in op.results:
            for use in result.uses:
                self._revisit(use.operation)

    def _note_removed(self, op: Operation) -> None:
        """What an operand is computed by may have lost its last use but one."""
        if self.recursively:
            for operand in op.operands:
                if operand.has_one_use() and isinstance(operand, OpResult):
                    self._wait(operand.op)
        for inner in walk(op) if op.regions else (op,):
            self.waiting.remove(inner)

    def _record(self, pattern: RewritePattern, place: LocationAttr) -> None:
        for op in self.inserted:
            give_place(op, place)
        self.inserted.clear()
        self.applied += 1
        if self.limit is not None and self.applied > self.limit:
            raise refuse(
                place,
                "P907",
                f"{type(pattern).__name__} still applies after {self.limit} rewrites",
                help="two rewrites undo each other, or one fits its own result",
            )


def kinds_of(pattern: RewritePattern) -> tuple[type[Operation], ...] | type[Operation] | UnionType:
    """The operations that a pattern is for: those of its annotation or table, else all."""
    if isinstance(pattern, PatternOf):
        return tuple(pattern.operations)
    return _annotated(type(pattern))


@cache
def _annotated(pattern: type[RewritePattern]) -> type[Operation] | UnionType:
    """What `op_type_rewrite_pattern` has read from the annotation, which it keeps in a closure."""
    return getclosurevars(pattern.match_and_rewrite).nonlocals.get("expected_type", Operation)


def give_place(op: Operation, place: LocationAttr) -> None:
    """Set the location of `op` and of all inside it, where there is none yet."""
    for inner in walk(op) if op.regions else (op,):
        if type(inner.location) is UnknownLoc:
            inner.location = place
        for arg in _arguments(inner):
            if type(arg.location) is UnknownLoc:
                arg.location = place


def _arguments(op: Operation) -> Sequence[BlockArgument]:
    """The arguments of the blocks of an operation."""
    return [arg for region in op.regions for block in region.blocks for arg in block.args]


def expect_typed(module: ModuleOp) -> None:
    """What a pass over typed kernels needs: the first value whose type is not known is an error."""
    for op in walk(module):
        if any(map(_is_unknown, (*op.results, *_arguments(op)))):
            help = "run tile-specialize and tile-infer-shapes first"
            raise refuse(op, "P902", f"the type of a value of '{op.name}' is not known", help)


def _is_unknown(value: SSAValue) -> bool:
    element = value.type.element if type(value.type) is tile.BufferType else value.type
    return type(element) is tile.UnknownType


def expect_gone(module: ModuleOp, *kinds: type[Operation] | str, help: str = "") -> None:
    """The promise of a lowering: no operation of these classes or dialects is left.

    Of each operation that is left the first one is reported.
    """
    dialects = {kind for kind in kinds if isinstance(kind, str)}
    classes = tuple(kind for kind in kinds if not isinstance(kind, str))
    seen: set[type[Operation]] = set()
    with Report() as report:
        for op in walk(module):
            if type(op) in seen:
                continue
            seen.add(type(op))
            if op.dialect_name() in dialects or isinstance(op, classes):
                report.error(op, "P902", f"'{op.name}' was not lowered", help)
