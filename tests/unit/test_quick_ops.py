"""Operations built without checks are those that xDSL builds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue, Use
from xdsl.ir.core import SSAValues

from patlang_ir import quick_ops
from patlang_ir.dialects import pat

FILE, LINE, COLUMN = StringAttr("f"), IntAttr(2), IntAttr(3)
ADD: dict[str, Attribute] = {"kind": pat.BinaryKindAttr(pat.BinaryKind.ADD)}
AND: dict[str, Attribute] = {"kind": pat.LogicalKindAttr(pat.LogicalKind.AND)}


def quick(place: FileLineColLoc) -> Block:
    block, inner = quick_ops.empty_block(), quick_ops.empty_block()
    x = quick_ops.add_value(block, pat.NameOp, place, (), {"variable": FILE})
    both = quick_ops.add_value(block, pat.BinaryOp, place, (x, x), dict(ADD))
    quick_ops.add_statement(inner, pat.YieldOp, place, (both,), {})
    region = quick_ops.region_of(inner)
    quick_ops.add_value(block, pat.LogicalOp, place, [x], dict(AND), regions=[region])
    return block


def slow(place: FileLineColLoc) -> Block:
    block, inner = Block(), Block()

    def value(kind: type[Operation], *operands: SSAValue, **given: Any) -> SSAValue:
        op = kind.create(operands=operands, result_types=(pat.value,), location=place, **given)
        block.add_op(op)
        return op.results[0]

    x = value(pat.NameOp, properties={"variable": FILE})
    both = value(pat.BinaryOp, x, x, properties=ADD)
    inner.add_op(pat.YieldOp.create(operands=(both,), location=place))
    value(pat.LogicalOp, x, properties=AND, regions=(Region(inner),))
    return block


def is_node(it: object) -> bool:
    return isinstance(it, Operation | Block | Region | SSAValue | Use)


def name_of(it: object) -> str:
    return type(it).__name__


def shape(node: Any, names: dict[int, int]) -> object:
    """All the fields of an IR node, with numbers in the place of nodes that were met before."""
    if type(node) in (tuple, SSAValues):
        return name_of(node), [shape(item, names) for item in node]
    if not is_node(node):
        return node
    if id(node) in names:
        return names[id(node)]
    names[id(node)] = len(names)
    declared: Iterable[str] = getattr(node, "__dataclass_fields__", ())
    fields: set[str] = {*declared, *vars(node)}
    return name_of(node), {field: shape(getattr(node, field), names) for field in sorted(fields)}


def test_every_field_is_the_same():
    place = FileLineColLoc(FILE, LINE, COLUMN)
    assert shape(quick(place), {}) == shape(slow(place), {})
    fast = quick_ops.file_place(FILE, LINE, COLUMN)
    assert fast == place and hash(fast) == hash(place) and vars(fast) == vars(place)


def test_the_verifier_takes_them():
    block = quick(FileLineColLoc(FILE, LINE, COLUMN))
    program = pat.ProgramOp(Region(block))
    program.verify()
    assert [op.name for op in block.ops] == ["pat.name", "pat.binary", "pat.logical"]
