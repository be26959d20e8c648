"""Records, the classes that they belong to, and the handlers of events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sys import getrefcount

from patlang_ir.runtime.references import HELD_ONCE
from patlang_ir.runtime.values import Fault, Value, describe, is_list

Closure = Callable[..., Value]


@dataclass(frozen=True)
class Class:
    """What a class gives to its records, besides what its traits and its parent give."""

    inherits: str | None = None
    traits: Sequence[str] = ()
    fields: Mapping[str, Value] = field(default_factory=dict[str, Value])
    methods: Mapping[str, Closure] = field(default_factory=dict[str, Closure])


@dataclass
class Record:
    """Properties, and the class whose fields and methods come after them. A record may have a
    parent and traits of its own."""

    properties: dict[str, Value] = field(default_factory=dict[str, Value])
    class_name: str = ""
    inherits: str | None = None
    traits: Sequence[str] = ()


_UNKNOWN = Class()


class Records:
    """The one store of all records, which are known by their names."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._classes: dict[str, Class] = {}
        self._handlers: dict[str, list[Closure]] = {}

    def define_class(
        self,
        name: str,
        inherits: str | None,
        traits: Sequence[str],
        fields: Mapping[str, Value],
        methods: Mapping[str, Closure],
    ) -> None:
        """Make a class known; one that was known by this name before is forgotten."""
        self._classes[name] = Class(inherits, traits, fields, methods)

    def new(
        self, class_name: str, name: str, inherits: str | None = None, traits: Sequence[str] = ()
    ) -> str:
        """Make a record, in the place of one that has this name; gives the name."""
        properties = {"type": class_name, "name": name}
        self._records[name] = Record(properties, class_name, inherits, traits)
        return name

    def get(self, name: str, key: str) -> Value:
        """A property, or else the value that the class starts with; unit if there is none."""
        record = self._records.get(name)
        if record is None:
            return None
        if key in record.properties:
            return record.properties[key]
        return next((c.fields[key] for c in self._line(record) if key in c.fields), None)

    def set(self, name: str, key: str, item: Value) -> None:
        """Set a property; the record is made if there is none of this name."""
        self._records.setdefault(name, Record()).properties[key] = item

    def held_list(self, base: Value, key: Value) -> list[Value] | None:
        """The list in a record's own property, if nothing else holds it."""
        record = self._records.get(base) if type(base) is str else None
        if record is None or type(key) is not str or key not in record.properties:
            return None
        found = record.properties[key]
        return found if is_list(found) and getrefcount(found) == HELD_ONCE else None

    # --- what programs do with a value that should name a record ---

    def member(self, base: Value, key: str) -> Value:
        """`base.key`"""
        return self.get(base, key) if type(base) is str else None

    def set_member(self, base: Value, key: str, item: Value) -> None:
        """`base.key = item`"""
        if type(base) is not str:
            raise _no_record(base, f"a member '{key}' cannot be set")
        self.set(base, key, item)

    def method(self, base: Value, name: Value) -> Closure:
        """What `base.name(...)` calls with `base` as its first argument."""
        if type(name) is not str:
            message = f"send: argument 2 must be a string, not {describe(name)}"
            raise Fault("P603", message)
        if type(base) is not str:
            raise _no_record(base, f"the method '{name}' cannot be called")
        record = self._records.get(base)
        if record is not None:
            own = self._classes.get(record.class_name, _UNKNOWN).methods.get(name)
            if own is not None:
                return own
            for found in self._line(record):
                if name in found.methods:
                    return found.methods[name]
        return self._set_by_message if name == "set" else _nothing

    def _set_by_message(self, base: str, key: Value = None, item: Value = None, *_: Value) -> None:
        if type(key) is not str:
            raise Fault("P603", f"set: the name of a member must be a string, not {describe(key)}")
        self.set(base, key, item)

    def _line(self, record: Record) -> Iterator[Class]:
        """The classes of a record: its own, then its traits, the last one first, then its parent.
        Each stands before its own traits and its own parent."""
        traits = record.traits
        parents = (record.inherits,) if record.inherits is not None else ()
        yield from self._above(record.class_name, traits, parents, set())

    def _above(
        self, name: str, traits: Sequence[str], parents: Sequence[str], seen: set[str]
    ) -> Iterator[Class]:
        if name in seen:
            return
        seen.add(name)
        found = self._classes.get(name, _UNKNOWN)
        yield found
        for trait in reversed((*found.traits, *traits)):
            yield from self._above(trait, (), (), seen)
        own = (found.inherits,) if found.inherits is not None else ()
        for parent in (*parents, *own):
            yield from self._above(parent, (), (), seen)

    # --- events ---

    def when(self, event: str, handler: Closure) -> None:
        """Run the handler whenever the event is emitted from now on."""
        self._handlers.setdefault(event, []).append(handler)

    def emit(self, event: Value, data: Value = None) -> Value:
        """Run the handlers of an event in the order of their registration; gives the last one's
        result, unit if there is no handler."""
        if type(event) is not str:
            raise Fault("P603", f"emit: argument 1 must be a string, not {describe(event)}")
        result = None
        for handler in tuple(self._handlers.get(event, ())):
            result = handler(event, data)
        return result


def _nothing(*_: Value) -> None:
    """A method that no class has."""


def _no_record(base: Value, what: str) -> Fault:
    return Fault("P601", f"{what}: {describe(base)} is no record", "a record is known by its name")
