"""Random kernels on a GPU and in the evaluator: `fuzz_kernels.py --count 2000 --seed 1`.

Each is compiled as users compile it, runs on random data, and must give the evaluator's bits; all
NaNs are one value. Prints what differs and how many ran, and ends with status 1 if one differs.
With `--out FOLDER` the text of each such kernel is written there; `--only SEED...` runs some again.
`--interpret` runs them in Triton's interpreter, which needs no GPU, without the functions and types
that it lacks; the sign of a 0 is left out of the comparison, for NumPy takes either of two zeros as
the larger one.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

if "--interpret" in sys.argv:
    os.environ["TRITON_INTERPRET"] = "1"

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / folder) for folder in ("fuzz", "gpu", "unit")]
sys.path.insert(0, str(TESTS.parent))

CHUNK = 10
"""Kernels that a worker does at once."""
FLOATS = ("float16", "float32", "float64")
PATIENCE = 60
"""Seconds after which a kernel is given up."""


@dataclass(frozen=True)
class Outcome:
    seed: int
    kind: str
    """`same`, `differs`, `refused`, `failed` or `skipped`."""
    notes: str = ""
    text: str = ""


def main(arguments: argparse.Namespace) -> int:
    started = time.time()
    first = arguments.seed * 1_000_000
    seeds = arguments.only or range(first, first + arguments.count)
    chunks = [seeds[i : i + CHUNK] for i in range(0, len(seeds), CHUNK)]
    counts: Counter[str] = Counter()
    workers = arguments.workers or os.cpu_count() or 1
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        deadline = started + arguments.seconds
        futures = [pool.submit(run_all, chunk, deadline, arguments.interpret) for chunk in chunks]
        for future in as_completed(futures):
            for outcome in future.result():
                counts[outcome.kind] += 1
                if outcome.kind in ("differs", "failed"):
                    report(outcome, arguments.out)
    print(f"{sum(counts.values())} kernels in {time.time() - started:.0f} s: {dict(counts)}")
    return int(counts["differs"] + counts["failed"] > 0)


def report(outcome: Outcome, folder: str) -> None:
    print(f"seed {outcome.seed} {outcome.kind}: {outcome.notes}", flush=True)
    if folder:
        path = Path(folder) / f"{outcome.seed}.patlang"
        notes = "".join(f"# {line}\n" for line in outcome.notes.splitlines())
        path.write_text(notes + outcome.text)


def run_all(seeds: Sequence[int], deadline: float, interpret: bool) -> list[Outcome]:
    """Run the kernels of these seeds in this process."""
    signal.signal(signal.SIGALRM, _give_up)
    if interpret:
        widen_integers()
    return [
        run_one(seed, interpret) if time.time() < deadline else Outcome(seed, "skipped")
        for seed in seeds
    ]


def widen_integers() -> None:
    """Make Triton's interpreter take integers as i64; it would choose a type by their value."""
    import numpy as np
    import triton.language as tl
    from triton.runtime import interpreter

    convert = interpreter._implicit_cvt

    def widened(arg: Any) -> Any:
        if type(arg) is not int:
            return convert(arg)
        handle = interpreter.TensorHandle(np.array([arg], np.int64), tl.int64)
        return tl.tensor(handle, tl.int64)

    interpreter._implicit_cvt = widened


def _give_up(*_: Any) -> None:
    raise TimeoutError(f"no result after {PATIENCE} s")


def run_one(seed: int, interpret: bool) -> Outcome:
    from random_kernels import NO_BF16, Options, random_kernel

    if interpret:
        options = Options(types=NO_BF16, device=False, numbers=False, extents=(1, 100))
    else:
        options = Options(extents=(1, 2500))
    kernel = random_kernel(seed, options)
    signal.alarm(PATIENCE)
    try:
        notes = list(compare(kernel, interpret))
    except Exception as error:
        refused = "at most 64 elements" in str(error)
        trace = "".join(traceback.format_exception(error)[-3:])
        return Outcome(seed, "refused" if refused else "failed", trace[-1500:], kernel.text)
    finally:
        signal.alarm(0)
    return Outcome(seed, "differs" if notes else "same", "\n".join(notes), kernel.text)


def compare(kernel: Any, interpret: bool) -> Iterator[str]:
    """What differs between the GPU and the evaluator, on two sets of data.

    Kernels that combine lanes are cut into chains of launches for half of the seeds.
    """
    from inputs import arguments, copies, differences, memory_name
    from oracles import REDUCTIONS, Compiled, expected, run_passes
    from run_module import from_torch, to_torch

    from patlang_ir.backends.triton import print_triton
    from patlang_ir.passes.pipelines import TILE_TO_TRITON
    from patlang_ir.runtime.triton_module import load_triton

    compiled = Compiled(kernel)
    limit = "{limit=64}" if "combine" in kernel.traits and kernel.seed % 2 else ""
    passes = [name + limit if name == REDUCTIONS else name for name in TILE_TO_TRITON]
    module = compiled.tile.parent_op()
    data = [arguments(kernel, number) for number in (1, 2)]
    wanted = [expected(compiled, args) for args in data]
    launch = load_triton(print_triton(run_passes(module, passes)), "k")
    for args, right in zip(data, wanted, strict=True):
        tensors = [
            to_torch(arg, memory_name(param)) if param.buffer else arg
            for param, arg in zip(kernel.params, copies(args), strict=True)
        ]
        launch(*tensors)
        got = [from_torch(tensor) for tensor in tensors]
        if interpret:
            got, right = without_signs_of_zero(got), without_signs_of_zero(right)
        yield from differences(kernel, got, right)


def without_signs_of_zero(args: list[Any]) -> list[Any]:
    return [arg + 0 if getattr(arg, "dtype", None) in FLOATS else arg for arg in args]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, nargs="+", default=[])
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=480)
    parser.add_argument("--out", default="")
    parser.add_argument("--interpret", action="store_true")
    sys.exit(main(parser.parse_args()))
