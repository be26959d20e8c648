"""Kernels on matrices as typed `tile` IR, and the matrices that they are tried on.

It needs NumPy and the compiler, but neither torch nor Triton.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

NUMPY = {"f16": "float16", "f32": "float32", "f64": "float64", "i8": "int8", "i32": "int32"}
SUMS = {"f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64", "i8": "i32"}

EPILOGUES = {
    "": "",
    # x * (1 + tanh) / 2 is left out: it needs the device library. A smooth bend by select instead.
    "bend": """
    %half = tile.constant 0.5 : f32
    %halves = tile.broadcast %half : f32 -> C<f32>
    %zeros = tile.broadcast %none : f32 -> C<f32>
    %below = tile.compare lt %last, %zeros : C<f32> -> C<i1>
    %smaller = tile.mul %last, %halves : C<f32>
    %bent = tile.select %below, %smaller, %last : C<i1>, C<f32>""",
}


def product(
    factor: str = "f16",
    result: str | None = None,
    *,
    precision: str = "ieee",
    turned: bool = False,
    epilogue: str = "",
    bias: bool = False,
    before: str = "",
) -> str:
    """`c = a @ b`; with `turned` b has N rows and is transposed in the kernel.

    `bias` adds a matrix of one row, `before` is what is done with each block of a.
    """
    total = SUMS[factor]
    result = result or total
    b_sizes = "BLOCK_N, BLOCK_K" if turned else "BLOCK_K, BLOCK_N"
    b_start, b_extents = ("%col, %zero", "%N x %K") if turned else ("%zero, %col", "%K x %N")
    b_steps = "%zero, %block_k" if turned else "%block_k, %zero"
    turn = "%b_block = tile.transpose %b_loaded : LB -> B" if turned else ""
    loaded = "%b_loaded" if turned else "%b_block"
    bias_parameter = f'%bias "bias" : !tile.buffer<{total}>, ' if bias else ""
    a_used = "%a_done" if before else "%a_block"
    zero = "0" if total == "i32" else "0.0"
    lines = f"""
