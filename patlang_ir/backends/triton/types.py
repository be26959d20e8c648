"""Element types as Triton and torch name them."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import bf16, f16, f32, f64, i1, i8, i16, i32, i64
from xdsl.ir import Attribute

from patlang_ir.dialects import tl
from patlang_ir.dialects.scalars import u8

NAMES: dict[Attribute, tuple[str, str, str]] = {
    f16: ("float16", "float16", "fp16"),
    bf16: ("bfloat16", "bfloat16", "bf16"),
    f32: ("float32", "float32", "fp32"),
    f64: ("float64", "float64", "fp64"),
    i1: ("int1", "bool", "u1"),
    i8: ("int8", "int8", "i8"),
    i16: ("int16", "int16", "i16"),
    i32: ("int32", "int32", "i32"),
    i64: ("int64", "int64", "i64"),
    u8: ("uint8", "uint8", "u8"),
}
"""Each element type in `tl`, in `torch`, and in the signature of a kernel."""


def dtype(type: Attribute) -> str:
    """The element type of a value, such as `tl.float32`."""
    return f"tl.{NAMES[tl.element_of(type)][0]}"


def torch_dtype(element: Attribute) -> str:
    """An element type as torch names it, such as `torch.float32`."""
    return f"torch.{NAMES[element][1]}"


def signature_type(type: Attribute, constexprs: Mapping[str, object] | None = None) -> str:
    """The type of a kernel's parameter in Triton's signatures, such as `*fp32`.

    The blocks of a descriptor have the sizes that the `constexprs` say.
    """
    if isinstance(type, tl.DescriptorType):
        sizes = ", ".join(str((constexprs or {}).get(str(s), s)) for s in type.sizes)
        return f"tensordesc<{NAMES[type.element][2]}[{sizes}]>"
    if isinstance(type, tl.PointerType):
        return f"*{NAMES[type.element][2]}"
    return NAMES[type][2]
