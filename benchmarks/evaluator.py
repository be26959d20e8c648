"""The NumPy evaluator against Triton's interpreter, on one Mandelbrot kernel in f64.

    python benchmarks/evaluator.py [--width 512] [--steps 200] [--triton-width 128]

Both run the same algorithm (`mandelbrot.mlir`, `mandelbrot_triton.py`) without an early exit. The
interpreter is measured at a block size that a GPU would use, and at the best one for itself: one
block for the whole image. The ratio compares the times for the same image, and the counts must be
equal. The larger image shows the evaluator alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.scf import Scf
from xdsl.parser import Parser

from patlang_ir.backends.numpy import Evaluator
from patlang_ir.dialects.tile import KernelOp, Tile

HERE = Path(__file__).parent
CHUNK = 8192


def load() -> KernelOp:
    context = Context()
    for dialect in (Builtin, Scf, Tile):
        context.load_dialect(dialect)
    module = Parser(context, (HERE / "mandelbrot.mlir").read_text()).parse_module()
    kernel = module.body.block.first_op
    assert isinstance(kernel, KernelOp)
    return kernel


def time_evaluator(width: int, steps: int, repeats: int) -> tuple[float, np.ndarray]:
    evaluator = Evaluator(load())
    out = np.zeros(width * width, np.int32)
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        evaluator.run([out, width, steps], sizes={"n": out.size}, chunk=CHUNK)
        times.append(time.perf_counter() - start)
    return min(times), out


def time_triton(width: int, steps: int, block: int, repeats: int) -> tuple[float, np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "counts.npy")
        numbers = map(str, (width, steps, block, repeats))
        done = subprocess.run(
            [sys.executable, str(HERE / "mandelbrot_triton.py"), *numbers, path],
            env={**os.environ, "TRITON_INTERPRET": "1"},
            check=True,
            capture_output=True,
            text=True,
        )
        return float(done.stdout), np.load(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--triton-width", type=int, default=128)
    parser.add_argument("--block", type=int, default=1024)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    small, steps = options.triton_width, options.steps
    ours, counts = time_evaluator(small, steps, options.repeats)
    print(f"{small}x{small}, {steps} steps: evaluator {ours * 1e3:.1f} ms")
    for block in (options.block, small * small):
        theirs, expected = time_triton(small, steps, block, repeats=2)
        assert np.array_equal(counts, expected), "the two give different counts"
        print(
            f"  Triton's interpreter, blocks of {block}: {theirs * 1e3:.1f} ms,"
            f" {theirs / ours:.1f} times as long, equal counts"
        )
    large, _ = time_evaluator(options.width, steps, options.repeats)
    lanes = options.width**2 * steps
    print(
        f"{options.width}x{options.width}, {steps} steps: evaluator {large:.3f} s,"
        f" {large / lanes * 1e9:.2f} ns for a lane and step"
    )


if __name__ == "__main__":
    main()
