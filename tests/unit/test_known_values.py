"""Loops and branches over numbers that are often known: the answer is that of Python statements.

Most of what is tested and carried starts as a literal, so that much of a kernel is decided before
it runs, and some of it is not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from xdsl.dialects import scf

import patlang_ir
from patlang_ir.analysis.literals import counters_between
from patlang_ir.dialects.literals import number
from patlang_ir.frontend import parse
from patlang_ir.passes.pipelines import KERNEL_TO_TILE
from patlang_ir.runtime.compiler import apply_pipeline
from patlang_ir.traversal import walk

NAMES = ("a", "b", "c")
SIGNATURE = "x=i64,out=i64"


class Body:
    """Random statements, as lines of PatLang and of Python."""

    def __init__(self, seed: int):
        self.rng = random.Random(seed)
        self.loops = 0
        self.patlang: list[str] = []
        self.python: list[str] = []
        for name in NAMES:
            start = self.rng.choice(["0", "1", "2", "x[0]"])
            self.write(f"let {name} = {start}", f"{name} = {start}", 0)
        self.statements(0, 5)
        for i, name in enumerate(NAMES):
            self.write(f"store(out, {i}, {name})", f"out[{i}] = {name}", 0)

    def write(self, patlang: str, python: str, depth: int) -> None:
        self.patlang.append("  " * (depth + 1) + patlang)
        if python:
            self.python.append("    " * depth + python)

    def statements(self, depth: int, most: int) -> None:
        for _ in range(self.rng.randint(1, most)):
            kind = self.rng.random() if depth < 3 else 0.0
            (self.assign if kind < 0.45 else self.branch if kind < 0.7 else self.loop)(depth)

    def assign(self, depth: int) -> None:
        name = self.rng.choice(NAMES)
        left, right = self.rng.choice(NAMES), self.rng.choice([*NAMES, "0", "1", "2", "x[1]"])
        patlang, python = self.rng.choice(
            [
                ("{} + {}", "{} + {}"),
                ("{} - {}", "{} - {}"),
                ("{} * {}", "{} * {}"),
                ("{} % {}", "rem({}, {})"),
                ("{} band {}", "{} & {}"),
                ("{} bxor {}", "{} ^ {}"),
                ("min({}, {})", "min({}, {})"),
            ]
        )
        new = python.format(left, right)
        self.write(f"{name} = {patlang.format(left, right)}", f"{name} = wrap({new})", depth)

    def branch(self, depth: int) -> None:
        test = self.test()
        self.write(f"if {test} then", f"if {test}:", depth)
        self.statements(depth + 1, 3)
        if self.rng.random() < 0.4:
            self.write("else", "else:", depth)
            self.statements(depth + 1, 2)
        self.write("end", "", depth)

    def loop(self, depth: int) -> None:
        self.loops += 1
        i, start = f"i{self.loops}", self.rng.randint(0, 3)
        test = f"{i} < 3" + (f" and {self.test()}" if self.rng.random() < 0.5 else "")
        self.write(f"let {i} = {start}", f"{i} = {start}", depth)
        self.write(f"while {test} do", f"while {test}:", depth)
        self.statements(depth + 1, 3)
        self.write(f"{i} = {i} + 1", f"{i} = {i} + 1", depth + 1)
        self.write("end", "", depth)

    def test(self) -> str:
        sign = self.rng.choice(["<", ">", "==", "!=", "<=", ">="])
        return f"{self.rng.choice(NAMES)} {sign} {self.rng.choice([*NAMES, '0', '1', '2'])}"

    @property
    def kernel(self) -> str:
        head = "# @gpu_kernel\nmake a function called k takes x, out\n"
        return head + "\n".join(self.patlang) + "\nend\n"

    def answer(self, x: list[int]) -> list[int]:
        out = [0] * len(NAMES)
        exec("\n".join(self.python), {"x": x, "out": out, "rem": rem, "wrap": wrap})
        return out


def rem(left: int, right: int) -> int:
    """The remainder of a division that truncates; 0 where the divisor is 0."""
    rest = abs(left) % abs(right) if right else 0
    return rest if left >= 0 else -rest


def wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def data() -> Iterator[list[int]]:
    yield from ([0, 0, 0], [1, 3, 0], [-5, 2, 0], [7, -1, 0])


@pytest.mark.parametrize("seed", range(120))
def test_the_answer_is_that_of_python(seed: int) -> None:
    body = Body(seed)
    kernel = patlang_ir.loads(body.kernel)["k"]
    for x in data():
        out = np.zeros(3, np.int64)
        kernel(np.array(x), out)
        assert out.tolist() == body.answer(x), body.kernel


def test_much_of_it_is_decided() -> None:
    """Of the branches and loops a good part goes away, and a good part stays."""
    written = left = 0
    for seed in range(40):
        body = Body(seed)
        passes = ",".join(KERNEL_TO_TILE).replace(
            "tile-specialize", f'tile-specialize{{signature="{SIGNATURE}"}}'
        )
        module = apply_pipeline(parse(body.kernel, "k.patlang").module, passes)
        written += sum(line.split()[0] in ("if", "while") for line in body.patlang)
        left += sum(isinstance(op, scf.IfOp | scf.ForOp | scf.WhileOp) for op in walk(module))
    assert 0.2 * written < left < 0.7 * written


def test_a_loop_without_carried_values_is_walked_in_each_round() -> None:
    text = """
# @gpu_kernel
make a function called k takes x, out
  let hi = 1
  let i = 0
  while i < 3 do
    let j = 0
    while j < hi do
      let t = 2
      if j == 0 then
        let t = 1
      end
      store(out, j, t)
      let j = j + 1
    end
    let hi = hi * 3
    let i = i + 1
  end
end
"""
    out = np.zeros(12, np.int64)
    patlang_ir.loads(text)["k"](np.ones(12), out)
    assert out.tolist() == [1, *[2] * 8, 0, 0, 0]


@pytest.mark.parametrize(
    ("bounds", "counters"),
    [
        ((0, 6, 2), [0, 2, 4]),
        ((1, 6, 4), [1, 5]),
        ((5, 5, 1), []),
        ((5, 2, 0), []),
        ((0, 3, 0), None),
        ((0, 3, -1), None),
        ((0, None, 1), None),
    ],
)
def test_counters_between_bounds(
    bounds: tuple[int | None, ...], counters: list[int] | None
) -> None:
    found = counters_between([None if n is None else number(n) for n in bounds])
    assert found == counters if found is None else list(found) == counters
