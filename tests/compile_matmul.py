"""Compile products of every type for every target: `compile_matmul.py [WORD...]`.

It needs Triton and no GPU. A line has the shared memory, the registers and the seconds of each
kernel; it ends with status 1 if one does not compile, or needs more shared memory than there is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
sys.path[:0] = [str(TESTS.parent), str(TESTS / "unit"), str(TESTS / "gpu")]

import triton  # noqa: E402
from matmul_kernels import product  # noqa: E402
from matmul_runs import lowered  # noqa: E402
from xdsl.dialects.builtin import ArrayAttr  # noqa: E402

from patlang_ir.diagnostics import CompileError  # noqa: E402
from patlang_ir.dialects import tl  # noqa: E402
from patlang_ir.matmul_targets import MATMUL_TARGETS  # noqa: E402
from patlang_ir.runtime import triton_compile  # noqa: E402

FACTORS = ("f16", "bf16", "f32", "tf32", "tf32x3", "f64", "i8")


def main(words: Sequence[str]) -> int:
    print(f"Triton {triton.__version__}")
    shared: list[int] = []
    compile: Any = triton.compile

    def noted(*args: Any, **options: Any) -> Any:
        made = compile(*args, **options)
        shared.append(made.metadata.shared)
        return made

    triton.compile = noted
    failures = 0
    for factor in FACTORS:
        for target, known in MATMUL_TARGETS.items():
            label = f"{factor} {target}"
            if words and not any(word in label for word in words):
                continue
            precision = factor if factor in known.precisions else "ieee"
            if factor.startswith("tf32") and precision == "ieee":
                continue
            shared.clear()
            start = time.perf_counter()
            try:
                element = "f32" if factor.startswith("tf32") else factor
                results = (None, "f16") if element in ("f16", "f32") else (None,)
                made = [
                    name
                    for result in results
                    for name in every_plan(product(element, result, precision=precision), target)
                ]
            except CompileError as error:
                failures += 1
                print(f"{label}: {str(error)[:300]}", flush=True)
                continue
            seconds = time.perf_counter() - start
            over = max(shared) > known.shared
            failures += over
            print(
                f"{label:20} {len(made)} kernels: {shared} bytes of {known.shared} shared"
                f"{' TOO MANY' if over else ''}, {seconds:.1f} s",
                flush=True,
            )
    return int(failures > 0)


def every_plan(text: str, target: str) -> list[str]:
    """Compile a kernel with each of its plans; the names of what was compiled."""
    module = lowered(text, f'target="{target}"')
    launches = [op for op in module.walk() if isinstance(op, tl.MatmulLaunchOp)]
    plans = {launch: launch.plans.data for launch in launches}
    made: list[str] = []
    for number in range(max(map(len, plans.values()))):
        for launch, listed in plans.items():
            launch.plans = ArrayAttr([listed[min(number, len(listed) - 1)]])
        made += triton_compile.compile_triton(module, target)
    return made


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
