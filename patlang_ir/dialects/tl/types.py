"""The types of values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.dialects.builtin import AnyFloatConstr, ArrayAttr, IntAttr, IntegerType, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import base, irdl_attr_definition, param_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from patlang_ir.dialects.sizes import parse_sizes, print_sizes, size_attributes

NUMBER = base(IntegerType) | AnyFloatConstr


@irdl_attr_definition
class PointerType(ParametrizedAttribute, TypeAttribute):
    """A pointer to elements in device memory: `!tl.pointer<f32>`."""

    name = "tl.pointer"
    element: Attribute = param_def(NUMBER)


@irdl_attr_definition
class TensorType(ParametrizedAttribute, TypeAttribute):
    """A tensor of numbers or pointers. A size is the name of a constexpr, or a number.

    `!tl.tensor<[BLOCK_SIZE], f32>`
    """

    name = "tl.tensor"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(NUMBER | base(PointerType))

    def __init__(self, shape: Sequence[str | int], element: Attribute):
        sizes = (StringAttr(s) if isinstance(s, str) else IntAttr(s) for s in shape)
        super().__init__(ArrayAttr(sizes), element)

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            sizes = parse_sizes(parser)
            parser.parse_punctuation(",")
            return (sizes, parser.parse_type())

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_sizes(printer, self.sizes)
            printer.print_string(", ")
            printer.print_attribute(self.element)


@irdl_attr_definition
class DescriptorType(ParametrizedAttribute, TypeAttribute):
    """A matrix that the GPU moves blocks of by itself, and the shape of these.

    `!tl.descriptor<[BLOCK_M, BLOCK_K], f16>`
    """

    name = "tl.descriptor"
    shape: ArrayAttr[StringAttr | IntAttr] = param_def()
    element: Attribute = param_def(NUMBER)

    def __init__(self, shape: Sequence[str | int], element: Attribute):
        super().__init__(size_attributes(shape), element)

    @property
    def sizes(self) -> tuple[str | int, ...]:
        return tuple(size.data for size in self.shape)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            sizes = parse_sizes(parser)
            parser.parse_punctuation(",")
            return (sizes, parser.parse_type())

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            print_sizes(printer, self.sizes)
            printer.print_string(", ")
            printer.print_attribute(self.element)


ANY = NUMBER | base(TensorType) | base(PointerType)


def element_of(type: Attribute) -> Attribute:
    """The element type of a tensor; a scalar's own type."""
    return type.element if isinstance(type, TensorType) else type


def sizes_of(type: Attribute) -> tuple[str | int, ...]:
    """The sizes of a tensor; none for a scalar."""
    return type.sizes if isinstance(type, TensorType) else ()


@cache
def shaped(sizes: tuple[str | int, ...], element: Attribute) -> Attribute:
    """A tensor of these sizes, or the scalar type where there are none."""
    return TensorType(sizes, element) if sizes else element


@cache
def like(type: Attribute, element: Attribute) -> Attribute:
    """The type of the same shape as `type` with another element type."""
    return shaped(sizes_of(type), element)
