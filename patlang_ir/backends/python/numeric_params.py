"""Parameters that are worth turning from unit into 0 once, at the start of a function."""

from __future__ import annotations

from xdsl.ir import Operation, Use

from patlang_ir.analysis.value_kinds import ValueKinds
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import BinaryKind
from patlang_ir.runtime.host_kinds import PLAIN, UNIT, only
from patlang_ir.traversal import walk

_NUMERIC = frozenset(
    (BinaryKind.ADD, BinaryKind.SUB, BinaryKind.MUL, BinaryKind.DIV, BinaryKind.REM)
) | frozenset((BinaryKind.LT, BinaryKind.LE, BinaryKind.GT, BinaryKind.GE))


def numeric_params(function: pat.FuncOp, kinds: ValueKinds) -> tuple[str, ...]:
    """The parameters that may be unit, are only computed with, and that in a loop."""
    if not function.params.data:
        return ()
    ops = [op for op in walk(function)]
    bound = {op.variable.data for op in ops if isinstance(op, pat.LetOp | pat.AssignOp)}
    bound |= {name.data for op in ops if isinstance(op, pat.LaunchOp) for name in op.written}
    if function.result_name is not None:
        bound.add(function.result_name.data)
    return tuple(
        param
        for param in function.param_names
        if param not in bound and _is_numeric(_reads(param, ops), kinds)
    )


def _reads(param: str, ops: list[Operation]) -> list[pat.GetOp]:
    return [op for op in ops if isinstance(op, pat.GetOp) and op.variable.data == param]


def _is_numeric(reads: list[pat.GetOp], kinds: ValueKinds) -> bool:
    uses = [use for read in reads for use in read.result.uses]
    if not any(_in_loop(use.operation) for use in uses):
        return False
    if not any(kinds.of(read.result) & UNIT for read in reads):
        return False
    return all(_computes(use, kinds) for use in uses)


def _computes(use: Use, kinds: ValueKinds) -> bool:
    op = use.operation
    if not isinstance(op, pat.BinaryOp) or op.kind.data not in _NUMERIC:
        return False
    return all(only(kinds.of(operand), PLAIN | UNIT) for operand in op.operands)


def _in_loop(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and (isinstance(parent, pat.WhileOp) or _in_loop(parent))
