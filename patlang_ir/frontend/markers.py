"""The comments that make a function a kernel: `# @gpu_kernel(autotune=[256, 512])`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    f64,
    i64,
)
from xdsl.ir import Attribute

from patlang_ir.diagnostics import Diagnostic, Place
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.frontend.lexer import Marker
from patlang_ir.targets import LARGEST_BLOCK

KINDS = {
    "gpu_kernel": KernelKind.LINEAR,
    "gpu_kernel_2d": KernelKind.GRID,
    "gpu_kernel_matmul": KernelKind.MATMUL,
}
Value: TypeAlias = "bool | int | float | str | list[Value]"
FLOAT_TYPES = ("f16", "bf16", "f32", "f64")


def _one_of(*words: str) -> tuple[str, Callable[[Value], bool]]:
    return " or ".join(words), lambda value: value in words


def _is_candidates(value: Value) -> bool:
    """Whether it is a list of sizes, or of lists of sizes."""
    return isinstance(value, list) and bool(value) and all(map(_is_size, value))


def _is_size(value: Value) -> bool:
    return _is_candidates(value) if isinstance(value, list) else type(value) is int and value > 0


def _is_block(value: Value) -> bool:
    """Whether it is `BLOCK_M`, `BLOCK_N` and `BLOCK_K` of a matmul kernel."""
    return isinstance(value, list) and len(value) == 3 and all(map(_is_power_of_two, value))


def _is_power_of_two(value: Value) -> bool:
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return 0 < value <= LARGEST_BLOCK and not value & (value - 1)


OPTIONS: Mapping[str, tuple[str, Callable[[Value], bool]]] = {
    "autotune": ("a list of block sizes, such as [256, 512]", _is_candidates),
    "block": ("the sizes of a block, such as [64, 64, 32]", _is_block),
    "math": _one_of("strict", "fast"),
    "types": _one_of(*FLOAT_TYPES),
    "precision": _one_of("ieee", "tf32", "tf32x3"),
    "deterministic": ("true or false", lambda value: isinstance(value, bool)),
}
"""The options of a marker: what each takes, in words and as a test."""

HEAD = re.compile(r"#[ \t]*@(?P<word>\w+)[ \t]*")
ITEM = re.compile(r"\s*(?:(?P<word>[A-Za-z_]\w*)|(?P<number>-?\d+(?:\.\d+)?)|(?P<sign>\S))")


@dataclass(frozen=True)
class KernelMark:
    """What a marker says of the function below it."""

    kind: KernelKind
    options: DictionaryAttr | None


class MarkerError(Exception):
    def __init__(self, diagnostic: Diagnostic):
        self.diagnostic = diagnostic


def marker_kind(marker: Marker) -> KernelKind | None:
    """The kind of kernel, or None for a word that is not known."""
    head = HEAD.match(marker.text)
    return KINDS.get(head["word"]) if head else None


def similar_marker(marker: Marker) -> str:
    """The marker that was perhaps meant."""
    head = HEAD.match(marker.text)
    similar = get_close_matches(head["word"] if head else "", KINDS, n=1, cutoff=0)
    return f"# @{similar[0]}"


def read_marker(marker: Marker, kind: KernelKind) -> KernelMark:
    """The kernel kind and options of a marker; raises MarkerError."""
    reader = _OptionReader(marker)
    values = reader.read()
    if "block" in values and kind is not KernelKind.MATMUL:
        raise reader.not_for_this_kind("block")
    if not values:
        return KernelMark(kind, None)
    return KernelMark(kind, DictionaryAttr({key: _attribute(v) for key, v in values.items()}))


class _OptionReader:
    """Reads `(key=value, ...)` after the word of a marker."""

    def __init__(self, marker: Marker):
        head = HEAD.match(marker.text)
        assert head is not None
        self.marker = marker
        self.text = head[0] + marker.text[head.end() :].partition("#")[0]
        self.position = head.end()
        self._advance()

    def read(self) -> dict[str, Value]:
        values: dict[str, Value] = {}
        if self.kind == "end":
            return values
        self._expect("(", "options follow the marker as (key=value, ...)")
        while True:
            key = self.item
            if key not in OPTIONS or key in values:
                raise self._unknown(key, given_twice=key in values)
            self._advance()
            self._expect("=", f"write {key}=...")
            start = self.start
            values[key] = value = self._value()
            described, fits = OPTIONS[key]
            if not fits(value):
                raise self._error(f"'{key}' takes {described}", start)
            if self.item != ",":
                break
            self._advance()
        self._expect(")", "the options end with )")
        if self.kind != "end":
            raise self._error(f"unexpected '{self.item}' after the options")
        return values

    def _value(self) -> Value:
        kind, text, start = self.kind, self.item, self.start
        self._advance()
        if kind == "word":
            return {"true": True, "false": False}.get(text, text)
        if kind == "number":
            return float(text) if "." in text else int(text)
        if text != "[":
            raise self._error("a value is missing", start)
        items: list[Value] = []
        while self.item != "]":
            items.append(self._value())
            if self.item == ",":
                self._advance()
            elif self.item != "]":
                raise self._error("the list ends with ]")
        self._advance()
        return items

    def _advance(self) -> None:
        found = ITEM.match(self.text, self.position)
        if found is None:
            self.kind, self.item, self.start = "end", "", len(self.text.rstrip())
            return
        kind = found.lastgroup
        assert kind is not None
        self.kind, self.item, self.start = kind, found[kind], found.start(kind)
        self.position = found.end()

    def _expect(self, sign: str, hint: str) -> None:
        if self.item != sign:
            found = f"'{self.item}'" if self.item else "the end of the line"
            raise self._error(f"'{sign}' was expected here, not {found}", help=hint)
        self._advance()

    def _unknown(self, key: str, given_twice: bool) -> MarkerError:
        if given_twice:
            return self._error(f"the option '{key}' is given twice")
        similar = get_close_matches(key, OPTIONS, n=1)
        hint = f"did you mean '{similar[0]}'?" if similar else f"there are {', '.join(OPTIONS)}"
        what = f"a marker has no option '{key}'" if self.kind == "word" else "an option is missing"
        return self._error(what, help=hint)

    def not_for_this_kind(self, key: str) -> MarkerError:
        """The error for an option that only matmul kernels have."""
        help = "a kernel means the same for every size of blocks"
        start = self.text.index(key)
        return self._error(f"'{key}' is an option of matmul kernels", start, help)

    def _error(self, message: str, start: int | None = None, help: str = "") -> MarkerError:
        place = self.marker.place
        column = place.column + (self.start if start is None else start)
        return MarkerError(Diagnostic("P118", message, Place(place.file, place.line, column), help))


def _attribute(value: Value) -> Attribute:
    match value:
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case _:
            return ArrayAttr(map(_attribute, value))
