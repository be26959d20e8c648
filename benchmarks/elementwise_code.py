"""Machine code of the kernels of `elementwise.patlang`, and of those by hand, for an H100 or H200.

Needs no GPU: the installed Triton compiles both sides as for a launch with lengths that are
multiples of 16. Prints instructions, registers, bytes of spills, and how many loads and stores
there are of each width in bits. `elementwise_code.py [WORD...]`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import elementwise_triton
import triton
from triton.backends.compiler import GPUTarget

import patlang_ir as pl
from patlang_ir.backends.triton import print_triton
from patlang_ir.backends.triton.types import signature_type
from patlang_ir.dialects import tl
from patlang_ir.runtime.compiler import Request
from patlang_ir.runtime.triton_compile import plan_of
from patlang_ir.runtime.triton_module import load_functions

TOOL = Path(triton.__file__).parent / "backends" / "nvidia" / "bin" / "cuobjdump"

HALF = dict.fromkeys(("x", "y", "z", "out"), "f16")
SIGNATURES = [
    *((name, {}) for name in ("add", "axpy", "multiply_add", "gelu", "normalize")),
    *((name, {}) for name in ("smooth", "laplace", "saturate")),
    ("gather", {"index": "i32"}),
    ("mix", {"x": "i32", "out": "i32"}),
    *((name, HALF) for name in ("add", "axpy", "gelu", "smooth", "scale_bias", "saturate")),
]


def main(words: Sequence[str]) -> None:
    module = pl.load(Path(__file__).with_name("elementwise.patlang"))
    print(f"Triton {triton.__version__}, cuda:90")
    ratios: list[float] = []
    for name, signature in SIGNATURES:
        if words and not any(word in name for word in words):
            continue
        for math in ("strict", "fast"):
            ours, plan, types = compile_ours(module[name], signature, math)
            theirs = compile_by_hand(name, plan, types, math)
            mine, other = measured(ours), measured(theirs)
            type = signature.get("x", "f32")
            print(f"{name:13}{type:4}{math:7} ours    {mine}\n{'':24} by hand {other}")
            ratios.append(count(other) / count(mine))
    mean = exp(sum(map(log, ratios)) / len(ratios))
    print(f"instructions, by hand to ours: geometric mean {mean:.3f}, lowest {min(ratios):.3f}")


def compile_ours(
    kernel: pl.Kernel, signature: Mapping[str, str], math: str
) -> tuple[bytes, dict[str, Any], dict[str, str]]:
    """The machine code, the blocks and options, and Triton's types of the arguments."""
    module = kernel.compiler.module("tl", Request(signature, math=math))
    (launch,) = [op for op in module.walk() if isinstance(op, tl.LaunchOp)]
    (op,) = [op for op in module.ops if isinstance(op, tl.KernelOp)]
    text = print_triton(module)
    function = load_functions(text)[1][text.names[op.sym_name.data]]
    plan = plan_of(launch)
    types = dict(zip(function.arg_names, (signature_type(a.type) for a in op.args), strict=False))
    return compiled(function, types, plan), plan, types


def compile_by_hand(
    name: str, plan: Mapping[str, Any], types: Mapping[str, str], math: str
) -> bytes:
    """The machine code of the same arguments, with lengths of 32 bits."""
    function = getattr(elementwise_triton, name)
    own = {
        name: "i32" if name.startswith("n") else "fp32" if name == "a" else types[name]
        for name in function.arg_names
        if name not in plan and name != "FAST"
    }
    return compiled(function, own, {**plan, "FAST": math == "fast"})


def compiled(function: Any, types: Mapping[str, str], plan: Mapping[str, Any]) -> bytes:
    sizes = {name: value for name, value in plan.items() if name in function.arg_names}
    options = {n: v for n, v in plan.items() if n in ("num_warps", "enable_fp_fusion")}
    multiples = [
        i
        for i, (name, type) in enumerate(types.items())
        if type[0] == "*" or name.startswith("n") or name == "x_len"
    ]
    source = triton.compiler.ASTSource(
        fn=function,
        signature={**types, **dict.fromkeys(sizes, "constexpr")},
        constexprs=sizes,
        attrs={(i,): [["tt.divisibility", 16]] for i in multiples},
    )
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options).asm["cubin"]


def measured(code: bytes) -> str:
    """What NVIDIA's tool says of machine code, in one line."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(code)
        usage, text = (
            subprocess.run([TOOL, option, file], capture_output=True, text=True, check=True).stdout
            for option in ("--dump-resource-usage", "--dump-sass")
        )
    registers, spills = (
        int(re.search(rf"{name}:(\d+)", usage)[1])  # pyright: ignore[reportOptionalSubscript]
        for name in ("REG", "LOCAL")
    )
    pattern = r"/\*[0-9a-f]{4}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)"
    names = [name for name in re.findall(pattern, text) if name != "NOP"]
    wide = ", ".join(
        f"{n} {kind}" for kind, n in sorted(Counter(map(access, names)).items()) if kind
    )
    return f"{len(names):4} instructions, {registers} registers, {spills} spilled; {wide}"


def access(name: str) -> str:
    """`load 128` for `LDG.E.128`; nothing for what touches no memory."""
    kind = {"LDG": "load", "STG": "store"}.get(name[:3], "")
    width = re.search(r"\.[US]?(8|16|64|128)\b", name)
    return kind and f"{kind} {width[1] if width else 32}"


def count(line: str) -> int:
    return int(line.split(maxsplit=1)[0])


if __name__ == "__main__":
    main(sys.argv[1:])
