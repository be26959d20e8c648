"""From resolved `pat` to readable Python."""

from patlang_ir.backends.python.program import PythonText, print_python
from patlang_ir.backends.python.target import PythonTarget

__all__ = ["PythonTarget", "PythonText", "print_python"]
