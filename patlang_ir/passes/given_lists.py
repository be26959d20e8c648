"""Lists that a variable gives up when they are passed on, a part of `pat-mark-moves`.

Who gets such a list may be the only one that holds it; the run sees that by counting references.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Operation, Use

from patlang_ir.analysis.last_uses import LastUses
from patlang_ir.analysis.list_ownership import CHANGES, REUSING, captured_params
from patlang_ir.analysis.pat_flow import StatementEnds, variable_read
from patlang_ir.dialects import pat
from patlang_ir.passes.taken_items import take_item
from patlang_ir.traversal import walk

REUSES = frozenset((*CHANGES, *REUSING.values()))
FURTHEST = 20
"""After so many operations nobody looks further for where a variable is bound again."""


def mark_given_lists(module: ModuleOp) -> None:
    """Let a variable give its list up at its last use, if who gets the list may change it.

    let xs = add(xs, v)          ->   ... add(move xs, v)
    go(n - 1, list_push(xs, v))  ->   go(n - 1, list.push_held(move xs, v))
    return list_push(xs, v)      ->   return list.push_held(xs, v)
    """
    bodies = _bodies(module)
    receivers = _Receivers(bodies)
    ends = StatementEnds()
    for body in bodies:
        body.give(receivers, ends)


def take_items(module: ModuleOp) -> None:
    """Take items that are changed out of the lists that get them back."""
    bodies = _bodies(module)
    _Receivers(bodies)
    for body in bodies:
        for read in body.reads:
            take_item(read, body.changed)


def _bodies(module: ModuleOp) -> list[_Body]:
    captured = captured_params(module)
    return [
        _Body(op, captured.get(op.sym_name.data) if isinstance(op, pat.FuncOp) else None)
        for op in module.ops
        if isinstance(op, pat.ProgramOp | pat.FuncOp) and not _is_kernel(op)
    ]


def _is_kernel(op: Operation) -> bool:
    return isinstance(op, pat.FuncOp) and op.kernel is not None


class _Body:
    """The reads of one function, and the variables whose lists it may change in place."""

    def __init__(self, owner: pat.ProgramOp | pat.FuncOp, captured: tuple[str, ...] | None):
        self.owner = owner
        self.captured = captured
        inside = [*walk(owner)]
        bound = {op.variable.data for op in inside if isinstance(op, pat.LetOp | pat.AssignOp)}
        held = {*(captured or ())} - bound
        reads = (op for op in inside if type(op) is pat.GetOp)
        self.reads = [op for op in reads if op.variable.data not in held]
        """Those of lists that no closure holds for certain."""
        self.changed: set[str] = set()

    @property
    def params(self) -> tuple[str, ...]:
        return self.owner.param_names if isinstance(self.owner, pat.FuncOp) else ()

    def grow(self, receivers: _Receivers) -> bool:
        """Find variables whose list somebody changes who gets it; whether there were new ones."""
        before = len(self.changed)
        for read in reversed(self.reads):
            if any(receivers.may_change(use, self.changed) for use in read.result.uses):
                self.changed.add(read.variable.data)
        return len(self.changed) > before

    def give(self, receivers: _Receivers, ends: StatementEnds) -> None:
        together = Counter((ends.of(read), read.variable.data) for read in self.reads)
        passed = [read for read in self.reads if self._is_passed(read, receivers)]
        alone = [read for read in passed if together[ends.of(read), read.variable.data] == 1]
        result = self.owner.result_name if isinstance(self.owner, pat.FuncOp) else None
        last = LastUses(self.owner.body.block, result.data if result is not None else None, alone)
        for read in alone:
            if last.is_last(read) and not isinstance(ends.of(read), pat.ContractOp):
                _give(read, receivers, self.changed)

    def _is_passed(self, read: pat.GetOp, receivers: _Receivers) -> bool:
        use = read.result.get_unique_use()
        if use is None or not receivers.may_change(use, self.changed):
            return False
        return read.variable.data not in _bound_by(use.operation)


def _bound_by(op: Operation) -> Iterator[str]:
    """The variable that an operation on a list binds again, so that it need not give it up."""
    match op:
        case pat.LetOp() | pat.AssignOp():
            yield op.variable.data
            yield from _bound_soon(op)
        case pat.HostOp(callee=callee) if callee.data in REUSES:
            bound = op.next_op
            if op.in_place is not None:
                yield from filter(None, [variable_read(op.args[0])])
            if isinstance(bound, pat.LetOp | pat.AssignOp) and bound.value is op.result:
                yield bound.variable.data
        case _:
            pass


def _bound_soon(op: Operation) -> Iterator[str]:
    """The variables that are bound again before anything can change a list."""
    for _ in range(FURTHEST):
        if not isinstance(op.next_op, pat.ConstantOp | pat.GetOp | pat.LetOp | pat.AssignOp):
            return
        op = op.next_op
        if isinstance(op, pat.LetOp | pat.AssignOp):
            yield op.variable.data


def _give(read: pat.GetOp, receivers: _Receivers, changed: set[str]) -> None:
    use = read.result.get_unique_use()
    assert use is not None
    op = use.operation
    if isinstance(op, pat.HostOp) and op.callee.data in CHANGES:
        use = op.result.get_unique_use()
        if use is None:
            return
        passed = receivers.may_change(use, changed)
        if not passed and not isinstance(use.operation, pat.LetOp | pat.AssignOp | pat.ReturnOp):
            return
        op.callee = StringAttr(REUSING[op.callee.data])
        if not passed:
            return
    read.given = UnitAttr()


class _Receivers:
    """Which parameters of functions and closures may have their lists changed in place."""

    def __init__(self, bodies: list[_Body]):
        self._by_name: set[tuple[str, int]] = set()
        self._by_position: set[int] = set()
        self._of_closures: set[int] = set()
        callees_first = bodies
        while any([self._add(body) for body in callees_first]):
            callees_first = callees_first[::-1]

    def _add(self, body: _Body) -> bool:
        """Add what is known of one function by now; whether it is new."""
        if not body.grow(self):
            return False
        name = body.owner.sym_name.data if isinstance(body.owner, pat.FuncOp) else ""
        for position, param in enumerate(body.params):
            if param not in body.changed:
                continue
            self._by_name.add((name, position))
            if body.captured is None:
                self._by_position.add(position)
            elif position >= len(body.captured):
                self._of_closures.add(position - len(body.captured))
        return True

    def may_change(self, use: Use, changed: set[str]) -> bool:
        """Whether who gets a list by this use may change it."""
        match use.operation:
            case pat.CallOp(callee=callee):
                return (callee.data, use.index) in self._by_name
            case pat.CallValueOp():
                return use.index - 1 in self._of_closures
            case pat.SendOp():
                return use.index > 0 and use.index in self._of_closures
            case pat.HostOp(callee=callee) if callee.data == "apply":
                return use.index - 1 in self._by_position
            case pat.HostOp(callee=callee):
                return callee.data in REUSES and use.index == 0
            case pat.LetOp(variable=variable) | pat.AssignOp(variable=variable):
                return variable.data in changed
            case _:
                return False
