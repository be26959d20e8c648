"""Random kernels that the compiler must accept.

    random_kernel(seed).text

The generator knows of each variable whether it is a truth value, an integer or may be a float, and
along which axes it may differ. It may believe a value to be wider than it is, never narrower, so
what it builds is well typed by the rules of the guides, which it follows without the compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from random_expressions import ExpressionMaker, Variable
from syntax import (
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
    Param,
    Stmt,
    Store,
    While,
    without_unused,
)

ALL_TYPES = ("f32", "f32", "f64", "f64", "i32", "i64", "i8", "i16", "u8", "bool", "f16", "bf16")
NO_BF16 = tuple(type for type in ALL_TYPES if type != "bf16")
WIDE_TYPES = ("f64", "i64", "bool")
KINDS = {"b": "b", "i": "i", "u": "i", "f": "f"}


@dataclass(frozen=True)
class Options:
    """What kernels may hold."""

    types: Sequence[str] = ALL_TYPES
    device: bool = True
    """Whether functions may be used that Triton takes from a library of the device."""
    combine: bool = True
    numbers: bool = True
    """Whether single numbers may be parameters."""
    atomics: bool = True
    grid: bool | None = None
    extents: tuple[int, int] = (1, 40)
    statements: int = 9


class KernelMaker(ExpressionMaker):
    """Makes one kernel from a source of random numbers."""

    def __init__(self, rng: Random, options: Options):
        grid = rng.random() < 0.3 if options.grid is None else options.grid
        super().__init__(rng, grid, options.device, options.combine)
        self.options = options
        self.params: list[Param] = []
        self.modes: dict[str, str] = {}
        """How each written buffer is written: `own`, `once`, `uniform` or `atomic`."""
        self.atomics: dict[str, str] = {}
        self.loops = 0

    def kernel(self, seed: int) -> Kernel:
        shape = self.shape()
        self.inputs()
        self.outputs(shape)
        self.make_helpers()
        first = self.params[0]
        body: list[Stmt] = [self.let("v", Load(first.name, Name("offs", "i")), fixed=True)]
        body += self.statements(self.rng.randint(1, self.options.statements))
        body += self.last_stores()
        body += self.witnesses()
        rest = self.params[1:]
        self.rng.shuffle(rest)
        traits, helpers = frozenset(self.traits), tuple(self.helpers)
        kernel = Kernel(seed, self.grid, (first, *rest), tuple(body), helpers, shape, traits)
        return without_unused(kernel)

    def shape(self) -> tuple[int, ...]:
        low, high = self.options.extents
        if not self.grid:
            return (self.rng.randint(low, high),)
        rows = self.rng.randint(1, max(int(high**0.5 * 1.5), 2))
        return rows, self.rng.randint(1, max(high // rows, 2))

    # --- parameters ---

    def inputs(self) -> None:
        rng = self.rng
        for i in range(rng.randint(1, 4)):
            type = rng.choice(self.options.types)
            table = i > 0 and rng.random() < 0.35
            data = "small" if type != "bool" and rng.random() < 0.3 else "bits"
            length = rng.randint(1, 50) if table else None
            if KINDS[type[0]] == "i" and rng.random() < 0.5:
                data = "index"
            self.add_input(Param(f"x{i}", type, length, data=data))
        if not self.options.numbers:
            return
        for i in range(rng.choice((0, 0, 1, 2))):
            kind = rng.choice("iif")
            self.add_number(Param(f"s{i}", "i64" if kind == "i" else "f64", buffer=False))
        if rng.random() < 0.3:
            self.add_number(Param("limit", "i64", buffer=False, data="limit"))

    def add_input(self, param: Param) -> None:
        self.params.append(param)
        self.readable.append(param)

    def add_number(self, param: Param) -> None:
        self.params.append(param)
        self.scope[param.name] = Variable(KINDS[param.type[0]], UNIFORM, literal=True, level=-1)

    def outputs(self, shape: tuple[int, ...]) -> None:
        rng = self.rng
        modes = ["own", "own", "own", "once", "uniform"]
        modes += ["atomic"] * self.options.atomics
        lanes = shape[0] * (shape[1] if self.grid else 1)
        for i in range(rng.randint(1, 3)):
            mode = rng.choice(modes) if i else "own"
            type = rng.choice(self.options.types)
            length = None
            if mode == "atomic":
                type = rng.choice([t for t in ("i32", "i64") if t in self.options.types])
                length = rng.choice((None, rng.randint(1, 9)))
            elif mode == "uniform":
                length = rng.randint(1, 4)
            elif mode == "once":
                length = rng.randint(max(lanes - 3, 1), 2 * lanes + 3)
            param = Param(f"out{i}", type, length, data="small")
            self.params.append(param)
            self.modes[param.name] = mode
            if mode == "own" and rng.random() < 0.4:
                self.own.append(param)

    # --- helpers ---

    def make_helpers(self) -> None:
        for number in range(self.rng.choice((0, 0, 1, 2))):
            self.helpers.append(self.helper(f"h{number}"))
        if self.rng.random() < 0.2:
            put = Store("target", Name("offs", "i"), Name("value", "f"))
            self.helpers.append(Helper("put", ("target", "value"), "f", (put,), None))

    def helper(self, name: str) -> Helper:
        """A function of numbers; with a condition only where it may not differ between lanes."""
        rng = self.rng
        kinds = "".join(rng.choice("iffb") for _ in range(rng.randint(1, 3)))
        outer, readable, own = self.scope, self.readable, self.own
        combine, self.combine = self.combine, False
        params = tuple(f"{name}_{i}" for i in range(len(kinds)))
        self.scope = {
            p: Variable(kind, self.full, literal=True, level=0)
            for p, kind in zip(params, kinds, strict=True)
        }
        self.readable, self.own = [], []
        body = tuple(self.lets(rng.randint(0, 2)))
        kind = rng.choice("if")
        choice = None
        if rng.random() < 0.4:
            choice = self.expr("b", UNIFORM, 2), self.expr(rng.choice(kind + "i"), self.full, 2)
        result = self.expr(kind, self.full, 3)
        self.scope, self.readable, self.own, self.combine = outer, readable, own, combine
        return Helper(name, params, kinds + kind, body, result, choice)

    def lets(self, count: int) -> list[Stmt]:
        return [self.new_variable() for _ in range(count)]

    # --- statements ---

    def statements(self, count: int) -> list[Stmt]:
        made: list[Stmt] = []
        for _ in range(count):
            made += self.statement()
        return made

    def statement(self) -> list[Stmt]:
        choices: list[tuple[int, Callable[[], list[Stmt]]]] = [
            (30, lambda: [self.new_variable()]),
            (22, self.changed_variable),
            (12, self.store),
        ]
        if self.level < 3:
            choices += [(10 // (1 + self.level), self.branch), (14 // (1 + self.level), self.loop)]
        weights = [weight for weight, _ in choices]
        (_, make) = self.rng.choices(choices, weights)[0]
        return make()

    def let(self, name: str, value: Expr, word: str = "let ", fixed: bool = False) -> Let:
        """Set a variable of this block, whatever it was before."""
        literal = isinstance(value, Literal) or (
            isinstance(value, Name) and value.name in self.scope and self.scope[value.name].literal
        )
        self.scope[name] = Variable(self.kind_of(value), self.axes_of(value), literal, self.level)
        return Let(name, value, word, fixed)

    def new_variable(self) -> Stmt:
        kind = self.rng.choices("ifb", (4, 5, 1))[0]
        axes = self.some_axes()
        name = self.fresh({"i": "k", "f": "a", "b": "c"}[kind])
        return self.let(name, self.expr(kind, axes, 3), self.rng.choice(("let ", "let mut ", "")))

    def changed_variable(self) -> list[Stmt]:
        """Set a variable again: one of this block to anything, an outer one to what fits it."""
        names = [name for name, v in self.scope.items() if v.level >= 0 and not v.fixed]
        if not names:
            return [self.new_variable()]
        name = self.rng.choice(names)
        old = self.scope[name]
        word = self.rng.choice(("let ", ""))
        if old.level == self.level:
            kind = self.rng.choice("if") if old.kind != "b" else "b"
            return [self.let(name, self.expr(kind, self.some_axes(), 3), word)]
        kind = self.rng.choice("iff") if old.kind == "f" else old.kind
        return [Let(name, self.expr(kind, old.axes, 3), word)]

    def some_axes(self) -> Axes:
        if self.rng.random() < 0.25:
            return UNIFORM
        return self.rng.choice((self.full, self.full, frozenset((0,)), self.full))

    # --- memory ---

    def store(self) -> list[Stmt]:
        names = [name for name, mode in self.modes.items() if mode != "once" or not self.nested]
        if not names:
            return [self.new_variable()]
        return self.written(self.rng.choice(names))

    def written(self, name: str) -> list[Stmt]:
        param = next(p for p in self.params if p.name == name)
        match self.modes[name]:
            case "own":
                if any(h.name == "put" for h in self.helpers) and self.rng.random() < 0.3:
                    return [Helped("put", name, self.any_value(self.full))]
                return [Store(name, Name("offs", "i"), self.any_value(self.full))]
            case "once":
                del self.modes[name]
                index, axes = self.injective()
                return [Store(name, index, self.any_value(axes))]
            case "uniform":
                index: Expr = Literal(self.rng.randint(0, 4))
                if self.rng.random() < 0.3:
                    index = Binary("%", self.expr("i", UNIFORM, 1), Literal(self.rng.randint(1, 4)))
                return [Store(name, index, self.any_value(UNIFORM))]
            case _:
                return [self.atomic(param)]

    def any_value(self, axes: Axes) -> Expr:
        return self.expr(self.rng.choices("ifb", (4, 5, 1))[0], axes, 3)

    def injective(self) -> tuple[Expr, Axes]:
        """An index that is another one for each lane."""
        offs, c = Name("offs", "i"), Literal(self.rng.randint(1, 3))
        choices: list[tuple[Expr, Axes]] = [
            (Binary("+", offs, c), self.full),
            (Binary("-", offs, c), self.full),
            (Binary("*", offs, Literal(2)), self.full),
            (Binary("+", c, Binary("*", Literal(3), offs)), self.full),
        ]
        if not self.grid:
            back = Binary("-", Binary("-", Name("n", "i"), Literal(1)), offs)
            choices.append((back, self.full))
        else:
            turned = Binary("*", Name("col", "i"), Name("n_rows", "i"))
            choices += [
                (Binary("+", turned, Name("row", "i")), self.full),
                (Name("row", "i"), frozenset((0,))),
                (Binary("+", Name("col2", "i"), c), frozenset((1,))),
            ]
        return self.rng.choice(choices)

    def atomic(self, param: Param) -> Atomic:
        rng = self.rng
        self.traits.add("atomic")
        kind = self.atomics.setdefault(param.name, rng.choice(("add", "max", "min")))
        value = self.expr(rng.choice("iiif"), self.full, 2)
        if param.length is None and rng.random() < 0.5:
            return Atomic(kind, param.name, None, value)
        index = self.expr("i", rng.choice((self.full, UNIFORM)), 2)
        length = param.length or rng.randint(1, 9)
        return Atomic(kind, param.name, Binary("%", index, Literal(length)), value)

    def last_stores(self) -> list[Stmt]:
        stores: list[Stmt] = []
        for name in tuple(self.modes):
            stores += self.written(name)
        first = stores[0]
        if isinstance(first, Helped):
            first = Store(first.buffer, Name("offs", "i"), first.value)
        assert isinstance(first, Store)
        return [Store(first.buffer, first.index, first.value, fixed=True), *stores[1:]]

    def witnesses(self) -> list[Stmt]:
        """Stores of variables as they are at the end."""
        names = [name for name, v in self.scope.items() if v.level >= 0]
        chosen = self.rng.sample(names, min(len(names), self.rng.randint(1, 4)))
        for name in chosen:
            self.params.append(Param(f"{name}_out", self.rng.choice(self.options.types)))
        offs = Name("offs", "i")
        return [Store(f"{n}_out", offs, Name(n, self.scope[n].kind)) for n in chosen]

    # --- control flow ---

    def inner(self, count: int) -> Block:
        """The statements of a block inside a statement; what they define is forgotten."""
        outer = dict(self.scope)
        self.level += 1
        made = self.statements(count)
        self.level -= 1
        self.scope = {name: self.scope[name] for name in outer}
        return tuple(made)

    def widen(self) -> None:
        """Before control flow: some outer variables may become anything, the others stay."""
        for name, v in self.scope.items():
            if v.level < 0 or v.fixed:
                continue
            if self.rng.random() < 0.5:
                self.scope[name] = v.frozen()
                continue
            if v.level != self.level:
                continue
            kind = "f" if v.kind == "i" and self.rng.random() < 0.3 else v.kind
            self.scope[name] = Variable(kind, self.full, level=v.level)

    def branch(self) -> list[Stmt]:
        before = {name: v.fixed for name, v in self.scope.items()}
        conditions = [
            self.expr(self.rng.choices("bif", (6, 1, 1))[0], UNIFORM, 2)
            for _ in range(self.rng.choice((1, 1, 2, 3)))
        ]
        self.widen()
        arms = [(c, self.inner(self.rng.randint(1, 2))) for c in conditions]
        otherwise = self.inner(self.rng.randint(1, 2)) if self.rng.random() < 0.6 else None
        self.thaw(before)
        return [If(tuple(arms), otherwise)]

    def thaw(self, before: dict[str, bool]) -> None:
        for name, fixed in before.items():
            if not fixed:
                self.scope[name] = self.scope[name].frozen(False)

    def loop(self) -> list[Stmt]:
        if self.loops >= 3:
            return self.branch()
        self.loops += 1
        self.traits.add("loop")
        make = self.rng.choice((self.counted, self.counted, self.counted, self.real))
        before = {name: v.fixed for name, v in self.scope.items()}
        self.widen()
        start, condition, step = make()
        counter = step.name
        self.scope[counter] = self.scope[counter].frozen()
        body = self.inner(self.rng.randint(1, 3))
        self.thaw(before)
        self.scope[counter] = self.scope[counter].frozen(False)
        at = self.rng.choice((len(body), len(body), self.rng.randint(0, len(body))))
        return [While((start,), condition, body, step, at)]

    def counted(self) -> tuple[Let, Expr, Let]:
        """A counter that goes up or down to a bound near its start."""
        rng = self.rng
        name = self.fresh("i")
        up = rng.random() < 0.65
        first, turns, by = rng.randint(-2, 4), rng.randint(0, 6), rng.randint(1, 3)
        last = first + turns if up else first - turns
        bounds: list[Expr] = [Literal(last), Literal(last)]
        if not up:
            bounds.append(Binary("%", self.size(), Literal(3)))
        elif "limit" in self.scope:
            bounds.append(Name("limit", "i"))
        bounds.append(Binary("%", self.expr("i", UNIFORM, 1), Literal(rng.randint(1, 7))))
        begin: Expr = Literal(first)
        if rng.random() < 0.2:
            small = Binary("%", self.expr("i", UNIFORM, 1), Literal(5))
            begin = Binary("+", small, Binary("%", self.size(), Literal(2)))
        start = self.let(name, begin)
        counter = Name(name, "i")
        self.scope[name] = Variable("i", UNIFORM, level=self.level)
        sides = counter, rng.choice(bounds)
        op = rng.choice(("<", "<=") if up else (">", ">="))
        if rng.random() < 0.2:
            sides, op = sides[::-1], op.translate(str.maketrans("<>", "><"))
        changed = Binary("+" if up else "-", counter, Literal(by))
        if up and rng.random() < 0.2:
            changed = Binary("+", Literal(by), counter)
        return start, Binary(op, *sides), Let(name, changed, rng.choice(("let ", "")))

    def size(self) -> Expr:
        """A 64-bit integer: a counter of 8 bits may wrap around and never reach its bound."""
        return Name("n_rows" if self.grid else "n", "i")

    def real(self) -> tuple[Let, Expr, Let]:
        """A loop that must stay a `while`: its condition looks at more than a counter."""
        rng = self.rng
        if rng.random() < 0.4:
            name = self.fresh("t")
            start = self.let(name, Literal(rng.choice((0.5, 1.0, 1.5))))
            self.scope[name] = Variable("f", UNIFORM, level=self.level)
            variable = Name(name, "f")
            condition = Binary("<", variable, Literal(rng.choice((3.0, 7.5, 40.0))))
            op, by = rng.choice((("*", 2.0), ("+", 1.5), ("*", 1.75)))
            return start, condition, Let(name, Binary(op, variable, Literal(by)))
        name = self.fresh("i")
        start = self.let(name, Literal(0))
        self.scope[name] = Variable("i", UNIFORM, level=self.level)
        counter = Name(name, "i")
        fuel = Binary(rng.choice(("<", "!=")), counter, Literal(rng.randint(1, 6)))
        also = self.expr("b", UNIFORM, 2)
        if self.combine and rng.random() < 0.4:
            self.traits.add("combine")
            also = Call(rng.choice(("any", "all")), (self.expr("b", self.full, 2),))
        sides = (fuel, also) if rng.random() < 0.5 else (also, fuel)
        return start, Binary("and", *sides), Let(name, Binary("+", counter, Literal(1)))


EVERYTHING = Options()


def random_kernel(seed: int, options: Options = EVERYTHING) -> Kernel:
    """The kernel of a seed; the same options give the same kernel."""
    return KernelMaker(Random(seed), options).kernel(seed)
