"""How long PatLang text takes to become Triton text, in this process, after all imports.

The text is the kernel of `examples/mandelbrot.patlang`, alone and with the program around it.
Prints the median, the smallest and the largest of the runs, and where the time goes. With
`--verify` the IR is verified after each pass. Times are those of the processor.
"""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median
from time import process_time

from xdsl.context import Context

from patlang_ir.backends.triton import print_triton
from patlang_ir.collector import paused_collector
from patlang_ir.frontend import parse
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.verify import verify

SOURCE = Path(__file__).parents[1] / "examples" / "mandelbrot.patlang"
PIPELINE = "patlang-kernel-to-triton{kernel=mandelbrot}"


@paused_collector()
def compile_once(text: str, verified: bool) -> tuple[float, dict[str, float]]:
    """The milliseconds of one compilation, and those of each step."""
    steps: dict[str, float] = {}
    started = last = process_time()

    def note(name: str) -> None:
        nonlocal last
        now = process_time()
        steps[name] = steps.get(name, 0.0) + 1000 * (now - last)
        last = now

    module = parse(text, SOURCE.name).module
    note("parse")
    for step in parse_pipeline(PIPELINE):
        step.apply(Context(), module)
        note(step.name)
        if verified:
            verify(module)
            note("verify")
    print_triton(module)
    note("print")
    return 1000 * (process_time() - started), steps


def kernel_alone(text: str) -> str:
    """The text from the marker to the end of the marked function."""
    start = text.index("# @gpu_kernel")
    return text[start : text.index("\nend\n", start) + len("\nend\n")]


def main(verified: bool, runs: int = 20) -> None:
    text = SOURCE.read_text(encoding="utf-8")
    for name, part in (("the kernel alone", kernel_alone(text)), ("the whole program", text)):
        compile_once(part, verified)
        times, steps = zip(*(compile_once(part, verified) for _ in range(runs)), strict=True)
        print(f"{name}: {median(times):.1f} ms, from {min(times):.1f} to {max(times):.1f}")
        for step in steps[0]:
            print(f"  {step:28} {median(each[step] for each in steps):6.2f} ms")


if __name__ == "__main__":
    main("--verify" in sys.argv[1:])
