"""`patlang explain`: what a diagnostic means, with an example and its repair."""

from __future__ import annotations

import argparse
import sys
from difflib import get_close_matches
from importlib.resources import files

from patlang_ir.diagnostics.codes import CODES

HELP = "show the page of a diagnostic"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "code", metavar="CODE", nargs="?", help="such as P302; without one, all are listed"
    )


def run(args: argparse.Namespace) -> int:
    if args.code is None:
        print("\n".join(f"{code}  {title}" for code, title in CODES.items()))
        return 0
    show(page(args.code.upper()))
    return 0


def page(code: str) -> str:
    """The text of a code's page, as Markdown."""
    if code not in CODES:
        from patlang_ir.diagnostics import refuse

        similar = get_close_matches(code.replace("O", "0"), CODES, n=1)
        help = f"did you mean {similar[0]}?" if similar else "'patlang explain' lists the codes"
        raise refuse(None, "P905", f"there is no diagnostic '{code}'", help=help)
    path = files("patlang_ir.diagnostics") / "pages" / f"{code}.md"
    return path.read_text(encoding="utf-8")


def show(text: str) -> None:
    """Print Markdown: formatted on a terminal, and as it is for everything else."""
    if not sys.stdout.isatty():
        print(text, end="")
        return
    from rich.console import Console
    from rich.markdown import Markdown

    Console().print(Markdown(text, code_theme="ansi_dark"))
