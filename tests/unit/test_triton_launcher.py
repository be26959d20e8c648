"""Printed launchers refuse arguments that do not fit, and say which."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from evaluator_kernels import grid, linear
from triton_modules import Run, interpret, printed, run_all

pytest.importorskip("torch")
pytest.importorskip("triton")

LANES = linear(
    {"x": "f32[]", "out": "f32[]", "k": "i32"},
    """%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    %f = tile.cast %k : i32 -> f32
    %b = tile.broadcast %f : f32 -> T<f32>
    %r = tile.mul %v, %b : T<f32>
    tile.store %r, %out[%offs] : T<f32>, B<f32>, T<i64>""",
)
TURN = grid(
    {"x": "f32[]", "out": "f32[]"},
    """%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    tile.store %v, %out[%offs] : T<f32>, B<f32>, T<i64>""",
)
COVERED = linear(
    {"x": "f32[]", "out": "f32[]"},
    """%offs = tile.index offs : T<i64>
    %v = tile.load %x[%offs] : (B<f32>, T<i64>) -> T<f32>
    %s = tile.reduce sum %v : T<f32> -> f32
    %i = tile.constant 0 : i64
    tile.store %s, %out[%i] : f32, B<f32>, i64""",
    "cover [0] upto 64",
)


def single(n: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.ones(n, np.float32)


REFUSED = {
    "the wrong type": (LANES, [np.ones(4), single(4), np.array(2)], "x: expected torch.float32"),
    "a number for a buffer": (
        LANES,
        [np.array(1.0), single(4), np.array(2)],
        "x: expected a tensor",
    ),
    "a buffer for a number": (LANES, [single(4), single(4), single(4)], "k: expected one number"),
    "a fraction": (LANES, [single(4), single(4), np.array(2.5)], "k: expected one number"),
    "another length": (
        LANES,
        [single(4), single(5), np.array(2)],
        "out: expected 4 elements, got 5",
    ),
    "no matrix": (TURN, [single(4), single(4)], "x: expected a matrix"),
    "another shape": (
        TURN,
        [single(6).reshape(2, 3), single(6).reshape(3, 2)],
        "out: expected the shape (2, 3), got (3, 2)",
    ),
    "too many for one program": (COVERED, [single(65), single(1)], "at most 64 elements"),
}
ACCEPTED = {
    "no elements": (LANES, [single(0), single(0), np.array(2)], single(0)),
    "another number": (LANES, [single(3), single(3), np.array(7)], np.full(3, 7, np.float32)),
    "a flat output": (TURN, [single(6).reshape(2, 3), np.zeros(6, np.float32)], single(6)),
    "a sum of nothing": (COVERED, [single(0), single(1)], np.zeros(1, np.float32)),
    "a sum": (COVERED, [single(64), single(1)], np.full(1, 64, np.float32)),
}


def test_calls(tmp_path: Path) -> None:
    cases = [*REFUSED.values(), *ACCEPTED.values()]
    runs = [Run(kernel, ["f32"] * len(arguments), arguments) for kernel, arguments, _ in cases]
    places = run_all(runs, tmp_path)
    for place, (_, _, expected) in zip(places, cases, strict=True):
        if isinstance(expected, str):
            assert expected in (place / "error.txt").read_text()
            continue
        assert not (place / "error.txt").exists(), (place / "error.txt").read_text()
        with np.load(place / "results.npz") as results:
            assert np.array_equal(results["arr_1"], expected)


def test_memory_that_overlaps() -> None:
    """The check itself, on tensors of the CPU."""
    import torch

    text = printed(LANES).text
    tree = ast.parse(text)
    checks = [
        node
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name == "check_apart"
    ]
    namespace: dict[str, object] = {}
    exec(compile(ast.Module(checks, []), "<check>", "exec"), namespace)
    check = namespace["check_apart"]
    assert callable(check)
    memory = torch.zeros(10)
    check(("x", memory[:5], False, True), ("out", memory[5:], True, True))
    check(("x", memory, False, True), ("out", memory, True, True))
    with pytest.raises(ValueError, match="out: is written, but shares memory with x"):
        check(("x", memory, False, False), ("out", memory, True, True))
    with pytest.raises(ValueError, match="out: is written"):
        check(("x", memory[:6], False, True), ("out", memory[5:], True, True))
    with pytest.raises(ValueError, match="out: is written"):
        check(("out", memory, True, True), ("x", memory.view(torch.int32), False, True))


def test_parameters_with_the_names_of_launch_options(tmp_path: Path) -> None:
    kernel = linear(
        {"num_warps": "f32[]", "enable_fp_fusion": "f32[]"},
        """%offs = tile.index offs : T<i64>
    %v = tile.load %num_warps[%offs] : (B<f32>, T<i64>) -> T<f32>
    tile.store %v, %enable_fp_fusion[%offs] : T<f32>, B<f32>, T<i64>""",
    )
    run = Run(kernel, ["f32", "f32"], [single(4), np.zeros(4, np.float32)])
    ((_, after),) = interpret([run], tmp_path)
    assert after.tolist() == [1, 1, 1, 1]
