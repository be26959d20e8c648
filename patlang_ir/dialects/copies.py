"""What `tile` and `tl` know of matrices that a launcher may copy before it launches a kernel."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import DictionaryAttr, IntAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa
from xdsl.utils.str_enum import StrEnum


class Layout(StrEnum):
    """Along what the elements of a matrix lie side by side."""

    ROWS = "rows"
    COLUMNS = "columns"
    EITHER = "either"


class Copies(ParametrizedAttribute, ABC):
    """How the copy of each parameter lies, and for which products copies pay.

    Each of M, N and K is at least the first number then, and their product the second.

    `<{a = "rows", b = "columns", c = "rows"}, 256, 2147483648>`
    """

    layouts: DictionaryAttr = param_def()
    extent: IntAttr = param_def()
    volume: IntAttr = param_def()

    def __init__(self, layouts: Mapping[str, Layout], extent: int, volume: int):
        names = {name: StringAttr(layout) for name, layout in layouts.items()}
        super().__init__(DictionaryAttr(names), IntAttr(extent), IntAttr(volume))

    @property
    def by_name(self) -> dict[str, Layout]:
        assert isa(self.layouts, DictionaryAttr)
        return {
            name: Layout(layout.data)
            for name, layout in self.layouts.data.items()
            if isinstance(layout, StringAttr)
        }

    def verify(self) -> None:
        for name, layout in self.layouts.data.items():
            if not isinstance(layout, StringAttr) or layout.data not in list(Layout):
                known = ", ".join(Layout)
                raise VerifyException(f"the copy of '{name}' lies by one of {known}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            layouts = parser.parse_attribute()
            parser.parse_punctuation(",")
            extent = IntAttr(parser.parse_integer())
            parser.parse_punctuation(",")
            return (layouts, extent, IntAttr(parser.parse_integer()))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.layouts)
            printer.print_string(f", {self.extent.data}, {self.volume.data}")
