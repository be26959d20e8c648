"""Every pass down to Triton leaves a matmul kernel's answers as they are, whole and in blocks."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from block_kernels import INDEPENDENT, MatmulKernel
from test_matmul_kernels import copies, name_of, sizes_of, typed
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.backends.numpy import Evaluator
from patlang_ir.dialects import tile
from patlang_ir.passes.pipelines import TILE_TO_TRITON
from patlang_ir.pipeline import parse_pipeline

PASSES = TILE_TO_TRITON[: TILE_TO_TRITON.index("tile-to-tl")]
SHAPES = ((37, 41, 29), (2, 2, 3), (5, 7, 0))
CUTS: tuple[dict[str, int] | None, ...] = (
    None,
    {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16},
    {"BLOCK_M": 4, "BLOCK_N": 64, "BLOCK_K": 2},
)


def variants(kernel: tile.KernelOp) -> list[tile.KernelOp]:
    """The kernel where a GPU moves no blocks by itself, and where one does."""
    if not any(stage.described for stage in kernel.stages):
        return [kernel]
    other = kernel.clone()
    for stage, following in pairwise(other.stages):
        if stage.described is not None:
            stage.described = None
            following.detach()
    return [kernel, other]


@pytest.mark.parametrize("kernel", INDEPENDENT, ids=name_of)
def test_every_stage_gives_the_same(kernel: MatmulKernel):
    op = typed(kernel)
    module = ModuleOp([op.clone()])
    for name in PASSES:
        for step in parse_pipeline(name):
            step.apply(Context(), module)
        (lowered,) = module.ops
        assert isinstance(lowered, tile.KernelOp)
        evaluators = [Evaluator(variant) for variant in variants(lowered)]
        rng = np.random.default_rng(0)
        for m, n, k in SHAPES:
            args = kernel.arguments(rng, {"M": m, "N": n, "K": k})
            expected, sizes = kernel.result(args), sizes_of(op, args)
            for evaluator, cut in product(evaluators, CUTS):
                given = copies(kernel, args)
                evaluator.run(list(given.values()), sizes=sizes, blocks=cut)
                np.testing.assert_allclose(
                    given["c"], expected, 1e-5, 1e-6, err_msg=f"{name} {(m, n, k)} {cut}"
                )
