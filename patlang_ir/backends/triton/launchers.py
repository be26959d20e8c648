"""Launchers: a Python function that checks its arguments and runs a chain of kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import PurePath

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute

from patlang_ir.backends.triton import helpers, tuning
from patlang_ir.backends.triton.helpers import Helper
from patlang_ir.backends.triton.layout import WIDTH, number, sequence, sizes_text, wrapped
from patlang_ir.backends.triton.lines import Lines
from patlang_ir.backends.triton.names import Scope
from patlang_ir.backends.triton.types import torch_dtype
from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tl
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind, ParameterAttr, ScratchExtent
from patlang_ir.traversal import walk

LENGTHS = {1: ("n",), 2: ("n_rows", "n_cols")}
"""The extents of an input of each rank."""


@dataclass
class Launcher:
    """Writes one launcher; `helpers` collects the functions that it calls."""

    op: tl.LauncherOp
    symbols: Mapping[str, str]
    kernels: Mapping[str, tl.KernelOp]
    lines: Lines = field(default_factory=Lines)
    helpers: list[Helper] = field(default_factory=list[Helper])

    def __post_init__(self) -> None:
        self.launches = [op for op in self.op.body.block.ops if isinstance(op, tl.LaunchOp)]
        kernels = (self.symbols[launch.kernel.data] for launch in self.launches)
        own = self.symbols[self.op.sym_name.data]
        self.scope = Scope({own, *kernels, *(helper.name for helper in ALL_HELPERS), *MODULES})
        self.params = {p.parameter.data: self.scope.new(p.parameter.data) for p in self.op.params}
        used = [param for param in self.op.params if not param.has("unused")]
        self.buffers = [param for param in used if param.has("buffer")]
        self.scalars = [param for param in used if param.has("scalar")]
        names = [op.sym_name.data for op in self.op.body.block.ops if isinstance(op, tl.ScratchOp)]
        self.scratch = {name: self.scope.new(name) for name in names}
        self.extents = [self.scope.new(name) for name in LENGTHS[self.op.rank.data]]
        self.block = self.scope.new("block") if self.op.candidates is not None else ""

    def use(self, helper: Helper) -> None:
        if helper not in self.helpers:
            self.helpers.append(helper)

    def call(self, helper: Helper, *arguments: str) -> None:
        self.use(helper)
        self.add(wrapped(f"{helper.name}(", arguments, ")", self.lines.indent))

    def add(self, text: str) -> None:
        for line in text.splitlines():
            self.lines.add(line)

    def named(self, param: ParameterAttr) -> tuple[str, str]:
        """What messages call a parameter, and its variable."""
        name = param.parameter.data
        return f'"{name}"', self.params[name]

    def print(self) -> None:
        name = self.symbols[self.op.sym_name.data]
        block = ("*", f"{self.block}=None") if self.block else ()
        self.add(wrapped(f"def {name}(", (*self.params.values(), *block), "):", 0))
        with self.lines.indented():
            self.add(self.docstring())
            self.check()
            if self.buffers:
                self.launch()

    def docstring(self) -> str:
        place = place_of(self.op.location)
        origin = f" of {PurePath(place.file).name}" if place else ""
        written = ", ".join(self.params[p.parameter.data] for p in self.buffers if p.has("written"))
        kernel = f"{self.op.sym_name.data}{origin}"
        line = f'"""Run the kernel {kernel}; it writes {written or "nothing"}.'
        if not self.block:
            return f'{line}"""'
        return f"""{line}

Without a `{self.block}` it finds the fastest one for inputs of about this size, once.
\"\"\""""

    def check(self) -> None:
        """Refuse arguments that the kernels are not made for."""
        if self.buffers:
            rows = [f"({', '.join(self.named(p))}, {torch_dtype(p.element)})" for p in self.buffers]
            self.call(helpers.CHECK_BUFFERS, *rows)
        for param in self.scalars:
            self.call(helpers.CHECK_SCALAR, *self.named(param), f"numbers.{kind(param.element)}")
        if self.buffers:
            self.measure()
        if len(self.buffers) > 1 and any(p.has("written") for p in self.buffers):
            self.call(helpers.CHECK_APART, *map(self.memory, self.buffers))

    def memory(self, param: ParameterAttr) -> str:
        """A buffer, whether it is written, and whether each lane has its own element."""
        return f"({', '.join(self.named(param))}, {param.has('written')}, {param.has('local')})"

    def measure(self) -> None:
        """Take the extents from the first buffer, and compare the others with it."""
        first = next(param for param in self.op.params if param.has("buffer"))
        if self.op.rank.data == 1:
            self.lines.add(f"{self.extents[0]} = {self.named(first)[1]}.numel()")
            check = helpers.CHECK_LENGTH
        else:
            self.call(helpers.CHECK_MATRIX, *self.named(first))
            self.lines.add(f"{', '.join(self.extents)} = {self.named(first)[1]}.shape")
            check = helpers.CHECK_SHAPE
        for param in self.buffers:
            if param.has("exact") and param is not first:
                self.call(check, *self.named(param), *self.extents)

    def launch(self) -> None:
        """Run the launches, each under its condition."""
        if not any(launch.covered or self.once(launch) for launch in self.launches):
            empty = " or ".join(f"{extent} == 0" for extent in self.extents)
            self.lines.add(f"if {empty}:")
            with self.lines.indented():
                self.lines.add("return")
        self.check_limits()
        covers = {op.kernel.data: Cover(op, self) for op in self.launches}
        self.use(helpers.HERE)
        self.use(helpers.ON_DEVICE_OF)
        self.lines.add(f"with on_device_of({self.named(self.buffers[0])[1]}):")
        with self.lines.indented():
            self.tune()
            self.run(covers)

    def tune(self) -> None:
        """Find the fastest of the candidates, unless the caller names a block."""
        if self.op.candidates is None:
            return
        agree = tuning.SAME_BITS if self.op.bitwise is not None else tuning.ABOUT_SAME
        for helper in (tuning.TUNED, agree, tuning.MILLISECONDS, tuning.FASTEST):
            self.use(helper)
        written = [i for i, p in enumerate(self.op.params) if p.has("written")]
        arguments = (
            self.symbols[self.op.sym_name.data],
            sequence(self.params.values()),
            sequence(map(str, written)),
            sequence(self.extents),
            agree.name,
            sequence(map(sizes_text, self.op.candidates)),
        )
        self.lines.add(f"if {self.block} is None:")
        with self.lines.indented():
            call = f"{self.block} = {tuning.FASTEST.name}("
            self.add(wrapped(call, arguments, ")", self.lines.indent))

    def once(self, launch: tl.LaunchOp) -> frozenset[int]:
        """The axes along which some write does not vary: it takes place for an empty input too."""
        kernel = self.kernels.get(launch.kernel.data)
        if kernel is None:
            return frozenset()
        never_empty = self.covered() if launch.above is not None else frozenset[int]()
        return writes_once(kernel, len(launch.blocks)) - never_empty

    def run(self, covers: Mapping[str, Cover]) -> None:
        condition = ""
        for op in self.op.body.block.ops:
            assert isinstance(op, tl.ScratchOp | tl.LaunchOp)
            kernel = op.filled_by if isinstance(op, tl.ScratchOp) else op.kernel
            cover = covers[kernel.data]
            if cover.condition() != condition:
                opposite = condition.replace(" > ", " <= ")
                condition = cover.condition()
                self.lines.add("else:" if condition == opposite else f"if {condition}:")
            self.lines.indent += bool(condition)
            if isinstance(op, tl.LaunchOp):
                cover.print()
            else:
                cover.allocate(op)
            self.lines.indent -= bool(condition)

    def check_limits(self) -> None:
        """Refuse an input that is too large for every launch."""
        limits = [op.upto.data if op.upto is not None else None for op in self.launches]
        open_ended = [op for op in self.launches if not op.covered or op.over is not None]
        if all(limits):
            self.call(helpers.CHECK_BLOCK, self.measured(), str(max(filter(None, limits))))
        elif not open_ended:
            self.call(helpers.CHECK_BLOCK, self.measured(), str(LARGEST_BLOCK))

    def measured(self) -> str:
        """What the limits of launches speak of: the elements along the axes that some cover."""
        return " * ".join(self.extents[axis] for axis in sorted(self.covered()))

    def covered(self) -> frozenset[int]:
        """The axes that one program covers in some launch."""
        return frozenset[int]().union(*(op.covered for op in self.launches))

    def argument(self, argument: ArgumentAttr) -> str:
        variable = self.variable(argument.parameter.data)
        match argument.passed:
            case ArgumentKind.POINTER:
                return variable
            case ArgumentKind.SCALAR:
                element = next(p.element for p in self.scalars if p.parameter == argument.parameter)
                return f"{CONVERSIONS[kind(element)]}({variable})"
            case ArgumentKind.LENGTH:
                return f"{variable}.numel()"
            case ArgumentKind.N:
                return " * ".join(self.extents)
            case ArgumentKind.N_ROWS:
                return self.extents[0]
            case ArgumentKind.N_COLS:
                return self.extents[1]
            case _:
                raise AssertionError(f"no launcher passes {argument.passed} for itself")

    def variable(self, name: str) -> str:
        """The variable of a parameter or of scratch."""
        return self.params.get(name) or self.scratch.get(name, "")


