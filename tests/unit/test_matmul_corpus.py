"""The matmul kernels of the tests, printed and run in Triton's interpreter, against NumPy's f64."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from block_kernels import INDEPENDENT, PINNED, MatmulKernel
from matmul_runs import Printed, View, interpret_matmuls, read

import patlang_ir as pl
from patlang_ir.backends.triton import print_triton
from patlang_ir.runtime.compiler import Request

pytest.importorskip("torch")
pytest.importorskip("triton")

BLOCKS = {"BLOCK_M": 16, "BLOCK_N": 16, "BLOCK_K": 16}
SHAPES = ((37, 41, 29), (1, 1, 1), (16, 16, 16), (33, 5, 0))
KERNELS = {kernel.name: kernel for kernel in (*INDEPENDENT, *PINNED)}


@dataclass(frozen=True)
class Call:
    """A kernel with the sizes of a call; `small` blocks, or those of the table."""

    kernel: MatmulKernel
    shape: tuple[int, int, int]
    small: bool

    def __str__(self) -> str:
        return f"{self.kernel.name}-{self.shape}-{'small' if self.small else 'table'}"

    def arguments(self) -> dict[str, Any]:
        sizes = dict(zip("MNK", self.shape, strict=True))
        args = self.kernel.arguments(np.random.default_rng(2), sizes)
        if "load_block(pc)" not in self.kernel.text:
            args["c"][...] = np.nan
        return args

    def printed(self) -> Printed:
        args = self.arguments()
        signature = {name: "f32" for name, value in args.items() if hasattr(value, "shape")}
        block = BLOCKS if self.small else {}
        # The device library, which strict functions are of, is not in the interpreter.
        request = Request(signature, math="fast", block=block)
        kernel = pl.loads(self.kernel.text, name="kernel.patlang")["k"]
        text = print_triton(kernel.compiler.module("tl", request))
        return Printed(text.text, text.names["k"], [as_view(value) for value in args.values()])


def as_view(value: Any) -> Any:
    """An argument as a view with nothing around it; a number as it is."""
    if not isinstance(value, np.ndarray):
        return value
    strides = tuple(step // value.itemsize for step in value.strides)
    return View(value.reshape(-1), value.shape, strides, 0)


def covers(kernel: MatmulKernel) -> bool:
    """Whether one block must cover an axis of the kernel, so that the sizes are no choice."""
    return kernel.name in ("softmax_of_a_product", "largest_of_columns")


CALLS = [
    Call(kernel, shape, small)
    for kernel in KERNELS.values()
    for shape in SHAPES
    for small in (True, False)
    if small != covers(kernel) and (small or (not kernel.pinned and shape == SHAPES[0]))
]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    runs = [call.printed() for call in CALLS]
    found = interpret_matmuls(runs, tmp_path_factory.mktemp("runs"))
    return dict(zip(map(str, CALLS), found, strict=True))


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_answers(call: Call, results: dict[str, Path]) -> None:
    args = call.arguments()
    wanted = call.kernel.result(args)
    found = read(results[str(call)])[list(args).index("c")].reshape(args["c"].shape)
    if call.kernel.exact:
        np.testing.assert_array_equal(found, wanted)
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)
