"""The base of most operations: quick to build, and quick to tell from others."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues
from xdsl.irdl import IRDLOperation


class OwnSubclasses(ABCMeta):
    """A class that has no subclasses but those that name it, so `isinstance` asks nothing else."""

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__


class PlainOp(IRDLOperation, metaclass=OwnSubclasses):
    """An operation whose operands and results stand in their order; one operand may be left out.

    What it must be like, without regions, is a matter of the types of its operands and results and
    of its properties.

    The constructor of xDSL sorts them into groups and fills in defaults: three times the work.
    """

    def __init__(
        self,
        *,
        operands: Sequence[SSAValue | None] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute | None] = {},
        regions: Sequence[Region] = (),
    ):
        self.operands = [operand for operand in operands if operand is not None]
        self.results = SSAValues(OpResult(type, self, i) for i, type in enumerate(result_types))
        self.properties = {n: given for n, given in properties.items() if given is not None}
        self.attributes = {}
        self.location = UNKNOWN_LOC
        for region in regions:
            self.add_region(region)
