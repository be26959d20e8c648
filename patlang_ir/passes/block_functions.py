"""The functions of matmul kernels, as operations on blocks."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IntAttr, StringAttr
from xdsl.ir import BlockArgument, Operation, SSAValue

from patlang_ir.diagnostics import Report
from patlang_ir.dialects import pat, tile
from patlang_ir.targets import LARGEST_BLOCK


def block_operation(
    kernel: tile.KernelOp,
    name: str,
    args: Sequence[SSAValue],
    op: pat.IntrinsicOp,
    report: Report,
) -> Operation:
    """The operation of a call. What is not right about the call is reported."""
    match name:
        case "make_block_ptr":
            buffer, rows, cols, row, col, *lanes = args
            sizes = [_size(value, op, report) for value in lanes]
            if not isinstance(buffer, BlockArgument) or buffer not in kernel.args:
                message = "a pointer to a block needs a parameter that is a buffer"
                report.error(op, "P306", message, "name the parameter here")
                return tile.ZerosOp(sizes)
            return tile.BlockPointerOp(buffer, (rows, cols), (row, col), sizes)
        case "load_block":
            return tile.LoadBlockOp(args[0])
        case "advance_block":
            return tile.AdvanceOp(args[0], args[1], args[2])
        case "zeros_2d":
            return tile.ZerosOp([_size(value, op, report) for value in args])
        case "trans":
            return tile.TransposeOp(args[0])
        case _:
            return tile.DotOp(args[0], args[1], args[2], _precision(kernel), tile.unknown)


def _precision(kernel: tile.KernelOp) -> tile.Precision:
    option = kernel.option("precision")
    given = option.data if isinstance(option, StringAttr) else "ieee"
    return tile.Precision(given)


def _size(value: SSAValue, op: pat.IntrinsicOp, report: Report) -> str | int:
    """The size of a block along an axis: the name of a block size, or a literal."""
    match value.owner:
        case tile.BlockSizeOp(symbol=symbol):
            return symbol.data
        case tile.ConstantOp(value=IntAttr(data=size)):
            if 0 < size <= LARGEST_BLOCK and not size & (size - 1):
                return size
            message = f"a block cannot have the size {size}"
        case _:
            message = "the size of a block is not known here"
    report.error(
        op,
        "P312",
        message,
        f"write BLOCK_M, BLOCK_N or BLOCK_K, or a power of two up to {LARGEST_BLOCK}",
    )
    return 1
