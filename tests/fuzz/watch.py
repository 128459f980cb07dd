"""What a program decides and how narrowly, and a twin of it for complex numbers.

A finite difference across a branch that flips measures nothing. So comparisons of
floats are watched: a program whose two sides come closer than MARGIN anywhere is
given other arguments. The twin computes the same numbers, and takes complex ones:
its buffers are complex, and it compares real parts.
"""

from __future__ import annotations

import ast
import operator

import numpy as np

from gradgen.verify.finite import Estimate, directional, numeric_gradient

MARGIN = 2e-3
STEP = 1e-30
ROUNDS = 5000  # of all loops together, in one run

OPERATORS = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}
# functions that decide between their arguments
DECIDING = {"maximum", "minimum", "abs", "max", "min"}
CREATING = {"zeros", "ones", "empty", "full", "zeros_like", "ones_like", "full_like"}


class Endless(Exception):
    """More rounds than any program that was meant."""


class Watched:
    """A program with its comparisons watched, its rounds counted, and complex."""

    def __init__(self, source: str, name: str):
        tree = ast.fix_missing_locations(Rewriting().visit(ast.parse(source)))
        self.narrowest = np.inf
        self.rounds = 0
        names = {
            "_compare": self.compare,
            "_tick": self.tick,
            "_abs": self.absolute,
            "_between": self.between,
            "_extreme": self.extreme,
        }
        exec(compile(tree, "<watched>", "exec"), names)
        self._function = names[name]

    def function(self, *args):
        """The program's result, also for complex arguments; Endless when it loops."""
        self.rounds = 0
        return self._function(*args)

    def margin(self, args) -> float:
        """How narrow the narrowest decision is with these arguments."""
        self.narrowest = np.inf
        with np.errstate(all="ignore"):
            self.function(*args)
        return self.narrowest

    def tick(self) -> None:
        self.rounds += 1
        if self.rounds > ROUNDS:
            raise Endless

    def compare(self, symbol: str, a, b):
        a, b = real(a), real(b)
        self.note(a, b)
        return OPERATORS[symbol](a, b)

    def note(self, a, b) -> None:
        """Two numbers that were compared; whole numbers decide nothing narrowly."""
        try:
            floating = np.result_type(a, b).kind == "f"
        except TypeError:  # not numbers
            return
        if floating and np.size(a) and np.size(b):
            self.narrowest = min(self.narrowest, float(np.min(np.abs(a - b))))

    def absolute(self, x):
        self.note(real(x), 0.0)
        return np.where(real(x) < 0, -x, x)[()]

    def between(self, name: str, a, b):
        """maximum or minimum, max or min, of two."""
        self.note(real(a), real(b))
        first = real(a) >= real(b) if name.startswith("max") else real(a) <= real(b)
        return np.where(first, a, b)[()]

    def extreme(self, name: str, x):
        """np.max or np.min of all entries."""
        flat = np.ravel(x)
        order = np.argsort(real(flat))
        at, next_ = (-1, -2) if name == "max" else (0, 1)
        if len(flat) > 1:
            self.note(real(flat[order[at]]), real(flat[order[next_]]))
        return flat[order[at]]


def real(x):
    """The real part of a complex number or array, else what it is."""
    return np.real(x) if np.iscomplexobj(x) else x


class Rewriting(ast.NodeTransformer):
    """The program's tree with its decisions and its buffers exchanged."""

    def visit_Compare(self, node):
        self.generic_visit(node)
        if any(
            isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops
        ):
            return node
        sides = [node.left, *node.comparators]
        parts = []
        for op, a, b in zip(node.ops, sides, sides[1:]):
            symbol = ast.Constant(type(op).__name__)
            parts.append(ast.Call(ast.Name("_compare", ast.Load()), [symbol, a, b], []))
        if len(parts) == 1:
            return parts[0]
        return ast.BoolOp(ast.And(), parts)

    def visit_Call(self, node):
        self.generic_visit(node)
        text = ast.unparse(node.func)
        name = text.removeprefix("np.")
        if text.startswith("np.") and name in CREATING:
            keywords = [k for k in node.keywords if k.arg != "dtype"]
            complex_ = ast.keyword("dtype", ast.Name("complex", ast.Load()))
            return ast.Call(node.func, node.args, [*keywords, complex_])
        if name in DECIDING and not node.keywords:
            return self.decided(name, node)
        return node

    def decided(self, name: str, node: ast.Call):
        if name == "abs":
            return ast.Call(ast.Name("_abs", ast.Load()), node.args, [])
        helper = {1: "_extreme", 2: "_between"}.get(len(node.args))
        if helper is None:
            return node
        args = [ast.Constant(name), *node.args]
        return ast.Call(ast.Name(helper, ast.Load()), args, [])

    def visit_For(self, node):
        return self.looped(node)

    def visit_While(self, node):
        return self.looped(node)

    def looped(self, node):
        self.generic_visit(node)
        tick = ast.Expr(ast.Call(ast.Name("_tick", ast.Load()), [], []))
        node.body = [tick, *node.body]
        return node


def confirmed(program, twin: Watched, sample: int, i: int, seed) -> Estimate:
    """The gradient in argument i by complex steps, or by differences when in doubt.

    Differences of the program itself along two directions have to agree with it.
    """
    args = program.arguments(sample)

    def weighted(*arguments):
        try:
            return np.sum(seed * program.function(*arguments))
        except Exception:  # a step may lead where a name is not assigned
            return np.nan

    value = stepped(twin, args, i, seed)
    if value is None:
        return numeric_gradient(weighted, args, i)
    rng = np.random.default_rng(0)
    for _ in range(2):
        direction = rng.uniform(0.5, 1.5, value.shape) * rng.choice(
            [-1, 1], value.shape
        )
        tangents = [direction[()] if k == i else None for k in range(len(args))]
        rough = directional(weighted, args, tangents)
        along = np.sum(value * direction)
        scale = abs(along) + np.max(np.abs(value), initial=0.0)
        if not rough.error <= 1e-7 * scale + 1e-12:
            return numeric_gradient(weighted, args, i)
        if not abs(rough.value - along) <= 10 * rough.error + 1e-9 * scale:
            return numeric_gradient(weighted, args, i)
    return Estimate(
        value, np.full(value.shape, 1e-13 * np.max(np.abs(value), initial=0.0))
    )


def stepped(twin: Watched, args, i: int, seed) -> np.ndarray | None:
    """Complex steps of the twin, entry by entry; None where it does not take them."""
    shape = np.shape(args[i])
    entries = []
    for unit in np.eye(max(np.size(args[i]), 1)).reshape(-1, *shape):
        moved = [wide(arg) for arg in args]
        moved[i] = moved[i] + 1j * STEP * (unit if shape else 1.0)
        try:
            with np.errstate(all="ignore"):
                result = np.sum(seed * twin.function(*moved))
        except Exception:  # the twin is foreign code: this way is closed
            return None
        if not np.isfinite(result):
            return None
        entries.append(np.imag(result) / STEP)
    return np.array(entries, dtype=np.float64).reshape(shape)


def wide(arg):
    """An argument that can take a complex number: arrays are copied."""
    if isinstance(arg, np.ndarray):
        return arg.astype(complex)
    return arg
