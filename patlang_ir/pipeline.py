"""From the text of a pass pipeline to its passes.

The text is xDSL's, `one-pass,another{option=1}`. Blanks around commas are allowed, and so is
`builtin.module(...)` around the whole. A named pipeline stands for its passes; an option given to
it goes to every one of them that has an option of that name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.arg_spec import parse_pipeline as parse_specs
from xdsl.utils.exceptions import ArgSpecParseError

from patlang_ir.diagnostics import CompileError, refuse
from patlang_ir.passes.pipelines import PIPELINES
from patlang_ir.universe import PATLANG_UNIVERSE

HELP = {
    "pass": "--list-passes lists the passes of PatLang IR",
    "target": "mlir, triton and python are targets of PatLang IR",
    "frontend": "the frontends are mlir and patlang",
}

PassFactories = Mapping[str, Callable[[], type[ModulePass]]]


def parse_pipeline(
    text: str,
    passes: PassFactories = PATLANG_UNIVERSE.all_passes,
    pipelines: Mapping[str, Sequence[str]] = PIPELINES,
) -> tuple[ModulePass, ...]:
    """The passes of a pipeline, with their options."""
    try:
        specs = tuple(parse_specs(_tidy(text)))
    except ArgSpecParseError as error:
        raise _bad_text(text, error) from None
    steps: list[ModulePass] = []
    for spec in specs:
        if spec.name in pipelines:
            steps.extend(_expand(spec, passes, pipelines[spec.name]))
        elif spec.name in passes:
            steps.append(_make(passes[spec.name](), spec))
        else:
            raise unknown_name("pass", spec.name, [*passes, *pipelines])
    return tuple(steps)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> CompileError:
    """The error for a name that is not known, with the one that was perhaps meant."""
    from difflib import get_close_matches

    similar = get_close_matches(name, [*known], n=1)
    help = f"did you mean '{similar[0]}'?" if similar else HELP[kind]
    return refuse(None, "P903", f"unknown {kind} '{name}'", help=help)


def _tidy(text: str) -> str:
    inner = re.fullmatch(r"\s*builtin\.module\((.*)\)\s*", text, re.DOTALL)
    text = (inner[1] if inner else text).strip()
    return re.sub(r'"[^"]*"|\s*,\s*', lambda found: found[0].strip(), text)


def _bad_text(text: str, error: ArgSpecParseError) -> CompileError:
    reason = str(error).strip().splitlines()[-1].strip()
    return refuse(
        None,
        "P905",
        f"the pass pipeline '{text}' cannot be read: {reason}",
        help="write it as 'one-pass,another-pass{option=1 text=\"...\"}'",
    )


def _expand(spec: ArgSpec, passes: PassFactories, members: Sequence[str]) -> tuple[ModulePass, ...]:
    """The passes of a named pipeline."""
    missing = [name for name in members if name not in passes]
    if missing:
        raise refuse(
            None, "P903", f"'{spec.name}' needs the pass '{missing[0]}', which does not exist"
        )
    classes = [passes[name]() for name in members]
    options = spec.normalize_parameter_names().parameters
    known = {name for cls in classes for name in option_names(cls)}
    for name in options:
        if name not in known:
            raise _unknown_option(spec.name, name, known)
    return tuple(
        _make(cls, ArgSpec(cls.name, {k: options[k] for k in option_names(cls) if k in options}))
        for cls in classes
    )


def _make(cls: type[ModulePass], spec: ArgSpec) -> ModulePass:
    known = option_names(cls)
    for name in spec.normalize_parameter_names().parameters:
        if name not in known:
            raise _unknown_option(spec.name, name, set(known))
    try:
        return cls.from_spec(spec)
    except ValueError as error:
        raise refuse(None, "P905", f"'{spec}': {error}") from None


def option_names(cls: type[ModulePass]) -> tuple[str, ...]:
    """The names of a pass's options, as Python spells them."""
    return tuple(field.name for field in fields(cls) if field.init)


def _unknown_option(owner: str, name: str, known: set[str]) -> CompileError:
    listed = ", ".join(option.replace("_", "-") for option in sorted(known))
    return refuse(
        None,
        "P905",
        f"'{owner}' has no option '{name.replace('_', '-')}'",
        help=f"its options are: {listed}" if listed else "it has no options",
    )
