"""Kernels, and the launchers that run them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
)
from xdsl.ir import Attribute, BlockArgument, Region
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
from xdsl.traits import IsolatedFromAbove, NoTerminator, SymbolOpInterface

from patlang_ir.dialects.parsing import parse_array_of, parse_dictionary
from patlang_ir.dialects.signature import parse_body, parse_signature, print_signature
from patlang_ir.dialects.sizes import print_sizes
from patlang_ir.dialects.tl.attributes import (
    ArgumentAttr,
    ParameterAttr,
    ScratchExtent,
    ScratchExtentAttr,
)
from patlang_ir.dialects.tl.types import NUMBER

Candidates: TypeAlias = ArrayAttr[DictionaryAttr]
"""Block sizes to choose from, each by the names of the axes."""


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A function under `@triton.jit`; `constexprs` are its compile-time parameters.

    Triton chooses the type of a `specialized` parameter by its value, and takes a 1 as a literal.

    ```mlir
    tl.kernel @add_kernel(%x "x" : !tl.pointer<f32>, %n "n" : i64) constexprs ["BLOCK_SIZE"] {
    }
    ```
    """

    name = "tl.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[StringAttr])
    constexprs = prop_def(ArrayAttr[StringAttr])
    specialized = opt_prop_def(ArrayAttr[StringAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        params: Sequence[str],
        constexprs: Sequence[str],
        body: Region,
        *,
        specialized: Sequence[str] = (),
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(map(StringAttr, params)),
                "constexprs": ArrayAttr(map(StringAttr, constexprs)),
                "specialized": ArrayAttr(map(StringAttr, specialized)) if specialized else None,
            },
            regions=[body],
        )

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        name = parser.parse_symbol_name().data
        params, args = parse_signature(parser)
        parser.parse_keyword("constexprs")
        constexprs = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, parser.parse_str_literal
        )
        specialized: Sequence[str] = ()
        if parser.parse_optional_keyword("specialized") is not None:
            specialized = parser.parse_comma_separated_list(
                parser.Delimiter.SQUARE, parser.parse_str_literal
            )
        body = parse_body(parser, args)
        return cls(name, params, constexprs, body, specialized=specialized)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        print_signature(printer, self.param_names, self.args)
        printer.print_string(" constexprs ")
        with printer.in_square_brackets():
            printer.print_list(self.constexprs, lambda c: printer.print_string_literal(c.data))
        if self.specialized is not None:
            printer.print_string(" specialized ")
            with printer.in_square_brackets():
                printer.print_list(self.specialized, lambda s: printer.print_string_literal(s.data))
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class LauncherOp(IRDLOperation):
    """The Python function that checks its arguments and launches a chain of kernels.

    Its body holds one `tl.launch` for each stage. With `candidates` the first call for inputs of
    about one size looks for the fastest of them; all must give the same bits if it is `bitwise`,
    and else about the same numbers.

    ```mlir
    tl.launcher @add rank 1 params [#tl.parameter<"x", f32, "buffer", "exact">] {
      tl.launch "add_kernel" args [#tl.argument<pointer "x">, #tl.argument<n "">]
        blocks ["BLOCK_SIZE"] plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64}
    }
    ```
    """

    name = "tl.launcher"
    sym_name = prop_def(SymbolNameConstraint())
    params = prop_def(ArrayAttr[ParameterAttr])
    rank = prop_def(IntAttr)
    candidates = opt_prop_def(Candidates)
    bitwise = opt_prop_def(UnitAttr)
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        params: Sequence[ParameterAttr],
        rank: int,
        body: Region,
        *,
        candidates: Candidates | None = None,
        bitwise: bool = False,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(params),
                "rank": IntAttr(rank),
                "candidates": candidates,
                "bitwise": UnitAttr() if bitwise else None,
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> LauncherOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("rank")
        rank = parser.parse_integer()
        parser.parse_keyword("params")
        params = parse_array_of(parser, ParameterAttr)
        candidates = None
        if parser.parse_optional_keyword("candidates") is not None:
            candidates = parse_array_of(parser, DictionaryAttr)
        bitwise = parser.parse_optional_keyword("bitwise") is not None
        body = parse_body(parser)
        return cls(name, params.data, rank, body, candidates=candidates, bitwise=bitwise)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" rank {self.rank.data} params ")
        printer.print_attribute(self.params)
        if self.candidates is not None:
            printer.print_string(" candidates ")
            printer.print_attribute(self.candidates)
        printer.print_string(" bitwise " if self.bitwise is not None else " ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class ScratchOp(IRDLOperation):
    """Memory that the launches of a chain pass values in; the launch `filled_by` makes its size.

    ```mlir
    tl.scratch "scratch" extents [#tl<scratch_extent blocks>] filled_by "sum_kernel_1" : f32
    ```
    """

    name = "tl.scratch"
    sym_name = prop_def(StringAttr)
    extents = prop_def(ArrayAttr[ScratchExtentAttr])
    filled_by = prop_def(StringAttr)
    element = prop_def(NUMBER)
    assembly_format = "$sym_name `extents` $extents `filled_by` $filled_by `:` $element attr-dict"

    def __init__(
        self, name: str, extents: Sequence[ScratchExtent], filled_by: str, element: Attribute
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "extents": ArrayAttr(map(ScratchExtentAttr, extents)),
                "filled_by": StringAttr(filled_by),
                "element": element,
            }
        )


