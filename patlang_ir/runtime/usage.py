"""What calls must know of a kernel, computed once for each."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from xdsl.ir import SSAValue

from patlang_ir.analysis.accesses import Aliases, exact_buffers
from patlang_ir.analysis.combining import axes_combined_at_once
from patlang_ir.analysis.frozen_lanes import is_block_local
from patlang_ir.analysis.independence import is_block_independent
from patlang_ir.dialects import tile
from patlang_ir.traversal import walk


@dataclass(frozen=True)
class Usage:
    """How a compiled kernel, which does not change any more, uses its parameters.

    `exact` buffers need one element for each lane, `lane_local` ones may be the same memory.
    `at_once` are the axes whose elements one program must combine. One that `stops_early` has a
    loop that a block of lanes may leave before others do.
    """

    exact: frozenset[SSAValue]
    written: frozenset[SSAValue]
    lane_local: frozenset[SSAValue]
    block_independent: bool
    at_once: frozenset[int]
    stops_early: bool


@lru_cache(maxsize=256)
def usage_of(kernel: tile.KernelOp) -> Usage:
    """The usage of a kernel."""
    return Usage(
        frozenset(exact_buffers(kernel)),
        frozenset(kernel.written),
        frozenset(Aliases(kernel).lane_local),
        is_block_independent(kernel),
        axes_combined_at_once(kernel),
        any(map(is_block_local, walk(kernel))),
    )
