"""Dead code elimination: what computes a value that nothing uses, and does nothing else."""

from __future__ import annotations

from xdsl.ir import Operation
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from patlang_ir.traversal import walk


def erase_dead(top: Operation) -> None:
    """Erase the operations in `top` that have no effect and no used result.

    What uses a value stands after it, so on the way back every use that goes has gone already.
    """
    _, *ops = walk(top)
    for op in reversed(ops):
        if (op.results or op.regions) and is_trivially_dead(op):
            op.detach()
            op.erase()
