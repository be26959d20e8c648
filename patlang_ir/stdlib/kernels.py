"""The libraries on kernels: `gpu_kernels`, `triton`, `triton_session` and `lower_triton`.

A status is `["Ok", ""]` or `["Err", message]`. Buffers are lists of numbers, the output last; what
comes back is the output as a list of floats. Nothing here imports the compiler before it is needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import ANY, BOOL, FLOAT, list_of
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value, describe, is_list, text
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.registry import host

if TYPE_CHECKING:
    from patlang_ir.dialects.pat import KernelKind
    from patlang_ir.runtime.kernel import Kernel
    from patlang_ir.runtime.launcher import ListCall

ANY_LIST = list_of(ANY)
LINEAR, GRID, MATMUL = "linear", "grid", "matmul"
MODES = {LINEAR: "1d", GRID: "2d", MATMUL: "matmul"}
CALLERS = {"1d": "gpu_call_1d", "2d": "gpu_call_2d"}
MOST_RUNS = 1_000_000


def _kind(kind: str) -> KernelKind:
    from patlang_ir.dialects.pat import KernelKind

    return KernelKind(kind)


def _ok() -> list[Value]:
    return ["Ok", ""]


def _attempt(action: Callable[[], list[Value]], *nothing: Value) -> list[Value]:
    """What an action gives, and `Ok`; or `nothing`, and `Err` with the reason."""
    from patlang_ir.runtime.kernel_texts import FAILURES, reason

    try:
        return [*action(), _ok()]
    except FAILURES as error:
        return [*nothing, ["Err", reason(error)]]


def _refused(message: str) -> Fault:
    return Fault("P603", message)


# --- arguments ---


def _source(value: Value, name: Value) -> tuple[str, str]:
    if type(value) is not str or not value.strip():
        raise _refused(f"the kernel's source must be a text, not {_shown(value)}")
    if type(name) is not str:
        raise _refused(f"the name of a kernel must be a string, not {describe(name)}")
    return value, name


def _shown(value: Value) -> str:
    return "an empty one" if type(value) is str else describe(value)


def _buffers(kernel: Kernel, buffers: Value) -> list[Value]:
    """The arguments of a call, one for each parameter."""
    if not is_list(buffers) or not buffers:
        found = "an empty list" if is_list(buffers) else describe(buffers)
        raise _refused(f"the buffers must be a list of lists, the output last, not {found}")
    if len(buffers) != len(kernel.params):
        listed = ", ".join(kernel.params)
        raise _refused(
            f"kernel '{kernel.name}' takes {len(kernel.params)} buffers ({listed}), "
            f"and {len(buffers)} are given"
        )
    if not is_list(buffers[-1]):
        raise _refused(f"the last buffer is the output, a list, not {describe(buffers[-1])}")
    return buffers


def _number(what: str, value: Value, most: int) -> int:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not 1 <= value <= most:
        shown = text(value) if type(value) in (int, float) else describe(value)
        raise _refused(f"{what} must be a whole number of 1 to {most}, not {shown}")
    return value


def _candidates(value: Value) -> list[int]:
    if not is_list(value) or not value:
        found = "an empty list" if is_list(value) else describe(value)
        raise _refused(f"the candidates must be a list of block sizes, not {found}")
    return [_number("a block size", item, 1 << 20) for item in value]


# --- running ---


def _prepared(
    machine: Machine, kernel: Kernel, buffers: Value, shape: Iterable[int] = ()
) -> ListCall:
    args = _buffers(kernel, buffers)
    sizes = list(shape)
    if sizes and (not is_list(args[0]) or len(args[0]) != sizes[0] * sizes[1]):
        count = len(args[0]) if is_list(args[0]) else describe(args[0])
        raise _refused(
            f"kernel '{kernel.name}': '{kernel.params[0]}' must have {sizes[0]} x {sizes[1]} "
            f"elements, and it has {count}"
        )
    return machine.kernels.runner.prepare(kernel, args, sizes)


def _output(call: ListCall, buffers: Value) -> list[Value]:
    """The output of a call as a flat list of floats; its first elements if nothing wrote it."""
    written = call.results()[-1]
    found = call.arrays[-1] if written is None else written
    if not hasattr(found, "shape"):
        return buffers[-1]
    return found.reshape(-1).astype("float64").tolist()


def _run(
    machine: Machine, kernel: Kernel, buffers: Value, shape: Iterable[int] = ()
) -> list[Value]:
    call = _prepared(machine, kernel, buffers, shape)
    call.run()
    return [_output(call, buffers)]


def _time(machine: Machine, kernel: Kernel, buffers: Value, repetitions: Value) -> list[Value]:
    count = _number("the number of runs", repetitions, MOST_RUNS)
    call = _prepared(machine, kernel, buffers)
    total = call.time(count)
    return [_output(call, buffers), total, total / count]


def _kernel(machine: Machine, source: Value, name: Value, kind: str) -> Kernel:
    return machine.kernels.kernel(*_source(source, name), _kind(kind))


def _tuned(machine: Machine, source: Value, name: Value, candidates: Value) -> Kernel:
    """A kernel with block sizes to try, which must give the same for every one."""
    from patlang_ir.runtime.kernel_texts import has_reduction

    written = _source(source, name)
    sizes = _candidates(candidates)
    kernel = machine.kernels.kernel(*written, _kind(LINEAR), sizes)
    if has_reduction(kernel.compiler.program):
        raise _refused(
            f"kernel '{kernel.name}' has a reduction, which a block size may change, so it is not "
            "tuned; run it without candidates"
        )
    return kernel


@host("triton_run_kernel_source", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source(
    machine: Machine, source: Value, name: Value, buffers: Value
) -> list[Value]:
    """Run a 1-D kernel given by its source and name; gives `[output, status]`."""
    return _attempt(lambda: _run(machine, _kernel(machine, source, name, LINEAR), buffers), [])


@host("triton_run_kernel_source_timed", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_timed(
    machine: Machine, source: Value, name: Value, buffers: Value, repetitions: Value
) -> list[Value]:
    """Run a 1-D kernel once, and then as often as is said, each time on the same elements; gives
    `[output, milliseconds, milliseconds of one run, status]`."""
    return _attempt(
        lambda: _time(machine, _kernel(machine, source, name, LINEAR), buffers, repetitions),
        *([], 0.0, 0.0),
    )


@host("triton_run_kernel_source_autotune", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_autotune(
    machine: Machine, source: Value, name: Value, buffers: Value, candidates: Value
) -> list[Value]:
    """Run a 1-D kernel that may have any of the block sizes in `candidates`; gives
    `[output, status]`. A kernel with a reduction is refused."""
    return _attempt(lambda: _run(machine, _tuned(machine, source, name, candidates), buffers), [])


@host("triton_run_kernel_source_2d", 5, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_kernel_source_2d(
    machine: Machine, source: Value, name: Value, *sized: Value
) -> list[Value]:
    """Run a 2-D kernel on buffers that hold the rows one after the other; gives
    `[output, status]`."""
    rows, cols, buffers = sized
    return _attempt(
        lambda: _run(machine, _kernel(machine, source, name, GRID), buffers, _shape(rows, cols)),
        [],
    )


def _shape(rows: Value, cols: Value) -> tuple[int, int]:
    return _number("the number of rows", rows, 1 << 31), _number("that of columns", cols, 1 << 31)


ADDITION = """make a function called vector_add takes a, b, out
  store(out, offs, a[offs] + b[offs])
