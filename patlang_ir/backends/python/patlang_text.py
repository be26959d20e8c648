"""An expression of `pat` as PatLang text, for messages that quote the program."""

from __future__ import annotations

from functools import partial

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import SSAValue

from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.pat import BinaryKind, LogicalKind, UnaryKind
from patlang_ir.runtime.values import text

_BINARY: dict[BinaryKind | LogicalKind, tuple[str, int]] = {
    LogicalKind.OR: ("or", 1),
    LogicalKind.AND: ("and", 2),
    BinaryKind.EQ: ("==", 3),
    BinaryKind.NE: ("!=", 3),
    BinaryKind.LT: ("<", 4),
    BinaryKind.LE: ("<=", 4),
    BinaryKind.GT: (">", 4),
    BinaryKind.GE: (">=", 4),
    BinaryKind.BAND: ("band", 5),
    BinaryKind.BOR: ("bor", 5),
    BinaryKind.BXOR: ("bxor", 5),
    BinaryKind.ADD: ("+", 6),
    BinaryKind.SUB: ("-", 6),
    BinaryKind.SHL: ("shl", 7),
    BinaryKind.SHR: ("shr", 7),
    BinaryKind.MUL: ("*", 8),
    BinaryKind.DIV: ("/", 8),
    BinaryKind.REM: ("%", 8),
}
_UNARY: dict[UnaryKind, str] = {
    UnaryKind.NEG: "-",
    UnaryKind.NOT: "not ",
    UnaryKind.BNOT: "bnot ",
}
_TIGHT, _POSTFIX = 9, 10
_DEEPEST = 100
"""How far an expression is shown: what is longer helps nobody."""

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"})


def patlang_text(value: SSAValue, outer: int = 0, depth: int = 0) -> str:
    """The expression that computes `value`, in parentheses where `outer` binds tighter. Of one that
    is `depth` deep inside another only so much is shown."""
    if depth > _DEEPEST:
        return "..."
    shown, tier = _write(value, depth + 1)
    return shown if tier >= outer else f"({shown})"


def _write(value: SSAValue, depth: int) -> tuple[str, int]:
    """The text and how tightly it holds together."""
    op = value.owner
    inner = partial(patlang_text, depth=depth)
    match op:
        case pat.ConstantOp():
            return _literal(op), _POSTFIX
        case pat.GetOp() | pat.NameOp() | pat.ImplicitOp():
            return op.variable.data, _POSTFIX
        case pat.UnaryOp():
            return _UNARY[op.kind.data] + inner(op.operand, _TIGHT), _TIGHT
        case pat.BinaryOp():
            sign, tier = _BINARY[op.kind.data]
            lhs, rhs = inner(op.lhs, tier), inner(op.rhs, tier + 1)
            return f"{lhs} {sign} {rhs}", tier
        case pat.LogicalOp():
            sign, tier = _BINARY[op.kind.data]
            yielded = op.rhs.block.last_op
            assert isinstance(yielded, pat.YieldOp)
            lhs, rhs = inner(op.lhs, tier), inner(yielded.value, tier + 1)
            return f"{lhs} {sign} {rhs}", tier
        case pat.ListOp():
            return f"[{', '.join(map(inner, op.items))}]", _POSTFIX
        case pat.IndexOp():
            return f"{inner(op.base, _POSTFIX)}[{inner(op.index)}]", _POSTFIX
        case pat.MemberOp():
            return f"{inner(op.base, _POSTFIX)}.{op.member.data}", _POSTFIX
        case pat.CallValueOp():
            arguments = ", ".join(map(inner, op.args))
            return f"{inner(op.callee, _POSTFIX)}({arguments})", _POSTFIX
        case pat.SendOp():
            arguments = ", ".join(map(inner, op.args))
            base = inner(op.base, _POSTFIX)
            return f"{base}.{op.method.data}({arguments})", _POSTFIX
        case pat.MakeClosureOp():
            return "|...| { ... }", _POSTFIX
        case pat.CallOp() | pat.HostOp() | pat.ApplyOp() | pat.IntrinsicOp() | pat.LaunchOp():
            return f"{op.callee.data}({', '.join(map(inner, op.args))})", _POSTFIX
        case pat.LoadOp():
            return f"{op.buffer.data}[{inner(op.index)}]", _POSTFIX
        case _:
            return "...", _POSTFIX


def _literal(op: pat.ConstantOp) -> str:
    if isinstance(op.value, StringAttr):
        return f'"{op.value.data.translate(_ESCAPES)}"'
    if isinstance(op.value, UnitAttr):
        return "unit"
    number = python_number(op.value)
    if isinstance(number, float) and number.is_integer():
        return f"{text(number)}.0"
    return text(number)
