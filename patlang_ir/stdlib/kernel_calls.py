"""What the libraries on kernels share: checks of arguments, and calls that end in a status.

A status is `["Ok", ""]` or `["Err", message]`. Nothing here imports the compiler before it is
needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import ANY, list_of
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value, describe, is_list, text

if TYPE_CHECKING:
    from patlang_ir.dialects.pat import KernelKind
    from patlang_ir.runtime.kernel import Kernel
    from patlang_ir.runtime.launcher import ListCall

ANY_LIST = list_of(ANY)
LINEAR, GRID, MATMUL = "linear", "grid", "matmul"
MOST_RUNS = 1_000_000


def kind_of(kind: str) -> KernelKind:
    """The kind of kernel of that name."""
    from patlang_ir.dialects.pat import KernelKind

    return KernelKind(kind)


def _ok() -> list[Value]:
    return ["Ok", ""]


def attempt(action: Callable[[], list[Value]], *nothing: Value) -> list[Value]:
    """What an action gives, and `Ok`; or `nothing`, and `Err` with the reason."""
    from patlang_ir.runtime.kernel_texts import FAILURES, reason

    try:
        return [*action(), _ok()]
    except FAILURES as error:
        return [*nothing, ["Err", reason(error)]]


def or_error(action: Callable[[], list[Value]]) -> list[Value]:
    """What an action gives, or only the status, where a call has no status beside its result."""
    status: list[Value]
    *found, status = attempt(lambda: [action()])
    return found[0] if found else status


def refused(message: str) -> Fault:
    """Why a call is not made; it ends in the status."""
    return Fault("P603", message)


def _source(value: Value, name: Value) -> tuple[str, str]:
    if type(value) is not str or not value.strip():
        raise refused(f"the kernel's source must be a text, not {_shown(value)}")
    if type(name) is not str:
        raise refused(f"the name of a kernel must be a string, not {describe(name)}")
    return value, name


def _shown(value: Value) -> str:
    return "an empty one" if type(value) is str else describe(value)


def _buffers(kernel: Kernel, buffers: Value) -> list[Value]:
    """The arguments of a call, one for each parameter."""
    if not is_list(buffers) or not buffers:
        found = "an empty list" if is_list(buffers) else describe(buffers)
        raise refused(f"the buffers must be a list of lists, the output last, not {found}")
    if len(buffers) != len(kernel.params):
        listed = ", ".join(kernel.params)
        raise refused(
            f"kernel '{kernel.name}' takes {len(kernel.params)} buffers ({listed}), "
            f"and {len(buffers)} {'is' if len(buffers) == 1 else 'are'} given"
        )
    if not is_list(buffers[-1]):
        raise refused(f"the last buffer is the output, a list, not {describe(buffers[-1])}")
    return buffers


def _number(what: str, value: Value, most: int) -> int:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not 1 <= value <= most:
        shown = text(value) if type(value) in (int, float) else describe(value)
        raise refused(f"{what} must be a whole number of 1 to {most}, not {shown}")
    return value


def _candidates(value: Value) -> list[int]:
    if not is_list(value) or not value:
        found = "an empty list" if is_list(value) else describe(value)
        raise refused(f"the candidates must be a list of block sizes, not {found}")
    return [_number("a block size", item, 1 << 20) for item in value]


def _prepared(
    machine: Machine, kernel: Kernel, buffers: Value, shape: Iterable[int] = ()
) -> ListCall:
    args = _buffers(kernel, buffers)
    sizes = list(shape)
    if sizes and (not is_list(args[0]) or len(args[0]) != sizes[0] * sizes[1]):
        count = len(args[0]) if is_list(args[0]) else describe(args[0])
        raise refused(
            f"kernel '{kernel.name}': '{kernel.params[0]}' must have {sizes[0]} x {sizes[1]} "
            f"elements, and it has {count}"
        )
    return machine.kernels.runner.prepare(kernel, args, sizes)


def _output(call: ListCall, buffers: Value) -> list[Value]:
    """The output of a call as a flat list of floats; its first elements if nothing wrote it."""
    written = call.results()[-1]
    found = call.arrays[-1] if written is None else written
    if not hasattr(found, "shape"):
        return list(buffers[-1])
    return found.reshape(-1).astype("float64").tolist()


def run(machine: Machine, kernel: Kernel, buffers: Value, shape: Iterable[int] = ()) -> list[Value]:
    """Run a kernel; gives its output."""
    call = _prepared(machine, kernel, buffers, shape)
    call.run()
    return [_output(call, buffers)]


def time(machine: Machine, kernel: Kernel, buffers: Value, repetitions: Value) -> list[Value]:
    """Run a kernel again and again; gives its output and the times."""
    count = _number("the number of runs", repetitions, MOST_RUNS)
    call = _prepared(machine, kernel, buffers)
    total = call.time(count)
    return [_output(call, buffers), total, total / count]


def kernel_of(machine: Machine, source: Value, name: Value, kind: str) -> Kernel:
    """The kernel of a source and a name."""
    return machine.kernels.kernel(*_source(source, name), kind_of(kind))


def tuned(machine: Machine, source: Value, name: Value, candidates: Value) -> Kernel:
    """A kernel with block sizes to try, which must give the same for every one."""
    from patlang_ir.runtime.kernel_texts import has_reduction

    written = _source(source, name)
    sizes = _candidates(candidates)
    kernel = machine.kernels.kernel(*written, kind_of(LINEAR), sizes)
    if has_reduction(kernel.compiler.program):
        raise refused(
            f"kernel '{kernel.name}' has a reduction, which a block size may change, so it is not "
            "tuned; run it without candidates"
        )
    return kernel


def shape_of(rows: Value, cols: Value) -> tuple[int, int]:
    """The shape of the buffers of a 2-D kernel."""
    return _number("the number of rows", rows, 1 << 31), _number("that of columns", cols, 1 << 31)
