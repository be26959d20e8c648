"""Every kernel of the corpus has one meaning: at each stage, in blocks of any size, in any order.

The answers are written by hand in `kernel_answers`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from kernel_answers import ANSWERS
from kernels import CASES, Arguments, Case

from patlang_ir.analysis.independence import is_block_independent
from patlang_ir.backends.numpy import Evaluator
from patlang_ir.module import load
from patlang_ir.runtime.kernel import used_arguments

SIZES = ((0, 3), (1, 1), (4, 13), (37, 9))
BLOCKS = (1, 3, 7, 16, 64)
HAS_NO_EMPTY_ANSWER = {"statistics", "row_shares"}


def shapes_of(case: Case) -> Iterable[tuple[int, int]]:
    return SIZES[1:] if case.name in HAS_NO_EMPTY_ANSWER else SIZES


def copied(arguments: Arguments) -> Arguments:
    return {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in arguments.items()}


def answer(case: Case, arguments: Arguments) -> Arguments:
    expected = copied(arguments)
    with np.errstate(all="ignore"):
        ANSWERS[case.name](**expected)
    return expected


def expect_same(found: Arguments, expected: Arguments, where: str) -> None:
    """Equal bits; all NaNs count as one value."""
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(found[name], value, f"'{name}' {where}", strict=True)
            if value.dtype.kind == "f":
                signs = [np.where(np.isnan(v), False, np.signbit(v)) for v in (found[name], value)]
                np.testing.assert_array_equal(*signs, f"the sign of '{name}' {where}")


def test_every_kernel_has_an_answer() -> None:
    assert {case.name for case in CASES} == set(ANSWERS)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_stage_and_cut_gives_the_answer(case: Case) -> None:
    rng = np.random.default_rng(len(case.name))
    ready = {stage: Evaluator(kernel) for stage, kernel in case.stages.items()}
    for n, cols in shapes_of(case):
        given = case.make(rng, n, cols)
        expected, sizes = answer(case, given), case.sizes(n, cols)
        for stage, evaluator in ready.items():
            found = copied(given)
            evaluator.run(used_arguments(evaluator.kernel, [*found.values()]), sizes=sizes)
            expect_same(found, expected, f"whole, {stage}, n = {n}")
            if not is_block_independent(evaluator.kernel):
                continue
            for block in BLOCKS:
                found = copied(given)
                blocks = {"BLOCK_SIZE": block, "BLOCK_R": block, "BLOCK_C": BLOCKS[-n % 5]}
                axes = ("BLOCK_R", "BLOCK_C") if case.grid else ("BLOCK_SIZE",)
                evaluator.run(
                    used_arguments(evaluator.kernel, [*found.values()]),
                    sizes=sizes,
                    blocks={axis: blocks[axis] for axis in axes},
                    order=rng.permutation,
                )
                expect_same(found, expected, f"in blocks of {block}, {stage}, n = {n}")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_call_gives_the_answer(case: Case) -> None:
    rng = np.random.default_rng(7)
    kernel = load(case.file)[case.name]
    for n, cols in shapes_of(case):
        given = case.make(rng, n, cols)
        found = copied(given)
        kernel(*found.values())
        expect_same(found, answer(case, given), f"called, n = {n}")
