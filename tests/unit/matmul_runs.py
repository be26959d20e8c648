"""Kernels on matrices for the tests: printed, and run in Triton's interpreter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
class Printed:
    """A printed module, the name of its launcher, and the arguments: views, or numbers."""

    text: str
    name: str
    arguments: Sequence[Any]


def printed_run(text: str, views: Sequence[View], options: str = "") -> Printed:
    """A typed kernel, with the options of the pipeline."""
    module = printed(text, options)
    return Printed(module.text, module.names["matmul"], views)


def interpret_matmuls(runs: Sequence[Printed], directory: Path) -> list[Path]:
    """Run all calls in one process; where `read` finds what each one left."""
    places = [directory / str(number) for number in range(len(runs))]
    for place, run in zip(places, runs, strict=True):
        write(run, place)
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    command = [sys.executable, "-W", "ignore", str(GPU / "run_views.py"), *map(str, places)]
    subprocess.run(command, env=environment, check=True)
    return places


def write(run: Printed, place: Path) -> None:
    """Put a call where the runner finds it."""
    place.mkdir(parents=True)
    (place / "module.py").write_text(run.text)
    (place / "name.txt").write_text(run.name)
    views = [
        {"shape": it.shape, "strides": it.strides, "offset": it.offset}
        if isinstance(it, View)
        else {"number": it}
        for it in run.arguments
    ]
    (place / "views.json").write_text(json.dumps(views))
    memory = (it.storage if isinstance(it, View) else np.zeros(0) for it in run.arguments)
    np.savez(place / "storage.npz", *memory)


def read(place: Path) -> list[Array]:
    """The memory of the arguments after a call."""
    error = place / "error.txt"
    assert not error.exists(), error.read_text()
    with np.load(place / "results.npz") as arrays:
        return [arrays[f"arr_{i}"] for i in range(len(arrays.files))]
