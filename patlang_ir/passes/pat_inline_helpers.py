"""Put the bodies of helper functions into the kernels that call them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import CallSiteLoc, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.diagnostics import Report
from patlang_ir.dialects import pat
from patlang_ir.rewriting import rewrite

Functions = dict[str, pat.FuncOp]


@dataclass
class InlineCall(RewritePattern):
    """apply "f"(a) in a kernel -> let "f_x", a; ...; let "f_result", ...; name "f_result"

    Every variable of the helper gets the helper's name in front. A parameter that the helper never
    assigns, and for which a plain name is passed, is that name: so buffers can be passed on.
    """

    functions: Functions
    report: Report
    taken: set[str] = field(default_factory=set[str])

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ApplyOp, rewriter: PatternRewriter) -> None:
        helper = self.functions.get(op.callee.data)
        if helper is None or helper.kernel is not None or not in_kernel(op):
            return
        if len(op.args) != len(helper.params):
            names = ", ".join(helper.param_names)
            self.report.error(
                op,
                "P203",
                f"'{op.callee.data}' takes {len(helper.params)} arguments ({names}), "
                f"and {len(op.args)} are given",
            )
            rewriter.replace(op, _unit(op))
            return
        Inlining(self, helper, op, rewriter).run()

    def fresh(self, name: str) -> str:
        """A variable that no function of the program has."""
        candidate, count = name, 2
        while candidate in self.taken:
            candidate, count = f"{name}{count}", count + 1
        self.taken.add(candidate)
        return candidate


def _unit(op: Operation) -> pat.ConstantOp:
    from patlang_ir.dialects.literals import number

    constant = pat.ConstantOp(number(0))
    constant.location = op.location
    return constant


class Inlining:
    """One call, being replaced by the body of the function."""

    def __init__(
        self, pattern: InlineCall, helper: pat.FuncOp, call: pat.ApplyOp, rewriter: PatternRewriter
    ):
        self.pattern, self.helper, self.call, self.rewriter = pattern, helper, call, rewriter
        self.name = helper.sym_name.data
        assigned = assigned_variables(helper)
        self.variables: dict[str, str] = {}
        self.bindings: list[tuple[str, SSAValue]] = []
        for param, arg in zip(helper.param_names, call.args, strict=True):
            if isinstance(arg.owner, pat.NameOp) and param not in assigned:
                self.variables[param] = arg.owner.variable.data
                continue
            self.variables[param] = pattern.fresh(f"{self.name}_{param}")
            self.bindings.append((self.variables[param], arg))
        for name in sorted(assigned - set(self.variables)):
            self.variables[name] = pattern.fresh(f"{self.name}_{name}")
        self.result = pattern.fresh(f"{self.name}_result")

    def run(self) -> None:
        for name, arg in self.bindings:
            self.rewriter.insert(_placed(pat.LetOp(name, arg), self.call.location))
        body = self.statements(tuple(self.helper.body.block.ops))
        for op in body:
            self.rewriter.insert(op)
        name = self.result
        if self.helper.result_name is not None and not _returns(self.helper):
            returned = self.helper.result_name.data
            name = self.variables.get(returned, returned)
        elif not _always_returns(tuple(self.helper.body.block.ops)) and self.call.result.uses:
            self.pattern.report.error(
                self.call,
                "P303",
                f"'{self.name}' can end without a value, and one is used here",
                "end every path of the helper with a return",
            )
        names = [arg.owner for arg in self.call.args if isinstance(arg.owner, pat.NameOp)]
        if self.call.result.first_use is None:
            self.rewriter.erase(self.call)
        else:
            self.rewriter.replace(self.call, _placed(pat.NameOp(name), self.call.location))
        for passed in dict.fromkeys(names):
            if passed.result.first_use is None:
                self.rewriter.erase(passed)

    def statements(self, ops: Sequence[Operation]) -> list[Operation]:
        """Copies of statements in which a `return` sets the result and skips what follows.

        if c { return a } rest -> if c { result = a } else { rest }
        """
        values: dict[SSAValue, SSAValue] = {}
        copies: list[Operation] = []
        for position, op in enumerate(ops):
            if isinstance(op, pat.ReturnOp):
                if op.value is not None:
                    let = pat.LetOp(self.result, values.get(op.value, op.value))
                    copies.append(self.place(let, op))
                return copies
            if isinstance(op, pat.IfOp) and _returns(op):
                copies.append(self.split(op, ops[position + 1 :]))
                return copies
            if isinstance(op, pat.WhileOp) and _returns(op):
                self.pattern.report.error(
                    op,
                    "P301",
                    "a return inside a loop cannot be used in a kernel",
                    "keep the result in a variable, and end the loop by its condition",
                )
            copy = op.clone(values)
            for inner, original in zip(copy.walk(), op.walk(), strict=True):
                self.rename(inner)
                self.place(inner, original)
            copies.append(copy)
        return copies

    def split(self, op: pat.IfOp, rest: Sequence[Operation]) -> pat.IfOp:
        """An `if` some of whose arms return; the others go on with the rest."""
        arms: list[Region] = []
        for condition, body in op.branches:
            arms += (self.region(condition.block.ops), self.arm(body.block.ops, rest))
        otherwise = op.otherwise.block.ops if op.otherwise is not None else ()
        arms.append(self.arm(otherwise, rest))
        chain = pat.IfOp(arms)
        self.place(chain, op)
        return chain

    def arm(self, body: Iterable[Operation], rest: Sequence[Operation]) -> Region:
        ops = tuple(body)
        return self.region(ops if _always_returns(ops) else (*ops, *rest))

    def region(self, ops: Iterable[Operation]) -> Region:
        return Region(Block(self.statements(tuple(ops))))

    def rename(self, op: Operation) -> None:
        if isinstance(op, pat.NameOp | pat.LetOp | pat.AssignOp):
            name = self.variables.get(op.variable.data)
            if name is not None:
                op.variable = StringAttr(name)

    def place(self, op: Operation, original: Operation) -> Operation:
        """The place of an inlined operation is that in the helper, called from here."""
        op.location = CallSiteLoc(original.location, self.call.location)
        return op


def _placed(op: Operation, location: Attribute) -> Operation:
    op.location = location  # pyright: ignore[reportAttributeAccessIssue]
    return op


def in_kernel(op: Operation) -> bool:
    """Whether an operation is in the body of a marked function."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, pat.FuncOp):
        parent = parent.parent_op()
    return parent is not None and parent.kernel is not None


