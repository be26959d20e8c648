"""Every way to run a kernel on the CPU; all must give the same bits."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from inputs import Arguments, copies, differences
from syntax import Kernel
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from patlang_ir.analysis.independence import is_block_independent
from patlang_ir.backends.numpy import Evaluator
from patlang_ir.diagnostics import LaunchError
from patlang_ir.dialects import tile
from patlang_ir.frontend import parse
from patlang_ir.passes.pipelines import KERNEL_TO_TILE, TILE_TO_TRITON
from patlang_ir.pipeline import parse_pipeline
from patlang_ir.verify import verify

TYPED = KERNEL_TO_TILE.index("tile-infer-shapes") + 1
LAST = TILE_TO_TRITON.index("tile-plan-launches")
REDUCTIONS = "tile-legalize-reductions"
BLOCKS = (1, 3, 8, 64)


@dataclass(frozen=True)
class Compiled:
    """A kernel with its IR at every level."""

    kernel: Kernel

    @property
    def sizes(self) -> dict[str, int]:
        names = ("n_rows", "n_cols") if self.kernel.grid else ("n",)
        return dict(zip(names, self.kernel.shape, strict=True))

    @property
    def signature(self) -> str:
        return ",".join(f"{p.name}={p.type}" for p in self.kernel.params)

    @cached_property
    def stages(self) -> dict[str, tile.KernelOp]:
        """The kernel after each pass; long inputs are cut into chains for a second time."""
        found = dict(self.head)
        for suffix, limit in (("", ""), (" limit 4", "{limit=4}")):
            module = self.tile.parent_op()
            assert isinstance(module, ModuleOp)
            for i, name in enumerate(TILE_TO_TRITON[:LAST]):
                module = run_passes(module, [name + limit if name == REDUCTIONS else name])
                found[f"{name}{suffix} {i}"] = only_kernel(module)
        return found

    @cached_property
    def head(self) -> dict[str, tile.KernelOp]:
        """The kernel after each pass that leaves it typed and means what is written."""
        module = parse(self.kernel.text, "k.patlang").module
        specialize = f'tile-specialize{{signature="{self.signature}"}}'
        passes = [specialize if p == "tile-specialize" else p for p in KERNEL_TO_TILE]
        module = run_passes(module, passes[:TYPED])
        found = {KERNEL_TO_TILE[TYPED - 1]: only_kernel(module)}
        for name in KERNEL_TO_TILE[TYPED:]:
            module = run_passes(module, [name])
            found[name] = only_kernel(module)
        return found

    @property
    def tile(self) -> tile.KernelOp:
        """What the evaluator runs to define the answer."""
        return self.head[KERNEL_TO_TILE[-1]]

    @property
    def ready(self) -> tile.KernelOp:
        """The kernel before it is lowered to Triton."""
        return self.stages[f"{TILE_TO_TRITON[LAST - 1]} {LAST - 1}"]


def run_passes(module: ModuleOp, names: Sequence[str]) -> ModuleOp:
    result = module.clone()
    for step in parse_pipeline(",".join(names)):
        step.apply(Context(), result)
        verify(result)
    return result


def only_kernel(module: ModuleOp) -> tile.KernelOp:
    (kernel,) = module.ops
    assert isinstance(kernel, tile.KernelOp)
    return kernel


def expected(compiled: Compiled, args: Arguments) -> Arguments:
    """The arguments after one block that covers the whole input."""
    after = copies(args)
    Evaluator(compiled.tile).run(after, sizes=compiled.sizes)
    return after


def mismatches(compiled: Compiled, args: Arguments) -> Iterator[str]:
    """Each way to run the kernel in the evaluator that gives other bits, with the first of them."""
    wanted = expected(compiled, args)
    for name, stage in compiled.stages.items():
        evaluator = Evaluator(stage)
        cuts = [(None, None)]
        if is_block_independent(stage):
            cuts += [(size, "shuffled") for size in BLOCKS]
        for size, order in cuts:
            after = copies(args)
            try:
                _run(evaluator, compiled, after, size)
            except LaunchError as error:
                if "limit" in name and error.diagnostic.code == "P501":
                    continue
                raise
            for text in differences(compiled.kernel, after, wanted):
                how = "whole" if size is None else f"in {order} blocks of {size}"
                yield f"after {name}, {how}: {text}"


def _run(evaluator: Evaluator, compiled: Compiled, args: Arguments, size: int | None) -> None:
    if size is None:
        evaluator.run(args, sizes=compiled.sizes)
        return
    names = ("BLOCK_R", "BLOCK_C") if compiled.kernel.grid else ("BLOCK_SIZE",)
    blocks = dict.fromkeys(names, size)
    if compiled.kernel.grid:
        blocks["BLOCK_C"] = {1: 3, 3: 1, 8: 8, 64: 2}[size]
    evaluator.run(args, sizes=compiled.sizes, blocks=blocks, order=shuffled)


def shuffled(count: int) -> list[int]:
    return random.Random(count).sample(range(count), count)
