"""Where `xs[i]` is certainly inside the list, because a condition around it says so.

The proof goes backwards from the element: to a loop, a branch or an `and` whose condition holds
`i < xs.length`, with nothing on the way that binds `i` or gives `xs` fewer elements.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.list_ownership import CHANGES, REUSING
from patlang_ir.analysis.pat_flow import variable_read
from patlang_ir.dialects import pat
from patlang_ir.dialects.pat import BinaryKind, LogicalKind

_KEEPING = (*CHANGES, *REUSING.values(), "list.own")
"""What gives a list that is at least as long as its argument."""


def proved_below_length(op: pat.IndexOp) -> bool:
    """Whether the index is less than the length of the list, if it is a list."""
    index, xs = variable_read(op.index), variable_read(op.base)
    if index is None or xs is None:
        return False
    return any(
        _says(condition, at, index, xs) for condition, at in _conditions_above(op, index, xs)
    )


def _conditions_above(op: Operation, index: str, xs: str) -> Iterator[tuple[SSAValue, Operation]]:
    """The conditions that still hold at `op`, each with the operation that tests it."""
    for here, parent in _way_out(op):
        if any(_breaks(before, index, xs) for before in _before(here)):
            return
        match parent:
            case pat.WhileOp():
                if here.parent is parent.body.block and not _launches(parent.condition.block):
                    yield _yielded(parent.condition.block), parent
                if _breaks(parent, index, xs):
                    return
            case pat.IfOp():
                if any(_launches(condition.block) for condition, _ in parent.branches):
                    return
                for condition, body in parent.branches:
                    if body.block is here.parent:
                        yield _yielded(condition.block), parent
            case pat.LogicalOp(kind=kind):
                if kind.data is LogicalKind.AND:
                    yield parent.lhs, parent
            case _:
                return


def _way_out(op: Operation) -> Iterator[tuple[Operation, Operation | None]]:
    """`op` and the operations around it, each with its parent."""
    here: Operation | None = op
    while here is not None:
        parent = here.parent_op()
        yield here, parent
        here = parent


def _launches(block: Block) -> bool:
    """Whether a condition binds variables itself."""
    return any(isinstance(inner, pat.LaunchOp) for op in block.ops for inner in op.walk())


def _before(op: Operation) -> Iterator[Operation]:
    while (previous := op.prev_op) is not None:
        op = previous
        yield op


def _yielded(block: Block) -> SSAValue:
    end = block.last_op
    assert isinstance(end, pat.YieldOp)
    return end.value


def _breaks(op: Operation, index: str, xs: str) -> bool:
    """Whether an operation binds the index, or the list to anything but a longer one."""
    return any(_binds(inner, index) or _shortens(inner, xs) for inner in op.walk())


def _binds(op: Operation, variable: str) -> bool:
    match op:
        case pat.LetOp() | pat.AssignOp():
            return op.variable.data == variable
        case pat.LaunchOp():
            return any(name.data == variable for name in op.written)
        case _:
            return False


def _shortens(op: Operation, xs: str) -> bool:
    """`let xs = list_push(xs, v)` and its like keep every index inside."""
    if not _binds(op, xs):
        return False
    if not isinstance(op, pat.LetOp | pat.AssignOp) or not isinstance(op.value.owner, pat.HostOp):
        return True
    change = op.value.owner
    return change.callee.data not in _KEEPING or variable_read(change.args[0]) != xs


def _says(condition: SSAValue, at: Operation, index: str, xs: str) -> bool:
    """Whether a condition that holds implies that `index` is less than the length of `xs`."""
    match condition.owner:
        case pat.LogicalOp(kind=kind) as both if kind.data is LogicalKind.AND:
            rhs = _yielded(both.rhs.block)
            return _says(both.lhs, at, index, xs) or _says(rhs, at, index, xs)
        case pat.BinaryOp(kind=kind) as test if kind.data is BinaryKind.LT:
            return variable_read(test.lhs) == index and _is_length(test.rhs, at, xs)
        case pat.BinaryOp(kind=kind) as test if kind.data is BinaryKind.GT:
            return variable_read(test.rhs) == index and _is_length(test.lhs, at, xs)
        case _:
            return False


def _is_length(value: SSAValue, at: Operation, xs: str) -> bool:
    """Whether a value tested at `at` is a length that the list in `xs` has had since."""
    variable = variable_read(value)
    if variable is None:
        return _measures(value, xs)
    if isinstance(at, pat.WhileOp) and _breaks(at, variable, xs):
        return False
    for here, parent in _way_out(at):
        for op in _before(here):
            if isinstance(op, pat.LetOp) and op.variable.data == variable:
                return _measures(op.value, xs)
            if _breaks(op, variable, xs):
                return False
        if isinstance(parent, pat.WhileOp) and _breaks(parent, variable, xs):
            return False
    return False


def _measures(value: SSAValue, xs: str) -> bool:
    """`to_num(list_len(xs))` or `xs.length`"""
    match value.owner:
        case pat.MemberOp(member=member) as op:
            return member.data in ("length", "len") and variable_read(op.base) == xs
        case pat.HostOp(callee=callee) as op if callee.data == "to_num":
            return _measures(op.args[0], xs)
        case pat.HostOp(callee=callee) as op if callee.data == "list_len":
            return variable_read(op.args[0]) == xs
        case _:
            return False
