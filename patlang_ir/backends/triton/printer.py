"""From `tl` to the text of a Triton module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from patlang_ir.backends.triton.assignments import in_order
from patlang_ir.backends.triton.expressions import Expressions
from patlang_ir.backends.triton.helpers import COMBINERS, ON_DEVICE_OF, kernel_helpers
from patlang_ir.backends.triton.launchers import ALL_HELPERS, MODULES, Launcher, wrapped
from patlang_ir.backends.triton.lines import Lines, TritonText
from patlang_ir.backends.triton.matmul_helpers import ALL_MATMUL_HELPERS
from patlang_ir.backends.triton.matmul_launchers import MatmulLauncher
from patlang_ir.backends.triton.names import Names, Scope
from patlang_ir.backends.triton.types import dtype
from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import Place, place_of, refuse
from patlang_ir.dialects import tl
from patlang_ir.dispatch import by_class
from patlang_ir.traversal import walk

LAUNCHERS = tl.LauncherOp | tl.MatmulLauncherOp
EVERY_HELPER = (*ALL_HELPERS, *ALL_MATMUL_HELPERS)
LAUNCH_OPTIONS = ("num_warps", "num_stages", "enable_fp_fusion")
"""What a launch says to Triton by name: no parameter of a kernel may be called so."""


@paused_collector()
def print_triton(module: ModuleOp) -> TritonText:
    """The text of a stand-alone Triton module, with the place of each line."""
    ops = tuple(module.body.block.ops)
    for op in ops:
        if not isinstance(op, tl.KernelOp | LAUNCHERS):
            raise refuse(op, "P902", f"'{op.name}' cannot be printed as Triton")
    kernels = [op for op in ops if isinstance(op, tl.KernelOp)]
    symbols = function_names(module)
    by_name = {op.sym_name.data: op for op in kernels}
    launchers: list[Launcher | MatmulLauncher] = []
    for op in ops:
        if isinstance(op, tl.LauncherOp):
            launchers.append(Launcher(op, symbols, by_name))
        elif isinstance(op, tl.MatmulLauncherOp):
            launchers.append(MatmulLauncher(op, symbols, by_name, {h.name for h in EVERY_HELPER}))
    for launcher in launchers:
        launcher.print()
    used = {helper for launcher in launchers for helper in launcher.helpers}
    lines = Lines()
    print_header(lines, kernels, launchers, versions(module))
    for helper in (*kernel_helpers(kernels), *(h for h in EVERY_HELPER if h in used)):
        separate(lines)
        for line in helper.text.strip().splitlines():
            lines.add(line)
    of_launcher: dict[Operation, Launcher | MatmulLauncher] = {it.op: it for it in launchers}
    for op in ops:
        separate(lines)
        if isinstance(op, tl.KernelOp):
            KernelPrinter(lines, op, symbols).print()
        elif isinstance(op, LAUNCHERS):
            for line in of_launcher[op].lines.lines:
                lines.add(line)
    return lines.finish(symbols)


def function_names(module: ModuleOp) -> dict[str, str]:
    """The Python name of every kernel and launcher; launchers choose first."""
    scope = Scope((*MODULES, *(helper.name for helper in EVERY_HELPER)))
    launchers = [op for op in module.body.block.ops if isinstance(op, LAUNCHERS)]
    kernels = [op for op in module.body.block.ops if isinstance(op, tl.KernelOp)]
    return {op.sym_name.data: scope.new(op.sym_name.data) for op in (*launchers, *kernels)}


def versions(module: ModuleOp) -> str:
    """The versions of Triton that the text is for."""
    match module.attributes.get(tl.OLDEST_TRITON):
        case StringAttr(data="3.9"):
            return "3.9"
        case StringAttr(data=oldest):
            return f"{oldest} to 3.9"
        case _:
            return "3.6 to 3.9"


def separate(lines: Lines) -> None:
    lines.add()
    lines.add()


def print_header(
    lines: Lines,
    kernels: Sequence[tl.KernelOp],
    launchers: Sequence[Launcher | MatmulLauncher],
    versions: str,
) -> None:
    places = [place_of(op.location) for op in kernels]
    files = dict.fromkeys(PurePath(place.file).name for place in places if place is not None)
    origin = f" from {', '.join(files)}" if files else ""
    lines.add(f'"""Triton kernels{origin}, compiled by PatLang IR for Triton {versions}."""')
    lines.add()
    modules = {
        "contextlib": any(ON_DEVICE_OF in launcher.helpers for launcher in launchers),
        "numbers": any(launcher.scalars for launcher in launchers),
    }
    for module in (name for name, used in modules.items() if used):
        lines.add(f"import {module}")
    if any(modules.values()):
        lines.add()
    if launchers:
        lines.add("import torch")
    lines.add("import triton")
    lines.add("import triton.language as tl")
    if any(isinstance(arg.type, tl.DescriptorType) for k in kernels for arg in k.args):
        lines.add("from triton.tools.tensor_descriptor import TensorDescriptor")
    if any(uses_libdevice(op) for kernel in kernels for op in walk(kernel)):
        lines.add("from triton.language.extra import libdevice")


def uses_libdevice(op: Operation) -> bool:
    return isinstance(op, tl.CallOp) and op.function.data.startswith("lib_")


class KernelPrinter:
    """Writes one kernel: a method for each operation that is a statement."""

    def __init__(self, lines: Lines, kernel: tl.KernelOp, symbols: Mapping[str, str]):
        self.lines = lines
        self.kernel = kernel
        taken = {helper.name for helper in EVERY_HELPER}
        self.constexprs = [constexpr.data for constexpr in kernel.constexprs]
        self.symbol = symbols[kernel.sym_name.data]
        self.names = Names(kernel, Scope({*taken, *LAUNCH_OPTIONS, *self.constexprs}))
        self.expressions = Expressions(self.names)

    def print(self) -> None:
        self.lines.add("@triton.jit")
        params = [self.parameter(arg) for arg in self.kernel.args]
        params += [f"{constexpr}: tl.constexpr" for constexpr in self.constexprs]
        for line in wrapped(f"def {self.symbol}(", params, "):", 0).splitlines():
            self.lines.add(line)
        self.block(self.kernel.body.block)

    def parameter(self, arg: BlockArgument) -> str:
        """A parameter; scalars have a type, or Triton would choose one by their value."""
        name = self.names.get(arg)
        untyped = isinstance(arg.type, tl.PointerType | tl.DescriptorType) or self.is_specialized(
            arg
        )
        return f"{name}" if untyped else f"{name}: {dtype(arg.type)}"

    def is_specialized(self, arg: BlockArgument) -> bool:
        return self.kernel.params.data[arg.index] in (self.kernel.specialized or ())

    def block(self, block: Block, targets: Sequence[SSAValue] = ()) -> None:
        """The statements of a block; its results go to the variables of `targets`."""
        with self.lines.indented():
            before = len(self.lines.lines)
            for op in block.ops:
                self.statement(op)
            if targets:
                last = block.last_op
                assert last is not None
                self.assign(targets, last.operands, last)
            if len(self.lines.lines) == before:
                self.lines.add("pass")

    def assign(
        self, targets: Iterable[SSAValue], values: Iterable[SSAValue], op: Operation
    ) -> None:
        """Assign all the values at once."""
        pairs = [
            (name, value)
            for target, value in zip(targets, values, strict=True)
            if (name := self.names.get(target)) is not None and name != self.names.get(value)
        ]
        for group in in_order(pairs, self.names):
            names = ", ".join(name for name, _ in group)
            texts = ", ".join(self.expressions.text(value) for _, value in group)
            self.add(f"{names} = {texts}", self.place(op, group[0][1]))

    def place(self, op: Operation, value: SSAValue) -> Place | None:
        """Where a value comes from, else where it is given."""
        owner = value.owner
        at = owner if isinstance(owner, Operation) and self.names.get(value) is None else op
        return place_of(at.location)

    def add(self, text: str, place: Place | None) -> None:
        self.lines.add(text, place)

    @by_class
    def statement(self, op: Operation) -> None:
        """An assignment, if the value of `op` is a variable."""
        if not op.results:
            raise refuse(op, "P902", f"'{op.name}' cannot be printed as Triton")
        name = self.names.get(op.results[0])
        if name is not None:
            self.add(f"{name} = {self.expressions.of(op).text}", place_of(op.location))
            return
        if not op.results[0].first_use and not isinstance(op, tl.ConstantOp | tl.ConstexprOp):
            raise refuse(
                op,
                "P901",
                f"a value of '{op.name}' needs a name",
                help="run tl-name-values before printing",
            )

    @statement.register
    def _(self, op: tl.StoreOp) -> None:
        arguments = self.expressions.text(op.pointer), self.expressions.text(op.value)
        self.add(f"tl.store({', '.join(arguments)}{self.mask(op)})", place_of(op.location))

    @statement.register
    def _(self, op: tl.DescriptorStoreOp) -> None:
        value, matrix, row, col = map(self.expressions.text, op.operands)
        self.add(f"{matrix}.store([{row}, {col}], {value})", place_of(op.location))

    @statement.register
    def _(self, op: tl.AtomicOp) -> None:
        arguments = f"{self.expressions.text(op.pointer)}, {self.expressions.text(op.value)}"
        name = f"atomic_{op.function.data}"
        if name in COMBINERS:
            mask = f", {self.expressions.text(op.mask)}" if op.mask is not None else ""
            self.add(f"{name}({arguments}{mask})", place_of(op.location))
            return
        call = f'tl.{name}({arguments}{self.mask(op)}, sem="relaxed")'
        self.add(call, place_of(op.location))

    @statement.register
    def _(self, op: tl.BarrierOp) -> None:
        self.add("tl.debug_barrier()", place_of(op.location))

    def mask(self, op: tl.StoreOp | tl.AtomicOp) -> str:
        return f", mask={self.expressions.text(op.mask)}" if op.mask is not None else ""

    @statement.register
    def _(self, op: scf.ForOp) -> None:
        index, *carried = op.body.block.args
        self.assign(carried, op.iter_args, op)
        bounds = [self.expressions.text(bound) for bound in (op.lb, op.ub, op.step)]
        if bounds[2] == "1":
            bounds.pop()
        if bounds[0] == "0" and len(bounds) == 2:
            bounds.pop(0)
        flatten = tl.FLATTEN in op.attributes
        called = f"tl.range({', '.join(bounds)}, flatten=True)"
        count = called if flatten else f"range({', '.join(bounds)})"
        head = f"for {self.names.get(index)} in {count}:"
        self.add(head, place_of(op.location))
        self.block(op.body.block, carried)

    @statement.register
    def _(self, op: scf.WhileOp) -> None:
        test, body = op.before_region.block, op.after_region.block
        self.assign(test.args, op.arguments, op)
        end = test.last_op
        assert isinstance(end, scf.ConditionOp)
        if tuple(end.args) != tuple(test.args):
            raise refuse(op, "P902", "the test of this loop is no expression")
        self.add(f"while {self.expressions.text(end.condition)}:", place_of(op.location))
        self.block(body, body.args)

    @statement.register
    def _(self, op: scf.IfOp) -> None:
        self.add(f"if {self.expressions.text(op.cond)}:", place_of(op.location))
        self.block(op.true_region.block, op.results)
        if not op.false_region.blocks:
            return
        otherwise = op.false_region.block
        if self.says_something(op, otherwise):
            self.lines.add("else:")
            self.block(otherwise, op.results)

    def says_something(self, op: scf.IfOp, arm: Block) -> bool:
        """Whether a branch has a statement."""
        given = arm.last_op
        assert given is not None
        kept = all(
            self.names.get(value) == self.names.get(result)
            for value, result in zip(given.operands, op.results, strict=True)
        )
        return not kept or given is not arm.first_op

    @statement.register
    def _(self, op: scf.YieldOp) -> None:
        pass
