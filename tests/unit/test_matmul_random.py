"""Random matmul kernels: what is not pinned gives the same for every cut into blocks."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
import pytest
from test_matmul_kernels import sizes_of

import patlang_ir as pl
from patlang_ir.backends.numpy import Evaluator
from patlang_ir.diagnostics import CompileError
from patlang_ir.dialects import tile
from patlang_ir.runtime.compiler import Request

SHAPES = {"a": "M K", "b": "K N", "d": "M N", "e": "N K", "v": "1 N", "u": "M 1", "c": "M N"}
SIZES = {"M": "BLOCK_M", "N": "BLOCK_N", "K": "BLOCK_K", "1": "1"}
STARTS = {"M": "pid_m * BLOCK_M", "N": "pid_n * BLOCK_N", "K": "k", "1": "0"}
WRONG = ("0", "1", "pid_m", "pid_n * BLOCK_M", "pid_m * BLOCK_M + 1", "BLOCK_K", "k + 1", "j")
CUTS = [
    {"BLOCK_M": 1, "BLOCK_N": 2, "BLOCK_K": 4},
    {"BLOCK_M": 4, "BLOCK_N": 4, "BLOCK_K": 1},
    {"BLOCK_M": 2, "BLOCK_N": 16, "BLOCK_K": 2},
    {"BLOCK_M": 16, "BLOCK_N": 1, "BLOCK_K": 16},
]


@dataclass
class Writer:
    """Writes one kernel; `loops` says whether a loop over K or a short one is around."""

    random: Random
    over_k: bool = False
    short: bool = False

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def choose(self, *options: Any) -> Any:
        return self.random.choice(options)

    def pointer(self, name: str, wrong: int = 3) -> str:
        rows, cols = SHAPES[name].split(" ")
        starts = [self.choose(*WRONG) if self.chance(wrong) else STARTS[s] for s in (rows, cols)]
        sizes = [SIZES[s] for s in (rows, cols)]
        if self.chance(wrong):
            sizes[self.choose(0, 1)] = self.choose("4", "16", "BLOCK_M", "BLOCK_N")
        return (
            f"make_block_ptr({name}, {rows}, {cols}, {starts[0]}, {starts[1]}, {', '.join(sizes)})"
        )

    def scalar(self) -> str:
        if self.chance(4):
            return self.choose("BLOCK_M", "BLOCK_K", "pid_m", "pid_n", "k", "j")
        return self.choose("1", "2", "M", "N", "0.5")

    def block(self, shape: str, depth: int) -> str:
        """An expression whose blocks have a shape such as `M N`."""
        rows, cols = shape.split(" ")
        forms = ["load"] * 4 + ["scalar"]
        forms += ["variable"] * 3 if shape in VARIABLES else []
        if depth > 0:
            forms += ["binary"] * 3 + ["select"]
            forms += ["dot"] * 3 if self.over_k and "K" not in shape and "1" not in shape else []
            forms += ["reduce"] * 2 if "1" in shape and shape != "1 1" else []
            forms += ["trans"]
        match self.choose(*forms):
            case "variable":
                return VARIABLES[shape]
            case "binary":
                op = self.choose("+", "-", "*", "max", "min")
                other = shape if self.chance(70) else self.choose(shape, f"{rows} 1", f"1 {cols}")
                lhs, rhs = self.block(shape, depth - 1), self.block(other, depth - 1)
                return f"({lhs} {op} {rhs})" if op in "+-*" else f"{op}({lhs}, {rhs})"
            case "select":
                parts = [self.block(shape, depth - 1) for _ in range(3)]
                return f"select({parts[0]} > 1, {parts[1]}, {parts[2]})"
            case "dot":
                acc = self.block(shape, depth - 1) if self.chance(50) else "0"
                lhs, rhs = self.block(f"{rows} K", depth - 1), self.block(f"K {cols}", depth - 1)
                return f"dot({lhs} + zeros_2d({SIZES[rows]}, BLOCK_K), " + (
                    f"{rhs} + zeros_2d(BLOCK_K, {SIZES[cols]}), {acc})"
                )
            case "reduce":
                axis = 0 if rows == "1" else 1
                along = self.choose("M", "N", "K") if self.over_k else self.choose("M", "N")
                if along in (rows, cols):
                    return self.scalar()
                inner = f"{along} {cols}" if axis == 0 else f"{rows} {along}"
                how = self.choose("sum", "sum", "reduce_max", "reduce_min")
                sizes = ", ".join(SIZES[s] for s in inner.split(" "))
                return f"{how}({self.block(inner, depth - 1)} + zeros_2d({sizes}), {axis})"
            case "trans":
                turned = self.block(f"{cols} {rows}", depth - 1)
                return f"trans({turned} + zeros_2d({SIZES[cols]}, {SIZES[rows]}))"
            case "load":
                fitting = [n for n, s in SHAPES.items() if s == shape and n != "c"]
                if fitting and (self.over_k or "K" not in shape):
                    return f"load_block({self.pointer(self.choose(*fitting))})"
                return self.scalar()
            case _:
                return self.scalar()

    def update(self, shape: str) -> str:
        """A statement that changes the variable of a shape, often by combining."""
        name, value = VARIABLES[shape], self.block(shape, 2)
        if self.over_k and self.chance(80):
            along = self.block(shape, 1)
            value = self.choose(
                f"{name} + {self.part(shape)}",
                f"max({name}, {self.part(shape)})",
                f"{name} - {self.part(shape)} * 2",
                f"{name} + {self.part(shape)} * {along}" if self.chance(20) else f"{name} + 0",
            )
        return f"let {name} = {value}"

    def part(self, shape: str) -> str:
        """What a turn over K may give."""
        rows, cols = shape.split(" ")
        if "1" not in shape:
            lhs, rhs = self.block(f"{rows} K", 1), self.block(f"K {cols}", 1)
            return (
                f"dot({lhs} + zeros_2d({SIZES[rows]}, BLOCK_K), "
                f"{rhs} + zeros_2d(BLOCK_K, {SIZES[cols]}), 0)"
            )
        inner = f"K {cols}" if rows == "1" else f"{rows} K"
        sizes = ", ".join(SIZES[s] for s in inner.split(" "))
        how = self.choose("sum", "reduce_max")
        return f"{how}({self.block(inner, 1)} + zeros_2d({sizes}), {0 if rows == '1' else 1})"

    def body(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose(1, 2)):
            kind = self.choose("update", "update", "if", "loop") if depth else "update"
            shape = self.choose(*VARIABLES)
            match kind:
                case "if":
                    condition = f"{self.scalar()} > {self.scalar()}"
                    lines += [f"if {condition} then", *self.body(depth - 1), "end"]
                case "loop" if not self.short:
                    self.short = True
                    inner = self.body(depth - 1)
                    self.short = False
                    lines += ["let j = 0", "while j < 2 do", *inner, "let j = j + 1", "end"]
                case _:
                    lines.append(self.update(shape))
        return lines

    def kernel(self) -> str:
        lines = ["let k = 0", "let j = 0", *map(self.start, VARIABLES)]
        lines += self.body(1) if self.chance(40) else []
        self.over_k = True
        bound = "K" if self.chance(95) else self.choose("N", "K + 1", "BLOCK_K")
        step = "BLOCK_K" if self.chance(95) else self.choose("1", "4", "BLOCK_M")
        lines += [f"while k < {bound} do", *self.body(2), f"let k = k + {step}", "end"]
        self.over_k = False
        lines += self.body(1) if self.chance(50) else []
        stored = " + ".join(VARIABLES.values()) if self.chance(70) else VARIABLES["M N"]
        lines.append(f"store_block({self.pointer('c', wrong=1)}, {stored})")
        body = "\n  ".join(lines)
        return (
            f"# @gpu_kernel_matmul\nmake a function called k takes {', '.join(SHAPES)}\n"
            f"  {body}\nend\n"
        )

    def start(self, shape: str) -> str:
        sizes = ", ".join(SIZES[s] for s in shape.split(" "))
        return f"let {VARIABLES[shape]} = zeros_2d({sizes})"


VARIABLES = {"M N": "p", "M 1": "q", "1 N": "r"}


def evaluated(evaluator: Evaluator, args: dict[str, Any], sizes: dict[str, int], cut: Any) -> Any:
    given = {name: value.copy() for name, value in args.items()}
    params = evaluator.kernel.args
    used = [
        value if isinstance(param.type, tile.BufferType) else 0
        for param, value in zip(params, given.values(), strict=True)
    ]
    evaluator.run(used, sizes=sizes, blocks=cut)
    return given["c"]


def check(seed: int) -> str:
    """Whether the kernel of a seed is refused, pinned or independent of how it is cut."""
    random = Random(seed)
    text = Writer(random).kernel()
    try:
        op = pl.loads(text)["k"].compiler.tile(Request(dict.fromkeys(SHAPES, "f64")))
    except CompileError as error:
        codes = {found.code for found in error.diagnostics}
        assert codes <= {"P208", "P303", "P304", "P305", "P310", "P401", "P402"}, f"{text}{error}"
        return "refused"
    rng = np.random.default_rng(seed)
    extents = {"M": random.randrange(6), "N": random.randrange(6), "K": random.randrange(6), "1": 1}
    args = {
        name: rng.integers(-2, 3, [extents[s] for s in shape.split(" ")]).astype(np.float64)
        for name, shape in SHAPES.items()
    }
    sizes = {**extents, **sizes_of(op, args)}
    evaluator = Evaluator(op)
    if op.option("pinned") is not None:
        evaluated(evaluator, args, sizes, CUTS[0])
        return "pinned"
    expected = evaluated(evaluator, args, sizes, None)
    for cut in CUTS:
        found = evaluated(evaluator, args, sizes, cut)
        np.testing.assert_array_equal(found, expected, f"{text}{sizes} {cut}")
    return "independent"


@pytest.mark.parametrize("part", range(4))
def test_what_is_not_pinned_gives_the_same_for_every_cut(part: int):
    found = [check(seed) for seed in range(40 * part, 40 * part + 40)]
    assert {"refused", "pinned", "independent"} == set(found)
