"""Whole numbers as integers: the same results as in floats, at the ends of the types too."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import f64

import patlang_ir as pl
from patlang_ir.backends.numpy import evaluate
from patlang_ir.dialects import tile
from patlang_ir.runtime.compiler import Request, apply_pipeline

PASSES = "tile-keep-integers,tile-narrow-indices,tile-simplify"

EXPRESSIONS = {
    "trunc(v / 7) * 3 + v % 1009": 0,
    "trunc(v / 7) * 31": 0,
    "trunc(v / -1)": 0,
    "trunc(v / -3) - trunc(v / 5)": 0,
    "floor(trunc(v / 2))": 0,
    "trunc((v * 2) / 3)": 0,
    "trunc(trunc(v / 7) / 3)": 0,
    "trunc(v / 1000) * trunc(v / 1000)": 0,
    "trunc(v / 3) % 5": 0,
    "select(v > 3, trunc(v / 3), v % 3)": 0,
    "select(trunc(v / 3) > 1, 7, 9)": 0,
    "max(trunc(v / 3), 2) * 1.0": 0,
    "floor(max(v, 0) / 3) * 2": 0,
    "floor(offs / 3) + v": 0,
    "to_int(v / 3) * 3 + v % 3": 0,
    "to_int(v / -7)": 0,
    "to_int(offs / 2) + to_int(v / 2)": 0,
    "to_int(7 / v)": 1,
    "floor(max(v, 0) / -4)": 1,
    "trunc(v / 2.5)": 1,
    "floor(v / 2)": 1,
    "trunc(5 / v)": 1,
    "trunc(v / 2) * 0.5": 1,
    "trunc(v / 7) * 4194304 * 4194304": 1,
}
"""An expression of an integer `v`, and how many divisions of floats are left."""

TYPES = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "u8": np.uint8, "i64": np.int64}


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("type", ["i16", "i32"])
@pytest.mark.parametrize("result", TYPES)
def test_integers_give_what_floats_give(expression: str, type: str, result: str) -> None:
    text = "# @gpu_kernel\nmake function k takes x, out\n  let v = x[offs]\n"
    kernel = pl.loads(f"{text}  store(out, offs, {expression})\nend\n")["k"]
    module = kernel.compiler.module("tile", Request({"x": type, "out": result}))
    kept = apply_pipeline(module, PASSES)
    limits = np.iinfo(TYPES[type])
    numbers = {*range(-30, 31), limits.min, limits.max, limits.min + 1, limits.max // 2, 1000}
    inside = sorted(v for v in numbers if limits.min <= v <= limits.max)
    x = np.array(inside, TYPES[type])
    results: list[list[int]] = []
    for each in (module, kept):
        (op,) = each.ops
        assert isinstance(op, tile.KernelOp)
        out = np.zeros(len(x), TYPES[result])
        evaluate(op, [x, out], {"n": len(x)})
        results.append(out.tolist())
    assert results[0] == results[1]
    divisions = [
        op
        for op in kept.walk()
        if isinstance(op, tile.DivOp) and tile.element_of(op.lhs.type) == f64
    ]
    if type == "i32":
        assert len(divisions) == EXPRESSIONS[expression]
