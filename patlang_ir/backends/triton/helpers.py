"""Python functions that a module needs beside its kernels, each printed if it is used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from patlang_ir.backends.triton.expressions import COMBINE
from patlang_ir.dialects import tl
from patlang_ir.dialects.tl import Function
from patlang_ir.traversal import walk


@dataclass(frozen=True)
class Helper:
    """A function, by its name."""

    name: str
    text: str


MULTIPLY = Helper(
    "multiply",
    """
@triton.jit
def multiply(a, b):
    return a * b
""",
)
MAXIMUM_NAN = Helper(
    "maximum_nan",
    """
@triton.jit
def maximum_nan(a, b):
    return tl.maximum(a, b, propagate_nan=tl.PropagateNan.ALL)
""",
)
MINIMUM_NAN = Helper(
    "minimum_nan",
    """
@triton.jit
def minimum_nan(a, b):
    return tl.minimum(a, b, propagate_nan=tl.PropagateNan.ALL)
""",
)
ARGMAX = Helper(
    "argmax",
    '''
@triton.jit
def argmax(a, a_index, b, b_index):
    """The first NaN if there is one, else the first largest value, with its index."""
    better = (a > b) | ((a != a) & (b == b))
    same = (a == b) | ((a != a) & (b != b))
    left = better | (same & (a_index < b_index))
    return tl.where(left, a, b), tl.where(left, a_index, b_index)
''',
)
ARGMIN = Helper(
    "argmin",
    '''
@triton.jit
def argmin(a, a_index, b, b_index):
    """The first NaN if there is one, else the first smallest value, with its index."""
    better = (a < b) | ((a != a) & (b == b))
    same = (a == b) | ((a != a) & (b != b))
    left = better | (same & (a_index < b_index))
    return tl.where(left, a, b), tl.where(left, a_index, b_index)
''',
)
ATOMIC_MAX_NAN = Helper(
    "atomic_max_nan",
    '''
@triton.jit
def atomic_max_nan(pointers, values, mask=None):
    """The larger value, or NaN; among bit patterns a NaN without a sign is the largest."""
    values = tl.where(values == values, values, float("nan"))
    tl.atomic_max(pointers, values, mask=mask, sem="relaxed")
''',
)
ATOMIC_MIN_NAN = Helper(
    "atomic_min_nan",
    '''
@triton.jit
def atomic_min_nan(pointers, values, mask=None):
    """The smaller value, or NaN; among bit patterns a NaN with a sign is the smallest."""
    values = tl.where(values == values, values, float("-nan"))
    tl.atomic_min(pointers, values, mask=mask, sem="relaxed")
''',
)
ERF = Helper(
    "erf",
    '''
@triton.jit
def erf(x):
    """The error function of f32: by a polynomial in x * x, and from 1 on by one in abs(x)."""
    square = x * x
    near = tl.fma(square, 7.80690316e-05, -0.00079978531)
    near = tl.fma(near, square, 0.0051871622)
    near = tl.fma(near, square, -0.0268533472)
    near = tl.fma(near, square, 0.112835787)
    near = tl.fma(near, square, -0.37612626)
    near = tl.fma(near, square, 0.128379166)
    near = tl.fma(near, x, x)
    size = tl.minimum(tl.abs(x), 4.0)
    far = tl.fma(size, 0.000267739524, -0.0042410451)
    far = tl.fma(far, size, 0.0314586647)
    far = tl.fma(far, size, -0.148651823)
    far = tl.fma(far, size, -0.920764804)
    far = tl.fma(far, size, -1.62597513)
    far = tl.fma(far, size, -0.000510306039)
    far = 1.0 - tl.exp2(far)
    return tl.where(tl.abs(x) > 1.0, tl.where(x < 0.0, far * -1.0, far), near)
''',
)
"""erf(x) = x + x * p(x * x) = 1 - exp2(q(x)), with minimax polynomials by Lawson's iteration; each
coefficient is rounded to f32 before the next ones are found. It takes fewer instructions than the
library of CUDA, which moves each coefficient into a register."""
LOAD_BLOCK = Helper(
    "load_block",
    '''
@triton.jit
def load_block(matrix, row, col, TURNED: tl.constexpr):
    """A block of a matrix; a matrix that lies by columns is described by its rows."""
    if TURNED:
        block = tl.trans(matrix.load([col, row]))
    else:
        block = matrix.load([row, col])
    return block
''',
)
CHECK_BUFFERS = Helper(
    "check_buffers",
    '''
def check_buffers(*buffers):
    """Raise unless every buffer is a contiguous tensor of its type, all on one GPU."""
    first, start, _ = buffers[0]
    for name, buffer, dtype in buffers:
        if not isinstance(buffer, torch.Tensor):
            raise TypeError(f"{name}: expected a tensor, got {type(buffer).__name__}")
        if buffer.dtype != dtype:
            raise TypeError(f"{name}: expected {dtype}, got {buffer.dtype}")
        if buffer.is_neg():
            raise ValueError(f"{name}: is the negative of what it lies in; pass its resolve_neg()")
        if not buffer.is_contiguous():
            raise ValueError(f"{name}: the tensor is not contiguous")
        if buffer.get_device() != start.get_device():
            raise ValueError(f"{name}: is on {buffer.device}, but {first} is on {start.device}")
    if start.get_device() < 0 and not triton.knobs.runtime.interpret:
        raise ValueError(f"{first}: expected a tensor on a GPU")
''',
)
CHECK_SCALAR = Helper(
    "check_scalar",
    '''
def check_scalar(name, value, kind):
    """Raise unless `value` is one number of its kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected one number, {kind.__name__}, got {type(value).__name__}")
