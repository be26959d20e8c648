"""The corpus of kernels, printed as Triton and run in Triton's interpreter: the answers by hand.

Each kernel once, for the first of its types; those that need the device library are left out.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from kernel_answers import ANSWERS
from kernels import CASES, Case
from triton_modules import Array, read_results, start

from patlang_ir.backends.triton import print_triton
from patlang_ir.runtime.compiler import KernelCompiler, Request

pytest.importorskip("torch")
pytest.importorskip("triton")

FIRST = {case.name: case for case in reversed(CASES)}
N, COLUMNS = 37, 9


def arguments_of(case: Case) -> dict[str, Any]:
    return case.make(np.random.default_rng(11), N, COLUMNS)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Array]]:
    """The arguments after the call of every kernel that the interpreter can run."""
    folder = tmp_path_factory.mktemp("corpus")
    places: dict[str, Path] = {}
    for name, case in FIRST.items():
        signature = dict(part.split("=") for part in case.signature.split(","))
        compiler = KernelCompiler(case.program(), name)
        text = print_triton(compiler.module("tl", Request(signature)))
        if "libdevice" in text.text:
            continue
        place = places[name] = folder / name
        place.mkdir()
        given = arguments_of(case)
        (place / "module.py").write_text(text.text)
        (place / "name.txt").write_text(text.names[name])
        (place / "types.txt").write_text(" ".join(given))
        np.savez(place / "arguments.npz", *given.values())
    start(list(places.values()))
    return {name: read_results(place) for name, place in places.items()}


@pytest.mark.parametrize("name", FIRST)
def test_answer(name: str, results: dict[str, list[Array]]) -> None:
    if name not in results:
        pytest.skip("needs the device library")
    expected = arguments_of(FIRST[name])
    with np.errstate(all="ignore"):
        ANSWERS[name](**expected)
    for wanted, found in zip(expected.values(), results[name], strict=True):
        if isinstance(wanted, np.ndarray):
            np.testing.assert_array_equal(found, wanted, strict=True)
