"""Matmul kernels on a GPU, against NumPy's float64: `run_matmul.py [WORD...]`.

Every type, shape and layout of memory, with poison around each matrix and in the result; all
strategies and all orders of programs; and the kernels of the tests. Ends with status 1 if a result
is wrong, memory outside of a matrix has changed, or a factor has.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "unit"), str(TESTS / "gpu")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
from block_kernels import INDEPENDENT, PINNED, MatmulKernel  # noqa: E402
from matmul_kernels import NUMPY, SHAPES, SUMS, View, product, view  # noqa: E402
from matmul_runs import printed  # noqa: E402

import patlang_ir as pl  # noqa: E402
from patlang_ir.backends.triton import print_triton  # noqa: E402
from patlang_ir.dialects.tile import Order  # noqa: E402
from patlang_ir.runtime.compiler import apply_pipeline  # noqa: E402
from patlang_ir.runtime.triton_module import load_triton  # noqa: E402

TOLERANCE = {"f16": 2e-3, "bf16": 1.6e-2, "f32": 2e-6, "f64": 1e-14, "i32": 0.0}
PRECISIONS = {"ieee": 1.0, "tf32": 2e3, "tf32x3": 4.0}
"""How much larger the error may be."""
LARGE = (
    *((256, 512, 384), (1000, 1024, 512), (4097, 513, 255), (16, 4096, 1024), (2048, 2048, 64)),
    *((100_000, 24, 40), (24, 100_000, 40), (24, 40, 100_000)),
)
LAYOUTS = (
    ("rows", "rows", "rows"),
    ("padded", "columns", "padded"),
    ("columns", "columns", "columns"),
    ("gaps", "odd", "gaps"),
)

COPIED = (
    ("f16", "f16", "ieee"),
    ("bf16", "f32", "ieee"),
    ("f32", "f32", "tf32"),
    ("i8", "i32", "ieee"),
)
"""What launchers copy where that pays; in the last case below it does."""


@dataclass(frozen=True)
class Case:
    factor: str
    result: str
    shape: tuple[int, int, int]
    layouts: tuple[str, str, str]
    options: str = ""
    precision: str = "ieee"

    def __str__(self) -> str:
        parts = (self.factor, self.precision, self.result, *map(str, self.shape), *self.layouts)
        return " ".join((*parts, self.options))


def cases() -> Iterator[Case]:
    for factor, total in SUMS.items():
        precisions = PRECISIONS if factor == "f32" else ("ieee",)
        for precision in precisions:
            for result in dict.fromkeys((total, factor if factor != "i8" else total)):
                for shape in (*SHAPES, *LARGE):
                    yield Case(factor, result, shape, LAYOUTS[0], precision=precision)
                for layouts in LAYOUTS[1:]:
                    for shape in ((37, 41, 29), (128, 136, 144), (256, 512, 384)):
                        yield Case(factor, result, shape, layouts, precision=precision)
    for strategy in ("pointer", "auto"):
        for order in ("rows", *Order):
            for shape in ((1024, 1024, 256), (1000, 1000, 100), (300, 520, 8)):
                options = f"strategy={strategy} order={order}"
                yield Case("f16", "f16", shape, LAYOUTS[0], options)
    for shape in ((3000, 5000, 136), (8192, 4096, 64), (4096, 4096, 0)):
        for layouts in LAYOUTS[:3]:
            yield Case("f16", "f16", shape, layouts)
            yield Case("bf16", "f32", shape, layouts)
        yield Case("f32", "f32", shape, LAYOUTS[1], precision="tf32")
    for factor, result, precision in COPIED:
        for layouts in LAYOUTS:
            for shape in ((37, 41, 29), (256, 512, 384), (1000, 1001, 515)):
                yield Case(factor, result, shape, layouts, "strategy=copy", precision)
    yield Case("f16", "f16", (1291, 1290, 1293), LAYOUTS[0])


LAUNCHERS: dict[tuple[str, ...], Any] = {}


def launcher(case: Case) -> Any:
    key = (case.factor, case.result, case.precision, case.options)
    if key not in LAUNCHERS:
        text = product(case.factor, case.result, precision=case.precision)
        LAUNCHERS[key] = load_triton(printed(text, case.options), "matmul")
    return LAUNCHERS[key]


def tensor(it: View, type: str) -> tuple[Any, Any]:
    """The memory on the GPU, and the matrix in it."""
    memory = torch.from_numpy(it.storage.copy())
    memory = (memory.bfloat16() if type == "bf16" else memory).cuda()
    return memory, torch.as_strided(memory, it.shape, it.strides, it.offset)


def run(case: Case) -> str:
    """What is wrong with a product; empty if nothing is."""
    rng = np.random.default_rng(6)
    m, n, k = case.shape
    types = (case.factor, case.factor, case.result)
    shapes = ((m, k), (k, n), (m, n))
    views = [
        view(rng, shape, NUMPY.get(type, "float32"), layout)
        for shape, type, layout in zip(shapes, types, case.layouts, strict=True)
    ]
    memories, (a, b, c) = zip(*map(tensor, views, types), strict=True)
    before = [memory.clone() for memory in memories]
    wanted = wide(a) @ wide(b)
    launcher(case)(a, b, c)
    torch.cuda.synchronize()
    for memory, kept in zip(memories[:2], before[:2], strict=True):
        if not torch.equal(bits(memory), bits(kept)):
            return "a factor has changed"
    found = wide(c)
    c.zero_()
    torch.as_strided(before[2], c.shape, c.stride(), views[2].offset).zero_()
    if not torch.equal(bits(memories[2]), bits(before[2])):
        return "memory outside of the result has changed"
    scale = max(float(np.abs(wanted).max(initial=0.0)), 1.0)
    error = float(np.abs(found - wanted).max(initial=0.0)) / scale
    limit = TOLERANCE[case.result] * PRECISIONS[case.precision]
    return "" if error <= limit else f"the error is {error:.2g}, and the limit {limit:.2g}"


def wide(tensor: Any) -> np.ndarray[Any, Any]:
    exact = torch.float64 if tensor.dtype.is_floating_point else torch.int64
    return tensor.cpu().to(exact).numpy()


def bits(tensor: Any) -> Any:
    return tensor.view(torch.uint8)


def corpus(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The kernels of the tests, called as users do, and in orders in which programs repeat."""
    for kernel in (*INDEPENDENT, *PINNED):
        if not chosen(f"corpus {kernel.name}", words):
            continue
        function = pl.loads(kernel.text, name=f"{kernel.name}.patlang")["k"]
        block = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16} if kernel.pinned else None
        for shape in ((37, 41, 29), (1, 1, 1), (16, 16, 16), (200, 300, 170)):
            call = partial(function, block=block)
            yield f"corpus {kernel.name} {shape}", outcome(kernel, shape, call)
        for order in (Order.PERSISTENT, Order.FLATTENED) if not kernel.pinned else ():
            call = partial(run_in_order, function, order)
            yield f"corpus {kernel.name} {order}", outcome(kernel, (264, 320, 176), call)


