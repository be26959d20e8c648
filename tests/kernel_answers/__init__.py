"""What the kernels of tests/programs/kernels compute, written by hand with NumPy.

Each function has the name of its kernel and writes into the arrays that it is given. A number of
Python meets an array as a literal meets a lane: it takes the array's type.
"""

from kernel_answers import applications, basics, escapes
from kernel_answers.registry import ANSWERS

__all__ = ["ANSWERS", "applications", "basics", "escapes"]
