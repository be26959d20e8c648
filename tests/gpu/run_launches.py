"""Launches on a GPU: what a call costs the host, bound kernels, tuning, and many columns.

Prints the microseconds of a call and whether each result is right; ends with status 1 if not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import torch

import patlang_ir as pl

PROGRAM = """
# @gpu_kernel
make a function called add takes x, y, out
  store(out, offs, x[offs] + y[offs])
end

# @gpu_kernel(autotune=[64, 256, 1024, 4096])
make a function called grow takes x, out
  store(out, offs, out[offs] + x[offs])
end

# @gpu_kernel(autotune=[1024, 8192], deterministic=false)
make a function called total takes x, out
  store(out, 0, sum(x[offs]))
end

# @gpu_kernel_2d
make a function called turn takes x, out
  store(out, col * n_rows + row, x[offs])
end
"""


def microseconds(call: Callable[[], Any], count: int = 2000) -> float:
    """What the host needs for a call, while the GPU follows."""
    best = float("inf")
    for _ in range(5):
        torch.cuda.synchronize()
        start = perf_counter()
        for _ in range(count):
            call()
        best = min(best, perf_counter() - start)
    torch.cuda.synchronize()
    return best / count * 1e6


def costs(module: pl.Module) -> bool:
    x, y, out = (torch.rand(1000, device="cuda") for _ in range(3))
    add = module["add"]
    bound = add.bind(x, y, out)
    add(x, y, out)
    print(f"kernel(x, y, out)            {microseconds(lambda: add(x, y, out)):6.1f} us")
    print(f"bound()                      {microseconds(bound):6.1f} us")
    print(f"torch.add(x, y, out=out)     {microseconds(lambda: torch.add(x, y, out=out)):6.1f} us")
    x.fill_(2.0)
    bound()
    return torch.equal(out, 2.0 + y)


def tuning(module: pl.Module) -> bool:
    grow, right = module["grow"], True
    x = out = torch.ones(1, device="cuda")
    for n in (1000, 1_000_000, 50_000_000):
        x, out = torch.rand(n, device="cuda"), torch.ones(n, device="cuda")
        wanted = out + x
        grow(x, out)
        right &= torch.equal(out, wanted)
    tuned = grow.launcher(grow.request_of((x, out))).functions["TUNED"]
    print("tuned:", {key[2:]: block["BLOCK_SIZE"] for key, block in tuned.items()})
    x, out = torch.rand(10_000_000, device="cuda"), torch.zeros(1, device="cuda")
    module["total"](x, out)
    return right and torch.allclose(out, x.double().sum().float().reshape(1), rtol=1e-4)


def many_columns(module: pl.Module) -> bool:
    x = torch.arange(3 * 128 * 70_000, device="cuda", dtype=torch.int32).reshape(3, -1)
    out = torch.zeros_like(x).reshape(-1, 3)
    module["turn"](x, out)
    return torch.equal(out, x.T)


def main() -> int:
    module = pl.loads(PROGRAM)
    results = {test.__name__: test(module) for test in (costs, tuning, many_columns)}
    print(results)
    return int(not all(results.values()))


if __name__ == "__main__":
    sys.exit(main())
