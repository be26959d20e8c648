"""Values with one number have the same bits in every lane, also under an assumption."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_texts import kernel_text, same
from xdsl.ir import SSAValue

import patlang_ir as pl
from patlang_ir.analysis.equal_values import EqualValues
from patlang_ir.backends.numpy import evaluate
from patlang_ir.dialects import tile
from patlang_ir.passes.pipelines import KERNEL_TO_TILE
from patlang_ir.runtime.compiler import apply_pipeline

SPECIAL = [0.0, -0.0, 1.0, -1.5, 4.0, float("inf"), float("nan")]
FLOATS = np.array(list(product(SPECIAL, SPECIAL)))
WHOLE = np.resize([0, 1, -3, 2**31 - 1, -(2**31)], len(FLOATS)).astype(np.int32)
COUNT = 4
LETS = """let t = 1 < 2; let f = 2 < 1; let c = x[offs] < 1
let zero = 0.0; let minus = -0.0; let one = 1.0"""
USED = "store(used, offs, x[offs] + y[offs] + k[offs])"

floats = st.sampled_from(["x[offs]", "x[offs]", "y[offs]", "zero", "minus", "one", "2.5"])
integers = st.sampled_from(["k[offs]", "k[offs]", "0", "1", "3"])
truths = st.sampled_from(["t", "f", "c"])
relations = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
comparisons = st.one_of(
    st.builds("({} {} {})".format, floats, relations, floats),
    st.builds("({} {} {})".format, integers, relations, integers),
    truths,
)
conditions = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.builds("(not {})".format, inner),
        st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
    ),
    max_leaves=4,
)


def grown(leaves: st.SearchStrategy[str], words: Sequence[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(words), inner),
            st.builds("select({}, {}, {})".format, conditions, inner, inner),
        ),
        max_leaves=4,
    )


values = st.one_of(
    grown(floats, ["+", "-", "*"]),
    grown(integers, ["+", "-", "*", "%", "bor", "bxor", "shl", "shr"]),
    st.builds("select({}, 1, 0)".format, conditions),
)


def typed_kernel(condition: str, given: Sequence[str], folded: bool) -> tile.KernelOp:
    """A kernel that stores the condition and each value, before anything is simplified."""
    outs = ["used", *(f"o{i}" for i in range(len(given) + 1))]
    stores = [f"store({out}, offs, {v})" for out, v in zip(outs[2:], given, strict=True)]
    body = "\n".join(
        [LETS, f"let c = {condition}", "store(o0, offs, select(c, 1, 0))", *stores, USED]
    )
    last = "tile-simplify" if folded else "tile-canonicalize-loops"
    signature = 'signature="x=f64,y=f64,k=i32" default=f64'
    passes = ",".join(
        f"{name}{{{signature}}}" if name == "tile-specialize" else name
        for name in KERNEL_TO_TILE[: KERNEL_TO_TILE.index(last)]
    )
    text = kernel_text(body, ", ".join(["x", "y", "k", *outs]))
    (kernel,) = apply_pipeline(pl.loads(text).program.module, passes).ops
    assert isinstance(kernel, tile.KernelOp)
    return kernel


def evaluated(kernel: tile.KernelOp) -> Mapping[str, Any]:
    """What the kernel leaves in each of its outputs."""
    inputs = {"x": FLOATS[:, 0], "y": FLOATS[:, 1], "k": WHOLE}
    args = [inputs.get(name, np.zeros(len(FLOATS))).copy() for name in kernel.param_names]
    evaluate(kernel, args, {"n": len(FLOATS)})
    return dict(zip(kernel.param_names, args, strict=True))


def stored(kernel: tile.KernelOp) -> Mapping[str, tile.StoreOp]:
    names: dict[SSAValue, str] = dict(zip(kernel.args, kernel.param_names, strict=True))
    return {names[op.buffer]: op for op in kernel.walk() if isinstance(op, tile.StoreOp)}


def condition_of(value: SSAValue) -> SSAValue | None:
    """What decides a choice between two numbers."""
    match value.owner:
        case tile.SelectOp() as op:
            return op.condition
        case tile.CastOp() | tile.BroadcastOp() as op:
            return condition_of(op.operand)
        case _:
            return None


def pairs(numbers: EqualValues, stores: Mapping[str, tile.StoreOp]) -> Iterator[tuple[str, str]]:
    """The outputs whose values have the same number."""
    for (a, first), (b, second) in combinations(stores.items(), 2):
        if numbers.of(first.value) == numbers.of(second.value):
            yield a, b


@settings(max_examples=150, deadline=None)
@given(conditions, st.lists(values, min_size=COUNT, max_size=COUNT), st.booleans(), st.booleans())
def test_equal_numbers_are_equal_values(
    condition: str, given: list[str], folded: bool, holds: bool
) -> None:
    kernel = typed_kernel(condition, [*given, f"select(c, {given[0]}, {given[1]})"], folded)
    found, stores = evaluated(kernel), stored(kernel)
    (stage,) = kernel.stages
    numbers = EqualValues()
    numbers.visit(stage.body.block)
    for a, b in pairs(numbers, stores):
        assert same(found[a], found[b]), (a, b)
    chosen = condition_of(stores["o0"].value)
    if chosen is None:
        return
    numbers.assume(numbers.of(chosen), holds)
    numbers.visit(stage.body.block)
    lanes = (found["o0"] == 1) == holds
    for a, b in pairs(numbers, stores):
        assert same(found[a][lanes], found[b][lanes]), (a, b)


SAME = {
    "a choice of the same": ("select(c, x[offs], x[offs])", "x[offs]"),
    "minus zero added": ("x[offs] + minus", "x[offs]"),
    "zero taken away": ("x[offs] - zero", "x[offs]"),
    "one": ("one * x[offs]", "x[offs] * one"),
    "integers with nothing added": ("(0 + k[offs]) shl 0", "k[offs] bxor 0"),
    "turned around": ("select(x[offs] > y[offs], 1, 0)", "select(y[offs] < x[offs], 1, 0)"),
    "not equal": ("select(not (x[offs] == 1), 1, 0)", "select(x[offs] != 1, 1, 0)"),
    "integers not above": ("select(not (k[offs] > 1), 1, 0)", "select(k[offs] <= 1, 1, 0)"),
    "by no number": ("k[offs] % 0", "(k[offs] + 1) % 0"),
}
OTHER = {
    "zero added to a float": ("x[offs] + zero", "x[offs]"),
    "floats not above": ("select(not (x[offs] > 1), 1, 0)", "select(x[offs] <= 1, 1, 0)"),
    "a float and itself": ("select(x[offs] == x[offs], 1, 0)", "select(t, 1, 0)"),
    "a float less itself": ("x[offs] - x[offs]", "zero"),
    "other loads": ("x[offs + 1]", "x[offs]"),
}


@pytest.mark.parametrize(("a", "b"), SAME.values(), ids=SAME)
def test_laws(a: str, b: str) -> None:
    assert numbered_alike(a, b)


@pytest.mark.parametrize(("a", "b"), OTHER.values(), ids=OTHER)
def test_no_laws(a: str, b: str) -> None:
    assert not numbered_alike(a, b)


def numbered_alike(a: str, b: str) -> bool:
    kernel = typed_kernel("x[offs] > 2", [a, b], folded=True)
    numbers = EqualValues()
    numbers.visit(kernel.stages[0].body.block)
    return ("o1", "o2") in pairs(numbers, stored(kernel))
