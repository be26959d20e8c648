"""How the time from PatLang text to Triton text grows with the length of a kernel.

Kernels of 100, 1,000 and 10,000 statements, of three shapes: one after the other, in loops, and
many stores. Prints milliseconds for a statement, and which steps take most of the time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from time import process_time

from xdsl.context import Context

from patlang_ir.backends.triton import print_triton
from patlang_ir.collector import paused_collector
from patlang_ir.frontend import parse
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.verify import verify

PIPELINE = "patlang-kernel-to-triton{kernel=k}"
HEAD = "# @gpu_kernel\nmake a function called k takes x, y, out\n  let v = x[offs]\n"
STEPS = (
    "let v = v * 0.5 + y[offs]",
    "let v = select(v > 1.0, v, 0.25)",
    "let w = max(v, x[offs + 1]) - 3.0",
    "let v = w / 2.0 + v",
    "let v = sqrt(abs(v))",
)


def straight(count: int) -> str:
    """Assignments, each of which needs the ones before."""
    return _kernel(f"  {STEPS[i % len(STEPS)]}" for i in range(count))


def loops(count: int) -> str:
    """A loop of eight statements after the other."""
    lines: list[str] = []
    for i in range(count // 8):
        lines += [f"  let i = {i % 3}", "  while i < 9 do"]
        lines += [f"    {step}" for step in STEPS]
        lines += ["    let i = i + 1", "  end"]
    return _kernel(lines)


def stores(count: int) -> str:
    """A value and a store of it, in turn."""
    return _kernel(
        f"  {'store(out, offs, v)' if i % 2 else STEPS[i // 2 % 2]}" for i in range(count)
    )


def _kernel(lines: Iterable[str]) -> str:
    return HEAD + "\n".join(lines) + "\n  store(out, offs, v)\nend\n"


@paused_collector()
def compile_once(text: str) -> dict[str, float]:
    """The milliseconds of each step of a compilation, verified where the compiler does it."""
    times: dict[str, float] = {}
    last = process_time()

    def note(name: str) -> None:
        nonlocal last
        now = process_time()
        times[name] = times.get(name, 0.0) + 1000 * (now - last)
        last = now

    module = parse(text, "scale.patlang").module
    note("parse")
    for step in parse_pipeline(PIPELINE):
        step.apply(Context(), module)
        note(step.name)
        if step.name == "tile-check-autotune":
            verify(module)
            note("verify")
    verify(module)
    note("verify")
    print_triton(module)
    note("print")
    return times


def main(counts: list[int]) -> None:
    compile_once(straight(20))
    for shape in (straight, loops, stores):
        for count in counts:
            times = compile_once(shape(count))
            total = sum(times.values())
            largest = sorted(times.items(), key=lambda item: -item[1])[:4]
            shares = ", ".join(f"{name} {100 * ms / total:.0f} %" for name, ms in largest)
            row = f"{shape.__name__:10} {count:6} statements {total:9.0f} ms"
            print(f"{row}  {total / count:6.3f} ms each: {shares}", flush=True)


if __name__ == "__main__":
    main([int(argument) for argument in sys.argv[1:]] or [100, 1000, 10000])
