"""`patlang compile`: show or write a program's kernels at any level, down to machine code."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from patlang_ir.collector import paused_collector

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

HELP = "show what the kernels of a program become"

IR_LEVELS = ("pat", "tile", "tl")
TRITON_LEVELS = ("ttir", "ttgir", "llir", "ptx", "cubin", "amdgcn", "hsaco")
"""What Triton makes of its text; the last ones belong to one kind of GPU."""

VERSIONS = ("3.6", "3.7", "3.8", "3.9")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a PatLang program, or tile IR in .mlir")
    parser.add_argument("--kernel", metavar="NAME", help="this kernel only")
    parser.add_argument(
        "--emit",
        choices=(*IR_LEVELS, "triton", *TRITON_LEVELS),
        default="triton",
        help="the level to stop at (default: triton)",
    )
    parser.add_argument(
        "--signature",
        metavar="x=f16,...",
        default="",
        help="the element types of parameters; other buffers are f32",
    )
    parser.add_argument("--target", metavar="cuda:90", default="cuda:90", help="the GPU")
    parser.add_argument(
        "--triton", choices=VERSIONS, default=VERSIONS[0], help="the oldest Triton to run on"
    )
    parser.add_argument("--math", choices=("strict", "fast"), help="instead of the marker's")
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say how each block of a matrix is accessed, and which fact decided it",
    )
    parser.add_argument("-o", dest="output", metavar="OUT", type=Path, help="write this file")


def run(args: argparse.Namespace) -> int:
    module = _read(args.file)
    if args.emit != "pat":
        _lower(module, args)
    elif args.kernel:
        _keep(module, args.kernel)
    if args.emit in TRITON_LEVELS:
        _write_parts(_machine_code(module, args), args.output)
        return 0
    _write(_text(module, args.emit, args.file), args.output)
    return 0


def _read(file: str) -> ModuleOp:
    """The program as `pat` IR, or the IR in an `.mlir` file."""
    if Path(file).suffix == ".mlir":
        return _read_ir(file)
    from patlang_ir.diagnostics.render import render_text
    from patlang_ir.frontend import parse_file

    program = parse_file(file)
    if program.warnings:
        print(render_text(program.warnings, program.sources), file=sys.stderr)
    return program.module


def _read_ir(file: str) -> ModuleOp:
    from xdsl.context import Context
    from xdsl.universe import XDSL_UNIVERSE

    from patlang_ir.diagnostics import refuse
    from patlang_ir.tools.located_parser import LocatedParser
    from patlang_ir.universe import PATLANG_UNIVERSE

    context = Context()
    for universe in (XDSL_UNIVERSE, PATLANG_UNIVERSE):
        for name, factory in universe.all_dialects.items():
            context.register_dialect(name, factory)
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise refuse(None, "P101", f"'{file}' cannot be read: {error}") from None
    return LocatedParser(context, text, file).parse_module()


def _keep(module: ModuleOp, kernel: str) -> None:
    from xdsl.context import Context

    from patlang_ir.passes.pat_isolate_kernels import PatIsolateKernels

    PatIsolateKernels(kernel).apply(Context(), module)


@paused_collector()
def _lower(module: ModuleOp, args: argparse.Namespace) -> None:
    """Run the passes of the kernel pipeline down to the level that is asked for."""
    from xdsl.context import Context

    from patlang_ir.pipeline import parse_pipeline
    from patlang_ir.verify import verify

    last = "tile-plan-launches" if args.emit == "tile" else "tl-name-values"
    for step in parse_pipeline(_pipeline(args)):
        if args.explain and step.name == "tile-legalize-block-pointers":
            _explain(module, args.target)
        step.apply(Context(), module)
        if args.explain and step.name == "tile-plan-launches":
            _explain_plans(module)
        if step.name == last:
            break
    verify(module)


def _explain(module: ModuleOp, target: str) -> None:
    from patlang_ir.passes.blocks.explained import explain_blocks

    for line in explain_blocks(module, target):
        print(line, file=sys.stderr)


def _explain_plans(module: ModuleOp) -> None:
    from patlang_ir.passes.blocks.explained import explain_plans

    for line in explain_plans(module):
        print(line, file=sys.stderr)


def _pipeline(args: argparse.Namespace) -> str:
    options = [f'target="{args.target}"', f'triton="{args.triton}"']
    if Path(args.file).suffix == ".mlir":
        return f"patlang-tile-to-triton{{{' '.join(options)}}}"
    options.append(f'signature="{args.signature}"')
    if args.kernel:
        options.append(f'kernel="{args.kernel}"')
    if args.math:
        options.append(f"math={args.math}")
    return f"patlang-kernel-to-triton{{{' '.join(options)}}}"


def _text(module: ModuleOp, level: str, file: str) -> str:
    if level == "triton":
        from patlang_ir.backends.triton import print_triton

        return print_triton(module).text
    from io import StringIO

    from patlang_ir.tools.located_printer import LocatedPrinter

    stream = StringIO()
    LocatedPrinter(stream, file).print_op(module)
    return f"{stream.getvalue()}\n"


def _machine_code(module: ModuleOp, args: argparse.Namespace) -> dict[str, str | bytes]:
    """A stage of Triton's compilation, for each launch."""
    from patlang_ir.diagnostics import refuse

    try:
        from patlang_ir.runtime.triton_compile import compile_triton

        compiled = compile_triton(module, args.target)
    except ImportError as error:
        raise refuse(
            None,
            "P905",
            f"--emit {args.emit} needs Triton: {error}",
            help="install it with pip install patlang-ir[gpu], or stop at --emit triton",
        ) from None
    made = {level for stages in compiled.values() for level in stages}
    if args.emit not in made:
        listed = ", ".join(level for level in TRITON_LEVELS if level in made)
        raise refuse(
            None,
            "P905",
            f"there is no {args.emit} for {args.target}",
            help=f"what there is for it: {listed}",
        )
    return {name: stages[args.emit] for name, stages in compiled.items()}


def _write_parts(parts: Mapping[str, str | bytes], output: Path | None) -> None:
    """Text of several launches goes into one file, machine code into one file for each."""
    texts = {name: part for name, part in parts.items() if isinstance(part, str)}
    if texts:
        several = len(texts) > 1
        listed = [f"// {name}\n{text}" if several else text for name, text in texts.items()]
        _write("\n".join(listed), output)
        return
    codes = {name: part for name, part in parts.items() if isinstance(part, bytes)}
    for name, code in codes.items():
        if output is None:
            sys.stdout.buffer.write(code)
        elif len(codes) == 1:
            output.write_bytes(code)
        else:
            output.with_name(f"{output.stem}.{name}{output.suffix}").write_bytes(code)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        print(text, end="" if text.endswith("\n") else "\n")
    else:
        output.write_text(text, encoding="utf-8")
