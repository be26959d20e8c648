"""The libraries `text` (also called `strings`) and `html`."""

from __future__ import annotations

from collections.abc import Callable

from patlang_ir.runtime.host_kinds import BOOL, INT, TEXT, list_of
from patlang_ir.runtime.values import Fault, Value, text
from patlang_ir.stdlib.arguments import list_or_unit, string, whole
from patlang_ir.stdlib.registry import host

LONGEST = 1 << 30


@host("nl", 0, gives=TEXT)
def newline() -> str:
    """The newline character."""
    return "\n"


@host("q", 0, gives=TEXT)
def double_quote() -> str:
    """The double quote."""
    return '"'


def _on_string(name: str, doc: str, operation: Callable[[str], str]) -> None:
    def run(s: Value) -> str:
        return operation(string(name, 1, s))

    run.__doc__ = doc
    host(name, 1, gives=TEXT)(run)


_on_string("str_trim", "A string without white space at its ends.", lambda s: s.strip(" \t\r\n"))
_on_string("str_upper", "A string in capital letters.", str.upper)
_on_string("str_lower", "A string in small letters.", str.lower)


@host("str_split", 2, fresh=True, gives=list_of(TEXT))
def str_split(s: Value, separator: Value) -> list[Value]:
    """The parts of a string between separators; its characters if the separator is empty."""
    shown, sign = string("str_split", 1, s), string("str_split", 2, separator)
    return [*shown.split(sign)] if sign else [*shown]


@host("str_join", 2, gives=TEXT)
def str_join(xs: Value, separator: Value) -> str:
    """The text forms of the elements of a list with separators between them."""
    return string("str_join", 2, separator).join(map(text, list_or_unit("str_join", 1, xs)))


@host("str_find", 2, gives=INT)
def str_find(s: Value, part: Value) -> int:
    """The first position of a part in a string, or -1."""
    return string("str_find", 1, s).find(string("str_find", 2, part))


@host("str_replace", 3, gives=TEXT)
def str_replace(s: Value, old: Value, new: Value) -> str:
    """A string with `new` in the place of each `old`, which is not empty."""
    shown, before = string("str_replace", 1, s), string("str_replace", 2, old)
    if not before:
        raise Fault("P603", "str_replace: what is replaced must not be empty")
    return shown.replace(before, string("str_replace", 3, new))


@host("str_starts_with", 2, gives=BOOL)
def str_starts_with(s: Value, part: Value) -> bool:
    """Whether a string starts with a part."""
    return string("str_starts_with", 1, s).startswith(string("str_starts_with", 2, part))


@host("str_ends_with", 2, gives=BOOL)
def str_ends_with(s: Value, part: Value) -> bool:
    """Whether a string ends with a part."""
    return string("str_ends_with", 1, s).endswith(string("str_ends_with", 2, part))


@host("str_repeat", 2, gives=TEXT)
def str_repeat(s: Value, count: Value) -> str:
    """A string so many times."""
    shown, times = string("str_repeat", 1, s), max(0, whole("str_repeat", 2, count))
    if len(shown) * times > LONGEST:
        raise Fault("P603", f"str_repeat: {times} times {len(shown)} characters are too many")
    return shown * times
