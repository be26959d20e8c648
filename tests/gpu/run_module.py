"""Runs printed Triton modules on arrays that lie in files: `run_module.py DIRECTORY...`.

Each directory holds `module.py`, `name.txt` with the name of the launcher, `arguments.npz` and
`types.txt`; `results.npz` is written. With TRITON_INTERPRET=1 it runs on the CPU. It imports
nothing of the compiler, as users of printed modules do.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import torch

DEVICE = "cpu" if os.environ.get("TRITON_INTERPRET") == "1" else "cuda"


def main() -> None:
    for directory in map(Path, sys.argv[1:]):
        try:
            run(directory)
        except Exception:
            (directory / "error.txt").write_text(traceback.format_exc())


def run(directory: Path) -> None:
    spec = importlib.util.spec_from_file_location("module", directory / "module.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    types = (directory / "types.txt").read_text().split()
    with np.load(directory / "arguments.npz") as arrays:
        arguments = [to_torch(arrays[f"arr_{i}"], type) for i, type in enumerate(types)]
    getattr(module, (directory / "name.txt").read_text())(*arguments)
    results = [from_torch(argument) for argument in arguments]
    np.savez(directory / "results.npz", *results)


def to_torch(array: np.ndarray[Any, Any], type: str) -> Any:
    """An array as a tensor; a 0-dimensional one as a number."""
    if array.ndim == 0:
        return array.item()
    if type != "bf16":
        return torch.from_numpy(array).to(DEVICE)
    return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16).to(DEVICE)


def from_torch(value: Any) -> np.ndarray[Any, Any]:
    if not isinstance(value, torch.Tensor):
        return np.array(value)
    if value.dtype == torch.bfloat16:
        return value.view(torch.int16).cpu().numpy().view(np.uint16)
    return value.cpu().numpy()


if __name__ == "__main__":
    main()
