"""One closure for each operation: it reads its operands from slots and writes its result to one.

`STEPS` is the table of what each class of operation becomes; control flow is in `control.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation, SSAValue

from patlang_ir.backends.numpy.arithmetic import COMPARE, TABLE, function_of
from patlang_ir.backends.numpy.blocks import BLOCK_STEPS
from patlang_ir.backends.numpy.blocks import reduce as reduce_block
from patlang_ir.backends.numpy.blocks import scan as scan_block
from patlang_ir.backends.numpy.casts import cast_function, truth
from patlang_ir.backends.numpy.contexts import (
    ALWAYS,
    INPUT,
    PROGRAM,
    Context,
    Step,
    Values,
    known_element,
    typed,
)
from patlang_ir.backends.numpy.elements import BOOL, Kind, Value
from patlang_ir.backends.numpy.memory import (
    Access,
    Put,
    combine_elements,
    flat_view,
    put_elements,
)
from patlang_ir.backends.numpy.programs import AXES
from patlang_ir.backends.numpy.reductions import reduction_of
from patlang_ir.diagnostics import Diagnostic, RunError, place_of, refuse
from patlang_ir.dialects import tile
from patlang_ir.dialects.literals import python_number
from patlang_ir.dialects.pat import KernelKind
from patlang_ir.dialects.tile import IndexKind, ReduceKind, SizeKind


def step_of(context: Context, op: Operation) -> Step:
    """The closure of an operation without regions."""
    make = STEPS.get(type(op))
    if make is None:
        raise refuse(op, "P902", f"the evaluator has no meaning for '{op.name}'")
    return make(context, op)


def constant(context: Context, op: tile.ConstantOp) -> Step:
    r = context.slot(op.result)
    value = typed(op, python_number(op.value), op.result.type)

    def step(values: Values) -> None:
        values[r] = value

    return step


def index(context: Context, op: tile.IndexOp) -> Step:
    r, kind = context.slot(op.result), op.kind.data
    held = known_element(op, op.result.type).held
    if (kind is not IndexKind.OFFS) and context.kind is KernelKind.LINEAR:
        raise refuse(op, "P901", f"a linear kernel has no '{kind}'")

    def step(values: Values) -> None:
        values[r] = values[PROGRAM].index(kind).astype(held, copy=False)

    def nothing(values: Values) -> None:
        values[r] = None

    return nothing if kind is IndexKind.OFFS and only_accessed(op.result) else step


INDEX_OPERAND: dict[type[Operation], int] = {tile.LoadOp: 1, tile.StoreOp: 2, tile.AtomicOp: 2}


def only_accessed(value: SSAValue) -> bool:
    """Whether a value is nothing but the index of accesses."""
    return all(INDEX_OPERAND.get(type(use.operation)) == use.index for use in value.uses)


def size(context: Context, op: tile.SizeOp) -> Step:
    r, kind = context.slot(op.result), op.kind.data
    held = known_element(op, op.result.type).held
    if kind is not SizeKind.N and context.kind is KernelKind.LINEAR:
        raise refuse(op, "P901", f"a linear kernel has no '{kind}'")

    def step(values: Values) -> None:
        values[r] = held.type(values[INPUT][kind])

    return step


def program(context: Context, op: tile.ProgramOp) -> Step:
    r, axis = context.slot(op.result), op.axis.data

    def step(values: Values) -> None:
        values[r] = np.int64(values[PROGRAM].place[axis])

    return step


def programs(context: Context, op: tile.ProgramsOp) -> Step:
    r, axis = context.slot(op.result), op.axis.data

    def step(values: Values) -> None:
        values[r] = np.int64(values[PROGRAM].counts[axis])

    return step


def length(context: Context, op: tile.LengthOp) -> Step:
    r, buffer = context.slot(op.result), context.slot(op.buffer)

    def step(values: Values) -> None:
        values[r] = np.int64(values[buffer].size)

    return step


def in_domain(context: Context, op: tile.InDomainOp) -> Step:
    r, sizes = context.slot(op.result), tile.sizes_of(op.result.type)

    def step(values: Values) -> None:
        values[r] = values[PROGRAM].in_domain(sizes)

    return step


def apply(context: Context, op: Operation, function: Callable[..., Value]) -> Step:
    """A function of the operands."""
    (r,) = (context.slot(result) for result in op.results)
    match tuple(context.slot(operand) for operand in op.operands):
        case (a,):

            def unary(values: Values) -> None:
                values[r] = function(values[a])

            return unary
        case (a, b):

            def binary(values: Values) -> None:
                values[r] = function(values[a], values[b])

            return binary
        case slots:

            def step(values: Values) -> None:
                values[r] = function(*[values[slot] for slot in slots])

            return step


def elementwise(context: Context, op: Operation) -> Step:
    kind = known_element(op, op.results[0].type)
    function = function_of(type(op), kind)
    if function is None:
        raise refuse(op, "P305", f"'{op.name}' does not take {kind.name}")
    return apply(context, op, function)


def division(context: Context, op: tile.QuotientOp | tile.RemOp) -> Step:
    """As `elementwise`; when checked, a lane inside the input must not divide an integer by 0."""
    step = elementwise(context, op)
    if not context.checked or known_element(op, op.result.type).kind is not Kind.INT:
        return step
    divisor, sizes = context.slot(op.rhs), tile.sizes_of(op.result.type)

    def checked(values: Values) -> None:
        if not values[PROGRAM].trim(values[divisor], sizes).all():
            raise RunError(
                Diagnostic(
                    "P602",
                    "an integer is divided by 0",
                    place_of(op.location),
                    help="without --checked the result is 0",
                )
            )
        step(values)

    return checked


def compare(context: Context, op: tile.CompareOp) -> Step:
    known_element(op, op.lhs.type)
    return apply(context, op, COMPARE[op.predicate.data])


def select(context: Context, op: tile.SelectOp) -> Step:
    known_element(op, op.result.type)
    return apply(context, op, np.where)


def cast(context: Context, op: tile.CastOp) -> Step:
    source, target = known_element(op, op.operand.type), known_element(op, op.result.type)
    return apply(context, op, cast_function(source, target))


def to_truth(context: Context, op: tile.TruthOp | tile.ConditionOp) -> Step:
    if known_element(op, op.operand.type) is BOOL:
        return broadcast(context, op)
    return apply(context, op, truth)


def condition(context: Context, op: tile.ConditionOp) -> Step:
    if tile.sizes_of(op.operand.type):
        raise refuse(op, "P302", "a condition must be one truth value for all lanes")
    return to_truth(context, op)


def broadcast(context: Context, op: Operation) -> Step:
    """Nothing to do: a tile's value is whatever broadcasts to its shape."""
    a, r = context.slot(op.operands[0]), context.slot(op.results[0])

    def step(values: Values) -> None:
        values[r] = values[a]

    return step


