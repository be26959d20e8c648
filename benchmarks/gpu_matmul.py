"""Products of matrices on a GPU, against torch in the same run: `gpu_matmul.py [WORD...]`.

Random data; every product is compared with torch's first. Times are those of captured graphs, so
launches do not count. A row has TFLOP/s and the ratio to torch for each strategy; the time of the
first call, which compiles, is on the right.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import torch  # noqa: E402
from gpu_timing import device_line, medians  # noqa: E402

import patlang_ir as pl  # noqa: E402
from patlang_ir.backends.triton import print_triton  # noqa: E402
from patlang_ir.runtime.compiler import Request, apply_pipeline  # noqa: E402
from patlang_ir.runtime.triton_module import load_triton  # noqa: E402

PRODUCT = """
# @gpu_kernel_matmul(precision={precision})
make a function called product takes a, b, {bias}c
  let pa = make_block_ptr(a, M, K, pid_m * BLOCK_M, 0, BLOCK_M, BLOCK_K)
  let pb = make_block_ptr(b, K, N, 0, pid_n * BLOCK_N, BLOCK_K, BLOCK_N)
  let acc = zeros_2d(BLOCK_M, BLOCK_N)
  let k = 0
  while k < K do
    let acc = dot(load_block(pa), load_block(pb), acc)
    let pa = advance_block(pa, 0, BLOCK_K)
    let pb = advance_block(pb, BLOCK_K, 0)
    let k = k + BLOCK_K
  end
  {epilogue}
  store_block(make_block_ptr(c, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N), acc)
