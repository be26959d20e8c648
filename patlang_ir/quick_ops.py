"""Operations built without checks, for builders that are right by construction.

What comes out is what xDSL's own constructors build, in an eighth of the time; a test compares the
two. Nothing else in PatLang IR touches the inside of an operation.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, LocationAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, OpResult, Region, SSAValue, Use
from xdsl.ir.core import SSAValues

from patlang_ir.dialects import pat

_new = object.__new__
_set = object.__setattr__


def string(text: str) -> StringAttr:
    """`StringAttr(text)`"""
    attribute = _new(StringAttr)
    _set(attribute, "data", text)
    return attribute


def integer(number: int) -> IntAttr:
    """`IntAttr(number)`"""
    attribute = _new(IntAttr)
    _set(attribute, "data", number)
    return attribute


def file_place(file: StringAttr, line: IntAttr, column: IntAttr) -> FileLineColLoc:
    """`FileLineColLoc(file, line, column)`"""
    place = _new(FileLineColLoc)
    _set(place, "filename", file)
    _set(place, "line", line)
    _set(place, "column", column)
    return place


def empty_block() -> Block:
    """`Block()`"""
    block = _new(Block)
    block._args = ()
    block._first_op = block._last_op = None
    return block


def region_of(block: Block) -> Region:
    """`Region(block)`"""
    region = _new(Region)
    region._first_block = region._last_block = block
    block.parent = region
    return region


def add_value(
    block: Block,
    kind: type[Operation],
    location: LocationAttr,
    operands: Sequence[SSAValue],
    properties: dict[str, Attribute],
    *,
    regions: Sequence[Region] = (),
) -> SSAValue:
    """Add an operation of `pat` with one result to the end of a block; gives the result."""
    op = _new(kind)
    op.location, op.properties, op.attributes = location, properties, {}
    result: OpResult[Attribute] = _new(OpResult)
    result._type, result.op, result.index = pat.value, op, 0
    op.results = SSAValues((result,))
    _add(block, op, operands, regions)
    return result


def add_statement(
    block: Block,
    kind: type[Operation],
    location: LocationAttr,
    operands: Sequence[SSAValue],
    properties: dict[str, Attribute],
    *,
    regions: Sequence[Region] = (),
) -> None:
    """Add an operation without a result to the end of a block."""
    op = _new(kind)
    op.location, op.properties, op.attributes = location, properties, {}
    _add(block, op, operands, regions)


def operands_of(op: Operation) -> SSAValues:
    """`op.operands` for reading: the accessors of single operands count the others each time."""
    return op._operands


def become(op: Operation, kind: type[Operation]) -> None:
    """Make an operation of `pat` one of another kind, with the same operands, properties, regions
    and results. It keeps its place in the block, its location and its uses."""
    _set(op, "__class__", kind)


def _add(
    block: Block, op: Operation, operands: Sequence[SSAValue], regions: Sequence[Region]
) -> None:
    if operands:
        op._operands = SSAValues(operands)
        uses: list[Use] = []
        for index, operand in enumerate(operands):
            use = _new(Use)
            use._operation, use._index = op, index
            uses.append(use)
            if operand.first_use is None:
                operand.first_use = use
            else:
                operand.add_use(use)
        op._operand_uses = tuple(uses)
    if regions:
        op.regions = tuple(regions)
        for region in regions:
            region.parent = op
    last = block._last_op
    if last is None:
        block._first_op = op
    else:
        last._next_op, op._prev_op = op, last
    block._last_op, op.parent = op, block
