"""The half of `pat-resolve-names` that is about host code."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.scopes import (
    KernelScope,
    ProgramNames,
    Scope,
    bare_name,
    did_you_mean,
)
from patlang_ir.diagnostics import Report, place_of
from patlang_ir.dialects import pat
from patlang_ir.kernel_language import BLOCK_NAMES, IMPLICIT, INTRINSICS, STATEMENTS
from patlang_ir.quick_ops import become
from patlang_ir.runtime.host_kinds import ANY, CLOSURE
from patlang_ir.stdlib import HOST_FUNCTIONS
from patlang_ir.stdlib.libraries import library_of
from patlang_ir.stdlib.signatures import signature
from patlang_ir.stdlib.unsupported import why_unsupported

KERNEL_NAMES = {*BLOCK_NAMES, *(name for names in IMPLICIT.values() for name in names)}
MARK_IT = "it exists in kernels only; a kernel has '# @gpu_kernel' on the line above it"

WORDS = {
    "break": "a loop ends by its condition: use a variable for it",
    "continue": "put the rest of the body into an if",
    **dict.fromkeys(
        ("null", "nil", "None", "undefined"),
        "unit has no name: a call that returns nothing gives it",
    ),
    **{"True": "write true", "False": "write false", "this": "write self"},
}
"""Words of other languages, and what PatLang has in their place."""


class ResolveHostName(RewritePattern):
    """pat.name "x" -> pat.get "x" """

    def __init__(self, names: ProgramNames, report: Report):
        self.names = names
        self.report = report

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.NameOp, rewriter: PatternRewriter) -> None:
        if self.names.kernel_of(op) is not None:
            return
        name = op.variable.data
        scope = self.names.scope_of(op)
        if scope.is_premature(op, name):
            report_premature(self.report, op, name, self.names)
        elif scope.binds(name):
            become(op, pat.GetOp)
            rewriter.notify_op_modified(op)
        elif name in self.names.functions or self.names.offers(name):
            help = f'write apply("{name}", ...) where it is to be called by its name'
            if name not in self.names.functions:
                help = f"write |x| {{ return {name}(x) }} for a closure that calls it"
            message = f"'{name}' is a function, and functions are not values"
            self.report.error(op, "P206", message, help)
        else:
            self.report.error(op, "P201", f"'{name}' is not bound", self._help(op))

    def _help(self, op: pat.NameOp) -> str:
        name = op.variable.data
        scope = self.names.scope_of(op)
        if isinstance(scope.owner, pat.FuncOp) and name in self.names.top_level:
            return "a function does not see the variables of the top level; pass it as a parameter"
        if name in WORDS:
            return WORDS[name]
        if name in _fields(op):
            return f"a method reads a field as self.{name}"
        otherwise = MARK_IT if name in KERNEL_NAMES else f"write let {name} = ... before this"
        return did_you_mean(name, scope.names, otherwise)


class ResolveHostCall(RewritePattern):
    """pat.apply "f" -> pat.call, pat.launch, pat.host or pat.call_value"""

    def __init__(self, names: ProgramNames, report: Report):
        self.names = names
        self.report = report

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ApplyOp, rewriter: PatternRewriter) -> None:
        if self.names.kernel_of(op) is not None:
            return
        name = op.callee.data
        scope = self.names.scope_of(op)
        if name in self.names.functions:
            self._call_function(op, rewriter)
        elif scope.has_value(op, name) and self._may_be_closure(name, scope):
            callee = pat.GetOp(name)
            called = pat.CallValueOp(callee.result, op.args, or_host=self._otherwise(op))
            rewriter.replace(op, (callee, called))
        elif self.names.offers(name):
            function = HOST_FUNCTIONS[name]
            if check_arity(self.report, op, *function.arity, form=signature(function)):
                become(op, pat.HostOp)
                rewriter.notify_op_modified(op)
        elif scope.binds(name):
            report_premature(self.report, op, name, self.names)
        elif unsupported := why_unsupported(name):
            self.report.error(op, "P114", f"'{name}' is not supported", unsupported)
        else:
            message = f"there is no function '{name}'"
            self.report.error(op, "P202", message, self._help(name, scope))

    def _may_be_closure(self, name: str, scope: Scope) -> bool:
        """Whether a variable is to be called. One that is no closure gives way to a host function
        of its name."""
        if name in scope.params or not self.names.offers(name):
            return True
        return any(may_be_closure(binding.value) for binding in scope.bindings[name])

    def _otherwise(self, op: pat.ApplyOp) -> str | None:
        """The host function that is called if the variable holds no closure after all."""
        name = op.callee.data
        if not self.names.offers(name):
            return None
        least, most = HOST_FUNCTIONS[name].arity
        return name if least <= len(op.args) <= (len(op.args) if most is None else most) else None

    def _help(self, name: str, scope: Scope) -> str:
        if name in HOST_FUNCTIONS and library_of(name):
            library = library_of(name)
            return f"it comes from the library '{library}': write include \"{library}\" above"
        if name in STATEMENTS or name in INTRINSICS:
            return MARK_IT
        if f"{_class_of(scope)}.{name}" in self.names.closures:
            return f"a method calls another one as self.{name}(...)"
        offered = filter(self.names.offers, HOST_FUNCTIONS)
        known = {*self.names.functions, *offered, *scope.names}
        return did_you_mean(name, known, f"define it: make a function called {name} ... end")

    def _call_function(self, op: pat.ApplyOp, rewriter: PatternRewriter) -> None:
        name = op.callee.data
        params = self.names.functions[name].param_names
        form = f"{name}({', '.join(params)})"
        if not check_arity(self.report, op, len(params), len(params), form=form):
            return
        kernel = self.names.kernels.get(name)
        if kernel is None:
            become(op, pat.CallOp)
            rewriter.notify_op_modified(op)
            return
        rewriter.replace(op, pat.LaunchOp(name, op.args, self._written(op, kernel)))

    def _written(self, op: pat.ApplyOp, kernel: KernelScope) -> list[str]:
        """For each argument the variable that gets a new list, or an empty string."""
        return [
            self._variable(op, position, param) if param in kernel.written else ""
            for position, param in enumerate(kernel.func.param_names)
        ]

    def _variable(self, op: pat.ApplyOp, position: int, param: str) -> str:
        arg = op.args[position]
        variable = bare_name(arg)
        if variable is None:
            self.report.error(
                arg.owner.location if isinstance(arg.owner, pat.Operation) else op,
                "P207",
                f"'{op.callee.data}' writes its argument '{param}', so a variable must be given",
                help=f"write let {param} = ... first, and then pass '{param}'",
            )
        return variable or ""


def check_arity(
    report: Report, op: pat.ApplyOp, least: int, most: int | None, *, form: str = ""
) -> bool:
    """Whether a call has a right number of arguments; if not, that is reported, with the form that
    the call should have."""
    count = len(op.args)
    if least <= count and (most is None or count <= most):
        return True
    if most is None:
        wanted = f"at least {least}"
    elif least == most:
        wanted = str(least)
    else:
        wanted = f"{least} to {most}" if most > least + 1 else f"{least} or {most}"
    noun = "argument" if wanted.split()[-1] == "1" else "arguments"
    message = f"'{op.callee.data}' takes {wanted} {noun}, not {count}"
    report.error(op, "P203", message, f"write {form}" if form else "")
    return False


def may_be_closure(value: SSAValue) -> bool:
    """Whether the operation that computes a value can give a closure."""
    match value.owner:
        case pat.ConstantOp() | pat.ListOp() | pat.LogicalOp() | pat.BinaryOp() | pat.UnaryOp():
            return False
        case pat.HostOp(callee=callee) | pat.ApplyOp(callee=callee):
            function = HOST_FUNCTIONS.get(callee.data)
            gives = function.gives if function is not None else ANY
            return not isinstance(gives, int) or bool(gives & CLOSURE)
        case _:
            return True


def _class_of(scope: Scope) -> str:
    """The class for whose method a scope is; empty if it is for none."""
    if not isinstance(scope.owner, pat.FuncOp) or "self" not in scope.params:
        return ""
    return scope.owner.sym_name.data.partition(".")[0]


def _fields(op: pat.NameOp) -> tuple[str, ...]:
    """The fields of the class for whose methods a name is read."""
    classes = [
        use.operation
        for made in _made_with(op)
        for use in made.result.uses
        if isinstance(use.operation, pat.ClassOp)
    ]
    return tuple(field.data for found in classes for field in found.fields)


def _made_with(op: Operation) -> list[pat.MakeClosureOp]:
    """The closures that capture the value of an operation."""
    users = (use.operation for result in op.results for use in result.uses)
    return [user for user in users if isinstance(user, pat.MakeClosureOp)]


def report_premature(report: Report, op: Operation, name: str, names: ProgramNames) -> None:
    """Report a read of a variable before anything set it."""
    binding = names.scope_of(op).bindings[name][0]
    if binding.value.owner in _made_with(op):
        message = f"'{name}' has no value yet: a closure does not see the variable it is bound to"
        help = f"make it a function with a name: make a function called {name} ... end"
        report.error(op, "P201", message, help)
        return
    place = place_of(binding.location)
    later = f"it is set in line {place.line}, after this" if place else "it is set after this"
    report.error(op, "P201", f"'{name}' has no value yet", help=later)
