"""Cheaper operations give the same bits, for random bit patterns of every float type."""

from __future__ import annotations

import numpy as np
import pytest
from evaluator_kernels import same_bits

import patlang_ir as pl
from patlang_ir.backends.numpy import evaluate
from patlang_ir.dialects import tile
from patlang_ir.runtime.compiler import Request, apply_pipeline

TYPES = {"f16": (np.uint16, np.float16), "f32": (np.uint32, np.float32), "f64": (np.uint64, float)}


@pytest.mark.parametrize(
    "expression",
    ["v / 2.0", "v / 16384", "v / -0.25", "v / 0.00006103515625", "-(3.1 * v)", "-(v * -0.5)"],
)
@pytest.mark.parametrize("type", TYPES)
def test_every_bit_is_the_same(expression: str, type: str) -> None:
    text = "# @gpu_kernel\nmake function k takes x, out\n  let v = x[offs]\n"
    kernel = pl.loads(f"{text}  store(out, offs, {expression})\nend\n")["k"]
    module = kernel.compiler.module("tile", Request({"x": type, "out": type}))
    cheaper = apply_pipeline(module, "tile-reduce-strength")
    assert not any(isinstance(op, tile.DivOp | tile.NegOp) for op in cheaper.walk())
    bits, floats = TYPES[type]
    x = np.random.default_rng(1).integers(0, 2 ** (8 * bits().itemsize), 20000, bits).view(floats)
    results = [np.zeros_like(x), np.zeros_like(x)]
    for each, out in zip((module, cheaper), results, strict=True):
        (op,) = each.ops
        assert isinstance(op, tile.KernelOp)
        evaluate(op, [x, out], {"n": len(x)})
    assert same_bits(results[0], results[1], type)
