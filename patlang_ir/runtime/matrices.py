"""The arguments of matmul kernels: matrices of any strides, and the sizes of blocks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, StringAttr
from xdsl.ir import SSAValue

from patlang_ir.analysis.matrix_extents import Matrix, matrices_of, solve_sizes
from patlang_ir.diagnostics import LaunchError
from patlang_ir.dialects import tile
from patlang_ir.runtime.arguments import (
    Memory,
    check_overlap,
    expect_scalar,
    is_used,
    launch_error,
)
from patlang_ir.runtime.usage import usage_of
from patlang_ir.targets import LARGEST_BLOCK

BLOCK_SIZES = ("BLOCK_M", "BLOCK_N", "BLOCK_K")


def check_matrices(kernel: tile.KernelOp, args: Sequence[Any]) -> dict[str, int]:
    """`M`, `N` and `K` of a call. Raises LaunchError if an argument does not fit."""
    shapes: dict[str, Sequence[int]] = {}
    ranges: list[Memory | None] = []
    written = usage_of(kernel).written
    for name, arg, value in zip(kernel.param_names, kernel.args, args, strict=True):
        if not isinstance(arg.type, tile.BufferType):
            if is_used(arg):
                expect_scalar(kernel, name, value)
            ranges.append(None)
            continue
        if not hasattr(value, "shape"):
            raise launch_error(
                kernel, "P502", f"'{name}' is a buffer, and {type(value).__name__} was given"
            )
        shapes[name] = tuple(value.shape)
        ranges.append(_memory_of(kernel, name, arg, value, written))
    sizes = solve_sizes(kernel, shapes, matrices=_matrices_of(kernel))
    check_overlap(kernel, ranges)
    return {str(size): extent for size, extent in sizes.items()}


@lru_cache(maxsize=256)
def _matrices_of(kernel: tile.KernelOp) -> tuple[Matrix, ...]:
    """The matrices of a compiled kernel, which does not change any more."""
    return matrices_of(kernel)


def _memory_of(
    kernel: tile.KernelOp, name: str, arg: SSAValue, value: Any, written: Collection[SSAValue]
) -> Memory:
    """The addresses of a matrix, from its lowest element to its highest."""
    if hasattr(value, "data_ptr"):
        start, width = value.data_ptr(), value.element_size()
        steps = [step * width for step in value.stride()]
    else:
        start, width, steps = value.ctypes.data, value.itemsize, value.strides
    shape = tuple(value.shape)
    if arg in written and _meets_itself(shape, steps):
        message = f"'{name}' is written, and several of its elements share memory"
        raise launch_error(kernel, "P506", message, "pass an array of its own")
    if 0 in shape:
        return Memory(name, start, start, shape)
    spans = [(size - 1) * step for size, step in zip(shape, steps, strict=True)]
    low, high = (sum(pick(span, 0) for span in spans) for pick in (min, max))
    return Memory(name, start + low, start + high + width, shape)


def _meets_itself(shape: Sequence[int], steps: Sequence[int]) -> bool:
    """Whether two elements may have one address."""
    longer = sorted((abs(s), n) for n, s in zip(shape, steps, strict=True) if n > 1)
    reach = 0
    for step, size in longer:
        if step <= reach:
            return True
        reach += step * (size - 1)
    return False


def as_matrices(
    kernel: tile.KernelOp, args: Sequence[Any], sizes: Mapping[str, int]
) -> Sequence[Any]:
    """The tensors of a call, those of one dimension as the matrices that they are row by row."""
    if not any(hasattr(arg, "dim") and arg.dim() == 1 for arg in args):
        return args
    extents = {m.name: [sizes.get(str(e), e) for e in m.extents] for m in _matrices_of(kernel)}
    return [
        _as_matrix(arg, *map(int, extents[name])) if name in extents else arg
        for name, arg in zip(kernel.param_names, args, strict=True)
    ]


def _as_matrix(tensor: Any, rows: int, cols: int) -> Any:
    if tensor.dim() != 1:
        return tensor
    step = tensor.stride(0)
    return tensor.as_strided((rows, cols), (cols * step, step))


def sizes_of_blocks(kernel: tile.KernelOp, given: Mapping[str, int]) -> dict[str, int] | None:
    """The sizes of blocks where the kernel's results depend on them; None where they do not.

    Raises LaunchError for sizes that are none, and where a kernel needs them and has none.
    """
    for name, size in given.items():
        if name not in BLOCK_SIZES:
            listed = ", ".join(BLOCK_SIZES)
            raise launch_error(kernel, "P501", f"there is no '{name}'", f"there are {listed}")
        if not 0 < size <= LARGEST_BLOCK or size & (size - 1):
            raise launch_error(
                kernel,
                "P501",
                f"{name} cannot be {size}",
                f"block sizes are powers of two up to {LARGEST_BLOCK}",
            )
    pinned = kernel.option("pinned")
    if not isinstance(pinned, StringAttr):
        return None
    sizes = {**marked_sizes(kernel), **given}
    missing = [name for name in BLOCK_SIZES if name not in sizes]
    if not missing:
        return sizes
    raise _unsized(kernel, pinned.data)


def _unsized(kernel: tile.KernelOp, reason: str) -> LaunchError:
    return launch_error(
        kernel,
        "P403",
        f"the result depends on the block sizes: {reason}",
        'say them, as in block={"BLOCK_M": 32, "BLOCK_N": 32, "BLOCK_K": 32}, or in the marker: '
        "# @gpu_kernel_matmul(block=[32, 32, 32])",
    )


def marked_sizes(kernel: tile.KernelOp) -> dict[str, int]:
    """The block sizes that the marker gives."""
    match kernel.option("block"):
        case ArrayAttr(data=items):
            sizes = [item.value.data for item in items if isinstance(item, IntegerAttr)]
            return dict(zip(BLOCK_SIZES, sizes, strict=False))
        case _:
            return {}
