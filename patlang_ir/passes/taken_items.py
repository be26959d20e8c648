"""Items that a variable takes out of a list which gets them back, a part of `pat-mark-moves`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from patlang_ir.analysis.list_ownership import REUSING
from patlang_ir.analysis.pat_flow import variable_read
from patlang_ir.dialects import pat
from patlang_ir.quick_ops import operands_of
from patlang_ir.rewriting import give_place
from patlang_ir.traversal import walk

FURTHEST = 200
"""After so many operations nobody looks further for where the item comes back."""


def take_item(read: pat.GetOp, changed: set[str]) -> None:
    """let row = m[i] ... let m = list_set(m, i, row)
    ->
    let row = list.take(m, i) ... let m = list_set(m, i, row)

    `row` is a variable whose list is changed in between, where nothing reads `m`: so nobody sees
    that the item is gone.
    """
    use = read.result.get_unique_use()
    item = use.operation if use is not None else None
    if not isinstance(item, pat.IndexOp) or item.base is not read.result:
        return
    bound = item.next_op
    if not isinstance(bound, pat.LetOp | pat.AssignOp) or bound.value is not item.result:
        return
    row, xs = bound.variable.data, read.variable.data
    known = _variables(item.index)
    if row not in changed or row == xs or known is None or row in known:
        return
    if _comes_back(bound, xs, item.index, known):
        taken = pat.HostOp("list.take", [item.base, item.index])
        give_place(taken, item.location)
        Rewriter.replace_op(item, taken)


def _variables(index: SSAValue) -> set[str] | None:
    """The variables that an index is computed from, if it is computed from nothing else."""
    match index.owner:
        case pat.ConstantOp():
            return set()
        case pat.GetOp(variable=variable):
            return {variable.data}
        case pat.BinaryOp() | pat.UnaryOp() as op:
            found: set[str] = set()
            for operand in operands_of(op):
                part = _variables(operand)
                if part is None:
                    return None
                found |= part
            return found
        case _:
            return None


def _comes_back(start: Operation, xs: str, index: SSAValue, known: set[str]) -> bool:
    """Whether `xs` is set at the index before anything else is done with it."""
    for op in islice(_after(start), FURTHEST):
        if isinstance(op, pat.GetOp) and op.variable.data == xs:
            return _is_set(op, xs, index, known)
        if any(_hinders(inner, xs, known) for inner in walk(op)):
            return False
    return False


def _after(op: Operation) -> Iterator[Operation]:
    while op.next_op is not None:
        op = op.next_op
        yield op


def _is_set(read: pat.GetOp, xs: str, index: SSAValue, known: set[str]) -> bool:
    """Whether a read of `xs` is the one in `let xs = list_set(xs, index, ...)`."""
    use = read.result.get_unique_use()
    change = use.operation if use is not None else None
    if not isinstance(change, pat.HostOp) or change.args[0] is not read.result:
        return False
    if change.callee.data not in ("list_set", REUSING["list_set"]) or change.parent != read.parent:
        return False
    bound = change.next_op
    if not isinstance(bound, pat.LetOp | pat.AssignOp) or bound.value is not change.result:
        return False
    if bound.variable.data != xs or not _same(change.args[1], index):
        return False
    for op in _after(read):
        if op is change:
            return True
        if any(_hinders(inner, xs, known) for inner in walk(op)):
            return False
    return False


def _hinders(op: Operation, xs: str, known: set[str]) -> bool:
    match op:
        case pat.GetOp():
            return op.variable.data == xs
        case pat.LetOp() | pat.AssignOp():
            return op.variable.data == xs or op.variable.data in known
        case pat.LaunchOp():
            return any(name.data == xs or name.data in known for name in op.written)
        case pat.ReturnOp():
            return True
        case _:
            return False


def _same(a: SSAValue, b: SSAValue) -> bool:
    """Whether two indices are computed in the same way."""
    x, y = a.owner, b.owner
    if a is b:
        return True
    if not isinstance(x, Operation) or not isinstance(y, Operation) or type(x) is not type(y):
        return False
    if variable_read(a) is not None:
        return variable_read(a) == variable_read(b)
    left, right = operands_of(x), operands_of(y)
    computed = isinstance(x, pat.ConstantOp | pat.BinaryOp | pat.UnaryOp)
    same = x.properties == y.properties and len(left) == len(right)
    return computed and same and all(map(_same, left, right))
