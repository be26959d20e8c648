"""Launches like earlier ones go past Triton, and all others through it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")

import torch
import triton
from triton._C.libtriton import native_specialize_impl
from triton.backends.compiler import GPUTarget
from triton.backends.nvidia.compiler import CUDABackend
from triton.tools.tensor_descriptor import TensorDescriptor

import patlang_ir as pl
from patlang_ir.runtime import direct_launches, triton_module
from patlang_ir.runtime.triton_module import PrintedLauncher

ADD = (
    "# @gpu_kernel\nmake a function called k takes x, out, s\nstore(out, offs, x[offs] + s)\nend\n"
)
MATRIX = torch.zeros(64, 64)
FLAT = MATRIX.reshape(-1)


class Compiled(direct_launches.CompiledKernel):
    """A compiled kernel that notes its launches."""

    def __init__(self) -> None:
        self.module, self.function, self.packed_metadata = None, "code", "metadata"
        self.launches: list[tuple[Any, ...]] = []
        self._run = lambda *args: self.launches.append(args)


class Function:
    """A function of Triton with the parameters x, n, s and BLOCK; each search gives other code."""

    arg_names = ("x", "n", "s", "BLOCK")

    def __init__(self) -> None:
        self.found: list[Any] = []
        self.pre_run_hooks: list[Any] = []
        self.give: Callable[[], Any] = Compiled

    def __getitem__(self, grid: Any) -> Callable[..., Any]:
        def launch(*args: Any, **options: Any) -> Any:
            self.found.append(self.give())
            return self.found[-1]

        return launch


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """The current device, which a test may change; stream 7 is the current one of each."""
    state = SimpleNamespace(device=0)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: state.device)
    active = SimpleNamespace(get_current_stream=lambda device: 7 + device)
    monkeypatch.setattr(direct_launches, "driver", SimpleNamespace(active=active))
    yield state


def call(kernel: Any, *args: Any, grid: tuple[int, ...] = (3,), **options: Any) -> None:
    kernel[grid](*args, **{"BLOCK": 64, "num_warps": 4, **options})


def test_a_call_like_an_earlier_one_launches_the_same_code(gpu: SimpleNamespace) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    call(kernel, FLAT, 5, 2.5)
    (code,) = function.found
    assert code.launches == []
    other = torch.ones(7)
    call(kernel, other, 5, -1.0, grid=(4, 2))
    start = (4, 2, 1, 7, "code", "metadata", None, None, None)
    assert code.launches == [(*start, other.data_ptr(), 5, -1.0, 64)]
    assert function.found == [code]


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((FLAT[1:], 5, 2.5), {}),
        ((FLAT.int(), 5, 2.5), {}),
        ((FLAT, 6, 2.5), {}),
        ((FLAT, 1, 2.5), {}),
        ((FLAT, True, 2.5), {}),
        ((FLAT, 5, 2), {}),
        ((None, 5, 2.5), {}),
        ((FLAT, 5, 2.5), {"BLOCK": 32}),
        ((FLAT, 5, 2.5), {"num_warps": 8}),
        ((FLAT, 5, 2.5), {"num_stages": 4}),
        ((FLAT, 5, 2.5), {"enable_fp_fusion": False}),
    ],
)
def test_what_may_need_other_code_goes_through_triton(
    gpu: SimpleNamespace, args: tuple[Any, ...], options: dict[str, Any]
) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    call(kernel, FLAT, 5, 2.5)
    call(kernel, *args, **options)
    call(kernel, FLAT, 5, 2.5)
    first, second = function.found
    assert (len(first.launches), len(second.launches)) == (1, 0)


def test_each_device_has_its_code(gpu: SimpleNamespace) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    for device in (0, 1, 0, 1, 1):
        gpu.device = device
        call(kernel, FLAT, 5, 2.5)
    assert [[launch[3] for launch in code.launches] for code in function.found] == [[7], [8, 8]]


def test_the_block_and_the_type_of_a_descriptor_count(gpu: SimpleNamespace) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    shape, strides, block = [64, 64], [64, 1], [16, 16]
    same = TensorDescriptor(torch.ones(8, 8), [8, 8], [8, 1], block)
    for matrix in (
        TensorDescriptor(MATRIX, shape, strides, block),
        TensorDescriptor(MATRIX, shape, strides, [16, 32]),
        TensorDescriptor(MATRIX, shape, strides, block, "nan"),
        TensorDescriptor(MATRIX.half(), shape, strides, block),
        same,
    ):
        call(kernel, matrix, 5, 2.5)
    assert len(function.found) == 4
    assert [launch[9] for launch in function.found[0].launches] == [same]


VALUES = (
    *(FLAT, FLAT[1:], FLAT[4:], FLAT.half(), FLAT.int(), torch.nn.Parameter(FLAT), FLAT[:0]),
    *(0, 1, 2, 8, 16, -16, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**63 - 1, 2**63),
    *(True, False, 0.0, 1.0, float("nan"), None),
    *(TensorDescriptor(MATRIX, [64, 64], [64, 1], block) for block in ([16, 16], [16, 32])),
    TensorDescriptor(MATRIX.half(), [64, 64], [64, 1], [16, 16]),
)


def test_what_triton_tells_apart_is_told_apart(gpu: SimpleNamespace) -> None:
    backend, checked = CUDABackend(GPUTarget("cuda", 90, 32)), 0
    for first, second in permutations(VALUES, 2):
        kinds = [native_specialize_impl(backend, v, False, True, True) for v in (first, second)]
        function = Function()
        kernel = direct_launches.Dispatcher(function)
        call(kernel, first, 5, 2.5)
        call(kernel, second, 5, 2.5)
        if kinds[0] != kinds[1]:
            checked += 1
            assert len(function.found) == 2, (first, second)
    assert checked > 300


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("runtime", "debug", True),
        ("runtime", "add_stages_inspection_hook", lambda: ("a", "b")),
        ("compilation", "instrumentation_mode", "fpsan"),
        ("runtime", "launch_enter_hook", SimpleNamespace(calls=[print])),
        ("runtime", "launch_exit_hook", SimpleNamespace(calls=[print])),
        ("runtime", "launch_enter_hook", print),
        ("runtime", "launch_enter_hook", None),
    ],
)
def test_hooks_and_other_code_are_left_to_triton(
    gpu: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, part: str, name: str, value: object
) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    call(kernel, FLAT, 5, 2.5)
    with monkeypatch.context() as patch:
        patch.setattr(getattr(direct_launches.knobs, part), name, value)
        call(kernel, FLAT, 5, 2.5)
        call(kernel, FLAT, 6, 2.5)
    call(kernel, FLAT, 5, 2.5)
    call(kernel, FLAT, 6, 2.5)
    assert [len(code.launches) for code in function.found] == [1, 0, 0, 0]
    function.pre_run_hooks.append(print)
    call(kernel, FLAT, 5, 2.5)
    assert len(function.found) == 5


def test_only_code_that_was_launched_is_kept(gpu: SimpleNamespace) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)

    def refuse() -> None:
        raise triton.OutOfResources(300_000, 232_448, "shared memory")

    function.give = refuse
    for _ in range(2):
        with pytest.raises(triton.OutOfResources):
            call(kernel, FLAT, 5, 2.5)
    function.give = lambda: None  # what a hook that compiles by itself makes of a launch
    call(kernel, FLAT, 5, 2.5)
    function.give = Compiled
    call(kernel, FLAT, 5, 2.5)
    call(kernel, FLAT, 5, 2.5)
    assert [code and len(code.launches) for code in function.found] == [None, 1]


def test_no_more_is_kept_than_a_limit(gpu: SimpleNamespace) -> None:
    function = Function()
    kernel = direct_launches.Dispatcher(function)
    for n in range(2, 3 * direct_launches.MOST_KNOWN):
        call(kernel, FLAT, n, 2.5)
        assert len(kernel.known) <= direct_launches.MOST_KNOWN
    call(kernel, FLAT, n, 2.5)
    assert len(function.found[-1].launches) == 1


def test_versions_that_are_not_known_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = printed_launcher().functions
    instead = direct_launches.dispatching(functions)
    assert isinstance(instead["k_kernel"], direct_launches.Dispatcher)
    assert instead["HERE"] is functions["HERE"]
    assert instead["k"].__globals__ is instead and functions["k"].__globals__ is functions
    for version in ("3.5.1", "3.10.0", "4.0"):
        monkeypatch.setattr(triton, "__version__", version)
        assert direct_launches.dispatching(functions) == functions
    monkeypatch.setattr(triton, "__version__", "3.6.0+git")
    monkeypatch.setattr(torch.version, "hip", "6.4")
    assert direct_launches.dispatching(functions) == functions


INTERPRETED = f"""
import torch
import patlang_ir as pl
kernel = pl.loads({ADD!r})["k"]
x, out = torch.arange(3.0), torch.zeros(3)
launcher = kernel.launcher(kernel.request_of((x, out, 2.5)))
launcher(x, out, 2.5)
launcher(out, x, 1.0)
print(out.tolist(), x.tolist())
"""


def test_what_triton_interprets_is_left_to_it() -> None:
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    command = [sys.executable, "-c", INTERPRETED]
    run = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert run.stdout == "[2.5, 3.5, 4.5] [3.5, 4.5, 5.5]\n"


# --- with Triton's own code, of which all but the launch itself takes place ---


class Driver:
    """A GPU that notes what it is told to launch."""

    def __init__(self, launches: list[tuple[Any, ...]]):
        self.utils = SimpleNamespace(
            get_device_properties=lambda device: {"max_shared_mem": 232_448},
            load_binary=lambda *args: (None, 2, 32, 0, 1024),
        )
        self.launcher_cls = lambda source, metadata: lambda *args: launches.append(args)

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self) -> int:
        return 0

    def get_current_stream(self, device: int) -> int:
        return 7


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[Any, ...]]]:
    noted: list[tuple[Any, ...]] = []
    monkeypatch.setattr(triton_module, "_LOADED", {})
    monkeypatch.setattr(direct_launches.driver, "_active", Driver(noted))
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.Tensor, "get_device", lambda self: 0)
    yield noted


def printed_launcher() -> PrintedLauncher:
    kernel = pl.loads(ADD)["k"]
    return kernel.launcher(kernel.request_of((FLAT, FLAT, 2.5)))


def by_address(launch: tuple[Any, ...]) -> tuple[Any, ...]:
    """A launch without hooks, and with addresses for tensors."""
    args = (a.data_ptr() if isinstance(a, torch.Tensor) else a for a in launch[9:])
    return (*launch[:6], *args)


def test_triton_and_the_dispatcher_launch_the_same(launches: list[tuple[Any, ...]]) -> None:
    launcher = printed_launcher()
    plain = launcher.functions["k"]
    for n, start, s in ((4000, 0, 2.5), (4000, 1, 1.0), (16, 0, 3.0), (1, 0, 3.0), (4000, 4, 9.5)):
        x, out = torch.ones(4096)[start : start + n], torch.zeros(n)
        plain(x, out, s)
        for _ in range(3):
            launcher(x, out, s)
        first, *others = map(by_address, launches)
        assert others == [first] * 3
        bound = launcher.bind((x, out, s))
        bound()
        assert by_address(launches[-1]) == first
        launches.clear()


def test_hooks_hear_of_each_launch(
    launches: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    launcher, x, out = printed_launcher(), torch.ones(100), torch.zeros(100)
    launcher(x, out, 1.0)
    bound = launcher.bind((x, out, 1.0))
    hook = SimpleNamespace(calls=[print])
    monkeypatch.setattr(direct_launches.knobs.runtime, "launch_enter_hook", hook)
    launcher(x, out, 1.0)
    bound()
    assert [launch[7] is hook for launch in launches] == [False, True, True]


# --- what else a launcher asks once ---


def test_the_device_is_changed_only_to_another() -> None:
    functions = printed_launcher().functions
    entered: list[int] = []
    cuda = SimpleNamespace(current_device=lambda: 1, device=entered.append)
    functions = {**functions, "torch": SimpleNamespace(cuda=cuda)}
    choose = direct_launches.with_globals(functions["on_device_of"], functions)
    for index in (-1, 0, 1, 2):
        choose(SimpleNamespace(get_device=lambda index=index: index))
    assert entered == [0, 2]


@pytest.mark.parametrize("name", ["contextlib", "numbers", "HERE", "on_device_of"])
def test_a_kernel_may_have_the_name_of_what_launchers_use(
    launches: list[tuple[Any, ...]], name: str
) -> None:
    kernel = pl.loads(ADD.replace("called k ", f"called {name} "))[name]
    functions = kernel.launcher(kernel.request_of((FLAT, FLAT, 2.5))).functions
    assert functions["on_device_of"](SimpleNamespace(get_device=lambda: -1)) is functions["HERE"]
    with pytest.raises(TypeError, match="s: expected one number"):
        functions[f"{name}_1"](FLAT, FLAT.clone(), "2.5")
