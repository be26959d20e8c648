"""Host functions on strings."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import INT, TEXT
from patlang_ir.runtime.values import Value, text
from patlang_ir.stdlib.arguments import string, whole
from patlang_ir.stdlib.registry import host


@host("substr", 3, gives=TEXT)
def substr(s: Value, start: Value, count: Value) -> str:
    """At most `count` characters of `s` from position `start`; a negative start counts as 0."""
    shown = string("substr", 1, s)
    first = max(0, whole("substr", 2, start))
    return shown[first : first + max(0, whole("substr", 3, count))]


@host("chr", 1, gives=TEXT)
def char(code: Value) -> str:
    """The character with this code; empty if there is none."""
    number = whole("chr", 1, code)
    surrogate = 0xD800 <= number <= 0xDFFF
    return chr(number) if 0 <= number <= 0x10FFFF and not surrogate else ""


@host("char_code", 2, gives=INT)
def char_code(s: Value, at: Value) -> int:
    """The code of the character at position `at`, or -1 outside."""
    shown, position = string("char_code", 1, s), whole("char_code", 2, at)
    return ord(shown[position]) if 0 <= position < len(shown) else -1


@host("hash_string", 1, gives=TEXT)
def hash_string(s: Value) -> str:
    """The FNV-1a hash of 64 bits, as 16 hexadecimal digits."""
    state = 0xCBF29CE484222325
    for byte in text(s).encode("utf-8", "surrogatepass"):
        state = (state ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{state:016x}"
