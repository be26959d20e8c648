"""How long PatLang text takes to become Triton text, in this process, after all imports.

The kernel is that of `examples/mandelbrot.patlang`. Prints the median, the smallest and the
largest of the runs, and where the time goes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from xdsl.context import Context

from patlang_ir.backends.triton import print_triton
from patlang_ir.frontend import parse
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.verify import verify

SOURCE = Path(__file__).parents[1] / "examples" / "mandelbrot.patlang"
PIPELINE = "patlang-kernel-to-triton{kernel=mandelbrot}"


def compile_once(text: str, checked: bool) -> tuple[float, dict[str, float]]:
    """The milliseconds of one compilation, and those of each step."""
    steps: dict[str, float] = {}
    started = last = perf_counter()

    def note(name: str) -> None:
        nonlocal last
        now = perf_counter()
        steps[name] = steps.get(name, 0.0) + 1000 * (now - last)
        last = now

    module = parse(text, SOURCE.name).module
    note("parse")
    for step in parse_pipeline(PIPELINE):
        step.apply(Context(), module)
        note(step.name)
        if checked:
            verify(module)
            note("verify")
    print_triton(module)
    note("print")
    return 1000 * (perf_counter() - started), steps


def main(runs: int) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    for checked in (False, True):
        compile_once(text, checked)
        times, steps = zip(*(compile_once(text, checked) for _ in range(runs)), strict=True)
        kind = "verified after each pass" if checked else "not verified"
        print(f"{kind}: {median(times):.1f} ms, from {min(times):.1f} to {max(times):.1f}")
        for name in steps[0]:
            print(f"  {name:28} {median(step[name] for step in steps):6.2f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
