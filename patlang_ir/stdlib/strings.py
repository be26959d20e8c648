"""Host functions on strings."""

from __future__ import annotations

from patlang_ir.runtime.host_kinds import INT, NAT, TEXT
from patlang_ir.runtime.host_machine import Machine
from patlang_ir.runtime.texts import shown
from patlang_ir.runtime.values import Fault, Value, text, whole_index
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


@host("byte_length", 1, gives=NAT)
def byte_length(s: Value) -> int:
    """The number of bytes of a string in UTF-8."""
    return len(string("byte_length", 1, s).encode("utf-8", "surrogatepass"))


# --- strings by handle, for reading one character after the other ---


@host("str_intern", 1, pure=False, gives=NAT, stateful=True)
def str_intern(machine: Machine, s: Value) -> int:
    """A handle of a string, for `sc_char`, `sc_code` and `sc_len`; equal strings have the same."""
    shown = string("str_intern", 1, s)
    if shown not in machine.text_handles:
        machine.texts.append(shown)
        machine.text_handles[shown] = len(machine.texts)
    return machine.text_handles[shown]


def _interned(machine: Machine, name: str, handle: Value) -> str:
    if type(handle) is int and 1 <= handle <= len(machine.texts):
        return machine.texts[handle - 1]
    message = f"{name}: there is no string with handle {shown(handle)}"
    raise Fault("P603", message, "str_intern gives one")


@host("sc_char", 2, pure=False, gives=TEXT, stateful=True)
def sc_char(machine: Machine, handle: Value, at: Value) -> str:
    """The character at position `at` of the string with this handle; empty outside."""
    shown, position = _interned(machine, "sc_char", handle), whole_index(at)
    return shown[position] if 0 <= position < len(shown) else ""


@host("sc_code", 2, pure=False, gives=INT, stateful=True)
def sc_code(machine: Machine, handle: Value, at: Value) -> int:
    """The code of that character; -1 outside."""
    shown, position = _interned(machine, "sc_code", handle), whole_index(at)
    return ord(shown[position]) if 0 <= position < len(shown) else -1


@host("sc_len", 1, pure=False, gives=NAT, stateful=True)
def sc_len(machine: Machine, handle: Value) -> int:
    """The number of characters of the string with this handle."""
    return len(_interned(machine, "sc_len", handle))
