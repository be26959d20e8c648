"""Matrices that launchers copy, so that the GPU can move their blocks by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matmul_runs import interpret_matmuls, lowered, printed, printed_run, read

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from matmul_kernels import NUMPY, View, product, view

from patlang_ir.runtime.bound import BoundLaunches, record
from patlang_ir.runtime.triton_module import load_functions

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")

POISON = """
torch.use_deterministic_algorithms(True)
torch.utils.deterministic.fill_uninitialized_memory = True
assert torch.ones(1).new_empty(1).isnan()
"""
"""New memory holds NaN, or the largest whole number."""

LAYOUTS = [
    ("rows", "rows", "rows"),
    ("columns", "columns", "columns"),
    ("gaps", "odd", "gaps"),
    ("odd", "gaps", "odd"),
    ("padded", "columns", "padded"),
]
TYPES = [("f16", "f16", "ieee"), ("f16", "f32", "ieee"), ("f32", "f32", "tf32"), ("i8", "i32", "")]
BLOCK = "BLOCK_M=16,BLOCK_N=32,BLOCK_K=32"
TOLERANCE = {"f16": 2e-3, "f32": 2e-6, "i32": 0.0}


def text_of(factor: str, result: str, precision: str, **options: bool) -> str:
    return product(factor, result, precision=precision or "ieee", **options)


def test_products_of_copies(tmp_path: Path) -> None:
    """What lies around the matrices stays, and new memory that is not written shows nowhere."""
    rng = np.random.default_rng(7)
    calls: list[tuple[str, bool, list[View]]] = []
    runs: list[Any] = []
    for types in TYPES:
        for number, layouts in enumerate(LAYOUTS):
            m, n, k = (37, 41, 29) if number % 2 else (33, 48, 70)
            turned = number == 1
            shapes = ((m, k), (n, k) if turned else (k, n), (m, n))
            elements = (types[0], types[0], types[1])
            views = [
                view(rng, shape, NUMPY[element], layout)
                for shape, element, layout in zip(shapes, elements, layouts, strict=True)
            ]
            text = text_of(*types, turned=turned)
            run = printed_run(text, views, f'strategy=copy block="{BLOCK}"')
            runs.append(type(run)(run.text + POISON, run.name, run.arguments))
            calls.append((types[1], turned, views))
    for place, (result, turned, views) in zip(
        interpret_matmuls(runs, tmp_path), calls, strict=True
    ):
        *factors, memory = read(place)
        a, b, c = views
        assert np.array_equal(factors[0], a.storage, equal_nan=result != "i32")
        assert np.array_equal(factors[1], b.storage, equal_nan=result != "i32")
        after = View(memory, c.shape, c.strides, c.offset)
        assert np.array_equal(after.outside(), c.outside(), equal_nan=result != "i32")
        second = b.array.T if turned else b.array
        wanted = a.array.astype(float) @ second.astype(float)
        assert np.abs(after.array - wanted).max() <= TOLERANCE[result] * np.abs(wanted).max()


class Fake:
    """A kernel that is never compiled: it notes its launches, and fills what it stores."""

    def __init__(self, function: Any, notes: list[tuple[str, Sequence[Any]]]):
        self.name, self.arg_names, self.notes = function.__name__, function.arg_names, notes

    def __getitem__(self, grid: Any) -> Callable[..., None]:
        def note(*args: Any, **options: Any) -> None:
            self.notes.append((self.name, args))
            if hasattr(args[2], "base"):
                args[2].base.fill_(7)

        return note

    def warmup(self, *args: Any, grid: Any, **options: Any) -> Fake:
        return self


Launch = Callable[..., Any]


@pytest.fixture
def launch(monkeypatch: pytest.MonkeyPatch) -> Launch:
    """Calls a printed launcher for tensors of the CPU; what it launches."""
    monkeypatch.setattr(triton.knobs.runtime, "interpret", True)

    def call(text: str, *args: Any, strategy: str = "copy", bind: bool = False) -> Any:
        module = printed(text, f"strategy={strategy}")
        functions = dict(load_functions(module)[1])
        notes: list[tuple[str, Sequence[Any]]] = []
        for name, value in functions.items():
            if hasattr(value, "arg_names"):
                functions[name] = Fake(value, notes)
        name = module.names["matmul"]
        launches = record(functions, name, args)
        if bind:
            return BoundLaunches(launches, torch.cuda.current_device()), notes
        for function, given in launches:
            function(*given)
        return notes

    monkeypatch.setattr(torch.cuda, "current_device", lambda: -1)
    return call


def matrix(rows: int, cols: int, row_stride: int, dtype: Any = None) -> Any:
    dtype = dtype or torch.float16
    numbers = torch.arange(rows * row_stride, dtype=torch.int64) % 13
    return numbers.to(dtype).as_strided((rows, cols), (row_stride, 1))


HALF = text_of("f16", "f16", "ieee")
TF32 = text_of("f32", "f32", "tf32")


def test_matrices_that_lie_well_are_not_copied(launch: Launch) -> None:
    a, b, c = matrix(16, 24, 24), matrix(24, 32, 40), matrix(16, 32, 32)
    ((name, args),) = launch(HALF, a, b, c)
    assert name == "matmul_kernel_descriptors"
    assert [args[i].base is it for i, it in enumerate((a, b, c))] == [True] * 3


def test_only_what_does_not_fit_is_copied(launch: Launch) -> None:
    a, b, c = matrix(16, 23, 23), matrix(23, 32, 32), matrix(16, 32, 32)
    ((_, args),) = launch(HALF, a, b, c)
    assert args[0].shape == (16, 23) and args[0].strides == (64, 1)
    assert torch.equal(args[0].base, a)
    assert args[1].base is b and args[2].base is c


def test_a_copy_keeps_columns_side_by_side(launch: Launch) -> None:
    a, b, c = matrix(23, 16, 17).T, matrix(23, 32, 32), matrix(16, 32, 32)
    assert a.shape == (16, 23)
    ((_, args),) = launch(HALF, a, b, c)
    assert args[0].shape == (23, 16) and args[0].strides == (64, 1)
    assert args[0].base.stride() == (1, 64) and torch.equal(args[0].base, a)


def test_a_written_copy_has_whole_rows_and_is_copied_back(launch: Launch) -> None:
    """The kernel gets the true N, and the descriptor that of the copy."""
    a, b, memory = matrix(16, 24, 24), matrix(24, 30, 32), torch.zeros(16, 31).half()
    ((_, args),) = launch(HALF, a, b, memory[:, :30])
    assert args[2].shape == (16, 64) and args[2].strides == (64, 1)
    assert args[3:6] == (16, 30, 24)
    assert (memory[:, :30] == 7).all() and (memory[:, 30:] == 0).all()


def test_factors_of_32_bits_lie_by_their_depth(launch: Launch) -> None:
    a, b, c = (matrix(16, 16, 16, torch.float32) for _ in range(3))
    ((_, args),) = launch(TF32, a, b, c)
    assert args[0].base is a and args[2] is c
    assert args[1].base.stride() == (1, 32) and torch.equal(args[1].base, b)
    ((_, args),) = launch(TF32, a.T, b.T, c)
    assert args[0].base.stride() == (32, 1) and torch.equal(args[0].base, a.T)
    assert args[1].base is not b and args[1].base.data_ptr() == b.data_ptr()


@pytest.mark.parametrize(
    ("m", "n", "k", "copied"),
    [(256, 2048, 4096, True), (256, 2048, 4095, False), (255, 4096, 4096, False)],
)
def test_copies_are_for_large_products(
    launch: Launch, m: int, n: int, k: int, copied: bool
) -> None:
    a, b, c = matrix(m, k, 4097), matrix(k, n, n), matrix(m, n, n)
    ((name, args),) = launch(HALF, a, b, c, strategy="auto")
    assert name.startswith("matmul_kernel_descriptors") == copied
    assert hasattr(args[0], "base") == copied


def test_without_memory_for_copies_pointers_do(
    launch: Launch, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none_left(*args: Any) -> None:
        raise torch.cuda.OutOfMemoryError

    a, b, c = matrix(16, 23, 23), matrix(23, 32, 32), matrix(16, 32, 32)
    monkeypatch.setattr(torch.Tensor, "new_empty", none_left)
    ((name, args),) = launch(HALF, a, b, c)
    assert name == "matmul_kernel" and args[0] is a


def test_gradients_and_inference_do_not_matter(launch: Launch) -> None:
    """A kernel writes to memory, whatever torch keeps of a tensor."""
    with torch.inference_mode():
        a, kept = matrix(16, 23, 23), torch.zeros(16, 30).half()
    b, leaf = matrix(23, 30, 32), torch.zeros(16, 30).half().requires_grad_()
    for c in (kept, leaf):
        launch(HALF, a, b.requires_grad_(), c)
        assert (c == 7).all()
    assert leaf.is_leaf


def test_a_bound_launch_copies_each_time(launch: Launch) -> None:
    a, b, c = matrix(16, 23, 23), matrix(23, 32, 32), torch.zeros(16, 30).half()
    run, notes = launch(HALF, a, b[:, :30], c, bind=True)
    assert not notes and (c == 0).all()
    for number in (3, 5):
        a.fill_(number)
        c.zero_()
        run()
        assert (notes[-1][1][0].base == number).all() and (c == 7).all()
    assert len(notes) == 2 and notes[0][1][0].base is notes[1][1][0].base


@pytest.mark.parametrize(
    ("text", "copies"),
    [
        (HALF, '{a = "either", b = "either", c = "rows"}'),
        (text_of("f16", "f32", "ieee"), '{a = "either", b = "either"}'),
        (TF32, '{a = "rows", b = "columns"}'),
        (text_of("f32", "f32", "tf32", turned=True), '{a = "rows", b = "rows"}'),
        (text_of("i8", "i32", ""), '{a = "rows", b = "columns"}'),
        (text_of("f32", "f32", "ieee"), None),
        (text_of("f64", "f64", "ieee"), None),
    ],
)
def test_which_matrices_may_be_copied(text: str, copies: str | None) -> None:
    module = str(lowered(text))
    assert (f"copies <{copies}, 256, 2147483648>" in module) == (copies is not None)
    assert (" copies <" in module) == (copies is not None)
    assert " copies <" not in str(lowered(text, 'target="cuda:80"'))
