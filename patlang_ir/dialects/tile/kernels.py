"""Kernels, and the stages that they run in."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    StringAttr,
    SymbolNameConstraint,
    UnitAttr,
)
from xdsl.ir import (
    Attribute,
    BlockArgument,
    Region,
    SSAValue,
)
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import (
    IsolatedFromAbove,
    NoTerminator,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.parsing import parse_array_of, parse_dictionary
from patlang_ir.dialects.pat import KernelKind, KernelKindAttr
from patlang_ir.dialects.signature import parse_body, parse_signature, print_signature
from patlang_ir.dialects.sizes import print_sizes
from patlang_ir.dialects.tile.blocks import StoreBlockOp, pointed_buffer
from patlang_ir.dialects.tile.descriptors import DescriptorStoreOp
from patlang_ir.dialects.tile.memory import AtomicOp, StoreOp
from patlang_ir.dialects.tile.types import (
    BufferType,
    CopiesAttr,
    Extent,
    ExtentAttr,
    MatrixAttr,
    Order,
    OrderAttr,
)

Write = StoreOp | AtomicOp | DescriptorStoreOp


@irdl_op_definition
class KernelOp(IRDLOperation):
    """A kernel: its parameters, and one or more stages that run one after the other.

    The word after the name is the kind: `linear`, `grid` or `matmul`. Each parameter has the
    name that callers use. `options` are those of the marker, and `matrices` what the pointers of a
    matmul kernel said of its parameters, which `tile-legalize-block-pointers` keeps.

    ```mlir
    tile.kernel @copy linear(%x "x" : !tile.buffer<f32>, %out "out" : !tile.buffer<f32>) {
      tile.stage {
        %offs = tile.index offs : !tile.tile<[BLOCK_SIZE], i64>
        %v = tile.load %x[%offs] : (!tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>)
          -> !tile.tile<[BLOCK_SIZE], f32>
        tile.store %v, %out[%offs] : !tile.tile<[BLOCK_SIZE], f32>,
          !tile.buffer<f32>, !tile.tile<[BLOCK_SIZE], i64>
      }
    }
    ```
    """

    name = "tile.kernel"
    sym_name = prop_def(SymbolNameConstraint())
    kind = prop_def(KernelKindAttr)
    params = prop_def(ArrayAttr[StringAttr])
    options = opt_prop_def(DictionaryAttr)
    matrices = opt_prop_def(ArrayAttr[MatrixAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        kind: KernelKind,
        params: Sequence[str],
        body: Region,
        options: DictionaryAttr | None = None,
        *,
        matrices: ArrayAttr[MatrixAttr] | None = None,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "kind": KernelKindAttr(kind),
                "params": ArrayAttr(map(StringAttr, params)),
                "options": options,
                "matrices": matrices,
            },
            regions=[body],
        )

    @property
    def param_names(self) -> tuple[str, ...]:
        return tuple(param.data for param in self.params)

    @property
    def args(self) -> tuple[BlockArgument, ...]:
        return tuple(self.body.block.args)

    @property
    def stages(self) -> tuple[StageOp, ...]:
        return tuple(op for op in self.body.block.ops if isinstance(op, StageOp))

    @property
    def scratch(self) -> tuple[ScratchOp, ...]:
        return tuple(op for op in self.body.block.ops if isinstance(op, ScratchOp))

    @property
    def rank(self) -> int:
        """The number of axes of the input."""
        return 1 if self.kind.data == KernelKind.LINEAR else 2

    @property
    def written(self) -> tuple[BlockArgument, ...]:
        """The parameters that the kernel stores to, in their order."""
        stored = {op.buffer for op in self.walk() if isinstance(op, Write)}
        stored |= {pointed_buffer(op.access) for op in self.walk() if isinstance(op, StoreBlockOp)}
        return tuple(arg for arg in self.args if arg in stored)

    def option(self, name: str) -> Attribute | None:
        """The value of a marker's option."""
        return self.options.data.get(name) if self.options is not None else None

    def verify_(self) -> None:
        if len(self.params) != len(self.args):
            raise VerifyException("each parameter needs a name")
        for op in self.body.block.ops:
            if not isinstance(op, StageOp | ScratchOp):
                raise VerifyException("a kernel holds tile.stage and tile.scratch only")
        for stage in self.stages:
            for name in stage.copies.by_name if stage.copies is not None else ():
                if name not in self.param_names:
                    raise VerifyException(f"'{name}' is copied, and is no parameter")

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        name = parser.parse_symbol_name().data
        kind = parser.parse_str_enum(KernelKind)
        params, args = parse_signature(parser)
        options = None
        if parser.parse_optional_keyword("options") is not None:
            options = parse_dictionary(parser)
        matrices = None
        if parser.parse_optional_keyword("matrices") is not None:
            matrices = parse_array_of(parser, MatrixAttr)
        body = parse_body(parser, args)
        return cls(name, kind, params, body, options, matrices=matrices)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(f" {self.kind.data}")
        print_signature(printer, self.param_names, self.args)
        if self.options is not None:
            printer.print_string(" options ")
            printer.print_attribute(self.options)
        if self.matrices is not None:
            printer.print_string(" matrices ")
            printer.print_attribute(self.matrices)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False, print_empty_block=False)


