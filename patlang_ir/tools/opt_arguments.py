"""The arguments of `patlang-opt`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from patlang_ir.passes.pipelines import PIPELINES
from patlang_ir.tools.process import usage_error

DESCRIPTION = (
    "Reads a PatLang program or IR, runs passes over it, and writes IR or a target's text."
)

EPILOG = f"""named pipelines: {", ".join(PIPELINES)}
examples:
  patlang-opt k.patlang
  patlang-opt --pass-pipeline='tile-simplify' k.mlir
  patlang-opt --pass-pipeline=patlang-kernel-to-triton -t triton k.patlang
"""


def add_arguments(
    parser: argparse.ArgumentParser,
    known_target: Callable[[str], str],
    known_frontend: Callable[[str], str],
) -> None:
    """Add every argument. The two functions check the name of a target and of a frontend."""
    parser.prog = "patlang-opt"
    parser.description = DESCRIPTION
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.error = usage_error  # pyright: ignore[reportAttributeAccessIssue]
    add = parser.add_argument
    flag = "store_true"

    add("input_file", nargs="?", metavar="FILE", help="a .mlir or .patlang file; - for stdin")
    add("-o", "--output-file", metavar="FILE", help="where to write, instead of stdout")
    add(
        *("-p", "--passes", "--pass-pipeline"),
        metavar="PIPELINE",
        default="",
        help="passes or named pipelines: 'one,two{option=1}', builtin.module(...) may surround it",
    )
    add(
        *("-t", "--target"),
        type=known_target,
        default="mlir",
        help="what to write: mlir, triton, python, or a target of xDSL",
    )
    add(
        *("-f", "--frontend"),
        type=known_frontend,
        help="how to read: mlir or patlang; without it the file's ending decides",
    )
    add("--split-input-file", action=flag, help="treat each part between '// -----' on its own")
    add(
        "--verify-diagnostics",
        action=flag,
        help="succeed if exactly the errors come that 'expected-error {{text}}' comments announce",
    )
    add("--print-ir-after-all", action=flag, help="write the IR after every pass to stderr")
    add("--time-passes", action=flag, help="write the time of every pass to stderr")
    add("--crash-reproducer", metavar="FILE", help="if a pass fails, write its input here")
    add("--list-passes", action=flag, help="list the passes with their options")
    add("--hide-locations", action=flag, help="print no locations")
    add("--print-debuginfo", action=flag, help="print all locations")
    add("--print-op-generic", action=flag, help="print operations in the generic format")
    add("--allow-unregistered-dialect", action=flag, help="read operations that are not known")
    add("--no-implicit-module", action=flag, help="expect builtin.module in the text")
    # Not `disable_verify`: with that xDSL stops checking attributes in the whole process.
    add("--disable-verify", dest="skip_verify", action=flag, help="do not verify the IR")
    add("-v", "--version", action=flag, help="print the versions of patlang-opt and xDSL")
    parser.set_defaults(disable_verify=False, syntax_highlight=False)
