"""The sign of a -1 that becomes a bf16 number, which Triton before 3.8 may lose."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects import scf
from xdsl.dialects.builtin import bf16, f32
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from patlang_ir.dialects import tl
from patlang_ir.dialects.scalars import is_float, is_integer
from patlang_ir.dialects.tl import BinaryKind, Function, element_of
from patlang_ir.passes.lowering.emitter import Emitter
from patlang_ir.passes.lowering.integers import is_signed

OPAQUE = (tl.LoadOp, tl.AtomicOp, tl.DotOp, tl.DescriptorLoadOp)
"""What LLVM knows no range of."""
LOOPS_AND_BRANCHES = (scf.IfOp, scf.ForOp, scf.WhileOp)


class KeepSign(RewritePattern):
    """cast v : bf16 -> t = cast v; where(v < 0, -abs(t), t), if v is computed from integers

    LLVM keeps a number that is 0 or -1 in one bit, also through a conversion to another float.
    Its conversion of that bit to bf16 gives 1.0 on NVIDIA GPUs from compute capability 9.0.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tl.CastOp, rewriter: PatternRewriter) -> None:
        value, result = op.operand, op.result
        if element_of(result.type) != bf16 or not is_from_integers(value):
            return
        emit = Emitter()
        near = emit.add(tl.CastOp(value, result.type))
        size = emit.call(Function.ABS, emit.cast(near, f32))
        negative = emit.binary(BinaryKind.MUL, size, emit.literal(-1.0, f32))
        below = emit.binary(BinaryKind.LT, value, emit.literal(0, element_of(value.type)))
        kept = emit.where(below, emit.cast(negative, bf16), near)
        name, result.name_hint = result.name_hint, None
        rewriter.replace(op, emit.ops, [kept])
        kept.name_hint = name


def is_from_integers(value: SSAValue) -> bool:
    """Whether signed integer arithmetic may give this number, or one that it is chosen from."""
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        element = element_of(value.type)
        signed = is_integer(element) and is_signed(element)
        if signed and isinstance(value.owner, tl.BinaryOp | tl.UnaryOp | tl.CallOp):
            return True
        if signed or (is_float(element) and element != bf16):
            waiting += sources(value)
    return False


def sources(value: SSAValue) -> Iterable[SSAValue]:
    """The values that may be a part of this one."""
    owner = value.owner
    if isinstance(value, BlockArgument):
        owner = value.block.parent_op()
    if isinstance(owner, LOOPS_AND_BRANCHES):
        given = [*owner.operands, *(v for op in ends(owner) for v in op.operands)]
        return [source for source in given if source.type == value.type]
    if isinstance(owner, OPAQUE) or not isinstance(value.owner, Operation):
        return ()
    return value.owner.operands


def ends(op: Operation) -> Iterable[Operation]:
    """The last operation of each block in a loop or a branch."""
    for block in (block for region in op.regions for block in region.blocks):
        if block.last_op is not None:
            yield block.last_op
