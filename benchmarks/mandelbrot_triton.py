"""The kernel of `mandelbrot.mlir`, written by hand in Triton, for Triton's interpreter.

Run as a program by `evaluator.py`, with `TRITON_INTERPRET=1`: it prints the best time in seconds
and writes the counts to a `.npy` file.
"""

from __future__ import annotations

import sys
import time

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def mandelbrot(out, width, steps, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    scale = tl.full((BLOCK_SIZE,), 3.0, tl.float64) / width
    cr = (offs % width).to(tl.float64) * scale + tl.full((BLOCK_SIZE,), -2.25, tl.float64)
    ci = (offs // width).to(tl.float64) * scale + tl.full((BLOCK_SIZE,), -1.5, tl.float64)
    zr = tl.full((BLOCK_SIZE,), 0.0, tl.float64)
    zi = tl.full((BLOCK_SIZE,), 0.0, tl.float64)
    count = tl.full((BLOCK_SIZE,), 0, tl.int32)
    for _ in range(steps):
        rr = zr * zr
        ii = zi * zi
        alive = rr + ii <= 4.0
        ri = zr * zi
        zr_next = rr - ii + cr
        zi_next = ri + ri + ci
        zr = tl.where(alive, zr_next, zr)
        zi = tl.where(alive, zi_next, zi)
        count = tl.where(alive, count + 1, count)
    tl.store(out + offs, count, mask=offs < n)


def main(width: int, steps: int, block: int, repeats: int, path: str) -> None:
    n = width * width
    out = torch.zeros(n, dtype=torch.int32)
    times: list[float] = []
    for _ in range(repeats):
        start = time.perf_counter()
        mandelbrot[(triton.cdiv(n, block),)](out, width, steps, n, BLOCK_SIZE=block)
        times.append(time.perf_counter() - start)
    np.save(path, out.numpy())
    print(min(times))


if __name__ == "__main__":
    width, steps, block, repeats = map(int, sys.argv[1:5])
    main(width, steps, block, repeats, sys.argv[5])
