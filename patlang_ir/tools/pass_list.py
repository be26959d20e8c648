"""`--list-passes`: every pass with its options."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from typing import Any

from xdsl.passes import ModulePass

from patlang_ir.passes.pipelines import PIPELINES
from patlang_ir.universe import PATLANG_UNIVERSE


def pass_list() -> str:
    """The passes of PatLang IR and its named pipelines, as a text for people."""
    passes = [factory() for factory in PATLANG_UNIVERSE.all_passes.values()]
    lines = [line for cls in passes for line in _describe(cls)]
    for name, members in PIPELINES.items():
        lines += [name, f"  = {','.join(members)}"]
    return "\n".join(lines)


def _describe(cls: type[ModulePass]) -> Iterator[str]:
    summary = (inspect.getdoc(cls) or "").partition("\n")[0]
    yield cls.name
    yield f"  {summary}"
    for field in fields(cls):
        if field.init:
            yield f"    {_describe_option(field)}"


def _describe_option(field: Field[Any]) -> str:
    help = field.metadata.get("help", "")
    kind = field.type if isinstance(field.type, str) else getattr(field.type, "__name__", "")
    text = f"{field.name.replace('_', '-')}: {kind or field.type}"
    if field.default is not MISSING:
        text += f" = {field.default!r}"
    elif field.default_factory is not MISSING:
        text += f" = {field.default_factory()!r}"
    return f"{text}  {help}".rstrip()
