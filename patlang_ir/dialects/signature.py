"""The parameter list of kernels: `(%x "x" : !type, ...)`, a value with the name callers use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.ir import Block, BlockArgument, Region
from xdsl.parser import Parser
from xdsl.printer import Printer


def parse_signature(parser: Parser) -> tuple[list[str], list[Parser.Argument]]:
    """The names and the block arguments of a parameter list."""
    names: list[str] = []

    def parse_param() -> Parser.Argument:
        value = parser.parse_argument(expect_type=False)
        names.append(parser.parse_str_literal())
        parser.parse_punctuation(":")
        return value.resolve(parser.parse_type())

    return names, parser.parse_comma_separated_list(parser.Delimiter.PAREN, parse_param)


def print_signature(printer: Printer, names: Iterable[str], args: Iterable[BlockArgument]) -> None:
    """Write a parameter list."""

    def print_param(param: tuple[str, BlockArgument]) -> None:
        name, arg = param
        printer.print_ssa_value(arg)
        printer.print_string(" ")
        printer.print_string_literal(name)
        printer.print_string(" : ")
        printer.print_attribute(arg.type)

    with printer.in_parens():
        printer.print_list(zip(names, args, strict=True), print_param)


def parse_body(parser: Parser, args: Sequence[Parser.Argument] = ()) -> Region:
    """A region of one block, which may be empty; `args` are its arguments."""
    region = parser.parse_region(args if args else None)
    if region.blocks.first is None:
        region.add_block(Block(arg_types=[arg.type for arg in args]))
    return region
