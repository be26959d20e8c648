"""The half of `pat-resolve-names` that is about kernels."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.analysis.pointed_buffers import MAKE_POINTER
from patlang_ir.analysis.scopes import (
    KernelScope,
    ProgramNames,
    bare_name,
    did_you_mean,
    is_buffer_mention,
)
from patlang_ir.diagnostics import Report, place_of
from patlang_ir.dialects import pat
from patlang_ir.kernel_language import (
    BLOCK_FORMS,
    BLOCK_FUNCTIONS,
    BLOCK_NAMES,
    BLOCK_STATEMENT,
    IMPLICIT,
    INTRINSICS,
    STATEMENTS,
)
from patlang_ir.passes import foreign_names
from patlang_ir.passes.resolve_host_names import check_arity, report_premature
from patlang_ir.rewriting import PatternOf
from patlang_ir.stdlib import HOST_FUNCTIONS
from patlang_ir.traversal import walk

KIND_WORDS = {
    pat.KernelKind.LINEAR: "1-D",
    pat.KernelKind.GRID: "2-D",
    pat.KernelKind.MATMUL: "matmul",
}
INSTEAD = {
    pat.KernelKind.LINEAR: {"n_rows": "use n", "n_cols": "use n", "mask_r": "use mask"},
    pat.KernelKind.GRID: {"n": "use n_rows and n_cols", "pid_r": "use row", "pid_c": "use col"},
    pat.KernelKind.MATMUL: {
        "n": "use M, N and K",
        "n_rows": "use M, N and K",
        "n_cols": "use M, N and K",
        "pid": "use pid_m and pid_n",
        "BLOCK_SIZE": "use BLOCK_M, BLOCK_N and BLOCK_K",
    },
}
"""What to write for a name that has no value in a kind of kernel, if not what `DEFAULTS` says."""

LOAD_FORM = "load_block(make_block_ptr(a, M, K, pid_m * BLOCK_M, 0, BLOCK_M, BLOCK_K))"
DEFAULTS = {
    pat.KernelKind.LINEAR: "use offs",
    pat.KernelKind.GRID: "use row and col",
    pat.KernelKind.MATMUL: f"work with whole blocks: {LOAD_FORM}",
}
MARK_MATMUL = "it works on the blocks of a kernel that is marked # @gpu_kernel_matmul"

REFUSED: dict[type[Operation], tuple[str, str]] = {
    pat.ListOp: ("a list", "a kernel works on numbers; pass a list as an argument"),
    pat.MemberOp: ("a member", "the number of elements is n, in 2-D kernels n_rows and n_cols"),
    pat.ContractOp: ("a contract", "check it before the kernel is called"),
    pat.CallValueOp: ("the call of a value", "call a function by its name"),
    pat.ClosureOp: ("a closure", "make it a function with a name"),
    pat.SendOp: ("the call of a method", "pass what is needed of the record as an argument"),
    pat.SetMemberOp: ("a record", "set its members before or after the kernel is called"),
    pat.ReturnOp: ("'return'", "results are written with store(out, offs, value)"),
}
"""What a kernel cannot hold, and what to do instead."""


class KernelPattern(RewritePattern):
    """A rewrite that applies inside kernels only."""

    def __init__(self, names: ProgramNames, report: Report):
        self.names = names
        self.report = report

    def kernel_of(self, op: Operation) -> KernelScope | None:
        """The kernel that an operation stands in, unless a closure is in between."""
        kernel = self.names.kernel_of(op)
        return kernel if kernel is not None and not _in_closure(op) else None


def _in_closure(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and (isinstance(parent, pat.ClosureOp) or _in_closure(parent))


class RefuseForms(KernelPattern, PatternOf):
    """Reports lists, strings, members and the like; rewrites nothing."""

    operations = (*REFUSED, pat.ConstantOp)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        refused = REFUSED.get(type(op))
        if isinstance(op, pat.ConstantOp) and isinstance(op.value, StringAttr):
            refused = ("a string", "a kernel works on numbers")
        if refused is None or self.kernel_of(op) is None:
            return
        if isinstance(op, pat.ConstantOp) and any(is_refused(u.operation) for u in op.result.uses):
            return
        what, help = refused
        self.report.error(op, "P301", f"{what} cannot be used in a kernel", help)


class ResolveKernelName(KernelPattern):
    """pat.name "x" -> pat.get "x", pat.implicit "x" or the constant that x is"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.NameOp, rewriter: PatternRewriter) -> None:
        kernel = self.kernel_of(op)
        name = op.variable.data
        if kernel is None or is_buffer_mention(op):
            return
        if name in kernel.buffers:
            self._refuse_buffer(op, kernel)
        elif name in IMPLICIT[_kind(kernel)]:
            rewriter.replace(op, pat.ImplicitOp(name))
        elif kernel.scope.is_premature(op, name):
            report_premature(self.report, op, name, self.names)
        elif kernel.scope.binds(name):
            rewriter.replace(op, pat.GetOp(name))
        elif name in self.names.constants and name not in BLOCK_NAMES:
            rewriter.replace(op, pat.ConstantOp(self.names.constants[name]))
        elif name in BLOCK_NAMES or self._is_of_other_kind(name):
            self._refuse_other_kind(op, kernel)
        elif name in self.names.functions or is_kernel_function(name):
            self.report.error(
                op, "P206", f"'{name}' is a function, and functions are not values", "call it"
            )
        else:
            self.report.error(op, "P201", f"'{name}' is not bound", self._help(name, kernel))

    def _is_of_other_kind(self, name: str) -> bool:
        in_some = any(name in names for names in IMPLICIT.values())
        return in_some and name not in self.names.top_level

    def _refuse_buffer(self, op: pat.NameOp, kernel: KernelScope) -> None:
        """A buffer where a value should be."""
        name = op.variable.data
        if name in kernel.scope.bindings:
            return  # The assignment is reported.
        user = next(iter(op.result.uses)).operation if op.result.uses else None
        if is_refused(user):
            return
        if isinstance(user, pat.LetOp | pat.AssignOp):
            if kernel.aliases.get(user.variable.data) == name:
                return  # The use of the other name is reported.
            self.report.error(
                op,
                "P306",
                f"'{name}' is a buffer, and a variable cannot hold one",
                help=f"write {name}[offs] for its elements",
            )
            return
        place = place_of(kernel.buffers[name].location)
        where = f" in line {place.line}" if place else ""
        self.report.error(
            op,
            "P205",
            f"'{name}' is used as a value here, and as a buffer{where}",
            help=f"write {name}[offs] for its elements, or pass the value under another name",
        )

    def _refuse_other_kind(self, op: pat.NameOp, kernel: KernelScope) -> None:
        name, kind = op.variable.data, _kind(kernel)
        default = DEFAULTS[kind]
        if name.startswith("BLOCK_") and kind is not pat.KernelKind.MATMUL:
            default = f"{default}; a kernel means the same for every block size"
        self.report.error(
            op,
            "P208",
            f"'{name}' has no value in a {KIND_WORDS[kind]} kernel",
            help=INSTEAD[kind].get(name, default),
        )

    def _help(self, name: str, kernel: KernelScope) -> str:
        bindings = self.names.top_level.get(name)
        if bindings is None:
            known = (*kernel.scope.names, *IMPLICIT[_kind(kernel)], *self.names.constants)
            otherwise = "a scalar can be passed as a parameter"
            return foreign_names.NAMES.get(name) or did_you_mean(name, known, otherwise)
        why = "is set more than once" if len(bindings) > 1 else "is not a plain number"
        return f"the variable of the top level {why}; pass it as a parameter"


