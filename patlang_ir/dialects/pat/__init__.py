"""`pat`: a PatLang program as it was written.

Variables have names, values are dynamic, control flow is structured. Host functions and kernels
look alike here. Names are open at first (`pat.name`, `pat.apply`); `pat-resolve-names` says what
each of them is.

A statement's block has no terminator. A block that computes one value (a condition, the right
side of `and`) ends with `pat.yield`.
"""

# pyright: reportUnusedImport=false
from __future__ import annotations

from xdsl.ir import Attribute, Dialect, Operation

from patlang_ir.dialects.pat.calls import (
    ApplyOp,
    CallOp,
    CallValueOp,
    HostOp,
    LaunchOp,
)
from patlang_ir.dialects.pat.closures import (
    ClassOp,
    ClosureOp,
    MakeClosureOp,
    SendOp,
    SetMemberOp,
    WhenOp,
)
from patlang_ir.dialects.pat.kernels import (
    AtomicOp,
    IntrinsicOp,
    LoadOp,
    StoreOp,
)
from patlang_ir.dialects.pat.programs import (
    LIBRARIES,
    FuncOp,
    ProgramOp,
    block_region,
)
from patlang_ir.dialects.pat.statements import (
    AssignOp,
    ContractOp,
    IfOp,
    LetOp,
    ReturnOp,
    WhileOp,
    YieldOp,
)
from patlang_ir.dialects.pat.types import (
    VALUE,
    AtomicKind,
    AtomicKindAttr,
    BinaryKind,
    BinaryKindAttr,
    ContractKind,
    ContractKindAttr,
    KernelKind,
    KernelKindAttr,
    LogicalKind,
    LogicalKindAttr,
    UnaryKind,
    UnaryKindAttr,
    ValueType,
    value,
)
from patlang_ir.dialects.pat.values import (
    BinaryOp,
    ConstantOp,
    GetOp,
    ImplicitOp,
    IndexOp,
    ListOp,
    LogicalOp,
    MemberOp,
    NameOp,
    UnaryOp,
)

OPERATIONS: list[type[Operation]] = [
    ProgramOp,
    FuncOp,
    ConstantOp,
    NameOp,
    GetOp,
    ImplicitOp,
    UnaryOp,
    BinaryOp,
    LogicalOp,
    ListOp,
    IndexOp,
    MemberOp,
    ApplyOp,
    CallValueOp,
    CallOp,
    HostOp,
    LaunchOp,
    ClosureOp,
    MakeClosureOp,
    SendOp,
    SetMemberOp,
    WhenOp,
    ClassOp,
    IntrinsicOp,
    LoadOp,
    StoreOp,
    AtomicOp,
    LetOp,
    AssignOp,
    YieldOp,
    IfOp,
    WhileOp,
    ReturnOp,
    ContractOp,
]
ATTRIBUTES: list[type[Attribute]] = [
    ValueType,
    UnaryKindAttr,
    BinaryKindAttr,
    LogicalKindAttr,
    ContractKindAttr,
    AtomicKindAttr,
    KernelKindAttr,
]

Pat = Dialect("pat", OPERATIONS, ATTRIBUTES)
