"""`patlang check`: everything that is wrong with a program, without running it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from patlang_ir.collector import paused_collector
from patlang_ir.diagnostics import CompileError, Diagnostic, Place, refuse
from patlang_ir.diagnostics.sources import Sources

PathMap: TypeAlias = Sequence[tuple[str, str]]

HELP = "find the errors of programs without running them"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a PatLang program")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument(
        "--path-map",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="look for includes under NEW where they say OLD",
    )


def run(args: argparse.Namespace) -> int:
    path_map = [_pair(text) for text in args.path_map]
    found = {file: check(file, path_map) for file in args.files}
    if args.format == "json":
        from patlang_ir.diagnostics.render import render_json

        print(render_json(diagnostic for listed in found.values() for diagnostic in listed))
    else:
        _print_text(found)
    listed = (diagnostic for listed in found.values() for diagnostic in listed)
    return int(any(map(_is_failure, listed)))


def _is_failure(diagnostic: Diagnostic) -> bool:
    """An error, or a marker without its function: the program runs, but without that kernel."""
    return diagnostic.severity == "error" or diagnostic.code == "P119"


def check(file: str, path_map: PathMap = ()) -> list[Diagnostic]:
    """Everything that the front end and the compiler say about a file."""
    from patlang_ir.frontend import parse_file
    from patlang_ir.tools.faults import diagnostics_of, reraise_if_debugging

    found: list[Diagnostic] = []
    try:
        program = parse_file(file, path_map=path_map)
        found.extend(program.warnings)
        _compile(program.module)
    except Exception as error:
        reraise_if_debugging(error)
        found.extend(diagnostics_of(error, f"checking {file}"))
    return sorted(found, key=lambda diagnostic: diagnostic.place or Place(file, 0, 0))


@paused_collector()
def _compile(module: ModuleOp) -> None:
    """Run what `patlang run` would run, and raise one CompileError with all the errors."""
    from patlang_ir.diagnostics import Report
    from patlang_ir.dialects import pat
    from patlang_ir.passes.pat_inline_helpers import PatInlineHelpers
    from patlang_ir.passes.pat_lift_closures import PatLiftClosures
    from patlang_ir.passes.pat_resolve_names import PatResolveNames

    context = Context()
    for step in (PatInlineHelpers(), PatLiftClosures(), PatResolveNames()):
        step.apply(context, module)
    functions = (op for op in module.ops if isinstance(op, pat.FuncOp))
    kernels = [op.sym_name.data for op in functions if op.kernel is not None]
    with Report() as report:
        for kernel in kernels:
            report.diagnostics.extend(_kernel_errors(module.clone(), kernel))


def _kernel_errors(module: ModuleOp, kernel: str) -> Iterator[Diagnostic]:
    """Compile one kernel, for parameters of the types that it is printed with."""
    try:
        for step in kernel_passes(kernel):
            step.apply(Context(), module)
    except CompileError as error:
        yield from error.diagnostics


def kernel_passes(kernel: str) -> Iterator[ModulePass]:
    """The kernel pipeline after the resolution of names, as far as its passes exist."""
    from patlang_ir.passes.pat_isolate_kernels import PatIsolateKernels
    from patlang_ir.passes.pipelines import PIPELINES
    from patlang_ir.universe import PATLANG_UNIVERSE

    yield PatIsolateKernels(kernel)
    names = PIPELINES["patlang-kernel-to-triton"]
    for name in names[names.index(PatIsolateKernels.name) + 1 :]:
        if name not in PATLANG_UNIVERSE.all_passes:
            return
        yield PATLANG_UNIVERSE.all_passes[name]()()


def _pair(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise refuse(None, "P905", f"'{text}' maps no path", help="write --path-map OLD=NEW")
    return old, new


def _print_text(found: dict[str, list[Diagnostic]]) -> None:
    from patlang_ir.diagnostics.render import render_text

    for file, listed in found.items():
        if listed:
            print(render_text(listed, Sources(), color=sys.stdout.isatty()))
        else:
            print(f"{file}: no problems found")
