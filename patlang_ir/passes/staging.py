"""Building the stages of a reduction over an input of any length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from patlang_ir.analysis.accesses import Aliases
from patlang_ir.analysis.independence import axes_of
from patlang_ir.analysis.levels import levels_of, read_by, writes, written_by
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import number
from patlang_ir.dialects.scalars import integer_range, is_float
from patlang_ir.dialects.tile import ComparePredicate, Extent, ReduceKind
from patlang_ir.traversal import walk

POSITIONS = (ReduceKind.ARGMAX, ReduceKind.ARGMIN)


class Chain:
    """Builds the stages for long inputs: lanes, combine, lanes, combine, ...

    The level of an operation is the number of reductions in a row that it depends on. Stage k
    computes what is of level k in each lane and reduces it within blocks; the combining stage
    after it computes the results, and stores what is not of lanes. A value that a later stage needs
    is computed again, unless that would read what was written over since, or write twice: such a
    value is kept in scratch.
    """

    def __init__(self, stage: tile.StageOp, reductions: Sequence[tile.CombineOp], limit: int):
        self.stage, self.limit = stage, limit
        self.rank = stage.kernel.rank
        self.ops = list(stage.body.block.ops)
        self.combined = axes_of(reductions[0], self.rank)
        self.aliases = Aliases(stage.kernel)
        self.levels = levels_of(self.ops, self.aliases)
        self.scratch: list[tile.ScratchOp] = []
        self.partial = {op: self._partials(op) for op in reductions}
        self.result = {op: self._result(op) for op in reductions}
        self.kept: dict[SSAValue, tuple[int, SSAValue]] = {}
        """The number of the stage that kept a value, and the scratch buffer that has it."""

    def build(self) -> list[Operation]:
        """The scratch buffers, then the stages."""
        stages: list[tile.StageOp] = []
        for level in range(max(self.levels.values()) + 1):
            stages += filter(None, (self._lanes(level), self._combine(level)))
        return [*filter(is_read, self.scratch), *stages]

    def _buffer(self, inside: Extent, type: Attribute) -> SSAValue:
        """A scratch buffer: `inside` along the axes that are combined, `all` along the others."""
        axes = range(self.rank)
        extents = [inside if axis in self.combined else Extent.ALL for axis in axes]
        scratch = tile.ScratchOp(extents, tile.BufferType(tile.element_of(type)))
        scratch.location = self.stage.location
        self.scratch.append(scratch)
        return scratch.result

    def _partials(self, op: tile.CombineOp) -> tuple[SSAValue, ...]:
        """Where blocks leave their results: a value, and with a position the value there."""
        if isinstance(op, tile.ReduceOp) and op.kind.data in POSITIONS:
            value = self._buffer(Extent.BLOCKS, op.operand.type)
            return value, self._buffer(Extent.BLOCKS, op.result.type)
        return (self._buffer(Extent.BLOCKS, op.result.type),)

    def _result(self, op: tile.CombineOp) -> SSAValue:
        """Where the combining stage, whose input are blocks, leaves the result of a reduction, or
        the sums of a scan up to each block.
        """
        extent = Extent.ALL if isinstance(op, tile.ScanOp) else Extent.ONE
        return self._buffer(extent, op.result.type)

    def _combining(self, level: int) -> list[tile.CombineOp]:
        return [op for op in self.partial if self.levels[op] == level]

    def _effects(self, level: int) -> list[Operation]:
        return [op for op in self.ops if writes(op) and self.levels[op] == level]

    def _lanes(self, level: int) -> tile.StageOp | None:
        """The stage of many programs: what lanes do at this level, and their blocks' results."""
        build = StageBuilder(self, 2 * level)
        acting = {op for op in self.ops if self.levels[op] == level and self._acts(op)}
        needed = self._needed(acting, build)
        for op in self.ops:
            if op in acting:
                self._act(op, build)
            elif op in needed:
                build.copy(op)
        return build.stage(above=self.limit)

    def _acts(self, op: Operation) -> bool:
        """Whether the stage of lanes does something for an operation of its level by itself."""
        if writes(op):
            return self.levels[op] == 0 or has_lanes(op)
        return isinstance(op, tile.CombineOp) or self._is_lost(op)

    def _act(self, op: Operation, build: StageBuilder) -> None:
        if isinstance(op, tile.CombineOp):
            self._reduce_block(op, build)
            return
        build.copy(op)
        self._keep(op, build)

    def _needed(self, acting: Iterable[Operation], build: StageBuilder) -> set[Operation]:
        """What a stage computes again for its acting operations.

        It does so in the order of the kernel, so that each load sees what it saw there.
        """
        needed: set[Operation] = set()
        stack = [operand for op in acting for operand in operands_of(op)]
        while stack:
            value = stack.pop()
            owner = value.owner
            if not isinstance(owner, Operation) or owner not in self.levels or owner in needed:
                continue
            if isinstance(owner, tile.CombineOp):
                stack += () if isinstance(owner, tile.ReduceOp) else owner.operands
            elif not build.is_kept(value):
                needed.add(owner)
                stack += operands_of(owner)
        return needed

    def _reduce_block(self, op: tile.CombineOp, build: StageBuilder) -> None:
        """The reduction of one block, stored where this program has its place."""
        operand = build.need(op.operand)
        place = self._place(op, build)
        for kind, buffer in zip(kinds_of(op), self.partial[op], strict=True):
            type = tile.like(place.type, tile.element_of(buffer.type))
            value = build.add(tile.ReduceOp(kind, operand, self._axis(op), type, in_block=True), op)
            build.store(value, buffer, place, op)

    def _axis(self, op: tile.CombineOp) -> int | None:
        """The axis of a reduction within blocks; in a 1-D kernel a scan has no other one."""
        return op.axis.data if op.axis is not None and self.rank > 1 else None

    def _place(self, op: tile.CombineOp, build: StageBuilder) -> SSAValue:
        """The index of this program's partial result, in the scratch's own rows and columns."""
        if self.rank == 1:
            return build.add(tile.ProgramOp(0), op)
        rows, columns = (self._place_along(axis, op, build) for axis in (0, 1))
        width = build.add(tile.ProgramsOp(1), op)
        if 1 not in self.combined:
            width = build.add(tile.SizeOp(tile.SizeKind.N_COLS), op)
        types = {tile.sizes_of(value.type) for value in (rows, columns)}
        sizes = max(types, key=len)
        rows, columns, width = (
            build.broadcast(value, sizes, op) for value in (rows, columns, width)
        )
        start = build.add(tile.MulOp(rows, width), op)
        return build.add(tile.AddOp(start, columns), op)

    def _place_along(self, axis: int, op: tile.CombineOp, build: StageBuilder) -> SSAValue:
        if axis in self.combined:
            return build.add(tile.ProgramOp(axis), op)
        return build.add(lane_index(axis), op)

    def _is_lost(self, op: Operation) -> bool:
        """Whether a later stage needs a value from memory that is written over before."""
        read = self.aliases.of(read_by(op))
        later = self.ops[self.ops.index(op) :]
        overwritten = [self.levels[w] for w in later if read & written_by(w)]
        needed = max((self.levels[user] for user in self._users(op)), default=0)
        return bool(overwritten) and min(overwritten) < needed

    def _users(self, op: Operation) -> Iterable[Operation]:
        """The operations at the top of the stage that need the result itself, however far away."""
        seen: set[Operation] = set()
        stack = [op]
        while stack:
            for result in stack.pop().results:
                for use in result.uses:
                    user = self.stage.body.block.find_ancestor_op_in_block(use.operation)
                    if user is None or user in seen:
                        continue
                    seen.add(user)
                    if not isinstance(user, tile.ReduceOp):
                        stack.append(user)
        return seen

    def _keep(self, op: Operation, build: StageBuilder) -> None:
        """Copy the results of what cannot be computed again into scratch."""
        for result in op.results:
            if result.first_use is None:
                continue
            extents = keeping_extents(result.type, self.rank)
            scratch = tile.ScratchOp(extents, tile.BufferType(tile.element_of(result.type)))
            scratch.location = op.location
            self.scratch.append(scratch)
            place = build.place_like(result, op)
            build.store(build.values[result], scratch.result, place, op)
            self.kept[result] = build.number, scratch.result

    def _combine(self, level: int) -> tile.StageOp | None:
        """The stage of one program along the combined axes: the results of this level."""
        combining = self._combining(level)
        if not combining:
            return None
        build = StageBuilder(self, 2 * level + 1)
        for op in combining:
            if isinstance(op, tile.ScanOp):
                self._scan_partials(op, build)
                continue
            value = self._reduce_partials(op, build)
            build.values[op.result] = value
            build.store(value, self.result[op], self._result_index(build, op), op)
        for op in self._effects(level + 1):
            if not has_lanes(op):
                self._act(op, build)
        over = self.partial[combining[0]][0]
        return build.stage(above=self.limit, cover=sorted(self.combined), over=over)

    def _scan_partials(self, op: tile.ScanOp, build: StageBuilder) -> None:
        """The sums of all blocks up to each one."""
        offsets = build.add(lane_offsets(self.rank), op)
        (partial,) = self.partial[op]
        sums = build.add(tile.ScanOp(build.load(partial, offsets, op), op.axis.data), op)
        build.store(sums, self.result[op], offsets, op)

    def _reduce_partials(self, op: tile.ReduceOp, build: StageBuilder) -> SSAValue:
        """The result from those of the blocks; a position is that of the first extreme one."""
        axis = op.axis.data if op.axis is not None else None
        offsets = build.add(lane_offsets(self.rank), op)
        first, *rest = (build.load(buffer, offsets, op) for buffer in self.partial[op])
        if not rest:
            return build.add(tile.ReduceOp(op.kind.data, first, axis, op.result.type), op)
        (positions,) = rest
        value_kind, _ = kinds_of(op)
        element = tile.element_of(first.type)
        extreme = tile.ReduceOp(value_kind, first, axis, tile.like(op.result.type, element))
        chosen = build.is_extreme(first, build.add(extreme, op), op)
        last = build.add(tile.ConstantOp(number(integer_range(i64)[1]), i64), op)
        last = build.broadcast(last, tile.sizes_of(positions.type), op)
        picked = build.add(tile.SelectOp(chosen, positions, last), op)
        return build.add(tile.ReduceOp(ReduceKind.MIN, picked, axis, op.result.type), op)

    def _result_index(self, build: StageBuilder, op: tile.ReduceOp) -> SSAValue:
        """The index of a result: 0, or where an axis is kept the position along the other one."""
        if op.axis is None:
            return build.add(tile.ConstantOp(number(0), i64), op)
        return build.add(lane_index(1 - op.axis.data), op)

    def load_result(self, op: tile.CombineOp, build: StageBuilder) -> SSAValue:
        """The result of a reduction or scan, in a later stage."""
        if isinstance(op, tile.ReduceOp):
            return build.load(self.result[op], self._result_index(build, op), op)
        within = build.add(tile.ScanOp(build.need(op.operand), op.axis.data, in_block=True), op)
        return build.add(tile.AddOp(within, self._sum_before(op, build)), op)

    def _sum_before(self, op: tile.ScanOp, build: StageBuilder) -> SSAValue:
        """The sum of all blocks before this one: 0 in the first."""
        place = self._place(op, build)
        sizes = tile.sizes_of(place.type)
        zero, step = (build.add(tile.ConstantOp(number(n), i64), op) for n in (0, 1))
        if op.axis.data < self.rank - 1:
            step = build.add(tile.SizeOp(tile.SizeKind.N_COLS), op)
        before = build.add(tile.SubOp(place, build.broadcast(step, sizes, op)), op)
        before = build.add(tile.MaxOp(before, build.broadcast(zero, sizes, op)), op)
        total = build.load(self.result[op], before, op)
        program = build.add(tile.ProgramOp(op.axis.data), op)
        first = build.add(tile.CompareOp(tile.ComparePredicate.EQ, program, zero), op)
        nothing = build.add(tile.CastOp(zero, tile.element_of(total.type)), op)
        chosen = build.add(
            tile.SelectOp(
                build.broadcast(first, sizes, op), build.broadcast(nothing, sizes, op), total
            ),
            op,
        )
        return build.broadcast(chosen, tile.sizes_of(op.result.type), op)


