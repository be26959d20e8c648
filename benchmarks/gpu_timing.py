"""What the benchmarks on a GPU share: times of captured graphs, in turns."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

import torch
import triton
from triton.testing import do_bench_cudagraph


def device_line() -> str:
    """The GPU and the versions."""
    return f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}"


def medians(*runs: Callable[[], object], rounds: int = 7, rep: int = 25) -> list[float]:
    """The median GPU time of each in milliseconds, without launches; the runs take turns."""
    times = [[do_bench_cudagraph(run, rep=rep) for run in runs] for _ in range(rounds)]
    return [median(each) for each in zip(*times, strict=True)]


def moved(milliseconds: float, *tensors: object) -> float:
    """GB/s, if each tensor moves once."""
    total = sum(t.numel() * t.element_size() for t in tensors if isinstance(t, torch.Tensor))
    return total / milliseconds / 1e6
