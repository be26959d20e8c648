"""The Python expression of an operation, with as few parentheses as it takes."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import isinf, isnan

from xdsl.dialects.builtin import FloatAttr, IntAttr, IntegerType, f64
from xdsl.ir import Attribute, Operation, SSAValue

from patlang_ir.backends.triton.names import Names
from patlang_ir.backends.triton.types import dtype
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tl
from patlang_ir.dialects.tl import BinaryKind, Function, ReduceFunction, UnaryKind
from patlang_ir.dispatch import by_class

COMPARE, OR, XOR, AND, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(9)
"""How tightly an expression binds."""

OPERATORS: dict[BinaryKind, tuple[str, int]] = {
    BinaryKind.ADD: ("+", SUM),
    BinaryKind.SUB: ("-", SUM),
    BinaryKind.MUL: ("*", PRODUCT),
    BinaryKind.DIV: ("/", PRODUCT),
    BinaryKind.FLOORDIV: ("//", PRODUCT),
    BinaryKind.MOD: ("%", PRODUCT),
    BinaryKind.AND: ("&", AND),
    BinaryKind.OR: ("|", OR),
    BinaryKind.XOR: ("^", XOR),
    BinaryKind.SHL: ("<<", SHIFT),
    BinaryKind.SHR: (">>", SHIFT),
    BinaryKind.EQ: ("==", COMPARE),
    BinaryKind.NE: ("!=", COMPARE),
    BinaryKind.LT: ("<", COMPARE),
    BinaryKind.LE: ("<=", COMPARE),
    BinaryKind.GT: (">", COMPARE),
    BinaryKind.GE: (">=", COMPARE),
}

PROPAGATE_NAN = ", propagate_nan=tl.PropagateNan.ALL"

CALLS: dict[Function, tuple[str, str]] = {
    Function.MAXIMUM_NAN: ("tl.maximum", PROPAGATE_NAN),
    Function.MINIMUM_NAN: ("tl.minimum", PROPAGATE_NAN),
    Function.ERF: ("erf", ""),
}
"""Functions that are not called by their own name, and further arguments."""

COMBINE: dict[ReduceFunction, str] = {
    ReduceFunction.PROD: "multiply",
    ReduceFunction.MAX_NAN: "maximum_nan",
    ReduceFunction.MIN_NAN: "minimum_nan",
}
"""The helper that combines two elements, where Triton's own reduction would not do."""


@dataclass(frozen=True)
class Text:
    """An expression and how tightly it binds."""

    text: str
    binding: int = ATOM

    def within(self, binding: int) -> str:
        """The text as an operand of something that binds as tightly as `binding`."""
        return self.text if self.binding >= binding else f"({self.text})"


