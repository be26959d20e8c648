"""Printed Triton runs in Triton's interpreter, and gives the bits that the evaluator gives.

Operations of the device library and bf16 are left out: the interpreter has neither.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from evaluator_kernels import linear, same_bits

from patlang_ir.backends.numpy import evaluate

sys.path.insert(0, str(Path(__file__).parents[1] / "gpu"))

from operation_kernels import groups
from program_kernels import PROGRAMS
from triton_modules import Array, Run, interpret

pytest.importorskip("torch")
pytest.importorskip("triton")

N = 100
GROUPS = {group.name: group for group in groups() if group.interpreted}
PROGRAM = {program.name: program for program in PROGRAMS if "bf16" not in program.types}


def run_of(name: str) -> Run:
    """One call of a kernel by its name."""
    if name in GROUPS:
        group = GROUPS[name]
        types = [*group.inputs, *(output.type for output in group.outputs)]
        return Run(group.kernel(), types, group.arguments(N))
    program = PROGRAM[name]
    return Run(program.kernel(), program.types, program.arguments(np.random.default_rng(1)))


@pytest.fixture(scope="module")
def interpreted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Array]]:
    """The arguments after the call of every kernel; one process runs them all."""
    names = [*GROUPS, *PROGRAM]
    results = interpret([run_of(name) for name in names], tmp_path_factory.mktemp("runs"))
    return dict(zip(names, results, strict=True))


@pytest.mark.parametrize("name", [*GROUPS, *PROGRAM])
def test_same_bits(name: str, interpreted: dict[str, list[Array]]) -> None:
    run = run_of(name)
    sizes = PROGRAM[name].sizes if name in PROGRAM else {"n": N}
    tolerance = PROGRAM[name].tolerance if name in PROGRAM else 0.0
    expected = [array.copy() if array.ndim else array.item() for array in run.arguments]
    evaluate(run.kernel, expected, sizes)
    assert not all(np.array_equal(a, b) for a, b in zip(expected, run.arguments, strict=True))
    for type, wanted, got in zip(run.types, expected, interpreted[name], strict=True):
        wanted = np.asarray(wanted)
        if tolerance and wanted.dtype.kind == "f":
            assert np.allclose(got, wanted, rtol=tolerance)
        else:
            assert same_bits(got.reshape(-1), wanted.reshape(-1), type)


def test_against_numpy(interpreted: dict[str, list[Array]]) -> None:
    """Answers computed by NumPy alone, without any of our code."""
    x, table, out, k, s = interpreted["scalars_and_lengths"]
    index = np.arange(len(x)) * int(k) % len(table) - int(k)
    loaded = np.where(index >= 0, table[np.maximum(index, 0)], 0.0)
    wanted = np.zeros(50)
    wanted[1:] = (loaded * float(s) + 0.1)[:0:-1]
    assert np.array_equal(out, wanted)
    x, turned, flat = interpreted["rows_and_columns"]
    assert np.array_equal(turned.reshape(300, 37), x.T)
    assert np.array_equal(flat.reshape(37, 300), np.arange(300) * 37 + np.arange(37)[:, None])
    x, _, best, big = interpreted["row_softmax"]
    assert np.array_equal(best, x.argmax(1))
    assert np.array_equal(big, (x > 2).any(1))


def test_a_long_input_is_reduced_in_a_chain_of_launches(tmp_path: Path) -> None:
    n = 100_000
    kernel = linear(
        {"x": "i32[]", "out": "i64[]"},
        """%offs = tile.index offs : T<i64>
        %v = tile.load %x[%offs] : (B<i32>, T<i64>) -> T<i32>
        %top = tile.reduce max %v : T<i32> -> i32
        %at = tile.reduce argmax %v : T<i32> -> i64
        %wide = tile.cast %top : i32 -> i64
        %sum = tile.add %wide, %at : i64
        %b = tile.broadcast %sum : i64 -> T<i64>
        %r = tile.add %b, %offs : T<i64>
        tile.store %r, %out[%offs] : T<i64>, B<i64>, T<i64>""",
    )
    x = np.random.default_rng(3).integers(-(10**6), 10**6, n).astype(np.int32)
    ((_, out),) = interpret([Run(kernel, ["i32", "i64"], [x, np.zeros(n, "i8")])], tmp_path)
    assert np.array_equal(out, int(x.max()) + int(x.argmax()) + np.arange(n))
