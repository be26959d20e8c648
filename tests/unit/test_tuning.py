"""Launchers find the fastest block: on copies, with every result checked, once for each size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from triton_modules import Run, interpret

import patlang_ir as pl
from patlang_ir.backends.triton import print_triton
from patlang_ir.diagnostics import LaunchError
from patlang_ir.runtime.compiler import Request

pytest.importorskip("torch")
pytest.importorskip("triton")

import torch
import triton  # pyright: ignore[reportMissingTypeStubs]

from patlang_ir.runtime.triton_module import load_functions, load_triton

F32 = {"x": "f32", "out": "f32"}
MARKER = "@gpu_kernel(autotune=[64, 128, 256])"
GROWS = "store(out, offs, out[offs] + x[offs])"


def loaded(body: str, marker: str = MARKER) -> pl.Kernel:
    return pl.loads(f"# {marker}\nmake a function called k takes x, out\n{body}\nend\n")["k"]


class Fake:
    """A kernel in the place of the compiled one: it notes its blocks, and may compute wrongly."""

    def __init__(self, compute: Callable[[Any, Any, int], None]):
        self.compute = compute
        self.blocks: list[int] = []

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        def run(x: Any, out: Any, n: int, *, BLOCK_SIZE: int, **options: Any) -> None:
            assert grid == (-(-n // BLOCK_SIZE),)
            self.blocks.append(BLOCK_SIZE)
            self.compute(x, out, BLOCK_SIZE)

        return run


def add(x: Any, out: Any, block: int) -> None:
    out.add_(x)


class Bench:
    """A loaded launcher whose kernel is a fake, and whose times are those of a table."""

    def __init__(self, times: dict[int, float], compute: Any = add, marker: str = MARKER):
        kernel = loaded(GROWS, marker)
        self.text = print_triton(kernel.compiler.module("tl", Request(F32)))
        self.kernel, self.times, self.timed = Fake(compute), times, list[int]()
        self.launch = load_triton(self.text, "k")
        self.functions = load_functions(self.text)[1]

    def milliseconds(self, run: Callable[[], None], reset: Callable[[], None]) -> float:
        reset()
        run()
        self.timed.append(self.kernel.blocks[-1])
        return self.times[self.kernel.blocks[-1]]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bench]]:
    def make(*args: Any, **options: Any) -> Bench:
        made = Bench(*args, **options)
        monkeypatch.setitem(made.functions, "k_kernel", made.kernel)
        monkeypatch.setitem(made.functions, "milliseconds", made.milliseconds)
        monkeypatch.setitem(made.functions, "check_buffers", lambda *buffers: None)
        monkeypatch.setitem(made.functions, "TUNED", {})
        return made

    yield make


TIMES = {64: 3.0, 128: 1.0, 256: 2.0}


def test_the_fastest_runs_once_on_the_arguments(bench: Callable[..., Bench]) -> None:
    made = bench(TIMES)
    x, out = torch.arange(100.0), torch.ones(100)
    made.launch(x, out)
    assert made.timed == [64, 128, 256]
    assert made.kernel.blocks[-1] == 128
    assert torch.equal(out, x + 1) and torch.equal(x, torch.arange(100.0))


def test_what_is_found_stays(bench: Callable[..., Bench]) -> None:
    made = bench(dict(TIMES))
    x, out = torch.ones(100), torch.zeros(100)
    made.launch(x, out)
    made.times[256] = 0.0
    calls = ((100, 128, 3), (64, 128, 3), (127, 128, 3), (128, 256, 6), (63, 256, 9))
    for n, block, count in calls:
        made.launch(torch.ones(n), torch.zeros(n))
        assert (made.kernel.blocks[-1], len(made.timed)) == (block, count)
    assert len(made.functions["TUNED"]) == 3


def test_a_block_of_the_caller_is_taken(bench: Callable[..., Bench]) -> None:
    made = bench(TIMES)
    out = torch.zeros(10)
    made.functions["k"](torch.ones(10), out, block={"BLOCK_SIZE": 16})
    assert made.kernel.blocks == [16] and made.timed == [] and torch.equal(out, torch.ones(10))


def test_an_empty_input_is_not_tuned(bench: Callable[..., Bench]) -> None:
    made = bench(TIMES)
    made.launch(torch.ones(0), torch.zeros(0))
    assert made.kernel.blocks == []


def wrong(by: float, at: int = 256) -> Callable[[Any, Any, int], None]:
    def compute(x: Any, out: Any, block: int) -> None:
        out.add_(x)
        if block == at:
            out[7] += by

    return compute


def test_results_that_differ_are_an_error(bench: Callable[..., Bench]) -> None:
    made = bench(TIMES, wrong(1e-6))
    out = torch.zeros(10)
    with pytest.raises(
        LaunchError, match=r"'k': the blocks .*256.* and .*64.* give other"
    ) as found:
        made.launch(torch.ones(10), out)
    assert found.value.diagnostic.code == "P403"
    assert torch.equal(out, torch.zeros(10)) and made.functions["TUNED"] == {}


@pytest.mark.parametrize("option", ["deterministic=false", "math=fast"])
def test_sums_may_be_rounded_where_that_was_asked_for(
    option: str, bench: Callable[..., Bench]
) -> None:
    marker = f"@gpu_kernel(autotune=[64, 128, 256], {option})"
    bench(TIMES, wrong(1e-6), marker).launch(torch.ones(10), torch.zeros(10))
    with pytest.raises(LaunchError, match="give other results"):
        bench(TIMES, wrong(0.1), marker).launch(torch.ones(10), torch.zeros(10))


def test_a_block_that_needs_too_much_is_left_out(bench: Callable[..., Bench]) -> None:
    def compute(x: Any, out: Any, block: int) -> None:
        if block < limit:
            raise triton.OutOfResources(300_000, 200_000, "shared memory")
        out.add_(x)

    limit, out = 200, torch.zeros(10)
    made = bench(TIMES, compute)
    made.launch(torch.ones(10), out)
    assert made.timed == [256] and torch.equal(out, torch.ones(10))
    limit = 1000
    with pytest.raises(pl.CompileError, match="shared memory"):
        made.launch(torch.ones(1000), torch.zeros(1000))


def test_same_bits(bench: Callable[..., Bench]) -> None:
    same = bench(TIMES).functions["same_bits"]
    nan = torch.tensor([float("nan"), 1.0])
    assert same(nan, -nan.clone().copysign(torch.tensor([-1.0, -1.0])))
    assert not same(torch.tensor([0.0]), torch.tensor([-0.0]))
    for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int64):
        assert same(torch.ones(3, dtype=dtype), torch.ones(3, dtype=dtype))
        assert not same(torch.ones(3, dtype=dtype), torch.tensor([1, 2, 1]).to(dtype))
    assert not same(torch.tensor([True]), torch.tensor([False]))


# --- what is printed ---


def test_sizes_that_the_caller_chooses_are_not_tuned() -> None:
    kernel = loaded(GROWS)
    assert "fastest(" in kernel.triton_source()
    pinned = kernel.compiler.module("tl", Request(F32, block={"BLOCK_SIZE": 32}))
    text = print_triton(pinned).text
    assert "fastest" not in text and "BLOCK_SIZE=32" in text


def test_the_evaluator_ignores_candidates() -> None:
    out = np.ones(5, np.float32)
    loaded(GROWS)(np.arange(5, dtype=np.float32), out)
    assert out.tolist() == [1, 2, 3, 4, 5]


PROGRAMS = {
    "linear": (MARKER, "store(out, offs, out[offs] * 2 + x[offs])", (300,)),
    "grid": ("@gpu_kernel_2d(autotune=[64, 512])", "store(out, offs, x[offs] - row)", (5, 300)),
    "rows": (
        "@gpu_kernel_2d(autotune=[64, 512], deterministic=false)",
        "store(out, offs, out[offs] + x[offs] - sum(x[offs], 1))",
        (5, 300),
    ),
    "sums": (
        "@gpu_kernel(autotune=[512, 4096], deterministic=false)",
        "store(out, offs, out[offs] + x[offs] - sum(x[offs]))",
        (40_000,),
    ),
    "largest": (
        "@gpu_kernel(autotune=[4096, 8192])",
        "store(out, 0, reduce_max(x[offs]))",
        (40_000,),
    ),
}


def test_the_text_runs_in_the_interpreter_of_triton(tmp_path: Path) -> None:
    """Every candidate runs there, and its result is compared."""
    runs: list[Run] = []
    for marker, body, shape in PROGRAMS.values():
        kernel = loaded(body, marker).compiler.tile(Request({"x": "f32", "out": "f32"}))
        x = np.random.default_rng(4).integers(-50, 50, shape).astype(np.float32)
        runs.append(Run(kernel, ["f32"] * 2, [x, np.ones(shape, np.float32)]))
    wanted = [np.ones(shape, np.float32) for _, _, shape in PROGRAMS.values()]
    x = [run.arguments[0] for run in runs]
    wanted[0] = 2 + x[0]
    wanted[1] = x[1] - np.arange(5, dtype=np.float32)[:, None]
    wanted[2] = 1 + x[2] - x[2].sum(1, keepdims=True)
    wanted[3] = 1 + x[3] - x[3].sum()
    wanted[4][0] = x[4].max()
    for (_, out), right in zip(interpret(runs, tmp_path), wanted, strict=True):
        np.testing.assert_array_equal(out, right)
