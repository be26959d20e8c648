"""Matmul kernels as text, each with its arguments and what it computes, in NumPy's f64."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]
OUT = "make_block_ptr(c, M, N, pid_m * BLOCK_M, pid_n * BLOCK_N, BLOCK_M, BLOCK_N)"
A = "make_block_ptr(a, M, K, pid_m * BLOCK_M, 0, BLOCK_M, BLOCK_K)"
B = "make_block_ptr(b, K, N, 0, pid_n * BLOCK_N, BLOCK_K, BLOCK_N)"


@dataclass(frozen=True)
class MatmulKernel:
    """A kernel: its parameters, each a shape of letters or a number, and the result for `c`."""

    name: str
    body: str
    params: Mapping[str, str | float]
    expected: Callable[[SimpleNamespace], Array]
    pinned: str = ""
    """Why the sizes of blocks decide the result, in part; empty if they do not."""
    exact: bool = True
    """Whether whole numbers give whole numbers."""
    options: str = ""
    helpers: str = ""

    @property
    def text(self) -> str:
        listed = ", ".join(self.params)
        return (
            f"{self.helpers}\n# @gpu_kernel_matmul{self.options}\n"
            f"make a function called k takes {listed}\n{self.body}\nend\n"
        )

    def arguments(
        self, rng: np.random.Generator, sizes: Mapping[str, int], dtype: Any = np.float32
    ) -> dict[str, Any]:
        """Matrices of small whole numbers; `c` holds them too."""
        args: dict[str, Any] = {}
        for name, shape in self.params.items():
            if not isinstance(shape, str):
                args[name] = shape
                continue
            extents = [sizes[s] if s in sizes else int(s) for s in shape.split(" ")]
            args[name] = rng.integers(-4, 5, extents).astype(dtype)
        return args

    def result(self, args: Mapping[str, Any]) -> Array:
        """What `c` must be, from the arguments before the call."""
        wide = {n: v.astype(np.float64) if hasattr(v, "shape") else v for n, v in args.items()}
        return self.expected(SimpleNamespace(**wide))


def loop(body: str, before: str = "", after: str = "", a: str = A, b: str = B) -> str:
    """A loop over K, with `pa` and `pb` going along."""
    rows = "0, BLOCK_K" if a == A else "BLOCK_K, 0"
    cols = "BLOCK_K, 0" if b == B else "0, BLOCK_K"
    return f"""
  let pa = {a}
  let pb = {b}
  {before}
  let k = 0
  while k < K do
    {body}
    let pa = advance_block(pa, {rows})
    let pb = advance_block(pb, {cols})
    let k = k + BLOCK_K
  end
  {after}"""


ACC = "let acc = zeros_2d(BLOCK_M, BLOCK_N)"
STEP = "let acc = dot(load_block(pa), load_block(pb), acc)"
PRODUCT = {"a": "M K", "b": "K N", "c": "M N"}
AT = "make_block_ptr(a, K, M, 0, pid_m * BLOCK_M, BLOCK_K, BLOCK_M)"
BT = "make_block_ptr(b, N, K, pid_n * BLOCK_N, 0, BLOCK_N, BLOCK_K)"
ROW = "make_block_ptr(v, 1, N, 0, pid_n * BLOCK_N, 1, BLOCK_N)"
COLUMN = "make_block_ptr(v, M, 1, pid_m * BLOCK_M, 0, BLOCK_M, 1)"


def stored(value: str = "acc") -> str:
    return f"store_block({OUT}, {value})"


def silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


INDEPENDENT = [
    MatmulKernel("product", loop(STEP, ACC, stored()), PRODUCT, lambda g: g.a @ g.b),
    MatmulKernel(
        "second_transposed",
        loop("let acc = dot(load_block(pa), trans(load_block(pb)), acc)", ACC, stored(), b=BT),
        {"a": "M K", "b": "N K", "c": "M N"},
        lambda g: g.a @ g.b.T,
    ),
    MatmulKernel(
        "first_transposed",
        loop("let acc = dot(trans(load_block(pa)), load_block(pb), acc)", ACC, stored(), a=AT),
        {"a": "K M", "b": "K N", "c": "M N"},
        lambda g: g.a.T @ g.b,
    ),
    MatmulKernel(
        "bias_of_columns_and_relu",
        loop(STEP, ACC, f"let y = acc + load_block({ROW})\n  " + stored("select(y > 0, y, 0)")),
        {**PRODUCT, "v": "N"},
        lambda g: np.maximum(g.a @ g.b + g.v, 0),
    ),
    MatmulKernel(
        "bias_of_rows",
        loop(STEP, ACC, stored(f"acc + load_block({COLUMN})")),
        {**PRODUCT, "v": "M 1"},
        lambda g: g.a @ g.b + g.v,
    ),
    MatmulKernel(
        "bias_first",
        loop(STEP, f"let acc = load_block({ROW}) + {ACC[10:]}", stored()),
        {**PRODUCT, "v": "1 N"},
        lambda g: g.a @ g.b + g.v,
    ),
    MatmulKernel(
        "scaled",
        loop(STEP, ACC, stored("alpha * acc")),
        {**PRODUCT, "alpha": 0.5},
        lambda g: g.alpha * (g.a @ g.b),
    ),
    MatmulKernel(
        "scaled_in_the_loop",
        loop("let acc = acc + alpha * dot(load_block(pa), load_block(pb), 0)", ACC, stored()),
        {**PRODUCT, "alpha": 3},
        lambda g: g.alpha * (g.a @ g.b),
    ),
    MatmulKernel(
        "general",
        loop(
            STEP,
            ACC,
            f"let pc = {OUT}\n  store_block(pc, alpha * acc + beta * load_block(pc))",
        ),
        {**PRODUCT, "alpha": 2, "beta": -3},
        lambda g: g.alpha * (g.a @ g.b) + g.beta * g.c,
    ),
    MatmulKernel(
        "two_products",
        loop(
            f"{STEP}\n    let acc = acc - dot(load_block(pd), load_block(pb), 0)\n"
            "    let pd = advance_block(pd, 0, BLOCK_K)",
            f"{ACC}\n  let pd = {A.replace('(a,', '(d,')}",
            stored(),
        ),
        {**PRODUCT, "d": "M K"},
        lambda g: g.a @ g.b - g.d @ g.b,
    ),
    MatmulKernel(
        "gated",
        loop(
            "let va = load_block(pa)\n    let g = dot(va, load_block(pb), g)\n"
            "    let u = dot(va, load_block(pw), u)\n    let pw = advance_block(pw, BLOCK_K, 0)",
            f"let g = zeros_2d(BLOCK_M, BLOCK_N)\n  let u = zeros_2d(BLOCK_M, BLOCK_N)\n"
            f"  let pw = {B.replace('(b,', '(w,')}",
            stored("g * sigmoid(g) * u"),
        ),
        {**PRODUCT, "w": "K N"},
        lambda g: silu(g.a @ g.b) * (g.a @ g.w),
        exact=False,
    ),
    MatmulKernel(
        "pointers_made_in_the_loop",
        f"""
  {ACC}
  let k = 0
  while k < K do
    let va = load_block(make_block_ptr(a, M, K, pid_m * BLOCK_M, k, BLOCK_M, BLOCK_K))
    let vb = load_block(make_block_ptr(b, K, N, k, pid_n * BLOCK_N, BLOCK_K, BLOCK_N))
    let acc = dot(va, vb, acc)
    let k = k + BLOCK_K
  end
  {stored()}""",
        PRODUCT,
        lambda g: g.a @ g.b,
    ),
    MatmulKernel(
        "no_zero_outside",
        loop("let acc = dot(load_block(pa) + 1, load_block(pb) - 2, acc)", ACC, stored()),
        PRODUCT,
        lambda g: (g.a + 1) @ (g.b - 2),
    ),
    MatmulKernel(
        "sums_of_rows",
        f"""
  let pa = {A}
  let total = zeros_2d(BLOCK_M, 1)
  let k = 0
  while k < K do
    let total = total + sum(load_block(pa) + 1, 1)
    let pa = advance_block(pa, 0, BLOCK_K)
    let k = k + BLOCK_K
  end
  store_block(make_block_ptr(c, M, 1, pid_m * BLOCK_M, 0, BLOCK_M, 1), total)""",
        {"a": "M K", "c": "M 1"},
        lambda g: (g.a + 1).sum(1, keepdims=True),
    ),
    MatmulKernel(
        "largest_of_rows",
        f"""
  let pa = {A}
  let most = zeros_2d(BLOCK_M, 1) - 100
  let k = 0
  while k < K do
    let most = max(most, reduce_max(load_block(pa) - 9, 1))
    let pa = advance_block(pa, 0, BLOCK_K)
    let k = k + BLOCK_K
  end
  store_block(make_block_ptr(c, M, 1, pid_m * BLOCK_M, 0, BLOCK_M, 1), most)""",
        {"a": "M K", "c": "M"},
        lambda g: (g.a - 9).max(1, initial=-100),
    ),
    MatmulKernel(
        "matrix_times_vector",
        f"""
  let pa = {A}
  let px = make_block_ptr(x, 1, K, 0, 0, 1, BLOCK_K)
  let total = zeros_2d(BLOCK_M, 1)
  let k = 0
  while k < K do
    let total = total + sum(load_block(pa) * load_block(px), 1)
    let pa = advance_block(pa, 0, BLOCK_K)
    let px = advance_block(px, 0, BLOCK_K)
    let k = k + BLOCK_K
  end
  store_block(make_block_ptr(c, M, 1, pid_m * BLOCK_M, 0, BLOCK_M, 1), total)""",
        {"a": "M K", "x": "K", "c": "M"},
        lambda g: g.a @ g.x,
    ),
    MatmulKernel(
        "softmax_of_a_product",
        loop(
            STEP,
            ACC,
            "let e = exp(acc - reduce_max(acc, 1))\n  " + stored("e / sum(e, 1)"),
        ),
        PRODUCT,
        lambda g: softmax(g.a @ g.b),
        exact=False,
    ),
    MatmulKernel(
        "largest_of_columns",
        loop(
            STEP,
            ACC,
            "store_block(make_block_ptr(c, 1, N, 0, pid_n * BLOCK_N, 1, BLOCK_N), "
            "reduce_max(acc - 1000, 0))",
        ),
        {"a": "M K", "b": "K N", "c": "1 N"},
        lambda g: (g.a @ g.b - 1000).max(0, keepdims=True, initial=-np.inf),
    ),
    MatmulKernel(
        "transposed",
        "  let pa = make_block_ptr(a, N, M, pid_n * BLOCK_N, pid_m * BLOCK_M, BLOCK_N, BLOCK_M)\n  "
        + stored("trans(load_block(pa))"),
        {"a": "N M", "c": "M N"},
        lambda g: g.a.T,
    ),
    MatmulKernel(
        "difference",
        "\n".join(f"  let p{name} = {OUT.replace('(c,', f'({name},')}" for name in ("a", "b", "c"))
        + "\n  store_block(pc, load_block(pa) - load_block(pb))",
        {"a": "M N", "b": "M N", "c": "M N"},
        lambda g: g.a - g.b,
    ),
    MatmulKernel(
        "helpers",
        f"{loop('let acc = step(pa, pb, acc)', ACC, 'put(c, half(acc))')}",
        PRODUCT,
        lambda g: g.a @ g.b / 2,
        helpers=f"""
