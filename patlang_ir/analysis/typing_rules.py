"""The typing rules of `tile`: what an operation makes of the types of its operands.

A type is *weak* if it comes from literals and scalar parameters alone: it gives way to the type
that it meets. Numbers are promoted like this:

| left, right                        | result                              |
|------------------------------------|-------------------------------------|
| two integers                       | the wider one; `u8` with `i8`: `i16`|
| two floats                         | the wider one; `f16` with `bf16`: `f32` |
| an integer and a float             | the float                           |
| a number and a weak one            | the number's own type               |
| an integer and a weak float        | a weak float, computed in f64       |
| two weak numbers                   | weak, as two numbers                |

Literals are i64, and floats of the kernel's widest float type (`literal_float`). The quotient of
two integers is a weak f64. Truth values are not numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects.builtin import (
    FloatAttr,
    IntAttr,
    IntegerType,
    bf16,
    f16,
    f32,
    f64,
    i1,
    i16,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from patlang_ir.dialects import pat, tile
from patlang_ir.dialects.scalars import is_float, is_integer, scalar_name
from patlang_ir.dialects.tile import ReduceKind

Sizes = tuple[str | int, ...]
MAKE_NUMBER = "write select(condition, 1, 0) to make a number of a truth value"


class TypeProblem(Exception):
    """An operation that does not take these types."""

    def __init__(self, code: str, message: str, help: str = ""):
        self.code, self.message, self.help = code, message, help
        super().__init__(message)


@dataclass(frozen=True)
class Known:
    """What is known of a value: its shape, its element type, and whether that is weak.

    A pointer to a block has the buffer that it points into.
    """

    sizes: Sizes
    element: Attribute
    weak: bool = False
    buffer: SSAValue | None = None

    @cached_property
    def type(self) -> Attribute:
        if self.buffer is not None:
            return tile.AccessType(self.sizes, self.element)
        return tile.shaped(self.sizes, self.element)

    def __str__(self) -> str:
        if self.buffer is not None:
            shape = " x ".join(map(str, self.sizes))
            return f"a pointer to a block of {shape} in '{self.buffer.name_hint}'"
        name = scalar_name(self.element)
        kind = {"bool": "a truth value"}.get(name, name)
        return f"{kind} in each lane" if self.sizes else kind


@dataclass(frozen=True)
class Typing:
    """The types that operands are converted to (None: as they are), and that of the result."""

    operands: tuple[Known | None, ...]
    result: Known | None = None


INDEX = Known((), i64)
FLAG = Known((), i1)
LANES: dict[pat.KernelKind, Sizes] = {
    pat.KernelKind.LINEAR: ("BLOCK_SIZE",),
    pat.KernelKind.GRID: ("BLOCK_R", "BLOCK_C"),
}
"""The shape of a full tile in each kind of kernel."""


# --- joining ---


def join_sizes(a: Sizes, b: Sizes) -> Sizes:
    """The common shape of two values, by broadcasting."""
    if a == b or not b:
        return a
    if len(a) < len(b):
        a, b = b, a
    b = (1,) * (len(a) - len(b)) + b
    joined: list[str | int] = []
    for left, right in zip(a, b, strict=True):
        if left != right and 1 not in (left, right):
            shapes = " and ".join(f"[{', '.join(map(str, sizes))}]" for sizes in (a, b))
            raise TypeProblem("P310", f"the shapes {shapes} cannot be combined")
        joined.append(right if left == 1 else left)
    return tuple(joined)


def promote(a: Known, b: Known) -> Known:
    """The type in which two values are combined; the shape is their common one."""
    if a.buffer is not None or b.buffer is not None:
        if a != b:
            raise TypeProblem("P404", f"{a} and {b} cannot be one variable")
        return a
    sizes = join_sizes(a.sizes, b.sizes)
    if a.element == b.element:
        return Known(sizes, a.element, a.weak and b.weak)
    if i1 in (a.element, b.element):
        raise TypeProblem("P304", f"{a} and {b} have no common type", MAKE_NUMBER)
    if a.weak == b.weak:
        return Known(sizes, _wider(a.element, b.element), a.weak)
    weak, strong = (a, b) if a.weak else (b, a)
    if is_float(weak.element) and is_integer(strong.element):
        return Known(sizes, f64, weak=True)
    return Known(sizes, strong.element)


def _wider(a: Attribute, b: Attribute) -> Attribute:
    if is_float(a) != is_float(b):
        return a if is_float(a) else b
    if {a, b} == {f16, bf16}:
        return f32
    if {_width(a), _width(b)} == {8}:
        return i16
    return a if _width(a) > _width(b) else b


def _width(type: Attribute) -> int:
    return type.width.data if isinstance(type, IntegerType) else type.bitwidth  # pyright: ignore


# --- rules ---

Rule = Callable[[Operation, Sequence[Known]], Typing]
WORDS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "neg": "-", "compare": "compare",
    "quotient": "/", "scan": "cumsum",
}  # fmt: skip


def _word(op: Operation) -> str:
    name = op.name.removeprefix("tile.")
    if isinstance(op, tile.ReduceOp):
        extreme = op.kind.data in (ReduceKind.MAX, ReduceKind.MIN)
        name = f"reduce_{op.kind.data}" if extreme else op.kind.data
    return f"'{WORDS.get(name, name)}'"


def _number(op: Operation, known: Known) -> Known:
    if known.element == i1:
        raise TypeProblem("P305", f"{_word(op)} takes numbers, and this is {known}", MAKE_NUMBER)
    return known


def _float(known: Known) -> Known:
    """A number as a float: an integer becomes a weak one."""
    return known if is_float(known.element) else Known(known.sizes, f64, weak=True)


def _integer(op: Operation, known: Known) -> Known:
    if not is_integer(known.element):
        help = "write to_int(v), which cuts off the fraction" if is_float(known.element) else ""
        raise TypeProblem("P305", f"{_word(op)} takes integers, and this is {known}", help)
    return known


def arithmetic(op: Operation, args: Sequence[Known]) -> Typing:
    """Operands and result have the common type."""
    common = _number(op, args[0])
    for arg in args[1:]:
        common = promote(common, _number(op, arg))
    return Typing((common,) * len(args), common)


def division(op: Operation, args: Sequence[Known]) -> Typing:
    """As arithmetic, but integers become floats."""
    return arithmetic(op, [_float(_number(op, arg)) for arg in args])


def floating(op: Operation, args: Sequence[Known]) -> Typing:
    """A function on floats; integers become floats."""
    return division(op, args)


def logical(op: Operation, args: Sequence[Known]) -> Typing:
    sizes: Sizes = ()
    for arg in args:
        sizes = join_sizes(sizes, arg.sizes)
    flag = Known(sizes, i1)
    return Typing((flag,) * len(args), flag)


def bitwise(op: Operation, args: Sequence[Known]) -> Typing:
    return arithmetic(op, [_integer(op, arg) for arg in args])


def compare(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.CompareOp)
    if isinstance(op.lhs.owner, tile.NotOp) and args[1].element != i1:
        message = f"{args[0]} is compared with {args[1]}"
        raise TypeProblem("P304", message, "put the comparison in parentheses: not (a == b)")
    common = promote(*args)
    if op.predicate.data not in (tile.ComparePredicate.EQ, tile.ComparePredicate.NE):
        _number(op, common)
    if is_integer(common.element) and any(map(_is_computed, args, op.operands)):
        common = Known(common.sizes, i64)
    return Typing((common, common), Known(common.sizes, i1))


def _is_computed(known: Known, value: SSAValue) -> bool:
    """Whether a weak number is no literal, so that it may not fit the type that it meets."""
    return known.weak and not isinstance(value.owner, tile.ConstantOp)


def select(op: Operation, args: Sequence[Known]) -> Typing:
    condition, lhs, rhs = args
    common = promote(lhs, rhs)
    common = replace(common, sizes=join_sizes(condition.sizes, common.sizes))
    return Typing((Known(common.sizes, i1), common, common), common)


def cast(op: Operation, args: Sequence[Known]) -> Typing:
    """Where no type is written yet, it is that of `to_int`."""
    element = tile.element_of(op.results[0].type)
    return Typing((None,), Known(args[0].sizes, i64 if element == tile.unknown else element))


def truth(op: Operation, args: Sequence[Known]) -> Typing:
    return Typing((None,), Known(args[0].sizes, i1))


def condition(op: Operation, args: Sequence[Known]) -> Typing:
    (arg,) = args
    if arg.sizes:
        raise TypeProblem(
            "P302",
            "the condition differs from lane to lane, and a kernel has one flow for all lanes",
            "choose values instead of statements: let y = select(condition, a, b)",
        )
    return Typing((None,), FLAG)


def constant(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.ConstantOp)
    if op.result.type != tile.unknown:
        return Typing((), Known((), op.result.type))
    match op.value:
        case FloatAttr():
            return Typing((), Known((), literal_float(kernel_of(op)), weak=True))
        case IntAttr():
            return Typing((), Known((), i64, weak=True))
        case _:
            return Typing((), FLAG)


def index(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.IndexOp)
    lanes = LANES[kernel_of(op).kind.data]
    match op.kind.data:
        case tile.IndexKind.OFFS:
            sizes = lanes
        case tile.IndexKind.ROW:
            sizes = (lanes[0], 1)
        case tile.IndexKind.COL:
            sizes = (1, lanes[1])
    return Typing((), Known(sizes, i64))


def size(op: Operation, args: Sequence[Known]) -> Typing:
    return Typing((), INDEX)


def in_domain(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.InDomainOp)
    return Typing((), Known(tile.sizes_of(op.result.type), i1))


def _index(known: Known) -> Known:
    if known.element == i1:
        raise TypeProblem("P305", f"an index is a number, and this is {known}")
    return Known(known.sizes, i64)


def load(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.LoadOp)
    position = _index(args[1])
    mask = (Known(position.sizes, i1),) if op.mask is not None else ()
    return Typing((None, position, *mask), replace(position, element=args[0].element))


def write(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.StoreOp | tile.AtomicOp)
    stored, buffer, position = args[0], args[1], _index(args[2])
    sizes = join_sizes(stored.sizes, position.sizes)
    if isinstance(op, tile.AtomicOp):
        position = replace(position, sizes=sizes)
    if sizes != position.sizes:
        raise TypeProblem(
            "P307",
            "each lane has its own value here, and the index is the same for "
            + ("several of them" if position.sizes else "all of them"),
            "store to an index of each lane such as offs, or combine the lanes with sum(...)",
        )
    mask = (Known(position.sizes, i1),) if op.mask is not None else ()
    return Typing((replace(position, element=buffer.element), None, position, *mask))


def reduce(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.ReduceOp)
    lanes = _lanes(op, args[0])
    operand = replace(args[0], sizes=join_sizes(args[0].sizes, lanes))
    axis = op.axis.data if op.axis is not None else None
    if axis is not None and axis >= len(lanes):
        raise TypeProblem("P305", "a 1-D kernel has no axes to choose from", "leave the axis out")
    sizes = () if axis is None else tuple(1 if i == axis else s for i, s in enumerate(lanes))
    match op.kind.data:
        case ReduceKind.ANY | ReduceKind.ALL:
            return Typing((replace(operand, element=i1),), Known(sizes, i1))
        case ReduceKind.ARGMAX | ReduceKind.ARGMIN:
            return Typing((_number(op, operand),), Known(sizes, i64))
        case ReduceKind.MAX | ReduceKind.MIN:
            return Typing((_number(op, operand),), Known(sizes, operand.element, operand.weak))
        case ReduceKind.SUM | ReduceKind.PROD:
            wide = replace(_number(op, operand), element=_accumulator(operand.element))
            return Typing((wide,), Known(sizes, wide.element, operand.weak))


def scan(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.ScanOp)
    lanes = _lanes(op, args[0])
    if op.axis.data >= len(lanes):
        raise TypeProblem("P305", "a 1-D kernel has no axes to choose from", "leave the axis out")
    operand = replace(_number(op, args[0]), sizes=join_sizes(args[0].sizes, lanes))
    wide = replace(operand, element=_accumulator(operand.element))
    return Typing((wide,), wide)


def _lanes(op: Operation, operand: Known) -> Sizes:
    """The lanes that a reduction or scan combines: all of a kernel's, or those of a block."""
    lanes = LANES.get(kernel_of(op).kind.data, operand.sizes)
    if not lanes:
        raise TypeProblem("P305", f"{_word(op)} combines the elements of a block, not {operand}")
    return lanes


