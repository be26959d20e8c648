"""The frame of the program: a kernel for each stage, and the launcher that runs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import BoolAttr, DictionaryAttr, UnitAttr, f32, i64
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile, tl
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind, ParameterAttr, ScratchExtent
from patlang_ir.passes.lowering.emitter import is_strict
from patlang_ir.passes.lowering.grids import flatten_grid
from patlang_ir.traversal import walk

BLOCKS = {
    KernelKind.LINEAR: ("BLOCK_SIZE",),
    KernelKind.GRID: ("BLOCK_R", "BLOCK_C"),
    KernelKind.MATMUL: ("BLOCK_M", "BLOCK_N"),
}
"""The constexpr that cuts each axis of the input."""

Access = tile.LoadOp | tile.StoreOp | tile.AtomicOp


def parameters(kernel: tile.KernelOp) -> list[ParameterAttr]:
    """The parameters of a launcher, with what its checks need to know; before the lowering."""
    writes = frozenset(kernel.written)
    last = writes_last(kernel)
    return [
        ParameterAttr(name, element_of(arg.type), tuple(facts(arg, arg in writes, last)))
        for name, arg in zip(kernel.param_names, kernel.args, strict=True)
    ]


def element_of(type: Attribute) -> Attribute:
    """The element type of a parameter; that of an unused one may be unknown."""
    element = type.element if isinstance(type, tile.BufferType | tile.WeakType) else type
    return f32 if element == tile.unknown else element


def facts(arg: BlockArgument, written: bool, writes_last: bool) -> Iterator[str]:
    """What is known of a parameter; see `tl.parameter`."""
    yield "buffer" if isinstance(arg.type, tile.BufferType) else "scalar"
    if arg.first_use is None:
        yield "unused"
    users = [use.operation for use in arg.uses]
    at_own_position = [is_own_position(op.index) for op in users if isinstance(op, Access)]
    if any(at_own_position):
        yield "exact"
    if written:
        yield "written"
    if at_own_position and all(at_own_position) and writes_last:
        yield "local"


def writes_last(kernel: tile.KernelOp) -> bool:
    """Whether of each chain of launches only the last one writes parameters."""
    args = set(kernel.args)
    writing = [
        any(op.buffer in args for op in walk(stage) if isinstance(op, tile.StoreOp))
        for stage in kernel.stages
    ]
    chains = [stage.above is not None for stage in kernel.stages]
    return not any(
        wrote and chained and follows
        for wrote, chained, follows in zip(writing, chains, chains[1:], strict=False)
    )


def is_own_position(index: SSAValue) -> bool:
    """Whether an index is `offs` itself."""
    owner = index.owner
    return isinstance(owner, tile.IndexOp) and owner.kind.data == tile.IndexKind.OFFS


@dataclass(frozen=True)
class Argument:
    """A value that a kernel takes, the operations in the stage that it stands for included."""

    passed: ArgumentAttr
    name: str
    type: Attribute
    values: tuple[SSAValue, ...]


class KernelBuilder:
    """Makes `tl` operations of a `tile.kernel` whose stages are lowered."""

    def __init__(self, kernel: tile.KernelOp, taken: set[str], own_sizes: set[tile.SizeOp]):
        self.kernel = kernel
        self.taken = taken
        self.own_sizes = own_sizes
        self.blocks = BLOCKS[kernel.kind.data]
        number = len(kernel.scratch)
        self.scratch: dict[SSAValue, str] = {
            op.result: "scratch" if number == 1 else f"scratch_{i}"
            for i, op in enumerate(kernel.scratch, start=1)
        }

    def build(self, params: Sequence[ParameterAttr]) -> None:
        """Replace the kernel by a `tl.kernel` for each stage and a `tl.launcher`."""
        name = self.kernel.sym_name.data
        several = len(self.kernel.stages) > 1
        launches = Block()
        filled: set[SSAValue] = set()
        for number, stage in enumerate(self.kernel.stages, start=1):
            symbol = self.unused(f"{name}_kernel_{number}" if several else f"{name}_kernel")
            for op in self.kernel.scratch:
                if op.result not in filled and fills(stage, op.result):
                    filled.add(op.result)
                    launches.add_op(self.allocation(op, symbol))
            launches.add_op(self.stage(stage, symbol))
        launcher = tl.LauncherOp(name, params, len(self.blocks), Region(launches))
        launcher.candidates = cast(tl.Candidates | None, self.kernel.option("candidates"))
        launcher.bitwise = cast(UnitAttr | None, self.kernel.option("bitwise"))
        self.insert(launcher)
        Rewriter.erase_op(self.kernel)

    def allocation(self, op: tile.ScratchOp, filled_by: str) -> tl.ScratchOp:
        extents = [ScratchExtent(extent.data) for extent in op.extents]
        element = tl.element_of(op.result.type)
        assert isinstance(element, tl.PointerType)
        new = tl.ScratchOp(self.scratch[op.result], extents, filled_by, element.element)
        new.location = op.location
        return new

    def stage(self, stage: tile.StageOp, symbol: str) -> tl.LaunchOp:
        """Make a kernel of a stage; its launch."""
        used = symbols(stage)
        cut = [b for axis, b in enumerate(self.blocks) if b in used and axis not in stage.covered]
        sizes = flatten_grid(stage, cut)
        self.own_sizes.update(sizes if stage.over is not None else ())
        arguments = tuple(self.arguments(stage))
        launch = tl.LaunchOp(
            symbol,
            [argument.passed for argument in arguments],
            [block if block in used else "" for block in self.blocks],
            self.plan(stage, used),
            cover=sorted(stage.covered),
            over=self.scratch[stage.over] if stage.over is not None else None,
            above=stage.above.data if stage.above is not None else None,
            upto=stage.upto.data if stage.upto is not None else None,
        )
        launch.location = stage.location
        names = [argument.name for argument in arguments]
        constexprs = [block for block in self.blocks if block in used]
        self.insert(tl.KernelOp(symbol, names, constexprs, self.body(stage, arguments)))
        return launch

    def insert(self, op: Operation) -> None:
        op.location = self.kernel.location
        Rewriter.insert_op(op, InsertPoint.before(self.kernel))

    def unused(self, name: str) -> str:
        """`name`, or the first of `name_2`, `name_3` ... that is not taken; it is taken then."""
        number, candidate = 1, name
        while candidate in self.taken:
            number += 1
            candidate = f"{name}_{number}"
        self.taken.add(candidate)
        return candidate

    def arguments(self, stage: tile.StageOp) -> Iterator[Argument]:
        """What a stage uses: parameters in their order, scratch, sizes, then lengths."""
        ops = tuple(op for op in walk(stage) if op is not stage)
        operands = {
            operand for op in ops if not isinstance(op, tile.LengthOp) for operand in op.operands
        }
        named: dict[SSAValue, str] = dict(
            zip(self.kernel.args, self.kernel.param_names, strict=True)
        )
        named |= self.scratch
        for value, name in named.items():
            if value in operands:
                buffer = isinstance(value.type, tl.PointerType)
                kind = ArgumentKind.POINTER if buffer else ArgumentKind.SCALAR
                yield Argument(ArgumentAttr(kind, name), name, value.type, (value,))
        yield from self.sizes(ops)
        lengths = [op for op in ops if isinstance(op, tile.LengthOp)]
        for value, name in named.items():
            own = tuple(op.result for op in lengths if op.buffer is value)
            if own:
                yield Argument(ArgumentAttr(ArgumentKind.LENGTH, name), f"{name}_len", i64, own)

    def sizes(self, ops: Sequence[Operation]) -> Iterator[Argument]:
        """The extents that a stage uses: those of the kernel's input, and those of its own."""
        sizes = [op for op in ops if isinstance(op, tile.SizeOp)]
        for kind in tile.SizeKind:
            every = [op for op in sizes if op.kind.data == kind]
            own = tuple(op.result for op in every if op in self.own_sizes)
            whole = tuple(op.result for op in every if op not in self.own_sizes)
            if whole:
                yield Argument(ArgumentAttr(ArgumentKind(kind)), kind, i64, whole)
            if own:
                axis = "1" if kind == tile.SizeKind.N_COLS else "0"
                yield Argument(ArgumentAttr(ArgumentKind.EXTENT, axis), f"own_{kind}", i64, own)

    def body(self, stage: tile.StageOp, arguments: Sequence[Argument]) -> Region:
        """The operations of a stage, with block arguments for what it used from outside."""
        body = Block(arg_types=[argument.type for argument in arguments])
        inside = {id(op) for op in walk(stage)}
        for new, argument in zip(body.args, arguments, strict=True):
            new.name_hint = argument.name
            for value in argument.values:
                value.replace_uses_with_if(new, lambda use: id(use.operation) in inside)
        for op in list(stage.body.block.ops):
            op.detach()
            body.add_op(op)
        for op in list(body.walk()):
            if isinstance(op, tile.SizeOp | tile.LengthOp | tile.StrideOp):
                Rewriter.erase_op(op)
        return Region(body)

    def plan(self, stage: tile.StageOp, used: set[str]) -> DictionaryAttr:
        """The sizes of the blocks and the launch options."""
        if stage.plan is None:
            raise refuse(
                stage,
                "P902",
                f"the launch of '{self.kernel.sym_name.data}' has no plan",
                help="run tile-plan-launches before tile-to-tl",
            )
        unneeded = set(self.blocks) if stage.single else set(self.blocks) - used
        options = {name: value for name, value in stage.plan.data.items() if name not in unneeded}
        fuse = BoolAttr.from_bool(not is_strict(stage))
        return DictionaryAttr({**options, "enable_fp_fusion": fuse})


def fills(stage: tile.StageOp, scratch: SSAValue) -> bool:
    """Whether a stage stores to scratch."""
    for op in walk(stage):
        if not isinstance(op, tl.StoreOp):
            continue
        address = op.pointer.owner
        start = address.lhs if isinstance(address, tl.BinaryOp) else op.pointer
        if start is scratch:
            return True
    return False


def symbols(stage: tile.StageOp) -> set[str]:
    """The block sizes that the types of a lowered stage mention."""
    types = [value.type for op in walk(stage) for value in op.results]
    types += [
        arg.type
        for op in walk(stage)
        for region in op.regions
        for block in region.blocks
        for arg in block.args
    ]
    return {str(size) for type in types for size in tl.sizes_of(type)}
