"""What a printed launcher looks at before the GPU moves blocks by itself, fact by fact."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matmul_runs import interpret_matmuls, printed, printed_run, read
from run_lines import run_tool

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

import numpy as np
from matmul_kernels import View, product, view

torch = pytest.importorskip("torch")
pytest.importorskip("triton")


@pytest.fixture(scope="module")
def fits() -> Callable[..., bool]:
    """The function of a printed module."""
    text = printed(product("f16")).text
    function = text[text.index("def fits_descriptor") :].partition("\n\n\n")[0]
    names: dict[str, Any] = {}
    exec(function, names)
    return names["fits_descriptor"]


def half(rows: int, cols: int, row_stride: int, offset: int = 0) -> Any:
    memory = torch.zeros(offset + rows * row_stride + 64, dtype=torch.float16)
    assert memory.data_ptr() % 16 == 0
    return memory.as_strided((rows, cols), (row_stride, 1), offset)


def test_aligned_rows_fit(fits: Callable[..., bool]) -> None:
    assert fits(half(10, 24, 24))
    assert fits(half(10, 24, 24), written=True)
    assert fits(half(10, 21, 24))


def test_aligned_columns_fit_a_load(fits: Callable[..., bool]) -> None:
    assert fits(half(10, 24, 24).T)
    assert not fits(half(10, 24, 24).T, written=True)


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param(half(10, 24, 25), id="rows that are not aligned"),
        pytest.param(half(10, 24, 24, offset=1), id="a start that is not aligned"),
        pytest.param(half(10, 24, 48)[:, ::2], id="gaps between elements"),
        pytest.param(half(1, 24, 24).expand(10, 24), id="rows in one place"),
        pytest.param(half(10, 0, 24), id="no elements"),
        pytest.param(torch.zeros(1, dtype=torch.int8).expand(2**31, 1), id="too many rows"),
    ],
)
def test_others_do_not_fit(fits: Callable[..., bool], matrix: Any, written: bool) -> None:
    assert not fits(matrix, written=written)


def test_a_store_needs_whole_rows(fits: Callable[..., bool]) -> None:
    """Of a row with a rest of less than 16 bytes, 16 would be written."""
    assert not fits(half(10, 21, 24), written=True)


def test_both_forms_give_the_product(tmp_path: Path) -> None:
    """Descriptors in Triton's interpreter, which checks what a GPU does not."""
    rng = np.random.default_rng(4)
    layouts = [("rows", "rows", "rows"), ("columns", "columns", "rows"), ("rows", "padded", "rows")]
    calls: list[list[View]] = []
    for a, b, c in layouts:
        shapes = (((40, 64), a), ((64, 48), b), ((40, 48), c))
        calls.append([view(rng, shape, "float16", layout) for shape, layout in shapes])
    block = 'block="BLOCK_M=16,BLOCK_N=32,BLOCK_K=32"'
    runs = [
        printed_run(product("f16", "f16"), views, f"{block} strategy={strategy}")
        for views in calls
        for strategy in ("auto", "pointer")
    ]
    places = interpret_matmuls(runs, tmp_path)
    for number, views in enumerate(calls):
        described, pointed = (read(place)[2] for place in places[2 * number :][:2])
        assert np.array_equal(described, pointed, equal_nan=True)
        a, b, c = views
        wanted = a.array.astype(float) @ b.array.astype(float)
        found = View(described, c.shape, c.strides, c.offset).array
        assert np.abs(found - wanted).max() <= 2e-3 * np.abs(wanted).max()


def test_explain_names_the_fact_that_decided(tmp_path: Path) -> None:
    file = tmp_path / "product.mlir"
    file.write_text(product("f16", "f16", bias=True))
    for target, form in (("cuda:90", "descriptor if its first element"), ("cuda:80", "pointers; ")):
        arguments = ["compile", str(file), "--explain", "--target", target, "-o", "/dev/null"]
        status, _, errors = run_tool("patlang", arguments)
        assert status == 0
        lines = [line.partition(": ")[2] for line in errors.splitlines()]
        assert lines[0].startswith(f"load 'a' [BLOCK_M, BLOCK_K]: {form}")
        short = "load 'bias' [1, BLOCK_N]: pointers; not proved: its blocks have 16 bytes or more"
        assert any(line.startswith(short) for line in lines) == (target == "cuda:90")
        assert lines[3].startswith(f"store 'c' [BLOCK_M, BLOCK_N]: {form}")


def test_explain_says_when_a_copy_is_made(tmp_path: Path) -> None:
    file = tmp_path / "product.mlir"
    large = "if M, N, K >= 256 and M * N * K >= 2147483648, of a copy"
    for text, ends in (
        (product("f16"), [f"; {large}; else pointers"] * 2),
        (
            product("f32", precision="tf32"),
            [
                f"; {large} by rows, also where it lies by columns; else pointers",
                f"; {large} by columns, also where it lies by rows; else pointers",
            ],
        ),
        (product("f32"), ["are below 2**31; else pointers"] * 2),
    ):
        file.write_text(text)
        status, _, errors = run_tool(
            "patlang", ["compile", str(file), "--explain", "-o", "/dev/null"]
        )
        assert status == 0
        for line, end in zip(errors.splitlines(), ends, strict=False):
            assert line.endswith(end)


def test_explain_names_the_orders_and_the_blocks(tmp_path: Path) -> None:
    file = tmp_path / "product.mlir"
    file.write_text(product("f16", "f16"))
    status, _, errors = run_tool("patlang", ["compile", str(file), "--explain", "-o", "/dev/null"])
    assert status == 0
    flattened, grouped, pointers = errors.splitlines()[-3:]
    start = "kernel 'matmul' by descriptors, order"
    assert flattened.startswith(f"{start} flattened: blocks 128 x 256 x 64, ")
    assert grouped.startswith(f"{start} grouped: blocks 64 x 128 x 64, ")
    assert pointers.startswith("kernel 'matmul' by pointers, order grouped: blocks ")
