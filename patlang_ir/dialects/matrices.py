"""What `tile` and `tl` know of a parameter that is a matrix."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from patlang_ir.dialects.sizes import parse_sizes, print_sizes, size_attributes


class Matrix(ParametrizedAttribute, ABC):
    """A parameter as a matrix: its rows and columns, each `M`, `N`, `K` or a number.

    `<"a", [M, K]>`
    """

    parameter: StringAttr = param_def()
    extents: ArrayAttr[StringAttr | IntAttr] = param_def()

    def __init__(self, parameter: str, extents: Sequence[str | int]):
        super().__init__(StringAttr(parameter), size_attributes(extents))

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(extent.data for extent in self.extents)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            name = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            return (name, parse_sizes(parser))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.parameter.data)
            printer.print_string(", ")
            print_sizes(printer, self.sizes)
