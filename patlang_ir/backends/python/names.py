"""Python names for the functions and variables of a program."""

from __future__ import annotations

import keyword

OWN = ("abs", "bool", "float", "host", "int", "IndexError", "launch", "len", "rt", "str")
RESERVED = frozenset((*keyword.kwlist, "__builtins__", "__debug__", *OWN))
"""Names that the printed text uses itself."""


class Names:
    """Gives each name of one scope a Python name of its own."""

    def __init__(self, taken: frozenset[str] = RESERVED):
        self._outer = taken
        self._own: set[str] = set()
        self._names: dict[str, str] = {}
        self._temporaries = 0

    def of(self, name: str) -> str:
        """The Python name, always the same one for the same name."""
        if name not in self._names:
            self._names[name] = self.unused(name.replace(".", "_").replace("?", "_"))
        return self._names[name]

    def unused(self, wanted: str) -> str:
        """A name that nothing else in the scope has."""
        while wanted in self._own or wanted in self._outer:
            wanted += "_"
        self._own.add(wanted)
        return wanted

    def temporary(self) -> str:
        """A name for a value in between."""
        self._temporaries += 1
        return self.unused(f"t{self._temporaries}")

    @property
    def variables(self) -> dict[str, str]:
        """The variables of the program by their Python names."""
        return {python: name for name, python in self._names.items() if "." not in name}

    @property
    def taken(self) -> frozenset[str]:
        return self._outer | self._own
