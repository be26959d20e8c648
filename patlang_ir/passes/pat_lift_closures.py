"""Make functions of closures, so that what they capture is there to see."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from patlang_ir.analysis.captures import own_ops
from patlang_ir.analysis.scopes import Owner, ProgramFunctions, Scope
from patlang_ir.dialects import pat

TOP_LEVEL = "main"
"""What the top level is called in messages; no function can have this name."""


class PatLiftClosures(ModulePass):
    """Each closure becomes a function, whose first parameters are what it captures.

        %0 = pat.closure("x") { ... pat.name "n" ... }
    ->
        %1 = pat.name "n"
        %0 = pat.make_closure "main.f"(%1)
        pat.func @main.f("n", "x") { ... pat.name "n" ... }

    A variable is captured if it may have a value where the closure is made. Closures in kernels
    stay: they are refused where names are resolved.
    """

    name = "pat-lift-closures"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        lifting = Lifting(op)
        for owner in [*op.ops]:
            if isinstance(owner, pat.ProgramOp):
                lifting.lift(owner, TOP_LEVEL)
            elif isinstance(owner, pat.FuncOp) and owner.kernel is None:
                lifting.lift(owner, owner.sym_name.data)


class Lifting:
    """The functions of one module, and those that closures become."""

    def __init__(self, module: ModuleOp):
        self.module = module
        self.names = ProgramFunctions(module)
        self.counts: dict[str, int] = {}
        """The number that the next closure of each title gets."""
        self.taken = {op.sym_name.data for op in module.ops if isinstance(op, pat.FuncOp)}

    def lift(self, owner: Owner, title: str) -> None:
        """Lift the closures of a function, and then those inside them."""
        scope = Scope(owner)
        closures = [op for op in own_ops(owner) if isinstance(op, pat.ClosureOp)]
        for closure in closures:
            name = self._unused(_title(closure, title))
            captured = [*self._captured(closure, scope)]
            params = [*(read.variable.data for read in captured), *closure.param_names]
            returns = closure.result_name.data if closure.result_name is not None else None
            made = pat.MakeClosureOp(name, [read.result for read in captured])
            made.location = closure.location
            body = closure.detach_region(closure.body)
            function = pat.FuncOp(name, params, body, returns=returns)
            function.location = closure.location
            Rewriter.insert_op(captured, InsertPoint.before(closure))
            Rewriter.replace_op(closure, made)
            self.module.body.block.add_op(function)
            self.lift(function, name)

    def _captured(self, closure: pat.ClosureOp, scope: Scope) -> Iterator[pat.NameOp]:
        """The reads of the variables that a closure captures."""
        lets = (op for op in own_ops(closure) if isinstance(op, pat.LetOp | pat.AssignOp))
        bound = {op.variable.data for op in lets}
        for name, mention in scope.mentions(closure).items():
            if not scope.has_value(closure, name):
                is_own = name in bound or name in self.names.functions
                is_call = isinstance(mention, pat.ApplyOp)
                if is_own or (is_call and (self.names.offers(name) or not scope.binds(name))):
                    continue
            read = pat.NameOp(name)
            read.location = mention.location
            yield read

    def _unused(self, title: str) -> str:
        name, count = title, self.counts.get(title, 2)
        while name in self.taken:
            name, count = f"{title}{count}", count + 1
        self.counts[title] = count
        self.taken.add(name)
        return name


def _title(closure: pat.ClosureOp, owner: str) -> str:
    """What messages call a closure: by what it is bound to, if that is known."""
    use = closure.result.first_use
    user = use.operation if use is not None else None
    match user:
        case pat.LetOp() | pat.AssignOp():
            return f"{owner}.{user.variable.data}"
        case pat.WhenOp():
            return f"when.{user.event.data}"
        case pat.ClassOp():
            position = [*user.closures].index(closure.result)
            return f"{user.class_name.data}.{user.methods.data[position].data}"
        case _:
            return f"{owner}.closure"
