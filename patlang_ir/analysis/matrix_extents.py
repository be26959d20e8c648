"""The extents of a kernel's matrices, and how `M`, `N` and `K` of a call follow from its arguments.

Each `tile.block_pointer` says which extents its buffer has along rows and columns. An array of two
dimensions has them as its shape. An array of one dimension is a matrix row by row: only its length
is known, which is the product of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt, prod
from typing import TypeAlias

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import BlockArgument, SSAValue

from patlang_ir.diagnostics import Diagnostic, LaunchError, place_of
from patlang_ir.dialects import tile
from patlang_ir.dialects.tile import SizeKind
from patlang_ir.traversal import walk

Size: TypeAlias = SizeKind | int
"""An extent: `M`, `N` or `K`, or a literal."""

SIZES = (SizeKind.M, SizeKind.N_OF_MATRIX, SizeKind.K)
SIDES = ("rows", "columns")


def extent_of(value: SSAValue) -> Size | None:
    """The extent that a value is; None if it is neither a size nor a literal."""
    match value.owner:
        case tile.SizeOp(kind=kind):
            return kind.data
        case tile.ConstantOp(value=IntAttr() as literal):
            return literal.data
        case _:
            return None


@dataclass(frozen=True)
class Matrix:
    """A parameter as a matrix of these extents along rows and columns."""

    buffer: BlockArgument
    name: str
    extents: tuple[Size, Size]

    def __str__(self) -> str:
        return " x ".join(map(str, self.extents))


def matrices_of(kernel: tile.KernelOp) -> tuple[Matrix, ...]:
    """The matrices that the pointers of a kernel speak of, or spoke of, each once, in order."""
    names = dict(zip(kernel.args, kernel.param_names, strict=True))
    if kernel.matrices is not None:
        return tuple(_kept(kernel, matrix) for matrix in kernel.matrices)
    found: dict[Matrix, None] = {}
    for op in walk(kernel):
        if not isinstance(op, tile.BlockPointerOp) or not isinstance(op.buffer, BlockArgument):
            continue
        rows, cols = extent_of(op.rows), extent_of(op.cols)
        if rows is not None and cols is not None:
            found[Matrix(op.buffer, names[op.buffer], (rows, cols))] = None
    return tuple(found)


def _kept(kernel: tile.KernelOp, matrix: tile.MatrixAttr) -> Matrix:
    """A matrix that `tile-legalize-block-pointers` kept."""
    rows, cols = (SizeKind(e) if isinstance(e, str) else e for e in matrix.sizes)
    name = matrix.parameter.data
    return Matrix(kernel.args[kernel.param_names.index(name)], name, (rows, cols))


def matrix_shapes(
    matrices: Sequence[Matrix], sizes: Mapping[SizeKind, int]
) -> dict[SSAValue, tuple[int, int]]:
    """How many rows and columns the buffer of each matrix has."""

    def number(extent: Size) -> int:
        return sizes[extent] if isinstance(extent, SizeKind) else extent

    return {m.buffer: (number(m.extents[0]), number(m.extents[1])) for m in matrices}


@dataclass(frozen=True)
class Source:
    """Where a size is found: an axis of a matrix."""

    matrix: Matrix
    axis: int


def sources_of(matrices: Sequence[Matrix]) -> dict[SizeKind, tuple[Source, ...]]:
    """Where each size is found, in program order; all that are found for one must agree."""
    found: dict[SizeKind, tuple[Source, ...]] = {}
    for matrix in matrices:
        for axis, extent in enumerate(matrix.extents):
            if isinstance(extent, SizeKind):
                found[extent] = (*found.get(extent, ()), Source(matrix, axis))
    return found


@dataclass(frozen=True)
class Equation:
    """The product of the factors has this value, as an argument says."""

    factors: tuple[Size, ...]
    value: int
    matrix: Matrix
    side: str

    @property
    def what(self) -> str:
        """`'a' has 3 columns`."""
        unit = self.side.removesuffix("s") if self.value == 1 else self.side
        return f"'{self.matrix.name}' has {self.value} {unit}"


def equations_of(
    kernel: tile.KernelOp, matrices: Sequence[Matrix], shapes: Mapping[str, Sequence[int]]
) -> list[Equation]:
    """What the shapes of the arguments, by parameter, say about the sizes."""
    found: list[Equation] = []
    for matrix in matrices:
        match tuple(shapes[matrix.name]):
            case (rows, columns):
                sides = zip(matrix.extents, (rows, columns), SIDES, strict=True)
                found += (Equation((extent,), n, matrix, side) for extent, n, side in sides)
            case (length,):
                found.append(Equation(matrix.extents, length, matrix, "elements"))
            case shape:
                raise _error(
                    kernel,
                    f"'{matrix.name}' has {len(shape)} dimensions, and a matmul kernel takes "
                    "matrices of two",
                )
    return found


def solve_sizes(
    kernel: tile.KernelOp,
    shapes: Mapping[str, Sequence[int]],
    given: Mapping[SizeKind, int] | None = None,
    *,
    matrices: Sequence[Matrix] | None = None,
) -> dict[SizeKind, int]:
    """`M`, `N` and `K` of a call, by the shapes of its buffers and the sizes that are `given`.

    `matrices` are those of the kernel, if they are known already. A size that they do not have is
    1. Raises LaunchError where the shapes do not fit each other, or where lengths alone do not give
    every size.
    """
    if matrices is None:
        matrices = matrices_of(kernel)
    simple = None if given else _read_off(matrices, shapes)
    if simple is not None:
        return simple
    solver = _Solver(kernel, equations_of(kernel, matrices, shapes), dict(given or {}))
    solver.run()
    missing = [size for size in sources_of(matrices) if size not in solver.known]
    if missing:
        raise _error(
            kernel,
            f"{' and '.join(missing)} cannot be found from the lengths of the lists",
            "pass arrays of two dimensions from Python, or the sizes to "
            "triton_run_matmul_from_source(source, name, a, b, m, k, n, bm, bn, bk)",
        )
    return {size: solver.known.get(size, 1) for size in SIZES}


def _read_off(
    matrices: Sequence[Matrix], shapes: Mapping[str, Sequence[int]]
) -> dict[SizeKind, int] | None:
    """The sizes where every array has two dimensions and all agree, in little time; else None."""
    found: dict[Size, int] = {}
    for matrix in matrices:
        shape = shapes[matrix.name]
        if len(shape) != 2:
            return None
        for extent, value in zip(matrix.extents, shape, strict=True):
            known = found.setdefault(extent, value) if isinstance(extent, SizeKind) else extent
            if known != value:
                return None
    return {size: found.get(size, 1) for size in SIZES}


class _Solver:
    """Finds sizes one after the other, and keeps by which equations."""

    def __init__(
        self, kernel: tile.KernelOp, equations: list[Equation], known: dict[SizeKind, int]
    ):
        self.kernel, self.equations, self.known = kernel, equations, known
        self.reasons: dict[SizeKind, Equation] = {}

    def run(self) -> None:
        while self._find_one() or self._find_of_three():
            pass
        for equation in self.equations:
            if not self._unknown(equation) and self._coefficient(equation) != equation.value:
                raise self._conflict(equation)

    def _unknown(self, equation: Equation) -> list[SizeKind]:
        return [
            factor
            for factor in equation.factors
            if isinstance(factor, SizeKind) and factor not in self.known
        ]

    def _coefficient(self, equation: Equation) -> int:
        """The product of the factors that are known."""
        values = (self.known.get(f, 1) if isinstance(f, SizeKind) else f for f in equation.factors)
        return prod(values)

    def _find_one(self) -> bool:
        """Solve an equation with one unknown size, perhaps its square."""
        for equation in self.equations:
            unknown = self._unknown(equation)
            coefficient = self._coefficient(equation)
            if len(set(unknown)) != 1 or (coefficient == 0 and equation.value == 0):
                continue
            rest = equation.value // coefficient if coefficient else -1
            root = rest if len(unknown) == 1 else isqrt(max(rest, 0))
            if coefficient * root ** len(unknown) != equation.value:
                raise self._conflict(equation)
            self.known[unknown[0]], self.reasons[unknown[0]] = root, equation
            return True
        return False

    def _find_of_three(self) -> bool:
        """x y = p, x z = q, y z = r -> x = sqrt(p q / r)"""
        pairs: dict[frozenset[SizeKind], Equation] = {}
        for equation in self.equations:
            unknown = frozenset(self._unknown(equation))
            if len(unknown) == 2 and self._coefficient(equation) == 1:
                pairs.setdefault(unknown, equation)
        if len(pairs) != len(SIZES):
            return False
        x, y, z = SIZES
        first, second, opposite = (pairs[frozenset(p)] for p in ((x, y), (x, z), (y, z)))
        if opposite.value == 0:
            return False
        square, rest = divmod(first.value * second.value, opposite.value)
        root = isqrt(square)
        if rest or root * root != square:
            lengths = ", ".join(e.what for e in pairs.values())
            raise _error(self.kernel, f"{lengths}: no M, N and K fit these lengths")
        self.known[x], self.reasons[x] = root, first
        return True

    def _conflict(self, equation: Equation) -> LaunchError:
        """The error for an equation that what is known contradicts."""
        others = {
            self.reasons[factor]
            for factor in equation.factors
            if isinstance(factor, SizeKind) and factor in self.reasons
        }
        wanted = " x ".join(map(str, equation.factors))
        if len(equation.factors) == 1 and len(others) == 1:
            (other,) = others
            if len(other.factors) == 1:
                message = f"{equation.what} and {other.what}, and both are {wanted}"
                return _error(self.kernel, message)
        numbers = " x ".join(
            str(self.known.get(f, f)) if isinstance(f, SizeKind) else str(f)
            for f in equation.factors
        )
        known = f"{wanted} = {numbers}" if numbers != wanted else wanted
        names = dict.fromkeys(f"'{other.matrix.name}'" for other in others)
        by = f" by {' and '.join(sorted(names))}" if names else ""
        return _error(self.kernel, f"{equation.what}, and it should be {known}{by}")


def _error(kernel: tile.KernelOp, message: str, help: str = "") -> LaunchError:
    where = place_of(kernel.location)
    return LaunchError(
        Diagnostic("P501", f"kernel '{kernel.sym_name.data}': {message}", where, help)
    )
