"""How a value of a matmul kernel depends on the sizes of blocks, and what arithmetic makes of that.

| dependence | the value |
|---|---|
| `fixed`   | is the same for every cut into blocks, each element at its place in the matrix |
| `turn`    | is so too, but only for the part of `K` that one turn of a loop has |
| `part`    | is what one turn adds to a sum over `K`, or to another combination |
| `running` | is such a combination up to this turn; after the loop it is fixed |
| `cut`     | depends on the cut in another way |
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from xdsl.dialects import scf
from xdsl.dialects.builtin import FloatAttr, IntAttr
from xdsl.ir import Operation, SSAValue
from xdsl.utils.str_enum import StrEnum

from patlang_ir.analysis.polynomials import Polynomial
from patlang_ir.dialects import tile
from patlang_ir.dialects.scalars import is_float, is_integer
from patlang_ir.dialects.tile import ReduceKind


class Dependence(StrEnum):
    FIXED = "fixed"
    TURN = "turn"
    PART = "part"
    RUNNING = "running"
    CUT = "cut"


@dataclass(frozen=True)
class Reason:
    """Why a value depends on the cut, and where that came about."""

    at: Operation
    message: str


@dataclass(frozen=True)
class Fact:
    """What is known of a value.

    `form` is that of a whole number. `loop` is the loop over `K` that a turn belongs to, `how` the
    way in which its turns are combined, None before the first, and `index` the variable that holds
    the combination. A `zero` is the neutral element of a sum.
    """

    dependence: Dependence
    form: Polynomial | None = None
    loop: scf.ForOp | None = None
    how: str | None = None
    index: int | None = None
    zero: bool = False
    reason: Reason | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Place:
    """What is known of a pointer: where its block starts."""

    pointer: tile.BlockPointerOp
    starts: tuple[Polynomial, Polynomial]


FIXED = Fact(Dependence.FIXED)
TOO_EARLY = "a sum over K is used before its loop ends"


def cut(at: Operation, message: str) -> Fact:
    """A value that depends on the cut."""
    return Fact(Dependence.CUT, reason=Reason(at, message))


def first_cut(*facts: Fact) -> Fact | None:
    return next((fact for fact in facts if fact.dependence is Dependence.CUT), None)


def alike(op: Operation, *facts: Fact) -> Fact:
    """The result of an operation that treats each element alone."""
    found = first_cut(*facts)
    if found is not None:
        return replace(found, form=None)
    if any(fact.dependence in (Dependence.PART, Dependence.RUNNING) for fact in facts):
        return cut(op, TOO_EARLY)
    turns = {fact.loop for fact in facts if fact.dependence is Dependence.TURN}
    if len(turns) > 1:
        return cut(op, "blocks of two loops over K meet")
    return Fact(Dependence.TURN, loop=turns.pop()) if turns else FIXED


def joined(op: Operation, a: Fact, b: Fact) -> Fact:
    """A variable that has one of two values, on conditions that are the same for every cut."""
    if replace(a, how=None, form=None) == replace(b, how=None, form=None) and (
        a.how == b.how or a.dependence is Dependence.RUNNING
    ):
        if a.how is not None and b.how is not None and a.how != b.how:
            return cut(op, TOO_EARLY)
        return replace(a, how=a.how or b.how, form=a.form if a.form == b.form else None)
    for fact, other in ((a, b), (b, a)):
        if fact.zero and other.dependence is Dependence.PART and other.how == "sum":
            return other
    return alike(op, a, b)


COMBINING: dict[type[Operation], str] = {
    tile.AddOp: "sum",
    tile.SubOp: "sum",
    tile.MaxOp: "max",
    tile.MinOp: "min",
    tile.MulOp: "prod",
    tile.OrOp: "any",
    tile.AndOp: "all",
}
"""The operations that combine what turns of a loop give, by the reduction that they belong to."""


COMBINATIONS = {
    ReduceKind.SUM: "sum",
    ReduceKind.PROD: "prod",
    ReduceKind.MAX: "max",
    ReduceKind.MIN: "min",
    ReduceKind.ANY: "any",
    ReduceKind.ALL: "all",
}
"""The reductions that the turns of a loop can be combined by, by their names in facts."""


def combined(op: Operation, how: str, a: Fact, b: Fact) -> Fact:
    """The result of an operation that may put what a turn gives into the combination of all."""
    found = first_cut(a, b)
    if found is not None:
        return replace(found, form=None)
    if a.zero and how == "sum" and not b.zero:
        a, b = b, a
    if b.zero and how == "sum":
        return replace(a, form=None)
    kinds = (a.dependence, b.dependence)
    if kinds == (Dependence.PART, Dependence.RUNNING) and not isinstance(op, tile.SubOp):
        a, b = b, a
    if b.dependence is Dependence.PART and a.loop is b.loop and b.how == how:
        if a.dependence is Dependence.PART and a.how == how:
            return a
        if a.dependence is Dependence.RUNNING and a.how in (None, how):
            return replace(a, how=how)
    return scaled(op, a, b) if isinstance(op, tile.MulOp) else alike(op, a, b)


def scaled(op: Operation, a: Fact, b: Fact) -> Fact:
    """A part of a sum, times what is the same in every turn, is a part of a sum."""
    for part, factor in ((a, b), (b, a)):
        if (
            part.dependence is Dependence.PART
            and part.how == "sum"
            and factor.dependence is Dependence.FIXED
        ):
            return part
    return alike(op, a, b)


def computed(op: Operation, facts: list[Fact]) -> Fact:
    """The result of an operation on values that has no meaning of its own here."""
    how = COMBINING.get(type(op))
    if how is not None and len(facts) == 2:
        return combined(op, how, *facts)
    if isinstance(op, tile.DivOp) and facts[1].dependence is Dependence.FIXED:
        return scaled(op, *facts)
    if isinstance(op, tile.BroadcastOp | tile.TransposeOp):
        return replace(facts[0], form=None)
    if isinstance(op, tile.NegOp) and facts[0].how == "sum":
        return scaled(op, facts[0], FIXED)
    if isinstance(op, tile.CastOp) and _keeps_sums(op):
        if facts[0].dependence is Dependence.PART:
            return facts[0]
        if facts[0].zero:
            return facts[0]
    return alike(op, *(_plain(fact) for fact in facts))


def _plain(fact: Fact) -> Fact:
    return replace(fact, zero=False, form=None)


def _keeps_sums(op: tile.CastOp) -> bool:
    """Whether the sum of converted numbers is the converted sum, but for rounding."""
    source, target = (tile.element_of(value.type) for value in (op.operand, op.result))
    return is_float(target) or (is_integer(source) and is_integer(target))


def is_zero(value: SSAValue) -> bool:
    """Whether this is the literal 0."""
    owner = value.owner
    return (
        isinstance(owner, tile.ConstantOp)
        and isinstance(owner.value, IntAttr | FloatAttr)
        and (owner.value.data if isinstance(owner.value, IntAttr) else owner.value.value.data) == 0
    )
