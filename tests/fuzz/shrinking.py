"""Smaller kernels from a kernel: without some of its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from hypothesis import strategies as st
from random_kernels import EVERYTHING, Options, random_kernel
from syntax import (
    Atomic,
    Block,
    Expr,
    Helped,
    If,
    Kernel,
    Let,
    Literal,
    Name,
    Stmt,
    Store,
    While,
    blocks_of,
    count_statements,
    parts_of,
    rebuilt,
    with_blocks,
    without_unused,
)

ANY = {"i": Literal(1), "f": Literal(1.5), "b": Literal(True)}
"""What stands for a variable that is no longer set."""


def without(kernel: Kernel, dropped: set[int]) -> Kernel:
    """The kernel without the statements of these numbers, counted in the order of the text."""
    numbers = iter(range(count_statements(kernel.body)))
    body = _kept(kernel.body, numbers, dropped)
    known = {p.name for p in kernel.params}
    return without_unused(replace(kernel, body=_closed(body, known)))


def _kept(block: Block, numbers: Iterator[int], dropped: set[int]) -> Block:
    kept: list[Stmt] = []
    for statement in block:
        number = next(numbers)
        inner = tuple(_kept(b, numbers, dropped) for b in blocks_of(statement))
        if number not in dropped or _is_fixed(statement):
            kept.append(with_blocks(statement, inner))
    return tuple(kept)


def _is_fixed(statement: Stmt) -> bool:
    return isinstance(statement, Let | Store) and statement.fixed


def _closed(block: Block, known: set[str]) -> Block:
    """The block with literals for the variables that nothing sets before."""
    known = set(known)
    return tuple(_closed_statement(statement, known) for statement in block)


def _closed_statement(statement: Stmt, known: set[str]) -> Stmt:
    def close(expr: Expr) -> Expr:
        if isinstance(expr, Name) and expr.name not in known and expr.name[-1].isdigit():
            return expr if expr.name in ("row2", "col2") else ANY[expr.kind]
        return rebuilt(expr, tuple(map(close, parts_of(expr))))

    match statement:
        case Let(name, value):
            new = replace(statement, value=close(value))
            known.add(name)
            return new
        case Store(_, index, value):
            return replace(statement, index=close(index), value=close(value))
        case Atomic(_, _, index, value):
            closed = None if index is None else close(index)
            return replace(statement, index=closed, value=close(value))
        case Helped(_, _, value):
            return replace(statement, value=close(value))
        case If(arms, otherwise):
            closed = tuple((close(c), _closed(body, known)) for c, body in arms)
            return If(closed, None if otherwise is None else _closed(otherwise, known))
        case While(start, condition, body, step):
            start = tuple(_closed_statement(s, known) for s in start)
            step = replace(step, value=close(step.value))
            closed_condition, closed_body = close(condition), _closed(body, known)
            return replace(
                statement, start=start, condition=closed_condition, body=closed_body, step=step
            )


def smallest(kernel: Kernel, fails: Callable[[Kernel], bool]) -> Kernel:
    """A kernel that still fails, of which no statement can be taken away."""
    number = 0
    while number < count_statements(kernel.body):
        smaller = without(kernel, {number})
        if count_statements(smaller.body) < count_statements(kernel.body) and fails(smaller):
            kernel = smaller
        else:
            number += 1
    return kernel


@st.composite
def kernels(draw: st.DrawFn, options: Options = EVERYTHING) -> Kernel:
    """Random kernels; a failure shrinks by leaving statements out."""
    kernel = random_kernel(draw(st.integers(0, 2**32 - 1)), options)
    count = count_statements(kernel.body)
    keeps = draw(st.lists(st.sampled_from((False, *(True,) * 15)), min_size=count, max_size=count))
    return without(kernel, {number for number, keep in enumerate(keeps) if not keep})
