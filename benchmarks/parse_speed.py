"""How many lines a second go through each stage of `patlang run`, up to the Python that runs.

    python benchmarks/parse_speed.py [LINES] [RUNS]

The program is made of functions with ordinary statements, and statements at the top level. Each row
is the best of RUNS, in processor time. `again` is the same for half of the lines: a stage that is
linear does about as many lines a second there.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from time import process_time
from typing import TypeVar

from xdsl.context import Context

from patlang_ir.backends.python import print_python
from patlang_ir.collector import paused_collector
from patlang_ir.frontend import parse
from patlang_ir.frontend.lexer import lex
from patlang_ir.pipeline import parse_pipeline

T = TypeVar("T")
UNIT = """\
# Statistics of the readings number {k}.
make a function called mean{k} takes xs
  let total = 0.0
  let i = 0
  while i < xs.length do
    let total = total + xs[i] * {k}.5
    let i = i + 1
  end
  return total / max(1, xs.length)
end

fn clamp{k}(value, low, high) {{
  if value < low {{ return low }}
  if value > high {{
    return high
  }}
  return value
}}

make a function called report{k} takes name, xs returns text
  let text = name + ": " + mean{k}(xs)
  if mean{k}(xs) > 10 and name != "" then
    let text = text + " (high)"
  elif (xs.length - 1) * 2 % 7 == 3 or not is_known{k}(name) then
    print("odd", list_len(xs), text)
  else
    let seen = [1, 2.5, "three", true]
    let text = text + seen[2]
  end
end

fn is_known{k}(name) {{ return name == "first" or name == "last" }}

let values{k} = []
let n = 0
while n < 3 do
  let values{k} = list_push(values{k}, clamp{k}(n * n - 4, -2, 2))
  let n = n + 1
end
# The texts are compared below.
let line{k} = report{k}("first", values{k})
let twice = |x| {{ return x * 2 + n }}
if line{k} == "" then print(line{k}) end
print(twice(n) + to_num("{k}"))

"""


def program(lines: int) -> str:
    """A program of about that many lines."""
    count = max(1, lines // UNIT.count("\n"))
    return "".join(UNIT.format(k=k) for k in range(count))


def stages(text: str) -> dict[str, float]:
    """The seconds of each stage."""
    found: dict[str, float] = {}

    def timed(name: str, run: Callable[[], T]) -> T:
        gc.collect()
        start = process_time()
        result = run()
        found[name] = process_time() - start
        return result

    timed("lexer alone", lambda: lex(text))
    module = timed("parse", lambda: parse(text)).module
    for step in parse_pipeline("patlang-host"):
        with paused_collector():
            timed(step.name, lambda step=step: step.apply(Context(), module))
    python = timed("print Python", lambda: print_python(module))
    timed("compile Python", lambda: compile(python.text, "program", "exec"))
    found["all of it"] = sum(found.values()) - found["lexer alone"]
    return found


def best(text: str, runs: int) -> dict[str, float]:
    rows = [stages(text) for _ in range(runs)]
    return {name: min(row[name] for row in rows) for name in rows[0]}


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    whole, half = program(size), program(size // 2)
    counts = whole.count("\n"), half.count("\n")
    print(f"{counts[0]:,} lines, best of {runs} runs, Python {sys.version.split()[0]}")
    print(f"{'stage':<20} {'time':>10} {'lines/s':>10} {'again':>10}")
    rows, halves = best(whole, runs), best(half, runs)
    for name, seconds in rows.items():
        speed, again = counts[0] / seconds, counts[1] / halves[name]
        print(f"{name:<20} {seconds * 1e3:>7,.0f} ms {speed:>10,.0f} {again:>10,.0f}")


if __name__ == "__main__":
    main()
