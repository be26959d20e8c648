"""From the arguments of a call to what a kernel's steps work on."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray
from xdsl.ir import Attribute, SSAValue

from patlang_ir.backends.numpy.elements import ELEMENTS, Element, Kind, Value
from patlang_ir.diagnostics import Diagnostic, LaunchError, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind

Argument: TypeAlias = NDArray[Any] | np.generic | int | float | bool


def bind(
    kernel: tile.KernelOp,
    args: Sequence[Argument],
    written: Collection[SSAValue],
    shapes: Mapping[SSAValue, tuple[int, int]],
) -> list[Value]:
    """Buffers as flat views or, those with a shape, as matrices, and scalars as held values."""
    if len(args) != len(kernel.args):
        raise _wrong(kernel, "P501", f"takes {len(kernel.args)} arguments, not {len(args)}")
    bound: list[Value] = []
    for name, param, arg in zip(kernel.param_names, kernel.args, args, strict=True):
        match param.type:
            case tile.BufferType():
                array = _array(kernel, name, param.type.element, arg, param in written)
                shape = shapes.get(param)
                if shape is not None:
                    array = as_matrix(array, shape)
                elif kernel.kind.data is not KernelKind.MATMUL:
                    array = _flat(kernel, name, array)
                bound.append(array)
            case tile.WeakType():
                bound.append(_scalar(kernel, name, param.type.element, arg))
            case _:
                bound.append(_scalar(kernel, name, param.type, arg))
    return bound


def _array(
    kernel: tile.KernelOp, name: str, type: Attribute, arg: Argument, written: bool
) -> NDArray[Any]:
    memory = ELEMENTS[type].memory
    if not isinstance(arg, np.ndarray):
        raise _wrong(kernel, "P502", f"'{name}' must be an array, not {arg!r}")
    if arg.dtype != memory:
        raise _wrong(kernel, "P502", f"'{name}' has elements of {arg.dtype}, not {memory}")
    if written and not arg.flags.writeable:
        raise _wrong(kernel, "P506", f"'{name}' is written but is read-only")
    return arg


def _flat(kernel: tile.KernelOp, name: str, array: NDArray[Any]) -> NDArray[Any]:
    if not array.flags.c_contiguous:
        raise _wrong(kernel, "P506", f"'{name}' is not contiguous")
    return array.reshape(-1)


def as_matrix(array: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
    """A view with rows and columns; an array of one dimension holds the rows one after another."""
    if array.ndim == 2:
        return array
    (step,) = array.strides
    return as_strided(array, shape, (shape[1] * step, step))


def _scalar(kernel: tile.KernelOp, name: str, type: Attribute, arg: Argument) -> Value:
    element = ELEMENTS[type]
    if isinstance(arg, np.ndarray):
        raise _wrong(kernel, "P502", f"'{name}' is one value, not an array")
    number = arg.item() if isinstance(arg, np.generic) else arg
    if element.kind is Kind.INT and not _fits(number, element):
        raise _wrong(kernel, "P502", f"'{name}' must be an {element.name}, not {number!r}")
    held = element.held.type(number)
    return element.round(held) if element.round else held


def _fits(number: float, element: Element) -> bool:
    return number == number // 1 and element.smallest <= number <= element.largest


def _wrong(kernel: tile.KernelOp, code: str, message: str) -> LaunchError:
    where = place_of(kernel.location)
    return LaunchError(Diagnostic(code, f"kernel '{kernel.sym_name.data}': {message}", where))
