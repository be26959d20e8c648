"""Names of other GPU languages, and what a kernel has in their place."""

from __future__ import annotations

SIZES = "the number of elements is n, in 2-D kernels n_rows and n_cols"
OFFSETS = "offs is the index of each lane, in 2-D kernels row and col"

FUNCTIONS = {
    "load": "x[i] reads an element of the buffer x for each lane",
    "where": "write select(condition, a, b)",
    "if_else": "write select(condition, a, b)",
    "maximum": "write max(a, b)",
    "minimum": "write min(a, b)",
    "amax": "write reduce_max(v)",
    "amin": "write reduce_min(v)",
    "mean": "write sum(v) / n, or sum(v, 1) / n_cols",
    "relu": "write max(v, 0)",
    "isnan": "write v != v",
    "int": "write to_int(v); store converts to the type of the buffer",
    "float": "write v * 1.0",
    "len": SIZES,
    "arange": OFFSETS,
    "program_id": OFFSETS,
    "barrier": "a statement is finished for all lanes before the next one begins",
    "syncthreads": "a statement is finished for all lanes before the next one begins",
}
"""What is called elsewhere."""

NAMES = {
    "tl": "the functions of kernels stand alone: max(a, b), not tl.max(a, b)",
    "np": "the functions of kernels stand alone: exp(v), not np.exp(v)",
    "math": "the functions of kernels stand alone: exp(v), not math.exp(v)",
    "break": "end the loop by its condition",
    "continue": "put the rest of the body into an if, or choose its values with select",
    "True": "write true",
    "False": "write false",
    "inf": "write 1 / 0",
    "nan": "write 0 / 0",
    "pi": "write 3.141592653589793",
    "threadIdx": OFFSETS,
    "blockIdx": OFFSETS,
}
"""What stands for a value elsewhere."""