''',
)
CHECK_LENGTH = Helper(
    "check_length",
    '''
def check_length(name, buffer, n):
    """Raise unless `buffer` has one element for each lane."""
    if buffer.numel() != n:
        raise ValueError(f"{name}: expected {n} elements, got {buffer.numel()}")
''',
)
CHECK_MATRIX = Helper(
    "check_matrix",
    '''
def check_matrix(name, buffer):
    """Raise unless `buffer` has two dimensions."""
    if buffer.dim() != 2:
        raise ValueError(f"{name}: expected a matrix, got the shape {tuple(buffer.shape)}")
''',
)
CHECK_SHAPE = Helper(
    "check_shape",
    '''
def check_shape(name, buffer, n_rows, n_cols):
    """Raise unless `buffer` has this shape, or is flat with as many elements."""
    if tuple(buffer.shape) not in ((n_rows, n_cols), (n_rows * n_cols,)):
        shape = tuple(buffer.shape)
        raise ValueError(f"{name}: expected the shape {(n_rows, n_cols)}, got {shape}")
''',
)
CHECK_APART = Helper(
    "check_apart",
    '''
def check_apart(*buffers):
    """Raise if a written buffer shares memory with another one.

    Two that are the same are allowed where each lane touches its own element of both.
    """
    for name, buffer, written, own in buffers:
        if not written:
            continue
        start = buffer.data_ptr()
        end = start + buffer.nbytes
        for other_name, other, _, other_own in buffers:
            other_start = other.data_ptr()
            if other_start >= end or start >= other_start + other.nbytes or other_name == name:
                continue
            alike = buffer.shape == other.shape and buffer.dtype == other.dtype
            if not (start == other_start and alike and own and other_own):
                raise ValueError(f"{name}: is written, but shares memory with {other_name}")
''',
)
CHECK_BLOCK = Helper(
    "check_block",
    '''
def check_block(lanes, limit):
    """Raise if one program cannot cover the whole input."""
    if lanes > limit:
        raise ValueError(f"one program covers at most {limit} elements, and {lanes} were given")
''',
)
CDIV = Helper(
    "cdiv",
    '''
def cdiv(n, size):
    """How many blocks of a size cover n elements; that of Triton takes some microseconds."""
    return -(-n // size)
''',
)
HERE = Helper(
    "HERE",
    '''
HERE = contextlib.nullcontext()
"""For what runs on the current GPU."""
''',
)
ON_DEVICE_OF = Helper(
    "on_device_of",
    '''
def on_device_of(tensor):
    """Make the GPU of a tensor the current one, unless it is; `torch.cuda.device` takes longer."""
    index = tensor.get_device()
    if index < 0 or index == torch.cuda.current_device():
        return HERE
    return torch.cuda.device(index)
''',
)
NEXT_POWER_OF_2 = Helper(
    "next_power_of_2",
    '''
def next_power_of_2(n):
    """The smallest power of two that is at least n, and 1."""
    return 1 << max(n - 1, 0).bit_length()
''',
)

COMBINERS = {
    helper.name: helper
    for helper in (
        MULTIPLY,
        MAXIMUM_NAN,
        MINIMUM_NAN,
        ARGMAX,
        ARGMIN,
        ATOMIC_MAX_NAN,
        ATOMIC_MIN_NAN,
        LOAD_BLOCK,
        ERF,
    )
}


def kernel_helpers(kernels: Sequence[tl.KernelOp]) -> list[Helper]:
    """The functions that these kernels call."""
    used = {name for kernel in kernels for name in combiners(kernel)}
    return [helper for name, helper in COMBINERS.items() if name in used]


def combiners(kernel: tl.KernelOp) -> Iterator[str]:
    for op in walk(kernel):
        match op:
            case tl.ReduceOp() if op.function.data in COMBINE:
                yield COMBINE[op.function.data]
            case tl.ReduceIndexOp():
                yield op.function.data
            case tl.AtomicOp():
                yield f"atomic_{op.function.data}"
            case tl.DescriptorLoadOp():
                yield LOAD_BLOCK.name
            case tl.CallOp() if op.function.data == Function.ERF:
                yield ERF.name
            case _:
                pass