def kind(element: Attribute) -> str:
    """The class in `numbers` that the arguments for a scalar have."""
    return "Integral" if isinstance(element, IntegerType) else "Real"


CONVERSIONS = {"Integral": "int", "Real": "float"}

MODULES = ("contextlib", "numbers")
"""What printed launchers import besides torch and Triton."""

ALL_HELPERS = (
    *(value for value in vars(helpers).values() if isinstance(value, Helper)),
    *tuning.HELPERS,
)


def writes_once(kernel: tl.KernelOp, rank: int) -> frozenset[int]:
    """The axes along which the address of some write is the same."""
    axes: set[int] = set()
    for op in walk(kernel):
        if isinstance(op, tl.StoreOp | tl.AtomicOp):
            sizes = tl.sizes_of(op.pointer.type) or (1,) * rank
            axes |= {axis for axis, size in enumerate(sizes) if size == 1}
    return frozenset(axes)


LARGEST_BLOCK = 2**20
"""The most lanes of one program, in Triton."""
MOST_WARPS = "16"
"""Of one program, as the plan writes it."""


class Cover:
    """One launch: how its programs cover its input."""

    def __init__(self, launch: tl.LaunchOp, launcher: Launcher):
        self.launch = launch
        self.launcher = launcher
        self.blocks = [block.data for block in launch.blocks]
        over = launch.over
        self.extents = launcher.extents
        if over is not None:
            variable = launcher.variable(over.data)
            self.extents = [f"{variable}.shape[{axis}]" for axis in range(len(self.blocks))]
        self.plan = {name: number(value) for name, value in launch.plan.data.items()}
        self.sizes = {
            block: f"{self.plan.pop(block)}"
            for axis, block in enumerate(self.blocks)
            if block and axis not in launch.covered
        }
        covered = [self.plan.pop(block) for block in self.blocks if block in self.plan]
        if launcher.block:
            self.sizes = {block: f'{launcher.block}["{block}"]' for block in self.sizes}
            covered = [f'{launcher.block}["{self.blocks[axis]}"]' for axis in launch.covered]
        self.covered_sizes = covered

    def condition(self) -> str:
        """When the launch takes place; empty for always."""
        measured = self.launcher.measured()
        parts: list[str] = []
        if self.launch.above is not None:
            parts.append(f"{measured} > {self.launch.above.data}")
        if self.launch.upto is not None:
            parts.append(f"{measured} <= {self.launch.upto.data}")
        return " and ".join(parts)

    def grid(self) -> str:
        """The number of programs."""
        return " * ".join(count for count in self.counts() if count != "1") or "1"

    def counts(self) -> list[str]:
        """The number of programs along each axis of the input."""
        once = self.launcher.once(self.launch)
        counts: list[str] = []
        for axis, (block, cut) in enumerate(zip(self.blocks, self.cut(), strict=True)):
            if cut:
                self.launcher.use(helpers.CDIV)
            count = f"cdiv({self.extents[axis]}, {self.sizes[block]})" if cut else "1"
            counts.append(f"max({count}, 1)" if cut and axis in once else count)
        return counts

    def cut(self) -> list[bool]:
        """Along which axes there are several programs."""
        covered = self.launch.covered
        return [bool(block) and axis not in covered for axis, block in enumerate(self.blocks)]

    def allocate(self, scratch: tl.ScratchOp) -> None:
        """Make scratch as large as this launch fills it."""
        sizes = {ScratchExtent.ONE: ["1", "1"], ScratchExtent.BLOCKS: self.counts()}
        sizes[ScratchExtent.ALL] = self.extents
        shape = [sizes[extent.data][axis] for axis, extent in enumerate(scratch.extents)]
        variable = self.launcher.variable(scratch.sym_name.data)
        device = self.launcher.named(self.launcher.buffers[0])[1]
        arguments = [*shape, f"dtype={torch_dtype(scratch.element)}", f"device={device}.device"]
        head = f"{variable} = torch.empty("
        self.launcher.add(wrapped(head, arguments, ")", self.launcher.lines.indent))

    def fit(self) -> None:
        """Choose the block of each covered axis; the other axes and the warps follow from it."""
        covered = [axis for axis in sorted(self.launch.covered) if self.blocks[axis]]
        if not covered:
            return
        lines, scope = self.launcher.lines, self.launcher.scope
        for axis in covered:
            block = self.blocks[axis]
            variable = scope.new(block.lower())
            self.launcher.use(helpers.NEXT_POWER_OF_2)
            lines.add(f"{variable} = next_power_of_2({self.extents[axis]})")
            self.sizes[block] = variable
        lanes = " * ".join(self.sizes[self.blocks[axis]] for axis in covered)
        for block, cut in zip(self.blocks, self.cut(), strict=True):
            if cut:
                variable = scope.new(block.lower())
                divisor = f"({lanes})" if len(covered) > 1 else lanes
                lines.add(f"{variable} = max({self.lanes_in_plan(block)} // {divisor}, 1)")
                self.sizes[block] = variable
        every = " * ".join(self.sizes.values())
        warps = self.plan.get("num_warps", "4")
        if warps != MOST_WARPS:
            self.plan["num_warps"] = f"min(max({every} // 256, {warps}), {MOST_WARPS})"

    def lanes_in_plan(self, block: str) -> str:
        """How many lanes the plan gives a program."""
        factors = [self.sizes[block], *self.covered_sizes]
        if all(factor.isdecimal() for factor in factors):
            return str(prod(map(int, factors)))
        return " * ".join(factors)

    def print(self) -> None:
        self.fit()
        kernel = self.launcher.symbols[self.launch.kernel.data]
        sizes = {block: self.sizes[block] for block in self.blocks if block}
        arguments = [
            *map(self.argument, self.launch.args),
            *(f"{name}={value}" for name, value in {**sizes, **self.plan}.items()),
        ]
        lines = self.launcher.lines
        grid = f"({self.grid()},)"
        if 4 * lines.indent + len(f"{kernel}[{grid}](") > WIDTH:
            variable = self.launcher.scope.new("grid")
            lines.add(f"{variable} = {grid}")
            grid = variable
        self.launcher.add(wrapped(f"{kernel}[{grid}](", arguments, ")", lines.indent))

    def argument(self, argument: ArgumentAttr) -> str:
        if argument.passed == ArgumentKind.EXTENT:
            return self.extents[int(argument.parameter.data)]
        return self.launcher.argument(argument)
