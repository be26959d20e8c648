"""The part of the libraries `triton` and `lower_triton` that is about products of matrices.

Matrices are lists that hold the rows one after the other, and numbers cross as f32.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING

from patlang_ir.runtime.host_kinds import TEXT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.values import Fault, Value, describe, is_list, text
from patlang_ir.stdlib.kernel_calls import ANY_LIST, MATMUL, attempt, kernel_of, refused
from patlang_ir.stdlib.registry import host

if TYPE_CHECKING:
    from patlang_ir.runtime.kernel import Kernel

FIXED = "matmul"
LARGEST = 1 << 31


def fixed_kernel() -> str:
    """The text of the kernel that is used where none is given."""
    return files("patlang_ir.stdlib").joinpath("matmul.patlang").read_text(encoding="utf-8")


@host("triton_run_matmul", 5, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_matmul(machine: Machine, a: Value, b: Value, *sizes: Value) -> list[Value]:
    """The product of a matrix of `m` x `k` and one of `k` x `n`; gives `[product, status]`."""
    return attempt(
        lambda: _product(machine, kernel_of(machine, fixed_kernel(), FIXED, MATMUL), a, b, sizes),
        [],
    )


@host("triton_run_matmul_from_source", 10, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_run_matmul_from_source(
    machine: Machine, source: Value, name: Value, *rest: Value
) -> list[Value]:
    """Run a matmul kernel of three parameters given by its source and name, in blocks of these
    sizes, on matrices of `m` x `k`, `k` x `n` and `m` x `n`; gives `[output, status]`."""
    a, b, *sizes = rest
    return attempt(
        lambda: _product(
            machine,
            kernel_of(machine, source, name, MATMUL),
            *(a, b, sizes[:3]),
            blocks=sizes[3:],
        ),
        [],
    )


@host("triton_lower_kernel_source_matmul", 2, pure=False, fresh=True, gives=ANY_LIST, stateful=True)
def triton_lower_kernel_source_matmul(machine: Machine, source: Value, name: Value) -> list[Value]:
    """The Triton program of a matmul kernel; gives `[text, status]`."""
    return attempt(lambda: [kernel_of(machine, source, name, MATMUL).triton_source()], "")


@host("triton_matmul_kernel_source", 7, pure=False, gives=TEXT, stateful=True)
def triton_matmul_kernel_source(machine: Machine, name: Value, *sizes: Value) -> str:
    """The Triton program of the product of two matrices, under this name; it is right for all
    sizes of matrices."""
    if type(name) is not str or not name.isidentifier():
        shown = f"'{name}'" if type(name) is str else describe(name)
        raise Fault("P603", f"triton_matmul_kernel_source: {shown} is not a name for a kernel")
    source = fixed_kernel().replace(f"called {FIXED} ", f"called {name} ")
    found, status = attempt(lambda: [kernel_of(machine, source, name, MATMUL).triton_source()], "")
    if status[0] == "Err":
        raise Fault("P603", f"triton_matmul_kernel_source: {status[1]}")
    return found


def _product(
    machine: Machine,
    kernel: Kernel,
    a: Value,
    b: Value,
    sizes: Sequence[Value],
    *,
    blocks: Sequence[Value] = (),
) -> list[Value]:
    """Run a kernel on two matrices and an output of zeros; gives the output, row by row."""
    m, k, n = (_size(name, value) for name, value in zip("mkn", sizes, strict=True))
    if len(kernel.params) != 3:
        raise refused(
            f"kernel '{kernel.name}' takes {len(kernel.params)} parameters, and 3 are needed: two "
            "matrices and the output"
        )
    _expect_matrix(kernel.params[0], a, m, k)
    _expect_matrix(kernel.params[1], b, k, n)
    block = {
        symbol: _size(symbol, value)
        for symbol, value in zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), blocks, strict=False)
    }
    shapes = ((m, k), (k, n), (m, n))
    args = [a, b, [0.0] * (m * n)]
    call = machine.kernels.runner.prepare(kernel, args, shapes=shapes, block=block)
    call.run()
    found = call.results()[2]
    product = call.arrays[2] if found is None else found
    return [product.reshape(-1).astype("float64").tolist()]


def _size(what: str, value: Value) -> int:
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not 0 <= value <= LARGEST:
        shown = text(value) if type(value) in (int, float) else describe(value)
        raise refused(f"{what} must be a whole number of 0 to {LARGEST}, not {shown}")
    return value


def _expect_matrix(name: str, value: Value, rows: int, cols: int) -> None:
    if is_list(value) and len(value) == rows * cols:
        return
    found = f"{len(value)}" if is_list(value) else describe(value)
    raise refused(f"'{name}' must have {rows} x {cols} elements, and it has {found}")
