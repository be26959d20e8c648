"""From resolved `pat` to readable Python."""

from patlang_ir.backends.python.program import PythonText, print_python

__all__ = ["PythonText", "print_python"]
