"""Printed Triton for the tests: from IR text to a module, and its runs in Triton's interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.backends.triton import TritonText, print_triton
from patlang_ir.dialects.tile import KernelOp
from patlang_ir.runtime.compiler import apply_pipeline

RUNNER = Path(__file__).parents[1] / "gpu" / "run_module.py"
Array = np.ndarray[Any, Any]


def lowered(kernel: KernelOp, target: str = "cuda:90") -> ModuleOp:
    """A typed kernel after all passes down to `tl`."""
    module = kernel.parent_op()
    assert isinstance(module, ModuleOp)
    return apply_pipeline(module, f'patlang-tile-to-triton{{target="{target}"}}')


def printed(kernel: KernelOp) -> TritonText:
    return print_triton(lowered(kernel))


@dataclass(frozen=True)
class Run:
    """A kernel and the arguments of one call; `types` are the element types of these."""

    kernel: KernelOp
    types: Sequence[str]
    arguments: Sequence[Array]


def interpret(runs: Sequence[Run], directory: Path) -> list[list[Array]]:
    """The arguments after each call, in Triton's interpreter, in one process for all."""
    return [read_results(place) for place in run_all(runs, directory)]


def run_all(runs: Sequence[Run], directory: Path) -> list[Path]:
    """Where the results or the error of each call lie."""
    places = [directory / str(number) for number in range(len(runs))]
    for place, run in zip(places, runs, strict=True):
        write_run(run, place)
    start(places)
    return places


def start(places: Sequence[Path]) -> None:
    """Run in Triton's interpreter what lies in each place, in one process."""
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    subprocess.run(
        [sys.executable, "-W", "ignore", str(RUNNER), *map(str, places)],
        env=environment,
        check=True,
    )


def write_run(run: Run, place: Path) -> None:
    """Put a call where the runner finds it."""
    text = printed(run.kernel)
    place.mkdir(parents=True)
    (place / "module.py").write_text(text.text)
    (place / "name.txt").write_text(text.names[run.kernel.sym_name.data])
    (place / "types.txt").write_text(" ".join(run.types))
    np.savez(place / "arguments.npz", *run.arguments)


def read_results(place: Path) -> list[Array]:
    error = place / "error.txt"
    assert not error.exists(), error.read_text()
    with np.load(place / "results.npz") as arrays:
        return [arrays[f"arr_{i}"] for i in range(len(arrays.files))]
