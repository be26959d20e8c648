"""Random kernels: one that is said to be independent of blocks is, for every cut and order."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from kernel_texts import LINEAR, equal, in_blocks, kernel_text, whole
from test_independence import N, arguments, unchecked_kernel

from patlang_ir.analysis.independence import (
    accesses_beside_atomics,
    crossing_accesses,
    is_block_independent,
)
from patlang_ir.diagnostics import CompileError, place_of
from patlang_ir.dialects import tile

INDICES = [
    "offs", "offs + 1", "offs - 1", "n - 1 - offs", "2 * offs", "2 * offs + 1", "idx[offs]",
    "offs % 3", "0", "1", "n - 1", "i", "offs + i", "3 * offs + i", "offs / 2",
]  # fmt: skip
BUFFERS = ["x", "y", "out"]
indices, buffers = st.sampled_from(INDICES), st.sampled_from(BUFFERS)
loads = st.builds("{}[{}]".format, buffers, indices)
terms = st.one_of(loads, loads, st.sampled_from(["n", "2", "offs", "v", "i"]))
values = st.builds("{} {} {}".format, terms, st.sampled_from(["+", "-", "*"]), terms)
uniform_indices = st.sampled_from(["0", "1", "n - 1", "i"])
uniform_values = st.one_of(
    st.builds("{}[{}] + {}".format, buffers, uniform_indices, st.sampled_from(["1", "i", "n"])),
    st.sampled_from(["n", "3", "i"]),
)
simple = st.one_of(
    st.builds("store({}, {}, {})".format, buffers, indices, values),
    st.builds("store({}, {}, {})".format, buffers, uniform_indices, uniform_values),
    st.builds("store({}, offs, {})".format, buffers, values),
    st.builds("let v = {}".format, values),
    st.builds(
        "{}({}, {}, {})".format,
        st.sampled_from(["atomic_add", "atomic_max"]),
        buffers,
        indices,
        values,
    ),
)


def looped(statements: list[str]) -> str:
    return "\n".join(["while i < 3 do", *statements, "let i = i + 1", "end"])


def branched(statements: list[str]) -> str:
    return "\n".join(["if n > 2 then", *statements, "end"])


groups = st.lists(simple, min_size=1, max_size=2)
statements = st.one_of(simple, simple, simple, groups.map(looped), groups.map(branched))
bodies = st.lists(statements, min_size=1, max_size=4).map("\n".join)


def random_kernel(body: str, marker: str = LINEAR) -> tile.KernelOp | None:
    """The kernel, or None if it is refused for another reason."""
    full = f"let i = 0\nlet v = x[offs]\n{body}\nstore(out2, offs, v)"
    try:
        return unchecked_kernel(kernel_text(full, "x, y, idx, out, out2", marker))
    except CompileError:
        return None


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(bodies)
def test_independent_kernels_mean_the_same_for_every_cut(body: str):
    kernel = random_kernel(body)
    assume(kernel is not None)
    assert kernel is not None
    assume(is_block_independent(kernel))
    for n in (4, N):
        args = [*arguments((n,)), np.zeros(n)]
        _expect_no_collisions(body)
        meant = whole(kernel, args, (n,))
        for name, found in in_blocks(kernel, args, (n,), (1, 3)):
            assert equal(found, meant), (n, name)


def _expect_no_collisions(body: str) -> None:
    """Which of several lanes' values stays at one place is not specified."""
    stores = [line for line in body.splitlines() if line.startswith("store")]
    assume(not any("% 3," in line or ", offs / 2," in line for line in stores))


@settings(max_examples=40, deadline=None)
@given(bodies)
def test_whatever_is_said_of_a_kernel_refusals_have_a_place(body: str):
    kernel = random_kernel(body)
    assume(kernel is not None)
    assert kernel is not None
    for access in (*crossing_accesses(kernel), *accesses_beside_atomics(kernel)):
        assert place_of(access.location) is not None
        assert access.buffer in kernel.written
