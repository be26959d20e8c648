"""Small kernels with loops, branches, scalars, two dimensions, reductions and atomics."""

from __future__ import annotations

from collections.abc import Sequence

from flow_kernels import FLOW
from lane_kernels import LANES
from program import Program

PROGRAMS: Sequence[Program] = (*FLOW, *LANES)
