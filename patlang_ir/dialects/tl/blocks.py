"""Products of blocks of matrices, and the launchers of kernels that work on matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    UnitAttr,
    i32,
)
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    eq,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
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
    MemoryReadEffect,
    MemoryWriteEffect,
    NoTerminator,
    Pure,
    SymbolOpInterface,
)
from xdsl.utils.exceptions import VerifyException

from patlang_ir.dialects.copies import Copies, Layout
from patlang_ir.dialects.matrices import Matrix
from patlang_ir.dialects.parsing import parse_array_of, parse_dictionary
from patlang_ir.dialects.signature import parse_body
from patlang_ir.dialects.sizes import print_sizes
from patlang_ir.dialects.tl.attributes import ArgumentAttr, ParameterAttr
from patlang_ir.dialects.tl.types import DescriptorType, PointerType, TensorType


@irdl_op_definition
class DotOp(IRDLOperation):
    """`tl.dot(a, b, acc, input_precision=..., out_dtype=...)`.

    ```mlir
    %3 = tl.dot "ieee" %0, %1, %2 : !tl.tensor<[BLOCK_M, BLOCK_K], f16>,
      !tl.tensor<[BLOCK_K, BLOCK_N], f16>, !tl.tensor<[BLOCK_M, BLOCK_N], f32>
    ```
    """

    T: ClassVar = VarConstraint("T", base(TensorType))
    name = "tl.dot"
    precision = prop_def(StringAttr)
    lhs = operand_def(TensorType)
    rhs = operand_def(TensorType)
    acc = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$precision $lhs `,` $rhs `,` $acc attr-dict `:` type(operands)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue, acc: SSAValue, precision: str):
        super().__init__(
            operands=[lhs, rhs, acc],
            properties={"precision": StringAttr(precision)},
            result_types=[acc.type],
        )


@irdl_op_definition
class TransposeOp(IRDLOperation):
    """`tl.trans(x)`.

    ```mlir
    %1 = tl.trans %0 : !tl.tensor<[BLOCK_N, BLOCK_K], f16> -> !tl.tensor<[BLOCK_K, BLOCK_N], f16>
    ```
    """

    name = "tl.trans"
    operand = operand_def(TensorType)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($operand) `->` type($result)"

    def __init__(self, operand: SSAValue):
        assert isinstance(operand.type, TensorType)
        turned = TensorType(operand.type.sizes[::-1], operand.type.element)
        super().__init__(operands=[operand], result_types=[turned])


@irdl_op_definition
class DescriptorLoadOp(IRDLOperation):
    """A block of a matrix; where the constexpr `turned` holds, that of a matrix by columns.

    ```mlir
    %2 = tl.descriptor_load %a[%0, %1] turned "A_TURNED" : !tl.descriptor<[BLOCK_M, 64], f16>,
      i32, i32 -> !tl.tensor<[BLOCK_M, 64], f16>
    ```
    """

    name = "tl.descriptor_load"
    descriptor = operand_def(base(DescriptorType) | base(PointerType))
    row = operand_def(eq(i32))
    col = operand_def(eq(i32))
    turned = prop_def(StringAttr)
    result = result_def(TensorType)
    traits = traits_def(MemoryReadEffect())
    assembly_format = (
        "$descriptor `[` $row `,` $col `]` `turned` $turned attr-dict"
        " `:` type(operands) `->` type($result)"
    )

    def __init__(
        self, descriptor: SSAValue, row: SSAValue, col: SSAValue, turned: str, type: Attribute
    ):
        super().__init__(
            operands=[descriptor, row, col],
            properties={"turned": StringAttr(turned)},
            result_types=[type],
        )


@irdl_op_definition
class DescriptorStoreOp(IRDLOperation):
    """`descriptor.store([row, col], value)`.

    ```mlir
    tl.descriptor_store %2, %c[%0, %1] : !tl.tensor<[BLOCK_M, 64], f16>,
      !tl.descriptor<[BLOCK_M, 64], f16>, i32, i32
    ```
    """

    name = "tl.descriptor_store"
    value = operand_def(TensorType)
    descriptor = operand_def(base(DescriptorType) | base(PointerType))
    row = operand_def(eq(i32))
    col = operand_def(eq(i32))
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $descriptor `[` $row `,` $col `]` attr-dict `:` type(operands)"

    def __init__(self, value: SSAValue, descriptor: SSAValue, row: SSAValue, col: SSAValue):
        super().__init__(operands=[value, descriptor, row, col])


@irdl_attr_definition
class MatrixAttr(Matrix):
    """A parameter as a matrix: `#tl.matrix<"a", [M, K]>`"""

    name = "tl.matrix"

    def __init__(self, parameter: str, extents: Sequence[str | int]):
        super().__init__(parameter, extents)


@irdl_attr_definition
class CopiesAttr(Copies):
    """How copies of parameters lie: `#tl.copies<{a = "rows", c = "rows"}, 256, 2147483648>`"""

    name = "tl.copies"

    def __init__(self, layouts: Mapping[str, Layout], extent: int, volume: int):
        super().__init__(layouts, extent, volume)


@irdl_op_definition
class MatmulLauncherOp(IRDLOperation):
    """The Python function that checks its matrices and launches a kernel.

    Of the launches in its body the first one that can takes place.

    ```mlir
    tl.matmul_launcher @matmul params [#tl.parameter<"a", f32, "buffer">]
      matrices [#tl.matrix<"a", [M, K]>] {
      tl.matmul_launch "matmul_kernel" args [#tl.argument<pointer "a">] cuts ["BLOCK_M", "BLOCK_N"]
        plans [{BLOCK_M = 128 : i64, num_warps = 4 : i64, speed = 100 : i64}]
        options {enable_fp_fusion = false}
    }
    ```
    """

    name = "tl.matmul_launcher"
    sym_name = prop_def(StringAttr)
    params = prop_def(ArrayAttr[ParameterAttr])
    matrices = prop_def(ArrayAttr[MatrixAttr])
    body = region_def("single_block")
    traits = traits_def(IsolatedFromAbove(), NoTerminator(), SymbolOpInterface())

    def __init__(
        self,
        name: str,
        params: Sequence[ParameterAttr],
        matrices: Sequence[MatrixAttr],
        body: Region,
    ):
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "params": ArrayAttr(params),
                "matrices": ArrayAttr(matrices),
            },
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> MatmulLauncherOp:
        name = parser.parse_symbol_name().data
        parser.parse_keyword("params")
        params = parse_array_of(parser, ParameterAttr)
        parser.parse_keyword("matrices")
        matrices = parse_array_of(parser, MatrixAttr)
        return cls(name, params.data, matrices.data, parse_body(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" params ")
        printer.print_attribute(self.params)
        printer.print_string(" matrices ")
        printer.print_attribute(self.matrices)
        printer.print_string(" ")
        printer.print_region(self.body, print_empty_block=False)


@irdl_op_definition
class MatmulLaunchOp(IRDLOperation):
    """A launch on a grid of one axis: one program for each block of the result.

    `cuts` names the constexpr that cuts M and that which cuts N, empty where no program follows
    them. The one of the `plans` is taken that needs least time: the rounds of programs on all
    processors, times the area of a block by the `speed` at which one makes it. Where one program
    must `cover` an axis, it is the first whose blocks do. All of them have the same
    `options`. A `persistent` launch has at most one program for each processor of the GPU. One
    with `described` matrices, each `"load"` or `"store"`, can take place only where the GPU moves
    blocks of all of them by itself. The launcher makes `copies` for it of those that do not lie
    so, in calls in which that pays.

    ```mlir
    tl.matmul_launch "matmul_kernel" args [#tl.argument<pointer "a">] cuts ["BLOCK_M", "BLOCK_N"]
      plans [{BLOCK_M = 128 : i64, num_warps = 4 : i64, speed = 100 : i64}]
      options {enable_fp_fusion = false}
    ```
    """

    name = "tl.matmul_launch"
    kernel = prop_def(StringAttr)
    args = prop_def(ArrayAttr[ArgumentAttr])
    cuts = prop_def(ArrayAttr[StringAttr])
    plans = prop_def(ArrayAttr[DictionaryAttr])
    options = prop_def(DictionaryAttr)
    cover = opt_prop_def(ArrayAttr[IntAttr])
    persistent = opt_prop_def(UnitAttr)
    described = opt_prop_def(DictionaryAttr)
    copies = opt_prop_def(CopiesAttr)

    def __init__(
        self,
        kernel: str,
        args: Sequence[ArgumentAttr],
        *,
        cuts: Sequence[str],
        plans: Sequence[DictionaryAttr],
        options: DictionaryAttr,
        cover: Sequence[int] = (),
        persistent: bool = False,
        described: Mapping[str, str] | None = None,
        copies: CopiesAttr | None = None,
    ):
        super().__init__(
            properties={
                "kernel": StringAttr(kernel),
                "args": ArrayAttr(args),
                "cuts": ArrayAttr(map(StringAttr, cuts)),
                "plans": ArrayAttr(plans),
                "options": options,
                "cover": ArrayAttr(map(IntAttr, cover)) if cover else None,
                "persistent": UnitAttr() if persistent else None,
                "described": DictionaryAttr({k: StringAttr(v) for k, v in described.items()})
                if described
                else None,
                "copies": copies,
            }
        )

    def verify_(self) -> None:
        for name in self.copies.by_name if self.copies is not None else ():
            if self.described is None or name not in self.described.data:
                raise VerifyException(f"'{name}' is copied, and is not described")
        for plan in self.plans if self.cover is None else ():
            speed = plan.data.get("speed")
            if not isinstance(speed, IntegerAttr) or speed.value.data <= 0:
                raise VerifyException("a plan has a speed, which is above 0")

    @classmethod
    def parse(cls, parser: Parser) -> MatmulLaunchOp:
        kernel = parser.parse_str_literal()
        parser.parse_keyword("args")
        args = parse_array_of(parser, ArgumentAttr)
        parser.parse_keyword("cuts")
        cuts = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_str_literal)
        parser.parse_keyword("plans")
        plans = parse_array_of(parser, DictionaryAttr)
        parser.parse_keyword("options")
        options = parse_dictionary(parser)
        cover: Sequence[int] = ()
        if parser.parse_optional_keyword("cover") is not None:
            cover = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        persistent = parser.parse_optional_keyword("persistent") is not None
        launch = cls(
            kernel,
            args.data,
            cuts=cuts,
            plans=plans.data,
            options=options,
            cover=cover,
            persistent=persistent,
        )
        if parser.parse_optional_keyword("described") is not None:
            launch.described = parse_dictionary(parser)
        if parser.parse_optional_keyword("copies") is not None:
            launch.copies = CopiesAttr.new(CopiesAttr.parse_parameters(parser))
        return launch

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.kernel.data)
        printer.print_string(" args ")
        printer.print_attribute(self.args)
        printer.print_string(" cuts ")
        with printer.in_square_brackets():
            printer.print_list(self.cuts, lambda cut: printer.print_string_literal(cut.data))
        printer.print_string(" plans ")
        printer.print_attribute(self.plans)
        printer.print_string(" options ")
        printer.print_attribute(self.options)
        if self.cover is not None:
            printer.print_string(" cover ")
            print_sizes(printer, [axis.data for axis in self.cover])
        if self.persistent is not None:
            printer.print_string(" persistent")
        if self.described is not None:
            printer.print_string(" described ")
            printer.print_attribute(self.described)
        if self.copies is not None:
            printer.print_string(" copies ")
            self.copies.print_parameters(printer)
