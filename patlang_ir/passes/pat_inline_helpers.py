"""Put the bodies of helper functions into the kernels that call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

from xdsl.context import Context
from xdsl.dialects.builtin import CallSiteLoc, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.captures import walk_own
from patlang_ir.analysis.scopes import constants_of
from patlang_ir.diagnostics import Report, counted
from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import Number, number
from patlang_ir.kernel_language import BLOCK_NAMES, IMPLICIT, STATEMENTS
from patlang_ir.rewriting import rewrite
from patlang_ir.traversal import walk

Functions = dict[str, pat.FuncOp]


@dataclass
class InlineCall(RewritePattern):
    """apply "f"(a) in a kernel -> let "f_x", a; ...; let "f_result", ...; name "f_result"

    A variable of the helper whose name the kernel has already gets the helper's name in front. A
    parameter that the helper never assigns, and for which a parameter of the kernel is passed, is
    that one: so buffers can be passed on. A constant of the top level is put in by its value, since
    the kernel may have a variable of its name.
    """

    functions: Functions
    report: Report
    constants: Mapping[str, Number]
    kernels: dict[pat.FuncOp, KernelNames] = field(default_factory=dict[pat.FuncOp, "KernelNames"])

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ApplyOp, rewriter: PatternRewriter) -> None:
        helper = self.functions.get(op.callee.data)
        kernel = kernel_of(op)
        if helper is None or helper.kernel is not None or kernel is None:
            return
        if len(op.args) != len(helper.params):
            names = ", ".join(helper.param_names)
            self.report.error(
                op,
                "P203",
                f"'{op.callee.data}' takes {counted(len(helper.params), 'argument')} ({names}), "
                f"not {len(op.args)}",
            )
            rewriter.replace(op, pat.ConstantOp(number(0)))
            return
        closures = [inner for inner in walk_own(helper) if isinstance(inner, pat.ClosureOp)]
        if closures:
            message, help = "a closure cannot be used in a kernel", "make it a function with a name"
            for closure in closures:
                at = CallSiteLoc(closure.location, op.location)
                self.report.error(at, "P301", message, help)
            rewriter.replace(op, pat.ConstantOp(number(0)))
            return
        if writes(helper) and is_skipped_at_times(op):
            self.report.error(
                op,
                "P301",
                f"'{op.callee.data}' writes memory, and whether it is called here depends on the "
                "value to the left",
                "call it in an 'if'",
            )
        if kernel not in self.kernels:
            self.kernels[kernel] = KernelNames.of(kernel, self.constants)
        Inlining(self, helper, kernel, op, rewriter).run()


@dataclass(frozen=True)
class KernelNames:
    """The variables of a kernel and of what was put into it, and all names that it mentions."""

    bound: set[str]
    taken: set[str]

    @classmethod
    def of(cls, kernel: pat.FuncOp, constants: Iterable[str]) -> KernelNames:
        bound = {*kernel.param_names, *assigned_variables(kernel)}
        given = {*BLOCK_NAMES, *constants}.union(*IMPLICIT.values())
        return cls(bound, {*bound, *names_read(kernel), *given})

    def fresh(self, name: str, helper: str) -> str:
        """A name for a variable of a helper."""
        numbered = (f"{helper}_{name}{i}" for i in count(2))
        candidates = chain((name, f"{helper}_{name}"), numbered)
        found = next(candidate for candidate in candidates if candidate not in self.taken)
        self.taken.add(found)
        self.bound.add(found)
        return found


class Inlining:
    """One call, being replaced by the body of the function."""

    def __init__(
        self,
        pattern: InlineCall,
        helper: pat.FuncOp,
        kernel: pat.FuncOp,
        call: pat.ApplyOp,
        rewriter: PatternRewriter,
    ):
        self.pattern, self.helper, self.call, self.rewriter = pattern, helper, call, rewriter
        self.name, names = helper.sym_name.data, pattern.kernels[kernel]
        assigned = assigned_variables(helper)
        self.variables: dict[str, str] = {}
        self.bindings: list[tuple[str, SSAValue]] = []
        for param, arg in zip(helper.param_names, call.args, strict=True):
            passed = arg.owner.variable.data if isinstance(arg.owner, pat.NameOp) else ""
            if passed in kernel.param_names and param not in assigned:
                self.variables[param] = passed
                continue
            self.variables[param] = names.fresh(param, self.name)
            self.bindings.append((self.variables[param], arg))
        for name in sorted(assigned - set(self.variables)):
            self.variables[name] = names.fresh(name, self.name)
        self.bind_outer_names(names)
        self.result = names.fresh(f"{self.name}_result", self.name)

    def bind_outer_names(self, names: KernelNames) -> None:
        """Keep the names of constants, and those that nothing binds, from meeting the kernel's."""
        for name, use in names_read(self.helper).items():
            if name in self.variables:
                continue
            if name in self.pattern.constants:
                constant = self.rewriter.insert(pat.ConstantOp(self.pattern.constants[name]))
                self.variables[name] = names.fresh(name, self.name)
                self.bindings.append((self.variables[name], constant.result))
            elif name in names.bound:
                self.pattern.report.error(
                    CallSiteLoc(use.location, self.call.location),
                    "P201",
                    f"'{name}' is not bound",
                    "a helper sees its own parameters and variables only",
                )
            else:
                names.taken.add(name)

    def run(self) -> None:
        for name, arg in self.bindings:
            self.rewriter.insert(_placed(pat.LetOp(name, arg), self.call.location))
        body = self.body()
        if self.call.result.first_use is not None:
            self.check_result(body)
        for op in self.statements(body):
            self.rewriter.insert(op)
        names = [arg.owner for arg in self.call.args if isinstance(arg.owner, pat.NameOp)]
        if self.call.result.first_use is None:
            self.rewriter.erase(self.call)
        else:
            self.rewriter.replace(self.call, _placed(pat.NameOp(self.result), self.call.location))
        for passed in dict.fromkeys(names):
            if passed.result.first_use is None:
                self.rewriter.erase(passed)

    def body(self) -> Sequence[Operation]:
        """The statements of the helper; after `returns r`, its end returns r."""
        body = tuple(self.helper.body.block.ops)
        result = self.helper.result_name
        if result is None or result.data not in self.variables or _always_returns(body):
            return body
        value = pat.NameOp(result.data)
        end = (value, pat.ReturnOp(value.result))
        for op in end:
            op.location = self.helper.location
        return (*body, *end)

    def check_result(self, body: Sequence[Operation]) -> None:
        """Report the paths that end without a value."""
        returns = [op for top in body for op in walk_own(top) if isinstance(op, pat.ReturnOp)]
        for op in (op for op in returns if op.value is None):
            self.pattern.report.error(
                CallSiteLoc(op.location, self.call.location),
                "P303",
                f"'{self.name}' returns no value here, and one is used where it is called",
                "return a value on every path of the helper",
            )
        if not _always_returns(body):
            self.pattern.report.error(
                self.call,
                "P303",
                f"'{self.name}' can end without a value, and one is used here",
                "end every path of the helper with a return",
            )

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
                    CallSiteLoc(op.location, self.call.location),
                    "P301",
                    "a return inside a loop cannot be used in a kernel",
                    "keep the result in a variable, and end the loop by its condition",
                )
            copy = op.clone(values)
            for inner, original in zip(walk(copy), walk(op), strict=True):
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


