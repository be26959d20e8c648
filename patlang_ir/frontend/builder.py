"""Builds `pat` operations at the end of a block, each at the place of a token."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

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

from patlang_ir import quick_ops
from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import Number
from patlang_ir.frontend.lexer import Token
from patlang_ir.frontend.markers import KernelMark
from patlang_ir.quick_ops import add_statement, add_value, empty_block, file_place, region_of

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
LOGICAL = {str(kind): pat.LogicalKindAttr(kind) for kind in pat.LogicalKind}
MUTABLE = UnitAttr()
Properties: TypeAlias = dict[str, Attribute]


class Strings(dict[str, StringAttr]):
    """One attribute for each text."""

    def __missing__(self, text: str) -> StringAttr:
        attribute = self[text] = quick_ops.string(text)
        return attribute


class Numbers(dict[int, IntAttr]):
    """One attribute for each number."""

    def __missing__(self, number: int) -> IntAttr:
        attribute = self[number] = quick_ops.integer(number)
        return attribute


class Floats(dict[float, FloatAttr]):
    """One attribute for each number."""

    def __missing__(self, number: float) -> FloatAttr:
        attribute = self[number] = FloatAttr(number, f64)
        return attribute


class Builder:
    """The shape of the operations is right by construction.

    The verifier sees them once, later; the constructors would check each a second time.
    """

    def __init__(self) -> None:
        self.block = empty_block()
        self.strings = Strings()
        self.numbers = Numbers()
        self.floats = Floats()

    def enter(self) -> Block:
        """Build into a new block from now on; returns the one before, to be given to `leave`."""
        outer, self.block = self.block, empty_block()
        return outer

    def leave(self, outer: Block) -> Region:
        """Go back to `outer`; the region of the block that was built."""
        region, self.block = region_of(self.block), outer
        return region

    def place(self, token: Token) -> FileLineColLoc:
        numbers = self.numbers
        return file_place(self.strings[token.file], numbers[token.line], numbers[token.column])

    def _value(
        self,
        kind: type[Operation],
        at: Token,
        operands: Sequence[SSAValue],
        properties: Properties,
        regions: Sequence[Region] = (),
    ) -> SSAValue:
        numbers = self.numbers
        place = file_place(self.strings[at.file], numbers[at.line], numbers[at.column])
        return add_value(self.block, kind, place, operands, properties, regions=regions)

    def _statement(
        self,
        kind: type[Operation],
        at: Token,
        operands: Sequence[SSAValue],
        properties: Properties,
        regions: Sequence[Region] = (),
    ) -> None:
        add_statement(self.block, kind, self.place(at), operands, properties, regions=regions)

    def constant(self, at: Token, literal: Number | StringAttr | UnitAttr) -> SSAValue:
        return self._value(pat.ConstantOp, at, (), {"value": literal})

    def integer(self, at: Token, number: int) -> SSAValue:
        return self.constant(at, self.numbers[number])

    def float(self, at: Token, number: float) -> SSAValue:
        return self.constant(at, self.floats[number])

    def text(self, at: Token, text: str) -> SSAValue:
        return self.constant(at, self.strings[text])

    def name(self, at: Token) -> SSAValue:
        return self._value(pat.NameOp, at, (), {"variable": self.strings[at.text]})

    def apply(self, at: Token, args: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.ApplyOp, at, args, {"callee": self.strings[at.text]})

    def call_value(self, at: Token, callee: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.CallValueOp, at, (callee, *args), {})

    def unary(self, at: Token, operand: SSAValue) -> SSAValue:
        return self._value(pat.UnaryOp, at, (operand,), {"kind": UNARY[at.kind]})

    def binary(self, at: Token, lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self._value(pat.BinaryOp, at, (lhs, rhs), {"kind": BINARY[at.kind]})

    def logical(self, at: Token, lhs: SSAValue, rhs: Region) -> SSAValue:
        return self._value(pat.LogicalOp, at, (lhs,), {"kind": LOGICAL[at.kind]}, (rhs,))

    def list(self, at: Token, items: Sequence[SSAValue]) -> SSAValue:
        return self._value(pat.ListOp, at, items, {})

    def index(self, at: Token, base: SSAValue, index: SSAValue) -> SSAValue:
        return self._value(pat.IndexOp, at, (base, index), {})

    def member(self, at: Token, base: SSAValue) -> SSAValue:
        return self._value(pat.MemberOp, at, (base,), {"member": self.strings[at.text]})

    def send(self, at: Token, base: SSAValue, args: Sequence[SSAValue]) -> SSAValue:
        """`base.method(args)`"""
        return self._value(pat.SendOp, at, (base, *args), {"method": self.strings[at.text]})

    def closure(
        self,
        place: LocationAttr,
        params: Iterable[str],
        body: Region,
        returns: StringAttr | None = None,
    ) -> SSAValue:
        properties: Properties = {"params": ArrayAttr([self.strings[name] for name in params])}
        if returns is not None:
            properties["result_name"] = returns
        return add_value(self.block, pat.ClosureOp, place, (), properties, regions=(body,))

    def function(
        self,
        at: Token,
        params: Iterable[str],
        body: Region,
        returns: str | None,
        mark: KernelMark | None,
    ) -> pat.FuncOp:
        """A function that is called as the token says, and is in no block."""
        given: dict[str, Attribute | None] = {
            "sym_name": self.strings[at.text],
            "params": ArrayAttr([self.strings[name] for name in params]),
            "result_name": self.strings[returns] if returns is not None else None,
            "kernel": pat.KernelKindAttr(mark.kind) if mark is not None else None,
            "options": mark.options if mark is not None else None,
        }
        properties = {name: attribute for name, attribute in given.items() if attribute is not None}
        return pat.FuncOp.create(properties=properties, regions=(body,), location=self.place(at))

    def let(self, at: Token, stored: SSAValue, mutable: bool) -> None:
        properties: Properties = {"variable": self.strings[at.text]}
        if mutable:
            properties["mutable"] = MUTABLE
        self._statement(pat.LetOp, at, (stored,), properties)

    def assign(self, at: Token, stored: SSAValue) -> None:
        self._statement(pat.AssignOp, at, (stored,), {"variable": self.strings[at.text]})

    def set_member(self, at: Token, base: SSAValue, member: StringAttr, stored: SSAValue) -> None:
        self._statement(pat.SetMemberOp, at, (base, stored), {"member": member})

    def when(self, at: Token, event: str, handler: SSAValue) -> None:
        self._statement(pat.WhenOp, at, (handler,), {"event": self.strings[event]})

    def place_class(self, at: Token, op: pat.ClassOp) -> None:
        """Add a class whose place is that of a token."""
        op.location = self.place(at)
        self.block.add_op(op)

    def give(self, at: Token, result: SSAValue) -> None:
        """`pat.yield`"""
        self._statement(pat.YieldOp, at, (result,), {})

    def branch(self, at: Token, arms: Sequence[Region]) -> None:
        """`pat.if`"""
        self._statement(pat.IfOp, at, (), {}, arms)

    def loop(self, at: Token, condition: Region, body: Region) -> None:
        """`pat.while`"""
        self._statement(pat.WhileOp, at, (), {}, (condition, body))

    def finish(self, at: Token, result: SSAValue | None) -> None:
        """`pat.return`"""
        self._statement(pat.ReturnOp, at, () if result is None else (result,), {})

    def contract(self, at: Token, condition: SSAValue) -> None:
        kind = pat.ContractKindAttr(pat.ContractKind(at.text))
        self._statement(pat.ContractOp, at, (condition,), {"kind": kind})
