"""Python functions that the launchers of matmul kernels need, each printed if it is used."""

from __future__ import annotations

from patlang_ir.backends.triton.helpers import Helper

CHECK_TENSORS = Helper(
    "check_tensors",
    '''
def check_tensors(*buffers):
    """Raise unless every buffer is a tensor of its type, all on one GPU."""
    first, start, _ = buffers[0]
    for name, buffer, dtype in buffers:
        if not isinstance(buffer, torch.Tensor):
            raise TypeError(f"{name}: expected a tensor, got {type(buffer).__name__}")
        if buffer.dtype != dtype:
            raise TypeError(f"{name}: expected {dtype}, got {buffer.dtype}")
        if buffer.is_neg():
            raise ValueError(f"{name}: is the negative of what it lies in; pass its resolve_neg()")
        if buffer.get_device() != start.get_device():
            raise ValueError(f"{name}: is on {buffer.device}, but {first} is on {start.device}")
    if start.get_device() < 0 and not triton.knobs.runtime.interpret:
        raise ValueError(f"{first}: expected a tensor on a GPU")
''',
)
SOLVE_SIZES = Helper(
    "solve_sizes",
    '''
def solve_sizes(wanted, *matrices):
    """The sizes by their names, from the shapes of matrices; raise where two differ."""
    known = {}
    for name, matrix, extents in matrices:
        shape = matrix.shape
        if len(shape) == 1 and 1 in extents:
            shape = (1, *shape) if extents[0] == 1 else (*shape, 1)
        if len(shape) != 2:
            raise ValueError(f"{name}: expected a matrix, got the shape {tuple(shape)}")
        for extent, side, value in zip(extents, ("rows", "columns"), shape):
            size, owner, its_side = known.setdefault(extent, (value, name, side))
            if isinstance(extent, int) and value != extent:
                raise ValueError(f"{name} has {value} {side}, not {extent}")
            if value != size:
                because = f"but {owner} has {size} {its_side}; both are {extent}"
                raise ValueError(f"{name} has {value} {side}, {because}")
    return [known[name][0] for name in wanted]
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
    places = []
    for name, matrix, written in matrices:
        (rows, cols), (down, right) = matrix.shape, matrix.stride()
        if written and rows and cols:
            (near, few), (far, many) = sorted(((down, rows), (right, cols)))
            if (few > 1 and near <= 0) or (many > 1 and far <= (few - 1) * near):
                raise ValueError(f"{name}: is written, but two of its elements share memory")
        reach = (rows - 1) * down + (cols - 1) * right + 1 if rows and cols else 0
        start = matrix.data_ptr()
        places.append((name, start, start + reach * matrix.element_size(), written))
    for name, start, end, written in places:
        for other, other_start, other_end, _ in places if written else ():
            if other != name and start < other_end and other_start < end:
                raise ValueError(f"{name}: is written, but shares memory with {other}")
''',
)
CHOOSE_PLAN = Helper(
    "choose_plan",
    '''
def choose_plan(plans, m, n, cores):
    """The plan that takes least time, with its speed: in a round each core makes one block."""
    chosen, least = None, float("inf")
    for row in plans:
        speed, plan = row
        block_m, block_n = plan.get("BLOCK_M", 1), plan.get("BLOCK_N", 1)
        blocks = -(-m // block_m) * -(-n // block_n)
        time = -(-blocks // cores) * block_m * block_n / speed
        if time < least:
            chosen, least = row, time
    return chosen
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
def fits_descriptor(matrix, written=False, layout="either"):
    """Whether the GPU can move blocks of a matrix by itself, and write no other memory."""
    (rows, cols), (down, right) = matrix.shape, matrix.stride()
    if layout == "columns" or (layout == "either" and right != 1 and not written):
        rows, cols, down, right = cols, rows, right, down
    size = matrix.element_size()
    return (
        right == 1
        and down * size % 16 == 0
        and 0 < down * size < 2**40
        and matrix.data_ptr() % 16 == 0
        and 0 < rows < 2**31
        and 0 < cols < 2**31
        and (not written or cols * size % 16 == 0)
    )
''',
)
DESCRIBE = Helper(
    "describe",
    '''
def describe(matrix, rows, cols):
    """The descriptor of a matrix in blocks, by columns if it lies so."""
    shape, strides, block = matrix.shape, matrix.stride(), [rows, cols]
    if strides[1] != 1:
        shape, strides, block = shape[::-1], strides[::-1], block[::-1]
    return TensorDescriptor(matrix, shape, strides, block)
''',
)
ROOM_FOR = Helper(
    "room_for",
    '''
def room_for(matrix, layout, written=False):
    """Where the GPU can move blocks of a matrix that lies by rows or columns: there, or in a copy.

    The rows or columns of a copy begin at multiples of 128 bytes. One that is written has whole
    rows. Without enough memory for a copy it is the matrix.
    """
    if fits_descriptor(matrix, written, layout):
        return matrix
    by_columns = layout == "columns" or (layout == "either" and matrix.stride(0) == 1)
    rows, cols = matrix.shape[::-1] if by_columns else matrix.shape
    line = 128 // matrix.element_size()
    try:
        room = matrix.new_empty((rows, -(-cols // line) * line))
    except torch.cuda.OutOfMemoryError:
        return matrix
    if written:
        return room
    return room[:, :cols].T if by_columns else room[:, :cols]
''',
)
COPY_MATRIX = Helper(
    "copy_matrix",
    '''
def copy_matrix(source, target):
    """Copy a matrix to where there is room for it, or back, if that is another place."""
    if source is not target:
        with torch.inference_mode():
            target.copy_(source[:, : target.shape[1]])
''',
)
CORES = Helper(
    "CORES",
    '''
CORES = {-1: 1}
"""The number of processors of each GPU that was asked; -1 stands for Triton's interpreter."""
''',
)
PROCESSORS = Helper(
    "processors",
    '''
def processors(tensor):
    """The number of processors of a tensor's GPU."""
    index = tensor.get_device()
    if index not in CORES:
        CORES[index] = torch.cuda.get_device_properties(index).multi_processor_count
    return CORES[index]
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
    ROOM_FOR,
    COPY_MATRIX,
    DESCRIBE,
    CORES,
    PROCESSORS,
)
