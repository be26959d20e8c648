"""`tl`: a Triton program, one operation for each call or Python statement that is printed.

Nothing is left to decide here: masks, casts, pointer arithmetic, launch options and names are
all in the IR. Control flow is that of `scf`, which prints as `for`, `if` and `while`. A value
with a name hint is a Python variable; one without is written where it is used, so it must have
one use and no effect.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from xdsl.ir import Attribute, Dialect, Operation

from patlang_ir.dialects.tl.attributes import (
    FLATTEN,
    ArgumentAttr,
    ArgumentKind,
    AtomicFunction,
    AtomicFunctionAttr,
    BinaryKind,
    BinaryKindAttr,
    Function,
    FunctionAttr,
    ParameterAttr,
    ReduceFunction,
    ReduceFunctionAttr,
    ReduceIndexFunction,
    ReduceIndexFunctionAttr,
    ScratchExtent,
    ScratchExtentAttr,
    UnaryKind,
    UnaryKindAttr,
)
from patlang_ir.dialects.tl.blocks import (
    CopiesAttr,
    DescriptorLoadOp,
    DescriptorStoreOp,
    DotOp,
    MatmulLauncherOp,
    MatmulLaunchOp,
    MatrixAttr,
    TransposeOp,
)
from patlang_ir.dialects.tl.memory import AtomicOp, BarrierOp, LoadOp, StoreOp
from patlang_ir.dialects.tl.programs import Candidates, KernelOp, LauncherOp, LaunchOp, ScratchOp
from patlang_ir.dialects.tl.reductions import CumsumOp, ReduceIndexOp, ReduceOp
from patlang_ir.dialects.tl.types import (
    ANY,
    NUMBER,
    DescriptorType,
    PointerType,
    TensorType,
    element_of,
    like,
    shaped,
    sizes_of,
)
from patlang_ir.dialects.tl.values import (
    ArangeOp,
    BinaryOp,
    BroadcastOp,
    CallOp,
    CastOp,
    ConstantOp,
    ConstexprOp,
    ExpandOp,
    FullOp,
    NumProgramsOp,
    ProgramIdOp,
    UnaryOp,
)

OLDEST_TRITON = "tl.oldest_triton"
"""The attribute of a module that names the oldest Triton for which its kernels are right."""

OPERATIONS: list[type[Operation]] = [
    KernelOp,
    LauncherOp,
    ScratchOp,
    LaunchOp,
    ConstexprOp,
    ConstantOp,
    ProgramIdOp,
    NumProgramsOp,
    ArangeOp,
    FullOp,
    ExpandOp,
    BroadcastOp,
    UnaryOp,
    BinaryOp,
    CallOp,
    CastOp,
    ReduceOp,
    ReduceIndexOp,
    CumsumOp,
    LoadOp,
    StoreOp,
    AtomicOp,
    BarrierOp,
    DotOp,
    TransposeOp,
    DescriptorLoadOp,
    DescriptorStoreOp,
    MatmulLauncherOp,
    MatmulLaunchOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    PointerType,
    TensorType,
    UnaryKindAttr,
    BinaryKindAttr,
    FunctionAttr,
    ReduceFunctionAttr,
    ReduceIndexFunctionAttr,
    AtomicFunctionAttr,
    ParameterAttr,
    ArgumentAttr,
    ScratchExtentAttr,
    MatrixAttr,
    CopiesAttr,
    DescriptorType,
]

Tl = Dialect("tl", OPERATIONS, ATTRIBUTES)
