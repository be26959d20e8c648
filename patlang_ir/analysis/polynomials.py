"""Polynomials whose unknowns are not negative, and what follows from facts about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count

Monomial = tuple[int, ...]
"""The numbers of the unknowns that are multiplied, in order; empty for 1."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of monomials, each with a coefficient that is not 0."""

    terms: Mapping[Monomial, int] = field(default_factory=dict[Monomial, int])

    @classmethod
    def constant(cls, value: int) -> Polynomial:
        return _sum([((), value)])

    @classmethod
    def unknown(cls, number: int) -> Polynomial:
        return cls({(number,): 1})

    def __add__(self, other: Polynomial) -> Polynomial:
        return _sum([*self.terms.items(), *other.terms.items()])

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other * Polynomial.constant(-1)

    def __mul__(self, other: Polynomial) -> Polynomial:
        return _sum(
            (tuple(sorted(mine + theirs)), a * b)
            for mine, a in self.terms.items()
            for theirs, b in other.terms.items()
        )

    def put(self, number: int, value: Polynomial) -> Polynomial:
        """The polynomial with `value` in the place of an unknown."""
        result = Polynomial()
        for monomial, coefficient in self.terms.items():
            term = Polynomial({tuple(n for n in monomial if n != number): coefficient})
            for _ in range(monomial.count(number)):
                term *= value
            result += term
        return result

    @property
    def never_negative(self) -> bool:
        """Whether it shows at once, for unknowns that are not negative."""
        return all(coefficient >= 0 for coefficient in self.terms.values())


def _sum(terms: Iterable[tuple[Monomial, int]]) -> Polynomial:
    total: Counter[Monomial] = Counter()
    for monomial, coefficient in terms:
        total[monomial] += coefficient
    return Polynomial({monomial: c for monomial, c in total.items() if c})


def follows(goal: Polynomial, facts: Iterable[Polynomial]) -> bool:
    """Whether `goal >= 0` is proved, for unknowns that are not negative and facts `fact >= 0`.

    A fact such as `n - i - 1` is used by writing `i + 1 + s` for `n`, with a new unknown `s`.
    """
    waiting = list(facts)
    slack = count(-1, -1)
    while waiting:
        fact = waiting.pop(0)
        number = _bounded_below(fact)
        if number is None:
            continue
        value = Polynomial.unknown(next(slack)) + Polynomial.unknown(number) - fact
        goal = goal.put(number, value)
        waiting = [other.put(number, value) for other in waiting]
    return goal.never_negative


def _bounded_below(fact: Polynomial) -> int | None:
    """An unknown that a fact says is at least something that is not negative, and not 0."""
    for monomial, coefficient in fact.terms.items():
        if len(monomial) != 1 or coefficient != 1:
            continue
        bound = Polynomial.unknown(monomial[0]) - fact
        if bound.terms and bound.never_negative:
            return monomial[0]
    return None
