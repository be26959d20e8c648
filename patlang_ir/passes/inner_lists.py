"""Lists inside lists and records that grow in place, a part of `pat-mark-moves`.

Whoever else holds such a list is seen by the run only, which counts the references to it. What must
be known before is that the place which holds the list gets the result at once.
"""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.analysis.list_ownership import CHANGES, REUSING
from patlang_ir.analysis.pat_flow import variable_read
from patlang_ir.dialects import pat
from patlang_ir.quick_ops import operands_of
from patlang_ir.rewriting import give_place
from patlang_ir.stdlib.records import SHARED
from patlang_ir.stdlib.registry import HOST_FUNCTIONS
from patlang_ir.traversal import walk

ON_RECORDS = {"list_push": "record.push", "list_set": "record.set_item"}
QUIET = (pat.ConstantOp, pat.GetOp, pat.BinaryOp, pat.UnaryOp, pat.IndexOp, pat.ListOp)
"""The operations whose result depends on variables alone, and which change nothing."""


def mark_inner_lists(block: Block) -> None:
    """Rewrite the changes of lists that stand in a list or in a record."""
    for outer in [*block.ops]:
        for op in [*walk(outer)]:
            if type(op) is pat.HostOp and op.callee.data == "list_set" and op.in_place is not None:
                _in_a_list(op)
            elif type(op) is pat.SetMemberOp:
                _in_a_member(op)
            elif type(op) is pat.HostOp and op.callee.data == "set_var":
                _in_a_property(op)


def _in_a_list(outer: pat.HostOp) -> None:
    """list_set(xs, i, list_push(xs[i], v)) -> list_set(xs, i, list.push_held(xs[i], v))"""
    xs, at, changed = outer.args
    inner = _change(changed)
    if inner is None:
        return
    item = inner.args[0].owner
    if type(item) is not pat.IndexOp or not item.result.has_one_use():
        return
    if _same(item.base, xs) and _same(item.index, at):
        inner.callee = StringAttr(REUSING[inner.callee.data])


def _in_a_member(op: pat.SetMemberOp) -> None:
    """r.m = list_push(r.m, v) -> record.push(r, "m", v)"""
    inner = _change(op.value)
    if inner is None:
        return
    old = inner.args[0].owner
    if type(old) is not pat.MemberOp or old.member != op.member or not _same(old.base, op.base):
        return
    if old.result.has_one_use() and all(map(_is_quiet, inner.args[1:])):
        key = pat.ConstantOp(op.member)
        _replace(op, inner, old, [op.base, key.result], key)


def _in_a_property(op: pat.HostOp) -> None:
    """set_var(r, k, list_push(get(r, k), v)) -> record.push(r, k, v)"""
    inner = _change(op.args[-1])
    if inner is None:
        return
    old = inner.args[0].owner
    if type(old) is not pat.HostOp or old.callee.data != "get" or not old.result.has_one_use():
        return
    record, key = old.args
    named = [*op.args[:-1]]
    if len(named) == 1 and not _is_shared_record(record):
        return
    if not _same(key, named[-1]) or (len(named) == 2 and not _same(record, named[0])):
        return
    if all(map(_is_quiet, (record, *inner.args[1:]))):
        _replace(op, inner, old, [record, named[-1]], None)


def _replace(
    op: Operation,
    inner: pat.HostOp,
    old: Operation,
    place: list[SSAValue],
    key: pat.ConstantOp | None,
) -> None:
    """Let one call change the list where it is."""
    new = pat.HostOp(ON_RECORDS[inner.callee.data], [*place, *inner.args[1:]])
    block = op.parent
    assert block is not None
    for added in (key, new):
        if added is not None:
            give_place(added, inner.location)
            block.insert_op_before(added, op)
    if isinstance(op, pat.HostOp):
        op.result.replace_all_uses_with(new.result)
    bases = [value.owner for value in operands_of(old)]
    for gone in (op, inner, old, *bases):
        if isinstance(gone, Operation) and not any(result.uses for result in gone.results):
            gone.detach()
            gone.erase()


def _change(value: SSAValue) -> pat.HostOp | None:
    """The `list_push` or `list_set` that computes a value for this use alone."""
    op = value.owner
    if type(op) is pat.HostOp and op.callee.data in CHANGES and value.has_one_use():
        return op
    return None


def _is_shared_record(value: SSAValue) -> bool:
    op = value.owner
    return type(op) is pat.ConstantOp and op.value == StringAttr(SHARED)


def _is_quiet(value: SSAValue) -> bool:
    op = value.owner
    if type(op) is pat.HostOp:
        function = HOST_FUNCTIONS.get(op.callee.data)
        return function is not None and function.pure and all(map(_is_quiet, op.args))
    return type(op) in QUIET and isinstance(op, Operation) and all(map(_is_quiet, operands_of(op)))


def _same(a: SSAValue, b: SSAValue) -> bool:
    """Whether two values of one statement are certainly equal."""
    x, y = a.owner, b.owner
    if a is b:
        return True
    if not isinstance(x, Operation) or not isinstance(y, Operation) or type(x) is not type(y):
        return False
    variable = variable_read(a)
    if variable is not None:
        return variable == variable_read(b)
    if not _is_quiet(a) or x.properties != y.properties:
        return False
    left, right = operands_of(x), operands_of(y)
    return len(left) == len(right) and all(map(_same, left, right))
