"""What a kernel over f64, i64 and bool buffers computes, lane by lane in plain Python.

It follows the guides and shares nothing with the compiler: a second opinion on all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from reference_numbers import (
    BINARY,
    INTRINSICS,
    Number,
    as_kind,
    join_kinds,
    maximum,
    minimum,
    position_of_extreme,
    quotient,
    truth,
    wrap,
)
from syntax import (
    COMPARISONS,
    UNIFORM,
    Atomic,
    Axes,
    Binary,
    Block,
    Call,
    Expr,
    Helped,
    Helper,
    If,
    Kernel,
    Let,
    Literal,
    Load,
    Name,
    Stmt,
    Store,
    Unary,
    While,
)

REDUCTIONS = ("sum", "prod", "reduce_max", "reduce_min", "argmax", "argmin", "any", "all")
FLOAT_FUNCTIONS = ("sqrt", "rsqrt", "fma")


@dataclass(frozen=True)
class Type:
    kind: str
    axes: Axes = UNIFORM

    def join(self, other: Type) -> Type:
        return Type(join_kinds(self.kind, other.kind), self.axes | other.axes)


@dataclass(frozen=True)
class Value:
    """One number for each lane, or for all of them."""

    type: Type
    numbers: Sequence[Number]

    def at(self, lane: int) -> Number:
        return self.numbers[lane if self.type.axes else 0]


Types = dict[str, Type]
Values = dict[str, Value]


class Reference:
    """Runs one kernel on its arguments: lists of Python numbers by name, and single numbers."""

    def __init__(self, kernel: Kernel, arguments: dict[str, Any]):
        self.kernel = kernel
        self.rows, self.columns = (1, *kernel.shape)[-2:]
        self.lanes = range(self.rows * self.columns)
        self.full: Axes = frozenset((0, 1)) if kernel.grid else frozenset((0,))
        self.helpers = {helper.name: helper for helper in kernel.helpers}
        self.buffers = {p.name: arguments[p.name] for p in kernel.params if p.buffer}
        self.kinds = {p.name: {"i64": "i", "f64": "f"}.get(p.type, "b") for p in kernel.params}
        self.values: Values = {
            p.name: Value(Type(self.kinds[p.name]), [arguments[p.name]])
            for p in kernel.params
            if not p.buffer
        }

    def run(self) -> None:
        self.block(self.kernel.body)

    # --- statements ---

    def block(self, block: Block) -> None:
        for statement in block:
            self.statement(statement)

    def statement(self, statement: Stmt) -> None:
        match statement:
            case Let(name, value):
                self.values[name] = self.value(value)
            case Store(buffer, index, value):
                self.write(buffer, self.index(index), self.value(value), lambda old, new: new)
            case Helped(_, buffer, value):
                index = self.value(Name("offs", "i"))
                self.write(buffer, index, self.value(value), lambda old, new: new)
            case Atomic(kind, buffer, index, value):
                index = Name("offs", "i") if index is None else index
                combine = {"add": lambda a, b: wrap(a + b), "max": max, "min": min}[kind]
                self.write(buffer, self.index(index), self.value(value), combine)
            case If(arms, otherwise):
                self.branch(arms, otherwise)
            case While():
                self.loop(statement)

    def write(
        self, buffer: str, index: Value, value: Value, combine: Callable[[Any, Any], Any]
    ) -> None:
        elements, kind = self.buffers[buffer], self.kinds[buffer]
        for lane in self.some_lanes(index.type.axes | value.type.axes):
            at = index.at(lane)
            if 0 <= at < len(elements):
                new = as_kind(value.at(lane), kind)
                elements[int(at)] = combine(elements[int(at)], new)

    def some_lanes(self, axes: Axes) -> list[int]:
        """The lanes that stand for all where nothing differs along the other axes."""
        if not self.kernel.grid:
            return list(self.lanes) if axes else [0]
        return [
            lane
            for lane in self.lanes
            if (0 in axes or lane // self.columns == 0) and (1 in axes or lane % self.columns == 0)
        ]

    def branch(self, arms: Sequence[tuple[Expr, Block]], otherwise: Block | None) -> None:
        """Run one arm; what several of them set then has the type that fits all."""
        before = self.types()
        joined = self.after_branch(If(tuple(arms), otherwise), before)
        for condition, body in arms:
            if truth(self.value(condition).at(0)):
                self.block(body)
                break
        else:
            self.block(otherwise or ())
        self.convert(joined)

    def loop(self, loop: While) -> None:
        self.block(loop.start)
        types = self.inside_loop(loop, self.types())
        self.convert(types)
        while truth(self.value(loop.condition).at(0)):
            self.block(loop.whole)
            self.convert(types)

    def types(self) -> Types:
        return {name: value.type for name, value in self.values.items()}

    def convert(self, types: Types) -> None:
        """Give the variables these types, and forget the others."""
        self.values = {name: self.converted(self.values[name], t) for name, t in types.items()}

    def converted(self, value: Value, type: Type) -> Value:
        lanes = self.lanes if type.axes else range(1)
        return Value(type, [as_kind(value.at(lane), type.kind) for lane in lanes])

    # --- the types of variables where paths join ---

    def after(self, block: Block, types: Types) -> Types:
        for statement in block:
            match statement:
                case Let(name, value):
                    types = {**types, name: self.type_of(value, types)}
                case If():
                    types = self.after_branch(statement, types)
                case While(start):
                    types = self.inside_loop(statement, self.after(start, types))
                case _:
                    pass
        return types

    def after_branch(self, branch: If, types: Types) -> Types:
        ends = [self.after(body, types) for _, body in branch.arms]
        ends.append(self.after(branch.otherwise or (), types))
        names = set.intersection(*(set(end) for end in ends))
        return {name: reduce(Type.join, (end[name] for end in ends)) for name in names}

    def inside_loop(self, loop: While, types: Types) -> Types:
        while True:
            after = self.after(loop.whole, types)
            joined = {name: type.join(after[name]) for name, type in types.items()}
            if joined == types:
                return types
            types = joined

    def type_of(self, expr: Expr, types: Types) -> Type:
        match expr:
            case Literal(value):
                letter = "i" if isinstance(value, int) else "f"
                return Type("b" if isinstance(value, bool) else letter)
            case Name(name) if name in types:
                return types[name]
            case Name(name):
                return self.implicit(name).type
            case Load(buffer, index):
                return Type(self.kinds[buffer], self.type_of(index, types).axes)
            case Unary(op, operand):
                inner = self.type_of(operand, types)
                return replace(inner, kind="b") if op == "not" else inner
            case Binary(op, left, right):
                sides = [self.type_of(side, types) for side in (left, right)]
                axes = sides[0].axes | sides[1].axes
                if op in COMPARISONS or op in ("and", "or"):
                    return Type("b", axes)
                return Type("f" if op == "/" else join_kinds(sides[0].kind, sides[1].kind), axes)
            case Call(name, args):
                return self.type_of_call(name, args, types)

    def type_of_call(self, name: str, args: Sequence[Expr], types: Types) -> Type:
        given = [self.type_of(arg, types) for arg in args]
        if name in self.helpers:
            return self.type_of_helper(self.helpers[name], given)
        if name in REDUCTIONS:
            return Type(_reduced_kind(name, given[0].kind), self.reduced_axes(args[1:]))
        if name == "cumsum":
            return Type(given[0].kind, self.full)
        if name == "select":
            chosen = given[1].join(given[2])
            return replace(chosen, axes=chosen.axes | given[0].axes)
        if name == "to_int":
            return Type("i", given[0].axes)
        joined = reduce(Type.join, given)
        return replace(joined, kind="f") if name in FLOAT_FUNCTIONS else joined

    def type_of_helper(self, helper: Helper, given: Sequence[Type]) -> Type:
        types = self.after(helper.body, dict(zip(helper.params, given, strict=True)))
        assert helper.result is not None
        result = self.type_of(helper.result, types)
        if helper.choice is None:
            return result
        return result.join(self.type_of(helper.choice[1], types))

    def reduced_axes(self, axis: Sequence[Expr]) -> Axes:
        match axis:
            case [Literal(int(number))]:
                return self.full - {number}
            case _:
                return UNIFORM

    # --- expressions ---

    def value(self, expr: Expr) -> Value:
        match expr:
            case Literal(value):
                return Value(self.type_of(expr, {}), [value])
            case Name(name):
                return self.values[name] if name in self.values else self.implicit(name)
            case Load(buffer, index):
                return self.load(buffer, self.index(index))
            case Unary(op, operand):
                return self.each(INTRINSICS[op], "b" if op == "not" else "", self.value(operand))
            case Binary(op, left, right):
                return self.binary(op, self.value(left), self.value(right))
            case Call(name, args):
                return self.call(name, args)

    def each(self, function: Callable[..., Number], kind: str, *operands: Value) -> Value:
        """A function of each lane; without a kind that of the operands is meant."""
        axes = UNIFORM.union(*(operand.type.axes for operand in operands))
        lanes = self.lanes if axes else range(1)
        numbers = [function(*(operand.at(lane) for operand in operands)) for lane in lanes]
        kind = kind or reduce(join_kinds, (operand.type.kind for operand in operands))
        return Value(Type(kind, axes), numbers)

    def same_kind(self, kind: str, *values: Value) -> list[Value]:
        return [self.converted(value, replace(value.type, kind=kind)) for value in values]

    def binary(self, op: str, left: Value, right: Value) -> Value:
        if op in ("and", "or"):
            return self.each(BINARY[op], "b", left, right)
        common = join_kinds(left.type.kind, right.type.kind)
        operands = "f" if op == "/" else common
        result = "b" if op in COMPARISONS else operands
        return self.each(BINARY[op], result, *self.same_kind(operands, left, right))

    def call(self, name: str, args: Sequence[Expr]) -> Value:
        if name in self.helpers:
            return self.helped(self.helpers[name], [self.value(arg) for arg in args])
        if name in REDUCTIONS:
            return self.reduction(name, self.value(args[0]), args[1:])
        if name == "cumsum":
            return self.cumulated(self.value(args[0]), args[1:])
        values = [self.value(arg) for arg in args]
        if name == "select":
            kind = join_kinds(values[1].type.kind, values[2].type.kind)
            sides = self.same_kind(kind, *values[1:])
            return self.each(lambda c, a, b: a if truth(c) else b, kind, values[0], *sides)
        if name == "to_int":
            return self.each(INTRINSICS[name], "i", *values)
        kind = reduce(join_kinds, (value.type.kind for value in values))
        kind = "f" if name in FLOAT_FUNCTIONS else kind
        return self.each(INTRINSICS[name], kind, *self.same_kind(kind, *values))

    def helped(self, helper: Helper, given: Sequence[Value]) -> Value:
        type = self.type_of_helper(helper, [value.type for value in given])
        outer, self.values = self.values, dict(zip(helper.params, given, strict=True))
        self.block(helper.body)
        result = helper.result
        if helper.choice is not None and truth(self.value(helper.choice[0]).at(0)):
            result = helper.choice[1]
        assert result is not None
        value = self.value(result)
        self.values = outer
        return self.converted(value, type)

    def implicit(self, name: str) -> Value:
        sizes = {"n": len(self.lanes), "n_rows": self.rows, "n_cols": self.columns}
        if name in sizes:
            return Value(Type("i"), [sizes[name]])
        if name.startswith("row"):
            return Value(Type("i", frozenset((0,))), [i // self.columns for i in self.lanes])
        if name.startswith("col"):
            return Value(Type("i", frozenset((1,))), [i % self.columns for i in self.lanes])
        assert name == "offs"
        return Value(Type("i", self.full), self.lanes)

    # --- memory ---

    def index(self, expr: Expr) -> Value:
        """An index: of two integers the quotient, and otherwise without its fraction."""
        match expr:
            case Binary("/", left, right):
                sides = self.value(left), self.value(right)
                if all(side.type.kind == "i" for side in sides):
                    return self.each(quotient, "i", *sides)
            case _:
                pass
        return self.same_kind("i", self.value(expr))[0]

    def load(self, buffer: str, index: Value) -> Value:
        elements, kind = self.buffers[buffer], self.kinds[buffer]
        outside = as_kind(0, kind)
        return self.each(lambda i: elements[i] if 0 <= i < len(elements) else outside, kind, index)

    # --- lanes combined ---

    def groups(self, axis: Sequence[Expr]) -> list[list[int]]:
        """The lanes that are combined, for each result."""
        match axis:
            case [Literal(0)] if self.kernel.grid:
                return [list(self.lanes[column :: self.columns]) for column in range(self.columns)]
            case [Literal(1)]:
                starts = range(0, len(self.lanes), self.columns)
                return [list(self.lanes[start : start + self.columns]) for start in starts]
            case _:
                return [list(self.lanes)]

    def reduction(self, name: str, operand: Value, axis: Sequence[Expr]) -> Value:
        axes = self.reduced_axes(axis)
        results: dict[int, Number] = {}
        for group in self.groups(axis):
            result = _combine(name, operand.type.kind, [operand.at(lane) for lane in group])
            results |= dict.fromkeys(group, result)
        lanes = self.lanes if axes else range(1)
        kind = _reduced_kind(name, operand.type.kind)
        return Value(Type(kind, axes), [results[lane] for lane in lanes])

    def cumulated(self, operand: Value, axis: Sequence[Expr]) -> Value:
        results: dict[int, Number] = {}
        for group in self.groups(axis or [Literal(0)]):
            total: Number = as_kind(0, operand.type.kind)
            for lane in group:
                total = BINARY["+"](total, operand.at(lane))
                results[lane] = total
        return Value(Type(operand.type.kind, self.full), [results[lane] for lane in self.lanes])


def _reduced_kind(name: str, kind: str) -> str:
    return {"any": "b", "all": "b", "argmax": "i", "argmin": "i"}.get(name, kind)


def _combine(name: str, kind: str, numbers: Sequence[Number]) -> Number:
    match name:
        case "sum":
            return reduce(BINARY["+"], numbers, as_kind(0, kind))
        case "prod":
            return reduce(BINARY["*"], numbers, as_kind(1, kind))
        case "reduce_max":
            return reduce(maximum, numbers)
        case "reduce_min":
            return reduce(minimum, numbers)
        case "any":
            return any(map(truth, numbers))
        case "all":
            return all(map(truth, numbers))
        case _:
            return position_of_extreme(numbers, largest=name == "argmax")
