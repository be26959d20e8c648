"""Runs a kernel of the `tile` dialect with NumPy: this defines what its answer is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.ir import SSAValue

from patlang_ir.analysis.matrix_extents import matrices_of, matrix_shapes
from patlang_ir.backends.numpy.arguments import Argument, bind
from patlang_ir.backends.numpy.contexts import (
    ALWAYS,
    INPUT,
    PROGRAM,
    Step,
    Values,
    known_element,
)
from patlang_ir.backends.numpy.control import Compiler, run
from patlang_ir.backends.numpy.programs import (
    AXES,
    LOOPS,
    Grid,
    in_blocks,
    in_chunks,
    whole,
    whole_matrices,
)
from patlang_ir.backends.numpy.stages import Scratch, runs, too_large
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import SizeKind

Order = Callable[[int], Iterable[int]]
"""From the number of programs to the order in which they run."""


@dataclass(frozen=True)
class _Stage:
    """A stage made ready: its steps, and the slots of the kernel's buffers and scalars."""

    op: tile.StageOp
    steps: Sequence[Step]
    slots: int
    args: Sequence[int]


class Evaluator:
    """A kernel, made ready to run. Its types must be known: run it after `tile-infer-shapes`.

    With `checked`, a lane inside the input must not reach outside a buffer nor divide an integer
    by 0: a `RunError` shows the place.

    >>> Evaluator(kernel).run([x, y, out], sizes={"n": len(out)})
    """

    def __init__(self, kernel: tile.KernelOp, *, checked: bool = False):
        self.kernel = kernel
        _expect_types(kernel)
        self._written = frozenset(kernel.written)
        self._axes = AXES[kernel.kind.data]
        self._matrices = matrices_of(kernel)
        self._loops = LOOPS.get(kernel.kind.data, {})
        self._stages = [_compile(stage, checked) for stage in kernel.stages]

    def run(
        self,
        args: Sequence[Argument],
        *,
        sizes: Mapping[str, int],
        blocks: Mapping[str, int] | None = None,
        order: Order | None = None,
        chunk: int | None = None,
    ) -> None:
        """Write the kernel's results into its buffers.

        `sizes` gives `n`, or `n_rows` and `n_cols`, or `M`, `N` and `K`. Without `blocks`, one
        block covers the input exactly: this is what a kernel means. With `blocks={"BLOCK_SIZE": 7}`
        each stage is cut into programs of that size, run in the `order` given; an axis that a stage
        covers has one block of a power of two lanes. `chunk` asks for the whole-input meaning in
        pieces of about so many lanes, which is faster and allowed where nothing depends on how the
        input is cut.
        """
        extents = _extents(self.kernel, sizes)
        bound = bind(self.kernel, args, self._written, matrix_shapes(self._matrices, extents))
        scratch = Scratch(self.kernel)
        running = [stage for stage in self._stages if runs(stage.op, extents)]
        if self._stages and not running:
            raise too_large(self.kernel, extents)
        with np.errstate(all="ignore"):
            for stage in running:
                own = scratch.extents_over(stage.op, extents)
                grid = self._grid(stage.op, own, blocks, chunk)
                held = [*bound, *scratch.allocate(stage.op, grid)]
                programs = grid if order is None else grid.ordered(list(order(len(grid))))
                for program in programs:
                    values: Values = [None] * stage.slots
                    values[PROGRAM], values[ALWAYS] = program, np.True_
                    values[INPUT] = extents
                    for slot, value in zip(stage.args, held, strict=True):
                        values[slot] = value
                    run(stage.steps, values)

    def _grid(
        self,
        stage: tile.StageOp,
        extents: Mapping[SizeKind, int],
        sizes: Mapping[str, int] | None,
        chunk: int | None,
    ) -> Grid:
        covered = [symbol for i, symbol in enumerate(self._axes) if i in stage.covered]
        if sizes is not None:
            return in_blocks(extents, self._axes, sizes, covered, tuple(self._loops))
        if self._loops:
            return whole_matrices(extents, self._axes, self._loops)
        if chunk is not None and not covered:
            return in_chunks(extents, self._axes, chunk)
        return whole(extents, self._axes)


def _expect_types(kernel: tile.KernelOp) -> None:
    """Each parameter and result must have a type that the evaluator can hold."""
    for type in kernel.body.block.arg_types:
        known_element(kernel, type.element if isinstance(type, tile.WeakType) else type)
    for op in kernel.walk():
        for result in op.results:
            known_element(op, result.type)


def _compile(stage: tile.StageOp, checked: bool) -> _Stage:
    kernel = stage.kernel
    names: dict[SSAValue, str] = dict(zip(kernel.args, kernel.param_names, strict=True))
    names.update({op.result: "scratch" for op in kernel.scratch})
    compiler = Compiler(kernel.kind.data, names, checked)
    compiler.keep_edges(stage)
    args = compiler.give_slots([*kernel.args, *(op.result for op in kernel.scratch)])
    steps = compiler.block(stage.body.block)
    return _Stage(stage, steps, compiler.count, args)


def _extents(kernel: tile.KernelOp, sizes: Mapping[str, int]) -> Mapping[SizeKind, int]:
    """The extents of the input, `n` too in a kernel over rows and columns."""
    kind = kernel.kind.data
    known = (*AXES[kind].values(), *LOOPS.get(kind, {}).values())
    extents = {size: int(sizes[size]) for size in known}
    return {SizeKind.N: prod(extents.values()), **extents}


def evaluate(
    kernel: tile.KernelOp,
    args: Sequence[Argument],
    sizes: Mapping[str, int],
    *,
    blocks: Mapping[str, int] | None = None,
    order: Order | None = None,
    chunk: int | None = None,
    checked: bool = False,
) -> None:
    """Run a kernel once; see `Evaluator.run`."""
    Evaluator(kernel, checked=checked).run(
        args, sizes=sizes, blocks=blocks, order=order, chunk=chunk
    )