def kernel_of(op: Operation) -> pat.FuncOp | None:
    """The marked function that an operation is in the body of, with no closure in between."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, pat.FuncOp | pat.ClosureOp):
        parent = parent.parent_op()
    return parent if isinstance(parent, pat.FuncOp) and parent.kernel is not None else None


def is_skipped_at_times(op: Operation) -> bool:
    """Whether an operation is on the right of an `and` or `or`."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, pat.LogicalOp):
        parent = parent.parent_op()
    return parent is not None


def writes(func: pat.FuncOp) -> bool:
    """Whether a function has a `store` or an atomic."""
    calls = (op for op in walk(func) if isinstance(op, pat.ApplyOp))
    return any(call.callee.data in STATEMENTS for call in calls)


def names_read(func: Operation) -> dict[str, pat.NameOp]:
    """The names that a function reads, each where it does so first."""
    found: dict[str, pat.NameOp] = {}
    for op in walk_own(func):
        if isinstance(op, pat.NameOp):
            found.setdefault(op.variable.data, op)
    return found


def assigned_variables(func: Operation) -> set[str]:
    """The variables that a function sets."""
    lets = (op for op in walk_own(func) if isinstance(op, pat.LetOp | pat.AssignOp))
    return {op.variable.data for op in lets}


def _returns(op: Operation) -> bool:
    return any(isinstance(inner, pat.ReturnOp) for inner in walk_own(op))


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
    calls = (op for op in walk(func) if isinstance(op, pat.ApplyOp))
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
            route = " -> ".join([*path[path.index(name) :], name])
            report.error(
                call,
                "P311",
                f"'{name}' calls itself ({route}), and a kernel has no stack of calls",
                "write it as a loop",
            )
            continue
        _follow(functions[name], [*path, name], functions, report)


def only_in_kernels(module: ModuleOp, functions: Functions) -> set[str]:
    """The helpers that nothing but kernels, and such helpers, call."""
    kernels = [func for func in functions.values() if func.kernel is not None]
    called = {call.callee.data for call in _reachable_calls(kernels, functions)}
    if not called:
        return called
    roots = [op for op in module.ops if not (isinstance(op, pat.FuncOp) and op.kernel is not None)]
    roots = [op for op in roots if not (isinstance(op, pat.FuncOp) and op.sym_name.data in called)]
    by_host = {call.callee.data for call in _reachable_calls(roots, functions)}
    for name in {text for op in roots for text in _texts(op)} & called:
        inner = _reachable_calls([functions[name]], functions)
        by_host |= {name, *(call.callee.data for call in inner)}
    return {name for name in called - by_host if functions[name].kernel is None}


def _texts(op: Operation) -> list[str]:
    """The strings in host code: `apply("f", x)` calls a function by its name."""
    constants = (inner for inner in walk(op) if isinstance(inner, pat.ConstantOp))
    return [c.value.data for c in constants if isinstance(c.value, StringAttr)]


def _reachable_calls(ops: Iterable[Operation], functions: Functions) -> list[pat.ApplyOp]:
    """The calls in operations, and in all functions of the program that they reach."""
    seen: set[str] = set()
    found: list[pat.ApplyOp] = []
    stack = [*ops]
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
        constants = constants_of(op)
        with Report() as report:
            rewrite(op, InlineCall(functions, report, constants), recursively=True)
        for name in unused:
            op.body.block.erase_op(functions[name])