end
"""
GELU = """let x = acc + load_block(make_block_ptr(bias, 1, N, 0, pid_n * BLOCK_N, 1, BLOCK_N))
  let acc = x * 0.5 * (1 + erf(x * 0.7071067811865476))"""
TYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32}


@dataclass(frozen=True)
class Row:
    """A product; `turned` has B stored by columns, `fused` adds a bias and applies GELU."""

    type: str
    m: int
    n: int
    k: int
    precision: str = "ieee"
    turned: bool = False
    fused: bool = False

    def __str__(self) -> str:
        flags = " B by columns" * self.turned + " +bias+gelu" * self.fused
        name = self.precision if self.type == "f32" else self.type
        return f"{name} {self.m} x {self.n} x {self.k}{flags}"


ROWS = (
    Row("f16", 4096, 4096, 4096),
    Row("f16", 8192, 8192, 8192),
    Row("bf16", 8192, 8192, 8192),
    Row("f32", 4096, 4096, 4096, "tf32"),
    Row("f32", 4096, 4096, 4096, "tf32", turned=True),
    Row("f32", 1024, 1024, 1024, "ieee"),
    Row("f16", 16, 8192, 8192),
    Row("f16", 8192, 8192, 64),
    Row("f16", 4097, 4095, 4093),
    Row("f16", 4096, 4096, 4096, fused=True),
    Row("f16", 512, 512, 512),
    Row("f16", 1024, 1024, 1024),
    Row("f16", 2048, 2048, 2048),
    Row("f16", 128, 8192, 8192),
    Row("f16", 65536, 256, 256),
    Row("f32", 4096, 4096, 4096, "tf32x3"),
)
VARIANTS = (
    ("auto", "strict", "auto"),
    ("auto", "fast", "auto"),
    ("auto", "strict", "grouped"),
    ("pointer", "strict", "grouped"),
)
"""The strategy, the maths and the order of programs; the first two are what users get."""


def main(words: Sequence[str]) -> int:
    print(device_line())
    wrong = 0
    for row in ROWS:
        if not words or any(word in str(row) for word in words):
            wrong += measure(row)
    if not words or "host" in words:
        host()
    return int(wrong > 0)


def host(count: int = 2000) -> None:
    """Print what a call takes on the host, on small matrices, while the GPU follows."""
    row = Row("f16", 256, 256, 256)
    a, b, c = (torch.randn(256, 256, device="cuda", dtype=torch.float16) for _ in range(3))
    run = ours(row, *VARIANTS[0])
    for label, call in (
        ("torch.mm", lambda: torch.mm(a, b, out=c)),
        ("ours", lambda: run(a, b, c)),
    ):
        best = float("inf")
        for _ in range(5):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(count):
                call()
            best = min(best, time.perf_counter() - start)
        print(f"a call on the host: {label} {best / count * 1e6:.1f} us")


def measure(row: Row) -> int:
    """Print what a product takes, on each side; the number of wrong results."""
    torch.manual_seed(8)
    torch.backends.cuda.matmul.allow_tf32 = row.precision == "tf32"
    dtype = TYPES[row.type]
    a = torch.randn(row.m, row.k, device="cuda", dtype=dtype)
    shape = (row.n, row.k) if row.turned else (row.k, row.n)
    b = torch.randn(shape, device="cuda", dtype=dtype) / row.k**0.5
    b = b.T if row.turned else b
    bias = torch.randn(row.n, device="cuda", dtype=dtype)
    c = torch.empty(row.m, row.n, device="cuda", dtype=dtype)
    extra = [bias.view(1, -1)] if row.fused else []
    sides: dict[str, Callable[[], object]] = {"torch": torch_side(row, a, b, bias, c)}
    if row.fused:
        compiled = torch.compile(lambda: torch.nn.functional.gelu(a @ b + bias))
        compiled()
        sides["torch.compile"] = compiled
    wanted = torch_side(row, a.double(), b.double(), bias.double(), c.double())()
    compile_times: dict[str, float] = {}
    wrong = 0
    for strategy, math, order in VARIANTS:
        label = f"{strategy} {math} {order}"
        start = time.perf_counter()
        run = ours(row, strategy, math, order)
        c.fill_(float("nan"))
        try:
            run(a, b, *extra, c)
            torch.cuda.synchronize()
        except Exception as error:
            print(f"{row}: {label}: {type(error).__name__}: {str(error)[:200]}", flush=True)
            wrong += 1
            continue
        compile_times[label] = time.perf_counter() - start
        error = float((c.double() - wanted).abs().max() / wanted.abs().max())
        if not error < (1e-5 if row.precision == "ieee" and row.type == "f32" else 1e-2):
            print(f"{row}: {label}: WRONG, the error is {error:.2g}", flush=True)
            wrong += 1
            continue
        sides[label] = lambda run=run: run(a, b, *extra, c)
    times = dict(zip(sides, medians(*sides.values(), rounds=5, rep=20), strict=True))
    print(f"{row}")
    for label, milliseconds in times.items():
        flops = 2 * row.m * row.n * row.k / milliseconds / 1e9
        built = f"  first call {compile_times[label]:.2f} s" if label in compile_times else ""
        ratio = times["torch"] / milliseconds
        print(f"  {label:26} {milliseconds:8.4f} ms {flops:7.1f} TFLOP/s {ratio:5.2f}x{built}")
    sys.stdout.flush()
    return wrong


def torch_side(row: Row, a: Any, b: Any, bias: Any, c: Any) -> Callable[[], Any]:
    if row.fused:
        return lambda: torch.nn.functional.gelu(torch.addmm(bias, a, b))
    return lambda: torch.mm(a, b, out=c)


def ours(row: Row, strategy: str, math: str, order: str) -> Callable[..., None]:
    """The printed launcher of a product."""
    text = PRODUCT.format(
        precision=row.precision,
        bias="bias, " if row.fused else "",
        epilogue=GELU if row.fused else "",
    )
    kernel = pl.loads(text, name="product.patlang")["product"]
    names = ("a", "b", "bias", "c") if row.fused else ("a", "b", "c")
    module = kernel.compiler.module("tile", Request(dict.fromkeys(names, row.type), math=math))
    options = f"strategy={strategy} order={order}"
    lowered = apply_pipeline(module, f"patlang-tile-to-triton{{{options}}}")
    return load_triton(print_triton(lowered), "product")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
