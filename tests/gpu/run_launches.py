"""Launches on a GPU: what a call costs the host, calls unlike earlier ones, tuning, many columns.

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
from patlang_ir.runtime.direct_launches import knobs
from patlang_ir.runtime.triton_module import PrintedLauncher

PROGRAM = """
# @gpu_kernel
make a function called add takes x, y, out
  store(out, offs, x[offs] + y[offs])
end

# @gpu_kernel
make a function called scale takes x, s, out
  store(out, offs, x[offs] * s)
end

# @gpu_kernel_matmul
make a function called matmul takes a, b, c
  let total = zeros_2d(BLOCK_M, BLOCK_N)
  let k = 0
  while k < K do
    let pa = make_block_ptr(a, M, K, pid_m * BLOCK_M, k, BLOCK_M, BLOCK_K)
    let pb = make_block_ptr(b, K, N, k, pid_n * BLOCK_N, BLOCK_K, BLOCK_N)
    let total = dot(load_block(pa), load_block(pb), total)
    let k = k + BLOCK_K
  end
  store_block(make_block_ptr(c, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N), total)
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


def launcher_of(kernel: pl.Kernel, *args: Any) -> PrintedLauncher:
    return kernel.launcher(kernel.request_of(args))


def matrices(m: int, n: int, k: int) -> tuple[Any, Any, Any]:
    """Factors in f16, and room for their product."""
    sizes = ((m, k), (k, n), (m, n))
    a, b, c = (torch.randn(size, device="cuda").half() for size in sizes)
    return a, b, c


def is_product(a: Any, b: Any, c: Any) -> bool:
    return torch.allclose(c.float(), (a.double() @ b.double()).float(), rtol=0.01, atol=0.1)


def costs(module: pl.Module) -> bool:
    """Calls, the launchers in them with Triton's own launches, and the same in torch."""
    x, y, out = (torch.rand(1000, device="cuda") for _ in range(3))
    a, b, c = matrices(256, 256, 256)
    in_torch = {
        "add": lambda: torch.add(x, y, out=out),
        "matmul": lambda: torch.mm(a, b, out=c),
    }
    for name, args in (("add", (x, y, out)), ("matmul", (a, b, c))):
        kernel = module[name]
        bound = kernel.bind(*args)
        launcher = launcher_of(kernel, *args)
        launchers = {"kernel[grid]": launcher.functions[name], "dispatcher": launcher.function}
        calls: dict[str, Callable[[], Any]] = {
            "call": lambda kernel=kernel, args=args: kernel(*args),
            **{
                f"launcher, {how}": lambda run=run, args=args: run(*args)
                for how, run in launchers.items()
            },
            "bound": bound,
            "torch": in_torch[name],
        }
        for call in calls.values():
            call()
        times = {how: min(microseconds(call, 500) for _ in range(4)) for how, call in calls.items()}
        print(f"{name}: " + ", ".join(f"{how} {time:.1f} us" for how, time in times.items()))
    x.fill_(2.0)
    module["add"].bind(x, y, out)()
    right = torch.equal(out, 2.0 + y)
    module["matmul"](a, b, c)
    return right and is_product(a, b, c)


def changes(module: pl.Module) -> bool:
    """Calls that differ from earlier ones in sizes, alignment, types, numbers and strides."""
    add, scale, matmul, right = module["add"], module["scale"], module["matmul"], True
    for _ in range(3):
        for n in (1, 2, 16, 1000, 1024, 100_003):
            for start in (0, 1, 2, 4, 5):
                for dtype in (torch.float32, torch.float16, torch.int32):
                    x, y, out = (torch.randint(9, (n + 5,), device="cuda") for _ in range(3))
                    x, y, out = (tensor.to(dtype)[start : start + n] for tensor in (x, y, out))
                    add(x, y, out)
                    right &= torch.equal(out, x + y)
                    add(x, y, out.zero_(), block={"BLOCK_SIZE": 256})
                    right &= torch.equal(out, x + y)
        x = torch.randint(9, (1000,), device="cuda")
        for number in (1, 2, 16, 0, 2**31, -(2**40), 0.5, -1.0, 1.0, 1e30):
            x = x.long() if isinstance(number, int) else x.double()
            out = torch.zeros_like(x)
            scale(x, number, out)
            right &= torch.equal(out, x * number)
        for m, n, k in ((256, 256, 256), (1, 64, 16), (16, 16, 16), (37, 41, 29), (512, 256, 64)):
            a, b, c = matrices(m, n, k)
            matmul(a, b, c)
            right &= is_product(a, b, c)
            turned = b.T.contiguous().T
            matmul(a, turned, c.zero_())
            right &= is_product(a, turned, c)
    return right


def freed(module: pl.Module) -> bool:
    """Tensors that are freed and made again, elsewhere, while kernels wait for the GPU."""
    add, right, last = module["add"], True, torch.zeros(0, device="cuda")
    for i in range(200):
        n = 1 + i * 7919 % 3000
        x, y = torch.full((n,), float(i), device="cuda"), torch.ones(n, device="cuda")
        out = torch.empty(n, device="cuda")
        add(x, y, out)
        del x, y
        right &= bool((last == i).all())
        last = out
    return right


def streams(module: pl.Module) -> bool:
    """Another stream, a graph, hooks, and another GPU where there is one."""
    add, right = module["add"], True
    x, y, out = (torch.rand(1000, device="cuda") for _ in range(3))
    add(x, y, out)
    other = torch.cuda.Stream()
    other.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(other):
        x.fill_(3.0)
        add(x, y, out)
    torch.cuda.current_stream().wait_stream(other)
    right &= torch.equal(out, 3.0 + y)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        add(x, y, out)
    x.fill_(4.0)
    graph.replay()
    right &= torch.equal(out, 4.0 + y)
    heard: list[str] = []
    hook = knobs.runtime.launch_enter_hook

    def hear(told: Any) -> None:
        heard.append(told.get()["name"])

    hook.add(hear)
    add(x, y, out)
    hook.remove(hear)
    add(x, y, out)
    right &= heard == ["add_kernel"]
    for device in range(torch.cuda.device_count()):
        x, y, out = (tensor.to(f"cuda:{device}") for tensor in (x, y, out))
        for _ in range(2):
            add(x, y, out.zero_())
            right &= torch.equal(out, x + y)
        right &= torch.cuda.current_device() == 0
    return right


def refused(module: pl.Module) -> bool:
    """A launch that needs too much memory, after one that did not, and the other again."""
    matmul, right = module["matmul"], True
    a, b, c = matrices(256, 256, 256)
    launcher = launcher_of(matmul, a, b, c)
    launcher(a, b, c)
    names = launcher.function.__globals__
    tables = {name: value for name, value in names.items() if name.endswith("_PLANS")}
    for _ in range(2):
        for name, plans in tables.items():
            names[name] = tuple((1, {**plan, "num_stages": 20}) for _, plan in plans)
        try:
            launcher(a, b, c.zero_())
            right = False
        except pl.CompileError as error:
            right &= "out of resource" in str(error)
        names.update(tables)
        launcher(a, b, c.zero_())
        right &= is_product(a, b, c)
    return right


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


TESTS = (costs, changes, freed, streams, refused, tuning, many_columns)


def main() -> int:
    module = pl.loads(PROGRAM)
    results = {test.__name__: test(module) for test in TESTS}
    print(results)
    return int(not all(results.values()))


if __name__ == "__main__":
    sys.exit(main())
