"""How a call of a host function is written."""

from __future__ import annotations

import inspect
from functools import cache

from patlang_ir.stdlib.registry import HostFunction

SHOWN = {
    "new": ("class", 'name[, "inherits", parent][, "traits", [a, b]]'),
    "set_var": ("[record, ] key", "value"),
    "triton_run_kernel_source_2d": ("source", "name", "rows", "cols", "buffers"),
    "gpu_call_2d": ("registry", "name", "rows", "cols", "buffers"),
    "triton_run_matmul": ("a", "b", "m", "k", "n"),
    "triton_run_matmul_from_source": (
        *("source", "name", "a", "b", "m", "k", "n"),
        *("block_m", "block_n", "block_k"),
    ),
    "triton_lower_kernel_source_matmul": ("source", "name"),
    "triton_matmul_kernel_source": (
        *("name", "m", "n", "k"),
        *("block_m", "block_n", "block_k"),
    ),
}
"""The parameters of functions whose Python does not name them."""


@cache
def signature(function: HostFunction) -> str:
    """`name(a[, b])`"""
    least, most = function.arity
    if function.name in SHOWN:
        return f"{function.name}({', '.join(SHOWN[function.name])})"
    params = list(inspect.signature(function.implementation).parameters.values())
    names = [it.name for it in params[function.stateful :] if it.kind is not it.VAR_POSITIONAL]
    shown = ", ".join(names[:least])
    for name in names[least:]:
        shown += f"[, {name}]" if shown else f"[{name}]"
    return f"{function.name}({shown}{', ...' if most is None else ''})"
