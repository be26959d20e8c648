"""Answers of the kernels that somebody would write for a purpose."""

from __future__ import annotations

import math

import numpy as np

from kernel_answers.registry import Array, answer, at, lanes, rounded

# --- training.patlang ---


@answer
def adam(p: Array, g: Array, m: Array, v: Array, **rates: float) -> None:
    b1, b2, typed = rates["b1"], rates["b2"], p.dtype.type
    m[:] = b1 * m + typed(1 - b1) * g
    v[:] = b2 * v + typed(1 - b2) * g * g
    p[:] = p - rates["lr"] * (m / rates["c1"]) / (np.sqrt(v / rates["c2"]) + 1e-8)


@answer
def momentum(p: Array, g: Array, moved: Array, **rates: float) -> None:
    moved[:] = rates["keep"] * moved + g
    p[:] = p - rates["lr"] * (g + rates["keep"] * moved)


@answer
def clip_largest(g: Array, out: Array, limit: float) -> None:
    largest = np.abs(g).max(initial=0)
    out[:] = g * (limit / largest if largest > limit else 1)


@answer
def embedding(out: Array, ids: Array, table: Array) -> None:
    rows, cols = np.indices(out.shape)
    out[:] = at(table, ids[rows] * out.shape[1] + cols)


@answer
def one_hot(out: Array, label: Array) -> None:
    out[:] = label[:, None] == np.arange(out.shape[1])


@answer
def causal(x: Array, out: Array) -> None:
    for (r, c), v in np.ndenumerate(x):
        out[r, c] = v * x.dtype.type(0.125) if c <= r else -np.inf


@answer
def accuracy(x: Array, label: Array, right: Array) -> None:
    right[:] = [list(row).index(max(row)) == j for row, j in zip(x, label, strict=True)]


@answer
def dropout(x: Array, seed: int, out: Array) -> None:
    for i, v in enumerate(x):
        h = (i * 2654435761 + seed) & 0xFFFFFFFF
        h = ((h ^ h >> 16) * 73244475) & 0xFFFFFFFF
        out[i] = v / x.dtype.type(0.75) if (h >> 16) >= 0x4000 else 0


# --- images.patlang ---


def neighbours(x: Array, mode: str = "constant") -> dict[tuple[int, int], Array]:
    """The image, shifted by up to one row and column; outside it are zeros, or what `mode` says."""
    rows, cols = x.shape
    padded = np.pad(x, 1, mode=mode) if x.size else np.zeros((rows + 2, cols + 2), x.dtype)
    return {
        (r, c): padded[1 + r : 1 + r + rows, 1 + c : 1 + c + cols]
        for r in (-1, 0, 1)
        for c in (-1, 0, 1)
    }


@answer
def box(x: Array, out: Array) -> None:
    out[:] = 0
    for shifted in neighbours(x, "edge").values():
        out[:] = out + shifted


@answer
def edges(x: Array, out: Array) -> None:
    near = neighbours(x)
    across, along = near[0, 1] - near[0, -1], near[1, 0] - near[-1, 0]
    out[:] = np.maximum(np.abs(across), np.abs(along))


@answer
def life(x: Array, out: Array) -> None:
    rows, cols = x.shape
    for (r, c), alive in np.ndenumerate(x):
        around = sum(
            int(x[(r + i) % rows, (c + j) % cols])
            for i in (-1, 0, 1)
            for j in (-1, 0, 1)
            if (i, j) != (0, 0)
        )
        out[r, c] = around == 3 or (around == 2 and alive == 1)


@answer
def largest_of_four(out: Array, x: Array, width: int) -> None:
    rows, cols = np.indices(out.shape)
    corner = 2 * rows * width + 2 * cols
    out[:] = np.max([at(x, corner + step) for step in (0, 1, width, width + 1)], axis=0)


