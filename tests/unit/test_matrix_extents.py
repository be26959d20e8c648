"""M, N and K of a call, from the shapes or lengths of its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from evaluator_kernels import parse

from patlang_ir.analysis.matrix_extents import matrices_of, solve_sizes, sources_of
from patlang_ir.diagnostics import LaunchError
from patlang_ir.dialects.tile import KernelOp, SizeKind

M, N, K = SizeKind.M, SizeKind.N_OF_MATRIX, SizeKind.K


def kernel(*matrices: str) -> KernelOp:
    """A kernel with a pointer for each text such as `a M K`."""
    names = dict.fromkeys(text.split()[0] for text in matrices)
    params = ", ".join(f'%{name} "{name}" : !tile.buffer<f32>' for name in names)
    lines = [f"%{size} = tile.size {size} : i64" for size in "MNK"]
    lines += [f"%{n} = tile.constant {n} : i64" for n in (0, 1, 4, 8)]
    for i, text in enumerate(matrices):
        name, rows, cols = text.split()
        lines.append(
            f"%p{i} = tile.block_pointer %{name}[%0, %0] of %{rows} x %{cols} as [16, 16] : "
            "!tile.buffer<f32>, i64, i64, i64, i64 -> !tile.access<[16, 16], f32>"
        )
    body = "\n".join(lines)
    return parse(f"tile.kernel @k matmul({params}) {{\ntile.stage {{\n{body}\n}}\n}}")


PRODUCT = ("a M K", "b K N", "c M N")


def sizes(
    matrices: Sequence[str],
    shapes: Mapping[str, tuple[int, ...]],
    given: Mapping[SizeKind, int] | None = None,
) -> tuple[int, int, int]:
    found = solve_sizes(kernel(*matrices), shapes, given)
    return found[M], found[N], found[K]


def test_each_size_is_found_at_the_axes_that_have_it():
    matrices = matrices_of(kernel("a M K", "b K N", "b K N", "bias 1 N"))
    assert [str(m) for m in matrices] == ["M x K", "K x N", "1 x N"]
    sources = sources_of(matrices)
    assert [(s.matrix.name, s.axis) for s in sources[K]] == [("a", 1), ("b", 0)]
    assert [(s.matrix.name, s.axis) for s in sources[N]] == [("b", 1), ("bias", 1)]


@pytest.mark.parametrize(
    "matrices, shapes, expected",
    [
        (PRODUCT, {"a": (2, 3), "b": (3, 5), "c": (2, 5)}, (2, 5, 3)),
        (PRODUCT, {"a": (2, 0), "b": (0, 5), "c": (2, 5)}, (2, 5, 0)),
        (PRODUCT, {"a": (0, 3), "b": (3, 0), "c": (0, 0)}, (0, 0, 3)),
        (PRODUCT, {"a": (6,), "b": (15,), "c": (10,)}, (2, 5, 3)),
        (PRODUCT, {"a": (2, 3), "b": (15,), "c": (10,)}, (2, 5, 3)),
        (PRODUCT, {"a": (37 * 29,), "b": (29 * 41,), "c": (37 * 41,)}, (37, 41, 29)),
        (("a M K", "b N K", "c M N"), {"a": (6,), "b": (15,), "c": (10,)}, (2, 5, 3)),
        (("a M K", "x 1 K", "c M 1"), {"a": (2, 3), "x": (3,), "c": (2,)}, (2, 1, 3)),
        (("a M K", "x K 1", "c M 1"), {"a": (6,), "x": (3,), "c": (2,)}, (2, 1, 3)),
        (("a M M",), {"a": (49,)}, (7, 1, 1)),
        (("a 4 K", "c 4 N"), {"a": (12,), "c": (4, 2)}, (1, 2, 3)),
    ],
)
def test_sizes_follow_from_the_arguments(
    matrices: Sequence[str],
    shapes: Mapping[str, tuple[int, ...]],
    expected: tuple[int, int, int],
):
    assert sizes(matrices, shapes) == expected


def test_sizes_can_be_given():
    empty = {"a": (0,), "b": (0,), "c": (6,)}
    assert sizes(PRODUCT, empty, {M: 2, N: 3, K: 0}) == (2, 3, 0)


@pytest.mark.parametrize(
    "matrices, shapes, message",
    [
        (
            PRODUCT,
            {"a": (2, 3), "b": (4, 5), "c": (2, 5)},
            "'b' has 4 rows and 'a' has 3 columns, and both are K",
        ),
        (
            PRODUCT,
            {"a": (2, 3), "b": (3, 1), "c": (2, 5)},
            "'c' has 5 columns and 'b' has 1 column, and both are N",
        ),
        (
            PRODUCT,
            {"a": (2, 3), "b": (16,), "c": (10,)},
            "'b' has 16 elements, and it should be K x N",
        ),
        (
            PRODUCT,
            {"a": (2, 3), "b": (15,), "c": (11,)},
            "'c' has 11 elements, and it should be M x N = 2 x 5 by 'a' and 'b'",
        ),
        (PRODUCT, {"a": (6,), "b": (15,), "c": (11,)}, "no M, N and K fit these lengths"),
        (PRODUCT, {"a": (0,), "b": (0,), "c": (6,)}, "cannot be found from the lengths"),
        (("a M K", "b K N"), {"a": (6,), "b": (15,)}, "M and K and N cannot be found"),
        (("a M 4",), {"a": (2, 3)}, "'a' has 3 columns, and it should be 4"),
        (("a M K",), {"a": (2, 3, 4)}, "'a' has 3 dimensions"),
        (
            ("a M K", "a K M"),
            {"a": (2, 3)},
            "'a' has 2 rows and 'a' has 3 columns, and both are K",
        ),
    ],
)
def test_what_does_not_fit_is_said_with_both_buffers(
    matrices: Sequence[str], shapes: Mapping[str, tuple[int, ...]], message: str
):
    with pytest.raises(LaunchError) as caught:
        sizes(matrices, shapes)
    assert caught.value.diagnostic.code == "P501"
    assert message in caught.value.diagnostic.message


def test_sizes_that_are_given_must_fit():
    with pytest.raises(LaunchError, match="'a' has 6 elements, and it should be M x K = 2 x 4"):
        sizes(PRODUCT, {"a": (6,), "b": (15,), "c": (10,)}, {M: 2, N: 5, K: 4})
