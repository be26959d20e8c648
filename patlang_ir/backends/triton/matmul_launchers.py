"""Launchers of matmul kernels: the sizes from the shapes, the blocks from a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import PurePath

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from patlang_ir.backends.triton import helpers, matmul_helpers
from patlang_ir.backends.triton.helpers import Helper
from patlang_ir.backends.triton.launchers import CONVERSIONS, MODULES, kind
from patlang_ir.backends.triton.layout import WIDTH, number, wrapped
from patlang_ir.backends.triton.lines import Lines
from patlang_ir.backends.triton.names import Scope
from patlang_ir.backends.triton.types import torch_dtype
from patlang_ir.diagnostics import place_of
from patlang_ir.dialects import tl
from patlang_ir.dialects.copies import Layout
from patlang_ir.dialects.tl import ArgumentAttr, ArgumentKind, ParameterAttr

SIZES = ("M", "N", "K")
OWN_NAMES = ("_", "plan", "chosen", "cores", "programs")
"""The variables that every launcher may have beside its parameters."""
LOAD, STORE = StringAttr("load"), StringAttr("store")
SPEED = "speed"


def power(value: int) -> str:
    """A number, as a power of two where that is easier to read."""
    shift = value.bit_length() - 1
    return f"2**{shift}" if shift > 9 and value == 1 << shift else str(value)


def condition(facts: Sequence[str], indent: int) -> str:
    """The head of an `if` that asks for all facts."""
    line = f"if {' and '.join(facts)}:"
    if 4 * indent + len(line) <= WIDTH:
        return line
    return "\n".join(("if (", *(f"    {'and ' * (i > 0)}{f}" for i, f in enumerate(facts)), "):"))


def uses_of(launch: tl.MatmulLaunchOp) -> Mapping[str, Attribute]:
    """How each matrix is used of which the GPU moves blocks by itself."""
    return launch.described.data if launch.described is not None else {}


class MatmulLauncher:
    """Writes one launcher; `helpers` collects the functions that it calls."""

    def __init__(
        self,
        op: tl.MatmulLauncherOp,
        symbols: Mapping[str, str],
        kernels: Mapping[str, tl.KernelOp],
        taken: set[str],
    ):
        self.op, self.symbols, self.kernels = op, symbols, kernels
        self.lines = Lines()
        self.helpers: list[Helper] = []
        self.launches = [i for i in op.body.block.ops if isinstance(i, tl.MatmulLaunchOp)]
        self.scope = Scope({*taken, *symbols.values(), *MODULES, *SIZES, *OWN_NAMES})
        self.params = {p.parameter.data: self.scope.new(p.parameter.data) for p in op.params}
        used = [param for param in op.params if not param.has("unused")]
        self.buffers = [param for param in used if param.has("buffer")]
        self.scalars = [param for param in used if param.has("scalar")]
        self.tables = {launch: self.scope.new(self.table_name(launch)) for launch in self.launches}

    def table_name(self, launch: tl.MatmulLaunchOp) -> str:
        return f"{self.symbols[launch.kernel.data].upper()}_PLANS"

    def add(self, text: str) -> None:
        for line in text.splitlines():
            self.lines.add(line)

    def call(self, helper: Helper, *arguments: str, to: str = "") -> None:
        self.use(helper)
        self.add(wrapped(f"{to}{helper.name}(", arguments, ")", self.lines.indent))

    def print(self) -> None:
        for launch in self.launches:
            self.print_table(launch)
        name = self.symbols[self.op.sym_name.data]
        self.add(wrapped(f"def {name}(", tuple(self.params.values()), "):", 0))
        with self.lines.indented():
            self.lines.add(self.docstring())
            self.check()
            self.measure()
            self.check_apart()
            self.check_empty()
            for _, group in groupby(self.launches, uses_of):
                self.print_launches(tuple(group))

    def print_launches(self, launches: Sequence[tl.MatmulLaunchOp]) -> None:
        """Print launches of one kernel in several orders, with what they are worth and need."""
        first = launches[0]
        if first.described is None:
            self.launch(launches, self.params)
            return
        places = self.copies(first)
        layouts = first.copies.by_name if first.copies is not None else {}
        facts = [
            self.fits(places[name], use, layouts.get(name, Layout.EITHER))
            for name, use in uses_of(first).items()
        ]
        self.add(condition(facts, self.lines.indent))
        with self.lines.indented():
            self.launch(launches, places)
            self.copy(self.written(first), places, back=True)
            self.lines.add("return")

    def use(self, helper: Helper) -> None:
        if helper not in self.helpers:
            self.helpers.append(helper)

    def fits(self, variable: str, use: Attribute, layout: Layout) -> str:
        """The test that the GPU can move blocks of a matrix by itself."""
        self.use(matmul_helpers.FITS_DESCRIPTOR)
        more = ", written=True" if use == STORE else ""
        if use == LOAD and layout != Layout.EITHER:
            more = f', layout="{layout}"'
        return f"fits_descriptor({variable}{more})"

    def copies(self, launch: tl.MatmulLaunchOp) -> dict[str, str]:
        """The variables of the matrices, or of the copies that are made where that pays."""
        if launch.copies is None:
            return self.params
        written = self.written(launch)
        layouts = launch.copies.by_name
        new = {n: self.scope.new(f"{n}_{'out' if n in written else 'in'}") for n in layouts}
        extent, volume = launch.copies.extent.data, power(launch.copies.volume.data)
        self.lines.add(f"{', '.join(new.values())} = {', '.join(self.params[n] for n in new)}")
        sizes = [self.size(size) for size in SIZES]
        self.add(f"if min({', '.join(sizes)}) >= {extent} and {' * '.join(sizes)} >= {volume}:")
        self.use(matmul_helpers.FITS_DESCRIPTOR)
        with self.lines.indented():
            for name, variable in new.items():
                arguments = [self.params[name], f'"{layouts[name]}"']
                arguments += ["written=True"] if name in written else []
                self.call(matmul_helpers.ROOM_FOR, *arguments, to=f"{variable} = ")
            self.copy([name for name in new if name not in written], new)
        return {**self.params, **new}

    def copy(self, names: Sequence[str], places: Mapping[str, str], *, back: bool = False) -> None:
        """Copy matrices that have copies to these, or back."""
        for name in names:
            ends = (self.params[name], places[name])
            if ends[0] != ends[1]:
                self.call(matmul_helpers.COPY_MATRIX, *(reversed(ends) if back else ends))

    def written(self, launch: tl.MatmulLaunchOp) -> list[str]:
        """The matrices that are stored by descriptors."""
        return [name for name, use in uses_of(launch).items() if use == STORE]

    def check_empty(self) -> None:
        """A result without elements needs no launch."""
        cuts = {size for launch in self.launches for size, _ in self.cut(launch)}
        if cuts:
            self.lines.add(f"if {' or '.join(f'{size} == 0' for size in SIZES if size in cuts)}:")
            with self.lines.indented():
                self.lines.add("return")

    def cut(self, launch: tl.MatmulLaunchOp) -> list[tuple[str, str]]:
        """The sizes that programs follow, and their blocks."""
        pairs = zip(SIZES, launch.cuts, strict=False)
        return [(size, f'plan["{cut.data}"]') for size, cut in pairs if cut.data]

    def print_table(self, launch: tl.MatmulLaunchOp) -> None:
        """The plans of a launch, each with its speed where the speeds decide."""
        rows: list[str] = []
        timed = self.is_timed(launch)
        for plan in launch.plans:
            options = [f"{k}={number(value)}" for k, value in plan.data.items() if k != SPEED]
            row = wrapped("dict(", options, ")", 1)
            rows.append(f"({number(plan.data[SPEED])}, {row})" if timed else row)
        self.lines.add(f"{self.tables[launch]} = (")
        with self.lines.indented():
            for row in rows:
                self.add(f"{row},")
        self.lines.add(")")
        self.lines.add()
        self.lines.add()

    def docstring(self) -> str:
        place = place_of(self.op.location)
        origin = f" of {PurePath(place.file).name}" if place else ""
        written = ", ".join(self.params[p.parameter.data] for p in self.buffers if p.has("written"))
        kernel = f"{self.op.sym_name.data}{origin}"
        return f'"""Run the kernel {kernel}; it writes {written or "nothing"}."""'

    def named(self, param: ParameterAttr) -> tuple[str, str]:
        name = param.parameter.data
        return f'"{name}"', self.params[name]

    def check(self) -> None:
        """Refuse arguments that the kernel is not made for."""
        rows = [f"({', '.join(self.named(p))}, {torch_dtype(p.element)})" for p in self.buffers]
        self.call(matmul_helpers.CHECK_TENSORS, *rows)
        for param in self.scalars:
            self.call(helpers.CHECK_SCALAR, *self.named(param), f"numbers.{kind(param.element)}")

    def measure(self) -> None:
        """Take the sizes from the matrices, and compare all matrices with them."""
        known: set[str] = set()
        rows: list[str] = []
        for matrix in self.op.matrices:
            variable = self.params[matrix.parameter.data]
            sizes = ", ".join(f'"{s}"' if isinstance(s, str) else str(s) for s in matrix.sizes)
            rows.append(f'("{matrix.parameter.data}", {variable}, ({sizes}))')
            known.update(size for size in matrix.sizes if isinstance(size, str))
        names = [size for size in SIZES if size in known]
        if not rows:
            return
        listed = ", ".join(f'"{name}"' for name in names)
        names_argument = f"({listed},)" if len(names) == 1 else f"({listed})"
        target = f"{', '.join(names)}{',' if len(names) == 1 else ''} = " if names else ""
        self.call(matmul_helpers.SOLVE_SIZES, names_argument, *rows, to=target)
        for matrix in self.op.matrices:
            if 1 in matrix.sizes:
                variable, axis = self.params[matrix.parameter.data], int(matrix.sizes[0] == 1)
                self.call(matmul_helpers.AS_MATRIX, variable, str(axis), to=f"{variable} = ")

    def check_apart(self) -> None:
        if len(self.buffers) > 1 and any(p.has("written") for p in self.buffers):
            rows = (f"({', '.join(self.named(p))}, {p.has('written')})" for p in self.buffers)
            self.call(matmul_helpers.CHECK_SEPARATE, *rows)

    def launch(self, launches: Sequence[tl.MatmulLaunchOp], places: Mapping[str, str]) -> None:
        """Choose a plan and run its kernel, on the matrices that these variables have."""
        *others, last = launches
        if self.is_timed(last) or last.persistent is not None:
            self.use(matmul_helpers.CORES)
            self.call(matmul_helpers.PROCESSORS, self.first, to="cores = ")
        cut = self.cut(last)
        self.choose(launches, cut)
        count = " * ".join(f"cdiv({size}, {block})" for size, block in cut) or "1"
        if cut:
            self.use(helpers.CDIV)
        self.lines.add(f"programs = {count}")
        for launch in others:
            keyword = "if" if launch is launches[0] else "elif"
            self.lines.add(f"{keyword} chosen in {self.tables[launch]}:")
            with self.lines.indented():
                self.run(launch, places)
        if not others:
            self.run(last, places)
            return
        self.lines.add("else:")
        with self.lines.indented():
            self.run(last, places)

    @property
    def first(self) -> str:
        """The variable of the first tensor, on whose GPU the kernel runs."""
        return self.named(self.buffers[0])[1]

    def run(self, launch: tl.MatmulLaunchOp, places: Mapping[str, str]) -> None:
        """Run a kernel with the plan."""
        if launch.persistent is not None:
            self.lines.add("programs = min(programs, cores)")
        self.use(helpers.HERE)
        self.use(helpers.ON_DEVICE_OF)
        self.lines.add(f"with on_device_of({self.first}):")
        with self.lines.indented():
            kernel = self.symbols[launch.kernel.data]
            options = (f"{name}={number(value)}" for name, value in launch.options.data.items())
            arguments = (
                *(self.argument(argument, launch, places) for argument in launch.args),
                "**plan",
                *self.turned(launch, places),
                *options,
            )
            self.add(wrapped(f"{kernel}[(programs,)](", arguments, ")", self.lines.indent))

    def is_timed(self, launch: tl.MatmulLaunchOp) -> bool:
        """Whether its plan is one of several, of which the time that they take decides."""
        others = [other for other in self.launches if uses_of(other) == uses_of(launch)]
        return launch.cover is None and sum(len(other.plans) for other in others) > 1

    def choose(self, launches: Sequence[tl.MatmulLaunchOp], cut: Sequence[tuple[str, str]]) -> None:
        """Choose a plan by the sizes."""
        last = launches[-1]
        table = " + ".join(self.tables[launch] for launch in launches)
        if last.cover is not None:
            axes = [axis.data for axis in last.cover]
            extents = [f"{('BLOCK_M', 'BLOCK_N')[a]}={self.size(SIZES[a])}" for a in axes]
            self.call(matmul_helpers.COVERING_PLAN, table, *extents, to="plan = ")
        elif not self.is_timed(last):
            self.lines.add(f"plan = {table}[0]")
        else:
            sizes = [size if any(size == c[0] for c in cut) else "1" for size in SIZES[:2]]
            several = len(launches) > 1
            to = "chosen = " if several else "_, plan = "
            self.call(matmul_helpers.CHOOSE_PLAN, table, *sizes, "cores", to=to)
            if several:
                self.lines.add("_, plan = chosen")

    def turned(self, launch: tl.MatmulLaunchOp, places: Mapping[str, str]) -> list[str]:
        """Which of the matrices that are loaded by descriptors lie by columns."""
        loads = [name for name, use in uses_of(launch).items() if use == LOAD]
        return [f"{n.upper()}_TURNED={places[n]}.stride(1) != 1" for n in loads]

    def describe(self, name: str, launch: tl.MatmulLaunchOp, variable: str) -> str:
        """The descriptor of a matrix."""
        self.use(matmul_helpers.DESCRIBE)
        kernel = self.kernels[launch.kernel.data]
        type = kernel.args[kernel.param_names.index(name)].type
        assert isinstance(type, tl.DescriptorType)
        sizes = (f'plan["{size}"]' if isinstance(size, str) else f"{size}" for size in type.sizes)
        return f"describe({variable}, {', '.join(sizes)})"

    def argument(
        self, argument: ArgumentAttr, launch: tl.MatmulLaunchOp, places: Mapping[str, str]
    ) -> str:
        name = argument.parameter.data
        variable = places.get(name, "")
        match argument.passed:
            case ArgumentKind.POINTER:
                return variable
            case ArgumentKind.DESCRIPTOR:
                return self.describe(name, launch, variable)
            case ArgumentKind.SCALAR:
                element = next(p.element for p in self.scalars if p.parameter == argument.parameter)
                return f"{CONVERSIONS[kind(element)]}({variable})"
            case ArgumentKind.LENGTH:
                return f"{variable}.numel()"
            case ArgumentKind.ROW_STRIDE:
                return f"{variable}.stride(0)"
            case ArgumentKind.COL_STRIDE:
                return f"{variable}.stride(1)"
            case ArgumentKind.M | ArgumentKind.N_OF_MATRIX | ArgumentKind.K:
                return self.size(argument.passed.value)
            case _:
                raise AssertionError(argument)

    def size(self, size: str) -> str:
        """A size; one that no matrix has is 1."""
        known = {s for matrix in self.op.matrices for s in matrix.sizes}
        return size if size in known else "1"
