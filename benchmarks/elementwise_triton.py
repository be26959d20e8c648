"""The kernels of `elementwise.patlang`, written by hand in Triton: offsets of 32 bits and masks.

With `FAST` they use the approximate units of the device, as `math="fast"` does.
"""

# ruff: noqa: PLR0917
from __future__ import annotations

import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def add(x, y, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.load(y + offs, mask=mask)
    tl.store(out + offs, a + b, mask=mask)


@triton.jit
def axpy(a, x, y, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    b = tl.load(x + offs, mask=mask)
    c = tl.load(y + offs, mask=mask)
    tl.store(out + offs, a * b + c, mask=mask)


@triton.jit
def multiply_add(x, y, z, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    a = tl.load(x + offs, mask=mask)
    b = tl.load(y + offs, mask=mask)
    c = tl.load(z + offs, mask=mask)
    tl.store(out + offs, a * b + c, mask=mask)


@triton.jit
def gelu(x, out, n, BLOCK_SIZE: tl.constexpr, FAST: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    v = tl.load(x + offs, mask=mask).to(tl.float32)
    gate = tl.sigmoid(1.702 * v) if FAST else tl.div_rn(1.0, 1.0 + libdevice.exp(-1.702 * v))
    tl.store(out + offs, v * gate, mask=mask)


@triton.jit
def normalize(x, y, out, n, BLOCK_SIZE: tl.constexpr, FAST: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    a = tl.load(x + offs, mask=mask).to(tl.float32)
    b = tl.load(y + offs, mask=mask).to(tl.float32)
    result = a / tl.sqrt(b + 1e-5) if FAST else tl.div_rn(a, tl.sqrt_rn(b + 1e-5))
    tl.store(out + offs, result, mask=mask)


@triton.jit
def smooth(x, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    left = tl.load(x + offs - 1, mask=(offs >= 1) & (offs < n + 1), other=0.0)
    right = tl.load(x + offs + 1, mask=offs < n - 1, other=0.0)
    left_2 = tl.load(x + offs - 2, mask=(offs >= 2) & (offs < n + 2), other=0.0)
    right_2 = tl.load(x + offs + 2, mask=offs < n - 2, other=0.0)
    middle = tl.load(x + offs, mask=mask)
    near = left + right
    far = left_2 + right_2
    tl.store(out + offs, 0.375 * middle + 0.25 * near + 0.0625 * far, mask=mask)


@triton.jit
def laplace(x, out, n_rows, n_cols, BLOCK_R: tl.constexpr, BLOCK_C: tl.constexpr):
    row = (tl.program_id(0) * BLOCK_R + tl.arange(0, BLOCK_R))[:, None]
    col = (tl.program_id(1) * BLOCK_C + tl.arange(0, BLOCK_C))[None, :]
    offs = row * n_cols + col
    mask = (row < n_rows) & (col < n_cols)
    left = tl.load(x + offs - 1, mask=mask & (col > 0), other=0.0)
    right = tl.load(x + offs + 1, mask=mask & (col < n_cols - 1), other=0.0)
    above = tl.load(x + offs - n_cols, mask=mask & (row > 0), other=0.0)
    below = tl.load(x + offs + n_cols, mask=mask & (row < n_rows - 1), other=0.0)
    middle = tl.load(x + offs, mask=mask)
    tl.store(out + offs, left + right + (above + below) - 4.0 * middle, mask=mask)


@triton.jit
def gather(index, x, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    i = tl.load(index + offs, mask=mask, other=0)
    v = tl.load(x + i, mask=mask & (i >= 0) & (i < n), other=0.0)
    tl.store(out + offs, v, mask=mask)


@triton.jit
def scale_bias(x, scale, bias, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    v = tl.load(x + offs, mask=mask).to(tl.float32)
    tl.store(out + offs, v * tl.load(scale) + tl.load(bias), mask=mask)


@triton.jit
def mix(x, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    tl.store(out + offs, v // 7 * 3 + v % 1009, mask=mask)


@triton.jit
def saturate(x, out, n, BLOCK_SIZE: tl.constexpr):
    offs = tl.program_id(0) * BLOCK_SIZE + tl.arange(0, BLOCK_SIZE)
    mask = offs < n
    v = tl.load(x + offs, mask=mask)
    v = tl.clamp(v, -2.0, 2.0, propagate_nan=tl.PropagateNan.ALL)
    v = tl.where(v < 0.0, 0.25 * v, v)
    tl.store(out + offs, tl.where(v > 1.0, 1.0 + 0.5 * (v - 1.0), v), mask=mask)
