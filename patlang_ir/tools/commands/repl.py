"""`patlang repl`: type PatLang, and see what it does."""

from __future__ import annotations

import argparse

from patlang_ir.tools.path_map import add_path_map

HELP = "type programs and see what they do"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda"), default="auto")
    parser.add_argument("--math", choices=("strict", "fast"), default="strict")
    parser.add_argument(
        "--checked", action="store_true", help="an access outside its buffer is an error"
    )
    add_path_map(parser)


def run(args: argparse.Namespace) -> int:
    from patlang_ir.runtime.launcher import ListRunner
    from patlang_ir.tools.repl import run_repl
    from patlang_ir.tools.session import Session

    runner = ListRunner(args.device, args.math, args.checked)
    return run_repl(Session(runner=runner, path_map=args.path_map))
