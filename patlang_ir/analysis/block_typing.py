"""The typing rules of `tile` for blocks of matrices.

| operation | types |
|---|---|
| pointer, advance | whole numbers, in i64 |
| load, store  | a block of the buffer's elements; a store converts |
| zeros  | weak, as the literal 0 is |
| dot    | the factors have their common type; the sum is in f32, in f64 for f64, in i32 for i8 |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from xdsl.dialects.builtin import bf16, f16, f32, f64, i8, i32, i64
from xdsl.ir import Attribute, Operation

from patlang_ir.analysis.typing_rules import (
    INDEX,
    Known,
    Rule,
    Sizes,
    TypeProblem,
    Typing,
    promote,
)
from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import is_float, is_integer

LOAD_IT = "load_block(pointer) gives its elements"
ACCUMULATORS: dict[Attribute, Attribute] = {f16: f32, bf16: f32, f32: f32, f64: f64, i8: i32}
"""The types of factors, each with the type in which products are added."""


def expect_no_pointers(args: Sequence[Known]) -> None:
    """What works on values does not work on pointers to blocks."""
    for arg in args:
        if arg.buffer is not None and arg.sizes:
            raise TypeProblem("P306", f"{arg} is no value", LOAD_IT)


def _pointer(arg: Known) -> Known:
    if arg.buffer is None:
        raise TypeProblem(
            "P306",
            f"a pointer to a block is needed here, and this is {arg}",
            "make one with make_block_ptr(buffer, rows, columns, row, column, ...)",
        )
    return arg


def _whole(arg: Known, what: str) -> Known:
    if arg.sizes or not is_integer(arg.element):
        raise TypeProblem("P305", f"{what} is one whole number, and this is {arg}")
    return INDEX


def _block(arg: Known, what: str) -> Known:
    if len(arg.sizes) != 2:
        raise TypeProblem("P305", f"{what} is a block of a matrix, and this is {arg}")
    return arg


def pointer(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.BlockPointerOp)
    start = [_whole(arg, "where a block starts") for arg in args[1:3]]
    extents = [_whole(arg, "the extent of a matrix") for arg in args[3:]]
    known = Known(op.sizes, args[0].element, buffer=op.buffer)
    return Typing((None, *start, *extents), known)


def advance(op: Operation, args: Sequence[Known]) -> Typing:
    moved = _pointer(args[0])
    steps = [_whole(arg, "how far a block moves") for arg in args[1:]]
    return Typing((None, *steps), moved)


def load(op: Operation, args: Sequence[Known]) -> Typing:
    source = _pointer(args[0])
    return Typing((None,), Known(source.sizes, source.element))


def store(op: Operation, args: Sequence[Known]) -> Typing:
    value, target = args[0], _pointer(args[1])
    expect_no_pointers([value])
    stored = Known(target.sizes, target.element)
    if value.sizes and not spreads(value.sizes, target.sizes):
        raise TypeProblem(
            "P310",
            f"a block of {_shape(value)} is stored to one of {_shape(target)}",
            "give make_block_ptr the size of what is stored",
        )
    return Typing((stored, None))


def spreads(narrow: Sizes, wide: Sizes) -> bool:
    """Whether a value of some sizes can be repeated to have others."""
    padded = (1,) * (len(wide) - len(narrow)) + narrow
    return len(narrow) <= len(wide) and all(a in (1, b) for a, b in zip(padded, wide, strict=True))


def zeros(op: Operation, args: Sequence[Known]) -> Typing:
    assert isinstance(op, tile.ZerosOp)
    if op.result.type != tile.unknown:
        return Typing((), Known(op.sizes, tile.element_of(op.result.type)))
    return Typing((), Known(op.sizes, i64, weak=True))


def transpose(op: Operation, args: Sequence[Known]) -> Typing:
    expect_no_pointers(args)
    turned = _block(args[0], "what 'trans' turns")
    return Typing((turned,), replace(turned, sizes=turned.sizes[::-1]))


def dot(op: Operation, args: Sequence[Known]) -> Typing:
    expect_no_pointers(args)
    lhs, rhs = (_block(arg, "a factor of 'dot'") for arg in args[:2])
    acc = args[2]
    if lhs.sizes[1] != rhs.sizes[0]:
        raise TypeProblem(
            "P310",
            f"blocks of {_shape(lhs)} and {_shape(rhs)} have no product: "
            f"{lhs.sizes[1]} and {rhs.sizes[0]} differ",
            "the columns of the first factor are the rows of the second; trans(block) turns one",
        )
    sizes = (lhs.sizes[0], rhs.sizes[1])
    if acc.sizes and not spreads(acc.sizes, sizes):
        product = Known(sizes, lhs.element)
        raise TypeProblem(
            "P310",
            f"the product is a block of {_shape(product)}, and {_shape(acc)} is added to it",
            "make the third argument with zeros_2d and the sizes of the product",
        )
    element = _factor(lhs, rhs, acc)
    total = Known(sizes, ACCUMULATORS[element])
    factors = (replace(arg, element=element, weak=False) for arg in (lhs, rhs))
    return Typing((*factors, total), total)


def _factor(lhs: Known, rhs: Known, acc: Known) -> Attribute:
    """The element type of both factors. A wide accumulator makes them wide."""
    common = promote(Known((), lhs.element, lhs.weak), Known((), rhs.element, rhs.weak))
    element = f32 if common.weak else common.element
    if not acc.weak and element in ACCUMULATORS:
        wider = acc.element == f64 and is_float(element)
        if wider or (element == i8 and is_float(acc.element)):
            element = acc.element
    if element not in ACCUMULATORS:
        name = Known((), element)
        raise TypeProblem("P305", f"'dot' takes f16, bf16, f32, f64 and i8, and this is {name}")
    return element


def _shape(known: Known) -> str:
    return " x ".join(map(str, known.sizes)) if known.sizes else "one number"


BLOCK_RULES: dict[type[Operation], Rule] = {
    tile.ProgramOp: lambda op, args: Typing((), INDEX),
    tile.BlockSizeOp: lambda op, args: Typing((), INDEX),
    tile.LaneOp: lambda op, args: Typing((), Known(tile.sizes_of(op.results[0].type), i64)),
    tile.StrideOp: lambda op, args: Typing((None,), INDEX),
    tile.BlockPointerOp: pointer,
    tile.AdvanceOp: advance,
    tile.LoadBlockOp: load,
    tile.StoreBlockOp: store,
    tile.ZerosOp: zeros,
    tile.TransposeOp: transpose,
    tile.DotOp: dot,
}
"""How each operation on blocks is typed."""
