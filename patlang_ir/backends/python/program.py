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
from patlang_ir.backends.python.numeric_params import numeric_params
from patlang_ir.backends.python.printer import FunctionPrinter
from patlang_ir.diagnostics import Place, place_of
from patlang_ir.dialects import pat


@dataclass(frozen=True)
class PythonText:
    """Python text and where it comes from.

    `line_map` gives the place of each line, counted from 1, and `spans` the places of its parts.
    `functions` are the Python name and the number of parameters of each function of the program,
    `entry` the Python name of the top level.
    """

    text: str
    line_map: dict[int, Place]
    spans: dict[int, tuple[Span, ...]]
    functions: dict[str, tuple[str, int]]
    entry: str

    def place_at(self, line: int, start: int, end: int) -> Place | None:
        """The place of the smallest part that holds these columns of a line."""
        around = [
            span for span in self.spans.get(line, ()) if span.start <= start and end <= span.end
        ]
        if around:
            return min(around, key=lambda span: span.end - span.start).place
        return self.line_map.get(line)


def print_python(module: ModuleOp) -> PythonText:
    """The Python of a module whose names are resolved; kernels are left out."""
    functions = [op for op in module.ops if isinstance(op, pat.FuncOp) and op.kernel is None]
    names = Names(RESERVED)
    info = {
        op.sym_name.data: FunctionInfo(names.of(op.sym_name.data), len(op.params))
        for op in functions
    }
    entry = names.unused("main")
    applies = any(isinstance(op, pat.HostOp) and op.callee.data == "apply" for op in module.walk())
    program = ProgramInfo(ValueKinds(module), info, names.taken, applies, StatementEnds())
    lines: list[Line] = []
    for op in functions:
        lines += [*_function(op, program), *_BLANK]
    lines += _top_level(module, entry, program)
    return _assembled(lines, {n: (f.python_name, f.arity) for n, f in info.items()}, entry)


_BLANK = (Line(0, "", None, ()),) * 2


def _function(op: pat.FuncOp, program: ProgramInfo) -> list[Line]:
    function = op.sym_name.data
    result = op.result_name.data if op.result_name is not None else None
    bindings = Bindings(op.body.block, op.param_names, result)
    printer = FunctionPrinter(program, function, bindings)
    params = [printer.names.of(param) for param in op.param_names]
    if program.applies:
        params = [f"{param}=None" for param in params]
    python_name = program.functions[function].python_name
    head = Line(0, f"def {python_name}({', '.join(params)}):", place_of(op.location), ())
    _start(printer, bindings)
    printer.numeric_at_start(numeric_params(op, program.kinds))
    printer.block(op.body.block)
    if result is not None and bindings.ends:
        printer.line(f"return {printer.names.of(result)}")
    return _body(head, printer)


def _top_level(module: ModuleOp, entry: str, program: ProgramInfo) -> list[Line]:
    head = Line(0, f"def {entry}():", None, ())
    bodies = [op.body.block for op in module.ops if isinstance(op, pat.ProgramOp)]
    if not bodies:
        return [head, Line(1, "pass", None, ())]
    bindings = Bindings(bodies[0], (), None)
    printer = FunctionPrinter(program, entry, bindings)
    _start(printer, bindings)
    printer.block(bodies[0])
    return _body(head, printer)


def _start(printer: FunctionPrinter, bindings: Bindings) -> None:
    """Variables that may be read before they are bound are unit."""
    for variable in sorted(bindings.unset):
        printer.line(f"{printer.names.of(variable)} = None")
    for variable in sorted(bindings.flagged):
        printer.line(f"{printer.flag(variable)} = False")


def _body(head: Line, printer: FunctionPrinter) -> list[Line]:
    return [head, *(printer.lines or [Line(1, "pass", None, ())])]


def _assembled(lines: list[Line], functions: dict[str, tuple[str, int]], entry: str) -> PythonText:
    line_map: dict[int, Place] = {}
    spans: dict[int, tuple[Span, ...]] = {}
    for number, line in enumerate(lines, 1):
        if line.place is not None:
            line_map[number] = line.place
        if line.spans:
            spans[number] = tuple(span.moved(4 * line.indent) for span in line.spans)
    text = "".join("    " * line.indent + line.text + "\n" for line in lines)
    return PythonText(text, line_map, spans, functions, entry)
