"""Turn each kernel into an SSA program over blocks of lanes. Types are still unknown."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import FloatAttr, IntAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from patlang_ir.analysis.pointed_buffers import MAKE_POINTER
from patlang_ir.diagnostics import Report, refuse
from patlang_ir.dialects import pat, tile
from patlang_ir.dialects.literals import number, python_number
from patlang_ir.dispatch import by_class
from patlang_ir.kernel_language import BLOCK_FUNCTIONS, BLOCK_STATEMENT
from patlang_ir.passes.block_functions import block_operation
from patlang_ir.passes.vocabulary import BINARY, ELEMENTWISE, INDICES, PROGRAMS, REDUCTIONS
from patlang_ir.rewriting import expect_gone
from patlang_ir.traversal import walk

MAX_ARMS = 100
"""Each `elif` is an `if` inside the other arm, and blocks nest no deeper."""


class Undefined:
    """A variable that some path to here leaves without a value."""


Variables = dict[str, SSAValue | Undefined]


class KernelLowering:
    """Builds the body of one stage while it walks the statements of a kernel.

    Variables become SSA values by structured construction: what an `if` assigns is a result of
    `scf.if`, what a loop assigns and the code before it has set is carried by `scf.while`.
    """

    def __init__(self, func: pat.FuncOp, report: Report):
        self.report = report
        self.values: dict[SSAValue, SSAValue] = {}
        self.kernel = _kernel_like(func)
        self.buffers = dict(zip(func.param_names, self.kernel.args, strict=True))
        self.variables: Variables = {}
        (stage,) = self.kernel.stages
        self.builder = Builder(InsertPoint.at_end(stage.body.block))
        for name, arg in self.buffers.items():
            if not isinstance(arg.type, tile.BufferType):
                self.rebind([name], [self.emit(tile.ScalarOp(arg), func)])
        self.lower_block(func.body.block)

    def emit(self, op: Operation, source: Operation) -> SSAValue:
        """Insert an operation that computes one value, at the place of `source`."""
        op.location = source.location
        self.builder.insert(op)
        return op.results[0]

    def insert(self, op: Operation, source: Operation) -> None:
        """Insert an operation that computes nothing, at the place of `source`."""
        op.location = source.location
        self.builder.insert(op)

    def constant(self, value: bool | int | float, source: Operation) -> SSAValue:
        return self.emit(tile.ConstantOp(number(value)), source)

    def truth(self, value: SSAValue, source: Operation) -> SSAValue:
        return self.emit(tile.TruthOp(value, tile.unknown), source)

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Build in another block; variables set there are forgotten afterwards."""
        builder, variables = self.builder, self.variables
        self.builder, self.variables = Builder(InsertPoint.at_end(block)), dict(variables)
        yield
        self.builder, self.variables = builder, variables

    def lower_block(self, block: Block) -> None:
        for op in block.ops:
            self.lower(op)

    def lower_value(self, region: Region) -> SSAValue:
        """Lower a region that yields one value, in place."""
        self.lower_block(region.block)
        last = region.block.last_op
        assert isinstance(last, pat.YieldOp)
        return self.values[last.value]

    @by_class
    def lower(self, op: Operation) -> None:
        help = "run pat-resolve-names and pat-isolate-kernels first"
        self.report.error(op, "P902", f"'{op.name}' has no form in a kernel", help)
        for result in op.results:
            self.values[result] = self.constant(0, op)

    # --- values ---

    @lower.register
    def _(self, op: pat.ConstantOp) -> None:
        literal = op.value
        if isinstance(literal, StringAttr | UnitAttr):
            self.report.error(op, "P301", "a kernel computes with numbers and truth values only")
            literal = number(0)
        self.values[op.result] = self.emit(tile.ConstantOp(literal), op)

    @lower.register
    def _(self, op: pat.GetOp) -> None:
        name = op.variable.data
        value = self.variables.get(name, self.buffers.get(name, Undefined()))
        if isinstance(value, Undefined):
            self.report.error(
                op,
                "P303",
                f"'{name}' has no value on every path to here",
                f"give it one before the 'if' or 'while': let {name} = 0.0",
            )
            value = self.constant(0, op)
        self.values[op.result] = value

    @lower.register
    def _(self, op: pat.ImplicitOp) -> None:
        name = op.variable.data
        if name in INDICES:
            value = self.emit(tile.IndexOp(INDICES[name]), op)
        elif name.startswith("mask"):
            value = self.constant(True, op)
        elif name in PROGRAMS:
            value = self.emit(tile.ProgramOp(PROGRAMS[name], tile.unknown), op)
        elif name.startswith("BLOCK_"):
            value = self.emit(tile.BlockSizeOp(name, tile.unknown), op)
        else:
            value = self.emit(tile.SizeOp(tile.SizeKind(name), tile.unknown), op)
        value.name_hint = name.lower() if name.startswith("BLOCK_") else name
        self.values[op.result] = value

    @lower.register
    def _(self, op: pat.UnaryOp) -> None:
        operand = self.values[op.operand]
        literal = operand.owner.value if isinstance(operand.owner, tile.ConstantOp) else None
        match op.kind.data:
            case pat.UnaryKind.NEG if isinstance(literal, IntAttr | FloatAttr):
                result = tile.ConstantOp(number(-python_number(literal)))
            case pat.UnaryKind.NEG:
                result = tile.NegOp(operand)
            case pat.UnaryKind.BNOT:
                result = tile.BnotOp(operand)
            case pat.UnaryKind.NOT:
                result = tile.NotOp(self.truth(operand, op))
        self.values[op.result] = self.emit(result, op)

    @lower.register
    def _(self, op: pat.BinaryOp) -> None:
        make = BINARY[op.kind.data]
        self.values[op.result] = self.emit(make(self.values[op.lhs], self.values[op.rhs]), op)

    @lower.register
    def _(self, op: pat.LogicalOp) -> None:
        lhs = self.truth(self.values[op.lhs], op)
        rhs = self.truth(self.lower_value(op.rhs), op)
        make = tile.AndOp if op.kind.data == pat.LogicalKind.AND else tile.OrOp
        self.values[op.result] = self.emit(make(lhs, rhs), op)

    @lower.register
    def _(self, op: pat.IntrinsicOp) -> None:
        name, args = op.callee.data, [self.values[arg] for arg in op.args]
        if name == BLOCK_STATEMENT:
            self.insert(tile.StoreBlockOp(args[1], args[0]), op)
            return
        self.values[op.result] = self.intrinsic(name, args, op)

    def intrinsic(self, name: str, args: Sequence[SSAValue], op: pat.IntrinsicOp) -> SSAValue:
        if name in ELEMENTWISE:
            return self.emit(ELEMENTWISE[name](*args), op)
        if name in BLOCK_FUNCTIONS:
            return self.emit(block_operation(self.kernel, name, args, op, self.report), op)
        if name in REDUCTIONS:
            return self.emit(tile.ReduceOp(REDUCTIONS[name], args[0], self.axis(op, args)), op)
        match name:
            case "cumsum":
                axis = self.axis(op, args)
                if axis is None and self.kernel.rank == 2:
                    self.report.error(
                        op,
                        "P305",
                        "cumsum in a 2-D kernel needs an axis",
                        "cumsum(v, 1) sums each row",
                    )
                return self.emit(tile.ScanOp(args[0], axis or 0), op)
            case "select":
                return self.emit(tile.SelectOp(self.truth(args[0], op), args[1], args[2]), op)
            case "clamp":
                raised = self.emit(tile.MaxOp(args[0], args[1]), op)
                return self.emit(tile.MinOp(raised, args[2]), op)
            case "rsqrt":
                root = self.emit(tile.SqrtOp(args[0]), op)
                return self.emit(tile.DivOp(self.constant(1.0, op), root), op)
            case "sigmoid":
                power = self.emit(tile.ExpOp(self.emit(tile.NegOp(args[0]), op)), op)
                one = self.constant(1.0, op)
                return self.emit(tile.DivOp(one, self.emit(tile.AddOp(one, power), op)), op)
            case _:
                self.report.error(op, "P114", f"'{name}' is not supported yet")
                return args[0]

    def axis(self, op: pat.IntrinsicOp, args: Sequence[SSAValue]) -> int | None:
        """The axis that a reduction names, as a literal 0 or 1; the only one needs no name."""
        if len(args) == 1:
            return None
        owner = args[1].owner
        value = owner.value if isinstance(owner, tile.ConstantOp) else None
        if value == number(0):
            return 0 if self.kernel.rank > 1 else None
        if value == number(1):
            return 1
        self.report.error(
            op, "P305", "the axis of a reduction is a literal 0 or 1", "sum(v, 1) sums each row"
        )
        return None

    @lower.register
    def _(self, op: pat.LoadOp) -> None:
        buffer = self.buffers[op.buffer.data]
        self.values[op.result] = self.emit(tile.LoadOp(buffer, self.values[op.index]), op)

    # --- statements ---

    @lower.register
    def _(self, op: pat.LetOp | pat.AssignOp) -> None:
        value, name = self.values[op.value], op.variable.data
        if value.name_hint is None:
            value.name_hint = name
        self.variables[name] = value

    @lower.register
    def _(self, op: pat.StoreOp) -> None:
        store = tile.StoreOp(
            self.values[op.value], self.buffers[op.buffer.data], self.values[op.index]
        )
        self.insert(store, op)

    @lower.register
    def _(self, op: pat.AtomicOp) -> None:
        atomic = tile.AtomicOp(
            op.kind.data,
            self.values[op.value],
            self.buffers[op.buffer.data],
            self.values[op.index],
        )
        self.insert(atomic, op)

    @lower.register
    def _(self, op: pat.YieldOp) -> None:
        pass

    @lower.register
    def _(self, op: pat.IfOp) -> None:
        if len(op.branches) > MAX_ARMS:
            raise refuse(
                op,
                "P120",
                f"an 'if' in a kernel may have {MAX_ARMS} conditions, not {len(op.branches)}",
                "choose by arithmetic, or load the value from a buffer",
            )
        self.lower_arms(op, op.branches)

    def lower_arms(self, op: pat.IfOp, arms: Sequence[tuple[Region, Region]]) -> None:
        """Lower the rest of an `if` chain; `elif` becomes an `if` inside the other arm."""
        if not arms:
            if op.otherwise is not None:
                self.lower_block(op.otherwise.block)
            return
        (condition, body), *rest = arms
        flag = self.condition(condition)
        blocks = (Block(), Block())
        with self.inside(blocks[0]):
            self.lower_block(body.block)
            then = self.variables
        with self.inside(blocks[1]):
            self.lower_arms(op, rest)
            otherwise = self.variables
        names = [
            name
            for name in dict.fromkeys((*then, *otherwise))
            if then.get(name) is not otherwise.get(name)
        ]
        joined = [name for name in names if _defined(then, name) and _defined(otherwise, name)]
        for block, variables in zip(blocks, (then, otherwise), strict=True):
            scf_yield = scf.YieldOp(*(_value(variables, name) for name in joined))
            scf_yield.location = op.location
            block.add_op(scf_yield)
        types = [tile.unknown] * len(joined)
        result = scf.IfOp(flag, types, Region(blocks[0]), Region(blocks[1]))
        result.location = op.location
        self.builder.insert(result)
        self.variables = {**then, **dict.fromkeys(names, Undefined())}
        self.rebind(joined, result.results)

    def condition(self, region: Region) -> SSAValue:
        value = self.lower_value(region)
        source = region.block.last_op
        assert isinstance(source, pat.YieldOp) and isinstance(source.value.owner, Operation)
        return self.emit(tile.ConditionOp(value), source.value.owner)

    def rebind(self, names: Sequence[str], values: Sequence[SSAValue]) -> None:
        for name, value in zip(names, values, strict=True):
            value.name_hint = name
            self.variables[name] = value

    @lower.register
    def _(self, op: pat.WhileOp) -> None:
        assigned = dict.fromkeys(
            inner.variable.data
            for inner in op.body.walk()
            if isinstance(inner, pat.LetOp | pat.AssignOp)
        )
        carried = [n for n in self.variables if n in assigned and _defined(self.variables, n)]
        types = [tile.unknown] * len(carried)
        before, after = Block(arg_types=types), Block(arg_types=types)
        unset = dict.fromkeys((n for n in assigned if n not in carried), Undefined())
        with self.inside(before):
            self.variables.update(unset)
            self.rebind(carried, before.args)
            go_on = scf.ConditionOp(self.condition(op.condition), *before.args)
            go_on.location = op.location
            self.builder.insert(go_on)
        with self.inside(after):
            self.variables.update(unset)
            self.rebind(carried, after.args)
            self.lower_block(op.body.block)
            scf_yield = scf.YieldOp(*(_value(self.variables, name) for name in carried))
            scf_yield.location = op.location
            self.builder.insert(scf_yield)
        inits = [_value(self.variables, name) for name in carried]
        loop = scf.WhileOp(inits, types, Region(before), Region(after))
        loop.location = op.location
        self.builder.insert(loop)
        self.variables.update(unset)
        self.rebind(carried, loop.results)


