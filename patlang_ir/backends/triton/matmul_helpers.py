"""Python functions that the launchers of matmul kernels need, each printed if it is used."""

from __future__ import annotations

from patlang_ir.backends.triton.helpers import Helper

CHECK_TENSORS = Helper(
    "check_tensors",
    '''
def check_tensors(*buffers):
    """Raise unless every buffer is a tensor of its type, all on one GPU."""
    for name, buffer, dtype in buffers:
        if not isinstance(buffer, torch.Tensor):
            raise TypeError(f"{name}: expected a tensor, got {type(buffer).__name__}")
        if buffer.dtype != dtype:
            raise TypeError(f"{name}: expected {dtype}, got {buffer.dtype}")
    first, start, _ = buffers[0]
    for name, buffer, _ in buffers:
        if buffer.device != start.device:
            raise ValueError(f"{name}: is on {buffer.device}, but {first} is on {start.device}")
    if start.device.type == "cpu" and not triton.knobs.runtime.interpret:
        raise ValueError(f"{first}: expected a tensor on a GPU")
''',
)
SOLVE_SIZES = Helper(
    "solve_sizes",
    '''
def solve_sizes(wanted, *matrices):
    """The sizes by their names, from the shapes of matrices; raise where two differ."""
    sizes, owners = {}, {}
    for name, matrix, extents in matrices:
        shape = tuple(matrix.shape)
        if len(shape) == 1 and 1 in extents:
            shape = (1, *shape) if extents[0] == 1 else (*shape, 1)
        if len(shape) != 2:
            raise ValueError(f"{name}: expected a matrix, got the shape {shape}")
        for extent, side, value in zip(extents, ("rows", "columns"), shape):
            known = sizes.setdefault(extent, value) if isinstance(extent, str) else extent
            owner = owners.setdefault(extent, f"{name} has {value} {side}")
            if known != value:
                because = f", but {owner}" if isinstance(extent, str) else f", not {extent}"
                raise ValueError(f"{name} has {value} {side}{because}; both are {extent}")
    return [sizes[name] for name in wanted]
''',
)
AS_MATRIX = Helper(
    "as_matrix",
    '''
def as_matrix(vector, axis):
    """A vector as a matrix that has it along an axis; a matrix as it is."""
    return vector.unsqueeze(1 - axis) if vector.dim() == 1 else vector
''',
)
CHECK_SEPARATE = Helper(
    "check_separate",
    '''
def check_separate(*matrices):
    """Raise if a written matrix shares memory with another one, or two of its elements do."""

    def memory(matrix):
        reach = sum((n - 1) * stride for n, stride in zip(matrix.shape, matrix.stride()))
        start = matrix.data_ptr()
        return start, start + (reach + 1) * matrix.element_size() if matrix.numel() else start

    for name, matrix, written in matrices:
        if not written:
            continue
        start, end = memory(matrix)
        for other_name, other, _ in matrices:
            other_start, other_end = memory(other)
            if other_name != name and start < other_end and other_start < end:
                raise ValueError(f"{name}: is written, but shares memory with {other_name}")
        reach = 0
        for stride, n in sorted(zip(matrix.stride(), matrix.shape)):
            if n > 1 and stride <= reach:
                raise ValueError(f"{name}: is written, but two of its elements share memory")
            reach += (n - 1) * stride
''',
)
CHOOSE_PLAN = Helper(
    "choose_plan",
    '''
def choose_plan(plans, m, n, busy):
    """The first plan that keeps the GPU busy and whose blocks are not mostly empty."""
    for plan in plans:
        block_m, block_n = plan.get("BLOCK_M", 1), plan.get("BLOCK_N", 1)
        full = block_m < 2 * m and block_n < 2 * n
        if full and triton.cdiv(m, block_m) * triton.cdiv(n, block_n) >= busy:
            return plan
    return plans[-1]
''',
)
COVERING_PLAN = Helper(
    "covering_plan",
    '''
def covering_plan(plans, **extents):
    """The first plan in which one block covers these extents."""
    for plan in plans:
        if all(plan[block] >= extent for block, extent in extents.items()):
            return plan
    most = {block: plans[-1][block] for block in extents}
    raise ValueError(f"blocks of {extents} are needed, and there are {most} at most")
''',
)
FITS_DESCRIPTOR = Helper(
    "fits_descriptor",
    '''
def fits_descriptor(matrix, written=False):
    """Whether the GPU can move blocks of a matrix by itself, and write no other memory."""
    size, shape, strides = matrix.element_size(), matrix.shape, matrix.stride()
    inner = 0 if strides[1] != 1 and not written else 1
    step = strides[1 - inner] * size
    return (
        strides[inner] == 1
        and step % 16 == 0
        and 0 < step < 2**40
        and matrix.data_ptr() % 16 == 0
        and 0 < min(shape)
        and max(shape) < 2**31
        and (not written or shape[1] * size % 16 == 0)
    )
''',
)
DESCRIBE = Helper(
    "describe",
    '''
def describe(matrix, rows, cols):
    """The descriptor of a matrix in blocks, by columns if it lies so."""
    if matrix.stride(1) != 1:
        matrix, rows, cols = matrix.T, cols, rows
    return TensorDescriptor(matrix, list(matrix.shape), list(matrix.stride()), [rows, cols])
''',
)
PROCESSORS = Helper(
    "processors",
    '''
def processors(tensor):
    """The number of processors of a tensor's GPU."""
    if tensor.device.type == "cpu":
        return 1
    return torch.cuda.get_device_properties(tensor.device).multi_processor_count
''',
)

ALL_MATMUL_HELPERS = (
    CHECK_TENSORS,
    SOLVE_SIZES,
    AS_MATRIX,
    CHECK_SEPARATE,
    CHOOSE_PLAN,
    COVERING_PLAN,
    FITS_DESCRIPTOR,
    DESCRIBE,
    PROCESSORS,
)
