"""Random kernels give the same bits in every way to run them, and in a reference of their own."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, note, settings

sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))

from against_reference import differences_from_reference
from inputs import arguments, differences, memory_name
from oracles import Compiled, expected, mismatches
from random_kernels import NO_BF16, WIDE_TYPES, Options, random_kernel
from shrinking import kernels, smallest, without
from syntax import Kernel, Literal, count_statements, show
from triton_modules import Run, interpret

WIDE = Options(types=WIDE_TYPES, extents=(1, 20))
SMALL = Options(extents=(1, 24), statements=5)
INTERPRETED = Options(types=NO_BF16, device=False, numbers=False, extents=(1, 24), statements=5)
"""Triton's interpreter has no bf16 and no device library, and takes Python's own numbers."""
QUICK = settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)


@QUICK
@given(kernels(WIDE))
def test_the_evaluator_agrees_with_the_reference(kernel: Kernel):
    note(kernel.text)
    assert differences_from_reference(Compiled(kernel), arguments(kernel, 1)) == []


@settings(QUICK, max_examples=12)
@given(kernels(SMALL))
def test_all_stages_and_cuts_agree(kernel: Kernel):
    note(kernel.text)
    assert list(mismatches(Compiled(kernel), arguments(kernel, 1))) == []


def test_the_interpreter_of_triton_agrees(tmp_path: Path):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    chosen = [random_kernel(seed, INTERPRETED) for seed in range(12)]
    compiled = [Compiled(kernel) for kernel in chosen if "combine" not in kernel.traits]
    runs = [
        Run(
            each.tile,
            [memory_name(param) for param in each.kernel.params],
            [np.asarray(arg) for arg in arguments(each.kernel, 1)],
        )
        for each in compiled
    ]
    for each, run, got in zip(compiled, runs, interpret(runs, tmp_path), strict=True):
        wanted = expected(each, [a if a.ndim else a.item() for a in run.arguments])
        assert differences(each.kernel, got, wanted) == [], each.kernel.text


# --- the tests can fail, and say why in few lines ---


def test_a_wrong_reference_is_found(monkeypatch: pytest.MonkeyPatch):
    from reference_numbers import INTRINSICS

    monkeypatch.setitem(INTRINSICS, "max", INTRINSICS["min"])

    def fails(kernel: Kernel) -> bool:
        return bool(differences_from_reference(Compiled(kernel), arguments(kernel, 1)))

    found = next(k for k in (random_kernel(seed, WIDE) for seed in range(60)) if fails(k))
    small = smallest(found, fails)
    assert fails(small)
    assert "max(" in small.text
    assert count_statements(small.body) <= count_statements(found.body)


def test_statements_can_be_left_out():
    for seed in range(30):
        kernel = random_kernel(seed)
        bare = without(kernel, set(range(count_statements(kernel.body))))
        assert count_statements(bare.body) == 2, bare.text
        assert Compiled(bare).tile is not None


def test_the_text_of_literals_is_exact():
    for value in (0.1, 1.5, -0.0, 0.0009765625, 100.0):
        assert float(show(Literal(value))) == value
