"""From PatLang text to the `pat` dialect."""

from patlang_ir.frontend.program import Program, parse, parse_file

__all__ = ["Program", "parse", "parse_file"]