@irdl_op_definition
class LaunchOp(IRDLOperation):
    """One launch: what each argument is, the constexprs and launch options, and the grid.

    The grid has one axis, on which the programs are numbered by rows of blocks. `blocks` names the
    constexpr that cuts each axis of the input, empty for an axis that has no lanes. Its value
    stands in the plan. An axis in `cover` has one program, whose block has `next_power_of_2` lanes
    of the axis. The input is that of the launcher, or `over` scratch. With `above` or `upto` the
    launch takes place only where the input has more or at most so many elements along the axes
    that some launch covers.

    ```mlir
    tl.launch "add_kernel" args [#tl.argument<pointer "x">] blocks ["BLOCK_SIZE"]
      plan {BLOCK_SIZE = 1024 : i64, num_warps = 4 : i64, enable_fp_fusion = false}
    tl.launch "sum_kernel" args [#tl.argument<pointer "x">] blocks ["BLOCK_SIZE"] cover [0]
      over "scratch" above 32768 plan {num_warps = 4 : i64, enable_fp_fusion = false}
    ```
    """

    name = "tl.launch"
    kernel = prop_def(StringAttr)
    args = prop_def(ArrayAttr[ArgumentAttr])
    blocks = prop_def(ArrayAttr[StringAttr])
    cover = opt_prop_def(ArrayAttr[IntAttr])
    over = opt_prop_def(StringAttr)
    above = opt_prop_def(IntAttr)
    upto = opt_prop_def(IntAttr)
    plan = prop_def(DictionaryAttr)

    def __init__(
        self,
        kernel: str,
        args: Sequence[ArgumentAttr],
        blocks: Sequence[str],
        plan: DictionaryAttr,
        *,
        cover: Sequence[int] = (),
        over: str | None = None,
        above: int | None = None,
        upto: int | None = None,
    ):
        super().__init__(
            properties={
                "kernel": StringAttr(kernel),
                "args": ArrayAttr(args),
                "blocks": ArrayAttr(map(StringAttr, blocks)),
                "cover": ArrayAttr(map(IntAttr, cover)) if cover else None,
                "over": StringAttr(over) if over is not None else None,
                "above": IntAttr(above) if above is not None else None,
                "upto": IntAttr(upto) if upto is not None else None,
                "plan": plan,
            }
        )

    @property
    def covered(self) -> frozenset[int]:
        """The axes that one program covers."""
        return frozenset(axis.data for axis in self.cover or ())

    @classmethod
    def parse(cls, parser: Parser) -> LaunchOp:
        kernel = parser.parse_str_literal()
        parser.parse_keyword("args")
        args = parse_array_of(parser, ArgumentAttr)
        parser.parse_keyword("blocks")
        square = parser.Delimiter.SQUARE
        blocks = parser.parse_comma_separated_list(square, parser.parse_str_literal)
        cover: Sequence[int] = ()
        if parser.parse_optional_keyword("cover") is not None:
            cover = parser.parse_comma_separated_list(square, parser.parse_integer)
        over = parser.parse_str_literal() if parser.parse_optional_keyword("over") else None
        above = parser.parse_integer() if parser.parse_optional_keyword("above") else None
        upto = parser.parse_integer() if parser.parse_optional_keyword("upto") else None
        parser.parse_keyword("plan")
        plan = parse_dictionary(parser)
        return cls(kernel, args.data, blocks, plan, cover=cover, over=over, above=above, upto=upto)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.kernel.data)
        printer.print_string(" args ")
        printer.print_attribute(self.args)
        printer.print_string(" blocks ")
        with printer.in_square_brackets():
            printer.print_list(self.blocks, lambda b: printer.print_string_literal(b.data))
        if self.cover is not None:
            printer.print_string(" cover ")
            print_sizes(printer, [axis.data for axis in self.cover])
        if self.over is not None:
            printer.print_string(" over ")
            printer.print_string_literal(self.over.data)
        if self.above is not None:
            printer.print_string(f" above {self.above.data}")
        if self.upto is not None:
            printer.print_string(f" upto {self.upto.data}")
        printer.print_string(" plan ")
        printer.print_attribute(self.plan)
