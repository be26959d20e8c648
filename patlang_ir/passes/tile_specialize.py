"""Give the parameters of each kernel the types of a call."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp, StringAttr, f64, i1, i64
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from patlang_ir.analysis.dataflow import backward_slice
from patlang_ir.diagnostics import Report
from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import SCALARS, is_float, is_integer
from patlang_ir.traversal import walk

BITWISE = (tile.BandOp, tile.BorOp, tile.BxorOp, tile.BnotOp, tile.ShlOp, tile.ShrOp)


def index_buffers(kernel: tile.KernelOp) -> set[SSAValue]:
    """The buffers whose elements reach an index or a bitwise word."""
    roots: list[SSAValue] = []
    for op in walk(kernel):
        if isinstance(op, tile.LoadOp | tile.StoreOp | tile.AtomicOp):
            roots.append(op.index)
        if isinstance(op, BITWISE):
            roots.extend(op.operands)
    owners = (value.owner for value in backward_slice(roots))
    return {owner.buffer for owner in owners if isinstance(owner, tile.LoadOp)}


def numbers_of_places(kernel: tile.KernelOp) -> set[SSAValue]:
    """What the places of blocks are computed from: whole numbers."""
    roots: list[SSAValue] = []
    for op in walk(kernel):
        if isinstance(op, tile.BlockPointerOp):
            roots += (op.row, op.col, op.rows, op.cols)
        if isinstance(op, tile.AdvanceOp):
            roots += (op.rows, op.cols)
    return backward_slice(roots)


def parse_signature(text: str, report: Report) -> dict[str, Attribute]:
    """Read `x=f16,out=f32`. A type that is not known is reported as P502."""
    types: dict[str, Attribute] = {}
    for part in filter(None, text.replace(" ", "").split(",")):
        name, _, type_name = part.partition("=")
        if type_name not in SCALARS:
            report.error(
                None,
                "P502",
                f"'{type_name}' is not an element type (in the signature '{text}')",
                f"write {name}= and one of {', '.join(SCALARS)}",
            )
            continue
        types[name] = SCALARS[type_name]
    return types


@dataclass(frozen=True)
class TileSpecialize(ModulePass):
    """Give the parameters of each kernel the types of a call.

    `%x : !tile.buffer<!tile.unknown>` -> `%x : !tile.buffer<f32>`

    A buffer that the signature does not name has the default type, or an integer of that width
    where its elements reach an index; a scalar is weak. Types that are known already stay.
    """

    name = "tile-specialize"

    signature: str = field(
        default="", metadata={"help": 'element types of the arguments: "x=f16,out=f32"'}
    )
    default: str = field(
        default="f32", metadata={"help": "the type of buffers that are not named: f32 or f64"}
    )
    math: str = field(
        default="", metadata={"help": "strict or fast, in the place of what the marker says"}
    )

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        with Report() as report:
            named = parse_signature(self.signature, report)
            for kernel in op.ops:
                if isinstance(kernel, tile.KernelOp):
                    self.specialize(kernel, named, report)

    def specialize(
        self, kernel: tile.KernelOp, named: dict[str, Attribute], report: Report
    ) -> None:
        if self.math:
            given = kernel.options.data if kernel.options is not None else dict[str, Attribute]()
            kernel.options = DictionaryAttr({**given, "math": StringAttr(self.math)})
        indices, places = index_buffers(kernel), numbers_of_places(kernel)
        option = kernel.option("types")
        default = option.data if isinstance(option, StringAttr) else self.default
        if default not in SCALARS or not is_float(SCALARS[default]):
            report.error(kernel, "P118", f"'{default}' is not a type for the numbers of a kernel")
            return
        for name, arg in zip(kernel.param_names, kernel.args, strict=True):
            element = named.get(name)
            if element is None:
                element = _integer_like(default) if arg in indices else SCALARS[default]
                if arg.type == tile.unknown:
                    element = i64 if arg in places else f64
            _set_type(arg, element)


def _integer_like(default: str) -> Attribute:
    return i64 if default == "f64" else SCALARS["i32"]


def _set_type(arg: BlockArgument, element: Attribute) -> None:
    if arg.type == tile.BufferType(tile.unknown):
        Rewriter.replace_value_with_new_type(arg, tile.BufferType(element))
    if arg.type == tile.unknown:
        widest = i1 if element == i1 else i64 if is_integer(element) else f64
        Rewriter.replace_value_with_new_type(arg, tile.WeakType(widest))
