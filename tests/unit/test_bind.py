"""Kernels that are bound to their arguments, and calls that were prepared by earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import patlang_ir as pl
from patlang_ir.diagnostics import LaunchError
from patlang_ir.runtime import kernel as kernel_module
from patlang_ir.runtime.triton_module import load_functions

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")

ADD = "store(out, offs, out[offs] + x[offs] * s)"


def loaded(body: str, params: str = "x, out, s", marker: str = "@gpu_kernel") -> pl.Kernel:
    return pl.loads(f"# {marker}\nmake a function called k takes {params}\n{body}\nend\n")["k"]


# --- on the CPU ---


@pytest.mark.parametrize("make", [np.array, torch.tensor])
def test_a_bound_kernel_reads_and_writes_the_same_memory(make: Callable[..., Any]) -> None:
    x, out = make([1.0, 2.0]), make([0.0, 0.0])
    run = loaded(ADD).bind(x, out, 3)
    assert out.tolist() == [0, 0]
    run()
    x[0] = 10.0
    run()
    assert out.tolist() == [33, 12]
    x = make([5.0, 5.0])
    run()
    assert out.tolist() == [63, 18]


def test_what_does_not_fit_is_refused_when_it_is_bound() -> None:
    kernel = loaded(ADD)
    x = np.ones(3)
    for args, code in (
        ((x, x.copy()), "P203"),
        ((x, np.ones(4), 1), "P501"),
        ((x, x.copy(), "1"), "P502"),
        ((x[::-1], x.copy(), 1), "P506"),
    ):
        with pytest.raises(LaunchError) as caught:
            kernel.bind(*args)
        assert caught.value.diagnostic.code == code
    with pytest.raises(pl.CompileError):
        kernel.bind(x, x.copy(), True)


def test_sums_and_matrices() -> None:
    x, out = np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    body = "store(out, offs, x[offs] - sum(x[offs], 1))"
    run = loaded(body, "x, out", "@gpu_kernel_2d").bind(x, out)
    x += 1
    run()
    assert out.tolist() == [[-5, -4, -3], [-11, -10, -9]]


# --- on a GPU, whose part fakes play ---


class FakeCompiled:
    def __init__(self, fake: Fake, options: dict[str, Any]):
        self.fake, self.options = fake, options

    def __getitem__(self, grid: tuple[int, ...]) -> Callable[..., None]:
        return lambda *args: self.fake.launches.append((grid, args, self.options))


class Fake:
    """A function of Triton that is never compiled; it notes its launches."""

    def __init__(self, arg_names: Sequence[str]):
        self.arg_names = arg_names
        self.launches: list[tuple[Any, Any, Any]] = []

    def warmup(self, *args: Any, grid: Any, **options: Any) -> FakeCompiled:
        return FakeCompiled(self, options)

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        return lambda *args, **options: self.launches.append((grid, args, options))


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., dict[str, Fake]]]:
    """Makes a kernel run with fakes, for tensors of the CPU."""

    def fake(kernel: pl.Kernel, *args: Any, **options: Any) -> dict[str, Fake]:
        monkeypatch.setattr(kernel, "_device", lambda args, wanted: "cuda")
        monkeypatch.setattr(torch.cuda, "current_device", lambda: -1)
        made = kernel.launcher(kernel.request_of(args))
        functions = load_functions(made.text)[1]
        fakes: dict[str, Fake] = {}
        for name, value in list(functions.items()):
            if hasattr(value, "arg_names"):
                fakes[name] = Fake(value.arg_names)
                monkeypatch.setitem(functions, name, fakes[name])
        monkeypatch.setattr(triton.knobs.runtime, "interpret", True)
        return fakes

    yield fake


def test_a_launch_is_prepared_and_repeated(gpu: Callable[..., dict[str, Fake]]) -> None:
    kernel = loaded(ADD)
    x, out = torch.ones(3000), torch.zeros(3000)
    (fake,) = gpu(kernel, x, out, 2.5).values()
    run = kernel.bind(x, out, 2.5)
    assert fake.launches == []
    run()
    run()
    assert len(fake.launches) == 2
    grid, args, options = fake.launches[1]
    assert grid == (3, 1, 1) and args[0] is x and args[1] is out
    assert args[2:] == (2.5, 3000, 1024)
    assert options["num_warps"] == 4 and options["enable_fp_fusion"] is False


def test_a_chain_keeps_its_scratch(gpu: Callable[..., dict[str, Fake]]) -> None:
    kernel = loaded("store(out, offs, x[offs] / sum(x[offs]))", "x, out")
    x, out = torch.ones(100_000), torch.zeros(100_000)
    fakes = gpu(kernel, x, out)
    run = kernel.bind(x, out)
    run()
    run()
    assert [len(fake.launches) for fake in fakes.values()] == [2, 2, 2, 0]
    first = next(iter(fakes.values()))
    assert first.launches[0][1][1] is first.launches[1][1][1]


def test_more_columns_than_an_axis_of_a_grid_holds(gpu: Callable[..., dict[str, Fake]]) -> None:
    kernel = loaded("store(out, offs, x[offs])", "x, out", "@gpu_kernel_2d")
    x = torch.ones((20, 128 * 70_000), dtype=torch.int8)
    out = torch.zeros_like(x)
    (fake,) = gpu(kernel, x, out).values()
    kernel.bind(x, out)()
    assert fake.launches[0][0] == (210_000, 1, 1)


def test_nothing_is_launched_for_no_elements(gpu: Callable[..., dict[str, Fake]]) -> None:
    kernel = loaded(ADD)
    x = torch.ones(0)
    (fake,) = gpu(kernel, x, x.clone(), 2).values()
    kernel.bind(x, x.clone(), 2)()
    assert fake.launches == []


def test_a_bound_kernel_is_tuned_first(
    gpu: Callable[..., dict[str, Fake]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = loaded(ADD, marker="@gpu_kernel(autotune=[64, 256])")
    x, out = torch.ones(1000), torch.zeros(1000)
    (fake,) = gpu(kernel, x, out, 2).values()
    functions = kernel.launcher(kernel.request_of((x, out, 2))).functions
    monkeypatch.setitem(functions, "TUNED", {})
    monkeypatch.setitem(
        functions, "milliseconds", lambda run, reset: -fake.launches[-1][2]["BLOCK_SIZE"]
    )
    run = kernel.bind(x, out, 2)
    assert all(launch[1][0] is not out for launch in fake.launches)
    fake.launches.clear()
    run()
    assert [launch[1][-1] for launch in fake.launches] == [256]


# --- calls that are like earlier ones ---


def test_a_later_call_is_checked_by_the_launcher_alone(
    gpu: Callable[..., dict[str, Fake]], monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel, checks = loaded(ADD), list[int]()
    check = kernel_module.check_arguments

    def counted(*args: Any) -> Any:
        checks.append(1)
        return check(*args)

    monkeypatch.setattr(kernel_module, "check_arguments", counted)
    x, out = torch.ones(10), torch.zeros(10)
    (fake,) = gpu(kernel, x, out, 2).values()
    for _ in range(3):
        kernel(x, out, 2)
    assert (len(checks), len(fake.launches)) == (1, 3)


def test_a_later_call_says_what_a_first_one_says(gpu: Callable[..., dict[str, Fake]]) -> None:
    x, out = torch.ones(10), torch.zeros(10)
    kernel = loaded(ADD)
    (fake,) = gpu(kernel, x, out, 2).values()
    kernel(x, out, 2)
    memory = torch.zeros(20)
    for args in (
        (x, torch.ones(11), 2),
        (torch.ones(20)[::2], out, 2),
        (memory[:10], memory[5:15], 2),
        (x.reshape(2, 5), x, 2),
    ):
        with pytest.raises(LaunchError) as later:
            kernel(*args)
        with pytest.raises(LaunchError) as caught:
            loaded(ADD)(*args)
        assert later.value.diagnostic.message == caught.value.diagnostic.message
    assert len(fake.launches) == 1
