"""Give every value a shape and an element type."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue, Use
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from patlang_ir.analysis.block_typing import BLOCK_RULES, expect_no_pointers, spreads
from patlang_ir.analysis.typing_rules import RULES, Known, TypeProblem, Typing, promote
from patlang_ir.diagnostics import Report, refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, number, python_number
from patlang_ir.dialects.scalars import (
    integer_range,
    is_float,
    is_integer,
    largest_float,
    scalar_name,
)
from patlang_ir.traversal import walk

ALL_RULES = {**RULES, **BLOCK_RULES}
ROUNDING = (tile.FloorOp, tile.CeilOp, tile.TruncOp, tile.RoundOp)


class Inference:
    """What is known of each value of a kernel, by fixpoint over its loops.

    Every step only raises what is known (a scalar to a tile, a weak type to a strong one, an
    integer to a float), so the iteration ends. What uses a value is looked at again only when
    more is known of it.
    """

    def __init__(self, kernel: tile.KernelOp):
        self.known: dict[SSAValue, Known] = {}
        self.raised: deque[SSAValue] = deque()
        self.typings: dict[Operation, tuple[Sequence[Known], Typing]] = {}
        """How each operation was typed last, and for what operands."""
        self.wrong: set[SSAValue] = set()
        """The results of operations that were reported: no other error follows from them."""
        for arg in kernel.args:
            self.learn(arg, _known_argument(arg.type))
        for op in walk(kernel):
            self.infer(op)
        while self.raised:
            value = self.raised.popleft()
            for use in value.uses:
                for variable in _variables_of(use):
                    self.join(variable, self.known[value])
                self.infer(use.operation)

    def learn(self, value: SSAValue, known: Known) -> None:
        before = self.known.get(value)
        if before is not known and before != known:
            self.known[value] = known
            self.raised.append(value)

    def join(self, variable: SSAValue, known: Known) -> None:
        """A variable of control flow may have a value of which so much is known."""
        before = self.known.get(variable)
        self.learn(variable, known if before is None else _join_or_keep(before, known))

    def infer(self, op: Operation) -> None:
        typing = self.typing(op) if type(op) in ALL_RULES else None
        if typing is not None and typing.result is not None:
            self.learn(op.results[0], typing.result)

    def typing(self, op: Operation, report: Report | None = None) -> Typing | None:
        """How an operation is typed, or None if an operand is not known or the types are wrong."""
        args: list[Known] = []
        for operand in op.operands:
            known = self.known.get(operand)
            if known is None:
                return None
            args.append(known)
        if self.wrong and not self.wrong.isdisjoint(op.operands):
            self.wrong.update(op.results)
            return None
        before = self.typings.get(op)
        if before is not None and before[0] == args:
            return before[1]
        try:
            if type(op) not in BLOCK_RULES:
                expect_no_pointers(args)
            typing = ALL_RULES[type(op)](op, args)
            self.typings[op] = args, typing
            return typing
        except TypeProblem as problem:
            if report is not None:
                report.error(op, problem.code, problem.message, problem.help)
                self.wrong.update(op.results)
            elif op.results:
                self.learn(op.results[0], args[0])
            return None


def _expect_elements(kernel: tile.KernelOp) -> None:
    """Every parameter that is used has an element type."""
    for name, arg in zip(kernel.param_names, kernel.args, strict=True):
        if tile.element_of(arg.type) == tile.unknown and arg.first_use is not None:
            message = f"the elements of '{name}' have no type yet"
            raise refuse(kernel, "P902", message, "run tile-specialize before tile-infer-shapes")


def _variables_of(use: Use) -> Sequence[SSAValue]:
    """The variables of control flow that a value becomes by one of its uses."""
    op, i = use.operation, use.index
    if type(op) in ALL_RULES:
        return ()
    match op.parent_op():
        case scf.IfOp() as parent if isinstance(op, scf.YieldOp):
            return (parent.results[i],)
        case scf.ForOp() as parent if isinstance(op, scf.YieldOp):
            return (parent.body.block.args[i + 1], parent.results[i])
        case scf.WhileOp() as parent if isinstance(op, scf.YieldOp):
            return (parent.before_region.block.args[i],)
        case scf.WhileOp() as parent if isinstance(op, scf.ConditionOp) and i > 0:
            return (parent.after_region.block.args[i - 1], parent.results[i - 1])
        case _ if isinstance(op, scf.WhileOp):
            return (op.before_region.block.args[i],)
        case _ if isinstance(op, scf.ForOp) and i == 0:
            return (op.body.block.args[0],)
        case _ if isinstance(op, scf.ForOp) and i > 2:
            return (op.body.block.args[i - 2], op.results[i - 3])
        case _:
            return ()


def _known_argument(type: Attribute) -> Known:
    if isinstance(type, tile.WeakType):
        return Known((), type.element, weak=True)
    return Known(tile.sizes_of(type), tile.element_of(type))


def _join_or_keep(a: Known, b: Known) -> Known:
    """The common type, or `a` where there is none: the conversion of `b` reports it."""
    try:
        return promote(a, b)
    except TypeProblem:
        return a


class Conversion:
    """Writes what was inferred into the IR: types, casts, broadcasts."""

    def __init__(self, kernel: tile.KernelOp, inference: Inference, report: Report):
        self.inference = inference
        self.report = report
        self.known = inference.known
        for arg in kernel.args:
            if isinstance(arg.type, tile.WeakType):
                self.set_type(arg)
        for op in tuple(walk(kernel)):
            if isinstance(op, tile.LoadOp | tile.StoreOp | tile.AtomicOp):
                self.divide_exactly(op)
        for stage in kernel.stages:
            self.convert_block(stage.body.block)
        for op in tuple(walk(kernel)):
            if isinstance(op, tile.ZerosOp):
                self.spread_zeros(op)
            if isinstance(op, tile.ConstantOp) and op.result.first_use is None:
                op.detach()

    def divide_exactly(self, op: tile.LoadOp | tile.StoreOp | tile.AtomicOp) -> None:
        """x[div a, b] -> x[quotient a, b], for integers a and b"""
        division = op.index.owner
        if not isinstance(division, tile.DivOp):
            return
        operands = [self.known.get(operand) for operand in division.operands]
        if not all(known is not None and is_integer(known.element) for known in operands):
            return
        quotient = tile.QuotientOp(division.lhs, division.rhs, tile.unknown)
        op.operands[op.operands.index(op.index)] = self.insert(quotient, op, op.index)
        self.inference.infer(quotient)

    def spread_zeros(self, op: tile.ZerosOp) -> None:
        """zeros -> broadcast 0, where its own type was as good as any"""
        if op.result.first_use is None:
            op.detach()
            return
        element = tile.element_of(op.result.type)
        zero = tile.ConstantOp(zero_of(element), element)
        zero.location = op.location
        spread = tile.BroadcastOp(zero.result, op.result.type)
        spread.location = op.location
        Rewriter.replace_op(op, [zero, spread])

    def convert_block(self, block: Block) -> None:
        for op in tuple(block.ops):
            self.convert(op)

    def convert(self, op: Operation) -> None:
        match op:
            case _ if type(op) in ALL_RULES:
                self.convert_plain(op)
            case scf.IfOp():
                self.set_types(op.results)
                self.convert_block(op.true_region.block)
                self.convert_block(op.false_region.block)
            case scf.WhileOp() | scf.ForOp():
                blocks = [region.block for region in op.regions]
                starts = op.arguments if isinstance(op, scf.WhileOp) else op.iter_args
                carried = blocks[0].args if isinstance(op, scf.WhileOp) else blocks[0].args[1:]
                self.join_into(op, len(op.operands) - len(starts), carried)
                for block in blocks:
                    self.set_types(block.args)
                self.set_types(op.results)
                for block in blocks:
                    self.convert_block(block)
            case scf.YieldOp():
                self.join_into(op, 0, _targets_of_yield(op))
            case _:
                pass

    def join_into(self, op: Operation, first: int, targets: Sequence[SSAValue]) -> None:
        """Convert operands from `first` on to the types of the variables that they become."""
        for i, target in enumerate(targets, first):
            operand = op.operands[i]
            known, source = self.known[target], self.known.get(operand)
            if operand in self.inference.wrong:
                continue
            if source is not None and not _joins(source, known):
                self.report_join(_owner(operand) or op, target, source)
                continue
            self.coerce_operand(op, i, known)

    def report_join(self, at: Operation, target: SSAValue, source: Known) -> None:
        """Report a variable that has values of two kinds."""
        known = self.known[target]
        name = f"'{target.name_hint}'" if target.name_hint else "a variable"
        message, code, what = f"is {source} here and {known} elsewhere", "P304", "type"
        if source.buffer is not None and known.buffer is not None:
            code, what = "P404", "matrix"
        elif source.sizes and known.sizes and not spreads(source.sizes, known.sizes):
            shapes = [" x ".join(map(str, sizes)) for sizes in (source.sizes, known.sizes)]
            message, code, what = "is a block of {} here and of {} elsewhere", "P310", "shape"
            message = message.format(*shapes)
        self.report.error(
            at, code, f"{name} {message}", f"give the variable one {what} on all paths"
        )

    def convert_plain(self, op: Operation) -> None:
        typing = self.inference.typing(op, self.report)
        if typing is None:
            return
        if _changes_nothing(op):
            Rewriter.replace_op(op, [], [op.operands[0]])
            return
        for i, target in enumerate(typing.operands):
            if target is not None:
                self.coerce_operand(op, i, target)
        self.set_types(op.results)
        if isinstance(op, tile.ConditionOp):
            self.settle_condition(op)

    def settle_condition(self, op: tile.ConditionOp) -> None:
        """condition(x) -> x, or whether x is true"""
        if op.operand.type == op.result.type:
            Rewriter.replace_op(op, [], [op.operand])
            return
        truth = tile.TruthOp(op.operand, op.result.type)
        truth.location = op.location
        self.known[truth.result] = Known((), op.result.type)
        Rewriter.replace_op(op, truth)

    def set_types(self, values: Sequence[SSAValue]) -> None:
        for value in values:
            if value in self.known and isinstance(value.type, tile.UnknownType):
                self.set_type(value)

    def set_type(self, value: SSAValue) -> None:
        """Write the type of one value; what is known of it moves to the value that replaces it."""
        known = self.known[value]
        self.known[Rewriter.replace_value_with_new_type(value, known.type)] = known

    def coerce_operand(self, op: Operation, position: int, target: Known) -> None:
        operand = op.operands[position]
        value = self.coerce(operand, target, op)
        if value is not operand:
            op.operands[position] = value

    def coerce(self, value: SSAValue, target: Known, before: Operation) -> SSAValue:
        """`value` in the element type and shape of `target`, with what that takes inserted."""
        if isinstance(value.owner, tile.ConstantOp):
            value = self.literal(value.owner, target.element, before)
        if isinstance(value.owner, tile.ZerosOp):
            zero = tile.ConstantOp(zero_of(target.element), target.element)
            value = self.insert(zero, before, value)
        if tile.element_of(value.type) != target.element:
            cast = tile.CastOp(value, tile.like(value.type, target.element))
            value = self.insert(cast, before, value)
        if value.type != target.type:
            value = self.insert(tile.BroadcastOp(value, target.type), before, value)
        return value

    def literal(self, op: tile.ConstantOp, element: Attribute, before: Operation) -> SSAValue:
        """A literal in the type that it meets; one that does not fit is an error."""
        value = python_number(op.value)
        if element == i1 or isinstance(value, bool):
            return op.result
        if is_integer(element) and isinstance(value, float):
            return op.result
        if not _fits(value, element):
            name = scalar_name(element)
            self.report.error(
                op,
                "P308",
                f"{value} does not fit the type {name} that it meets",
                f"{name} holds {_range(element)}",
            )
            return op.result
        if op.result.type == element:
            return op.result
        converted = number(float(value) if is_float(element) else value)
        return self.insert(tile.ConstantOp(converted, element), before, op.result)

    def insert(self, op: Operation, before: Operation, like: SSAValue) -> SSAValue:
        """Insert an operation at the place of `before`, with the name of the value it converts."""
        op.location = before.location
        (result,) = op.results
        result.name_hint = like.name_hint
        block = before.parent_block()
        assert block is not None
        block.insert_op_before(op, before)
        return result


def _changes_nothing(op: Operation) -> bool:
    """Whether an operation gives its operand: a scalar, a rounded integer, the truth of a flag."""
    if isinstance(op, tile.ScalarOp):
        return True
    if isinstance(op, tile.TruthOp):
        return tile.element_of(op.operand.type) == i1
    return isinstance(op, ROUNDING) and is_integer(tile.element_of(op.operand.type))


def zero_of(element: Attribute) -> Number:
    """0 as a literal of an element type."""
    return number(0.0 if is_float(element) else 0)


def _fits(value: int | float, element: Attribute) -> bool:
    if is_integer(element):
        low, high = integer_range(element)
        return low <= value <= high
    return abs(value) <= largest_float(element)


def _range(element: Attribute) -> str:
    if is_integer(element):
        low, high = integer_range(element)
        return f"{low} to {high}"
    return f"numbers up to {largest_float(element):g}"


def _joins(source: Known, target: Known) -> bool:
    """Whether a value of one type can become a variable of another."""
    if source.buffer is not None or target.buffer is not None:
        return source == target
    if source.sizes and not spreads(source.sizes, target.sizes):
        return False
    return source.element == target.element or i1 not in (source.element, target.element)


def _owner(value: SSAValue) -> Operation | None:
    return value.owner if isinstance(value.owner, Operation) else None


def _targets_of_yield(op: scf.YieldOp) -> Sequence[SSAValue]:
    """The variables that the operands of a `scf.yield` become."""
    match op.parent_op():
        case scf.IfOp() as parent:
            return parent.results
        case scf.ForOp() as parent:
            return parent.body.block.args[1:]
        case scf.WhileOp() as parent:
            return parent.before_region.block.args
        case _:
            return ()


class TileInferShapes(ModulePass):
    """Give every value a shape and an element type.

    `%2 = tile.add %0, %1 : !tile.unknown` ->
    `%2 = tile.add %0, %1 : !tile.tile<[BLOCK_SIZE], f32>`, with the casts and broadcasts that
    make both operands so.
    """

    name = "tile-infer-shapes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with Report() as report:
            for kernel in op.ops:
                if isinstance(kernel, tile.KernelOp):
                    _expect_elements(kernel)
                    Conversion(kernel, Inference(kernel), report)
