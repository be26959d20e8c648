"""From the values that callers pass to the arrays that kernels take, with every check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import BlockArgument

from patlang_ir.analysis.combining import LIMIT, combined_axes
from patlang_ir.analysis.frozen_lanes import loops_at_once
from patlang_ir.diagnostics import Diagnostic, LaunchError, Place, counted, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.scalars import scalar_name
from patlang_ir.runtime.usage import usage_of

Array: TypeAlias = NDArray[Any]

DTYPES: dict[str, str] = {
    "float16": "f16",
    "bfloat16": "bf16",
    "float32": "f32",
    "float64": "f64",
    "int8": "i8",
    "int16": "i16",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
    "bool": "bool",
}
"""Our element type for NumPy's and torch's names of them."""

NUMPY_TYPES = {ours: name for name, ours in DTYPES.items() if ours != "bf16"}
NUMBERS = {int, float, Fraction}


def scalar_type(value: object) -> str | None:
    """The type in which a single number reaches a kernel, weak as a literal's; None for others."""
    match value:
        case bool() | np.bool_():
            return "bool"
        case int() | np.integer():
            return "i64" if -(2**63) <= value < 2**63 else "f64"
        case float() | Fraction() | np.floating():
            return "f64"
        case _:
            return None


def is_used(param: BlockArgument) -> bool:
    """Whether the kernel does anything with a parameter; else any argument is right for it."""
    return param.first_use is not None


def launch_error(kernel: tile.KernelOp, code: str, message: str, help: str = "") -> LaunchError:
    """A LaunchError at the kernel, by its name."""
    place: Place | None = place_of(kernel.location)
    return LaunchError(Diagnostic(code, f"kernel '{kernel.sym_name.data}': {message}", place, help))


def array_of_list(kernel: tile.KernelOp, name: str, element: str, values: list[Any]) -> Array:
    """A PatLang list as an array of floats, or of integers where its elements are indices."""
    if element not in NUMPY_TYPES:
        raise launch_error(
            kernel,
            "P502",
            f"'{name}' has elements of type {element}, which lists cannot cross as",
            "choose types=f16, f32 or f64, or call the kernel with arrays from Python",
        )
    kinds = set(map(type, values)) - NUMBERS
    if kinds:
        position = next(i for i, v in enumerate(values) if type(v) in kinds)
        raise launch_error(
            kernel,
            "P502",
            f"element {position} of '{name}' is {_kind_name(values[position])}, not a number",
        )
    try:
        if not element.startswith("i"):
            return np.array(values, dtype=NUMPY_TYPES[element]).reshape(-1)
        return np.array([_whole(v) for v in values], dtype=NUMPY_TYPES[element])
    except (OverflowError, ValueError):
        whole = element.startswith("i")
        what = f"whole numbers of {element[1:]} bits" if whole else "numbers that a float can hold"
        reason = "its elements are used as indices" if whole else "lists cross as floats"
        raise launch_error(kernel, "P502", f"'{name}' must hold {what}, because {reason}") from None


def _whole(value: int | float | Fraction) -> int:
    whole = int(value)
    if whole != value:
        raise ValueError(value)
    return whole


def _kind_name(value: object) -> str:
    if hasattr(value, "shape"):
        return "an array"
    name = type(value).__name__
    names = {"str": "a string", "list": "a list", "bool": "a truth value", "NoneType": "unit"}
    return names.get(name, f"a {name}")


