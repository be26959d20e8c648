"""Calls, before and after names are resolved."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    UnitAttr,
)
from xdsl.ir import (
    SSAValue,
)
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)

from patlang_ir.dialects.pat.types import VALUE, value
from patlang_ir.dialects.plain_op import PlainOp


@irdl_op_definition
class ApplyOp(PlainOp):
    """A call by name, before it is known what the name stands for.

    ```mlir
    %1 = pat.apply "print"(%0)
    ```
    """

    name = "pat.apply"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class CallValueOp(PlainOp):
    """A call of a closure value, as in `fs[0](5)`. `or_host` names the host function that is called
    if the value is no closure: a variable of its name may hold something else.

    ```mlir
    %2 = pat.call_value %0(%1)
    %3 = pat.call_value %0(%1) or_host "count"
    ```
    """

    name = "pat.call_value"
    callee = operand_def(VALUE)
    args = var_operand_def(VALUE)
    or_host = opt_prop_def(StringAttr)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` (`or_host` $or_host^)? attr-dict"

    def __init__(self, callee: SSAValue, args: Sequence[SSAValue], *, or_host: str | None = None):
        super().__init__(
            operands=[callee, *args],
            properties={"or_host": StringAttr(or_host) if or_host is not None else None},
            result_types=[value],
        )


@irdl_op_definition
class CallOp(PlainOp):
    """A call of a function of the program.

    ```mlir
    %1 = pat.call "twice"(%0)
    ```
    """

    name = "pat.call"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class HostOp(PlainOp):
    """A call of a host function. `in_place`: the first argument is a list at its last use.

    ```mlir
    %2 = pat.host "list_push"(%0, %1) in_place
    ```
    """

    name = "pat.host"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    in_place = opt_prop_def(UnitAttr)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` (`in_place` $in_place^)? attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class LaunchOp(PlainOp):
    """A kernel called from host code. `written` names the variables that get new lists, by the
    position of their argument: an empty string for an argument that the kernel only reads.

    ```mlir
    pat.launch "add"(%0, %1) writes ["", "out"]
    ```
    """

    name = "pat.launch"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    written = prop_def(ArrayAttr[StringAttr])
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` `writes` $written attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue], written: Sequence[str]):
        super().__init__(
            operands=args,
            properties={
                "callee": StringAttr(callee),
                "written": ArrayAttr(map(StringAttr, written)),
            },
            result_types=[value],
        )