class ResolveLoad(KernelPattern):
    """pat.index (pat.name "x")[i] -> pat.load "x"[i]"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.IndexOp, rewriter: PatternRewriter) -> None:
        kernel = self.kernel_of(op)
        if kernel is None:
            return
        if _kind(kernel) is pat.KernelKind.MATMUL:
            message = "elements cannot be indexed in a matmul kernel"
            self.report.error(op, "P301", message, DEFAULTS[pat.KernelKind.MATMUL])
            return
        buffer = buffer_of(self.report, op, op.base, kernel)
        if buffer is None:
            return
        base = op.base.owner
        rewriter.replace(op, pat.LoadOp(buffer, op.index))
        erase_unused(base, rewriter)


class ResolveKernelCall(KernelPattern):
    """pat.apply "f" -> pat.store, pat.atomic, pat.intrinsic or pat.call"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: pat.ApplyOp, rewriter: PatternRewriter) -> None:
        kernel = self.kernel_of(op)
        if kernel is None:
            return
        name = op.callee.data
        if name in STATEMENTS:
            self._resolve_statement(op, kernel, rewriter)
        elif name in self.names.kernels:
            help = "call it before or after, from host code"
            self.report.error(op, "P301", f"a kernel cannot call the kernel '{name}'", help)
        elif name in self.names.functions:
            self.report.error(
                op,
                "P902",
                f"the call of '{name}' was not inlined",
                help="run pat-inline-helpers before pat-resolve-names",
            )
        elif name in (*INTRINSICS, *BLOCK_FUNCTIONS) and op.result.first_use is None:
            message = f"nothing uses what '{name}' gives, and it does nothing else"
            self.report.error(op, "P301", message, f"bind it: let v = {name}(...)")
        elif name in INTRINSICS:
            arity = INTRINSICS[name].arity
            if check_arity(self.report, op, min(arity), max(arity)):
                rewriter.replace(op, pat.IntrinsicOp(name, op.args))
        elif name in BLOCK_FUNCTIONS:
            self._resolve_block_function(op, kernel, rewriter)
        elif _is_closure(name, kernel):
            return  # The closure is reported.
        elif name in HOST_FUNCTIONS:
            help = did_you_mean(name, INTRINSICS, "call it before or after the kernel")
            self.report.error(
                op, "P301", f"the host function '{name}' cannot be used in a kernel", help
            )
        else:
            known = (*INTRINSICS, *STATEMENTS, *BLOCK_FUNCTIONS, *self.names.functions)
            help = foreign_names.FUNCTIONS.get(name) or did_you_mean(name, known)
            self.report.error(op, "P202", f"kernels have no function '{name}'", help)

    def _resolve_block_function(
        self, op: pat.ApplyOp, kernel: KernelScope, rewriter: PatternRewriter
    ) -> None:
        name = op.callee.data
        if _kind(kernel) is not pat.KernelKind.MATMUL:
            message = f"'{name}' cannot be used in a {KIND_WORDS[_kind(kernel)]} kernel"
            self.report.error(op, "P301", message, MARK_MATMUL)
            return
        (count,) = BLOCK_FUNCTIONS[name].arity
        if not check_arity(self.report, op, count, count, form=BLOCK_FORMS[name]):
            return
        if name != MAKE_POINTER:
            rewriter.replace(op, pat.IntrinsicOp(name, op.args))
            return
        target = op.args[0].owner
        buffer = buffer_of(self.report, op, op.args[0], kernel)
        if buffer is not None:
            base = pat.GetOp(buffer)
            rewriter.replace(op, [base, pat.IntrinsicOp(name, [base.result, *op.args[1:]])])
            erase_unused(target, rewriter)

    def _resolve_statement(
        self, op: pat.ApplyOp, kernel: KernelScope, rewriter: PatternRewriter
    ) -> None:
        name = op.callee.data
        if (name == BLOCK_STATEMENT) != (_kind(kernel) is pat.KernelKind.MATMUL):
            message = f"'{name}' cannot be used in a {KIND_WORDS[_kind(kernel)]} kernel"
            of_blocks = name == BLOCK_STATEMENT
            help = MARK_MATMUL if of_blocks else "write store_block(pointer, tile)"
            self.report.error(op, "P301", message, help)
            return
        arity = STATEMENTS[name]
        form = BLOCK_FORMS.get(name, "")
        if not check_arity(self.report, op, min(arity), max(arity), form=form):
            return
        if op.result.uses:
            self.report.error(
                op,
                "P301",
                f"'{name}' is a statement and gives no value",
                help="write it on a line of its own",
            )
            return
        if name == BLOCK_STATEMENT:
            rewriter.replace(op, pat.IntrinsicOp(name, op.args))
            return
        target = op.args[0].owner
        buffer = buffer_of(self.report, op, op.args[0], kernel)
        if buffer is None:
            return
        if name == "store":
            rewriter.replace(op, pat.StoreOp(buffer, op.args[1], op.args[2]), [None])
        else:
            kind = pat.AtomicKind(name.removeprefix("atomic_"))
            lanes = pat.ImplicitOp("offs")
            ops = [lanes] if len(op.args) == 2 else []
            index = lanes.result if ops else op.args[1]
            atomic = pat.AtomicOp(kind, buffer, index, op.args[-1])
            rewriter.replace(op, [*ops, atomic], [None])
        erase_unused(target, rewriter)