class StageBuilder:
    """Copies into a new stage what it needs of the old one."""

    def __init__(self, chain: Chain, number: int):
        self.chain, self.number = chain, number
        self.block = Block()
        self.values: dict[SSAValue, SSAValue] = {}

    def add(self, op: Operation, source: Operation) -> SSAValue:
        op.location = source.location
        self.block.add_op(op)
        return op.results[0]

    def store(self, value: SSAValue, buffer: SSAValue, index: SSAValue, source: Operation) -> None:
        op = tile.StoreOp(value, buffer, index)
        op.location = source.location
        self.block.add_op(op)

    def load(self, buffer: SSAValue, index: SSAValue, source: Operation) -> SSAValue:
        type = tile.like(index.type, tile.element_of(buffer.type))
        return self.add(tile.LoadOp(buffer, index, type), source)

    def broadcast(self, value: SSAValue, sizes: Sequence[str | int], source: Operation) -> SSAValue:
        type = tile.shaped(sizes, tile.element_of(value.type))
        return value if value.type == type else self.add(tile.BroadcastOp(value, type), source)

    def need(self, value: SSAValue) -> SSAValue:
        """A value of the old stage, computed or loaded again in this one."""
        owner = value.owner
        if not isinstance(owner, Operation) or owner not in self.chain.levels:
            return value
        if value not in self.values:
            if isinstance(owner, tile.CombineOp):
                self.values[value] = self.chain.load_result(owner, self)
            elif self.is_kept(value):
                _, buffer = self.chain.kept[value]
                self.values[value] = self.load(buffer, self.place_like(value, owner), owner)
            else:
                self.copy(owner)
        return self.values[value]

    def is_kept(self, value: SSAValue) -> bool:
        """Whether an earlier stage left the value in scratch."""
        return value in self.chain.kept and self.chain.kept[value][0] < self.number

    def place_like(self, value: SSAValue, source: Operation) -> SSAValue:
        """The index of each element of a value in a scratch buffer of its own extents."""
        sizes = tile.sizes_of(value.type)
        if not sizes:
            return self.add(tile.ConstantOp(number(0), i64), source)
        if 1 in sizes:
            return self.add(lane_index(1 - sizes.index(1)), source)
        return self.add(lane_offsets(self.chain.rank), source)

    def is_extreme(self, values: SSAValue, extreme: SSAValue, source: Operation) -> SSAValue:
        """Which values are the extreme one; of NaN, which ones are NaN."""
        extreme = self.broadcast(extreme, tile.sizes_of(values.type), source)
        equal = self.add(tile.CompareOp(ComparePredicate.EQ, values, extreme), source)
        if not is_float(tile.element_of(values.type)):
            return equal
        nan = self.add(tile.CompareOp(ComparePredicate.NE, values, values), source)
        return self.add(tile.OrOp(equal, nan), source)

    def copy(self, op: Operation) -> None:
        """Copy an operation, after all that it needs."""
        for operand in operands_of(op):
            self.need(operand)
        copy = op.clone(self.values)
        self.block.add_op(copy)
        for old, new in zip(op.results, copy.results, strict=True):
            self.values[old] = new

    def stage(
        self, *, above: int, cover: Sequence[int] = (), over: SSAValue | None = None
    ) -> tile.StageOp | None:
        """The finished stage, or None if it does nothing."""
        if not any(writes(op) for op in self.block.ops):
            return None
        stage = tile.StageOp(Region(self.block), cover=cover, over=over, above=above)
        stage.location = self.chain.stage.location
        return stage