@answer
def enlarge(out: Array, x: Array, width: int) -> None:
    rows, cols = np.indices(out.shape)
    out[:] = at(x, rows // 3 * width + cols // 3)


@answer
def frame(out: Array, x: Array) -> None:
    out[:] = -1
    inner = out[1:12, 1:8]
    inner[:] = x[: inner.shape[0], : inner.shape[1]]


@answer
def brighten(x: Array, out: Array, gain: float) -> None:
    out[:] = [min(int(v * gain + 10), 255) for v in map(int, x)]


@answer
def grey(out: Array, rgb: Array) -> None:
    i = lanes(out) * 3
    red, green, blue = (at(rgb, i + part).astype(float) for part in range(3))
    out[:] = np.floor(0.25 * red + 0.625 * green + 0.125 * blue + 0.5)


@answer
def quantize_rows(x: Array, scale: Array, out: Array) -> None:
    for r, row in enumerate(x):
        scale[r] = np.maximum(np.abs(row).max(), 1) / 127
        out[r] = rounded(row / scale[r])


@answer
def unpack(out: Array, packed: Array, zero: int, scale: float) -> None:
    for i, pair in enumerate(at(packed, lanes(out) // 2)):
        digit = pair // 16 if i % 2 else pair % 16
        out[i] = (int(digit) - zero) * scale


# --- algorithms.patlang ---


@answer
def collatz(x: Array, out: Array) -> None:
    for i, v in enumerate(map(int, x)):
        out[i] = 0
        while v > 1:
            v = 3 * v + 1 if v % 2 else v // 2
            out[i] += 1


@answer
def common_divisor(x: Array, y: Array, out: Array) -> None:
    out[:] = [math.gcd(a, b) for a, b in zip(map(int, x), map(int, y), strict=True)]


@answer
def whole_root(x: Array, out: Array) -> None:
    out[:] = [math.isqrt(v) for v in map(int, x)]


@answer
def julia(x: Array, y: Array, out: Array, limit: int) -> None:
    for i, (a, b) in enumerate(zip(x / 2, y / 2, strict=True)):
        out[i] = 0
        while out[i] < limit and a * a + b * b < 4:
            two = x.dtype.type(2)
            a, b = a * a - b * b - x.dtype.type(0.75), two * a * b + x.dtype.type(0.125)
            out[i] += 1


@answer
def ones(x: Array, out: Array) -> None:
    out[:] = [(v & 0xFFFFFFFF).bit_count() for v in map(int, x)]


@answer
def parity(x: Array, out: Array) -> None:
    out[:] = [(v & 0xFF).bit_count() % 2 for v in map(int, x)]


@answer
def xorshift(x: Array, out: Array) -> None:
    for i, s in enumerate(map(int, x)):
        for _ in range(3):
            s = (s ^ s << 13) & 0xFFFFFFFF
            s ^= s >> 17
            s = (s ^ s << 5) & 0xFFFFFFFF
        out[i] = s - (1 << 32) if s >> 31 else s


@answer
def keep_positive(x: Array, out: Array) -> None:
    kept = x[x > 0]
    out[: kept.size] = kept


@answer
def highest_so_far(x: Array, out: Array) -> None:
    out[:] = np.maximum.accumulate(x)


@answer
def binned(x: Array, low: float, high: float, bins: Array) -> None:
    for v in x:
        b = math.floor((v - x.dtype.type(low)) / x.dtype.type(high - low) * x.dtype.type(4))
        if 0 <= b < bins.size:
            bins[b] += 1


@answer
def ranges(x: Array, part: Array, low: Array, high: Array) -> None:
    np.minimum.at(low, part, x)
    np.maximum.at(high, part, x)


@answer
def product(out: Array, a: Array, b: Array, inner: int) -> None:
    rows, cols = np.indices(out.shape)
    out[:] = 0
    for k in range(inner):
        out[:] = out + a.reshape(-1)[rows * inner + k] * at(b, k * out.shape[1] + cols)
