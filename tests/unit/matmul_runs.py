"""Kernels on matrices for the tests: printed, and run in Triton's interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from evaluator_kernels import parse
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.backends.triton import TritonText, print_triton
from patlang_ir.runtime.compiler import apply_pipeline

GPU = Path(__file__).parents[1] / "gpu"
sys.path.insert(0, str(GPU))

from matmul_kernels import Array, View  # noqa: E402


def lowered(text: str, options: str = "") -> ModuleOp:
    """The `tl` of a typed kernel."""
    module = parse(text).parent_op()
    assert isinstance(module, ModuleOp)
    return apply_pipeline(module, f"patlang-tile-to-triton{{{options}}}")


def printed(text: str, options: str = "") -> TritonText:
    return print_triton(lowered(text, options))


@dataclass(frozen=True)
class MatmulRun:
    """A kernel as text, its arguments, and the options of the pipeline."""

    text: str
    views: Sequence[View]
    options: str = ""


def interpret_matmuls(runs: Sequence[MatmulRun], directory: Path) -> list[list[Array]]:
    """The memory of the arguments after each call, in one process for all."""
    places = [directory / str(number) for number in range(len(runs))]
    for place, run in zip(places, runs, strict=True):
        write(run, place)
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    command = [sys.executable, "-W", "ignore", str(GPU / "run_views.py"), *map(str, places)]
    subprocess.run(command, env=environment, check=True)
    return [read(place) for place in places]


def write(run: MatmulRun, place: Path) -> None:
    """Put a call where the runner finds it."""
    text = printed(run.text, run.options)
    place.mkdir(parents=True)
    (place / "module.py").write_text(text.text)
    (place / "name.txt").write_text(text.names["matmul"])
    views = [
        {"shape": view.shape, "strides": view.strides, "offset": view.offset} for view in run.views
    ]
    (place / "views.json").write_text(json.dumps(views))
    np.savez(place / "storage.npz", *(view.storage for view in run.views))


def read(place: Path) -> list[Array]:
    error = place / "error.txt"
    assert not error.exists(), error.read_text()
    with np.load(place / "results.npz") as arrays:
        return [arrays[f"arr_{i}"] for i in range(len(arrays.files))]