def _accumulator(element: Attribute) -> Attribute:
    """Sums of integers are computed in i64, of 16-bit floats in f32."""
    if is_integer(element):
        return i64
    return f32 if element in (f16, bf16) else element


def literal_float(kernel: tile.KernelOp) -> Attribute:
    """The type of float literals that meet no other: that of the widest float buffer.

    It is at least f32, and f64 where no buffer holds floats.
    """
    buffers = [arg.type.element for arg in kernel.args if isinstance(arg.type, tile.BufferType)]
    floats = [element for element in buffers if is_float(element)]
    return f32 if floats and f64 not in floats else f64


def kernel_of(op: Operation) -> tile.KernelOp:
    """The kernel around an operation."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, tile.KernelOp):
        parent = parent.parent_op()
    assert parent is not None
    return parent


RULES: dict[type[Operation], Rule] = {
    tile.ConstantOp: constant,
    tile.IndexOp: index,
    tile.SizeOp: size,
    tile.LengthOp: lambda op, args: Typing((None,), INDEX),
    tile.InDomainOp: in_domain,
    tile.ScalarOp: lambda op, args: Typing((None,), args[0]),
    tile.ConditionOp: condition,
    tile.LoadOp: load,
    tile.StoreOp: write,
    tile.AtomicOp: write,
    tile.BarrierOp: lambda op, args: Typing(()),
    tile.ReduceOp: reduce,
    tile.ScanOp: scan,
    tile.CompareOp: compare,
    tile.SelectOp: select,
    tile.TruthOp: truth,
    tile.DivOp: division,
    tile.FmaOp: floating,
    tile.PowOp: floating,
    tile.QuotientOp: bitwise,
    **dict.fromkeys(
        (tile.AddOp, tile.SubOp, tile.MulOp, tile.RemOp, tile.MaxOp, tile.MinOp), arithmetic
    ),
    **dict.fromkeys((tile.AndOp, tile.OrOp, tile.NotOp), logical),
    **dict.fromkeys(
        (tile.BandOp, tile.BorOp, tile.BxorOp, tile.ShlOp, tile.ShrOp, tile.BnotOp), bitwise
    ),
    **dict.fromkeys(
        (tile.NegOp, tile.AbsOp, tile.FloorOp, tile.CeilOp, tile.TruncOp, tile.RoundOp), arithmetic
    ),
    **dict.fromkeys(
        (
            tile.SqrtOp, tile.ExpOp, tile.Exp2Op, tile.LogOp, tile.Log2Op, tile.SinOp, tile.CosOp,
            tile.TanOp, tile.TanhOp, tile.ErfOp,
        ),
        floating,
    ),
    tile.CastOp: cast,
    tile.BroadcastOp: lambda op, args: Typing(
        (None,), Known(tile.sizes_of(op.results[0].type), args[0].element)
    ),
}  # fmt: skip
"""How each operation is typed."""
