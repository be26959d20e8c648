"""The names that kernels have without declaring them, as tables."""

from __future__ import annotations

from dataclasses import dataclass

from patlang_ir.dialects.pat import KernelKind

IMPLICIT: dict[KernelKind, tuple[str, ...]] = {
    KernelKind.LINEAR: ("offs", "mask", "n"),
    KernelKind.GRID: (
        "offs",
        "mask",
        "row",
        "col",
        "row2",
        "col2",
        "mask_r",
        "mask_c",
        "n_rows",
        "n_cols",
    ),
    KernelKind.MATMUL: ("M", "N", "K", "BLOCK_M", "BLOCK_N", "BLOCK_K", "pid_m", "pid_n"),
}
"""The implicit names of each kind of kernel."""

BLOCK_NAMES = ("pid", "pid_r", "pid_c", "BLOCK_SIZE", "BLOCK_R", "BLOCK_C")
"""Names of the original language that depend on how the input is cut, so they have no value."""


@dataclass(frozen=True)
class Intrinsic:
    """A function of the kernel language: how many arguments it takes, and what it gives."""

    arity: tuple[int, ...]
    summary: str


INTRINSICS: dict[str, Intrinsic] = {
    "select": Intrinsic((3,), "the second argument where the first holds, else the third"),
    "max": Intrinsic((2,), "the larger of two values; NaN if one is NaN"),
    "min": Intrinsic((2,), "the smaller of two values; NaN if one is NaN"),
    "abs": Intrinsic((1,), "the absolute value"),
    "sqrt": Intrinsic((1,), "the square root, correctly rounded"),
    "rsqrt": Intrinsic((1,), "1 / sqrt(x), two roundings"),
    "exp": Intrinsic((1,), "e to the power of x"),
    "exp2": Intrinsic((1,), "2 to the power of x"),
    "log": Intrinsic((1,), "the natural logarithm"),
    "log2": Intrinsic((1,), "the logarithm to base 2"),
    "sigmoid": Intrinsic((1,), "1 / (1 + exp(-x))"),
    "sin": Intrinsic((1,), "the sine of x in radians"),
    "cos": Intrinsic((1,), "the cosine of x in radians"),
    "tan": Intrinsic((1,), "the tangent of x in radians"),
    "tanh": Intrinsic((1,), "the hyperbolic tangent"),
    "erf": Intrinsic((1,), "the error function"),
    "pow": Intrinsic((2,), "the first argument to the power of the second"),
    "floor": Intrinsic((1,), "the largest whole number not above x"),
    "ceil": Intrinsic((1,), "the smallest whole number not below x"),
    "round": Intrinsic((1,), "the nearest whole number, halves away from zero"),
    "trunc": Intrinsic((1,), "x without its fraction"),
    "to_int": Intrinsic((1,), "x without its fraction, as an integer of 64 bits"),
    "fma": Intrinsic((3,), "a * b + c with one rounding"),
    "clamp": Intrinsic((3,), "x limited to the range from the second to the third argument"),
    "sum": Intrinsic((1, 2), "the sum over the whole input, or along an axis"),
    "prod": Intrinsic((1, 2), "the product over the whole input, or along an axis"),
    "reduce_max": Intrinsic((1, 2), "the largest value over the whole input, or along an axis"),
    "reduce_min": Intrinsic((1, 2), "the smallest value over the whole input, or along an axis"),
    "argmax": Intrinsic((1, 2), "the index of the first largest value"),
    "argmin": Intrinsic((1, 2), "the index of the first smallest value"),
    "any": Intrinsic((1, 2), "whether some value holds"),
    "all": Intrinsic((1, 2), "whether every value holds"),
    "cumsum": Intrinsic((1, 2), "the running sum, along an axis"),
}
"""The functions of the kernel language that give a value."""

BLOCK_FUNCTIONS: dict[str, Intrinsic] = {
    "make_block_ptr": Intrinsic(
        (7,), "a block of a matrix: buffer, rows, columns, first row, first column, block's sizes"
    ),
    "load_block": Intrinsic((1,), "the elements of a block; 0 outside the matrix"),
    "advance_block": Intrinsic((3,), "the block so many rows and columns further on"),
    "dot": Intrinsic((3,), "the product of two blocks, added to the third"),
    "zeros_2d": Intrinsic((2,), "a block of zeros of this size"),
    "trans": Intrinsic((1,), "a block with its rows as columns"),
}
"""The functions of matmul kernels alone that give a value."""

BLOCK_FORMS = {
    "make_block_ptr": "make_block_ptr(buffer, rows, cols, row, col, block_rows, block_cols)",
    "load_block": "load_block(pointer)",
    "store_block": "store_block(pointer, tile)",
    "advance_block": "advance_block(pointer, rows, cols)",
    "dot": "dot(a, b, total)",
    "zeros_2d": "zeros_2d(block_rows, block_cols)",
    "trans": "trans(tile)",
}
"""How each function of matmul kernels is written."""

STATEMENTS: dict[str, tuple[int, ...]] = {
    "store": (3,),
    "atomic_add": (2, 3),
    "atomic_max": (2, 3),
    "atomic_min": (2, 3),
    "store_block": (2,),
}
"""The functions that are statements, with the number of arguments they take."""

BLOCK_STATEMENT = "store_block"
"""The only statement function of matmul kernels, and of them alone."""
