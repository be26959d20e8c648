"""Mandelbrot on a GPU: the kernel of `examples/mandelbrot.patlang` against Triton written by hand.

Needs a GPU. Both sides do the same arithmetic in the same maths mode, on the same random points,
with the same blocks; their results are compared first. Times are those of the GPU, from captured
graphs, the median of rounds that take turns. The second table is the host's time for a launch of
one block, checks included. `gpu_mandelbrot.py [SIDE]`, 2048 by default.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

import torch
import triton
import triton.language as tl
from triton.testing import do_bench_cudagraph

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import patlang_ir as pl  # noqa: E402
from patlang_ir.backends.triton import print_triton  # noqa: E402
from patlang_ir.runtime.compiler import Request  # noqa: E402
from patlang_ir.runtime.triton_module import load_triton  # noqa: E402

STEPS = 200


@triton.jit
def by_hand_kernel(  # noqa: PLR0917
    re, im, counts, sizes, n, steps: tl.constexpr, BLOCK_SIZE: tl.constexpr
):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    cr = tl.load(re + offs, mask=mask)
    ci = tl.load(im + offs, mask=mask)
    zr = tl.zeros_like(cr)
    zi = tl.zeros_like(cr)
    count = tl.zeros_like(cr)
    for _ in range(steps):
        r2 = zr * zr
        i2 = zi * zi
        inside = r2 + i2 <= 256.0
        zi = tl.where(inside, 2.0 * zr * zi + ci, zi)
        zr = tl.where(inside, r2 - i2 + cr, zr)
        count += tl.where(inside, 1.0, 0.0)
    tl.store(counts + offs, count, mask=mask)
    tl.store(sizes + offs, zr * zr + zi * zi, mask=mask)


def by_hand(points: list[torch.Tensor], block: int, warps: int, fuse: bool) -> None:
    n = points[0].numel()
    by_hand_kernel[(triton.cdiv(n, block),)](
        *points, n, STEPS, BLOCK_SIZE=block, num_warps=warps, enable_fp_fusion=fuse
    )


def main(side: int) -> None:
    kernel = pl.load(ROOT / "examples" / "mandelbrot.patlang")["mandelbrot"]
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    print(f"{side} x {side} random points, {STEPS} steps")
    print(f"{'type':8} {'maths':8} {'ours':>10} {'by hand':>10} {'ratio':>7}  points that differ")
    for dtype in (torch.float32, torch.float64):
        for math in ("strict", "fast"):
            compare(kernel, dtype, math, side)
    report_launches(kernel)


def compare(kernel: pl.Kernel, dtype: torch.dtype, math: str, side: int) -> None:
    generator = torch.Generator(device="cuda").manual_seed(1)
    shape = (side * side,)
    re = torch.rand(shape, generator=generator, device="cuda", dtype=dtype) * 3 - 2.2
    im = torch.rand(shape, generator=generator, device="cuda", dtype=dtype) * 3 - 1.5
    ours = [re, im, torch.zeros_like(re), torch.zeros_like(re)]
    theirs = [re, im, torch.zeros_like(re), torch.zeros_like(re)]
    kernel(*ours, math=math)
    block, warps = blocks_of(kernel)
    by_hand(theirs, block, warps, math == "fast")
    torch.cuda.synchronize()
    differ = sum(int((a != b).sum()) for a, b in zip(ours[2:], theirs[2:], strict=True))
    assert math == "fast" or differ == 0, f"{differ} results differ"
    mine, other = medians(
        lambda: kernel(*ours, math=math), lambda: by_hand(theirs, block, warps, math == "fast")
    )
    name = str(dtype).removeprefix("torch.")
    row = f"{name:8} {math:8} {mine:7.3f} ms {other:7.3f} ms {mine / other:7.3f}"
    print(f"{row}  {differ}", flush=True)


def blocks_of(kernel: pl.Kernel) -> tuple[int, int]:
    """The block size and the warps that our launcher uses."""
    text = kernel.triton_source()
    numbers = [
        int(text.rpartition(f"{name}=")[2].partition(",")[0])
        for name in ("BLOCK_SIZE", "num_warps")
    ]
    return numbers[0], numbers[1]


def medians(*runs: Callable[[], None]) -> list[float]:
    """The median time of each, measured in turns."""
    rounds = [[do_bench_cudagraph(run, rep=60) for run in runs] for _ in range(7)]
    return [median(times) for times in zip(*rounds, strict=True)]


def report_launches(kernel: pl.Kernel) -> None:
    """How long the host takes for a launch."""
    points = [torch.zeros(64, device="cuda") for _ in range(4)]
    block, warps = blocks_of(kernel)
    launcher = load_triton(print_triton(kernel.compiler.module("tl", Request())), kernel.name)
    sides = {
        "by hand": lambda: by_hand(points, block, warps, False),
        "printed launcher": lambda: launcher(*points),
        "kernel(...)": lambda: kernel(*points),
    }
    for name, run in sides.items():
        run()
        torch.cuda.synchronize()
        rounds: list[float] = []
        for _ in range(7):
            started = perf_counter()
            for _ in range(200):
                run()
            rounds.append((perf_counter() - started) / 200)
            torch.cuda.synchronize()
        print(f"{name:18} {1e6 * median(rounds):7.1f} us")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2048)
