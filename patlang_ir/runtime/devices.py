"""Which device kernels run on."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from patlang_ir.diagnostics import Diagnostic, LaunchError
from patlang_ir.targets import DEFAULT_TARGET, TARGETS

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


@cache
def device_target() -> str:
    """The target that is nearest to the current GPU; the default where there is none."""
    if gpu_missing():
        return DEFAULT_TARGET
    import torch

    if getattr(torch.version, "hip", None):
        name = str(torch.cuda.get_device_properties(0).gcnArchName)  # pyright: ignore
        arch = name.partition(":")[0]
        return f"hip:{arch}" if f"hip:{arch}" in TARGETS else DEFAULT_TARGET
    major, _ = torch.cuda.get_device_capability()
    return {8: "cuda:80", 9: "cuda:90", 10: "cuda:100", 12: "cuda:120"}.get(major, "cuda:80")
