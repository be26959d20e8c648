"""A session: inputs that run one after the other and share variables and functions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Block, Operation, SSAValue

from patlang_ir.backends.python import print_python
from patlang_ir.diagnostics import CompileError, Diagnostic
from patlang_ir.diagnostics.sources import Sources
from patlang_ir.dialects import pat
from patlang_ir.dialects.literals import number
from patlang_ir.frontend.cursor import OPENING
from patlang_ir.frontend.functions import ProgramParser
from patlang_ir.frontend.includes import PathMap
from patlang_ir.frontend.lexer import Lexer, Token
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.rewriting import give_place
from patlang_ir.runtime.host import LateLauncher, run_on
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.launcher import ListRunner, ProgramLauncher
from patlang_ir.stdlib.session import session_show

VALUE_STARTS = frozenset(
    ("int", "float", "string", "true", "false", "[", "-", "not", "bnot", "|", "{")
)
"""The tokens that start an expression and no statement."""

OPEN_ENDS = frozenset(("P105", "P111", "P112"))
"""The errors of a text that may go on: a string, a block or a bracket is open."""

OPERATORS = frozenset(
    (
        *("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "=", ","),
        *("band", "bor", "bxor", "shl", "shr", "and", "or", "not", "bnot"),
    )
)


class Session:
    """The state between inputs. An input is a text of statements; a value alone is printed."""

    def __init__(
        self, out: TextIO | None = None, *, runner: ListRunner | None = None, path_map: PathMap = ()
    ):
        self.machine = Machine(out=out, path_map=path_map)
        self.sources = Sources()
        self._path_map = path_map
        self._functions: dict[str, pat.FuncOp] = {}
        self._libraries: dict[str, None] = {}
        self._runner = runner or ListRunner("auto", "", False)
        self._count = 0

    @property
    def names(self) -> list[str]:
        """The variables and functions so far."""
        return [*self.machine.kept, *self._functions]

    def is_complete(self, text: str) -> bool:
        """Whether a text can be run; else more lines must follow."""
        lexer = Lexer(self._path_map)
        lexer.lex(text, "<input>")
        end = len(lexer.tokens) - 1
        awaited = any(marker.position == end for marker in lexer.markers)
        if awaited or _brackets(lexer.tokens) > 0 or lexer.tokens[end - 1].kind in OPERATORS:
            return False
        parser = _parser(lexer)
        parser.program()
        return not any(error.code in OPEN_ENDS for error in parser.errors)

    def run(self, text: str) -> list[Diagnostic]:
        """Run one input; gives the warnings about it. Raises CompileError and RunError."""
        self._count += 1
        lexer = Lexer(self._path_map)
        lexer.lex(text, f"<input {self._count}>")
        self.sources = self.sources | lexer.texts
        if len(lexer.tokens) == 1 and not lexer.errors:
            self._remember((), lexer.libraries)
            return []
        parser = _parser(lexer)
        program, *functions = [op.detach() or op for op in [*parser.program().ops]]
        if parser.errors:
            raise CompileError([*parser.errors, *parser.warnings])
        assert isinstance(program, pat.ProgramOp)
        mentioned = {token.text for token in lexer.tokens if token.kind == "name"}
        module = self._module(program, functions, mentioned, lexer.libraries)
        unresolved = module.clone()
        for step in parse_pipeline("patlang-host"):
            step.apply(Context(), module)
        self._remember(functions, lexer.libraries)
        launcher = LateLauncher(lambda: ProgramLauncher(unresolved, self._runner))
        session_show(self.machine, run_on(self.machine, print_python(module), launcher))
        return parser.warnings

    def close(self) -> None:
        self.machine.close()

    def _module(
        self,
        program: pat.ProgramOp,
        functions: Iterable[Operation],
        mentioned: set[str],
        libraries: Iterable[str],
    ) -> ModuleOp:
        """The input with the variables and functions that it may use."""
        block = program.body.block
        _show_last(block)
        bound = _keep_bound(block)
        known = [name for name in self.machine.kept if name in mentioned and name not in bound]
        last = block.last_op
        end = [op for name in (*bound, *known) for op in _keep(name)]
        if isinstance(last, pat.ReturnOp):
            block.insert_ops_before(end, last)
        else:
            block.add_ops(end)
        start = [op for name in self.machine.kept for op in self._recall(name, mentioned)]
        if start:
            first = block.first_op
            block.insert_ops_before(start, first) if first else block.add_ops(start)
        give_place(program, program.location)
        new = [op for op in functions if isinstance(op, pat.FuncOp)]
        replaced = {op.sym_name.data for op in new}
        old = [op.clone() for name, op in self._functions.items() if name not in replaced]
        others = [op for op in functions if not isinstance(op, pat.FuncOp)]
        module = ModuleOp([program, *others, *old, *(op.clone() for op in new)])
        included = dict.fromkeys((*self._libraries, *libraries))
        if included:
            module.attributes[pat.LIBRARIES] = ArrayAttr(map(StringAttr, included))
        return module

    def _recall(self, name: str, mentioned: set[str]) -> list[Operation]:
        """`let mut name = ...` for a variable of an earlier input. Numbers are written as they are,
        since kernels may use them as constants."""
        value = self.machine.kept[name]
        found: list[Operation]
        if type(value) in (bool, int, float):
            found = [pat.ConstantOp(number(value))]
        elif name in mentioned:
            named = pat.ConstantOp(StringAttr(name))
            found = [named, pat.HostOp("session.value", [named.result])]
        else:
            return []
        return [*found, pat.LetOp(name, found[-1].results[0], mutable=True)]

    def _remember(self, functions: Iterable[Operation], libraries: Iterable[str]) -> None:
        for function in functions:
            if isinstance(function, pat.FuncOp):
                self._functions[function.sym_name.data] = function
        self._libraries.update(dict.fromkeys(libraries))


def _parser(lexer: Lexer) -> ProgramParser:
    if lexer.tokens[0].kind in VALUE_STARTS:
        _put_in_parentheses(lexer.tokens)
    return ProgramParser(lexer)


def _brackets(tokens: Iterable[Token]) -> int:
    """How many brackets are open at the end."""
    return sum((it.kind in OPENING) - (it.kind in OPENING.values()) for it in tokens)


def _put_in_parentheses(tokens: list[Token]) -> None:
    """Make a statement of an expression."""
    first, end = tokens[0], tokens[-1]
    tokens.insert(0, first._replace(kind="(", text="("))
    tokens[1] = first._replace(first=False)
    tokens.insert(-1, end._replace(kind=")", text=")", first=False))


def _show_last(block: Block) -> None:
    """Print the value of an expression at the end of an input."""
    last = block.last_op
    if last is None or len(last.results) != 1 or last.results[0].first_use is not None:
        return
    block.add_op(_located(pat.HostOp("session.show", [last.results[0]]), last))


def _keep_bound(block: Block) -> list[str]:
    """Keep each variable after the statement that binds it; gives their names."""
    bound: dict[str, None] = {}
    for op in [*block.ops]:
        names = dict.fromkeys(
            inner.variable.data
            for inner in op.walk()
            if isinstance(inner, pat.LetOp | pat.AssignOp)
        )
        bound |= names
        after = [_located(it, op) for name in names for it in _keep(name)]
        if after:
            block.insert_ops_after(after, op)
    return [*bound]


def _keep(name: str) -> list[Operation]:
    named, value = pat.ConstantOp(StringAttr(name)), pat.NameOp(name)
    operands: list[SSAValue] = [named.result, value.result]
    return [named, value, pat.HostOp("session.keep", operands)]


def _located(op: Operation, beside: Operation) -> Operation:
    give_place(op, beside.location)
    return op
