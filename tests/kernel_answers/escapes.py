"""Answers of the kernels whose lanes stop each for itself, lane by lane."""

from __future__ import annotations

import numpy as np

from kernel_answers.registry import Array, answer


@answer
def escape_times(re: Array, im: Array, out: Array) -> None:
    for i in range(re.size):
        zr = zi = re.dtype.type(0)
        steps = 0
        while steps < 40 and zr * zr + zi * zi <= 4:
            zr, zi = zr * zr - zi * zi + re[i], 2 * zr * zi + im[i]
            steps += 1
        out[i] = steps


@answer
def newton_roots(x: Array, out: Array) -> None:
    half = x.dtype.type(0.5)
    for i in range(x.size):
        root = x[i] + x.dtype.type(1)
        while half * (root + x[i] / root) < root:
            root = half * (root + x[i] / root)
        out[i] = root


@answer
def digit_sums(x: Array, out: Array) -> None:
    out[:] = [sum(map(int, str(abs(int(v))))) for v in x]


@answer
def halvings(x: Array, out: Array) -> None:
    for row, col in np.ndindex(x.shape):
        v, count = x[row, col], 0
        while v > col:
            v, count = v * 0.5 - row, count + 1
        out[row, col] = count
