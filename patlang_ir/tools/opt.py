"""`patlang-opt`: reads a program or IR, runs passes over it, writes IR or a target's text."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO, StringIO
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.universe import XDSL_UNIVERSE
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.utils.target import Target
from xdsl.xdsl_opt_main import xDSLOptMain

from patlang_ir.diagnostics import CompileError, Diagnostic, refuse
from patlang_ir.diagnostics.render import render_text
from patlang_ir.diagnostics.sources import Sources
from patlang_ir.pipeline import parse_pipeline, unknown_name
from patlang_ir.tools.expected_errors import differences, expectations
from patlang_ir.tools.faults import diagnostics_of, reraise_if_debugging
from patlang_ir.tools.located_printer import LocatedPrinter
from patlang_ir.tools.opt_arguments import DESCRIPTION, add_arguments
from patlang_ir.tools.process import guarded
from patlang_ir.universe import PATLANG_UNIVERSE
from patlang_ir.verify import verify

UNIVERSES = (XDSL_UNIVERSE, PATLANG_UNIVERSE)
SEPARATOR = re.compile(r"^(?://|#) -----.*$", re.MULTILINE)


class PatLangOptMain(xDSLOptMain):
    """xDSL's driver with places, diagnostics, named pipelines and a look at every stage."""

    def __init__(self, args: Sequence[str] | None = None):
        self.activity = "starting"
        self.times: list[tuple[str, float]] = []
        self.warnings: tuple[Diagnostic, ...] = ()
        self.sources = Sources()
        super().__init__(DESCRIPTION, args)

    def register_all_dialects(self) -> None:
        for universe in UNIVERSES:
            for name, factory in universe.all_dialects.items():
                self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        for universe in UNIVERSES:
            self.available_frontends.update(universe.all_frontends)
        self.available_frontends["mlir"] = _located_frontend

    def register_all_passes(self) -> None:
        for universe in UNIVERSES:
            self.available_passes.update(universe.all_passes)

    def register_all_targets(self) -> None:
        for universe in UNIVERSES:
            self.available_targets.update(universe.all_targets)

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        add_arguments(
            arg_parser,
            _known("target", self.available_targets),
            _known("frontend", self.available_frontends),
        )

    def setup_pipeline(self) -> None:
        self.pipeline = PassPipeline(parse_pipeline(self.args.passes, self.available_passes))

    def run(self) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Treat the input, chunk by chunk; 1 if there was an error in one of them."""
        if self.args.list_passes:
            return _print_pass_list()
        if self.args.version:
            return _print_version()
        text = self.read_input()
        outputs: list[str] = []
        found: list[Diagnostic] = []
        for chunk in self.split(text):
            output, diagnostics = self.process(chunk)
            if self.args.verify_diagnostics:
                expected = expectations(chunk, self.get_input_name())
                diagnostics = differences(expected, diagnostics)
            if output:
                outputs.append(output)
            found.extend(diagnostics)
        if found:
            sources = self.sources | {self.get_input_name(): text}
            print(render_text(found, sources, sys.stderr.isatty()), file=sys.stderr)
        if self.args.time_passes:
            print(_time_table(self.times), file=sys.stderr)
        failed = any(diagnostic.severity == "error" for diagnostic in found)
        self.write("// -----\n".join(outputs), failed)
        return 1 if failed else 0

    def get_input_name(self) -> str:
        name = self.args.input_file
        return "<stdin>" if name in (None, "-") else name

    def read_input(self) -> str:
        """The whole input as text."""
        name = self.get_input_name()
        data = sys.stdin.buffer.read() if name == "<stdin>" else Path(name).read_bytes()
        try:
            return data.decode()
        except UnicodeDecodeError:
            from patlang_ir.frontend.includes import decode

            problem = decode(data, name)
            assert isinstance(problem, Diagnostic)
            raise CompileError([problem]) from None

    def split(self, text: str) -> Iterator[str]:
        """The chunks, each after as many empty lines as stand before it in the file."""
        if not self.args.split_input_file:
            yield text
            return
        start = 0
        for separator in (*SEPARATOR.finditer(text), None):
            end = separator.start() if separator else len(text)
            yield "\n" * text.count("\n", 0, start) + text[start:end]
            start = separator.end() if separator else end

    def process(self, text: str) -> tuple[str, tuple[Diagnostic, ...]]:
        """The output for one chunk, and what there is to say about it."""
        self.warnings = ()
        try:
            with self.doing("reading"):
                module = self.parse(text)
            self.apply_passes(module)
            with self.doing(f"writing {self.args.target}"):
                return self.output_resulting_program(module), self.warnings
        except (Exception, ArgSpecParseError) as error:
            reraise_if_debugging(error)
            return "", (*self.warnings, *diagnostics_of(error, self.activity))

    def parse(self, text: str) -> ModuleOp:
        """The module of a text. A PatLang program may have warnings, and other files in it."""
        frontend = self.frontend_name()
        if frontend != "patlang":
            module = self.parse_chunk(BytesIO(text.encode()), frontend)
            assert module is not None
            return module
        from patlang_ir.frontend import parse

        program = parse(text, self.get_input_name())
        self.warnings = program.warnings
        self.sources |= program.sources
        return program.module

    def frontend_name(self) -> str:
        """The frontend for the input: the one that was asked for, or that of the file's ending."""
        if self.args.frontend or self.get_input_name() == "<stdin>":
            return self.args.frontend or "mlir"
        ending = Path(self.args.input_file).suffix[1:]
        if ending not in self.available_frontends:
            raise refuse(
                None,
                "P905",
                f"the ending of '{self.args.input_file}' does not say how to read it",
                help="give -f mlir or -f patlang",
            )
        return ending

    @contextmanager
    def doing(self, activity: str) -> Generator[None]:
        """Note what is being done, and how long it takes."""
        self.activity = activity
        start = perf_counter()
        yield
        self.times.append((activity, perf_counter() - start))

    def apply_passes(self, prog: ModuleOp) -> None:
        self.verify(prog)
        for step in self.pipeline.passes:
            before = self.text_of(prog) if self.args.crash_reproducer else ""
            try:
                with self.doing(str(step)):
                    step.apply(self.ctx, prog)
                self.verify(prog)
            except Exception:
                self.write_reproducer(step, before)
                raise
            if self.args.print_ir_after_all:
                print(f"// after {step}\n{self.text_of(prog)}", file=sys.stderr)

    def verify(self, module: ModuleOp) -> None:
        """Check the IR, unless that is switched off."""
        if not self.args.skip_verify:
            verify(module)

    def write_reproducer(self, step: ModulePass, before: str) -> None:
        """Write the input of a pass that failed, with the command that shows the failure."""
        if self.args.crash_reproducer:
            command = f"// RUN: patlang-opt --pass-pipeline='{step}' %s\n"
            Path(self.args.crash_reproducer).write_text(command + before, encoding="utf-8")

    def text_of(self, module: ModuleOp) -> str:
        """The module as IR text."""
        output = StringIO()
        locations = "foreign"
        if self.args.hide_locations:
            locations = "none"
        if self.args.print_debuginfo:
            locations = "all"
        # Reading IR text gives its own places again; those of a program would be lost.
        hidden_file = "" if self.frontend_name() == "patlang" else self.get_input_name()
        printer = LocatedPrinter(output, hidden_file, locations, generic=self.args.print_op_generic)
        printer.print_op(module)
        printer.print_metadata(self.ctx.loaded_dialects)
        return output.getvalue() + "\n"

    def output_resulting_program(self, prog: ModuleOp) -> str:
        spec = parse_spec(self.args.target)
        if spec.name == "mlir":
            return self.text_of(prog)
        factory = cast(Callable[[], type[Target]], self.available_targets[spec.name])
        try:
            target = factory().from_spec(spec)
        except ValueError as error:
            raise refuse(None, "P905", f"'{spec}': {error}") from None
        output = StringIO()
        target.emit(self.ctx, prog, output)
        return output.getvalue()

    def write(self, output: str, failed: bool) -> None:
        """Write the output; a file is left alone if there was an error."""
        if self.args.output_file is None:
            sys.stdout.write(output)
        elif not failed:
            Path(self.args.output_file).write_text(output, encoding="utf-8")


def _located_frontend() -> Any:
    from patlang_ir.tools.located_parser import LocatedFrontend

    return LocatedFrontend


def _known(kind: str, entries: dict[str, Any]) -> Callable[[str], str]:
    """A check of an argument that names an entry, perhaps with options."""

    def check(text: str) -> str:
        name = parse_spec(text).name
        if name not in entries:
            raise unknown_name(kind, name, entries)
        return text

    return check


def _print_pass_list() -> int:
    from patlang_ir.tools.pass_list import pass_list

    print(pass_list())
    return 0


def _print_version() -> int:
    from importlib.metadata import version

    print(f"patlang-opt {version('patlang-ir')} (xDSL {version('xdsl')})")
    return 0


def _time_table(times: list[tuple[str, float]]) -> str:
    total = sum(seconds for _, seconds in times)
    rows = [*times, ("total", total)]
    return "\n".join(
        f"{seconds:9.4f} s {100 * seconds / (total or 1):5.1f} %  {name}" for name, seconds in rows
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tool; the exit status."""
    return guarded(lambda: PatLangOptMain(argv).run())


if __name__ == "__main__":
    sys.exit(main())
