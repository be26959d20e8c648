"""Growing a list by pushes in PatLang, against the same loop written in Python by hand.

    python benchmarks/list_push.py [RUNS]

Both sides take turns in one run, so that both meet the same machine; each row is the best of
RUNS, in processor time.
Three shapes: a list of the function itself, one that came in as a parameter (copied once, then
changed in place), and a push under a condition. Every result is checked first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

from host_timing import best, compiled

SIZES = (65_536, 1_000_000, 10_000_000)

PATLANG = {
    "own list": """
make function build takes n returns xs
  let xs = []
  let i = 0
  while i < n do
    let xs = list_push(xs, i * 2)
    let i = i + 1
  end
end
""",
    "parameter": """
make function extend takes xs, n returns xs
  let i = 0
  while i < n do
    let xs = list_push(xs, i * 2)
    let i = i + 1
  end
end
make function build takes n
  return extend([], n)
end
""",
    "condition": """
make function build takes n returns xs
  let xs = []
  let i = 0
  while i < n do
    if i % 3 != 1 then
      let xs = list_push(xs, i * 2)
    end
    let i = i + 1
  end
end
""",
}


def own_list(n: int) -> list[int]:
    xs: list[int] = []
    i = 0
    while i < n:
        xs.append(i * 2)
        i += 1
    return xs


def condition(n: int) -> list[int]:
    xs: list[int] = []
    i = 0
    while i < n:
        if i % 3 != 1:
            xs.append(i * 2)
        i += 1
    return xs


PYTHON: dict[str, Callable[[int], list[int]]] = {
    "own list": own_list,
    "parameter": own_list,
    "condition": condition,
}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print(f"best of {runs} runs, Python {sys.version.split()[0]}")
    print(f"{'shape':<10} {'pushes':>10} {'PatLang':>10} {'Python':>10} {'ratio':>6} ns/push")
    for shape, source in PATLANG.items():
        for size in SIZES:
            patlang, by_hand = compiled(f"{source}\nreturn build({size})"), PYTHON[shape]
            assert patlang() == by_hand(size), f"{shape}, {size}: the results differ"
            ours, theirs = best(patlang, partial(by_hand, size), runs)
            row = f"{shape:<10} {size:>10,} {ours * 1e3:>7.1f} ms {theirs * 1e3:>7.1f} ms"
            print(f"{row} {ours / theirs:>6.2f} {ours / size * 1e9:>6.1f}")


if __name__ == "__main__":
    main()
