"""Loops whose lanes stop for themselves as printed Triton, in several blocks of its interpreter."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from kernel_texts import kernel_text, same, tile_kernel, whole
from test_frozen_lanes import STOPS, X
from triton_modules import Array, Run, interpret

pytest.importorskip("torch")
pytest.importorskip("triton")

N = 2500


def run_of(name: str) -> Run:
    kernel = tile_kernel(kernel_text(STOPS[name]))
    x = np.resize(X, N)
    x[:1024] = np.arange(1024) % 3 - 4.5
    return Run(kernel, ["f64", "f64"], [x, np.zeros(N)])


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Array]]:
    """The arguments after the call of every kernel; one process runs them all."""
    folder: Path = tmp_path_factory.mktemp("stops")
    return dict(zip(STOPS, interpret([run_of(name) for name in STOPS], folder), strict=True))


@pytest.mark.parametrize("name", STOPS)
def test_the_bits_of_one_block_over_all(name: str, interpreted: dict[str, list[Array]]) -> None:
    run = run_of(name)
    meant = whole(run.kernel, run.arguments, (N,))
    assert all(same(a, b) for a, b in zip(interpreted[name], meant, strict=True))