def _defined(variables: Variables, name: str) -> bool:
    return isinstance(variables.get(name), SSAValue)


def _value(variables: Variables, name: str) -> SSAValue:
    value = variables[name]
    assert isinstance(value, SSAValue)
    return value


def _kernel_like(func: pat.FuncOp) -> tile.KernelOp:
    """A kernel of one empty stage: a parameter that is indexed is a buffer, others are scalars."""
    indexed = {
        op.buffer.data
        for op in walk(func)
        if isinstance(op, pat.LoadOp | pat.StoreOp | pat.AtomicOp)
    }
    indexed |= {
        op.args[0].owner.variable.data
        for op in func.walk()
        if isinstance(op, pat.IntrinsicOp) and op.callee.data == MAKE_POINTER
        if isinstance(op.args[0].owner, pat.GetOp)
    }
    names = func.param_names
    types = [tile.BufferType(tile.unknown) if n in indexed else tile.unknown for n in names]
    body = Block(arg_types=types)
    for arg, name in zip(body.args, names, strict=True):
        arg.name_hint = name
    stage = tile.StageOp(Region(Block()))
    stage.location = func.location
    body.add_op(stage)
    assert func.kernel is not None
    kernel = tile.KernelOp(func.sym_name.data, func.kernel.data, names, Region(body), func.options)
    kernel.location = func.location
    return kernel


class PatToTile(ModulePass):
    """Turn each kernel into an SSA program over blocks of lanes."""

    name = "pat-to-tile"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with Report() as report:
            for func in [f for f in op.body.block.ops if isinstance(f, pat.FuncOp)]:
                if func.kernel is None:
                    help = "run pat-isolate-kernels first"
                    report.error(func, "P902", "a function of the host is no kernel", help)
                    continue
                kernel = KernelLowering(func, report).kernel
                op.body.block.insert_op_before(kernel, func)
                op.body.block.erase_op(func)
        expect_gone(op, "pat")
