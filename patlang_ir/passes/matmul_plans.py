"""The part of `tile-plan-launches` for matmul kernels: block sizes, warps and stages."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntegerAttr,
    StringAttr,
    bf16,
    f16,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.hints import isa

from patlang_ir.diagnostics import CompileError, refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import Order, Precision
from patlang_ir.matmul_targets import (
    DEEPEST,
    GROUP,
    MATMUL_TARGETS,
    SMALLEST,
    SMALLEST_DEPTH,
    WIDEST,
    BlockPlan,
    Factors,
    MatmulTarget,
)

NAMES = {"BLOCK_M": "m", "BLOCK_N": "n", "BLOCK_K": "k"}
FACTORS: dict[Attribute, Factors] = {
    f64: Factors.F64,
    f16: Factors.HALF,
    bf16: Factors.HALF,
}

PRECISIONS = {
    Precision.IEEE: Factors.F32,
    Precision.TF32: Factors.TF32,
    Precision.TF32X3: Factors.TF32X3,
}

MOST_WARPS = 8
MOST_SUMS = 128
"""The numbers of sums that a thread holds in its registers; with more it keeps some in memory."""
LEAST_STAGES = 3
STORES = (tile.DescriptorStoreOp, tile.StoreOp)
BARRIERS = 256
"""More bytes than the signals between a program and what moves blocks for it need."""


@dataclass
class PlanMatmul(RewritePattern):
    """stage { ... dot ... } -> stage plan {plans = [{BLOCK_M = 128, ...}, ...]} { ... }

    `sizes` are block sizes that the caller chose. Of stages that are forms of the same kernel one
    without a plan is dropped.
    """

    target_name: str
    sizes: Mapping[str, int]

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tile.StageOp, rewriter: PatternRewriter) -> None:
        if op.plan is not None or op.kernel.kind.data != KernelKind.MATMUL:
            return
        dots = [inner for inner in op.walk() if isinstance(inner, tile.DotOp)]
        self.expect_precisions(dots)
        plans = self.possible(op, slowest_factors(op))
        fitting = [plan for each in plans if (plan := self.fitted(op, each)) is not None]
        if not fitting and isinstance(op.next_op, tile.StageOp):
            rewriter.erase(op)
            return
        if not fitting:
            raise self.too_large(op, plans[0])
        op.plan = DictionaryAttr({"plans": ArrayAttr(map(dictionary, fitting))})
        rewriter.notify_op_modified(op)

    @property
    def target(self) -> MatmulTarget:
        return MATMUL_TARGETS[self.target_name]

    def possible(self, op: tile.StageOp, factors: Factors) -> Sequence[BlockPlan]:
        """The plans of the table; the one of the sizes that are given; those that cover an axis."""
        sizes = {**marked(op.kernel), **self.sizes}
        pinned = op.kernel.option("pinned")
        if isinstance(pinned, StringAttr) and not sizes.keys() >= NAMES.keys():
            raise refuse(
                op.kernel,
                "P403",
                f"the result depends on the block sizes: {pinned.data}",
                "say them in the marker: # @gpu_kernel_matmul(block=[32, 32, 32])",
            )
        plans = plans_in(op, self.target)
        order = op.order.data if op.order is not None else Order.GROUPED
        ordered = [plan for plan in plans if plan.order == order]
        if sizes:
            made = [plan for plan in ordered if has_sizes(plan, sizes)]
            if is_alternative(op) and not made:
                return ()
            plan = made[0] if made else with_sizes(plans[0], sizes)
            self.expect_blocks(op, plan, slowest_factors(op))
            return (plan,)
        if op.covered:
            return covering(op.covered, factors)
        held = [plan for each in ordered or plans if (plan := holding(each, sums_of(op)))]
        return held if held or is_alternative(op) else plans[-1:]

    def expect_blocks(self, op: tile.StageOp, plan: BlockPlan, factors: Factors) -> None:
        """Refuse blocks that are too small to be multiplied."""
        if factors == Factors.NONE:
            return
        for name, least in SMALLEST.items():
            if name == "BLOCK_K":
                least = SMALLEST_DEPTH.get(factors, least)
            size = getattr(plan, NAMES[name])
            if size < least:
                what = f"{name} is {size}, and a product of {factors} needs {least} or more"
                raise refuse(op.kernel, "P405", what, f"choose {name}={least} or more")

    def expect_precisions(self, dots: list[tile.DotOp]) -> None:
        """Refuse a precision that the target has no instruction for."""
        possible = self.target.precisions
        for dot in dots:
            precision = dot.precision.data
            if tile.element_of(dot.lhs.type) == f32 and precision not in possible:
                raise refuse(
                    dot,
                    "P405",
                    f"{self.target_name} has no products in {precision}",
                    f"it has {' and '.join(sorted(possible))}",
                )

    def fitted(self, op: tile.StageOp, plan: BlockPlan) -> BlockPlan | None:
        """The plan with as many stages as the shared memory holds; None if not even one fits.

        An alternative has three or more: with fewer the next one is faster.
        """
        limit = self.target.shared
        possible = range(plan.stages, LEAST_STAGES - 1 if is_alternative(op) else 0, -1)
        stages = next((s for s in possible if self.shared(op, plan, s) <= limit), None)
        return None if stages is None else replace(plan, stages=stages)

    def shared(self, op: tile.StageOp, plan: BlockPlan, stages: int) -> int:
        """The shared memory that the factors of products need, in bytes.

        Where the GPU moves blocks by itself, those of the second factor are there twice, unless
        their elements have 16 bits or lie by columns: it multiplies others by columns only.
        """
        buffers = max(stages - self.target.in_registers, 1)
        factors = [op for op in op.walk() if isinstance(op, tile.DotOp)]
        total = 0
        for dot in factors:
            lhs, rhs = (size_of(value.type, plan) for value in (dot.lhs, dot.rhs))
            halves = tile.element_of(dot.rhs.type) in (f16, bf16)
            as_they_are = halves or op.described is None or op.copies is not None
            total += lhs + rhs * (1 if as_they_are else 2)
        return buffers * total + self.staged(op, plan)

    def staged(self, op: tile.StageOp, plan: BlockPlan) -> int:
        """The shared memory that blocks lie in before they are stored.

        Without descriptors it is that of the factors again, unless the loop over blocks has begun
        to load the next ones.
        """
        if op.described is None:
            return 0
        flattened = op.order is not None and op.order.data == Order.FLATTENED
        kinds = STORES if flattened else (tile.DescriptorStoreOp,)
        stores = (inner for inner in op.walk() if isinstance(inner, kinds))
        return BARRIERS + sum(size_of(store.value.type, plan) for store in stores)

    def too_large(self, op: tile.StageOp, plan: BlockPlan) -> CompileError:
        needed = self.shared(op, plan, 1)
        return refuse(
            op.kernel,
            "P405",
            f"blocks of {plan.m} x {plan.k} and {plan.k} x {plan.n} need {needed} bytes of shared "
            f"memory, and {self.target_name} has {self.target.shared}",
            "choose smaller blocks",
        )


def slowest_factors(stage: tile.StageOp) -> Factors:
    """What a stage multiplies; of several products the slowest one counts."""
    found = (factors_of(dot) for dot in stage.walk() if isinstance(dot, tile.DotOp))
    return min(found, key=list(Factors).index, default=Factors.NONE)


def plans_in(stage: tile.StageOp, target: MatmulTarget) -> Sequence[BlockPlan]:
    """The plans of a target for what a stage multiplies and how it gets there."""
    factors = slowest_factors(stage)
    plans = target.plans[factors]
    return plans if stage.described is None else target.described.get(factors, plans)


def plans_of(stage: tile.StageOp) -> Sequence[DictionaryAttr]:
    """The plans that a stage was given; none before."""
    plans = stage.plan.data.get("plans") if stage.plan is not None else None
    return plans.data if isa(plans, ArrayAttr[DictionaryAttr]) else ()


def sums_of(stage: tile.StageOp) -> int:
    """How many blocks of sums a stage has; products that are added to the same one share it."""
    dots = [op for op in stage.walk() if isinstance(op, tile.DotOp)]
    return sum(not isinstance(dot.acc.owner, tile.DotOp) for dot in dots)


def holding(plan: BlockPlan, sums: int) -> BlockPlan | None:
    """The plan with as many warps as hold so many blocks of sums in registers, if some do."""
    for warps in (plan.warps, MOST_WARPS):
        if sums * plan.m * plan.n <= MOST_SUMS * 32 * warps:
            return replace(plan, warps=warps)
    return None


def is_alternative(stage: tile.StageOp) -> bool:
    """Whether the next stage is the same kernel in another order."""
    following = stage.next_op
    return isinstance(following, tile.StageOp) and following.described == stage.described


def marked(kernel: tile.KernelOp) -> dict[str, int]:
    """The block sizes that the marker gives."""
    block = kernel.option("block")
    items = block.data if isa(block, ArrayAttr[IntegerAttr]) else ()
    return dict(zip(NAMES, (item.value.data for item in items), strict=False))


def has_sizes(plan: BlockPlan, sizes: Mapping[str, int]) -> bool:
    return all(getattr(plan, NAMES[name]) == n for name, n in sizes.items() if name in NAMES)


def with_sizes(plan: BlockPlan, sizes: Mapping[str, int]) -> BlockPlan:
    """The plan with these sizes, and as many warps as its blocks have work for."""
    plan = replace(plan, **{NAMES[name]: n for name, n in sizes.items() if name in NAMES})
    return replace(plan, warps=plan.warps if plan.m * plan.n >= 128 * 128 else 4)


def covering(axes: Collection[int], factors: Factors) -> list[BlockPlan]:
    """Plans in which a block covers as many elements along the axes as a call may have."""
    least = SMALLEST_DEPTH.get(factors, SMALLEST["BLOCK_K"])
    plans: list[BlockPlan] = []
    lanes = SMALLEST["BLOCK_N"]
    while lanes <= WIDEST:
        m = lanes if 0 in axes else max(min(8192 // lanes, 64), SMALLEST["BLOCK_M"])
        n = lanes if 1 in axes else max(min(8192 // lanes, 64), SMALLEST["BLOCK_N"])
        depth = max(min(4096 // lanes, DEEPEST), least)
        plans.append(BlockPlan(m, n, depth, 4 if m * n <= 4096 else 8, 2))
        lanes *= 2
    return plans


def factors_of(dot: tile.DotOp) -> Factors:
    element = tile.element_of(dot.lhs.type)
    if element == f32:
        return PRECISIONS[dot.precision.data]
    return FACTORS.get(element, Factors.BYTE)


def size_of(type: Attribute, plan: BlockPlan) -> int:
    """The bytes of a block."""
    assert isinstance(type, tile.TileType)
    total = max(type.element.bitwidth // 8, 1)  # pyright: ignore
    for size in type.sizes:
        total *= getattr(plan, NAMES[size]) if isinstance(size, str) else size
    return total


def dictionary(plan: BlockPlan) -> DictionaryAttr:
    options = {
        "BLOCK_M": plan.m,
        "BLOCK_N": plan.n,
        "BLOCK_K": plan.k,
        "GROUP_M": GROUP,
        "num_warps": plan.warps,
        "num_stages": plan.stages,
        "speed": plan.speed,
    }
    return DictionaryAttr({name: IntegerAttr(n, i64) for name, n in options.items()})
