"""The kernels of `elementwise.patlang` on a GPU, against Triton written by hand.

Needs a GPU. Both sides have the same blocks and warps, and do the same arithmetic in the same
maths mode. First each kernel runs on a small odd size on the GPU and in the evaluator, then both
sides run on the large size: in strict maths all bits agree, but for f16, whose products and sums
are fused by hand. Times are those of the GPU, from captured graphs, the median of rounds that take
turns. `gpu_elementwise.py [WORD...]` runs the kernels whose names hold a WORD.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

import elementwise_triton
import torch
import triton
from gpu_timing import device_line, medians, moved

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import patlang_ir as pl  # noqa: E402

SMALL, LARGE = (317, 211), (8192, 8192)
"""Rows and columns; the other kernels take them as one line."""

APPROXIMATE = ("gelu",)
"""Kernels with functions whose last bits differ between the CPU and a GPU."""

TOLERANCE = {torch.float32: 2e-5, torch.float16: 4e-3, torch.int32: 0}


@dataclass(frozen=True)
class Case:
    """A kernel, and what its arguments are made of: tensors by type, numbers as they are."""

    name: str
    arguments: Sequence[Any]
    is_grid: bool = False

    def make(self, shape: tuple[int, int]) -> list[Any]:
        """Random arguments of this size; the last one is the output, filled with what is wrong."""
        generator = torch.Generator(device="cuda").manual_seed(1)
        size = shape if self.is_grid else (shape[0] * shape[1],)
        made = [random(each, size, generator) for each in self.arguments]
        made[-1].fill_(77)
        return made


def random(what: Any, size: tuple[int, ...], generator: torch.Generator) -> Any:
    def of(size: tuple[int, ...]) -> torch.Tensor:
        return torch.randn(size, generator=generator, device="cuda")

    match what:
        case "index":
            n = size[0]
            near = torch.randint(-2048, 2048, size, generator=generator, device="cuda")
            return (torch.arange(n, device="cuda") + near).to(torch.int32)
        case "positive":
            return of(size).abs()
        case "one":
            return of((1,))
        case torch.int32:
            low, high = -(2**31), 2**31
            return torch.randint(low, high, size, generator=generator, device="cuda").int()
        case torch.dtype():
            return of(size).to(what)
        case _:
            return what


F32, F16, I32 = torch.float32, torch.float16, torch.int32

CASES = [
    Case("add", [F32, F32, F32]),
    Case("axpy", [1.5, F32, F32, F32]),
    Case("multiply_add", [F32, F32, F32, F32]),
    Case("gelu", [F32, F32]),
    Case("normalize", [F32, "positive", F32]),
    Case("smooth", [F32, F32]),
    Case("laplace", [F32, F32], is_grid=True),
    Case("gather", ["index", F32, F32]),
    Case("mix", [I32, I32]),
    Case("saturate", [F32, F32]),
    Case("add", [F16, F16, F16]),
    Case("axpy", [1.5, F16, F16, F16]),
    Case("gelu", [F16, F16]),
    Case("smooth", [F16, F16]),
    Case("scale_bias", [F16, "one", "one", F16]),
    Case("saturate", [F16, F16]),
]


def main(words: Sequence[str]) -> None:
    module = pl.load(Path(__file__).with_name("elementwise.patlang"))
    print(device_line())
    print(f"{LARGE[0]} x {LARGE[1]} elements")
    x = torch.randn(LARGE, device="cuda")
    y = torch.empty_like(x)
    (copy,) = medians(lambda: y.copy_(x))
    print(f"copy of f32: {copy:.4f} ms, {moved(copy, x, y):.0f} GB/s")
    print(f"{'kernel':14}{'type':9}{'maths':8}{'ours':>10}{'by hand':>11}{'ratio':>8}{'GB/s':>7}")
    ratios: list[float] = []
    for case in CASES:
        if not words or any(word in case.name for word in words):
            ratios += [compare(module[case.name], case, math) for math in ("strict", "fast")]
    mean = exp(sum(map(log, ratios)) / len(ratios))
    print(f"speed against Triton by hand: geometric mean {mean:.4f}, lowest {min(ratios):.4f}")


def compare(kernel: pl.Kernel, case: Case, math: str) -> float:
    """Check and time one kernel; how many times as fast as by hand it is."""
    check_small(kernel, case, math)
    ours, theirs = case.make(LARGE), case.make(LARGE)
    run_by_hand = by_hand(kernel, case, theirs, math)
    kernel(*ours, math=math)
    run_by_hand()
    exact = math if ours[-1].dtype != F16 else "fast"
    expect_same(case, exact, ours[-1], theirs[-1])
    mine, other = medians(lambda: kernel(*ours, math=math), run_by_hand, rounds=5)
    type = str(ours[-1].dtype).removeprefix("torch.")
    row = f"{case.name:14}{type:9}{math:8}{mine:7.4f} ms{other:8.4f} ms{other / mine:8.3f}"
    print(f"{row}{moved(mine, *ours):7.0f}", flush=True)
    return other / mine


def check_small(kernel: pl.Kernel, case: Case, math: str) -> None:
    """Compare the GPU with the evaluator."""
    on_gpu = case.make(SMALL)
    on_cpu = [arg.cpu() if isinstance(arg, torch.Tensor) else arg for arg in on_gpu]
    kernel(*on_gpu, math=math)
    kernel(*on_cpu)
    exact = "fast" if case.name in APPROXIMATE else math
    expect_same(case, exact, on_gpu[-1].cpu(), on_cpu[-1])


def expect_same(case: Case, math: str, got: torch.Tensor, wanted: torch.Tensor) -> None:
    if math == "strict":
        assert torch.equal(got, wanted), f"{case.name}: {int((got != wanted).sum())} bits differ"
        return
    tolerance = TOLERANCE[got.dtype]
    assert torch.allclose(got, wanted, rtol=tolerance, atol=tolerance), f"{case.name} differs"


def by_hand(kernel: pl.Kernel, case: Case, args: Sequence[Any], math: str) -> Callable[[], None]:
    """The launch of the kernel by hand, with the blocks and warps of ours."""
    function = getattr(elementwise_triton, case.name)
    plan = plan_of(kernel)
    sizes = args[-1].shape
    grid = [triton.cdiv(n, b) for n, b in zip(sizes, plan["blocks"].values(), strict=True)]
    options: dict[str, Any] = {"num_warps": plan["num_warps"], "enable_fp_fusion": math == "fast"}
    if "FAST" in function.arg_names:
        options["FAST"] = math == "fast"
    return lambda: function[tuple(grid)](*args, *sizes, **plan["blocks"], **options)


def plan_of(kernel: pl.Kernel) -> dict[str, Any]:
    """The blocks and warps that our launcher uses."""
    text = kernel.triton_source()

    def number(name: str) -> int:
        return int(text.rpartition(f"{name}=")[2].split(",")[0].split("\n")[0].strip(" )"))

    names = ("BLOCK_SIZE", "BLOCK_R", "BLOCK_C")
    blocks = {name: number(name) for name in names if f"{name}=" in text}
    return {"blocks": blocks, "num_warps": number("num_warps")}


if __name__ == "__main__":
    main(sys.argv[1:])
