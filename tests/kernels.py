"""The kernels of tests/programs/kernels, with random arguments for them.

Above a kernel stands `# arguments: x=T[n] at=i32[n]:-3..9 out=T[rows,cols] s=2.5 for f64 f32`:
an array has a type and a shape, perhaps a range for its elements or the word `permutation`; `T` is
each of the types after `for`.
"""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.dialects import tile
from patlang_ir.frontend import parse_file
from patlang_ir.passes.pipelines import KERNEL_TO_TILE, TILE_TO_TRITON
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.runtime.arguments import scalar_type
from patlang_ir.runtime.compiler import apply_pipeline
from patlang_ir.verify import verify

FOLDER = Path(__file__).parent / "programs" / "kernels"
MARKED = re.compile(
    r"^# arguments: (?P<arguments>.*) for (?P<types>.*)\n# @gpu_kernel(?P<grid>_2d)?\n"
    r"make a function called (?P<name>\w+) takes (?P<params>.*)$",
    re.MULTILINE,
)
ARRAY = re.compile(r"(?P<type>\w+)\[(?P<shape>[\w,]+)\](?::(?P<values>.*))?")
DTYPES = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "bool": np.bool_, "u8": np.uint8,
    "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8,
}  # fmt: skip

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A kernel of the corpus for one element type."""

    file: Path
    name: str
    params: tuple[str, ...]
    arguments: Mapping[str, str]
    element: str
    grid: bool

    def __str__(self) -> str:
        return f"{self.name}-{self.element}"

    @cached_property
    def signature(self) -> str:
        one = self.make(np.random.default_rng(0), 1, 1)
        types = {name: self._type(name, value) for name, value in one.items()}
        return ",".join(f"{name}={type}" for name, type in types.items())

    def _type(self, name: str, value: Any) -> str:
        if not isinstance(value, np.ndarray):
            return str(scalar_type(value))
        return _element(self.arguments[name], self.element)

    def make(self, rng: np.random.Generator, n: int, cols: int = 1) -> Arguments:
        """Random arguments by name, in the order of the parameters."""
        extents = {"n": n, "rows": n, "cols": cols}
        return {p: _argument(rng, self.arguments[p], self.element, extents) for p in self.params}

    def sizes(self, n: int, cols: int = 1) -> dict[str, int]:
        return {"n_rows": n, "n_cols": cols} if self.grid else {"n": n}

    def program(self) -> ModuleOp:
        return program(self.file)

    @cached_property
    def stages(self) -> Mapping[str, tile.KernelOp]:
        """The kernel after each pass that leaves it typed, by the pass."""
        options = f'kernel={self.name} signature="{self.signature}"'
        before = KERNEL_TO_TILE.index("tile-canonicalize-loops")
        module = apply_pipeline(self.program(), pipeline(KERNEL_TO_TILE[:before], options))
        found = {"tile-infer-shapes": only_kernel(module)}
        last = TILE_TO_TRITON.index("tile-to-tl")
        for i, name in enumerate((*KERNEL_TO_TILE[before:], *TILE_TO_TRITON[:last])):
            module = module.clone()
            for step in parse_pipeline(name):
                step.apply(Context(), module)
            verify(module)
            found[f"{i}-{name}"] = only_kernel(module)
        return found


def pipeline(passes: tuple[str, ...], options: str) -> str:
    """The passes as a text, with the options of those that need some."""
    given = dict(part.partition("=")[::2] for part in options.split(" "))
    takes = {"pat-isolate-kernels": "kernel", "tile-specialize": "signature"}
    return ",".join(
        f"{name}{{{takes[name]}={given[takes[name]]}}}" if name in takes else name
        for name in passes
    )


def only_kernel(module: ModuleOp) -> tile.KernelOp:
    """The kernel of a module that has just one."""
    (kernel,) = module.ops
    assert isinstance(kernel, tile.KernelOp)
    return kernel


@cache
def program(file: Path) -> ModuleOp:
    return parse_file(file).module


def _cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.patlang")):
        text = file.read_text(encoding="utf-8")
        found = list(MARKED.finditer(text))
        assert len(found) == text.count("# @gpu_kernel") == text.count("# arguments:"), file
        for match in found:
            arguments = dict(part.split("=") for part in match["arguments"].split(" "))
            params = tuple(match["params"].split(", "))
            assert set(params) == set(arguments), match["name"]
            grid = match["grid"] is not None
            for element in match["types"].split(" "):
                yield Case(file, match["name"], params, arguments, element, grid)


def _element(text: str, element: str) -> str:
    match = ARRAY.fullmatch(text)
    assert match is not None, text
    return element if match["type"] == "T" else match["type"]


def _argument(rng: np.random.Generator, text: str, element: str, extents: Mapping[str, int]) -> Any:
    match = ARRAY.fullmatch(text)
    if match is None:
        return literal_eval(text.capitalize() if text in ("true", "false") else text)
    dtype = DTYPES[_element(text, element)]
    shape = [extents[s] if s in extents else int(s) for s in match["shape"].split(",")]
    return _elements(rng, dtype, match["values"], shape)


def _elements(rng: np.random.Generator, dtype: Any, values: str | None, shape: list[int]) -> Any:
    if values == "permutation":
        return rng.permutation(shape[0]).astype(dtype)
    low, high = map(int, (values or "-5..6").split(".."))
    if np.dtype(dtype).kind == "u":
        low = max(low, 0)
    whole = rng.integers(low, high, shape).astype(dtype)
    if values is not None or np.dtype(dtype).kind != "f":
        return whole
    return np.where(rng.random(shape) < 0.4, whole, rng.normal(0, 3, shape)).astype(dtype)


CASES = tuple(_cases())
"""Every kernel of the corpus, for each of its types."""
