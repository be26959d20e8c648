"""Answers of the kernels that try one feature each."""

from __future__ import annotations

import numpy as np

from kernel_answers.registry import Array, answer, at, lanes, saturated


@answer
def add(x: Array, y: Array, out: Array) -> None:
    out[:] = x + y


@answer
def axpy(x: Array, y: Array, out: Array, alpha: float) -> None:
    out[:] = x * alpha + y


@answer
def relu(x: Array, out: Array) -> None:
    out[:] = np.where(x > 0, x, 0)


@answer
def limit(x: Array, out: Array, low: int, high: int) -> None:
    out[:] = np.where(x < low, low, np.where(x > high, high, x))


@answer
def polynomial(x: Array, out: Array) -> None:
    out[:] = ((2.0 * x - 3.0) * x + 0.5) * x - 1.25


@answer
def names(x: Array, out: Array) -> None:
    double = x + x + 1.0
    rest = double - x
    out[:] = np.abs(rest) * 0.5 + double


@answer
def retyped(x: Array, out: Array) -> None:
    out[:] = np.where((x + 3 > 2) & (lanes(x) % 2 == 0), 1.0, 0.25)


@answer
def quotients(x: Array, out: Array) -> None:
    wide = x.dtype if x.dtype.kind == "f" else np.dtype(np.float64)
    out[:] = x.astype(wide) / wide.type(4) + np.fmod(x + 7, 3).astype(wide)


@answer
def bits(x: Array, out: Array) -> None:
    for i, v in enumerate(map(int, x)):
        word = (((v & 6) | ~v) ^ 3) + (v << 2) - (v >> 1)
        out[i] = np.array(word, np.int64).astype(out.dtype)


@answer
def flags(x: Array, out: Array) -> None:
    for i, v in enumerate(x):
        out[i] = ((v > 1 and v != 3) or v < -2) and v != -3


@answer
def outputs(x: Array, unused: Array, total: Array, odd: Array) -> None:
    total[:] = x * 2
    odd[:] = -1
    odd[1::2] = x[1::2]


@answer
def in_place(x: Array) -> None:
    x[:] = x * 2 + 1


@answer
def count_up(out: Array) -> None:
    out[:] = [3 * i + len(out) for i in range(len(out))]


@answer
def statements(x: Array, out: Array) -> None:
    out[:] = (x + x) * 3.0 - (x + x)


@answer
def shifted(x: Array, out: Array) -> None:
    padded = np.concatenate([np.zeros(1, x.dtype), x, np.zeros(2, x.dtype)])
    out[:] = padded[: x.size] + padded[3:]


@answer
def halves(x: Array, out: Array) -> None:
    i = lanes(x)
    out[:] = at(x, i / 2) - at(x, (3 - i) / 2)


@answer
def scaled_index(x: Array, out: Array) -> None:
    i = lanes(x)
    out[:] = at(x, i * 0.5) + at(x, i * 1.5 - 2.25)


@answer
def exact_quotient(x: Array, out: Array) -> None:
    out[:1] = x[:1]
    out[1:] = x[1] if x.size > 1 else 0


@answer
def gather(x: Array, at: Array, out: Array) -> None:
    for i, j in enumerate(at):
        out[i] = x[j] if 0 <= j < len(x) else 0


@answer
def gather_twice(x: Array, at: Array, far: Array, out: Array) -> None:
    for i, j in enumerate(at):
        k = far[j]
        out[i] = (x[k] if 0 <= k < len(x) else 0.0) + 1.0


@answer
def scatter(x: Array, at: Array, out: Array) -> None:
    for i, j in enumerate(at):
        out[j] = x[i]


@answer
def reversed(x: Array, out: Array) -> None:
    out[:] = x[::-1]


@answer
def ends(x: Array, out: Array) -> None:
    if x.size:
        out[:] = x[0] + x[-1]


@answer
def one_cell(x: Array, out: Array, k: int) -> None:
    out[k] = x[k + 1] if k + 1 < x.size else 0
    out[k + 1] = x.size


@answer
def histogram(at: Array, out: Array) -> None:
    for j in at:
        if 0 <= j < len(out):
            out[j] += 1


@answer
def extremes(x: Array, high: Array, low: Array) -> None:
    high[0] = max([*x, high[0]])
    low[0] = min([*x, low[0]])


@answer
def converted(x: Array, out: Array, wide: Array) -> None:
    out[:] = (x * 100).astype(np.int8) if x.dtype.kind == "i" else saturated(x * 100, np.int8)
    wide[:] = saturated(x * 0.75, np.int64)


@answer
def power(x: Array, out: Array) -> None:
    a = np.ones_like(x)
    for i in (5, 7, 9):
        a = a * x + i
    out[:] = a + 9


