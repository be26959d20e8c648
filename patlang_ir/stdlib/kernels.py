"""The libraries `triton` and `lower_triton`: kernels by their source.

Buffers are lists of numbers, the output last; what comes back is the output as a list of floats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import BOOL
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value, is_list
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.kernel_calls import (
    ANY_LIST,
    GRID,
    LINEAR,
    attempt,
    kernel_of,
    or_error,
    run,
    shape_of,
    time,
    tuned,
)
from patlang_ir.stdlib.registry import host

if TYPE_CHECKING:
    from patlang_ir.runtime.kernel import Kernel


@host("triton_run_kernel_source", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source(
    machine: Machine, source: Value, name: Value, buffers: Value
) -> list[Value]:
    """Run a 1-D kernel given by its source and name; gives `[output, status]`."""
    return attempt(lambda: run(machine, kernel_of(machine, source, name, LINEAR), buffers), [])


@host("triton_run_kernel_source_timed", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_timed(
    machine: Machine, source: Value, name: Value, buffers: Value, repetitions: Value
) -> list[Value]:
    """Run a 1-D kernel once, and then as often as is said, each time on the same elements; gives
    `[output, milliseconds, milliseconds of one run, status]`."""
    return attempt(
        lambda: time(machine, kernel_of(machine, source, name, LINEAR), buffers, repetitions),
        *([], 0.0, 0.0),
    )


@host("triton_run_kernel_source_autotune", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_autotune(
    machine: Machine, source: Value, name: Value, buffers: Value, candidates: Value
) -> list[Value]:
    """Run a 1-D kernel that may have any of the block sizes in `candidates`; gives
    `[output, status]`. A kernel with a reduction is refused."""
    return attempt(lambda: run(machine, tuned(machine, source, name, candidates), buffers), [])


@host("triton_run_kernel_source_2d", 5, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_2d(
    machine: Machine, source: Value, name: Value, *sized: Value
) -> list[Value]:
    """Run a 2-D kernel on buffers that hold the rows one after the other; gives
    `[output, status]`."""
    rows, cols, buffers = sized
    return attempt(
        lambda: run(machine, kernel_of(machine, source, name, GRID), buffers, shape_of(rows, cols)),
        [],
    )


ADDITION = """make a function called vector_add takes a, b, out
  store(out, offs, a[offs] + b[offs])
end
"""


@host("triton_vector_add", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_vector_add(machine: Machine, a: Value, b: Value) -> list[Value]:
    """The sums of the elements of two lists; `["Err", message]` if they cannot be added."""
    out = [0.0] * len(a) if is_list(a) else []

    def add() -> list[Value]:
        kernel = kernel_of(machine, ADDITION, "vector_add", LINEAR)
        return run(machine, kernel, [a, b, out])[0]

    return or_error(add)


# --- lowering ---


def _lowered(machine: Machine, kernel: Callable[[], Kernel]) -> list[Value]:
    return attempt(lambda: [kernel().triton_source()], "")


@host("triton_lower_kernel_source", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_lower_kernel_source(machine: Machine, source: Value, name: Value) -> list[Value]:
    """The Triton program of a 1-D kernel; gives `[text, status]`."""
    return _lowered(machine, lambda: kernel_of(machine, source, name, LINEAR))


@host("triton_lower_kernel_source_2d", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_lower_kernel_source_2d(machine: Machine, source: Value, name: Value) -> list[Value]:
    """The Triton program of a 2-D kernel; gives `[text, status]`."""
    return _lowered(machine, lambda: kernel_of(machine, source, name, GRID))


@host(
    "triton_lower_kernel_source_autotune", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True
)
def triton_lower_kernel_source_autotune(
    machine: Machine, source: Value, name: Value, candidates: Value
) -> list[Value]:
    """The Triton program of a 1-D kernel with block sizes to try; gives `[text, status]`."""
    return _lowered(machine, lambda: tuned(machine, source, name, candidates))


@host("triton_src_has_reduction", 1, pure=False, gives=BOOL)
def triton_src_has_reduction(source: Value) -> bool:
    """Whether a kernel's source combines elements, as `sum` does. Comments and blanks do not
    count; what is no PatLang has no reduction."""
    from patlang_ir.diagnostics import CompileError
    from patlang_ir.frontend import parse
    from patlang_ir.runtime.kernel_texts import has_reduction

    try:
        return has_reduction(
            parse(string("triton_src_has_reduction", 1, source), "<kernel>").module
        )
    except CompileError:
        return False
