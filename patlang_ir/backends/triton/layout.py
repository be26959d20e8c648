"""Python expressions as launchers write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i1
from xdsl.ir import Attribute

WIDTH = 100


def sequence(items: Iterable[str]) -> str:
    """A tuple."""
    items = tuple(items)
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def sizes_text(block: DictionaryAttr) -> str:
    """The sizes of a block by their names."""
    sizes = [f'"{name}": {number(size)}' for name, size in block.data.items()]
    return f"{{{', '.join(sizes)}}}"


def number(value: Attribute) -> str:
    """An integer or a truth value of a plan, as Python writes it."""
    match value:
        case IntegerAttr(type=type) if type == i1:
            return str(bool(value.value.data))
        case IntegerAttr():
            return str(value.value.data)
        case _:
            raise AssertionError(value)


def wrapped(
    head: str, arguments: Iterator[str] | list[str] | tuple[str, ...], tail: str, indent: int
) -> str:
    """A call on one line, or with its arguments on lines of their own."""
    arguments = list(arguments)
    line = f"{head}{', '.join(arguments)}{tail}"
    if 4 * indent + len(line) <= WIDTH:
        return line
    inner = f"    {', '.join(arguments)}"
    if 4 * indent + len(inner) <= WIDTH and not any("\n" in a for a in arguments):
        return f"{head}\n{inner}\n{tail}"
    return "\n".join([head, *(f"    {argument}," for argument in arguments), tail])