class Expressions:
    """Writes the values of one kernel."""

    def __init__(self, names: Names):
        self.names = names

    def value(self, value: SSAValue) -> Text:
        """A variable, or the expression of a value that has none."""
        name = self.names.get(value)
        if name is not None:
            return Text(name)
        owner = value.owner
        assert isinstance(owner, Operation)
        if len(owner.results) == 1 and isinstance(owner, tl.ConstantOp | tl.ConstexprOp):
            return self.of(owner)
        if len(tuple(value.uses)) > 1 or isinstance(owner, tl.LoadOp | tl.DescriptorLoadOp):
            raise refuse(
                owner,
                "P901",
                f"a value of '{owner.name}' needs a name",
                help="run tl-name-values before printing",
            )
        return self.of(owner)

    def text(self, value: SSAValue) -> str:
        return self.value(value).text

    @by_class
    def of(self, op: Operation) -> Text:
        """The expression that `op` is."""
        raise refuse(op, "P902", f"'{op.name}' cannot be printed as Triton")

    @of.register
    def _(self, op: tl.ConstantOp) -> Text:
        text = literal(op)
        return Text(text, UNARY if text.startswith("-") else ATOM)

    @of.register
    def _(self, op: tl.ConstexprOp) -> Text:
        return Text(op.symbol.data)

    @of.register
    def _(self, op: tl.ProgramIdOp) -> Text:
        return Text(f"tl.program_id({op.axis.value.data})")

    @of.register
    def _(self, op: tl.NumProgramsOp) -> Text:
        return Text(f"tl.num_programs({op.axis.value.data})")

    @of.register
    def _(self, op: tl.ArangeOp) -> Text:
        return Text(f"tl.arange(0, {tl.sizes_of(op.result.type)[0]})")

    @of.register
    def _(self, op: tl.FullOp) -> Text:
        shape = shape_text(op.result.type)
        return Text(f"tl.full({shape}, {self.text(op.value)}, {dtype(op.result.type)})")

    @of.register
    def _(self, op: tl.ExpandOp) -> Text:
        rank = len(tl.sizes_of(op.result.type))
        indices = ["None" if axis == op.axis.value.data else ":" for axis in range(rank)]
        return Text(f"{self.value(op.operand).within(ATOM)}[{', '.join(indices)}]")

    @of.register
    def _(self, op: tl.BroadcastOp) -> Text:
        return Text(f"tl.broadcast_to({self.text(op.operand)}, {shape_text(op.result.type)})")

    @of.register
    def _(self, op: tl.UnaryOp) -> Text:
        sign = "-" if op.kind.data == UnaryKind.NEG else "~"
        return Text(f"{sign}{self.value(op.operand).within(UNARY)}", UNARY)

    @of.register
    def _(self, op: tl.BinaryOp) -> Text:
        sign, binding = OPERATORS[op.kind.data]
        left = self.value(op.lhs).within(binding + (binding == COMPARE))
        right = self.value(op.rhs).within(binding + 1)
        return Text(f"{left} {sign} {right}", binding)

    @of.register
    def _(self, op: tl.CallOp) -> Text:
        name, more = CALLS.get(op.function.data) or (function_name(op.function.data), "")
        return Text(f"{name}({', '.join(map(self.text, op.args))}{more})")

    @of.register
    def _(self, op: tl.CastOp) -> Text:
        return Text(f"{self.value(op.operand).within(ATOM)}.to({dtype(op.result.type)})")

    @of.register
    def _(self, op: tl.ReduceOp) -> Text:
        axis = axis_text(op)
        helper = COMBINE.get(op.function.data)
        if helper is not None:
            return Text(f"tl.reduce({self.text(op.operand)}, {axis[0]}, {helper}{axis[1]})")
        return Text(f"tl.{op.function.data}({self.text(op.operand)}, axis={axis[0]}{axis[1]})")

    @of.register
    def _(self, op: tl.ReduceIndexOp) -> Text:
        axis, keeps = axis_text(op)
        both = f"({self.text(op.operand)}, {self.text(op.indices)})"
        if op.axis is None:
            # Without an axis Triton may order the lanes of each of the two in its own way.
            both, axis = f"tl.reduce({both}, 1, {op.function.data})", "0"
        return Text(f"tl.reduce({both}, {axis}, {op.function.data}{keeps})[1]")

    @of.register
    def _(self, op: tl.CumsumOp) -> Text:
        return Text(f"tl.cumsum({self.text(op.operand)}, axis={op.axis.value.data})")

    @of.register
    def _(self, op: tl.DotOp) -> Text:
        factors = ", ".join(map(self.text, op.operands))
        precision, out = op.precision.data, dtype(op.result.type)
        return Text(f'tl.dot({factors}, input_precision="{precision}", out_dtype={out})')

    @of.register
    def _(self, op: tl.TransposeOp) -> Text:
        return Text(f"tl.trans({self.text(op.operand)})")

    @of.register
    def _(self, op: tl.DescriptorLoadOp) -> Text:
        arguments = (*map(self.text, op.operands), op.turned.data)
        return Text(f"load_block({', '.join(arguments)})")

    @of.register
    def _(self, op: tl.LoadOp) -> Text:
        arguments = [self.text(op.pointer)]
        if op.mask is not None:
            arguments.append(f"mask={self.text(op.mask)}")
        if op.other is not None:
            arguments.append(f"other={self.text(op.other)}")
        return Text(f"tl.load({', '.join(arguments)})")


def axis_text(op: tl.ReduceOp | tl.ReduceIndexOp) -> tuple[str, str]:
    """The axis of a reduction, and whether it is kept."""
    keeps = ", keep_dims=True" if isinstance(op.result.type, tl.TensorType) else ""
    return "None" if op.axis is None else str(op.axis.value.data), keeps


def function_name(function: Function) -> str:
    if function.startswith("lib_"):
        return f"libdevice.{function.removeprefix('lib_')}"
    return f"tl.{function}"


def shape_text(type: Attribute) -> str:
    sizes = tl.sizes_of(type)
    return f"[{', '.join(map(str, sizes))}]" if sizes else "()"


def literal(op: tl.ConstantOp) -> str:
    """A Python literal that reads back as the same value of its type."""
    match op.value:
        case IntAttr():
            value = op.value.data
        case FloatAttr():
            value = op.value.value.data
        case _:
            return str(bool(op.value.value.data))
    if isinstance(op.result.type, IntegerType):
        return str(int(value))
    return float_text(float(value), op.result.type)


def float_text(value: float, element: Attribute) -> str:
    if isnan(value):
        return 'float("nan")'
    if isinf(value):
        return 'float("inf")' if value > 0 else 'float("-inf")'
    if element == f64:
        return repr(value)
    return shortest_f32(value)


def shortest_f32(value: float) -> str:
    """The shortest decimal that reads back as the same f32."""
    for digits in range(1, 17):
        text = repr(float(f"{value:.{digits}g}"))
        if as_f32(float(text)) == value:
            return text
    return repr(value)


def as_f32(value: float) -> float:
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf")
