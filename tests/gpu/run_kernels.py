"""Every operation on every element type, on a GPU and in the evaluator: `run_kernels.py [WORD...]`.

Compares the bits on random bit patterns; all NaNs are one value. Prints a row for each group of
operations and ends with status 1 if a bit differs. Groups whose name holds no WORD are left out.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parent))

import numpy as np
import torch
from operation_kernels import Group, groups

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))
from evaluator_kernels import same_bits
from run_module import from_torch, to_torch
from triton_modules import printed

from patlang_ir.backends.numpy import evaluate
from patlang_ir.runtime.triton_module import load_triton

N = 1 << 20
SMALL = 1 << 14
"""Elements for groups that the evaluator takes long for."""


def main() -> int:
    import triton

    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    words = sys.argv[1:]
    failed = 0
    for group in groups():
        if words and not any(word in group.name for word in words):
            continue
        failed += not run(group)
    print("all bits agree" if not failed else f"{failed} groups differ")
    return int(failed > 0)


def run(group: Group) -> bool:
    """Run one group on both sides, and print how they compare."""
    n = SMALL if "fma" in group.name else N
    types = [*group.inputs, *(output.type for output in group.outputs)]
    expected = group.arguments(n)
    kernel = group.kernel()
    text = printed(kernel)
    tensors = [to_torch(array, type) for array, type in zip(expected, types, strict=True)]
    started = time.perf_counter()
    try:
        load_triton(text, "k")(*tensors)
        torch.cuda.synchronize()
    except Exception as error:
        print(f"{group.name:24} {type(error).__name__}: {str(error)[:600]}")
        return False
    seconds = time.perf_counter() - started
    evaluate(kernel, expected, {"n": n})
    notes: list[str] = []
    for position, output in enumerate(group.outputs, start=len(group.inputs)):
        got = from_torch(tensors[position])
        if not same_bits(got, expected[position], output.type):
            notes.append(difference(group, expected, got, position))
    print(
        f"{group.name:24} {len(group.outputs):3} outputs of {n} {seconds:6.2f} s",
        *notes,
        sep="\n    " if notes else " ",
        flush=True,
    )
    return not notes


def difference(group: Group, expected: list[np.ndarray[Any, Any]], got: Any, position: int) -> str:
    """How often an output differs, and the first case."""
    output = group.outputs[position - len(group.inputs)]
    wanted = expected[position]
    bad = np.flatnonzero(
        [not same_bits(got[i : i + 1], wanted[i : i + 1], output.type) for i in range(len(got))]
        if len(got) <= SMALL
        else (got != wanted) & ~((got != got) & (wanted != wanted))
    )
    first = int(bad[0]) if len(bad) else 0
    inputs = [array[first] for array in expected[: len(group.inputs)]]
    case = f"{output.word} -> {output.type}: {len(bad)} differ; inputs {inputs}"
    return f"{case}: got {got[first]!r}, expected {wanted[first]!r}"


if __name__ == "__main__":
    sys.exit(main())
