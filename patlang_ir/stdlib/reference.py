"""The page on host functions: `python -m patlang_ir.stdlib.reference` prints it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from importlib import import_module

from patlang_ir.stdlib import HOST_FUNCTIONS, HostFunction
from patlang_ir.stdlib.libraries import LIBRARIES, library_of
from patlang_ir.stdlib.signatures import signature
from patlang_ir.stdlib.unsupported import PREFIXES, UNSUPPORTED

PAGE = "docs/host-functions.md"

INTRODUCTION = """# Host functions

What a program can call besides its own functions. A function of the program with one of these names
takes its place. A wrong number of arguments is an error before the program runs; an argument of a
wrong kind stops it, with the place of the call. Square brackets mark what may be left out.

`python -m patlang_ir.stdlib.reference` writes this page from the functions themselves.
"""

INCLUDED = """## Libraries

The functions of a library are there after an `include` of its name, such as `include "test"`. A
path is as good as a name, also one of another machine with a folder that does not exist here: what
counts is the last part. Where a file stands in the place that the path names, that file is read;
only the libraries on kernels are the bundled ones even then, if their folder is called `lib`. The
library `includes` has no functions: what it was for happens by itself.
"""

REFUSED = """## What does not exist

These functions of the original language are refused by name, with what to write instead.
"""


def page() -> str:
    """The whole text."""
    functions = [it for name, it in HOST_FUNCTIONS.items() if "." not in name]
    plain = [it for it in functions if not library_of(it.name)]
    parts = [INTRODUCTION, "## Always there\n"]
    for module in sorted({it.implementation.__module__ for it in plain}):
        own = [it for it in plain if it.implementation.__module__ == module]
        parts += [f"### {_title(module)}\n", _table(own)]
    parts.append(INCLUDED)
    for listed in dict.fromkeys(LIBRARIES.values()):
        own = [it for it in functions if it.name in listed and it.name not in _seen(listed)]
        if own:
            names = [name for name, functions_of in LIBRARIES.items() if functions_of == listed]
            parts += [f"### {', '.join(f'`{name}`' for name in names)}\n", _table(own)]
    names = [*UNSUPPORTED, *(f"{prefix}..." for prefix in PREFIXES)]
    parts += [REFUSED, ", ".join(f"`{name}`" for name in names) + "\n"]
    return "\n".join(parts)


def _seen(listed: tuple[str, ...]) -> set[str]:
    """The functions of a library that belong to an earlier one."""
    return {name for name in listed if LIBRARIES[library_of(name)] != listed}


def _title(module: str) -> str:
    """The first sentence of a module's docstring, without its subject."""
    sentence = (inspect.getdoc(import_module(module)) or "").partition(".")[0].partition(":")[0]
    topic = sentence.removeprefix("Host functions on ").removeprefix("Host functions that ")
    topic = " ".join(topic.split())
    return topic[:1].upper() + topic[1:]


def _table(functions: Iterable[HostFunction]) -> str:
    rows = [f"| `{signature(it)}` | {_doc(it)} |" for it in functions]
    return "\n".join(["| function | does |", "|---|---|", *rows, ""])


def _doc(function: HostFunction) -> str:
    return " ".join(function.doc.split()).replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")
