"""Kernels with reductions, cut into stages: sums used by each lane, chains, stores between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from kernel_texts import GRID, LINEAR, in_blocks, kernel_text, same, tile_kernel, whole
from test_reductions import CHAIN, GUARDED, LENGTHS, LIMIT, Array, check, whole_numbers

from patlang_ir.diagnostics import LaunchError
from patlang_ir.dialects import tile


def total(x: Array) -> Any:
    return x.sum() if x.size else 0.0


def most(x: Array) -> Any:
    return x.max() if x.size else -math.inf


def twice_centred(x: Array, out: Array) -> Sequence[Any]:
    centred = x - total(x)
    return x, centred * total(centred)


def variance(x: Array, out: Array) -> Sequence[Any]:
    centred = x * x.size - total(x)
    return x, centred + total(centred * centred)


def restored(x: Array, out: Array) -> Sequence[Any]:
    return np.full_like(x, total(x)), x + total(x)


def counted(x: Array, out: Array) -> Sequence[Any]:
    return x, np.full_like(x, max(0, math.ceil(total(abs(x)) / 3) * 3))


def in_turns(x: Array) -> Array:
    for _ in range(3):
        x = x + total(x)
    return x


def in_both_loops(x: Array) -> Array:
    for i in (1, 4):
        for j in (3, 2):
            x = x - total(x) * j + i
    return x * 7


def between(x: Array, out: Array) -> Sequence[Any]:
    out = 1 + total(x) + 0 * x
    return x, out * total(out)


KERNELS: dict[str, tuple[str, Callable[..., Sequence[Any]]]] = {
    "subtracted": ("store(out, offs, x[offs] - sum(x[offs]))", lambda x, o: (x, x - total(x))),
    "used twice": (
        "let d = x[offs] - sum(x[offs]); store(out, offs, d * sum(d))",
        twice_centred,
    ),
    "mean, then variance": (
        "let d = x[offs] * n - sum(x[offs]); store(out, offs, d + sum(d * d))",
        variance,
    ),
    "with n": (
        "store(out, offs, x[offs] + sum(x[offs]) * n)",
        lambda x, o: (x, x + total(x) * x.size),
    ),
    "several of one level": (
        "let s = sum(x[offs]); let m = prod(x[offs]); store(out, offs, s * x[offs] + m)",
        lambda x, o: (x, total(x) * x + math.prod(x)),
    ),
    "in place": (
        "let s = sum(x[offs]); store(x, offs, x[offs] + s); store(out, offs, x[offs])",
        lambda x, o: (x + total(x), x + total(x)),
    ),
    "loaded before the store, used after it": (
        "let v = x[offs]; let s = sum(v); store(x, offs, s); store(out, offs, v + s)",
        restored,
    ),
    "summed in a loop before the store": (
        """let v = 0; let i = 0
        while i < 3 do
          let v = v + x[offs]; let i = i + 1
        end
        let s = sum(x[offs]); store(x, offs, s); store(out, offs, v - 2 * x[offs] + 3 * s)""",
        lambda x, o: (np.full_like(x, total(x)), 3 * x + total(x)),
    ),
    "chosen in a branch before the store": (
        """let v = x[offs]
        if n > 2 then
          let v = x[offs] * 3
        end
        let s = sum(x[offs]); store(x, offs, s); store(out, offs, v + s)""",
        lambda x, o: (np.full_like(x, total(x)), x * (3 if x.size > 2 else 1) + total(x)),
    ),
    "stored, then summed": (
        "let v = x[offs]; store(x, offs, v * 2); let s = sum(x[offs]); store(out, offs, v + s)",
        lambda x, o: (x * 2, x + 2 * total(x)),
    ),
    "stored between two sums": (
        """store(out, offs, 1); let s = sum(x[offs]); store(out, offs, out[offs] + s)
        let t = sum(out[offs]); store(out, offs, out[offs] * t)""",
        between,
    ),
    "stores in a loop, its counter afterwards": (
        """let i = 0
        while i < 3 do
          store(out, offs, out[offs] + x[offs]); let i = i + 1
        end
        let s = sum(out[offs]); store(x, offs, s + i + x[offs])""",
        lambda x, o: (3 * total(x) + 3 + x, 3 * x),
    ),
    "lanes carried by a loop that stores": (
        """let v = x[offs]; let i = 0
        while i < 2 do
          store(out, offs, out[offs] + v); let v = v + out[offs]; let i = i + 1
        end
        let s = sum(v); store(out, offs, v + s + i)""",
        lambda x, o: (x, 5 * x + 5 * total(x) + 2),
    ),
    "a branch that depends on it": (
        """let s = sum(x[offs])
        if s > 0 then
          store(out, offs, x[offs])
        else
          store(out, offs, s)
        end""",
        lambda x, o: (x, x if total(x) > 0 else np.full_like(x, total(x))),
    ),
    "a loop bound that depends on it": (
        """let s = sum(abs(x[offs])); let i = 0
        while i < s do
          let i = i + 3
        end
        store(out, offs, i)""",
        counted,
    ),
    "a loop that depends on lanes carried over": (
        """let s = sum(x[offs]); let v = x[offs]; let i = 0
        while i < 4 do
          let v = v + s; let i = i + 1
        end
        store(out, offs, v + sum(v))""",
        lambda x, o: (x, x + 4 * total(x) + total(x + 4 * total(x))),
    ),
    "a scatter of it": (
        "store(out, n - 1 - offs, x[offs] + sum(x[offs]))",
        lambda x, o: (x, x[::-1] + total(x)),
    ),
    "the element at an extreme": (
        "let m = argmax(x[offs]); store(out, offs, x[offs] + x[m])",
        lambda x, o: (x, x + (x[int(np.argmax(x))] if x.size else 0)),
    ),
    "atomics of every lane": (
        "let s = sum(x[offs]); atomic_add(out, offs, x[offs] * s)",
        lambda x, o: (x, x * total(x)),
    ),
    "a sum of nothing but a number": (
        "store(out, offs, sum(2) + x[offs])",
        lambda x, o: (x, x + 2 * x.size),
    ),
    "a running sum": (
        "let c = cumsum(x[offs]); store(x, offs, c); store(out, offs, c + sum(c))",
        lambda x, o: (np.cumsum(x), np.cumsum(x) + total(np.cumsum(x))),
    ),
    "in a loop of few turns": (
        "let v = x[offs]; let i = 0; while i < 3 do let v = v + sum(v); let i = i + 1 end "
        "store(out, offs, v)",
        lambda x, o: (x, in_turns(x)),
    ),
    "stored in each turn": (
        "let i = 0; while i < 3 do store(x, offs, x[offs] + sum(x[offs])); let i = i + 1 end "
        "store(out, offs, x[offs] + i)",
        lambda x, o: (in_turns(x), in_turns(x) + 3),
    ),
    "in a loop in a loop": (
        """let v = x[offs]; let i = 1
        while i < 6 do
          let j = 3
          while j > 1 do let v = v - sum(v) * j + i; let j = j - 1 end
          let i = i + 3
        end
        store(out, offs, v * i)""",
        lambda x, o: (x, in_both_loops(x)),
    ),
    "in a loop without a turn": (
        "let v = x[offs]; let i = 3; while i < 3 do let v = sum(v) + v; let i = i + 1 end "
        "store(out, offs, v + sum(v) - sum(x[offs]))",
        lambda x, o: (x, x),
    ),
    "a running sum of a running sum": (
        "let c = cumsum(x[offs] - sum(x[offs])); store(out, offs, cumsum(c))",
        lambda x, o: (x, np.cumsum(np.cumsum(x - total(x)))),
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_reductions_in_kernels_that_do_more(name: str):
    body, expected = KERNELS[name]
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(shape)],
        lambda x, out: [np.array(a, "f8") for a in expected(x, out)],
        x="f64",
        out="f64",
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("let s = sum(x[offs]); atomic_add(out, 0, s)", lambda x: [total(x), 0]),
        (
            "atomic_add(out, 0, 1); let s = sum(x[offs]); atomic_add(out, 1, s)",
            lambda x: [1, total(x)],
        ),
        (
            """let s = sum(x[offs]); let i = 0
            while i < 3 do
              atomic_add(out, 0, s); let i = i + 1
            end
            let t = sum(x[offs] - s); atomic_add(out, 1, t + i)""",
            lambda x: [3 * total(x), total(x - total(x)) + 3],
        ),
        (
            """let s = sum(x[offs])
            if s > 0 then
              store(out, 1, s)
            end""",
            lambda x: [0, max(total(x), 0)],
        ),
    ],
    ids=["once", "before and after", "in a loop", "in a branch"],
)
def test_what_is_not_of_lanes_happens_once(body: str, expected: Callable[[Array], list[Any]]):
    check(
        body,
        lambda shape: [whole_numbers(shape), np.zeros(2)],
        lambda x, out: (x, np.array(expected(x), "f8")),
        x="f64",
        out="f64",
    )


def test_scalars_take_part_in_every_stage():
    body = "let d = x[offs] * s - sum(x[offs] * s); store(out, offs, d + s * sum(d))"
    text = kernel_text(body, "x, s, out")
    kernel = tile_kernel(text, s="f64")
    for passes in (CHAIN, GUARDED):
        chain = tile_kernel(text, passes, s="f64")
        for (n,) in LENGTHS:
            x = whole_numbers((n,))
            args = [x, 3.0, np.zeros(n)]
            centred = x * 3 - total(x * 3)
            assert same(whole(kernel, args, (n,))[2], centred + 3 * total(centred))
            for name, found in in_blocks(chain, args, (n,)):
                assert same(found[2], centred + 3 * total(centred)), (n, name)


# --- what cannot be cut into stages ---

BOUNDED = {
    "in a loop": """let v = x[offs]; let i = 0
        while i < 33 do
          let v = sum(v) * 0 - v; let i = i + 1
        end
        store(out, offs, v)""",
    "in a branch": """if n > 2 then
          store(out, offs, x[offs] + sum(x[offs]))
        end""",
}


@pytest.mark.parametrize("name", BOUNDED)
def test_inside_control_flow_one_program_does_it_up_to_the_limit(name: str):
    text = kernel_text(BOUNDED[name])
    for passes in (CHAIN, GUARDED):
        kernel = tile_kernel(text, passes)
        assert [stage.upto.data for stage in kernel.stages if stage.upto] == [LIMIT]
        for n in range(LIMIT + 1):
            x = whole_numbers((n,))
            expected = -x if name == "in a loop" else (x + total(x)) * (n > 2)
            for how, found in in_blocks(kernel, [x, np.zeros(n)], (n,)):
                assert same(found[1] + 0, expected + 0), (n, how)
        for n in (LIMIT + 1, 3 * LIMIT):
            x, out = whole_numbers((n,)), np.zeros(n)
            with pytest.raises(
                LaunchError, match=f"a branch, which takes at most {LIMIT} elements, and {n}"
            ) as caught:
                list(in_blocks(kernel, [x, out], (n,)))
            assert caught.value.diagnostic.code == "P501"
            assert caught.value.diagnostic.place is not None


def test_rows_and_columns_together_have_the_limit_too():
    text = kernel_text("store(out, offs, sum(x[offs], 0) * sum(x[offs], 1))", marker=GRID)
    for passes in (CHAIN, GUARDED):
        kernel = tile_kernel(text, passes)
        x = np.array([[1.0, 2.0], [3.0, 5.0]])
        for how, found in in_blocks(kernel, [x.reshape(-1), np.zeros(4)], (2, 2)):
            assert found[1].tolist() == [4 * 3, 7 * 3, 4 * 8, 7 * 8], how
        with pytest.raises(
            LaunchError, match="along columns, which takes at most 4 elements, and 6"
        ):
            list(in_blocks(kernel, [np.zeros(6), np.zeros(6)], (2, 3)))


# --- the shape of a chain ---


def stages_of(body: str, marker: str = LINEAR) -> list[tuple[tuple[int, ...], bool]]:
    """The axes that each stage above the limit covers, and whether its input is scratch."""
    kernel = tile_kernel(kernel_text(body, marker=marker), CHAIN)
    above = [stage for stage in kernel.stages if stage.above is not None]
    return [(tuple(sorted(stage.covered)), stage.over is not None) for stage in above]


def test_one_chain_serves_all_reductions_of_a_level():
    lanes, combine = ((), False), ((0,), True)
    assert stages_of("store(out, 0, sum(x[offs]))") == [lanes, combine]
    assert stages_of("store(out, offs, x[offs] - sum(x[offs]))") == [lanes, combine, lanes]
    several = "store(out, offs, x[offs] - sum(x[offs]) + reduce_max(x[offs]))"
    assert stages_of(several) == [lanes, combine, lanes]
    twice = "let d = x[offs] - sum(x[offs]); store(out, offs, d * sum(d))"
    assert stages_of(twice) == [lanes, combine, lanes, combine, lanes]


def test_only_the_axis_that_is_combined_is_covered():
    assert stages_of("store(out, row, sum(x[offs], 1))", GRID)[1] == ((1,), True)
    assert stages_of("store(out, col, sum(x[offs], 0))", GRID)[1] == ((0,), True)
    assert stages_of("store(out, 0, sum(x[offs]))", GRID)[1] == ((0, 1), True)


def test_a_kernel_without_reductions_stays_as_it_is():
    kernel = tile_kernel(kernel_text("store(out, offs, x[offs])"), CHAIN)
    (stage,) = kernel.stages
    assert (stage.above, stage.upto, stage.covered) == (None, None, frozenset())


def test_nothing_is_kept_that_can_be_computed_again():
    body = "let v = x[offs] * 2; let s = sum(v); store(out, offs, v + s)"
    kernel = tile_kernel(kernel_text(body), CHAIN)
    extents = [[extent.data for extent in op.extents] for op in kernel.scratch]
    assert extents == [[tile.Extent.BLOCKS], [tile.Extent.ONE]]


def test_a_value_that_only_a_reduction_needs_is_not_kept():
    body = "let s = sum(x[offs]); store(x, offs, 0.0); let t = sum(x[offs]); store(out, 0, s + t)"
    kernel = tile_kernel(kernel_text(body), CHAIN)
    assert [tile.Extent.ALL] not in [[e.data for e in op.extents] for op in kernel.scratch]


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("store(out, 0, sum(x[offs]) / n)", 1),
        ("store(out, 0, argmax(x[offs]))", 2),
        ("store(out, offs, x[offs] / sum(x[offs]))", 2),
    ],
)
def test_a_result_that_no_later_stage_reads_is_not_kept(body: str, count: int) -> None:
    kernel = tile_kernel(kernel_text(body), "tile-legalize-reductions{limit=4}")
    assert len(list(kernel.scratch)) == count
