"""Sets of value kinds, as the bits of one integer.

The low bits say which kinds a value may have, the high bits which kinds the elements of a list may
have. The union of two sets is `a | b`. `NAT` is an integer known not to be negative, `INT` any
integer; `NUMERAL` is a string known to consist of digits, `TEXT` any string.
"""

from typing import TypeAlias

Kinds: TypeAlias = int

UNIT = 1
BOOL = 2
NAT = 4
INT = 8
FLOAT = 16
RATIONAL = 32
COMPLEX = 64
NUMERAL = 128
TEXT = 256
LIST = 512
CLOSURE = 1024

INTS = NAT | INT
STRINGS = NUMERAL | TEXT
PLAIN = INTS | FLOAT
REALS = PLAIN | RATIONAL
NUMBERS = REALS | COMPLEX
_ALL = 2 * CLOSURE - 1
_SHIFT = CLOSURE.bit_length()
ANY = _ALL | _ALL << _SHIFT


def list_of(kinds: Kinds) -> Kinds:
    """Lists whose elements are of `kinds`."""
    return LIST | (kinds & _ALL) << _SHIFT


def elements(kinds: Kinds) -> Kinds:
    """What an element of a list of `kinds` may be; the elements of inner lists are not known."""
    inner = kinds >> _SHIFT
    return inner | _ALL << _SHIFT if inner & LIST else inner


def only(kinds: Kinds, allowed: Kinds) -> bool:
    """Whether a value of `kinds` is certainly one of `allowed`."""
    return not kinds & _ALL & ~allowed


def single(kinds: Kinds) -> list[Kinds]:
    """The kinds in the set one by one, without those of elements."""
    return [1 << bit for bit in range(_SHIFT) if kinds >> bit & 1]
