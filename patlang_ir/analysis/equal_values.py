"""Numbers for values: two that have one number are equal, bit for bit, in every lane.

A value has its number from what it is computed by, after the laws below; a broadcast has that of
its operand. What is assumed of some values decides others. It is for parts of a kernel that write
no memory, where a load is a function of its index. (Alpern, Wegman and Zadeck, "Detecting Equality
of Variables in Programs", 1988.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from math import copysign
from typing import cast

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute, Block, Operation, SSAValue

from patlang_ir.analysis.dataflow import is_pure, yielded
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import Number, python_number
from patlang_ir.dialects.scalars import is_float
from patlang_ir.dialects.tile import ComparePredicate as Predicate

FALSE, TRUE = 0, 1
"""The numbers of the truth values."""
ROUNDS = 64
"""How often the bodies of inner loops are looked at, all together."""


@dataclass(frozen=True)
class Term:
    """How a value is computed: a kind of operation, its properties, its operands, and the element
    type of the result, or of what is compared.

    Without a kind nothing is known of it: the details tell it from others.
    """

    kind: type[Operation] | None
    details: Hashable
    type: Attribute | None = None
    operands: tuple[int, ...] = ()


class EqualValues:
    """The numbers of values. Blocks are visited in the order of the program."""

    def __init__(self) -> None:
        self.terms = [Term(None, False), Term(None, True)]
        self.not_minus_zero: set[int] = set()
        """The numbers of floats that are never -0."""
        self._numbers = {term: number for number, term in enumerate(self.terms)}
        self._of: dict[SSAValue, int] = {}
        self._known: dict[int, int] = {}
        self._implied: dict[tuple[int, bool], list[tuple[int, bool]]] = defaultdict(list)
        self._rounds = ROUNDS

    def of(self, value: SSAValue) -> int:
        """The number of a value that was visited, or is computed before all that was."""
        if value not in self._of:
            self._of[value] = self._outer(value)
        return self.resolved(self._of[value])

    def _outer(self, value: SSAValue) -> int:
        match value.owner:
            case tile.ConstantOp() | tile.InDomainOp() as op:
                return self.computed(op, ())
            case tile.BroadcastOp() as op:
                return self.of(op.operand)
            case _:
                return self._intern(Term(None, value))

    def give(self, value: SSAValue, number: int) -> None:
        """Say what the number of an argument of a block is."""
        self._of[value] = number

    def new(self) -> int:
        """A number that no value has."""
        return self._intern(Term(None, len(self.terms)))

    def is_new(self, number: int) -> bool:
        """Whether `new` gave this number."""
        return number > TRUE and isinstance(self.terms[number].details, int)

    def resolved(self, number: int) -> int:
        """The number instead of this one, after what is assumed."""
        return self._known.get(number, number)

    def leaves(self, number: int) -> set[int]:
        """All that a value is computed from and of which nothing more is known."""
        seen: set[int] = set()
        waiting = [number]
        while waiting:
            number = waiting.pop()
            if number not in seen:
                seen.add(number)
                waiting += self.terms[number].operands
        return {number for number in seen if self.terms[number].kind is None}

    # --- computing ---

    def visit(self, block: Block) -> None:
        """Give numbers to what a block computes."""
        for op in block.ops:
            match op:
                case scf.IfOp():
                    self._branch(op)
                case scf.ForOp() | scf.WhileOp():
                    self._loop(op)
                case _ if is_function(op):
                    self._of[op.results[0]] = self.computed(op, tuple(map(self.of, op.operands)))
                case _:
                    self._of.update((result, self.new()) for result in op.results)

    def computed(self, op: Operation, operands: tuple[int, ...]) -> int:
        """The number of the result of an operation on values with these numbers."""
        typed = op.operands[0] if isinstance(op, tile.CompareOp) else op.results[0]
        return self.term(Term(type(op), details_of(op), tile.element_of(typed.type), operands))

    def term(self, term: Term) -> int:
        """The number of a term, or of what it is equal to by a law."""
        law = LAWS.get(term.kind) if term.kind is not None else None
        found = law(self, term) if law is not None else None
        return self.resolved(self._intern(term) if found is None else found)

    def negated(self, term: Term) -> int:
        return self.term(Term(tile.NotOp, (), i1, (self.term(term),)))

    def _intern(self, term: Term) -> int:
        number = self._numbers.setdefault(term, len(self.terms))
        if number == len(self.terms):
            self.terms.append(term)
        return number

    def _branch(self, op: scf.IfOp) -> None:
        blocks = [region.block for region in op.regions if region.blocks]
        for block in blocks:
            self.visit(block)
        ends = [yielded(block) for block in blocks]
        for result, *chosen in zip(op.results, *ends, strict=True) if op.results else ():
            operands = (self.of(op.cond), *map(self.of, chosen))
            self._of[result] = self.term(
                Term(tile.SelectOp, (), tile.element_of(result.type), operands)
            )

    def _loop(self, op: scf.ForOp | scf.WhileOp) -> None:
        """What no turn changes has the number from before the loop, all else one of its own."""
        carried = op.iter_args if isinstance(op, scf.ForOp) else op.arguments
        starts = [self.of(value) for value in carried]
        moving: set[int] = set()
        while True:
            if self._rounds <= 0:
                moving = set(range(len(starts)))
            self._rounds -= 1
            given = [self.new() if i in moving else start for i, start in enumerate(starts)]
            results, after = self._turn(op, given)
            moved = {i for i, start in enumerate(given) if after[i] != start} - moving
            if not moved:
                break
            moving |= moved
        self._of.update(zip(op.results, results, strict=True))

    def _turn(
        self, op: scf.ForOp | scf.WhileOp, given: Sequence[int]
    ) -> tuple[Sequence[int], Sequence[int]]:
        """The results of a loop that ends now, and what it carries after one more turn."""
        if isinstance(op, scf.ForOp):
            body = op.body.block
            given = [self.new(), *given]
            results = given[1:]
        else:
            before, body = op.before_region.block, op.after_region.block
            self._of.update(zip(before.args, given, strict=True))
            self.visit(before)
            given = results = [self.of(value) for value in yielded(before)]
        self._of.update(zip(body.args, given, strict=True))
        self.visit(body)
        return results, [self.of(value) for value in yielded(body)]

    # --- what is assumed ---

    def imply(self, number: int, other: int, holds: bool) -> None:
        """Where the one truth value is `holds`, the other one is so too."""
        self._implied[number, holds].append((other, holds))

    def assume(self, number: int, holds: bool) -> None:
        """Let a truth value be known from here on, and what follows from it."""
        waiting = [(number, holds)]
        while waiting:
            number, holds = waiting.pop()
            if number in (FALSE, TRUE) or number in self._known:
                continue
            self._known[number] = TRUE if holds else FALSE
            waiting += self._implied[number, holds]
            term = self.terms[number]
            if term.kind is tile.NotOp:
                waiting.append((term.operands[0], not holds))
            if term.kind is (tile.AndOp if holds else tile.OrOp):
                waiting += ((operand, holds) for operand in term.operands)
            if term.kind is tile.CompareOp and term.details is Predicate.EQ and holds:
                self._is_literal(term)

    def _is_literal(self, equality: Term) -> None:
        """An integer that is equal to a literal has its number."""
        if not is_exact(equality):
            return
        for number, other in (equality.operands, equality.operands[::-1]):
            if self.literal(number) is None and self.literal(other) is not None:
                self._known[number] = other

    def literal(self, number: int) -> int | float | None:
        """The value of a literal."""
        term = self.terms[number]
        return literal_of(term) if term.kind is tile.ConstantOp else None


def details_of(op: Operation) -> Hashable:
    """What tells an operation from others of its kind with the same operands."""
    match op:
        case tile.ConstantOp():
            return op.value
        case tile.CompareOp():
            return op.predicate.data
        case _:
            return tuple(sorted(op.properties.items()))


def is_function(op: Operation) -> bool:
    """Whether the result is, lane by lane, a function of the operands and the place of the lane."""
    if op.regions or len(op.results) != 1 or isinstance(op, NOT_OF_LANES):
        return False
    return isinstance(op, tile.LoadOp) or is_pure(type(op))


def literal_of(term: Term) -> bool | int | float:
    """The value of the term of a literal."""
    return python_number(cast(Number, term.details))


def is_exact(term: Term) -> bool:
    """Whether a term is of integers or truth values."""
    return term.type is not None and not is_float(term.type)


NOT_OF_LANES = (tile.ReduceOp, tile.ScanOp, tile.ProgramOp, tile.ProgramsOp)

# --- the laws: the number of what a term is equal to ---

Law = Callable[[EqualValues, Term], int | None]


def constant(values: EqualValues, term: Term) -> int | None:
    """true == TRUE; false == FALSE"""
    value = literal_of(term)
    return int(value) if isinstance(value, bool) else None


def always(values: EqualValues, term: Term) -> int | None:
    """in_domain == TRUE, since no padding lane matters"""
    return TRUE


def broadcast(values: EqualValues, term: Term) -> int | None:
    """broadcast a == a"""
    return term.operands[0]


def negation(values: EqualValues, term: Term) -> int | None:
    """not TRUE == FALSE; not FALSE == TRUE; not not a == a"""
    (a,) = term.operands
    if a in (FALSE, TRUE):
        return TRUE - a
    inner = values.terms[a]
    return inner.operands[0] if inner.kind is tile.NotOp else None


def conjunction(values: EqualValues, term: Term) -> int | None:
    """a and a == a and TRUE == TRUE and a == a; a and FALSE == FALSE and a == FALSE"""
    a, b = term.operands
    if FALSE in (a, b):
        return FALSE
    return b if a == TRUE else a if b in (a, TRUE) else None


def disjunction(values: EqualValues, term: Term) -> int | None:
    """a or a == a or FALSE == FALSE or a == a; a or TRUE == TRUE or a == TRUE"""
    a, b = term.operands
    if TRUE in (a, b):
        return TRUE
    return b if a == FALSE else a if b in (a, FALSE) else None


def choice(values: EqualValues, term: Term) -> int | None:
    """select TRUE, a, b == a; select FALSE, a, b == b; select c, a, a == a"""
    condition, a, b = term.operands
    if condition == TRUE or a == b:
        return a
    return b if condition == FALSE else None


def comparison(values: EqualValues, term: Term) -> int | None:
    """a > b == b < a; a >= b == b <= a; a != b == not a == b; of integers a <= b == not b < a

    A NaN is below and above nothing, and not equal to itself.
    """
    a, b = term.operands
    match term.details:
        case Predicate.GT | Predicate.GE:
            return values.term(replace(term, details=MIRRORED[term.details], operands=(b, a)))
        case Predicate.NE:
            return values.negated(replace(term, details=Predicate.EQ))
        case Predicate.LE if is_exact(term):
            return values.negated(replace(term, details=Predicate.LT, operands=(b, a)))
        case Predicate.LT if a == b:
            return FALSE
        case Predicate.EQ if a == b and is_exact(term):
            return TRUE
        case _:
            return None


MIRRORED = {Predicate.GT: Predicate.LT, Predicate.GE: Predicate.LE}


def remainder(values: EqualValues, term: Term) -> int | None:
    """of integers a % 0 == 0"""
    _, b = term.operands
    return b if is_exact(term) and values.literal(b) == 0 else None


def neutral(values: EqualValues, term: Term) -> int | None:
    """a + 0 == 0 + a == a; a * 1 == 1 * a == a; a - 0 == a shl 0 == a shr 0 == a; ...

    Of floats a - 0 == a, a + -0 == a, and a + 0 == a where a is not -0.
    """
    a, b = term.operands
    if adds_nothing(values, term, b, a):
        return a
    return b if term.kind in COMMUTING and adds_nothing(values, term, a, b) else None


def adds_nothing(values: EqualValues, term: Term, number: int, other: int) -> bool:
    """Whether a term is its other operand, since this one is a literal that changes nothing."""
    literal = values.literal(number)
    if literal is None or literal != (1 if term.kind is tile.MulOp else 0):
        return False
    if term.kind is tile.MulOp or is_exact(term):
        return True
    if term.kind is tile.AddOp and other in values.not_minus_zero:
        return True
    return (copysign(1, literal) < 0) == (term.kind is tile.AddOp)


COMMUTING = (tile.AddOp, tile.MulOp, tile.BorOp, tile.BxorOp)

LAWS: dict[type[Operation], Law] = {
    tile.ConstantOp: constant,
    tile.InDomainOp: always,
    tile.BroadcastOp: broadcast,
    tile.NotOp: negation,
    tile.AndOp: conjunction,
    tile.OrOp: disjunction,
    tile.SelectOp: choice,
    tile.CompareOp: comparison,
    tile.RemOp: remainder,
    **dict.fromkeys((*COMMUTING, tile.SubOp, tile.ShlOp, tile.ShrOp), neutral),
}