@irdl_op_definition
class ScratchOp(IRDLOperation):
    """A buffer that lives as long as the kernel's launches: stages pass values in it.

    Its extent along each axis is `one` element, one for each of the `blocks` of the stage that
    fills it, or `all` of the input's.

    ```mlir
    %0 = tile.scratch [blocks] : !tile.buffer<f32>
    ```
    """

    name = "tile.scratch"
    extents = prop_def(ArrayAttr[ExtentAttr])
    result = result_def(BufferType)

    def __init__(self, extents: Sequence[Extent], type: Attribute):
        super().__init__(
            properties={"extents": ArrayAttr(map(ExtentAttr, extents))}, result_types=[type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> ScratchOp:
        extents = parser.parse_comma_separated_list(
            parser.Delimiter.SQUARE, lambda: parser.parse_str_enum(Extent)
        )
        parser.parse_punctuation(":")
        return cls(extents, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        with printer.in_square_brackets():
            printer.print_list(self.extents, lambda extent: printer.print_string(extent.data))
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)


@irdl_op_definition
class StageOp(IRDLOperation):
    """One launch of a kernel.

    One block covers each axis in `cover`. The input of the stage is that of the kernel, or `over`
    a scratch buffer its elements. A stage with `above` or `upto` runs only where the covered part
    of the kernel's input, or else the whole, has more or at most so many elements. `plan` holds
    the block sizes and launch options once they are chosen. `order` is that of the programs of a
    matmul kernel. A stage that is `described` takes the place of the next one in the calls whose
    matrices the GPU can move by itself; where that pays, `copies` are made of the others.

    ```mlir
    tile.stage {
    }
    tile.stage cover [0] upto 32768 plan {num_warps = 4 : i64} {
    }
    tile.stage cover [0] over %0 : !tile.buffer<f32> above 32768 {
    }
    ```
    """

    name = "tile.stage"
    over = opt_operand_def(BufferType)
    cover = opt_prop_def(ArrayAttr[IntAttr])
    above = opt_prop_def(IntAttr)
    upto = opt_prop_def(IntAttr)
    described = opt_prop_def(UnitAttr)
    copies = opt_prop_def(CopiesAttr)
    order = opt_prop_def(OrderAttr)
    plan = opt_prop_def(DictionaryAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), RecursiveMemoryEffect())

    def __init__(
        self,
        body: Region,
        *,
        cover: Sequence[int] = (),
        over: SSAValue | None = None,
        above: int | None = None,
        upto: int | None = None,
        described: bool = False,
        copies: CopiesAttr | None = None,
        order: Order | None = None,
        plan: DictionaryAttr | None = None,
    ):
        super().__init__(
            operands=[over],
            properties={
                "cover": ArrayAttr(map(IntAttr, cover)) if cover else None,
                "above": IntAttr(above) if above is not None else None,
                "upto": IntAttr(upto) if upto is not None else None,
                "described": UnitAttr() if described else None,
                "copies": copies,
                "order": OrderAttr(order) if order is not None else None,
                "plan": plan,
            },
            regions=[body],
        )

    @property
    def kernel(self) -> KernelOp:
        parent = self.parent_op()
        assert isinstance(parent, KernelOp)
        return parent

    @property
    def covered(self) -> frozenset[int]:
        """The axes that one block covers."""
        return frozenset(axis.data for axis in self.cover or ())

    @property
    def single(self) -> bool:
        """Whether one program covers the whole input."""
        return len(self.covered) == self.kernel.rank

    def verify_(self) -> None:
        if self.copies is not None and self.described is None:
            raise VerifyException("copies are for a stage that is described")

    @classmethod
    def parse(cls, parser: Parser) -> StageOp:
        cover: Sequence[int] = ()
        over = above = upto = copies = order = plan = None
        if parser.parse_optional_keyword("cover") is not None:
            cover = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        if parser.parse_optional_keyword("over") is not None:
            name = parser.parse_unresolved_operand()
            parser.parse_punctuation(":")
            over = parser.resolve_operand(name, parser.parse_type())
        if parser.parse_optional_keyword("above") is not None:
            above = parser.parse_integer()
        if parser.parse_optional_keyword("upto") is not None:
            upto = parser.parse_integer()
        described = parser.parse_optional_keyword("described") is not None
        if parser.parse_optional_keyword("copies") is not None:
            copies = CopiesAttr.new(CopiesAttr.parse_parameters(parser))
        if parser.parse_optional_keyword("order") is not None:
            order = parser.parse_str_enum(Order)
        if parser.parse_optional_keyword("plan") is not None:
            plan = parse_dictionary(parser)
        body = parse_body(parser)
        return cls(
            body,
            cover=cover,
            over=over,
            above=above,
            upto=upto,
            described=described,
            copies=copies,
            order=order,
            plan=plan,
        )

    def print(self, printer: Printer) -> None:
        if self.cover is not None:
            printer.print_string(" cover ")
            print_sizes(printer, [axis.data for axis in self.cover])
        if self.over is not None:
            printer.print_string(" over ")
            printer.print_ssa_value(self.over)
            printer.print_string(" : ")
            printer.print_attribute(self.over.type)
        if self.above is not None:
            printer.print_string(f" above {self.above.data}")
        if self.upto is not None:
            printer.print_string(f" upto {self.upto.data}")
        if self.described is not None:
            printer.print_string(" described")
        if self.copies is not None:
            printer.print_string(" copies ")
            self.copies.print_parameters(printer)
        if self.order is not None:
            printer.print_string(f" order {self.order.data}")
        if self.plan is not None:
            printer.print_string(" plan ")
            printer.print_attribute(self.plan)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)