@answer
def countdown(x: Array, out: Array) -> None:
    a = np.zeros_like(x)
    i = x.size
    while i >= 2:
        a = a + i * x
        i -= 3
    out[:] = a * 10 + i


@answer
def never(x: Array, out: Array, **scalars: int) -> None:
    j = scalars["bound"]
    while j < scalars["from"]:
        j += scalars["step"]
    out[:] = x + 100 * scalars["from"] + j


@answer
def doubling(x: Array, out: Array) -> None:
    i, a = 1, x
    while i < x.size:
        a = a * 0.5 + i
        i *= 2
    out[:] = a


@answer
def small_steps(x: Array, out: Array) -> None:
    a = np.zeros_like(x)
    for eighth in range(8):
        a = a + x * (eighth / 8)
    out[:] = a


@answer
def as_told(x: Array, turns: Array, out: Array) -> None:
    a = np.ones_like(x)
    for _ in range(int(turns[0])):
        a = a * 2 - x
    out[:] = a


@answer
def triangle(x: Array, out: Array) -> None:
    a = np.zeros_like(x)
    for i in range(4):
        for j in range(i, -1, -1):
            if (i + j) % 2 == 0:
                a = a + x
            elif j > 1:
                a = a * 1.5
            else:
                for _ in range(j):
                    a = a - 0.25
    out[:] = a


@answer
def rotating(x: Array, out: Array) -> None:
    out[:] = x + 5 + 4


@answer
def prefix(x: Array, out: Array) -> None:
    a = x.dtype.type(0)
    for i, v in enumerate(x):
        a = a + v
        out[i] = a


@answer
def modes(x: Array, out: Array, mode: int, scale: float, loud: bool) -> None:
    assert mode == 2 and loud
    r = x * scale + 1.0
    out[:] = r if x.size % 2 == 0 else r + 1000


@answer
def stores_in_loops(x: Array, out: Array) -> None:
    for i in range(5):
        out[:] = out * 0.5 + x
        if i == 3:
            out += 1


@answer
def logistic(x: Array, out: Array) -> None:
    for lane, c in enumerate(x):
        z, alive = x.dtype.type(0), 0
        while alive < 20 and z * z < 4:
            z = z * z + c
            alive += 1
        out[lane] = alive


@answer
def scale_rows(x: Array, out: Array) -> None:
    for r, row in enumerate(x):
        for c, v in enumerate(row):
            out[r, c] = v * x.dtype.type(r + 1) + x.dtype.type(c)


@answer
def transpose(x: Array, out: Array) -> None:
    out[:] = x.T


@answer
def affine(x: Array, bias: Array, gain: Array, out: Array) -> None:
    out[:] = x * gain[:, None] + bias[None, :]


@answer
def blur(x: Array, out: Array) -> None:
    padded = np.pad(x, 1)
    up, down = padded[:-2, 1:-1], padded[2:, 1:-1]
    left, right = padded[1:-1, :-2], padded[1:-1, 2:]
    out[:] = up + down + left + right - 4 * x


@answer
def first_of_rows(x: Array, out: Array) -> None:
    for r, row in enumerate(x):
        a = x.dtype.type(0)
        for v in row:
            a = a * 2 + v
        out[r] = a


@answer
def checkerboard(x: Array, out: Array) -> None:
    rows, cols = x.shape
    for r in range(rows):
        for c in range(cols):
            if rows > cols:
                out[r, c] = x[r, c] if (r + c) % 2 == 0 else -1
            else:
                out[r, c] = x[r, c] if r == c else 0


@answer
def positions(x: Array, out: Array) -> None:
    for (r, c), v in np.ndenumerate(x):
        out[r, c] = 1000 * r + 10 * c + int(x[0, 0] > v)


@answer
def total(x: Array, out: Array) -> None:
    out[0] = sum(map(int, x))


@answer
def statistics(x: Array, out: Array) -> None:
    values = [int(v) for v in x]
    high, low = max(values), min(values)
    out[:] = [high, low, values.index(high) + 100 * values.index(low)]


@answer
def centred(x: Array, out: Array) -> None:
    out[:] = [int(v) * x.size - sum(map(int, x)) for v in x]


@answer
def questions(x: Array, out: Array) -> None:
    out[:] = [4 in x or 5 in x, -4 not in x]


@answer
def row_shares(x: Array, out: Array) -> None:
    for r, row in enumerate(x):
        out[r] = [(v - max(row)) * x.dtype.type(sum(map(int, row))) for v in row]


@answer
def column_sums(x: Array, out: Array) -> None:
    out[:] = [sum(map(int, column)) for column in x.T]


@answer
def grand_total(x: Array, out: Array) -> None:
    found = sum(map(int, x.reshape(-1)))
    out[0] = found if found > 0 else -len(x)
