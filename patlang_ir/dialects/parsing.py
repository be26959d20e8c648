"""Attributes inside the assembly formats of operations: one of another kind is an error there."""

from __future__ import annotations

from typing import TypeVar, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.hints import isa

AttributeT = TypeVar("AttributeT", bound=Attribute)


def parse_dictionary(parser: Parser) -> DictionaryAttr:
    """Read `{num_warps = 4 : i64}`."""
    start = parser.pos
    found = parser.parse_attribute()
    if not isinstance(found, DictionaryAttr):
        parser.raise_error("expected a dictionary", start, parser.pos)
    return found


def parse_array_of(parser: Parser, kind: type[AttributeT]) -> ArrayAttr[AttributeT]:
    """Read `[...]`, each element of which is an attribute of this kind."""
    start = parser.pos
    found = parser.parse_attribute()
    hint = cast("type[ArrayAttr[AttributeT]]", ArrayAttr[kind])  # pyright: ignore
    if not isa(found, hint):
        parser.raise_error(f"expected an array of {kind.name}", start, parser.pos)
    return found
