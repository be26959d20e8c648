"""Kernels that cover every operation on every element type, and random bits to run them on."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from evaluator_kernels import MEMORY, linear

from patlang_ir.dialects.tile import KernelOp

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "ui8")
PREDICATES = ("eq", "ne", "lt", "le", "gt", "ge")


@dataclass(frozen=True)
class Output:
    """One operation on the inputs, and the type of what it gives."""

    op: str
    type: str
    signature: str

    @property
    def word(self) -> str:
        return self.op.split()[0].removeprefix("tile.")


@dataclass(frozen=True)
class Group:
    """Operations on the same inputs, compiled as one kernel with an output for each.

    Triton's interpreter has no device library and no bf16; `interpreted` groups need neither.
    """

    name: str
    inputs: tuple[str, ...]
    outputs: tuple[Output, ...]
    interpreted: bool = True

    def kernel(self) -> KernelOp:
        params = {f"x{i}": f"{type}[]" for i, type in enumerate(self.inputs)}
        params |= {f"out{i}": f"{output.type}[]" for i, output in enumerate(self.outputs)}
        body = ["%offs = tile.index offs : T<i64>"]
        for i, type in enumerate(self.inputs):
            body.append(f"%v{i} = tile.load %x{i}[%offs] : (B<{type}>, T<i64>) -> T<{type}>")
        for i, output in enumerate(self.outputs):
            body.append(f"%r{i} = {output.op} : {output.signature}")
            types = f"T<{output.type}>, B<{output.type}>, T<i64>"
            body.append(f"tile.store %r{i}, %out{i}[%offs] : {types}")
        return linear(params, "\n".join(body))

    def arguments(self, n: int, seed: int = 0) -> list[np.ndarray[Any, Any]]:
        """Random inputs, and outputs filled with zeros."""
        generator = np.random.default_rng([seed, *self.name.encode()])
        inputs = [random_bits(generator, type, n) for type in self.inputs]
        return inputs + [np.zeros(n, MEMORY[output.type]) for output in self.outputs]


def random_bits(generator: np.random.Generator, type: str, n: int) -> np.ndarray[Any, Any]:
    """Random bit patterns; every fourth element is one of the special values of its type."""
    memory = np.dtype(MEMORY[type])
    if type == "i1":
        return generator.integers(0, 2, n).astype(np.bool_)
    bits = generator.integers(0, 256, n * memory.itemsize, dtype=np.uint8).view(memory)
    special = SPECIAL_BF16 if type == "bf16" else special_values(memory)
    chosen = special[generator.integers(0, len(special), n)]
    return np.where(generator.integers(0, 4, n) == 0, chosen, bits)


def special_values(memory: np.dtype[Any]) -> np.ndarray[Any, Any]:
    if memory.kind != "f":
        info = np.iinfo(memory)
        values = [info.min, info.min + 1, -1 if info.min else 2, 0, 1, 2, 3, 7, 8, 31, 64, info.max]
        return np.array(values).astype(memory)
    info = np.finfo(memory)
    values = [0.0, 1.0, 0.5, 1.5, 2.5, 127.0, 128.0, np.nan, np.inf, info.max, info.tiny]
    values += [info.smallest_subnormal, 0.49999997, 65504.0, 2.0**31, 2.0**63, 3e9, 1e-3]
    with np.errstate(over="ignore"):
        return np.array([*values, *(-v for v in values)]).astype(memory)


SPECIAL_BF16 = (special_values(np.dtype(np.float32)).view(np.uint32) >> 16).astype(np.uint16)


def groups() -> Iterator[Group]:
    """All of them."""
    for type in (*FLOATS, *INTEGERS, "i1"):
        yield from arithmetic(type)
    yield from casts()


def arithmetic(type: str) -> Iterator[Group]:
    bare = type not in ("f16", "bf16")
    plain = type != "bf16"
    if type in FLOATS:
        yield group(f"{type}_operators", type, 2, ["add", "sub", "mul", "max", "min"], plain)
        yield group(f"{type}_divisions", type, 2, ["div"], plain)
        yield group(f"{type}_remainders", type, 2, ["rem"], False)
        yield group(f"{type}_functions", type, 1, ["neg", "abs", "sqrt"], plain)
        yield group(f"{type}_roundings", type, 1, ["floor", "ceil", "trunc", "round"], False)
        yield group(f"{type}_fma", type, 3, ["fma"], False)
        yield literals(type, bare)
    elif type in INTEGERS:
        ops = ["add", "sub", "mul", "max", "min", "band", "bor", "bxor"]
        yield group(f"{type}_operators", type, 2, ops)
        yield group(f"{type}_divisions", type, 2, ["quotient", "rem"])
        yield group(f"{type}_shifts", type, 2, ["shl", "shr"])
        yield group(f"{type}_functions", type, 1, ["neg", "abs", "bnot"])
    else:
        yield group(f"{type}_operators", type, 2, ["and", "or"])
        yield group(f"{type}_functions", type, 1, ["not"])
    yield comparisons(type, plain)


def group(name: str, type: str, arity: int, words: list[str], interpreted: bool = True) -> Group:
    operands = ", ".join(f"%v{i}" for i in range(arity))
    outputs = tuple(Output(f"tile.{word} {operands}", type, f"T<{type}>") for word in words)
    return Group(name, (type,) * arity, outputs, interpreted)


def comparisons(type: str, interpreted: bool) -> Group:
    """Comparisons, the truth of a value, and a choice by it."""
    flag = f"T<{type}> -> T<i1>"
    outputs = [Output(f"tile.compare {p} %v0, %v1", "i1", flag) for p in PREDICATES]
    outputs.append(Output("tile.truth %v0", "i1", flag))
    select = Output("tile.select %v2, %v0, %v1", type, f"T<i1>, T<{type}>")
    return Group(f"{type}_comparisons", (type, type, "i1"), (*outputs, select), interpreted)


def literals(type: str, interpreted: bool) -> Group:
    """Literals that no shorter type holds, negative zero and infinities."""
    outputs: list[Output] = []
    for literal in ("0.1", "1.0e-40", "-0.0", "neg_inf", "nan"):
        text = f"tile.constant {literal} : {type}\n%c{len(outputs)}b = tile.broadcast %c"
        text += f"{len(outputs)} : {type} -> T<{type}>\n%r{len(outputs)} = tile.mul %v0, %c"
        text += f"{len(outputs)}b"
        outputs.append(Output(text, type, f"T<{type}>"))
    return LiteralGroup(f"{type}_literals", (type,), tuple(outputs), interpreted)


class LiteralGroup(Group):
    """A group whose outputs are several lines each, the first of which defines `%c0`, `%c1`, ..."""

    def kernel(self) -> KernelOp:
        params = {"x0": f"{self.inputs[0]}[]"}
        params |= {f"out{i}": f"{output.type}[]" for i, output in enumerate(self.outputs)}
        type = self.inputs[0]
        load = f"%v0 = tile.load %x0[%offs] : (B<{type}>, T<i64>) -> T<{type}>"
        body = ["%offs = tile.index offs : T<i64>", load]
        for i, output in enumerate(self.outputs):
            body.append(f"%c{i} = {output.op} : {output.signature}")
            body.append(f"tile.store %r{i}, %out{i}[%offs] : T<{type}>, B<{type}>, T<i64>")
        return linear(params, "\n".join(body))


def casts() -> Iterator[Group]:
    """From every type to every other one."""
    types = (*FLOATS, *INTEGERS, "i1")
    for source in types:
        for part, targets in (("", [t for t in types if t != "bf16"]), ("_bf16", ["bf16"])):
            outputs = tuple(
                Output("tile.cast %v0", target, f"T<{source}> -> T<{target}>")
                for target in targets
                if target != source
            )
            if outputs:
                plain = source != "bf16" and not part
                yield Group(f"{source}_casts{part}", (source,), outputs, plain)
