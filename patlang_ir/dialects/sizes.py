"""The shape of a block of values: symbols such as `BLOCK_SIZE`, or whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.parser import AttrParser
from xdsl.printer import Printer


def size_attributes(sizes: Sequence[str | int]) -> ArrayAttr[StringAttr | IntAttr]:
    """A shape as an attribute."""
    return ArrayAttr(StringAttr(s) if isinstance(s, str) else IntAttr(s) for s in sizes)


def parse_sizes(parser: AttrParser) -> ArrayAttr[StringAttr | IntAttr]:
    """Read `[BLOCK_R, 1]`."""

    def parse_size() -> StringAttr | IntAttr:
        number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
        return StringAttr(parser.parse_identifier()) if number is None else IntAttr(number)

    return ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_size))


def print_sizes(printer: Printer, sizes: Sequence[str | int]) -> None:
    """Write `[BLOCK_R, 1]`."""
    with printer.in_square_brackets():
        printer.print_list(sizes, lambda size: printer.print_string(str(size)))
