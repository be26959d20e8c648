"""Functions of the original language that do not exist here, and what to do without them."""

from __future__ import annotations

from collections.abc import Mapping

_LOGIC = "keep the facts in a list of lists, and search it with a loop"
_PLANNER = "call the functions that the actions stand for in their order"
_MACHINE = "it belongs to the original compiler's own back end; use a list or vec_new()"

UNSUPPORTED: Mapping[str, str] = {
    **dict.fromkeys(("rule_add", "query", "fact", "solve"), _LOGIC),
    **dict.fromkeys(
        (
            *("action_add", "action_bind", "action_add_numeric", "fluent_set"),
            *("plan", "plan_numeric", "goal", "pursue", "activate"),
        ),
        _PLANNER,
    ),
    "run_ir": "the compiler's own IR is run by patlang-opt",
}
"""For each name what its help says."""

PREFIXES: Mapping[str, str] = {"rt_": _MACHINE, "mem_": _MACHINE, "bool_array_": _MACHINE}


def why_unsupported(name: str) -> str:
    """The help for a function that is known not to exist; empty for any other name."""
    if name in UNSUPPORTED:
        return UNSUPPORTED[name]
    return next((help for start, help in PREFIXES.items() if name.startswith(start)), "")
