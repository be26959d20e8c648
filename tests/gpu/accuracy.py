"""The accuracy of functions on a GPU: `accuracy.py [FUNCTION...]`.

Every f32 number whose size is at least 2^-126 goes through each function of one argument, in strict
maths; torch's f64 function is the answer. A row has the largest error in units in the last place of
the f32 answer and where it is; results below 2^-126 are left out. Ends with status 1 if an error is
larger than the bound that the guide to the language states, or a NaN or an infinity is elsewhere.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import torch  # noqa: E402
import triton  # noqa: E402

import patlang_ir as pl  # noqa: E402

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": torch.exp,
    "exp2": torch.exp2,
    "log": torch.log,
    "log2": torch.log2,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "tanh": torch.tanh,
    "erf": torch.erf,
    "sigmoid": torch.sigmoid,
}
CHUNK = 1 << 26
SMALLEST = 2.0**-126


def bounds() -> dict[str, float]:
    """What the guide states for each function."""
    text = (ROOT / "docs" / "kernel-language.md").read_text()
    rows = re.findall(r"^\| `(\w+)\(x\)` \|.*\| (\d+) \|$", text, re.MULTILINE)
    return {name: float(bound) for name, bound in rows}


def numbers() -> Iterator[Any]:
    """All f32 numbers of at least 2^-126, and 0, infinities and NaN, in chunks."""
    for first in range(-(2**31), 2**31, CHUNK):
        bits = torch.arange(first, first + CHUNK, device="cuda").to(torch.int32)
        x = bits.view(torch.float32)
        yield x[(x.abs() >= SMALLEST) | (x == 0) | x.isnan()]


def measure(name: str, function: Callable[[Any], Any]) -> tuple[float, float, bool]:
    """The largest error, where it is, and whether all NaNs and infinities are in place."""
    text = f"# @gpu_kernel\nfn k(x, out) {{ store(out, offs, {name}(x[offs])) }}"
    kernel = pl.loads(text)["k"]
    worst, place, special = 0.0, 0.0, True
    for x in numbers():
        out = torch.full_like(x, 77.0)
        kernel(x, out)
        exact = function(x.double())
        rounded = exact.float()
        usual = rounded.isfinite() & (rounded.abs() >= SMALLEST)
        infinite = out.isinf() | rounded.isinf()
        special &= bool((out.isnan() == rounded.isnan()).all())
        special &= bool((out[infinite] == rounded[infinite]).all())
        above = torch.nextafter(rounded.abs(), torch.full_like(x, float("inf")))
        step = above.double() - rounded.abs().double()
        error = torch.where(usual, (out.double() - exact).abs() / step, 0.0)
        error = torch.where(error.isfinite(), error, 0.0)
        if error.numel() and float(error.max()) > worst:
            worst, place = float(error.max()), float(x[error.argmax()])
    return worst, place, special


def main(words: Sequence[str]) -> int:
    print(f"{torch.cuda.get_device_name()}, Triton {triton.__version__}, torch {torch.__version__}")
    stated, wrong = bounds(), False
    for name, function in FUNCTIONS.items():
        if words and name not in words:
            continue
        worst, place, special = measure(name, function)
        right = special and worst <= stated[name]
        wrong |= not right
        note = "" if special else ", NaNs or infinities elsewhere"
        verdict = "holds" if right else "DOES NOT HOLD"
        print(f"{name:8} {worst:6.3f} at {place:.9g}, stated {stated[name]:g}{note}: {verdict}")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
