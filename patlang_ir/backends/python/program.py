"""A whole program as the text of one Python module."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from patlang_ir.analysis.pat_flow import StatementEnds
from patlang_ir.analysis.value_kinds import ValueKinds
from patlang_ir.backends.python.bindings import Bindings
from patlang_ir.backends.python.expression import Span
from patlang_ir.backends.python.expressions import FunctionInfo, Line, ProgramInfo
from patlang_ir.backends.python.names import RESERVED, Names
from patlang_ir.backends.python.printer import FunctionPrinter, function_lines
from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import Place
from patlang_ir.dialects import pat
from patlang_ir.stdlib.registry import CALL_BY_NAME
from patlang_ir.traversal import walk


@dataclass(frozen=True)
class PythonText:
    """Python text and where it comes from.

    `line_map` gives the place of each line, counted from 1, and `spans` the places of its parts.
    `functions` are the Python name and the number of parameters of each function of the program,
    `titles` what messages call each function and closure, by its Python name, `variables` what they
    call the variables in it, and `entry` is the Python name of the top level.
    """

    text: str
    line_map: dict[int, Place]
    spans: dict[int, tuple[Span, ...]]
    functions: dict[str, tuple[str, int]]
    titles: dict[str, str]
    variables: dict[str, dict[str, str]]
    entry: str

    def place_at(self, line: int, start: int, end: int) -> Place | None:
        """The place of the smallest part that holds these columns of a line."""
        around = [
            span for span in self.spans.get(line, ()) if span.start <= start and end <= span.end
        ]
        if around:
            return min(around, key=lambda span: span.end - span.start).place
        return self.line_map.get(line)


@paused_collector()
def print_python(module: ModuleOp) -> PythonText:
    """The Python of a module whose names are resolved; kernels are left out."""
    functions = [op for op in module.ops if isinstance(op, pat.FuncOp) and op.kernel is None]
    names = Names(RESERVED)
    info = {
        op.sym_name.data: FunctionInfo(names.of(op.sym_name.data), len(op.params))
        for op in functions
    }
    entry = names.unused("main")
    applies = any(type(op) is pat.HostOp and op.callee.data in CALL_BY_NAME for op in walk(module))
    made = {op.callee.data for op in walk(module) if type(op) is pat.MakeClosureOp}
    closures = {op.sym_name.data: op for op in functions if op.sym_name.data in made}
    kinds, ends = ValueKinds(module), StatementEnds()
    program = ProgramInfo(kinds, info, closures, names.taken, applies, ends)
    lines: list[Line] = []
    for op in functions:
        if op.sym_name.data not in closures:
            lines += [*function_lines(op, program), *_BLANK]
    lines += _top_level(module, entry, program)
    return _assembled(lines, program, entry)


_BLANK = (Line(0, "", None, ()),) * 2


def _top_level(module: ModuleOp, entry: str, program: ProgramInfo) -> list[Line]:
    head = Line(0, f"def {entry}():", None, ())
    bodies = [op.body.block for op in module.ops if isinstance(op, pat.ProgramOp)]
    if not bodies:
        return [head, Line(1, "pass", None, ())]
    bindings = Bindings(bodies[0], (), None)
    printer = FunctionPrinter(program, entry, bindings)
    printer.start()
    printer.block(bodies[0])
    return [head, *printer.body()]


def _assembled(lines: list[Line], program: ProgramInfo, entry: str) -> PythonText:
    line_map: dict[int, Place] = {}
    spans: dict[int, tuple[Span, ...]] = {}
    for number, line in enumerate(lines, 1):
        if line.place is not None:
            line_map[number] = line.place
        if line.spans:
            spans[number] = tuple(span.moved(4 * line.indent) for span in line.spans)
    text = "".join("    " * line.indent + line.text + "\n" for line in lines)
    info = program.functions
    functions = {n: (f.python_name, f.arity) for n, f in info.items() if "." not in n}
    titles = {function.python_name: title for title, function in info.items()}
    variables = {
        info[title].python_name if title in info else entry: names.variables
        for title, names in program.names.items()
    }
    return PythonText(text, line_map, spans, functions, titles, variables, entry)
