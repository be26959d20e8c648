"""Walking over IR: `Operation.walk` in less time, for what every pass does once or more."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation


def walk(top: Operation) -> Iterator[Operation]:
    """`top` and every operation in it, in the order of the text.

    The operation that a step gave may be erased before the next one.
    """
    yield top
    for region in top.regions:
        for block in region.blocks:
            op = block.first_op
            while op is not None:
                following = op.next_op
                if op.regions:
                    yield from walk(op)
                else:
                    yield op
                op = following
