"""Kernels as trees: the generator builds them, the reference runs them, as text they compile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

Axes: TypeAlias = frozenset[int]
UNIFORM: Axes = frozenset()

# --- expressions ---


@dataclass(frozen=True)
class Literal:
    value: bool | int | float


@dataclass(frozen=True)
class Name:
    """A variable, a parameter or an implicit name; `kind` is `i`, `f` or `b`."""

    name: str
    kind: str


@dataclass(frozen=True)
class Load:
    buffer: str
    index: Expr


@dataclass(frozen=True)
class Unary:
    """`-`, `not` or `bnot`."""

    op: str
    operand: Expr


@dataclass(frozen=True)
class Binary:
    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True)
class Call:
    """An intrinsic or a helper."""

    name: str
    args: tuple[Expr, ...]


Expr: TypeAlias = Literal | Name | Load | Unary | Binary | Call

# --- statements ---


@dataclass(frozen=True)
class Let:
    name: str
    value: Expr
    word: str = "let "
    """What stands before the name: `let`, `let mut` or nothing."""
    fixed: bool = False
    """Whether it must not be taken away."""


@dataclass(frozen=True)
class Store:
    buffer: str
    index: Expr
    value: Expr
    fixed: bool = False


@dataclass(frozen=True)
class Atomic:
    kind: str
    buffer: str
    index: Expr | None
    value: Expr


@dataclass(frozen=True)
class If:
    """Conditions with their bodies, and what happens else, if anything."""

    arms: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True)
class While:
    """A loop with the statements before it that start its counter.

    `step` changes the counter; it stands in the body before the statement number `at`.
    """

    start: Block
    condition: Expr
    body: Block
    step: Let
    at: int

    @property
    def whole(self) -> Block:
        """The body with the step in its place."""
        at = min(self.at, len(self.body))
        return (*self.body[:at], self.step, *self.body[at:])


@dataclass(frozen=True)
class Helped:
    """A call of a helper that is a statement: `put(out, v)` stores `v` at `offs`."""

    name: str
    buffer: str
    value: Expr


Stmt: TypeAlias = Let | Store | Atomic | If | While | Helped
Block: TypeAlias = tuple[Stmt, ...]


@dataclass(frozen=True)
class Helper:
    """A function that kernels call. With a `choice` it returns in both arms of an `if`."""

    name: str
    params: tuple[str, ...]
    kinds: str
    body: Block
    result: Expr | None
    choice: tuple[Expr, Expr] | None = None
    """A condition, and what is returned where it holds."""


@dataclass(frozen=True)
class Param:
    """A parameter: a buffer of a type and a shape in terms of the input, or a number."""

    name: str
    type: str
    length: int | None = None
    """The number of elements; None for a buffer with one for each lane, or a number."""
    buffer: bool = True
    data: str = "bits"
    """`bits`: random patterns; `small`: whole numbers from 0; `index`; `each`: a permutation."""


@dataclass(frozen=True)
class Kernel:
    """A random kernel with all that a call of it needs but the data."""

    seed: int
    grid: bool
    params: tuple[Param, ...]
    body: Block
    helpers: tuple[Helper, ...] = ()
    shape: tuple[int, ...] = (1,)
    traits: frozenset[str] = field(default_factory=frozenset[str])
    """What the generator put in: `device` functions of the device library, `combine`, ..."""

    @property
    def lanes(self) -> int:
        count = 1
        for extent in self.shape:
            count *= extent
        return count

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in kernel_lines(self))


# --- text ---

TIERS = (
    ("*", "/", "%"),
    ("shl", "shr"),
    ("+", "-"),
    ("band", "bor", "bxor"),
    ("<", "<=", ">", ">=", "==", "!="),
    ("and",),
    ("or",),
)
TIGHTNESS = {op: len(TIERS) - tier for tier, ops in enumerate(TIERS) for op in ops}
COMPARISONS = TIERS[4]


def show(expr: Expr, tightness: int = 0) -> str:
    """The text of an expression, with the parentheses that it needs and no others."""
    match expr:
        case Literal(value):
            return show_literal(value)
        case Name(name):
            return name
        case Load(buffer, index):
            return f"{buffer}[{show(index)}]"
        case Call(name, args):
            return f"{name}({', '.join(map(show, args))})"
        case Unary(op, operand):
            blank = "" if op == "-" else " "
            inner = show(operand, len(TIERS) + 1)
            return f"{op}{' ' if inner.startswith('-') else blank}{inner}"
        case Binary(op, left, right):
            own = TIGHTNESS[op]
            sides = own + (op in COMPARISONS), own + 1
            text = f"{show(left, sides[0])} {op} {show(right, sides[1])}"
            return f"({text})" if own < tightness else text


def show_literal(value: bool | int | float) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    digits = f"{value:.40f}".rstrip("0")
    return digits + "0" if digits.endswith(".") else digits


def block_lines(block: Block) -> Iterator[str]:
    for statement in block:
        yield from (f"  {line}" for line in statement_lines(statement))


def statement_lines(statement: Stmt) -> Iterator[str]:
    match statement:
        case Let(name, value, word):
            yield f"{word}{name} = {show(value)}"
        case Store(buffer, index, value):
            yield f"store({buffer}, {show(index)}, {show(value)})"
        case Atomic(kind, buffer, index, value):
            place = "" if index is None else f", {show(index)}"
            yield f"atomic_{kind}({buffer}{place}, {show(value)})"
        case Helped(name, buffer, value):
            yield f"{name}({buffer}, {show(value)})"
        case If(arms, otherwise):
            for number, (condition, body) in enumerate(arms):
                yield f"{'elif' if number else 'if'} {show(condition)} then"
                yield from block_lines(body)
            if otherwise is not None:
                yield "else"
                yield from block_lines(otherwise)
            yield "end"
        case While(start, condition):
            for before in start:
                yield from statement_lines(before)
            yield f"while {show(condition)} do"
            yield from block_lines(statement.whole)
            yield "end"


def helper_lines(helper: Helper) -> Iterator[str]:
    yield f"fn {helper.name}({', '.join(helper.params)}) {{"
    yield from block_lines(helper.body)
    if helper.choice is not None:
        condition, value = helper.choice
        yield f"  if {show(condition)} then"
        yield f"    return {show(value)}"
        yield "  end"
    if helper.result is not None:
        yield f"  return {show(helper.result)}"
    yield "}"


def kernel_lines(kernel: Kernel) -> Iterator[str]:
    for helper in kernel.helpers:
        yield from helper_lines(helper)
    yield "# @gpu_kernel_2d" if kernel.grid else "# @gpu_kernel"
    yield f"make a function called k takes {', '.join(p.name for p in kernel.params)}"
    yield from block_lines(kernel.body)
    yield "end"


# --- walking ---


def parts_of(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Load(_, index):
            return (index,)
        case Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return left, right
        case Call(_, args):
            return args
        case _:
            return ()


def walk_expr(expr: Expr) -> Iterator[Expr]:
    yield expr
    for part in parts_of(expr):
        yield from walk_expr(part)


def rebuilt(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """The same operation on other operands."""
    match expr:
        case Load():
            return replace(expr, index=parts[0])
        case Unary():
            return replace(expr, operand=parts[0])
        case Binary():
            return replace(expr, left=parts[0], right=parts[1])
        case Call():
            return replace(expr, args=parts)
        case _:
            return expr


def count_statements(block: Block) -> int:
    return sum(1 + sum(map(count_statements, blocks_of(statement))) for statement in block)


def blocks_of(statement: Stmt) -> tuple[Block, ...]:
    """The blocks inside a statement, in their order."""
    match statement:
        case If(arms, otherwise):
            return (*(body for _, body in arms), *([] if otherwise is None else [otherwise]))
        case While(body=body):
            return (body,)
        case _:
            return ()


def with_blocks(statement: Stmt, blocks: tuple[Block, ...]) -> Stmt:
    match statement:
        case If(arms, otherwise):
            conditions = [condition for condition, _ in arms]
            changed = tuple(zip(conditions, blocks, strict=False))
            return If(changed, None if otherwise is None else blocks[-1])
        case While():
            return replace(statement, body=blocks[0])
        case _:
            return statement


def exprs_of(statement: Stmt) -> tuple[Expr, ...]:
    """The expressions of a statement itself, not those inside its blocks."""
    match statement:
        case Let(_, value):
            return (value,)
        case Store(_, index, value):
            return index, value
        case Atomic(_, _, index, value):
            return (value,) if index is None else (index, value)
        case Helped(_, _, value):
            return (value,)
        case If(arms):
            return tuple(condition for condition, _ in arms)
        case While(start, condition, _, step):
            return (*(e for s in start for e in exprs_of(s)), condition, step.value)


def walk(block: Block) -> Iterator[Stmt]:
    for statement in block:
        yield statement
        for inner in blocks_of(statement):
            yield from walk(inner)


def mentioned(block: Block) -> set[str]:
    """The names of all variables, buffers and functions in a block."""
    names: set[str] = set()
    for statement in walk(block):
        if isinstance(statement, Store | Atomic | Helped):
            names.add(statement.buffer)
        if isinstance(statement, Helped):
            names.add(statement.name)
        for expr in exprs_of(statement):
            for part in walk_expr(expr):
                match part:
                    case Name(name) | Load(name) | Call(name):
                        names.add(name)
                    case _:
                        pass
    return names


def without_unused(kernel: Kernel) -> Kernel:
    """The kernel without the helpers and parameters that it does not use."""
    used = mentioned(kernel.body)
    for helper in reversed(kernel.helpers):
        if helper.name in used and helper.result is not None:
            results = tuple(Let("", e) for e in (helper.result, *(helper.choice or ())))
            used |= mentioned((*helper.body, *results))
    return replace(
        kernel,
        params=tuple(p for p in kernel.params if p.name in used),
        helpers=tuple(h for h in kernel.helpers if h.name in used),
    )
