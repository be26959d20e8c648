"""Random expressions over the variables and buffers in reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from syntax import (
    COMPARISONS,
    UNIFORM,
    Axes,
    Binary,
    Call,
    Expr,
    Helper,
    Literal,
    Load,
    Name,
    Param,
    Unary,
    parts_of,
)

INTEGERS = (0, 1, 1, 2, 2, 3, 5, 7, 8, 31, 64, 100)
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 2.0, 0.1, 1.5, -2.5, 3.75, 100.0, 0.0009765625)
WIDTH = {"b": 0, "i": 1, "f": 2}


@dataclass(frozen=True)
class Variable:
    """What is known of a variable: at most this kind, and different along these axes at most."""

    kind: str
    axes: Axes
    literal: bool = False
    """Whether it may stand for a literal."""
    level: int = 0
    """How deep the block is that defined it; -1 for parameters."""
    fixed: bool = False
    """Whether the block being built must not change it."""

    def frozen(self, fixed: bool = True) -> Variable:
        return replace(self, fixed=fixed)


class ExpressionMaker:
    """Makes expressions of a kind that differ along some axes at most."""

    def __init__(self, rng: Random, grid: bool, device: bool, combine: bool):
        self.rng, self.grid = rng, grid
        self.device, self.combine = device, combine
        self.full: Axes = frozenset((0, 1)) if grid else frozenset((0,))
        self.scope: dict[str, Variable] = {}
        self.readable: list[Param] = []
        """The buffers that may be read anywhere."""
        self.own: list[Param] = []
        """The buffers that may be read at `offs`."""
        self.helpers: list[Helper] = []
        self.traits: set[str] = set()
        self.level = 0
        self.names = 0
        self.combined = 0

    @property
    def nested(self) -> bool:
        return self.level > 0

    def fresh(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    # --- what an expression is ---

    def kind_of(self, expr: Expr) -> str:
        match expr:
            case Literal(bool()):
                return "b"
            case Literal(int()):
                return "i"
            case Literal():
                return "f"
            case Name(_, kind):
                return kind
            case Load(buffer):
                return self.kind_of_buffer(buffer)
            case Unary("not") | Binary("and" | "or"):
                return "b"
            case Binary(op) if op in COMPARISONS:
                return "b"
            case Binary("/") | Call("sqrt" | "rsqrt" | "fma"):
                return "f"
            case Call("argmax" | "argmin" | "to_int"):
                return "i"
            case Call("any" | "all"):
                return "b"
            case Call("select", (_, *parts)):
                return max(map(self.kind_of, parts), key=WIDTH.__getitem__)
            case Call(name) if helper := self.helper_named(name):
                return helper.kinds[-1]
            case Call("sum" | "prod" | "reduce_max" | "reduce_min" | "cumsum", (value, *_)):
                return self.kind_of(value)
            case _:
                return max(map(self.kind_of, parts_of(expr)), key=WIDTH.__getitem__)

    def axes_of(self, expr: Expr) -> Axes:
        match expr:
            case Name(name) if name in self.scope:
                return self.scope[name].axes
            case Name(name):
                return self.implicit_axes(name)
            case Call("cumsum"):
                return self.full
            case Call("sum" | "prod" | "reduce_max" | "reduce_min" | "argmax" | "argmin" as name):
                return self.reduced_axes(expr.args[1:])
            case Call("any" | "all" as name):
                return self.reduced_axes(expr.args[1:])
            case Call(name) if self.helper_named(name):
                return self.full
            case _:
                return UNIFORM.union(*map(self.axes_of, parts_of(expr)))

    def implicit_axes(self, name: str) -> Axes:
        match name:
            case "row" | "row2" | "mask_r":
                return frozenset((0,))
            case "col" | "col2" | "mask_c":
                return frozenset((1,))
            case "offs" | "mask":
                return self.full
            case _:
                return UNIFORM

    def reduced_axes(self, axis: tuple[Expr, ...]) -> Axes:
        match axis:
            case (Literal(int(number)),):
                return self.full - {number}
            case _:
                return UNIFORM

    def kind_of_buffer(self, name: str) -> str:
        type = next(p.type for p in (*self.readable, *self.own) if p.name == name)
        return {"b": "b", "i": "i", "u": "i", "f": "f"}[type[0] if type != "bf16" else "f"]

    def helper_named(self, name: str) -> Helper | None:
        return next((h for h in self.helpers if h.name == name), None)

    # --- making one ---

    def expr(self, kind: str, axes: Axes, depth: int) -> Expr:
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf(kind, axes)
        make = {"i": self.integer, "f": self.floating, "b": self.truth}[kind]
        return make(axes, depth - 1)

    def number(self, axes: Axes, depth: int) -> Expr:
        return self.expr(self.rng.choice("iff"), axes, depth)

    def leaf(self, kind: str, axes: Axes) -> Expr:
        choices: list[Expr] = [self.literal(kind)]
        fitting = [
            Name(name, v.kind)
            for name, v in self.scope.items()
            if v.kind == kind and v.axes <= axes
        ]
        choices += self.rng.choices(fitting, k=3) if fitting else []
        if kind == "i":
            choices += self.implicit(axes)
        loads = [p for p in self.readable if self.kind_of_buffer(p.name) == kind]
        for param in loads:
            choices += [Load(param.name, self.index(param, axes, 0))] * 2
        for param in self.own:
            if self.kind_of_buffer(param.name) == kind and self.full <= axes:
                choices.append(Load(param.name, Name("offs", "i")))
        return self.rng.choice(choices)

    def literal(self, kind: str) -> Literal:
        if kind == "b":
            return Literal(self.rng.random() < 0.5)
        return Literal(self.rng.choice(INTEGERS if kind == "i" else FLOATS))

    def implicit(self, axes: Axes) -> list[Expr]:
        if self.grid:
            names = ["n_rows", "n_cols"]
            names += ["row", "row2"] if 0 in axes else []
            names += ["col", "col2"] if 1 in axes else []
        else:
            names = ["n"]
        names += ["offs"] * 2 if self.full <= axes else []
        return [Name(self.rng.choice(names), "i")]

    def integer(self, axes: Axes, depth: int) -> Expr:
        rng = self.rng

        def sub() -> Expr:
            return self.expr("i", axes, depth)

        match rng.randint(0, 19):
            case 0 | 1 | 2 | 3 | 4:
                return Binary(rng.choice("+-*%"), sub(), sub())
            case 5 | 6 | 7:
                return Binary(rng.choice(("band", "bor", "bxor")), sub(), sub())
            case 8 | 9:
                return Binary(rng.choice(("shl", "shr")), sub(), self.expr("i", axes, depth - 1))
            case 10:
                return self.negated(sub())
            case 11:
                return Unary("bnot", sub())
            case 12 | 13:
                return Call(rng.choice(("max", "min")), (sub(), sub()))
            case 14 if rng.random() < 0.5:
                return Call("to_int", (self.expr(rng.choice("iffb"), axes, depth),))
            case 14:
                return Call(rng.choice(("abs", "floor", "ceil", "trunc", "round")), (sub(),))
            case 15:
                return Call("clamp", (sub(), sub(), sub()))
            case 16:
                return self.select("i", axes, depth)
            case 17 if self.combine:
                return self.reduction("i", axes, depth) or sub()
            case 18:
                return self.helped("i", axes, depth) or self.leaf("i", axes)
            case _:
                return self.load("i", axes, depth) or self.leaf("i", axes)

    def negated(self, operand: Expr) -> Expr:
        """`-v`, but of a literal only where that is no integer: `u8` has no negative ones."""
        literal = isinstance(operand, Literal) or (
            isinstance(operand, Name)
            and operand.name in self.scope
            and self.scope[operand.name].literal
        )
        return Binary("-", Literal(0), operand) if literal else Unary("-", operand)

    def floating(self, axes: Axes, depth: int) -> Expr:
        rng = self.rng

        def sub() -> Expr:
            return self.expr("f", axes, depth)

        def pair() -> tuple[Expr, Expr]:
            mixed = (sub(), self.number(axes, depth))
            return mixed if rng.random() < 0.7 else mixed[::-1]

        match rng.randint(0, 19):
            case 0 | 1 | 2 | 3 | 4 | 5:
                return Binary(rng.choice("+-*"), *pair())
            case 6 | 7:
                return Binary("/", self.number(axes, depth), self.number(axes, depth))
            case 8 if self.device:
                self.traits.add("device")
                return Binary("%", *pair())
            case 9:
                return Unary("-", sub())
            case 10 | 11:
                return Call(rng.choice(("max", "min")), pair())
            case 12:
                return Call(rng.choice(("sqrt", "abs", "sqrt")), (sub(),))
            case 13 if self.device:
                self.traits.add("device")
                return Call(rng.choice(("floor", "ceil", "trunc", "round")), (sub(),))
            case 14 if self.device:
                self.traits.add("device")
                return Call("fma", (sub(), self.number(axes, depth), sub()))
            case 15:
                return Call("clamp", (sub(), *pair()))
            case 16:
                return self.select("f", axes, depth)
            case 17 if self.combine:
                return self.reduction("f", axes, depth) or sub()
            case 18:
                return self.helped("f", axes, depth) or self.leaf("f", axes)
            case _:
                return self.load("f", axes, depth) or Call("sqrt", (self.number(axes, depth),))

    def truth(self, axes: Axes, depth: int) -> Expr:
        rng = self.rng
        match rng.randint(0, 11):
            case 0 | 1 | 2 | 3 | 4 | 5:
                op = rng.choice(COMPARISONS)
                return Binary(op, self.number(axes, depth), self.number(axes, depth))
            case 6 | 7:
                sides = (self.expr(rng.choice("bbbif"), axes, depth) for _ in range(2))
                return Binary(rng.choice(("and", "or")), *sides)
            case 8:
                return Unary("not", self.expr(rng.choice("bbif"), axes, depth))
            case 9:
                left = self.expr("b", axes, depth)
                return Binary(rng.choice(("==", "!=")), left, self.expr("b", axes, depth))
            case 10 if self.combine:
                return self.reduction("b", axes, depth) or self.leaf("b", axes)
            case _:
                return self.load("b", axes, depth) or self.select("b", axes, depth)

    def select(self, kind: str, axes: Axes, depth: int) -> Expr:
        condition = self.expr(self.rng.choice("bbbbif"), axes, depth)
        other = "i" if kind == "f" and self.rng.random() < 0.2 else kind
        values = [self.expr(kind, axes, depth), self.expr(other, axes, depth)]
        self.rng.shuffle(values)
        return Call("select", (condition, *values))

    def helped(self, kind: str, axes: Axes, depth: int) -> Expr | None:
        fitting = [h for h in self.helpers if h.kinds[-1] == kind and h.result is not None]
        if not fitting or not self.full <= axes:
            return None
        helper = self.rng.choice(fitting)
        return Call(helper.name, tuple(self.expr(k, axes, depth - 1) for k in helper.kinds[:-1]))

    # --- memory ---

    def load(self, kind: str, axes: Axes, depth: int) -> Expr | None:
        fitting = [p for p in self.readable if self.kind_of_buffer(p.name) == kind]
        if not fitting:
            return None
        param = self.rng.choice(fitting)
        return Load(param.name, self.index(param, axes, depth))

    def index(self, param: Param, axes: Axes, depth: int) -> Expr:
        """Where to read a buffer; `offs` alone only where there is an element for each lane."""
        rng = self.rng
        offs = Name("offs", "i")
        lanes = self.full <= axes
        choices: list[Callable[[], Expr]] = [lambda: Literal(rng.choice((0, 0, 1, 2, 7)))]
        if param.length is None and lanes:
            choices += [lambda: offs] * 6
        if lanes:
            choices += [
                lambda: Binary(rng.choice("+-"), offs, Literal(rng.randint(1, 3))),
                lambda: Binary("/", offs, Literal(rng.randint(2, 3))),
                lambda: Binary("*", offs, Literal(2)),
                lambda: Binary("%", offs, Literal(rng.randint(2, 9))),
            ]
        if 0 in axes and self.grid:
            choices.append(lambda: Binary("+", Name("row", "i"), Literal(1)))
        if 1 in axes and self.grid:
            choices.append(lambda: Binary("*", Name("col", "i"), Literal(1 + rng.randint(1, 2))))
        if depth > 0:
            choices += [
                lambda: Binary("+", self.expr("i", axes, depth - 1), Literal(rng.randint(1, 4))),
                lambda: Binary(
                    "/", self.expr("i", axes, depth - 1), self.expr("i", axes, depth - 2)
                ),
                lambda: Binary("*", self.expr("f", axes, depth - 1), Literal(0.5)),
            ]
        return rng.choice(choices)()

    # --- lanes combined ---

    def reduction(self, kind: str, axes: Axes, depth: int) -> Expr | None:
        """A reduction or scan that gives the same bits in any order."""
        rng = self.rng
        if self.combined >= 3:
            return None
        axis: list[Expr] = []
        if self.grid and rng.random() < 0.6:
            number = rng.choice((0, 1))
            if self.full - {number} <= axes:
                axis = [Literal(number)]
        self.combined += 1
        self.traits.add("combine")
        if kind == "b":
            name = rng.choice(("any", "all"))
            return Call(name, (self.expr(rng.choice("bbif"), self.full, depth), *axis))
        scan = self.full <= axes and rng.random() < 0.3 and (axis or not self.grid)
        if kind == "f":
            exact = self.exact_sum(2)
            if exact is not None and rng.random() < 0.5:
                return Call("cumsum" if scan else "sum", (exact, *axis))
            name = rng.choice(("reduce_max", "reduce_min"))
            return Call(name, (self.expr("f", self.full, depth), *axis))
        names = ["sum", "prod", "reduce_max", "reduce_min", "argmax", "argmin"]
        name = "cumsum" if scan else rng.choice(names)
        of = rng.choice("if") if name.startswith("arg") else "i"
        return Call(name, (self.expr(of, self.full, depth), *axis))

    def exact_sum(self, depth: int) -> Expr | None:
        """Small whole floats that are no -0."""
        small = [
            p
            for p in self.readable
            if p.data == "small" and p.length is None and self.kind_of_buffer(p.name) == "f"
        ]
        if not small:
            return None
        loaded = Load(self.rng.choice(small).name, Name("offs", "i"))
        if depth > 0 and self.rng.random() < 0.5:
            other = self.exact_sum(depth - 1)
            assert other is not None
            return Binary(self.rng.choice("+-"), loaded, other)
        return loaded
