"""The kernels of tests/programs/kernels on a GPU: `run_corpus.py [WORD...]`.

Each is called on CUDA tensors, as users do, for inputs of several sizes; its answers are those
written by hand. Where a result is not the same to the last bit, the kernel must combine floats in
an order of its own or use the device library, and be close. Ends with status 1 if one is wrong.
Without a GPU the calls are the evaluator's, which tries the answers for all of these inputs.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS.parent), str(TESTS), str(TESTS / "unit"), str(TESTS / "gpu")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
import triton  # noqa: E402
from kernel_answers import ANSWERS  # noqa: E402
from kernels import CASES  # noqa: E402

from patlang_ir.module import load  # noqa: E402

SIZES = ((0, 3), (1, 1), (4, 13), (37, 9), (900, 33))
LONG = ((40_000, 7), (3, 40_000))
"""For kernels that combine lanes, which then run as a chain of launches; the evaluator answers."""
INEXACT = ("tl.sum", "libdevice.", "multiply", "atomic_add")
TOLERANCE = {"f2": 1e-2, "f4": 1e-5, "f8": 1e-12}
HAS_NO_EMPTY_ANSWER = {"statistics", "row_shares"}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def main(words: Sequence[str]) -> int:
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "the evaluator"
    print(f"{device}, Triton {triton.__version__}, torch {torch.__version__}")
    chosen = [case for case in CASES if not words or any(word in str(case) for word in words)]
    counts = {"same": 0, "close": 0, "wrong": 0}
    workers = min(os.cpu_count() or 1, 12)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        for case, result in zip(chosen, pool.map(attempt, map(str, chosen)), strict=True):
            counts[result] += 1
            print(f"{case!s:32} {result}", flush=True)
    print(f"{len(chosen)} kernels: {counts}")
    return int(counts["wrong"] > 0)


def attempt(label: str) -> str:
    """What `run` says, or `wrong` with the place of the error."""
    try:
        return run(label)
    except Exception:
        print(f"{label}: {traceback.format_exc(limit=-3)[-1500:]}", flush=True)
        return "wrong"


def run(label: str) -> str:
    """Whether the results of all calls are the `same`, `close` or `wrong`."""
    case = next(case for case in CASES if str(case) == label)
    kernel = load(case.file)[case.name]
    text = kernel.triton_source(dict(part.split("=") for part in case.signature.split(",")))
    exact = not any(word in text for word in INEXACT)
    rng = np.random.default_rng(5)
    worst = "same"
    for n, columns in SIZES + (LONG if case.file.stem == "reductions" else ()):
        if n == 0 and case.name in HAS_NO_EMPTY_ANSWER:
            continue
        given = case.make(rng, n, columns)
        expected = {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in given.items()}
        if (n, columns) in LONG:
            kernel(*expected.values())
        else:
            with np.errstate(all="ignore"):
                ANSWERS[case.name](**expected)
        found = call(kernel, given)
        for name, wanted in expected.items():
            if isinstance(wanted, np.ndarray):
                result = compare(found[name], wanted, exact)
                if result == "wrong":
                    show(f"{case} n={n} '{name}'", found[name], wanted)
                    return "wrong"
                worst = "close" if result == "close" else worst
    return worst


def call(kernel: Any, given: dict[str, Any]) -> dict[str, Any]:
    tensors = {
        name: torch.tensor(value, device=DEVICE) if isinstance(value, np.ndarray) else value
        for name, value in given.items()
    }
    kernel(*tensors.values())
    return {
        name: value.cpu().numpy() if isinstance(value, torch.Tensor) else value
        for name, value in tensors.items()
    }


def compare(found: Any, wanted: Any, exact: bool) -> str:
    if wanted.dtype.kind != "f":
        return "same" if np.array_equal(found, wanted) else "wrong"
    signs = [np.where(np.isnan(v), False, np.signbit(v)) for v in (found, wanted)]
    if np.array_equal(found, wanted, equal_nan=True) and np.array_equal(*signs):
        return "same"
    tolerance = TOLERANCE[wanted.dtype.str[1:]]
    scale = np.nanmax(np.abs(wanted), initial=0.0, where=np.isfinite(wanted))
    close = np.allclose(found, wanted, rtol=tolerance, atol=tolerance * scale, equal_nan=True)
    return "close" if close and not exact else "wrong"


def show(what: str, found: Any, wanted: Any) -> None:
    differs = found != wanted
    if wanted.dtype.kind == "f":
        differs &= ~(np.isnan(found) & np.isnan(wanted))
    place = np.flatnonzero(differs)[:1]
    got, expected = found.reshape(-1)[place], wanted.reshape(-1)[place]
    print(f"{what}: {differs.sum()} differ, first at {place}: {got} for {expected}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