end
"""


@host("triton_vector_add", 2, pure=False, fresh=True, gives=list_of(FLOAT), stateful=True)
def triton_vector_add(machine: Machine, a: Value, b: Value) -> list[Value]:
    """The sums of the elements of two lists."""
    size = len(a) if is_list(a) else 0
    found, status = triton_run_kernel_source(machine, ADDITION, "vector_add", [a, b, [0.0] * size])
    if status[0] == "Err":
        raise Fault("P603", f"triton_vector_add: {status[1]}")
    return found


# --- lowering ---


def _lowered(machine: Machine, kernel: Callable[[], Kernel]) -> list[Value]:
    return _attempt(lambda: [kernel().triton_source()], "")


@host("triton_lower_kernel_source", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_lower_kernel_source(machine: Machine, source: Value, name: Value) -> list[Value]:
    """The Triton program of a 1-D kernel; gives `[text, status]`."""
    return _lowered(machine, lambda: _kernel(machine, source, name, LINEAR))


@host("triton_lower_kernel_source_2d", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_lower_kernel_source_2d(machine: Machine, source: Value, name: Value) -> list[Value]:
    """The Triton program of a 2-D kernel; gives `[text, status]`."""
    return _lowered(machine, lambda: _kernel(machine, source, name, GRID))


@host(
    "triton_lower_kernel_source_autotune", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True
)
def triton_lower_kernel_source_autotune(
    machine: Machine, source: Value, name: Value, candidates: Value
) -> list[Value]:
    """The Triton program of a 1-D kernel with block sizes to try; gives `[text, status]`."""
    return _lowered(machine, lambda: _tuned(machine, source, name, candidates))


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


# --- the registry of marked kernels ---


@host("gpu_load_own_kernels", 1, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_load_own_kernels(machine: Machine, path: Value) -> list[Value]:
    """The marked kernels of a program as a list of `[name, mode, source]`. A path of another
    machine means the file of that name beside the program, or where `--path-map` says."""
    from patlang_ir.diagnostics import Diagnostic
    from patlang_ir.frontend.includes import read_source

    written = string("gpu_load_own_kernels", 1, path)
    found = _own_file(machine, written)
    source = read_source(found)
    if isinstance(source, Diagnostic):
        help = "--path-map OLD=NEW maps a folder to another"
        raise Fault("P603", f"gpu_load_own_kernels: {source.message}", help)
    return _extracted(machine, "gpu_load_own_kernels", source, found)


def _own_file(machine: Machine, path: str) -> str:
    """Where a source file of the program is."""
    from patlang_ir.frontend.includes import find_include

    if os.path.isfile(path):
        return path
    found = find_include(path, machine.file, machine.path_map)
    if isinstance(found, str):
        return found
    beside = os.path.join(os.path.dirname(machine.file), path.replace("\\", "/").split("/")[-1])
    return beside if os.path.isfile(beside) else path


@host("gpu_extract_marked_kernels", 1, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_extract_marked_kernels(machine: Machine, source: Value) -> list[Value]:
    """The marked kernels in the text of a program as a list of `[name, mode, source]`."""
    name = "gpu_extract_marked_kernels"
    return _extracted(machine, name, string(name, 1, source), "<text>")


def _extracted(machine: Machine, name: str, source: str, file: str) -> list[Value]:
    from patlang_ir.diagnostics import CompileError
    from patlang_ir.frontend.kernel_sources import marked_kernels
    from patlang_ir.runtime.kernel_texts import reason

    try:
        found = marked_kernels(source, file, path_map=machine.path_map)
    except CompileError as error:
        raise Fault("P603", f"{name}: {reason(error)}") from None
    machine.kernels.remember(found)
    return [[kernel.name, MODES[kernel.kind], kernel.text] for kernel in found]


@host("gpu_kernel_lookup", 2, retains=(0,), gives=ANY_LIST)
def gpu_kernel_lookup(registry: Value, name: Value) -> list[Value]:
    """The first entry of a registry with this name; an empty list if there is none."""
    for entry in registry if is_list(registry) else ():
        if _is_entry(entry) and entry[0] == name:
            return entry
    return []


def _is_entry(entry: Value) -> bool:
    return is_list(entry) and len(entry) == 3


def _registered(registry: Value, name: Value, mode: str) -> tuple[str, str]:
    """The source and the name of a kernel of a registry, which must have this mode."""
    if not is_list(registry):
        raise _refused(f"the registry must be a list, not {describe(registry)}")
    entry = gpu_kernel_lookup(registry, name)
    if not entry:
        listed = ", ".join(text(entry[0]) for entry in registry if _is_entry(entry)) or "none"
        raise _refused(f"there is no kernel '{text(name)}'; the registry has: {listed}")
    if entry[1] != mode:
        instead = CALLERS.get(entry[1])
        help = f"; call it with {instead}" if instead else ""
        raise _refused(f"kernel '{name}' has the mode {text(entry[1])}, not {mode}{help}")
    return entry[2], entry[0]


@host("gpu_call_1d", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_1d(machine: Machine, registry: Value, name: Value, buffers: Value) -> list[Value]:
    """Run a 1-D kernel of a registry; gives `[output, status]`."""
    return _attempt(
        lambda: _run(
            machine, _kernel(machine, *_registered(registry, name, "1d"), LINEAR), buffers
        ),
        [],
    )


@host("gpu_call_1d_timed", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_1d_timed(
    machine: Machine, registry: Value, name: Value, buffers: Value, repetitions: Value
) -> list[Value]:
    """Run a 1-D kernel of a registry once, and then as often as is said, each time on the same
    elements; gives `[output, milliseconds, milliseconds of one run, status]`."""
    return _attempt(
        lambda: _time(
            machine,
            _kernel(machine, *_registered(registry, name, "1d"), LINEAR),
            buffers,
            repetitions,
        ),
        *([], 0.0, 0.0),
    )


@host("gpu_call_1d_autotune", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_1d_autotune(
    machine: Machine, registry: Value, name: Value, buffers: Value, candidates: Value
) -> list[Value]:
    """Run a 1-D kernel of a registry that may have any of the block sizes in `candidates`; gives
    `[output, status]`. A kernel with a reduction is refused."""
    return _attempt(
        lambda: _run(
            machine, _tuned(machine, *_registered(registry, name, "1d"), candidates), buffers
        ),
        [],
    )


@host("gpu_call_2d", 5, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_2d(machine: Machine, registry: Value, name: Value, *sized: Value) -> list[Value]:
    """Run a 2-D kernel of a registry on buffers that hold the rows one after the other; gives
    `[output, status]`."""
    rows, cols, buffers = sized
    return _attempt(
        lambda: _run(
            machine,
            _kernel(machine, *_registered(registry, name, "2d"), GRID),
            buffers,
            _shape(rows, cols),
        ),
        [],
    )
