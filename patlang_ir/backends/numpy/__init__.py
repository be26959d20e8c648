"""The evaluator: what a kernel of the `tile` dialect means, and how it runs on the CPU."""

from patlang_ir.backends.numpy.evaluator import Evaluator, evaluate

__all__ = ["Evaluator", "evaluate"]
