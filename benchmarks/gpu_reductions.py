"""Sums and softmax on a GPU, against torch.

Needs a GPU. Results are compared with torch in f64 first. Times are those of the GPU, from captured
graphs, the median of rounds that take turns.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from gpu_timing import device_line, medians, moved

sys.path.insert(0, str(Path(__file__).parents[1]))

import patlang_ir as pl

KERNELS = """
# @gpu_kernel
make a function called total takes x, out
  store(out, 0, sum(x[offs]))
end

# @gpu_kernel_2d
make a function called softmax takes x, out
  let e = exp(x[offs] - reduce_max(x[offs], 1))
  store(out, offs, e / sum(e, 1))
end
"""
SHAPES = ((65536, 1024), (16384, 4096), (8192, 8192))


def main() -> None:
    module = pl.loads(KERNELS, name="reductions.patlang")
    print(device_line())
    print(f"{'kernel':26}{'maths':8}{'ours':>10}{'torch':>11}{'speed':>8}{'GB/s':>7}")
    total(module["total"])
    for shape in SHAPES:
        for math in ("strict", "fast"):
            softmax(module["softmax"], shape, math)


def total(kernel: pl.Kernel) -> None:
    for n in (1 << 20, 1 << 26, (1 << 26) + 3):
        x, out = torch.rand(n, device="cuda"), torch.empty(1, device="cuda")
        kernel(x, out)
        wanted = x.double().sum()
        assert abs(out.double() - wanted) <= 1e-5 * wanted, f"{out.item()}, not {wanted.item()}"
        mine, other = medians(lambda x=x, out=out: kernel(x, out), lambda x=x: x.sum())
        row(f"sum {n}", "strict", mine, other, x)


def softmax(kernel: pl.Kernel, shape: tuple[int, int], math: str) -> None:
    x = torch.randn(shape, device="cuda") * 3
    out = torch.empty_like(x)
    kernel(x, out, math=math)
    wanted = x.double().softmax(1)
    assert torch.allclose(out.double(), wanted, rtol=2e-5, atol=1e-9), "softmax differs"
    del wanted
    mine, other = medians(lambda: kernel(x, out, math=math), lambda: torch.softmax(x, 1))
    row(f"softmax {shape[0]} x {shape[1]}", math, mine, other, x, out)


def row(name: str, math: str, mine: float, other: float, *tensors: torch.Tensor) -> None:
    print(
        f"{name:26}{math:8}{mine:7.4f} ms{other:8.4f} ms{other / mine:8.3f}"
        f"{moved(mine, *tensors):7.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
