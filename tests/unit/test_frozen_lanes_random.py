"""Random loops whose lanes stop for themselves, and near misses: each cut gives the same bits."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from kernel_texts import CUT, equal, in_blocks, kernel_text, tile_kernel, whole

from patlang_ir.analysis.independence import is_block_independent

VALUES = [0.0, -0.0, 1.0, 3.5, 4.0, 9.0, -6.0, -1.5]
PARAMS = "x, k, out, out2"
CONDITIONS = [
    "z < 4", "not (z >= 4)", "z < 4 and m < 3", "z < 4 or m < 3", "m != 2", "go", "go and m < 3",
]  # fmt: skip
NEW = {
    "z": ["z + 1", "z * 2", "z + i", "x[offs]", "max(z, m)", "4 - z", "x[offs + i]", "0.0 * z"],
    "m": ["m + 1", "m + 3", "k[offs]", "3 - m", "m bor 1", "k[offs - i]"],
}
FREEZING = [
    "select({c}, {new}, {v})",
    "select(not ({c}), {v}, {new})",
    "select({c}, select(m < 2, {new}, {v}), {v})",
]
MOVING = ["{new}", "select(z < 5, {new}, {v})", "select({c}, {v}, {new})", "{v}"]
FLAGS = ["select({c}, {new}, go)", "go and {new}", "{new}", "z < 4", "go"]
names = st.sampled_from(["z", "m"])
flags = st.sampled_from(["z < 4", "m < 5", "z + m < 6", "i < 2"])


@st.composite
def loops(draw: st.DrawFn, updates: list[str], moving_flag: bool) -> str:
    """A kernel with one loop over lanes, which changes `z`, `m` and perhaps the flag `go`."""
    condition = draw(st.sampled_from(CONDITIONS))
    lines: list[str] = []
    for name in draw(st.permutations(["z", "m"])):
        update = draw(st.sampled_from(updates))
        new = draw(st.sampled_from(NEW[name]))
        lines.append(f"let {name} = {update.format(c=condition, new=new, v=name)}")
        if name == "m" and draw(st.booleans()):
            lines.append(f"let m = m + select({condition}, 1, 0)")
    flag = draw(st.sampled_from(FLAGS if moving_flag else FLAGS[:1]))
    lines.append(f"let go = {flag.format(c=condition, new=draw(flags))}")
    if draw(st.booleans()):
        lines = ["let j = 0", "while j < 2 do", *lines, "let j = j + 1", "end"]
    test = draw(st.sampled_from([f"any({condition})", f"not all(not ({condition}))"]))
    used = draw(st.sampled_from(["z", "z + i"])) if moving_flag else "z"
    start = draw(st.sampled_from(["z < 4", "true", "z < 2"]))
    body = "\n".join(lines)
    return f"""let z = x[offs]\nlet m = k[offs]\nlet i = 0\nlet go = {start}
        while i < 5 and {test} do\n{body}\nlet i = i + 1\nend
        store(out, offs, {used})\nstore(out2, offs, m)"""


def expect_every_cut_the_same(text: str) -> None:
    count = len(VALUES) * 3
    args = [
        np.resize(VALUES, count),
        np.repeat([0.0, 2.0, 5.0], len(VALUES)).astype(np.int64),
        np.zeros(count),
        np.zeros(count, np.int64),
    ]
    types = {"k": "i64", "out2": "i64"}
    meant = whole(tile_kernel(text, **types), args, (count,))
    for passes in ("", CUT):
        for name, found in in_blocks(tile_kernel(text, passes, **types), args, (count,), (1, 4)):
            assert equal(found, meant), (passes, name)


@settings(max_examples=60, deadline=None)
@given(loops(FREEZING, moving_flag=False))
def test_loops_whose_lanes_stop_run_in_blocks(body: str):
    text = kernel_text(body, PARAMS)
    assert is_block_independent(tile_kernel(text, k="i64", out2="i64"))
    expect_every_cut_the_same(text)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(loops([*FREEZING, *MOVING], moving_flag=True))
def test_loops_that_run_in_blocks_mean_the_same(body: str):
    text = kernel_text(body, PARAMS)
    assume(is_block_independent(tile_kernel(text, k="i64", out2="i64")))
    expect_every_cut_the_same(text)
