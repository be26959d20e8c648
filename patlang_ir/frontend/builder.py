"""Builds `pat` operations at the end of a block, each at the place of a token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    LocationAttr,
    StringAttr,
    UnitAttr,
    f64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import Number
from patlang_ir.frontend.lexer import Token

UNARY = {
    "-": pat.UnaryKindAttr(pat.UnaryKind.NEG),
    "not": pat.UnaryKindAttr(pat.UnaryKind.NOT),
    "bnot": pat.UnaryKindAttr(pat.UnaryKind.BNOT),
}
BINARY = {
    sign: pat.BinaryKindAttr(kind)
    for sign, kind in {
        "+": pat.BinaryKind.ADD,
        "-": pat.BinaryKind.SUB,
        "*": pat.BinaryKind.MUL,
        "/": pat.BinaryKind.DIV,
        "%": pat.BinaryKind.REM,
        "==": pat.BinaryKind.EQ,
        "!=": pat.BinaryKind.NE,
        "<": pat.BinaryKind.LT,
        "<=": pat.BinaryKind.LE,
        ">": pat.BinaryKind.GT,
        ">=": pat.BinaryKind.GE,
        "band": pat.BinaryKind.BAND,
        "bor": pat.BinaryKind.BOR,
        "bxor": pat.BinaryKind.BXOR,
        "shl": pat.BinaryKind.SHL,
        "shr": pat.BinaryKind.SHR,
    }.items()
}
RESULT = (pat.value,)
NO_PROPERTIES: Mapping[str, Attribute] = {}


class Builder:
    """Operations are made with `create`: their shape is right by construction.

    The verifier sees them once, later; the constructors would check each a second time.
    """

    def __init__(self) -> None:
        self.block = Block()
        self._strings: dict[str, StringAttr] = {}
        self._numbers: dict[int, IntAttr] = {}

    def enter(self) -> Block:
        """Build into a new block from now on; returns the one before, to be given to `leave`."""
        outer, self.block = self.block, Block()
        return outer

    def leave(self, outer: Block) -> Region:
        """Go back to `outer`; the region of the block that was built."""
        region, self.block = Region(self.block), outer
        return region

    def string(self, text: str) -> StringAttr:
        attribute = self._strings.get(text)
        if attribute is None:
            attribute = self._strings[text] = StringAttr(text)
        return attribute

    def number(self, value: int) -> IntAttr:
        attribute = self._numbers.get(value)
        if attribute is None:
            attribute = self._numbers[value] = IntAttr(value)
        return attribute

    def place(self, token: Token) -> FileLineColLoc:
        return FileLineColLoc(
            self.string(token.file), self.number(token.line), self.number(token.column)
        )

    def _value(
        self,
        kind: type[Operation],
        at: Token,
        operands: Sequence[SSAValue] = (),
        properties: Mapping[str, Attribute] = NO_PROPERTIES,
        regions: Sequence[Region] = (),
    ) -> SSAValue:
        op = kind.create(
            operands=operands,
            result_types=RESULT,
            properties=properties,
            regions=regions,
            location=self.place(at),
        )
        self.block.add_op(op)
        return op.results[0]

    def _statement(
        self,
        kind: type[Operation],
        at: Token,
        operands: Sequence[SSAValue] = (),
        properties: Mapping[str, Attribute] = NO_PROPERTIES,
        regions: Sequence[Region] = (),
    ) -> None:
        op = kind.create(
            operands=operands, properties=properties, regions=regions, location=self.place(at)
        )
        self.block.add_op(op)

    def constant(self, at: Token, literal: Number | StringAttr | UnitAttr) -> SSAValue:
        return self._value(pat.ConstantOp, at, properties={"value": literal})

    def integer(self, at: Token, number: int) -> SSAValue:
        return self.constant(at, self.number(number))

    def float(self, at: Token, number: float) -> SSAValue:
        return self.constant(at, FloatAttr(number, f64))

    def text(self, at: Token, text: str) -> SSAValue:
        return self.constant(at, self.string(text))

    def name(self, at: Token) -> SSAValue:
        return self._value(pat.NameOp, at, properties={"variable": self.string(at.text)})

    def apply(self, at: Token, args: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.ApplyOp, at, args, {"callee": self.string(at.text)})

    def call_value(self, at: Token, callee: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.CallValueOp, at, (callee, *args))

    def unary(self, at: Token, operand: SSAValue) -> SSAValue:
        return self._value(pat.UnaryOp, at, (operand,), {"kind": UNARY[at.kind]})

    def binary(self, at: Token, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self._value(pat.BinaryOp, at, (lhs, rhs), {"kind": BINARY[at.kind]})

    def logical(self, at: Token, lhs: SSAValue, rhs: Region) -> SSAValue:
        kind = pat.LogicalKindAttr(pat.LogicalKind(at.kind))
        return self._value(pat.LogicalOp, at, (lhs,), {"kind": kind}, (rhs,))

    def list(self, at: Token, items: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.ListOp, at, items)

    def index(self, at: Token, base: SSAValue, index: SSAValue) -> SSAValue:
        return self._value(pat.IndexOp, at, (base, index))

    def member(self, at: Token, base: SSAValue) -> SSAValue:
        return self._value(pat.MemberOp, at, (base,), {"member": self.string(at.text)})

    def send(self, at: Token, base: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        """`base.method(args)`"""
        return self._value(pat.SendOp, at, (base, *args), {"method": self.string(at.text)})

    def closure(
        self,
        place: LocationAttr,
        params: Iterable[StringAttr],
        body: Region,
        returns: StringAttr | None = None,
    ) -> SSAValue:
        properties: dict[str, Attribute] = {"params": ArrayAttr(params)}
        if returns is not None:
            properties["result_name"] = returns
        op = pat.ClosureOp.create(
            result_types=RESULT, properties=properties, regions=(body,), location=place
        )
        self.block.add_op(op)
        return op.results[0]

    def let(self, at: Token, stored: SSAValue, mutable: bool) -> None:
        properties: dict[str, Attribute] = {"variable": self.string(at.text)}
        if mutable:
            properties["mutable"] = UnitAttr()
        self._statement(pat.LetOp, at, (stored,), properties)

    def assign(self, at: Token, stored: SSAValue) -> None:
        self._statement(pat.AssignOp, at, (stored,), {"variable": self.string(at.text)})

    def set_member(self, at: Token, base: SSAValue, member: StringAttr, stored: SSAValue) -> None:
        self._statement(pat.SetMemberOp, at, (base, stored), {"member": member})

    def when(self, at: Token, event: str, handler: SSAValue) -> None:
        self._statement(pat.WhenOp, at, (handler,), {"event": self.string(event)})

    def place_class(self, at: Token, op: pat.ClassOp) -> None:
        """Add a class whose place is that of a token."""
        op.location = self.place(at)
        self.block.add_op(op)

    def give(self, at: Token, result: SSAValue) -> None:
        """`pat.yield`"""
        self._statement(pat.YieldOp, at, (result,))

    def branch(self, at: Token, arms: Sequence[Region]) -> None:
        """`pat.if`"""
        self._statement(pat.IfOp, at, regions=arms)

    def loop(self, at: Token, condition: Region, body: Region) -> None:
        """`pat.while`"""
        self._statement(pat.WhileOp, at, regions=(condition, body))

    def finish(self, at: Token, result: SSAValue | None) -> None:
        """`pat.return`"""
        self._statement(pat.ReturnOp, at, () if result is None else (result,))

    def contract(self, at: Token, condition: SSAValue) -> None:
        kind = pat.ContractKindAttr(pat.ContractKind(at.text))
        self._statement(pat.ContractOp, at, (condition,), {"kind": kind})
