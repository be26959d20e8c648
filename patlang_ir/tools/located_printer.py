"""Writing IR text with the locations that reading it again would not give.

An operation that was read from IR text and says nothing else has its own place in that text; those
places are left out. All others are written, so a chain of tools keeps pointing at the first source.
"""

from __future__ import annotations

from typing import IO, Literal

from xdsl.dialects.builtin import FileLineColLoc, ModuleOp, UnknownLoc
from xdsl.ir import BlockArgument, Operation
from xdsl.printer import Printer


class LocatedPrinter(Printer):
    """A printer that chooses which locations to write.

    `hidden_file` is the text that the IR was read from. `locations` is `foreign` for the rule
    above, `all` or `none`. A location follows the whole operation: xDSL's own `print_debuginfo`
    puts that of `scf.while` where it cannot be read again.
    """

    def __init__(
        self,
        stream: IO[str],
        hidden_file: str,
        locations: Literal["foreign", "all", "none"] = "foreign",
        *,
        generic: bool = False,
    ):
        super().__init__(stream, print_generic_format=generic)
        self._hidden_file = hidden_file
        self._locations = locations

    def print_op(self, op: Operation) -> None:
        super().print_op(op)
        if self._shows(op):
            self.print_string(" ")
            self.print_attribute(op.location)

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        super().print_block_argument(arg, print_type)
        if print_type and self._shows(arg):
            self.print_string(" ")
            self.print_attribute(arg.location)

    def _shows(self, item: Operation | BlockArgument) -> bool:
        if self._locations != "foreign":
            return self._locations == "all"
        match item.location:
            case FileLineColLoc() as location:
                return location.filename.data != self._hidden_file
            case UnknownLoc():
                return not isinstance(item, ModuleOp | BlockArgument)
            case _:
                return True