def _is_closure(name: str, kernel: KernelScope) -> bool:
    """Whether a variable is bound to a closure, which a kernel cannot have."""
    bindings = kernel.scope.bindings.get(name, ())
    return any(isinstance(binding.value.owner, pat.ClosureOp) for binding in bindings)


def buffer_of(report: Report, op: Operation, base: SSAValue, kernel: KernelScope) -> str | None:
    """The parameter that is indexed or written here; None, and an error, if it is none."""
    name = bare_name(base)
    at = base.owner if isinstance(base.owner, Operation) else op
    if name is None:
        message = "only a parameter of the kernel can be indexed or written"
        report.error(at, "P306", message, help="name the parameter here")
    elif name in kernel.scope.params:
        return name
    elif name in kernel.aliases:
        source = kernel.aliases[name]
        message = f"'{name}' is a variable, which cannot stand for the buffer '{source}'"
        report.error(at, "P306", message, help=f"write '{source}' here")
    elif kernel.scope.binds(name) or name in IMPLICIT[_kind(kernel)]:
        message = f"'{name}' is no parameter, and only a parameter can be indexed or written"
        report.error(at, "P306", message, help="use its value as it is, without an index")
    else:
        help = did_you_mean(name, kernel.scope.params, "a buffer is a parameter of the kernel")
        report.error(at, "P201", f"'{name}' is not bound", help)
    return None


