"""Kernels from text for the tests of the evaluator, and how to run one operation on arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.scf import Scf
from xdsl.parser import Parser

from patlang_ir.backends.numpy import evaluate
from patlang_ir.dialects.tile import KernelOp, Tile

MEMORY: dict[str, type[np.generic]] = {
    "f16": np.float16,
    "bf16": np.uint16,
    "f32": np.float32,
    "f64": np.float64,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "ui8": np.uint8,
    "i1": np.bool_,
}
"""How the elements of each type lie in a NumPy array."""


@cache
def parse(text: str) -> KernelOp:
    """The first kernel of an IR text."""
    context = Context()
    for dialect in (Builtin, Scf, Tile):
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    kernel = module.body.block.first_op
    assert isinstance(kernel, KernelOp)
    return kernel


def linear(params: Mapping[str, str], body: str, stage: str = "") -> KernelOp:
    """A kernel of one stage. `T<f32>` in the body is a tile of all lanes."""
    return parse(_kernel("linear", params, body, stage))


def grid(params: Mapping[str, str], body: str, stage: str = "") -> KernelOp:
    """As `linear`; `R<f32>`, `C<f32>` and `T<f32>` are tiles of rows, columns and both."""
    return parse(_kernel("grid", params, body, stage))


SHAPES = {
    "linear": {"T": "[BLOCK_SIZE]"},
    "grid": {"T": "[BLOCK_R, BLOCK_C]", "R": "[BLOCK_R, 1]", "C": "[1, BLOCK_C]"},
}


def _kernel(kind: str, params: Mapping[str, str], body: str, stage: str) -> str:
    listed = ", ".join(f'%{name} "{name}" : {_param(type)}' for name, type in params.items())
    text = f"tile.kernel @k {kind}({listed}) {{\ntile.stage {stage} {{\n{body}\n}}\n}}"
    for letter, sizes in SHAPES[kind].items():
        text = text.replace(f" {letter}<", f" !tile.tile<{sizes}, ").replace(
            f"({letter}<", f"(!tile.tile<{sizes}, "
        )
    return text.replace("B<", "!tile.buffer<")


def _param(type: str) -> str:
    return f"B<{type[:-2]}>" if type.endswith("[]") else type


def lane_kernel(
    op: str, types: Sequence[str], result: str, signature: str | None = None
) -> KernelOp:
    """`out[offs] = op(x0[offs], x1[offs], ...)`."""
    loads = "\n".join(
        f"%v{i} = tile.load %x{i}[%offs] : (B<{t}>, T<i64>) -> T<{t}>" for i, t in enumerate(types)
    )
    values = ", ".join(f"%v{i}" for i in range(len(types)))
    return linear(
        {**{f"x{i}": f"{t}[]" for i, t in enumerate(types)}, "out": f"{result}[]"},
        f"""%offs = tile.index offs : T<i64>
        {loads}
        %r = {op} {values} : {signature or f"T<{result}>"}
        tile.store %r, %out[%offs] : T<{result}>, B<{result}>, T<i64>""",
    )


def uniform_kernel(
    op: str, types: Sequence[str], result: str, signature: str | None = None
) -> KernelOp:
    """The same, one element after the other, with scalars."""
    loads = "\n".join(
        f"%v{i} = tile.load %x{i}[%i] : (B<{t}>, i64) -> {t}" for i, t in enumerate(types)
    )
    values = ", ".join(f"%v{i}" for i in range(len(types)))
    return linear(
        {**{f"x{i}": f"{t}[]" for i, t in enumerate(types)}, "out": f"{result}[]"},
        f"""%zero = tile.constant 0 : i64
        %one = tile.constant 1 : i64
        %n = tile.size n : i64
        scf.for %i = %zero to %n step %one : i64 {{
          {loads}
          %r = {op} {values} : {signature or result}
          tile.store %r, %out[%i] : {result}, B<{result}>, i64
        }}""",
    )


def run_op(
    op: str,
    arrays: Sequence[np.ndarray[Any, Any]],
    types: Sequence[str],
    result: str,
    signature: str = "{result}",
) -> np.ndarray[Any, Any]:
    """An operation on every lane; the scalars of a part of the lanes must give the same bits.

    `signature` is the type text, with `{name}` for each type: `{f32} -> {i1}`.
    """
    lane_types = {t: f"T<{t}>" for t in MEMORY}
    scalar_types = {t: t for t in MEMORY}
    n = len(arrays[0])
    out = np.zeros(n, MEMORY[result])
    lanes = signature.format(result=lane_types[result], **lane_types)
    evaluate(lane_kernel(op, types, result, lanes), [*arrays, out], {"n": n})
    few = min(n, 200)
    one_by_one = np.zeros(few, MEMORY[result])
    scalars = signature.format(result=result, **scalar_types)
    kernel = uniform_kernel(op, types, result, scalars)
    evaluate(kernel, [*(a[:few].copy() for a in arrays), one_by_one], {"n": few})
    assert same_bits(one_by_one, out[:few], result)
    return out


def same_bits(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], type: str) -> bool:
    """Whether two buffers hold the same bits; all NaNs are one value."""
    return bool(np.array_equal(_comparable(a, type), _comparable(b, type)))


def _comparable(a: np.ndarray[Any, Any], type: str) -> np.ndarray[Any, Any]:
    if type == "bf16":
        return np.where((a & 0x7FFF) > 0x7F80, np.uint16(0x7FC0), a)
    if type in ("f16", "f32", "f64"):
        return np.where(np.isnan(a), np.full_like(a, np.nan), a).view(f"u{a.itemsize}")
    return a
