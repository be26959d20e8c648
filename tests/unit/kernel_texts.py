"""Kernels from a few lines of PatLang, and every way to run them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute

import patlang_ir as pl
from patlang_ir.backends.numpy import Evaluator
from patlang_ir.diagnostics import CompileError, Diagnostic, LaunchError, RunError
from patlang_ir.dialects.tile import BufferType, KernelOp
from patlang_ir.runtime.compiler import Request, apply_pipeline

LINEAR, GRID, MATMUL = "# @gpu_kernel", "# @gpu_kernel_2d", "# @gpu_kernel_matmul"
Arrays = Sequence[Any]


def kernel_text(body: str, params: str = "x, out", marker: str = LINEAR) -> str:
    """A program with one kernel `k`. Its body stands in lines, or behind `;` in one."""
    lines = [line.strip() for line in body.replace(";", "\n").strip().splitlines()]
    inside = "\n".join(f"  {line}" for line in lines)
    return f"{marker}\nmake a function called k takes {params}\n{inside}\nend\n"


def run(body: str, *args: Any, params: str = "x, out", marker: str = LINEAR) -> Any:
    """The last argument, after the kernel wrote it."""
    pl.loads(kernel_text(body, params, marker))["k"](*args)
    return args[-1]


def run_host(text: str) -> Any:
    """What the program returns at its top level; its kernels run on the CPU."""
    return pl.loads(text).run(device="cpu")


def call_from_program(
    body: str, lists: Sequence[Any], params: str = "x, out", marker: str = LINEAR
) -> Any:
    """The last argument after a program called the kernel with these lists and numbers."""
    names = [f"a{i}" for i in range(len(lists))]
    lets = "".join(f"let {name} = {_patlang(v)}\n" for name, v in zip(names, lists, strict=True))
    call = f"k({', '.join(names)})\nreturn {names[-1]}\n"
    return run_host(kernel_text(body, params, marker) + lets + call)


def _patlang(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_patlang, value))}]"
    return str(value).lower() if isinstance(value, bool) else repr(value)


CUT = "tile-legalize-reductions{limit=4},tile-guard-accesses,tile-simplify,tile-plan-launches"


def gives(
    body: str,
    expected: Any,
    *inputs: Any,
    params: str = "x, out",
    marker: str = LINEAR,
    passes: str = CUT,
) -> None:
    """A kernel leaves `expected` in its last argument, however it is run.

    It is called from Python with arrays of f64, and of i64 for what is an index; evaluated in
    blocks of several sizes after the passes that a GPU needs; and called by a program with lists.
    """
    text = kernel_text(body, params, marker)
    kernel = tile_kernel(text)
    args = [_array(v, p.type) for v, p in zip(inputs, kernel.args, strict=True)]
    found = run(body, *(_own(a) for a in args), params=params, marker=marker)
    assert np.array_equal(found, np.asarray(expected), equal_nan=True), found
    shape = next(a.shape for a in args if isinstance(a, np.ndarray))
    flat = [a.reshape(-1) if isinstance(a, np.ndarray) else a for a in args]
    for cut, after in in_blocks(tile_kernel(text, passes), flat, shape):
        assert same(after[-1], found.reshape(-1)), (cut, after[-1])
    if marker.startswith(GRID):
        listed = _call_2d(text, shape, [v.tolist() if hasattr(v, "tolist") else v for v in flat])
    else:
        listed = call_from_program(body, inputs, params, marker)
    assert same(listed, found.reshape(-1)), listed


def _array(value: Any, type: Attribute) -> Any:
    if not isinstance(value, list):
        return value
    whole_numbers = isinstance(type, BufferType) and type.element == i64
    return np.array(value, "i8" if whole_numbers else "f8")


def _own(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) else value


def _call_2d(text: str, shape: Sequence[int], buffers: Sequence[Any]) -> Any:
    """The output of a 2-D kernel that a program calls by its name."""
    source = text.replace("\n", "\\n").replace('"', '\\"')
    rows, columns = shape
    result = run_host(
        f"""include "gpu_kernels"
        let kernels = gpu_extract_marked_kernels("{source}")
        return gpu_call_2d(kernels, "k", {rows}, {columns}, {_patlang(list(buffers))})"""
    )
    assert result[1] == ["Ok", ""], result
    return result[0]


def errors(text: str, *args: Any, kernel: str = "k") -> tuple[Diagnostic, ...]:
    """What is wrong with a program, or with a kernel of it, or with a call of that."""
    with pytest.raises((CompileError, LaunchError, RunError)) as caught:
        found = pl.loads(text)[kernel]
        found(*args)
    value = caught.value
    return value.diagnostics if isinstance(value, CompileError) else (value.diagnostic,)


def refused(
    body: str,
    code: str,
    at: str | None,
    *args: Any,
    params: str = "x, out",
    marker: str = LINEAR,
) -> Diagnostic:
    """The one error of a kernel, which has this code and stands where `at` starts in the text."""
    text = kernel_text(body, params, marker)
    found = errors(text, *(args or _some_arguments(params, marker)))
    assert [d.code for d in found] == [code], found
    assert found[0].message
    if at is not None:
        assert found[0].place is not None, found
        line = text.splitlines()[found[0].place.line - 1]
        assert line[found[0].place.column - 1 :].startswith(at), (line, found[0])
    return found[0]


def _some_arguments(params: str, marker: str) -> list[Any]:
    shape = (6,) if marker.startswith(LINEAR) and not marker.startswith(GRID) else (2, 3)
    return [np.ones(shape, np.float32) for _ in params.split(",")]


# --- every way to cut a kernel ---

ORDERS: dict[str, Callable[[int], Sequence[int]]] = {
    "forward": range,
    "backward": lambda count: range(count - 1, -1, -1),
    "shuffled": lambda count: random.Random(count).sample(range(count), count),
}


@cache
def tile_kernel(text: str, passes: str = "", **types: str) -> KernelOp:
    """The kernel `k` as an SSA program, after more passes; `types` is its signature."""
    compiler = pl.loads(text)["k"].compiler
    module = compiler.module("tile", Request(types, default="f64"))
    if passes:
        module = apply_pipeline(module, passes)
    (kernel,) = module.ops
    assert isinstance(kernel, KernelOp)
    return kernel


def sizes_of(kernel: KernelOp, shape: Sequence[int]) -> dict[str, int]:
    return dict(zip(("n",) if kernel.rank == 1 else ("n_rows", "n_cols"), shape, strict=True))


def cuts_of(kernel: KernelOp, sizes: Sequence[int]) -> Iterator[dict[str, int]]:
    """Block sizes of each axis: square blocks, flat ones and tall ones."""
    if kernel.rank == 1:
        yield from ({"BLOCK_SIZE": size} for size in sizes)
        return
    pairs = dict.fromkeys((*zip(sizes, sizes, strict=True), *zip(sizes, sizes[::-1], strict=True)))
    yield from ({"BLOCK_R": rows, "BLOCK_C": columns} for rows, columns in pairs)


def whole(kernel: KernelOp, args: Arrays, shape: Sequence[int]) -> list[Any]:
    """Copies of the arguments, after one block that covers the input exactly."""
    return _evaluated(Evaluator(kernel), args, sizes_of(kernel, shape))


def in_blocks(
    kernel: KernelOp, args: Arrays, shape: Sequence[int], sizes: Sequence[int] = (1, 3, 4, 8)
) -> Iterator[tuple[str, list[Any]]]:
    """Copies of the arguments after every cut of the input, in every order, with its name."""
    evaluator = Evaluator(kernel)
    for blocks in cuts_of(kernel, sizes):
        for name, order in ORDERS.items():
            after = _evaluated(evaluator, args, sizes_of(kernel, shape), blocks=blocks, order=order)
            yield f"{blocks} {name}", after


def _evaluated(
    evaluator: Evaluator, args: Arrays, sizes: Mapping[str, int], **how: Any
) -> list[Any]:
    copies = [_copy(a, p.type) for a, p in zip(args, evaluator.kernel.args, strict=True)]
    evaluator.run(copies, sizes=sizes, **how)
    return copies


def _copy(arg: Any, type: Attribute) -> Any:
    """A copy of an array; a 0 if the kernel does not use it."""
    if not isinstance(arg, np.ndarray):
        return arg
    return arg.copy() if isinstance(type, BufferType) else 0


def equal(a: Arrays, b: Arrays) -> bool:
    """The same bits in all arguments; all NaNs are one value."""
    return all(map(same, a, b))


def same(a: Any, b: Any) -> bool:
    """The same values, signs of zeros included."""
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype.kind != "f":
        return bool(np.array_equal(a, b))
    zeros = np.array_equal(np.signbit(a[a == 0]), np.signbit(b[b == 0]))
    return bool(np.array_equal(a, b, equal_nan=True) and zeros)