def erase_unused(op: object, rewriter: PatternRewriter) -> None:
    if isinstance(op, pat.NameOp | pat.GetOp) and not op.result.uses:
        rewriter.erase(op)


def is_refused(op: Operation | None) -> bool:
    """Whether this is a form or call that no kernel can hold, whatever its operands are."""
    if isinstance(op, pat.ApplyOp):
        return not is_kernel_function(op.callee.data)
    return type(op) in REFUSED


def is_kernel_function(name: str) -> bool:
    """Whether the kernel language has a function of that name."""
    return name in INTRINSICS or name in STATEMENTS or name in BLOCK_FUNCTIONS


def check_kernel(kernel: KernelScope, report: Report) -> None:
    """What must hold for a kernel as a whole."""
    kind = _kind(kernel)
    reserved = {*IMPLICIT[kind], *BLOCK_NAMES}
    for param in kernel.func.param_names:
        if param in reserved:
            help = "give the parameter another name"
            message = f"'{param}' is a name that the kernel language gives a meaning"
            report.error(kernel.func, "P204", message, help)
    for name, bindings in kernel.scope.bindings.items():
        if name in reserved and name not in kernel.scope.params:
            message = f"'{name}' is given by the kernel language and cannot be set"
            report.error(bindings[0], "P204", message, help="choose another name")
        elif name in kernel.buffers:
            message = f"'{name}' is a buffer, and cannot be a variable too"
            report.error(bindings[0], "P205", message, help="choose another name for the variable")
    if not any(
        isinstance(op, pat.StoreOp | pat.AtomicOp | pat.ReturnOp)  # A return is reported itself.
        or (isinstance(op, pat.ApplyOp | pat.IntrinsicOp) and op.callee.data in STATEMENTS)
        for op in walk(kernel.func)
    ):
        message = f"the kernel '{kernel.func.sym_name.data}' writes nothing, so it does nothing"
        blocks = kind is pat.KernelKind.MATMUL
        form = "store_block(pointer, tile)" if blocks else "store(out, offs, value)"
        report.error(kernel.func, "P309", message, f"write its results with {form}")


def _kind(kernel: KernelScope) -> pat.KernelKind:
    assert kernel.func.kernel is not None
    return kernel.func.kernel.data
