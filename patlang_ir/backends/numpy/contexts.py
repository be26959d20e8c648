"""What the steps of a kernel share: the slots of values, and the types that can be held."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from xdsl.ir import Attribute, Operation, SSAValue

from patlang_ir.backends.numpy.elements import ELEMENTS, Element, Value
from patlang_ir.diagnostics import refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind

Values: TypeAlias = list[Any]
Step = Callable[[Values], None]

PROGRAM, ALWAYS, INPUT, FIRST_FREE = 0, 1, 2, 3
"""The slots of the `Program`, of a mask that always holds and of the extents of the kernel's input,
and the first one for values.
"""


@dataclass(frozen=True)
class Context:
    """What the steps of one kernel share."""

    kind: KernelKind
    names: Mapping[SSAValue, str]
    slots: Mapping[SSAValue, int]
    checked: bool
    edges: Mapping[Operation, int] = field(default_factory=dict[Operation, int])
    """For each load of a block the slot of the lanes that lie in its matrix."""

    def slot(self, value: SSAValue) -> int:
        return self.slots[value]


def known_element(op: Operation, type: Attribute) -> Element:
    """The element type of a type that the evaluator can hold."""
    inner = tile.element_of(type)
    if inner == tile.unknown:
        raise refuse(
            op, "P901", f"the types of '{op.name}' are not known yet", help="run tile-infer-shapes"
        )
    if inner not in ELEMENTS:
        raise refuse(op, "P901", f"the evaluator has no element type {inner}")
    return ELEMENTS[inner]


def typed(op: Operation, value: int | float, type: Attribute) -> Value:
    """A Python number as a held value."""
    kind = known_element(op, type)
    held = kind.held.type(value)
    return kind.round(held) if kind.round else held
