"""PatLang host code against Python written by hand, in processor time."""

from __future__ import annotations

import os
from collections.abc import Callable
from time import process_time
from typing import Any

from xdsl.context import Context

from patlang_ir.backends.python import print_python
from patlang_ir.frontend import parse
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.runtime.host import NoKernels, run_text


def compiled(source: str) -> Callable[[], Any]:
    """A program, ready to run; it gives what the program returns."""
    module = parse(source).module
    for step in parse_pipeline("patlang-host"):
        step.apply(Context(), module)
    text = print_python(module)
    return lambda: run_text(text, launcher=NoKernels())


def seconds(function: Callable[[], object]) -> float:
    """The processor time of one run, in a child process: each run meets the same heap."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        start = process_time()
        function()
        os.write(writer, str(process_time() - start).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writer)
    with open(reader) as result:
        return float(result.read())


def best(one: Callable[[], object], other: Callable[[], object], runs: int) -> tuple[float, float]:
    """The best times of two functions that take turns."""
    pairs = [(seconds(one), seconds(other)) for _ in range(runs)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
