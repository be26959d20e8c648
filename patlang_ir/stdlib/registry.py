"""The host functions: what PatLang programs can call besides their own functions.

Adding one takes a decorator over a Python function whose docstring is its documentation:

    @host("double", 1, gives=FLOAT)
    def double(x):
        \"\"\"Twice `x`.\"\"\"
        return 2.0 * to_float(x)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from patlang_ir.runtime.host_kinds import ANY, Kinds

Implementation: TypeAlias = Callable[..., Any]
Gives: TypeAlias = Kinds | Callable[..., Kinds]
Function = TypeVar("Function", bound=Implementation)


@dataclass(frozen=True)
class HostFunction:
    """One host function.

    `arity` is the least and the greatest number of arguments, `None` for no limit. `retains` are
    the positions of arguments that the result or the machine may hold afterwards. `fresh` says that
    a list it gives is held by nobody else. `gives` are the kinds of the result, or a function that
    computes them from those of the arguments. A `stateful` one gets the machine first.
    """

    name: str
    arity: tuple[int, int | None]
    doc: str
    implementation: Implementation
    pure: bool = True
    retains: tuple[int, ...] = ()
    fresh: bool = False
    gives: Gives = ANY
    stateful: bool = False

    @property
    def python_name(self) -> str:
        return self.name.replace(".", "_")

    def kinds(self, arguments: list[Kinds]) -> Kinds:
        """The kinds of the result of a call with arguments of these kinds."""
        if isinstance(self.gives, int):
            return self.gives
        least = self.arity[0]
        return self.gives(*arguments) if len(arguments) >= least else ANY


HOST_FUNCTIONS: dict[str, HostFunction] = {}
"""Every host function by name. A name with a dot is for compiler passes only."""

CALL_BY_NAME = frozenset(("apply", "fiber_new", "parallel_map"))
"""Those that call the functions of the program by names that only the run knows."""


def host(
    name: str,
    least: int,
    most: int | None = -1,
    *,
    pure: bool = True,
    retains: tuple[int, ...] = (),
    fresh: bool = False,
    gives: Gives = ANY,
    stateful: bool = False,
) -> Callable[[Function], Function]:
    """Register a Python function as the host function `name` that takes `least` to `most`
    arguments."""

    def register(implementation: Function) -> Function:
        assert name not in HOST_FUNCTIONS, name
        HOST_FUNCTIONS[name] = HostFunction(
            name,
            (least, least if most == -1 else most),
            (implementation.__doc__ or "").strip(),
            implementation,
            pure,
            retains,
            fresh,
            gives,
            stateful,
        )
        return implementation

    return register
