"""`patlang run`: run a program, its kernels on the GPU if there is one, else on the CPU."""

from __future__ import annotations

import argparse
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

from patlang_ir.tools.path_map import add_path_map

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from patlang_ir.diagnostics import RunError
    from patlang_ir.diagnostics.sources import Sources
    from patlang_ir.runtime.launcher import ProgramLauncher

HELP = "run a program"
SHOWN_CALLS = 8
"""How many open calls an error shows."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.parse_args = parser.parse_intermixed_args  # options may stand among ARGS
    parser.add_argument("file", metavar="FILE", help="the program")
    parser.add_argument("args", metavar="ARGS", nargs="*", help="what argv() gives; after --, any")
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--math", choices=("strict", "fast"), default="strict")
    parser.add_argument(
        "--checked", action="store_true", help="an access outside its buffer is an error"
    )
    add_path_map(parser)


def run(args: argparse.Namespace) -> int:
    from patlang_ir.collector import paused_collector
    from patlang_ir.diagnostics import RunError
    from patlang_ir.diagnostics.render import render_text
    from patlang_ir.frontend import parse_file
    from patlang_ir.runtime.host import LateLauncher, run_program

    with paused_collector():
        program = parse_file(args.file, path_map=args.path_map)
        if program.warnings:
            print(render_text(program.warnings, program.sources), file=sys.stderr)
        _resolve(program.module)
    launcher = LateLauncher(lambda: _launcher(program.module, args))
    try:
        run_program(program.module, args.args, launcher=launcher, path_map=args.path_map)
    except RunError as error:
        print(explain(error, program.sources), file=sys.stderr)
        return 1
    return 0


def _resolve(module: ModuleOp) -> None:
    from xdsl.context import Context

    from patlang_ir.pipeline import parse_pipeline

    context = Context()
    for step in parse_pipeline("patlang-host"):
        step.apply(context, module)


def _launcher(module: ModuleOp, args: argparse.Namespace) -> ProgramLauncher:
    from patlang_ir.runtime.launcher import make_launcher

    return make_launcher(module, device=args.device, math=args.math, checked=args.checked)


def explain(error: RunError, sources: Sources, color: bool = False) -> str:
    """The message, its line, the values there, and the calls that led there, innermost first."""
    from patlang_ir.diagnostics.render import render_text

    calls = error.stack[::-1]
    lines = [render_text([error.diagnostic], sources, color)]
    if error.values:
        lines.append(f"  where {', '.join(f'{name} = {value}' for name, value in error.values)}")
    for (function, _), (_, place) in pairwise(calls[: SHOWN_CALLS + 1]):
        lines.append(f"  in {function}(), called from {place}")
    hidden = len(calls) - 1 - SHOWN_CALLS
    if hidden > 0:
        lines.append(f"  and {hidden} calls more")
    return "\n".join(lines)