def run_in_order(function: pl.Kernel, order: Order, *args: Any) -> None:
    module = function.compiler.module("tile", function.request_of(args))
    lowered = apply_pipeline(module, f"patlang-tile-to-triton{{order={order}}}")
    load_triton(print_triton(lowered), "k")(*args)


def outcome(kernel: MatmulKernel, shape: tuple[int, int, int], call: Callable[..., None]) -> str:
    """What is wrong with a kernel's result; empty if nothing is."""
    args = kernel.arguments(np.random.default_rng(7), dict(zip("MNK", shape, strict=True)))
    expected = kernel.result(args)
    given = [torch.from_numpy(v).cuda() if isinstance(v, np.ndarray) else v for v in args.values()]
    try:
        call(*given)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    found = given[list(args).index("c")].cpu().numpy().reshape(expected.shape)
    exact = np.array_equal(found, expected)
    close = np.allclose(found, expected, rtol=1e-4, atol=1e-4)
    return "" if (exact if kernel.exact else close) else "another result"


def chosen(label: str, words: Sequence[str]) -> bool:
    return not words or any(word in label for word in words)


def main(words: Sequence[str]) -> int:
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    wrong = count = 0
    for case in cases():
        if not chosen(str(case), words):
            continue
        try:
            message = run(case)
        except Exception as error:
            message = f"{type(error).__name__}: {str(error)[:300]}"
        count += 1
        if message:
            wrong += 1
            print(f"{case}: {message}", flush=True)
    for label, message in corpus(words):
        count += 1
        if message:
            wrong += 1
            print(f"{label}: {message}", flush=True)
    print(f"{count} calls, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
