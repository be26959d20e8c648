"""What names turn out to be inside a kernel."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    StringAttr,
)
from xdsl.ir import (
    SSAValue,
)
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from patlang_ir.dialects.pat.types import VALUE, AtomicKind, AtomicKindAttr, value
from patlang_ir.dialects.plain_op import PlainOp


@irdl_op_definition
class IntrinsicOp(PlainOp):
    """A function of the kernel language, such as `exp` or `select`.

    ```mlir
    %1 = pat.intrinsic "exp"(%0)
    ```
    """

    name = "pat.intrinsic"
    callee = prop_def(StringAttr)
    args = var_operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$callee `(` $args `)` attr-dict"

    def __init__(self, callee: str, args: Sequence[SSAValue]):
        super().__init__(
            operands=args, properties={"callee": StringAttr(callee)}, result_types=[value]
        )


@irdl_op_definition
class LoadOp(PlainOp):
    """`buffer[index]` where `buffer` is a parameter of the kernel.

    ```mlir
    %1 = pat.load "x"[%0]
    ```
    """

    name = "pat.load"
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    result = result_def(VALUE)
    assembly_format = "$buffer `[` $index `]` attr-dict"

    def __init__(self, buffer: str, index: SSAValue):
        super().__init__(
            operands=[index], properties={"buffer": StringAttr(buffer)}, result_types=[value]
        )


@irdl_op_definition
class StoreOp(PlainOp):
    """`store(buffer, index, value)`.

    ```mlir
    pat.store %1, "out"[%0]
    ```
    """

    name = "pat.store"
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    value = operand_def(VALUE)
    assembly_format = "$value `,` $buffer `[` $index `]` attr-dict"

    def __init__(self, buffer: str, index: SSAValue, stored: SSAValue):
        super().__init__(operands=[index, stored], properties={"buffer": StringAttr(buffer)})


@irdl_op_definition
class AtomicOp(PlainOp):
    """`atomic_add(buffer, index, value)` and its relatives. The old value cannot be used.

    ```mlir
    pat.atomic add %1, "out"[%0]
    ```
    """

    name = "pat.atomic"
    kind = prop_def(AtomicKindAttr)
    buffer = prop_def(StringAttr)
    index = operand_def(VALUE)
    value = operand_def(VALUE)
    assembly_format = "$kind $value `,` $buffer `[` $index `]` attr-dict"

    def __init__(self, kind: AtomicKind, buffer: str, index: SSAValue, stored: SSAValue):
        super().__init__(
            operands=[index, stored],
            properties={"kind": AtomicKindAttr(kind), "buffer": StringAttr(buffer)},
        )