def assigned_variables(func: Operation) -> set[str]:
    """The variables that a function sets."""
    lets = (op for op in func.walk() if isinstance(op, pat.LetOp | pat.AssignOp))
    return {op.variable.data for op in lets}


def _returns(op: Operation) -> bool:
    return any(isinstance(inner, pat.ReturnOp) for inner in op.walk())


def _always_returns(ops: Sequence[Operation]) -> bool:
    """Whether every path through these statements ends with a `return`."""
    for op in ops:
        if isinstance(op, pat.ReturnOp):
            return True
        if isinstance(op, pat.IfOp) and op.otherwise is not None:
            bodies = [body for _, body in op.branches] + [op.otherwise]
            if all(_always_returns(tuple(body.block.ops)) for body in bodies):
                return True
    return False


def calls_of(func: Operation, functions: Functions) -> list[pat.ApplyOp]:
    """The calls of functions of the program."""
    calls = (op for op in func.walk() if isinstance(op, pat.ApplyOp))
    return [call for call in calls if call.callee.data in functions]


def check_recursion(functions: Functions, report: Report) -> None:
    """Report helpers that kernels reach and that call themselves, directly or not."""
    for kernel in functions.values():
        if kernel.kernel is not None:
            _follow(kernel, [], functions, report)


def _follow(func: pat.FuncOp, path: list[str], functions: Functions, report: Report) -> None:
    for call in calls_of(func, functions):
        name = call.callee.data
        if functions[name].kernel is not None:
            continue
        if name in path:
            chain = " -> ".join([*path[path.index(name) :], name])
            report.error(
                call,
                "P311",
                f"'{name}' calls itself ({chain}), and a kernel has no stack of calls",
                "write it as a loop",
            )
            continue
        _follow(functions[name], [*path, name], functions, report)


def only_in_kernels(module: ModuleOp, functions: Functions) -> set[str]:
    """The helpers that nothing but kernels, and such helpers, call."""
    called = {
        call.callee.data
        for func in functions.values()
        if func.kernel is not None
        for call in _reachable_calls(func, functions)
    }
    roots = [op for op in module.ops if not (isinstance(op, pat.FuncOp) and op.kernel is not None)]
    roots = [op for op in roots if not (isinstance(op, pat.FuncOp) and op.sym_name.data in called)]
    by_host = {call.callee.data for op in roots for call in _reachable_calls(op, functions)}
    return {name for name in called - by_host if functions[name].kernel is None}


def _reachable_calls(op: Operation, functions: Functions) -> list[pat.ApplyOp]:
    """The calls in an operation, and in all functions of the program that it reaches."""
    seen: set[str] = set()
    found: list[pat.ApplyOp] = []
    stack = [op]
    while stack:
        for call in calls_of(stack.pop(), functions):
            found.append(call)
            if call.callee.data not in seen and functions[call.callee.data].kernel is None:
                seen.add(call.callee.data)
                stack.append(functions[call.callee.data])
    return found


class PatInlineHelpers(ModulePass):
    """Put the bodies of helper functions into the kernels that call them.

    A function that only kernels call is gone afterwards: it may use what only kernels have.
    """

    name = "pat-inline-helpers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {f.sym_name.data: f for f in op.ops if isinstance(f, pat.FuncOp)}
        with Report() as report:
            check_recursion(functions, report)
        unused = only_in_kernels(op, functions)
        taken = {
            name for f in functions.values() for name in (*f.param_names, *assigned_variables(f))
        }
        with Report() as report:
            rewrite(op, InlineCall(functions, report, taken), recursively=True)
        for name in unused:
            op.body.block.erase_op(functions[name])
