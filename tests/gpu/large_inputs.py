"""Inputs of more than 2**31 elements on a GPU: `large_inputs.py`, with 16 GB of memory free.

Elements beyond 2**31 are read and written, by position, by shifted and by computed index, in one
and in two dimensions, and summed. The answers come from torch. Ends with status 1 if one differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import torch
import triton

sys.path.insert(0, str(Path(__file__).parents[2]))

import patlang_ir as pl

KERNELS = """
# @gpu_kernel
make a function called shift takes x, out
  store(out, offs, x[offs - 1] + 3 * x[offs])
end

# @gpu_kernel
make a function called reverse takes x, out
  store(out, offs, x[n - 1 - offs] + 0 * x[offs])
end

# @gpu_kernel
make a function called pick takes index, x, out
  store(out, offs, x[index[offs]])
end

# @gpu_kernel
make a function called scatter takes index, out
  store(out, index[offs], 7)
end

# @gpu_kernel
make a function called total takes x, out
  store(out, 0, sum(x[offs]))
end

# @gpu_kernel_2d
make a function called below takes x, out
  store(out, offs, x[offs + n_cols] + 2 * x[offs] + col % 5)
end
"""
N = 2**31 + 1000
ROWS, COLUMNS = 2**16 + 3, 2**15 + 40
SEED = torch.Generator(device="cuda").manual_seed(1) if torch.cuda.is_available() else None


def random_bytes(*size: int) -> torch.Tensor:
    return torch.randint(0, 256, size, generator=SEED, device="cuda", dtype=torch.uint8)


def shift(kernel: pl.Kernel) -> bool:
    x, out = random_bytes(N), torch.zeros(N, dtype=torch.uint8, device="cuda")
    kernel(x, out)
    wanted = x * 3
    wanted[1:] += x[:-1]
    return torch.equal(out, wanted)


def reverse(kernel: pl.Kernel) -> bool:
    x, out = random_bytes(N), torch.zeros(N, dtype=torch.uint8, device="cuda")
    kernel(x, out)
    return torch.equal(out, x.flip(0))


def pick(kernel: pl.Kernel) -> bool:
    x = random_bytes(N)
    index = torch.randint(-5, N + 5, (1 << 20,), generator=SEED, device="cuda")
    index[:4] = torch.tensor([N - 1, N, 2**31, 2**31 - 1])
    out = torch.zeros(1 << 20, dtype=torch.uint8, device="cuda")
    kernel(index, x, out)
    inside = (index >= 0) & (index < N)
    return torch.equal(out, torch.where(inside, x[index.clamp(0, N - 1)], 0))


def scatter(kernel: pl.Kernel) -> bool:
    out = torch.zeros(N, dtype=torch.uint8, device="cuda")
    index = torch.tensor([N - 1, 2**31, -1, N, 5], device="cuda")
    kernel(index, out)
    places = out.nonzero().flatten().tolist()
    return places == [5, 2**31, N - 1] and int(out[-1]) == 7


def total(kernel: pl.Kernel) -> bool:
    x, out = random_bytes(N), torch.zeros(1, dtype=torch.int64, device="cuda")
    kernel(x, out)
    return int(out) == sum(int(part.sum()) for part in x.split(2**28))


def below(kernel: pl.Kernel) -> bool:
    x = random_bytes(ROWS, COLUMNS)
    out = torch.zeros_like(x)
    kernel(x, out)
    wanted = x * 2 + (torch.arange(COLUMNS, device="cuda") % 5).to(torch.uint8)
    wanted[:-1] += x[1:]
    return torch.equal(out, wanted)


CASES: tuple[Callable[[pl.Kernel], bool], ...] = (shift, reverse, pick, scatter, total, below)


def main() -> int:
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    module = pl.loads(KERNELS, name="large.patlang")
    failed = 0
    for case in CASES:
        try:
            note = "agrees" if case(module[case.__name__]) else "differs"
        except Exception as error:
            note = f"{type(error).__name__}: {str(error)[:500]}"
        failed += note != "agrees"
        print(f"{case.__name__:10} {note}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
