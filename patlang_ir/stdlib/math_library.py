"""The library `math`."""

from __future__ import annotations

import math

from patlang_ir.runtime.host_kinds import FLOAT, INT, NAT, REALS, UNIT, Kinds
from patlang_ir.runtime.values import Value
from patlang_ir.stdlib.arguments import real, wrong
from patlang_ir.stdlib.registry import host


@host("pi", 0, gives=FLOAT)
def pi() -> float:
    """The number pi."""
    return math.pi


def _clamped_kinds(x: Kinds, low: Kinds, high: Kinds) -> Kinds:
    found = (x | low | high) & REALS
    return found | NAT if (x | low | high) & UNIT else found


@host("clamp", 3, gives=_clamped_kinds)
def clamp(x: Value, low: Value, high: Value) -> Value:
    """`x`, but at least `low` and at most `high`; of the three, as it is."""
    number, least = real("clamp", 1, x), real("clamp", 2, low)
    most = real("clamp", 3, high)
    return least if number < least else most if number > most else number


@host("sign", 1, gives=INT)
def sign(x: Value) -> int:
    """-1, 0 or 1, as `x` is below, at or above 0."""
    number = real("sign", 1, x)
    return (number > 0) - (number < 0)


@host("gcd", 2, gives=NAT)
def gcd(a: Value, b: Value) -> int:
    """The greatest common divisor of two integers."""
    for position, value in enumerate((a, b), 1):
        if type(value) is not int:
            raise wrong("gcd", position, "an integer", value)
    return math.gcd(a, b)