def is_read(scratch: tile.ScratchOp) -> bool:
    """Whether a stage reads a scratch buffer; what was stored to one that none reads is dropped."""
    users = [use.operation for use in scratch.result.uses]
    if not all(isinstance(user, tile.StoreOp) for user in users):
        return True
    for user in users:
        Rewriter.erase_op(user)
    return False


def operands_of(op: Operation) -> Sequence[SSAValue]:
    """The operands of an operation and of all inside it, each once."""
    return tuple(dict.fromkeys(operand for inner in walk(op) for operand in inner.operands))


def keeping_extents(type: Attribute, rank: int) -> Sequence[Extent]:
    """The extents of a scratch buffer with one element for each of a value's."""
    sizes = tile.sizes_of(type) or (1,) * rank
    return [Extent.ONE if size == 1 else Extent.ALL for size in sizes]


def kinds_of(op: tile.CombineOp) -> Sequence[ReduceKind]:
    """The reductions of a block that stand for its part of a result."""
    if isinstance(op, tile.ScanOp):
        return (ReduceKind.SUM,)
    match op.kind.data:
        case ReduceKind.ARGMAX:
            return ReduceKind.MAX, ReduceKind.ARGMAX
        case ReduceKind.ARGMIN:
            return ReduceKind.MIN, ReduceKind.ARGMIN
        case kind:
            return (kind,)


def lane_index(axis: int) -> tile.IndexOp:
    """The position along an axis of a 2-D kernel, in the shape of a column or row vector."""
    if axis == 0:
        return tile.IndexOp(tile.IndexKind.ROW, tile.TileType(["BLOCK_R", 1], i64))
    return tile.IndexOp(tile.IndexKind.COL, tile.TileType([1, "BLOCK_C"], i64))


def lane_offsets(rank: int) -> tile.IndexOp:
    """The flat position of each lane."""
    sizes = ["BLOCK_SIZE"] if rank == 1 else ["BLOCK_R", "BLOCK_C"]
    return tile.IndexOp(tile.IndexKind.OFFS, tile.TileType(sizes, i64))


def has_lanes(op: Operation) -> bool:
    """Whether an operation, or one inside it, has an operand with a value for each lane."""
    return any(
        isinstance(operand.type, tile.TileType) for inner in walk(op) for operand in inner.operands
    )
