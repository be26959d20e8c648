"""Which values of a Triton program are variables; all others are written where they are used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import is_side_effect_free

from patlang_ir.dialects import tl
from patlang_ir.traversal import walk

LITERALS = tl.ConstantOp | tl.ConstexprOp
LOOPS = scf.ForOp | scf.WhileOp


@dataclass(frozen=True)
class TlNameValues(ModulePass):
    """Give a name to every value that is a Python variable, and to no other.

    A value without a name has no effect and one use, in its own block. Names that values have
    already are kept; the printer makes them unique.
    """

    name = "tl-name-values"
    width: int = field(default=88, metadata={"help": "the widest expression, in characters"})
    depth: int = field(default=12, metadata={"help": "the deepest nesting of an expression"})

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in walk(op):
            if isinstance(kernel, tl.KernelOp):
                name_parameters(kernel)
                name_block(kernel.body.block, Limits(self.width, self.depth))


@dataclass
class Limits:
    """How large expressions may become, and how large each one without a name is."""

    width: int
    depth: int
    sizes: dict[SSAValue, tuple[int, int]] = field(default_factory=dict[SSAValue, tuple[int, int]])

    def size(self, value: SSAValue) -> tuple[int, int]:
        """The width and the depth of what is written for a use of `value`."""
        if value.name_hint is not None:
            return len(value.name_hint), 0
        return self.sizes.get(value, (6, 0))

    def keep(self, op: Operation) -> None:
        """Name operands of `op` until it fits; then note how large it is."""
        while True:
            sizes = [(*self.size(operand), operand) for operand in op.operands]
            width = sum(size[0] + 2 for size in sizes) + OVERHEAD.get(type(op), 10)
            depth = 1 + max((size[1] for size in sizes), default=0)
            if width <= self.width and depth <= self.depth:
                break
            unnamed = [size for size in sizes if size[1] > 0]
            if not unnamed:
                break
            widest = max(unnamed, key=lambda size: size[:2])[2]
            widest.name_hint = default_name(widest)
        for result in op.results:
            self.sizes[result] = (width, depth)


OVERHEAD: dict[type[Operation], int] = {
    tl.BinaryOp: 3,
    tl.UnaryOp: 1,
    tl.CastOp: 14,
    tl.FullOp: 32,
    tl.CallOp: 16,
    tl.ReduceOp: 36,
    tl.LoadOp: 22,
    tl.StoreOp: 20,
    tl.AtomicOp: 40,
}
"""How many characters an operation adds to its operands, about."""


def name_parameters(kernel: tl.KernelOp) -> None:
    for name, arg in zip(kernel.param_names, kernel.args, strict=True):
        arg.name_hint = name


def name_block(block: Block, limits: Limits) -> None:
    """Name the values of a block and of those inside it."""
    for op in block.ops:
        match op:
            case tl.ConstantOp() | tl.ConstexprOp():
                op.result.name_hint = None
                continue
            case scf.ForOp():
                name_index(op)
                name_carried(op.iter_args, (op.body.block.args[1:], op.results))
                name_block(op.body.block, limits)
                continue
            case scf.WhileOp():
                test, body = op.before_region.block, op.after_region.block
                name_carried(op.arguments, (test.args, body.args, op.results))
                for value in values_of(test):
                    value.name_hint = None
                name_block(body, limits)
                continue
            case scf.IfOp():
                for result in op.results:
                    name_value(result)
                for region in op.regions:
                    for inner in region.blocks:
                        name_block(inner, limits)
                continue
            case scf.YieldOp():
                continue
            case _:
                for result in op.results:
                    if result.name_hint is None and needs_name(op, result):
                        name_value(result)
        limits.keep(op)


def values_of(block: Block) -> Iterator[SSAValue]:
    return (result for op in block.ops for result in op.results)


def needs_name(op: Operation, value: SSAValue) -> bool:
    """Whether a value must be computed where it stands, or before it is used."""
    if not is_side_effect_free(op) or isinstance(op, tl.LoadOp):
        return True
    uses = tuple(value.uses)
    return len(uses) != 1 or uses[0].operation.parent_block() is not op.parent_block()


def name_index(op: scf.ForOp) -> None:
    index = op.body.block.args[0]
    index.name_hint = index.name_hint or "i"


def name_carried(starts: Iterable[SSAValue], groups: Iterable[Iterable[SSAValue]]) -> None:
    """Give each variable of a loop one name: the one in its body, before or after it."""
    for start, *values in zip(starts, *groups, strict=True):
        hints = [value.name_hint for value in (*values, start) if value.name_hint is not None]
        for value in values:
            value.name_hint = hints[0] if hints else default_name(values[-1])


def name_value(value: SSAValue) -> None:
    value.name_hint = value.name_hint or default_name(value)


def default_name(value: SSAValue) -> str:
    """A name for a value that no user has named."""
    match value.owner:
        case tl.LoadOp(pointer=pointer):
            base = base_name(pointer)
            return f"{base}_value" if base else "value"
        case tl.ProgramIdOp() | tl.CastOp(operand=OpResult(op=tl.ProgramIdOp())):
            return "program"
        case tl.ArangeOp():
            return "lanes"
        case _:
            return "test" if tl.element_of(value.type) == i1 else "value"


def base_name(pointer: SSAValue) -> str | None:
    """The parameter that an address starts from."""
    while isinstance(pointer.owner, tl.BinaryOp):
        pointer = pointer.owner.lhs
    return pointer.name_hint if isinstance(pointer, BlockArgument) else None
