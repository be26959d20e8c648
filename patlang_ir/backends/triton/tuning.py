"""Python functions with which a printed launcher finds the fastest of its block sizes."""

from __future__ import annotations

from patlang_ir.backends.triton.helpers import Helper

TUNED = Helper(
    "TUNED",
    '''
TUNED = {}
"""The block of a launcher for inputs of about one size; what is found once stays."""
''',
)
SAME_BITS = Helper(
    "same_bits",
    '''
def same_bits(result, first):
    """Whether two tensors hold the same bits; all NaNs are one value."""
    bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[first.element_size()]
    equal = result.view(bits) == first.view(bits)
    return bool((equal | ((result != result) & (first != first))).all())
''',
)
ABOUT_SAME = Helper(
    "about_same",
    '''
def about_same(result, first):
    """Whether two tensors hold the same numbers but for how their sums are rounded."""
    result, first = result.double(), first.double()
    size = first.nan_to_num(0.0, 0.0, 0.0).abs().sum() / max(first.numel(), 1)
    return torch.allclose(result, first, rtol=0.01, atol=0.01 * float(size), equal_nan=True)
''',
)
MILLISECONDS = Helper(
    "milliseconds",
    '''
def milliseconds(run, reset):
    """The shortest of ten runs, each on the same elements and with none of them in the cache."""
    if not torch.cuda.is_available():
        return 0.0  # Triton's interpreter, where all blocks are alike
    cache = torch.empty(2**28, dtype=torch.int8, device="cuda")
    times = []
    for _ in range(10):
        reset()
        cache.zero_()
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        run()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return min(times)
''',
)
FASTEST = Helper(
    "fastest",
    '''
def fastest(launcher, arguments, written, extents, agree, blocks):
    """The fastest of `blocks` for inputs of about this size.

    It is found once for each power of two of the extents, on copies of what is written, and the
    results of all blocks must agree with those of the first.
    """
    device = arguments[written[0]].device
    key = (launcher.__name__, device, *(extent.bit_length() for extent in extents))
    if key in TUNED:
        return TUNED[key]
    copies = [a.clone() if i in written else a for i, a in enumerate(arguments)]
    first, times, error = None, {}, None

    def reset():
        for i in written:
            copies[i].copy_(arguments[i])

    for number, block in enumerate(blocks):
        reset()
        try:
            launcher(*copies, block=block)
        except (triton.OutOfResources, triton.CompilationError) as refused:
            error = refused
            continue
        if first is None:
            first = {i: copies[i].clone() for i in written}
        if not all(agree(copies[i], first[i]) for i in written):
            raise AssertionError(f"the blocks {block} and {blocks[min(times)]} give other results")
        times[number] = milliseconds(lambda: launcher(*copies, block=block), reset)
    if not times:
        raise error
    return TUNED.setdefault(key, blocks[min(times, key=times.get)])
''',
)
HELPERS = (TUNED, SAME_BITS, ABOUT_SAME, MILLISECONDS, FASTEST)
