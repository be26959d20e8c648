"""What the operators and functions of the kernel language are in the `tile` dialect, as tables."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from xdsl.ir import Operation, SSAValue

from patlang_ir.dialects import pat, tile

Binary = Callable[[SSAValue, SSAValue], Operation]

BINARY: dict[pat.BinaryKind, Binary] = {
    pat.BinaryKind.ADD: tile.AddOp,
    pat.BinaryKind.SUB: tile.SubOp,
    pat.BinaryKind.MUL: tile.MulOp,
    pat.BinaryKind.DIV: tile.DivOp,
    pat.BinaryKind.REM: tile.RemOp,
    pat.BinaryKind.BAND: tile.BandOp,
    pat.BinaryKind.BOR: tile.BorOp,
    pat.BinaryKind.BXOR: tile.BxorOp,
    pat.BinaryKind.SHL: tile.ShlOp,
    pat.BinaryKind.SHR: tile.ShrOp,
    pat.BinaryKind.EQ: partial(tile.CompareOp, tile.ComparePredicate.EQ),
    pat.BinaryKind.NE: partial(tile.CompareOp, tile.ComparePredicate.NE),
    pat.BinaryKind.LT: partial(tile.CompareOp, tile.ComparePredicate.LT),
    pat.BinaryKind.LE: partial(tile.CompareOp, tile.ComparePredicate.LE),
    pat.BinaryKind.GT: partial(tile.CompareOp, tile.ComparePredicate.GT),
    pat.BinaryKind.GE: partial(tile.CompareOp, tile.ComparePredicate.GE),
}


def to_integer(value: SSAValue) -> Operation:
    """A cast whose type is inferred: that of an integer, in the shape of the value."""
    return tile.CastOp(value, tile.unknown)


ELEMENTWISE: dict[str, Callable[..., Operation]] = {
    "max": tile.MaxOp,
    "min": tile.MinOp,
    "pow": tile.PowOp,
    "abs": tile.AbsOp,
    "sqrt": tile.SqrtOp,
    "exp": tile.ExpOp,
    "exp2": tile.Exp2Op,
    "log": tile.LogOp,
    "log2": tile.Log2Op,
    "sin": tile.SinOp,
    "cos": tile.CosOp,
    "tan": tile.TanOp,
    "tanh": tile.TanhOp,
    "erf": tile.ErfOp,
    "floor": tile.FloorOp,
    "ceil": tile.CeilOp,
    "trunc": tile.TruncOp,
    "round": tile.RoundOp,
    "fma": tile.FmaOp,
    "to_int": to_integer,
}

REDUCTIONS: dict[str, tile.ReduceKind] = {
    "sum": tile.ReduceKind.SUM,
    "prod": tile.ReduceKind.PROD,
    "reduce_max": tile.ReduceKind.MAX,
    "reduce_min": tile.ReduceKind.MIN,
    "argmax": tile.ReduceKind.ARGMAX,
    "argmin": tile.ReduceKind.ARGMIN,
    "any": tile.ReduceKind.ANY,
    "all": tile.ReduceKind.ALL,
}

INDICES: dict[str, tile.IndexKind] = {
    "offs": tile.IndexKind.OFFS,
    "row": tile.IndexKind.ROW,
    "row2": tile.IndexKind.ROW,
    "col": tile.IndexKind.COL,
    "col2": tile.IndexKind.COL,
}

PROGRAMS: dict[str, int] = {"pid_m": 0, "pid_n": 1}
"""The axis of the launch along which each of these names numbers the programs."""
