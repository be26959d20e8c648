"""Printed matmul kernels, called through their launchers in Triton's interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from block_kernels import INDEPENDENT, MatmulKernel
from test_matmul_kernels import copies, name_of

import patlang_ir as pl

pytest.importorskip("torch")
pytest.importorskip("triton")

SHAPES = ((37, 41, 29), (2, 2, 3), (70, 33, 65))
SCRIPT = """
import sys, importlib.util
import numpy as np, torch

for folder in sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("module", f"{folder}/module.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with np.load(f"{folder}/arguments.npz") as given:
        args = [torch.tensor(a) if a.ndim else a.item() for a in given.values()]
        names = list(given)
    module.k(*args)
    np.save(f"{folder}/c.npy", args[names.index("c")].numpy())
"""
EXACT = [kernel for kernel in INDEPENDENT if kernel.exact]
"""The interpreter has no `exp`."""


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """For each kernel a folder for each shape, with the result: one process for all."""
    found: dict[str, list[Path]] = {}
    for kernel in EXACT:
        text = pl.loads(kernel.text, name=kernel.name)["k"].triton_source()
        for m, n, k in SHAPES:
            folder = tmp_path_factory.mktemp(kernel.name)
            (folder / "module.py").write_text(text)
            args = kernel.arguments(np.random.default_rng(m), {"M": m, "N": n, "K": k})
            np.savez(folder / "arguments.npz", **copies(kernel, args))
            found.setdefault(kernel.name, []).append(folder)
    paths = [str(folder) for listed in found.values() for folder in listed]
    environment = {**os.environ, "TRITON_INTERPRET": "1"}
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, *paths]
    subprocess.run(command, env=environment, check=True)
    return found


@pytest.mark.parametrize("kernel", EXACT, ids=name_of)
def test_the_printed_kernel_gives_the_same(kernel: MatmulKernel, folders: dict[str, list[Path]]):
    for folder, (m, n, k) in zip(folders[kernel.name], SHAPES, strict=True):
        args = kernel.arguments(np.random.default_rng(m), {"M": m, "N": n, "K": k})
        np.testing.assert_array_equal(np.load(folder / "c.npy"), kernel.result(args))