fn step(p, q, total) {{ return dot(load_block(p), load_block(q), total) }}
fn half(v) {{ return v * 0.5 }}
fn put(c, v) {{ {stored("v")} }}""",
    ),
    MatmulKernel(
        "chunks_of_a_literal_size",
        f"""
  let pa = make_block_ptr(a, M, K, pid_m * BLOCK_M, 0, BLOCK_M, 16)
  let pb = make_block_ptr(b, K, N, 0, pid_n * BLOCK_N, 16, BLOCK_N)
  {ACC}
  let k = 0
  while k < K do
    {STEP}
    let pa = advance_block(pa, 0, 16)
    let pb = advance_block(pb, 16, 0)
    let k = k + 16
  end
  {stored()}""",
        PRODUCT,
        lambda g: g.a @ g.b,
    ),
    MatmulKernel(
        "a_condition_for_all",
        loop(STEP, ACC, f"if K > 3 then\n    let acc = acc + K\n  end\n  {stored()}"),
        PRODUCT,
        lambda g: g.a @ g.b + (g.a.shape[1] if g.a.shape[1] > 3 else 0),
    ),
    MatmulKernel(
        "several_dots_a_turn",
        loop(
            "let part = zeros_2d(BLOCK_M, BLOCK_N)\n    let j = 0\n    while j < 3 do\n"
            "      let part = dot(load_block(pa) + j, load_block(pb), part)\n"
            "      let j = j + 1\n    end\n    let acc = acc + part",
            ACC,
            stored(),
        ),
        PRODUCT,
        lambda g: (3 * g.a + 3) @ g.b,
    ),
]
"""Kernels that mean the same for every size of blocks."""

PINNED = [
    MatmulKernel(
        "turns_counted",
        loop("let acc = dot(load_block(pa), load_block(pb), acc) + 1", ACC, stored()),
        PRODUCT,
        lambda g: g.a @ g.b + -(-g.a.shape[1] // 16),
        "a sum over K is used before its loop ends",
    ),
    MatmulKernel(
        "size_as_a_number",
        loop(STEP, ACC, stored("acc * BLOCK_N")),
        PRODUCT,
        lambda g: g.a @ g.b * 16,
        "'BLOCK_N' is used as a number",
    ),
    MatmulKernel(
        "program_as_a_number",
        loop(STEP, ACC, stored("acc + pid_m")),
        PRODUCT,
        lambda g: g.a @ g.b + np.arange(len(g.a))[:, None] // 16,
        "'pid_m' is used as a number",
    ),
    MatmulKernel(
        "rows_from_above",
        "  let pa = make_block_ptr(a, M, N, pid_m * BLOCK_M - 1, pid_n * BLOCK_N, "
        f"BLOCK_M, BLOCK_N)\n  {stored('load_block(pa)')}",
        {"a": "M N", "c": "M N"},
        lambda g: np.vstack([np.zeros((1, g.a.shape[1])), g.a])[:-1],
        "a block of BLOCK_M does not start at pid_m * BLOCK_M",
    ),
    MatmulKernel(
        "last_turn",
        loop("let last = load_block(pa)", "let last = zeros_2d(BLOCK_M, BLOCK_K)")
        + f"\n  {stored('sum(last, 1)')}",
        PRODUCT,
        lambda g: np.broadcast_to(
            g.a[:, max(g.a.shape[1] - 1, 0) // 16 * 16 :].sum(1, keepdims=True), g.c.shape
        ),
        "a loop over K keeps something else than a sum",
    ),
    MatmulKernel(
        "a_loop_that_moves_by_a_size",
        f"""
  let pa = make_block_ptr(a, M, K, pid_m * BLOCK_M, 0, BLOCK_M, 1)
  let turn = 1
  {ACC}
  while turn < 4 do
    let acc = acc + load_block(pa)
    let pa = advance_block(pa, 0, BLOCK_N)
    let turn = turn * 2
  end
  {stored()}""",
        {"a": "M K", "c": "M N"},
        lambda g: (
            np.pad(g.a, ((0, 0), (0, 17)))[:, [0, 16]].sum(1, keepdims=True) + np.zeros(g.c.shape)
        ),
        "where a block of 1 starts depends on the sizes of other blocks",
    ),
    MatmulKernel(
        "half_the_steps",
        loop(STEP, ACC, stored()).replace("k + BLOCK_K", "k + BLOCK_K + BLOCK_K"),
        PRODUCT,
        lambda g: g.a[:, : -(-g.a.shape[1] // 32) * 16] @ g.b[: -(-g.a.shape[1] // 32) * 16],
        "BLOCK_K",
    ),
]
"""Kernels whose results depend on the sizes of blocks; expected are those of 16 x 16 x 16."""
