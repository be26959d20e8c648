"""From `tl` to the text of Triton programs."""

from patlang_ir.backends.triton.lines import TritonText
from patlang_ir.backends.triton.printer import print_triton
from patlang_ir.backends.triton.target import TritonTarget

__all__ = ["TritonTarget", "TritonText", "print_triton"]
