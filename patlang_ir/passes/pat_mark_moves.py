"""Let `let xs = list_push(xs, v)` work on the list itself where nobody else holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import BoolAttr, ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.analysis.list_ownership import (
    HELD,
    OWNED,
    REUSING,
    Escapes,
    Ownership,
    captured_params,
    changed_variable,
    is_fresh,
)
from patlang_ir.analysis.pat_flow import ends_statement, variable_read
from patlang_ir.dialects import pat
from patlang_ir.passes.given_lists import mark_given_lists, take_items
from patlang_ir.passes.inner_lists import mark_inner_lists
from patlang_ir.rewriting import give_place


@dataclass(frozen=True)
class PatMarkMoves(ModulePass):
    """Mark each `list_push` and `list_set` whose first argument is the last use of an owned list.

    Where only the run can tell, as for a parameter that is pushed to in a loop, the variable gets
    a flag that says whether it owns its list, and the list is copied once if it does not:

        let xs = list_push(xs, v)
    ->
        if not xs.owned then let xs = list.own(xs) let xs.owned = true end
        let xs = list_push(xs, v)   (in place)

    Elsewhere the run looks whether the variable has the only reference, and a variable that is
    passed to who may change its list gives it up (`given_lists`):

        let xs = list_push(xs, v)   ->   let xs = list.push_held(xs, v)

    A list in another list or in a record is changed in place if the run finds no other reference:

        let xs = list_set(xs, i, list_push(xs[i], v))   ->   ... list.push_held(xs[i], v)
        r.m = list_push(r.m, v)                         ->   record.push(r, "m", v)
        let x = xs[i] ... let xs = list_set(xs, i, x)   ->   let x = list.take(xs, i) ...
    """

    name = "pat-mark-moves"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        take_items(op)
        escapes = Escapes(op)
        captured = captured_params(op)
        for function in op.ops:
            if isinstance(function, pat.ProgramOp) or (
                isinstance(function, pat.FuncOp) and function.kernel is None
            ):
                name = function.sym_name.data if isinstance(function, pat.FuncOp) else ""
                _mark(function.body.block, escapes, captured.get(name, ()))
                mark_inner_lists(function.body.block)
        mark_given_lists(op)


def _mark(block: Block, escapes: Escapes, captured: tuple[str, ...]) -> None:
    ownership = Ownership(block, escapes, captured)
    guarded: dict[str, list[pat.HostOp]] = {}
    for op, found in ownership.changes.items():
        variable = changed_variable(op)
        assert variable is not None
        if op.in_place is not None or found == HELD or _is_own_item(op, variable):
            continue
        if found == OWNED:
            op.in_place = UnitAttr()
        elif not found & OWNED or _is_shared_in(op, variable, escapes):
            op.callee = StringAttr(REUSING[op.callee.data])
        else:
            guarded.setdefault(variable, []).append(op)
    for variable, changes in guarded.items():
        for op in changes:
            op.in_place = UnitAttr()
        _Flag(variable, escapes).maintain(block)
        for op in changes:
            _guard(op, variable, _before(op, escapes))


def _is_own_item(change: pat.HostOp, variable: str) -> bool:
    """Whether the list goes into itself."""
    return any(variable_read(argument) == variable for argument in change.args[1:])


def _is_shared_in(change: pat.HostOp, variable: str, escapes: Escapes) -> bool:
    """Whether the statement itself may make somebody else hold the list."""
    return any(
        isinstance(op, pat.GetOp) and op.variable.data == variable and escapes.shares(op)
        for outer in _statement_up_to(change)
        for op in outer.walk()
    )


def _statement_up_to(op: Operation) -> Iterator[Operation]:
    """The operations of a statement up to `op`, last one first."""
    here: Operation | None = op
    while here is not None and (here is op or not ends_statement(here)):
        yield here
        here = here.prev_op


def _before(op: Operation, escapes: Escapes) -> InsertPoint:
    """Where the statement starts that `op` helps to compute."""
    *_, first = _statement_up_to(escapes.ends.of(op))
    return InsertPoint.before(first)


def _insert(ops: list[Operation], at: InsertPoint, beside: Operation) -> None:
    for op in ops:
        give_place(op, beside.location)
    Rewriter.insert_op(ops, at)


@dataclass(frozen=True)
class _Flag:
    """Keeps the flag of a variable up to date."""

    variable: str
    escapes: Escapes

    def maintain(self, block: Block) -> None:
        first = block.first_op
        assert first is not None
        for op in [op for outer in block.ops for op in outer.walk()]:
            match op:
                case pat.LetOp() | pat.AssignOp() if op.variable.data == self.variable:
                    self._set(is_fresh(op.value), InsertPoint.after(op), op)
                case pat.LaunchOp() if any(name.data == self.variable for name in op.written):
                    self._set(True, InsertPoint.after(op), op)
                case pat.GetOp() if self._is_shared_by(op):
                    self._set(False, _before(op, self.escapes), op)
                case _:
                    pass
        self._set(False, InsertPoint.before(first), first)

    def _is_shared_by(self, get: pat.GetOp) -> bool:
        if get.variable.data != self.variable or not self.escapes.shares(get):
            return False
        return not isinstance(self.escapes.ends.of(get), pat.ReturnOp)  # no push comes after it

    def _set(self, owned: bool, at: InsertPoint, beside: Operation) -> None:
        if owned and _works_in_place(beside):
            return
        constant = pat.ConstantOp(BoolAttr.from_bool(owned))
        _insert([constant, pat.LetOp(flag_of(self.variable), constant.result)], at, beside)


def _works_in_place(op: Operation) -> bool:
    """Whether a binding only repeats that the variable owns its list."""
    change = op.prev_op
    return isinstance(change, pat.HostOp) and change.in_place is not None


def flag_of(variable: str) -> str:
    """The variable that says whether `variable` owns its list. No source form can write it."""
    return f"{variable}.owned"


def _guard(op: pat.HostOp, variable: str, at: InsertPoint) -> None:
    """Copy the list before the statement if somebody else may hold it."""
    owned = pat.GetOp(flag_of(variable))
    shared = pat.UnaryOp(pat.UnaryKind.NOT, owned.result)
    condition = pat.block_region([owned, shared, pat.YieldOp(shared.result)])
    old = pat.GetOp(variable)
    new = pat.HostOp("list.own", [old.result])
    true = pat.ConstantOp(BoolAttr.from_bool(True))
    bound = op.next_op
    assert isinstance(bound, pat.LetOp | pat.AssignOp)
    copy: list[Operation] = [
        old,
        new,
        _bind_like(bound, new),
        true,
        pat.LetOp(flag_of(variable), true.result),
    ]
    _insert([pat.IfOp([condition, pat.block_region(copy)])], at, op)


def _bind_like(bound: pat.LetOp | pat.AssignOp, new: pat.HostOp) -> Operation:
    if isinstance(bound, pat.AssignOp):
        return pat.AssignOp(bound.variable.data, new.result)
    return pat.LetOp(bound.variable.data, new.result, mutable=bound.mutable is not None)
