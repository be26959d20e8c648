"""Programs and functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    StringAttr,
    SymbolNameConstraint,
)
from xdsl.ir import (
    Block,
    Operation,
    Region,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, SymbolOpInterface
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.parsing import parse_dictionary
from patlang_ir.dialects.pat.types import KernelKind, KernelKindAttr
from patlang_ir.dialects.signature import parse_body


def print_body(printer: Printer, region: Region) -> None:
    printer.print_string(" ")
    printer.print_region(region, print_empty_block=False)


def block_region(ops: Iterable[Operation] = ()) -> Region:
    """A region of one block that holds `ops`."""
    return Region(Block(ops))


LIBRARIES = "pat.libraries"
"""The attribute of a module that lists the bundled libraries it includes."""


@irdl_op_definition
class ProgramOp(IRDLOperation):
    """The statements at the top level, in their order.

    ```mlir
    pat.program {
      %0 = pat.constant 1
      pat.let "x", %0
    }
    ```
    """

    name = "pat.program"
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, body: Region):
        super().__init__(regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> ProgramOp:
        return cls(parse_body(parser))

    def print(self, printer: Printer) -> None:
        print_body(printer, self.body)


@irdl_op_definition
class FuncOp(IRDLOperation):
    """A function; with `kernel` it is a marked one.

    The parameters are variables of the body. `returns "r"` names the variable whose value a call
    gives when the body ends without `pat.return`. `options` are those of the marker.

    ```mlir
    pat.func @twice("x") returns "r" {
      %0 = pat.name "x"
      %1 = pat.binary add %0, %0
      pat.let "r", %1
    }
    pat.func @copy("x", "out") kernel linear options {math = "fast"} {
    }
    ```
    """

    name = "pat.func"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[StringAttr])
    result_name = opt_prop_def(StringAttr)
    kernel = opt_prop_def(KernelKindAttr)
    options = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        params: Sequence[str],
        body: Region,
        *,
        returns: str | None = None,
        kernel: KernelKind | None = None,
        options: DictionaryAttr | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(map(StringAttr, params)),
                "result_name": StringAttr(returns) if returns is not None else None,
                "kernel": KernelKindAttr(kernel) if kernel is not None else None,
                "options": options,
            },
            regions=[body],
        )

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    def verify_(self) -> None:
        if len(set(self.param_names)) != len(self.param_names):
            raise VerifyException("a parameter is given twice")
        if self.options is not None and self.kernel is None:
            raise VerifyException("only a kernel has options")

    @classmethod
    def parse(cls, parser: Parser) -> FuncOp:
        name = parser.parse_symbol_name().data
        params = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_str_literal)
        returns = kernel = options = None
        if parser.parse_optional_keyword("returns") is not None:
            returns = parser.parse_str_literal()
        if parser.parse_optional_keyword("kernel") is not None:
            kernel = parser.parse_str_enum(KernelKind)
            if parser.parse_optional_keyword("options") is not None:
                options = parse_dictionary(parser)
        body = parse_body(parser)
        return cls(name, params, body, returns=returns, kernel=kernel, options=options)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        with printer.in_parens():
            printer.print_list(self.param_names, printer.print_string_literal)
        if self.result_name is not None:
            printer.print_string(" returns ")
            printer.print_string_literal(self.result_name.data)
        if self.kernel is not None:
            printer.print_string(f" kernel {self.kernel.data}")
        if self.options is not None:
            printer.print_string(" options ")
            printer.print_attribute(self.options)
        print_body(printer, self.body)
