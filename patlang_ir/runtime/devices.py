"""Which device kernels run on."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from patlang_ir.diagnostics import Diagnostic, LaunchError

DRIVER_FILES = ("/dev/nvidia0", "/dev/nvidiactl", "/dev/kfd", "/dev/dxg")
"""One of these is there if a GPU's driver is: a look that costs nothing, before importing torch."""


@cache
def gpu_missing() -> str:
    """Why no GPU can be used; empty if one can."""
    if not any(Path(path).exists() for path in DRIVER_FILES):
        return "this machine has no GPU driver"
    for package in ("torch", "triton"):
        if find_spec(package) is None:
            return f"the package {package} is not installed"
    import torch

    return "" if torch.cuda.is_available() else "torch finds no GPU"


def choose_device(wanted: str) -> str:
    """`cpu` or `cuda` for the wanted `auto`, `cpu` or `cuda`."""
    if wanted == "auto":
        return "cpu" if gpu_missing() else "cuda"
    if wanted not in ("cpu", "cuda"):
        raise LaunchError(Diagnostic("P505", f"'{wanted}' is not a device: auto, cpu or cuda"))
    if wanted == "cuda" and gpu_missing():
        raise LaunchError(
            Diagnostic(
                "P505",
                f"kernels cannot run on a GPU: {gpu_missing()}",
                help="leave --device out, or say --device cpu",
            )
        )
    return wanted


def describe(device: str) -> str:
    """A device in a reader's words."""
    if device == "cpu":
        return "the CPU (NumPy)"
    import torch
    import triton  # pyright: ignore[reportMissingTypeStubs]

    return f"the GPU ({torch.cuda.get_device_name()}, Triton {triton.__version__})"