def sizes_of_call(
    kernel: tile.KernelOp, buffers: Sequence[tuple[str, Sequence[int]] | None]
) -> dict[str, int]:
    """`n`, or `n_rows` and `n_cols`, from the shape of the first buffer.

    `buffers` has the name and shape of each argument, None for scalars. A buffer that is indexed
    by plain `offs` must have exactly as many elements.
    """
    given = [buffer for buffer in buffers if buffer is not None]
    if not given:
        raise launch_error(kernel, "P501", "a kernel needs at least one buffer to know its size")
    first, shape = given[0]
    if kernel.kind.data == KernelKind.GRID:
        if len(shape) != 2:
            raise launch_error(
                kernel,
                "P501",
                f"'{first}' has {counted(len(shape), 'dimension')}, and a 2-D kernel needs 2",
            )
        sizes = {"n_rows": shape[0], "n_cols": shape[1]}
    else:
        sizes = {"n": _count(shape)}
    lanes = _count(tuple(sizes.values()))
    exact = usage_of(kernel).exact
    for arg, buffer in zip(kernel.args, buffers, strict=True):
        if buffer is None or arg not in exact:
            continue
        name, given = buffer
        if _count(given) != lanes:
            message = (
                f"'{name}' has {counted(_count(given), 'element')} and '{first}' has {lanes}; "
            )
            raise launch_error(kernel, "P501", f"{message}'{name}[offs]' needs one for each")
        if len(sizes) > 1 and tuple(given) not in (tuple(shape), (lanes,)):
            message = f"'{name}' has the shape {_shape_text(given)} and '{first}' "
            raise launch_error(kernel, "P501", f"{message}{_shape_text(shape)}")
    return sizes


def check_extents(kernel: tile.KernelOp, sizes: Mapping[str, int]) -> None:
    """Refuse an input of which one program would have to combine more elements than it can.

    The evaluator could, and refuses it like a GPU.
    """
    at_once = usage_of(kernel).at_once
    extents = list(sizes.values())
    size = _count([extents[axis] for axis in at_once])
    if not at_once or size <= LIMIT:
        return
    several = len(combined_axes(kernel)) > 1
    where = "along rows and along columns" if several else "inside a loop or a branch"
    own = "a kernel of its own"
    instead = (
        f"along each axis in {own}"
        if several
        else f"at the top, in loops of few turns that literals count, or in {own}"
    )
    raise launch_error(
        kernel,
        "P501",
        f"it combines lanes {where}, which takes at most {LIMIT} elements, and {size} were given",
        "; ".join(loops_at_once(kernel)) or f"combine them {instead}",
    )


def _shape_text(shape: Sequence[int]) -> str:
    return " x ".join(map(str, shape))


def _count(shape: Sequence[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def expect_scalar(kernel: tile.KernelOp, name: str, value: object) -> None:
    """Refuse what is not a single number."""
    if scalar_type(value) is not None:
        _expect_finite(kernel, name, value)
        return
    help = f"write {name}[offs] in the kernel if it is meant to be a buffer"
    if getattr(value, "ndim", None) == 0:
        help = f"pass {name}.item(), which is a number"
    message = f"'{name}' is used as a single number, and {_kind_name(value)} was given"
    raise launch_error(kernel, "P502", message, help)


def _expect_finite(kernel: tile.KernelOp, name: str, value: Any) -> None:
    try:
        float(value)
    except OverflowError:
        raise launch_error(
            kernel, "P502", f"'{name}' is too large for a number of a kernel"
        ) from None


class Memory(NamedTuple):
    """The memory of a buffer: its first address and the one after its last, and its shape."""

    name: str
    start: int
    end: int
    shape: tuple[int, ...]

    def meets(self, other: Memory) -> bool:
        return self.start < other.end and other.start < self.end


def check_overlap(kernel: tile.KernelOp, buffers: Sequence[Memory | None]) -> None:
    """Refuse a written buffer that shares memory with another argument.

    Two identical buffers are allowed where the kernel indexes both by plain `offs` alone.
    """
    usage = usage_of(kernel)
    named = [(arg, memory) for arg, memory in zip(kernel.args, buffers, strict=True) if memory]
    for arg, mine in named:
        if arg not in usage.written:
            continue
        for other, theirs in named:
            if other is arg or not mine.meets(theirs):
                continue
            if mine[1:] == theirs[1:] and {arg, other} <= usage.lane_local:
                continue
            raise launch_error(
                kernel,
                "P503",
                f"'{mine.name}' is written and shares memory with '{theirs.name}'",
                "pass a copy of one of them",
            )


def element_name(type: object) -> str:
    """The user's name of a parameter's element type."""
    assert isinstance(type, tile.BufferType)
    return scalar_name(type.element)
