"""Launchers: a Python function that checks its arguments and runs a chain of kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from xdsl.dialects.builtin import IntegerAttr, IntegerType, i1
from xdsl.ir import Attribute

from patlang_ir.backends.triton import helpers
from patlang_ir.backends.triton.helpers import Helper
from patlang_ir.backends.triton.lines import Lines
from patlang_ir.backends.triton.names import Scope
from patlang_ir.backends.triton.types import torch_dtype
from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tl
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind, ParameterAttr

WIDTH = 100
LENGTHS = {1: ("n",), 2: ("n_rows", "n_cols")}
"""The extents of an input of each rank."""


@dataclass
class Launcher:
    """Writes one launcher; `helpers` collects the functions that it calls."""

    op: tl.LauncherOp
    symbols: Mapping[str, str]
    lines: Lines = field(default_factory=Lines)
    helpers: list[Helper] = field(default_factory=list[Helper])

    def __post_init__(self) -> None:
        self.scope = Scope({*self.symbols.values(), *(h.name for h in ALL_HELPERS), "numbers"})
        self.params = {p.parameter.data: self.scope.new(p.parameter.data) for p in self.op.params}
        self.buffers = [p for p in self.op.params if p.has("buffer")]
        self.scalars = [p for p in self.op.params if p.has("scalar")]
        self.launches = [op for op in self.op.body.block.ops if isinstance(op, tl.LaunchOp)]
        self.extents = [self.scope.new(name) for name in LENGTHS[self.op.rank.data]]

    def call(self, helper: Helper, *arguments: str) -> None:
        if helper not in self.helpers:
            self.helpers.append(helper)
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
        self.add(wrapped(f"def {name}(", tuple(self.params.values()), "):", 0))
        with self.lines.indented():
            self.lines.add(self.docstring())
            self.check()
            if self.buffers:
                self.launch()

    def docstring(self) -> str:
        place = place_of(self.op.location)
        origin = f" of {PurePath(place.file).name}" if place else ""
        written = ", ".join(self.params[p.parameter.data] for p in self.buffers if p.has("written"))
        kernel = f"{self.op.sym_name.data}{origin}"
        return f'"""Run the kernel {kernel}; it writes {written or "nothing"}."""'

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
        own = param.has("local") and len(self.launches) == 1
        return f"({', '.join(self.named(param))}, {param.has('written')}, {own})"

    def measure(self) -> None:
        """Take the extents from the first buffer, and compare the others with it."""
        first, *others = self.buffers
        if self.op.rank.data == 1:
            self.lines.add(f"{self.extents[0]} = {self.named(first)[1]}.numel()")
            check = helpers.CHECK_LENGTH
        else:
            self.call(helpers.CHECK_MATRIX, *self.named(first))
            self.lines.add(f"{', '.join(self.extents)} = {self.named(first)[1]}.shape")
            check = helpers.CHECK_SHAPE
        for param in others:
            if param.has("exact"):
                self.call(check, *self.named(param), *self.extents)

    def launch(self) -> None:
        if all(cut_axes(launch) for launch in self.launches):
            empty = " or ".join(f"{extent} == 0" for extent in self.extents)
            self.lines.add(f"if {empty}:")
            with self.lines.indented():
                self.lines.add("return")
        covers = [Cover(launch, self) for launch in self.launches]
        for cover in covers:
            cover.measure()
        self.lines.add(f"with torch.cuda.device_of({self.named(self.buffers[0])[1]}):")
        with self.lines.indented():
            for cover in covers:
                cover.print()

    def argument(self, argument: ArgumentAttr) -> str:
        variable = self.params.get(argument.parameter.data, "")
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


def kind(element: Attribute) -> str:
    """The class in `numbers` that the arguments for a scalar have."""
    return "Integral" if isinstance(element, IntegerType) else "Real"


CONVERSIONS = {"Integral": "int", "Real": "float"}

ALL_HELPERS = tuple(value for value in vars(helpers).values() if isinstance(value, Helper))


def cut_axes(launch: tl.LaunchOp) -> bool:
    """Whether no program runs for an empty input."""
    return any(block.data in launch.plan.data for block in launch.blocks)


@dataclass
class Cover:
    """One launch: how its programs cover the input."""

    launch: tl.LaunchOp
    launcher: Launcher
    sizes: dict[str, str] = field(default_factory=dict[str, str])
    grid: list[str] = field(default_factory=list[str])

    def measure(self) -> None:
        """Fix the size of each block, and with it the grid."""
        open_axes: list[str] = []
        for block, extent in zip(self.launch.blocks, self.launcher.extents, strict=True):
            symbol, size = block.data, self.launch.plan.data.get(block.data)
            if not symbol:
                self.grid.append("1")
            elif size is None:
                variable = self.launcher.scope.new(symbol.lower())
                self.launcher.lines.add(f"{variable} = triton.next_power_of_2(max({extent}, 1))")
                open_axes.append(variable)
                self.sizes[symbol] = variable
                self.grid.append("1")
            else:
                self.sizes[symbol] = number(size)
                self.grid.append(f"triton.cdiv({extent}, {number(size)})")
        if open_axes:
            self.launcher.call(helpers.CHECK_BLOCK, " * ".join(self.sizes.values()))

    def print(self) -> None:
        kernel = self.launcher.symbols[self.launch.kernel.data]
        grid = ", ".join(self.grid) + ("," if len(self.grid) == 1 else "")
        blocks = {block.data for block in self.launch.blocks}
        options = {
            name: number(value)
            for name, value in self.launch.plan.data.items()
            if name not in blocks
        }
        arguments = [
            *map(self.launcher.argument, self.launch.args),
            *(f"{name}={value}" for name, value in {**self.sizes, **options}.items()),
        ]
        head = f"{kernel}[({grid})]("
        self.launcher.add(wrapped(head, arguments, ")", self.launcher.lines.indent))


def number(value: Attribute) -> str:
    """An integer or a truth value of a plan, as Python writes it."""
    match value:
        case IntegerAttr(type=type) if type == i1:
            return str(bool(value.value.data))
        case IntegerAttr():
            return str(value.value.data)
        case _:
            raise AssertionError(value)


def wrapped(
    head: str, arguments: Iterator[str] | list[str] | tuple[str, ...], tail: str, indent: int
) -> str:
    """A call on one line, or with its arguments on lines of their own."""
    arguments = list(arguments)
    line = f"{head}{', '.join(arguments)}{tail}"
    if 4 * indent + len(line) <= WIDTH:
        return line
    inner = f"    {', '.join(arguments)}"
    if 4 * indent + len(inner) <= WIDTH and not any("\n" in a for a in arguments):
        return f"{head}\n{inner}\n{tail}"
    return "\n".join([head, *(f"    {argument}," for argument in arguments), tail])
