"""Kernels on a GPU and in the evaluator: `run_kernels.py [WORD...]`.

Every operation on every element type runs on random bit patterns, then small programs run. The
bits are compared; all NaNs are one value. Prints a row for each kernel and ends with status 1 if
one differs. Kernels whose name holds no WORD are left out.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS / "unit"), str(TESTS / "gpu")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
from evaluator_kernels import same_bits  # noqa: E402
from operation_kernels import Group, groups  # noqa: E402
from program import Program  # noqa: E402
from program_kernels import PROGRAMS  # noqa: E402
from run_module import from_torch, to_torch  # noqa: E402
from triton_modules import printed  # noqa: E402

from patlang_ir.backends.numpy import evaluate  # noqa: E402
from patlang_ir.dialects.tile import KernelOp  # noqa: E402
from patlang_ir.runtime.triton_module import load_triton  # noqa: E402

Array = np.ndarray[Any, Any]

N = 1 << 20
SLOW = 1 << 14
"""Elements where the evaluator takes long."""


@dataclass(frozen=True)
class Case:
    """A kernel and one call of it."""

    name: str
    kernel: KernelOp
    types: Sequence[str]
    arguments: Sequence[Array]
    sizes: dict[str, int]
    tolerance: float = 0.0

    @classmethod
    def of_group(cls, group: Group) -> Case:
        n = SLOW if "fma" in group.name else N
        types = [*group.inputs, *(output.type for output in group.outputs)]
        return cls(group.name, group.kernel(), types, group.arguments(n), {"n": n})

    @classmethod
    def of_program(cls, program: Program) -> Case:
        arguments = program.arguments(np.random.default_rng(1))
        sizes = dict(program.sizes)
        return cls(
            program.name, program.kernel(), program.types, arguments, sizes, program.tolerance
        )


def main(words: Sequence[str]) -> int:
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    cases = [Case.of_group(group) for group in groups()]
    cases += [Case.of_program(program) for program in PROGRAMS]
    chosen = [case for case in cases if not words or any(word in case.name for word in words)]
    failed = [case.name for case in chosen if not run(case)]
    print(f"{len(chosen)} kernels; these differ: {failed}" if failed else "all bits agree")
    return int(bool(failed))


def run(case: Case) -> bool:
    """Run a case on both sides, and print how they compare."""
    expected = [array.copy() if array.ndim else array.item() for array in case.arguments]
    tensors = [to_torch(a, t) for a, t in zip(case.arguments, case.types, strict=True)]
    started = time.perf_counter()
    try:
        load_triton(printed(case.kernel), "k")(*tensors)
        torch.cuda.synchronize()
    except Exception as error:
        print(f"{case.name:32} {type(error).__name__}: {str(error)[:800]}", flush=True)
        return False
    seconds = time.perf_counter() - started
    evaluate(case.kernel, expected, case.sizes)
    notes = [
        difference(position, type, case.arguments, from_torch(got), np.asarray(wanted))
        for position, (type, got, wanted) in enumerate(
            zip(case.types, tensors, expected, strict=True)
        )
        if not agree(from_torch(got), np.asarray(wanted), type, case.tolerance)
    ]
    print(f"{case.name:32} {seconds:6.2f} s  {'differs' if notes else 'agrees'}", flush=True)
    for note in notes:
        print(f"    {note}", flush=True)
    return not notes


def agree(got: Array, wanted: Array, type: str, tolerance: float) -> bool:
    got, wanted = got.reshape(-1), wanted.reshape(-1)
    if tolerance and got.dtype.kind == "f":
        return bool(np.allclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))
    return same_bits(got, wanted, type)


def difference(position: int, type: str, inputs: Sequence[Array], got: Array, wanted: Array) -> str:
    """How often an argument differs, and the first case."""
    got, wanted = got.reshape(-1), wanted.reshape(-1)
    with np.errstate(invalid="ignore"):
        unequal = got != wanted
    if got.dtype.kind == "f":
        unequal &= ~(np.isnan(got) & np.isnan(wanted))
    bad = np.flatnonzero(unequal)
    if not len(bad):
        bad = np.flatnonzero(np.signbit(got) != np.signbit(wanted))
    first = int(bad[0]) if len(bad) else 0
    before = [array[first] for array in inputs[:position] if array.shape == got.shape]
    case = f"argument {position} ({type}): {len(bad)} differ; before it {before}"
    return f"{case}: got {got[first]!r}, expected {wanted[first]!r}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
