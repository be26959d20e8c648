"""The library `gpu_kernels`: the marked kernels of a program, and calls of them by name."""

from __future__ import annotations

import os

from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Value, describe, is_list, text
from patlang_ir.stdlib.arguments import string
from patlang_ir.stdlib.kernel_calls import (
    ANY_LIST,
    GRID,
    LINEAR,
    MATMUL,
    attempt,
    kernel_of,
    or_error,
    refused,
    run,
    shape_of,
    time,
    tuned,
)
from patlang_ir.stdlib.registry import host

MODES = {LINEAR: "1d", GRID: "2d", MATMUL: "matmul"}
CALLERS = {"1d": "gpu_call_1d", "2d": "gpu_call_2d"}


@host("gpu_load_own_kernels", 1, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_load_own_kernels(machine: Machine, path: Value) -> list[Value]:
    """The marked kernels of a program as a list of `[name, mode, source]`; `["Err", message]` if
    the file cannot be read. A path of another machine means the file of that name beside the
    program, or where `--path-map` says."""
    return or_error(lambda: _loaded(machine, string("gpu_load_own_kernels", 1, path)))


def _loaded(machine: Machine, path: str) -> list[Value]:
    from patlang_ir.diagnostics import Diagnostic
    from patlang_ir.frontend.includes import read_source

    found = _own_file(machine, path)
    source = read_source(found)
    if isinstance(source, Diagnostic):
        raise refused(f"{source.message} (--path-map OLD=NEW maps a folder to another)")
    return _extracted(machine, source, found)


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
    """The marked kernels in the text of a program as a list of `[name, mode, source]`;
    `["Err", message]` if the text is no program."""
    name = "gpu_extract_marked_kernels"
    return or_error(lambda: _extracted(machine, string(name, 1, source), "<text>"))


def _extracted(machine: Machine, source: str, file: str) -> list[Value]:
    from patlang_ir.frontend.kernel_sources import marked_kernels

    found = marked_kernels(source, file, path_map=machine.path_map)
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
        raise refused(f"the registry must be a list, not {describe(registry)}")
    match registry:
        case ["Err", str(message)]:
            raise refused(f"the kernels were not loaded: {message}")
        case _:
            pass
    entry = gpu_kernel_lookup(registry, name)
    if not entry:
        listed = ", ".join(text(entry[0]) for entry in registry if _is_entry(entry)) or "none"
        raise refused(f"there is no kernel '{text(name)}'; the registry has: {listed}")
    if entry[1] != mode:
        instead = CALLERS.get(entry[1])
        help = f"; call it with {instead}" if instead else ""
        raise refused(f"kernel '{name}' has the mode {text(entry[1])}, not {mode}{help}")
    return entry[2], entry[0]


@host("gpu_call_1d", 3, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_1d(machine: Machine, registry: Value, name: Value, buffers: Value) -> list[Value]:
    """Run a 1-D kernel of a registry; gives `[output, status]`."""
    return attempt(
        lambda: run(
            machine, kernel_of(machine, *_registered(registry, name, "1d"), LINEAR), buffers
        ),
        [],
    )


@host("gpu_call_1d_timed", 4, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_1d_timed(
    machine: Machine, registry: Value, name: Value, buffers: Value, repetitions: Value
) -> list[Value]:
    """Run a 1-D kernel of a registry once, and then as often as is said, each time on the same
    elements; gives `[output, milliseconds, milliseconds of one run, status]`."""
    return attempt(
        lambda: time(
            machine,
            kernel_of(machine, *_registered(registry, name, "1d"), LINEAR),
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
    return attempt(
        lambda: run(
            machine, tuned(machine, *_registered(registry, name, "1d"), candidates), buffers
        ),
        [],
    )


@host("gpu_call_2d", 5, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def gpu_call_2d(machine: Machine, registry: Value, name: Value, *sized: Value) -> list[Value]:
    """Run a 2-D kernel of a registry on buffers that hold the rows one after the other; gives
    `[output, status]`."""
    rows, cols, buffers = sized
    return attempt(
        lambda: run(
            machine,
            kernel_of(machine, *_registered(registry, name, "2d"), GRID),
            buffers,
            shape_of(rows, cols),
        ),
        [],
    )
