"""The error function of f32 as it is printed for a GPU, against Python's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from evaluator_kernels import linear
from triton_modules import Array, Run, interpret

pytest.importorskip("torch")
pytest.importorskip("triton")

BOUND = 2
"""Units in the last place, as the guide to the language states."""

KERNEL = linear(
    {"x": "f32[]", "out": "f32[]"},
    """%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    %r = tile.erf %v : T<f32>
    tile.store %r, %out[%offs] : T<f32>, B<f32>, T<i64>""",
)
SPECIAL = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 4.0, 1e-45, 3e38], np.float32)


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Array, Array]:
    """Numbers, and what Triton's interpreter gives for them."""
    rng = np.random.default_rng(3)
    spread = (rng.uniform(-1, 1, 20_000), rng.uniform(-4.5, 4.5, 20_000))
    small = rng.choice((-1, 1), 20_000) * 2.0 ** rng.uniform(-126, 3, 20_000)
    x = np.concatenate((SPECIAL, *spread, small)).astype(np.float32)
    run = Run(KERNEL, ("f32", "f32"), (x, np.full_like(x, 7)))
    ((_, found),) = interpret([run], tmp_path_factory.mktemp("erf"))
    return x, found


def test_it_keeps_the_accuracy_that_is_stated(computed: tuple[Array, Array]) -> None:
    x, found = computed
    x, found = x[len(SPECIAL) :], found[len(SPECIAL) :]
    exact = np.array([math.erf(v) for v in x.tolist()])
    step = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
    assert np.max(np.abs(found - exact) / step) <= BOUND


def test_zeros_infinities_and_nan(computed: tuple[Array, Array]) -> None:
    found = computed[1][: len(SPECIAL)]
    wanted = np.array([math.erf(v) for v in SPECIAL.tolist()], np.float32)
    np.testing.assert_allclose(found, wanted, rtol=2e-7, atol=2e-45)
    assert np.array_equal(np.signbit(found[:4]), np.signbit(SPECIAL[:4]))