tile.kernel @matmul matmul(%a "a" : !tile.buffer<{factor}>, %b "b" : !tile.buffer<{factor}>,
    {bias_parameter}%c "c" : !tile.buffer<{result}>) {{
  tile.stage {{
    %M = tile.size M : i64
    %N = tile.size N : i64
    %K = tile.size K : i64
    %pid_m = tile.program 0 : i64
    %pid_n = tile.program 1 : i64
    %block_m = tile.block_size BLOCK_M : i64
    %block_n = tile.block_size BLOCK_N : i64
    %block_k = tile.block_size BLOCK_K : i64
    %row = tile.mul %pid_m, %block_m : i64
    %col = tile.mul %pid_n, %block_n : i64
    %zero = tile.constant 0 : i64
    %one = tile.constant 1 : i64
    %pa = tile.block_pointer %a[%row, %zero] of %M x %K as [BLOCK_M, BLOCK_K]
      : !tile.buffer<{factor}>, i64, i64, i64, i64 -> PA
    %pb = tile.block_pointer %b[{b_start}] of {b_extents} as [{b_sizes}]
      : !tile.buffer<{factor}>, i64, i64, i64, i64 -> PB
    %none = tile.constant {zero} : {total}
    %start = tile.broadcast %none : {total} -> C<{total}>
    %sum, %pa2, %pb2 = scf.for %k = %zero to %K step %block_k
        iter_args(%acc = %start, %qa = %pa, %qb = %pb) -> (C<{total}>, PA, PB) : i64 {{
      %a_block = tile.load_block %qa : PA -> A
      {loaded} = tile.load_block %qb : PB -> LB
      {turn}
      {before}
      %acc_2 = tile.dot {precision} {a_used}, %b_block, %acc : A, B, C<{total}>
      %na = tile.advance %qa by %zero, %block_k : PA, i64, i64
      %nb = tile.advance %qb by {b_steps} : PB, i64, i64
      scf.yield %acc_2, %na, %nb : C<{total}>, PA, PB
    }}
    {BIAS if bias else ""}
    {EPILOGUES[epilogue].replace("%last", "%biased" if bias else "%sum")}
    %result = tile.cast LAST : C<{total}> -> C<{result}>
    %pc = tile.block_pointer %c[%row, %col] of %M x %N as [BLOCK_M, BLOCK_N]
      : !tile.buffer<{result}>, i64, i64, i64, i64 -> PC
    tile.store_block %result, %pc : C<{result}>, PC
  }}
}}
"""
    cast = f"    %result = tile.cast LAST : C<{total}> -> C<{result}>\n"
    if result == total:
        lines = lines.replace(cast, "").replace("%result", "LAST")
    last = "%bent" if epilogue else "%biased" if bias else "%sum"
    lines = lines.replace("LAST", last).replace("TOTAL", total)
    types = {
        "PA": f"!tile.access<[BLOCK_M, BLOCK_K], {factor}>",
        "PB": f"!tile.access<[{b_sizes}], {factor}>",
        "PC": f"!tile.access<[BLOCK_M, BLOCK_N], {result}>",
        "PBIAS": f"!tile.access<[1, BLOCK_N], {total}>",
        "ROW": f"!tile.tile<[1, BLOCK_N], {total}>",
        "LB": f"!tile.tile<[{b_sizes}], {factor}>",
        "A": f"!tile.tile<[BLOCK_M, BLOCK_K], {factor}>",
        "B": f"!tile.tile<[BLOCK_K, BLOCK_N], {factor}>",
    }
    lines = re.sub(r"\bC<(\w+)>", r"!tile.tile<[BLOCK_M, BLOCK_N], \1>", lines)
    return re.sub(rf"(?<![%\w])({'|'.join(types)})\b", lambda found: types[found[1]], lines)


BIAS = """%pbias = tile.block_pointer %bias[%zero, %col] of %one x %N as [1, BLOCK_N]
      : !tile.buffer<TOTAL>, i64, i64, i64, i64 -> PBIAS
    %bias_row = tile.load_block %pbias : PBIAS -> ROW
    %bias_block = tile.broadcast %bias_row : ROW -> C<TOTAL>
    %biased = tile.add %sum, %bias_block : C<TOTAL>"""

SHAPES = (
    (2, 2, 3),
    (37, 41, 29),
    (1, 1, 1),
    (1, 5, 70),
    (70, 1, 5),
    (5, 7, 0),
    *((m, n, k) for m in (127, 128, 129) for n in (127, 129) for k in (127, 128, 129)),
)
"""M, N and K."""


@dataclass(frozen=True)
class View:
    """A matrix within a larger piece of memory: rows may lie far apart, or stand as columns."""

    storage: Array
    shape: tuple[int, int]
    strides: tuple[int, int]
    offset: int

    @property
    def array(self) -> Array:
        size = self.storage.itemsize
        return np.lib.stride_tricks.as_strided(
            self.storage[self.offset :], self.shape, tuple(s * size for s in self.strides)
        )

    def outside(self) -> Array:
        """The memory around the matrix."""
        inside = np.zeros(self.storage.shape, bool)
        View(inside, self.shape, self.strides, self.offset).array[...] = True
        return self.storage[~inside]


LAYOUTS = ("rows", "padded", "columns", "gaps", "odd")


def view(rng: np.random.Generator, shape: tuple[int, int], dtype: str, layout: str) -> View:
    """Random numbers in a layout, with noise around them."""
    rows, cols = shape
    strides = {
        "rows": (cols, 1),
        "padded": (cols + 8, 1),
        "columns": (1, rows),
        "gaps": (2 * cols + 3, 2),
        "odd": (1, rows + 3),
    }[layout]
    offset = 16 if layout != "odd" else 7
    reach = sum((max(n, 1) - 1) * s for n, s in zip(shape, strides, strict=True))
    size = offset + reach + 17
    if np.dtype(dtype).kind == "i":
        storage = rng.integers(-20, 20, size).astype(dtype)
    else:
        storage = rng.normal(size=size).astype(dtype)
    result = View(storage, shape, strides, offset)
    inside = result.array.copy()
    if storage.dtype.kind == "f":
        storage[...] = np.nan
    else:
        storage[...] = 99
    result.array[...] = inside
    return result
