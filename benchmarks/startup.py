"""How long the tools take to start, against an interpreter that does nothing.

    python benchmarks/startup.py [RUNS]

The three commands take turns in one run, so that all meet the same machine; each row is a median.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from time import perf_counter

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "patlang --help": ["-m", "patlang_ir.tools.cli", "--help"],
    "patlang-opt --help": ["-m", "patlang_ir.tools.opt", "--help"],
}


def measure(arguments: list[str]) -> float:
    """The seconds of one run."""
    start = perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return perf_counter() - start


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    for arguments in COMMANDS.values():  # the first run of each fills the caches
        measure(arguments)
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(runs):
        for name, arguments in COMMANDS.items():
            seconds[name].append(measure(arguments))
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    floor = medians["python -c pass"]
    print(f"median of {runs} runs, Python {sys.version.split()[0]}")
    for name, median in medians.items():
        print(f"{name:<20} {median:7.3f} s {median / floor:6.1f} x")


if __name__ == "__main__":
    main()
