"""Host functions on the bits of an integer of 64 bits; bit 0 is the lowest."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import INT, NAT
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value, is_word
from patlang_ir.stdlib.arguments import wrong
from patlang_ir.stdlib.registry import host

SIZE = 64


def _word(name: str, value: Value) -> int:
    """The argument as 64 bits without a sign."""
    if not is_word(value):
        raise wrong(name, 1, "an integer of 64 bits", value)
    return value % (1 << SIZE)


def _signed(bits: int) -> int:
    return bits - (1 << SIZE) if bits >> (SIZE - 1) else bits


def _number(name: str, position: int, value: Value) -> int:
    if type(value) is not int:
        raise wrong(name, position, "an integer", value)
    return value


def _at(name: str, value: Value) -> int:
    at = _number(name, 2, value)
    if not 0 <= at < SIZE:
        raise Fault("P603", f"{name}: there is no bit {at} in 0 to {SIZE - 1}")
    return at


def _slice(name: str, start: Value, width: Value) -> tuple[int, int]:
    """The first bit of a slice, and as many ones as it has bits."""
    first, count = _at(name, start), _number(name, 3, width)
    if not 1 <= count <= SIZE - first:
        raise Fault("P603", f"{name}: {count} bits from bit {first} on are not inside 0 to 63")
    return first, (1 << count) - 1


def _replaced(n: int, first: int, ones: int, bits: int) -> int:
    return _signed(n & ~(ones << first) | (bits & ones) << first)


@host("bit_get", 2, gives=NAT)
def bit_get(n: Value, at: Value) -> int:
    """Bit `at` of `n`: 0 or 1."""
    return _word("bit_get", n) >> _at("bit_get", at) & 1


@host("bit_set", 3, gives=INT)
def bit_set(n: Value, at: Value, bit: Value) -> int:
    """`n` with bit `at` set to `bit`, which is 0, 1, false or true."""
    if type(bit) is not bool and bit not in (0, 1):
        raise Fault("P603", f"bit_set: a bit is 0 or 1, not {shown(bit)}")
    return _replaced(_word("bit_set", n), _at("bit_set", at), 1, int(bit))


@host("bit_slice", 3, gives=INT)
def bit_slice(n: Value, start: Value, width: Value) -> int:
    """The number in the `width` bits of `n` from bit `start` on."""
    first, ones = _slice("bit_slice", start, width)
    return _signed(_word("bit_slice", n) >> first & ones)


@host("bit_set_slice", 4, gives=INT)
def bit_set_slice(n: Value, start: Value, width: Value, bits: Value) -> int:
    """`n` with `bits` in its `width` bits from bit `start` on; what does not fit is cut off."""
    first, ones = _slice("bit_set_slice", start, width)
    number = _number("bit_set_slice", 4, bits)
    return _replaced(_word("bit_set_slice", n), first, ones, number)