def access(context: Context, op: tile.LoadOp | tile.StoreOp | tile.AtomicOp) -> Access:
    kind = known_element(op, op.index.type)
    if kind.kind is Kind.FLOAT:
        raise refuse(op, "P901", f"an index is an integer, not {kind.name}")
    offs = op.index.owner
    return Access(
        op,
        context.names[op.buffer],
        known_element(op, op.buffer.type),
        tile.sizes_of(op.index.type),
        guarded=op.guarded is not None,
        checked=context.checked,
        contiguous=isinstance(offs, tile.IndexOp) and offs.kind.data is IndexKind.OFFS,
    )


def mask_slot(context: Context, mask: SSAValue | None) -> int:
    return ALWAYS if mask is None else context.slot(mask)


def load(context: Context, op: tile.LoadOp) -> Step:
    r, buffer, at = context.slot(op.result), context.slot(op.buffer), context.slot(op.index)
    mask, read = mask_slot(context, op.mask), access(context, op).load

    def step(values: Values) -> None:
        values[r] = read(values[PROGRAM], flat_view(values[buffer]), values[at], values[mask])

    return step


def store(context: Context, op: tile.StoreOp) -> Step:
    return write(context, op, put_elements(known_element(op, op.value.type)))


def atomic(context: Context, op: tile.AtomicOp) -> Step:
    step = write(context, op, combine_elements(op.kind.data, known_element(op, op.value.type)))
    sizes = tile.sizes_of(op.index.type) or (1,) * len(AXES[context.kind])
    shared = [axis for axis, size in enumerate(sizes) if size == 1]
    if not shared:
        return step

    def once(values: Values) -> None:
        if values[PROGRAM].is_first(shared):
            step(values)

    return once


def write(context: Context, op: tile.StoreOp | tile.AtomicOp, put: Put) -> Step:
    value, buffer, at = (context.slot(operand) for operand in (op.value, op.buffer, op.index))
    mask, into = mask_slot(context, op.mask), access(context, op).write

    def step(values: Values) -> None:
        data = flat_view(values[buffer])
        into(values[PROGRAM], data, values[at], values[value], values[mask], put=put)

    return step


def reduce(context: Context, op: tile.ReduceOp) -> Step:
    if context.kind is KernelKind.MATMUL:
        return reduce_block(context, op)
    r, a, sizes = context.slot(op.result), context.slot(op.operand), tile.sizes_of(op.operand.type)
    result = known_element(op, op.result.type)
    reduction = reduction_of(op.kind.data, known_element(op, op.operand.type), result)
    axis = op.axis.data if op.axis is not None else None
    kept = tile.sizes_of(op.result.type)
    places = op.kind.data in (ReduceKind.ARGMAX, ReduceKind.ARGMIN)

    def step(values: Values) -> None:
        found = reduction(values[PROGRAM].trim(values[a], sizes), axis)
        if places:
            found = values[PROGRAM].position(found, sizes, axis).astype(result.held)
        values[r] = values[PROGRAM].pad(found, kept)

    return step


def scan(context: Context, op: tile.ScanOp) -> Step:
    if context.kind is KernelKind.MATMUL:
        return scan_block(context, op)
    r, a, sizes = context.slot(op.result), context.slot(op.operand), tile.sizes_of(op.operand.type)
    element, axis = known_element(op, op.result.type), op.axis.data

    def step(values: Values) -> None:
        lanes = values[PROGRAM].trim(values[a], sizes)
        total = np.cumsum(lanes, axis, dtype=element.held)
        values[r] = values[PROGRAM].pad(element.round(total) if element.round else total, sizes)

    return step


STEPS: dict[type[Operation], Callable[[Context, Any], Step]] = {
    **dict.fromkeys(TABLE, elementwise),
    tile.QuotientOp: division,
    tile.RemOp: division,
    tile.ConstantOp: constant,
    tile.IndexOp: index,
    tile.ProgramOp: program,
    tile.ProgramsOp: programs,
    tile.SizeOp: size,
    tile.LengthOp: length,
    tile.InDomainOp: in_domain,
    tile.CompareOp: compare,
    tile.SelectOp: select,
    tile.CastOp: cast,
    tile.TruthOp: to_truth,
    tile.BroadcastOp: broadcast,
    tile.ConditionOp: condition,
    tile.LoadOp: load,
    tile.StoreOp: store,
    tile.AtomicOp: atomic,
    tile.BarrierOp: lambda context, op: lambda values: None,
    tile.ReduceOp: reduce,
    tile.ScanOp: scan,
    **BLOCK_STEPS,
}
"""What each operation without regions becomes."""
