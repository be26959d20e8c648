"""Launches with nothing left to decide: compiled kernels with their grids and arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any

from patlang_ir.backends.triton.matmul_helpers import COPY_MATRIX

Launch = tuple[Callable[..., None], Sequence[Any]]
"""A compiled kernel for a grid, or a copy of a matrix, and what it is called with."""


@dataclass(frozen=True)
class BoundLaunches:
    """The launches of one call of a kernel, which calling this repeats.

    The tensors are read and written where they were; scratch memory and the memory of copies are
    those of the first time, so one stream at a time may run them.
    """

    launches: Sequence[Launch]
    device: int

    def __call__(self) -> None:
        import torch

        if torch.cuda.current_device() == self.device:
            self._run()
            return
        with torch.cuda.device(self.device):
            self._run()

    def _run(self) -> None:
        for launch, args in self.launches:
            launch(*args)


def record(functions: Mapping[str, Any], name: str, args: Sequence[Any]) -> Sequence[Launch]:
    """What the printed launcher `name` launches for these arguments; nothing is launched.

    `functions` are those of its module. Its kernels are compiled, and its checks are made.
    """
    launches: list[Launch] = []
    instead = {
        key: Recorder(value, launches) if hasattr(value, "warmup") else value
        for key, value in functions.items()
    }
    if COPY_MATRIX.name in functions:
        instead[COPY_MATRIX.name] = partial(note_copy, launches, functions[COPY_MATRIX.name])
    launcher: FunctionType = functions[name]
    recording = FunctionType(launcher.__code__, instead, name, launcher.__defaults__)
    recording.__kwdefaults__ = launcher.__kwdefaults__
    recording(*args)
    return launches


def note_copy(
    launches: list[Launch], copy: Callable[[Any, Any], None], source: Any, target: Any
) -> None:
    """Note that a launcher copies a matrix, which each call must do again."""
    if source is not target:
        launches.append((copy, (source, target)))


@dataclass(frozen=True)
class Recorder:
    """Stands for a function of Triton, and notes the launches of it."""

    function: Any
    launches: list[Launch]

    def __getitem__(self, grid: Sequence[int]) -> Callable[..., None]:
        from patlang_ir.runtime.direct_launches import repeated

        def note(*args: Any, **options: Any) -> None:
            compiled = self.function.warmup(*args, grid=grid, **options)
            constexprs = self.function.arg_names[len(args) :]
            every = (*args, *(options[name] for name in constexprs))
            self.launches.append((repeated(compiled, (*grid, 1, 1)[:3]), every))

        return note
