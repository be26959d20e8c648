"""Which buffers of a matmul kernel are written, by the pointers that its variables hold."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from patlang_ir.analysis.pat_flow import Facts, PatFlow
from patlang_ir.dialects import pat
from patlang_ir.kernel_language import BLOCK_STATEMENT

MAKE_POINTER, ADVANCE = "make_block_ptr", "advance_block"


class PointedBuffers(PatFlow):
    """The parameters that a kernel writes: those into which a stored pointer may point.

    The facts of a variable have a bit for each parameter into which it may point.
    """

    def __init__(self, func: pat.FuncOp):
        super().__init__()
        self.params = func.param_names
        self._pointed: dict[SSAValue, int] = {}
        self._written = 0
        self.run(func.body.block, {})

    @property
    def written(self) -> set[str]:
        return {name for i, name in enumerate(self.params) if self._written >> i & 1}

    def transfer(self, op: Operation, facts: Facts) -> None:
        match op:
            case pat.LetOp() | pat.AssignOp():
                facts[op.variable.data] = self._pointed.get(op.value, 0)
            case pat.NameOp() | pat.GetOp():
                self._pointed[op.result] = facts.get(op.variable.data, 0)
            case pat.ApplyOp() | pat.IntrinsicOp() if op.args:
                self._call(op)
            case _:
                pass

    def _call(self, op: pat.ApplyOp | pat.IntrinsicOp) -> None:
        name, first = op.callee.data, op.args[0]
        if name == MAKE_POINTER:
            self._pointed[op.result] = self._bit(first)
        if name == ADVANCE:
            self._pointed[op.result] = self._pointed.get(first, 0)
        if name == BLOCK_STATEMENT:
            self._written |= self._pointed.get(first, 0)

    def _bit(self, value: SSAValue) -> int:
        """The parameter whose bare name this is."""
        owner = value.owner
        if not isinstance(owner, pat.NameOp | pat.GetOp) or owner.variable.data not in self.params:
            return 0
        return 1 << self.params.index(owner.variable.data)
