"""Runs printed launchers on views of memory that lies in files: `run_views.py DIRECTORY...`.

Each directory holds `module.py`, `name.txt` with the name of the launcher, `views.json` with the
shape, strides and offset of each argument, or its number, and `storage.npz`. The memory after the
call goes to `results.npz`. With TRITON_INTERPRET=1 it runs on the CPU. It imports nothing of the
compiler.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import traceback
from pathlib import Path

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
    views = json.loads((directory / "views.json").read_text())
    with np.load(directory / "storage.npz") as arrays:
        memory = [torch.from_numpy(arrays[f"arr_{i}"]).to(DEVICE) for i in range(len(views))]
    arguments = [
        view["number"]
        if "number" in view
        else torch.as_strided(storage, view["shape"], view["strides"], view["offset"])
        for storage, view in zip(memory, views, strict=True)
    ]
    getattr(module, (directory / "name.txt").read_text())(*arguments)
    np.savez(directory / "results.npz", *(storage.cpu().numpy() for storage in memory))


if __name__ == "__main__":
    main()
