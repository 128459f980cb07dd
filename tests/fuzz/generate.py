"""generate(seed): a random straight-line program, the same one for the same seed."""

from __future__ import annotations

from random import Random

import numpy as np

from tests.fuzz.program import (
    FIRST_SIZES,
    OTHER_SIZES,
    SAMPLES,
    Parameter,
    Program,
    is_general,
)
from tests.fuzz.vocabulary import PRODUCTIONS
from tests.fuzz.writer import ATOM, PRODUCT, SUM, UNARY, Expr, Rejected, Writer

# One broadcasting family, its members that need a partner's dims, and matrices.
FAMILY = ["n d"] * 3 + ["n 1", "1 d", "d", "1", "", "float", "b 1 1", "b n d", "b 1 d"]
OUTSIDERS = ["d m", "d n", "n", "n b"]
# Some names are traps: a module's, an adjoint's, one that emitted text may want.
PARAMETERS = ["x", "y", "w", "a", "b", "u", "X", "d", "scale", "g", "seed", "d_x"]
LOCALS = ["t", "s", "h", "z", "loss", "out", "total", "d_y", "result", "v", "backprop"]


def generate(seed: int) -> Program:
    """The program of this seed: 1 to 4 parameters and 2 to 8 lines."""
    rng = Random(seed)
    while True:
        program = attempt(rng, seed)
        if program is not None:
            return program


def attempt(rng: Random, seed: int) -> Program | None:
    """A program, or None when its last line found nothing fit to return."""
    params = parameters(rng)
    sizes = (FIRST_SIZES, rng.choice(OTHER_SIZES))
    program = Program(params, (), seed, "program", sizes)
    names = [param.name for param in params]
    scopes = tuple(dict(zip(names, program.arguments(k))) for k in SAMPLES)
    w = Writer(rng, scopes)
    w.productions = PRODUCTIONS
    lines = ['"""A docstring that is not the gradient\'s."""'] if w.chance(0.1) else []
    try:
        for _ in range(rng.randint(1, 7)):
            lines.append(statement(w))
        lines.append(f"return {returned(w).text}")
    except Rejected:
        return None
    done = Program(params, tuple(lines), seed, "program", sizes).without_unused()
    return done if done.params and is_general(done) else None


def parameters(rng: Random) -> tuple[Parameter, ...]:
    names = rng.sample(PARAMETERS, rng.choice([1, 2, 2, 3, 3, 3, 4]))
    return tuple(parameter(rng, name) for name in names)


def parameter(rng: Random, name: str) -> Parameter:
    spec = rng.choice(FAMILY if rng.random() < 0.8 else OUTSIDERS)
    if spec == "float":
        return Parameter(name, (), "float")
    dims = tuple(spec.split())
    kind = "array" if dims else rng.choice(["array", "numpy"])
    return Parameter(name, dims, kind)


# -- statements


def statement(w: Writer) -> str:
    """One assignment, made in the writer's scope as well."""
    if w.chance(0.12):
        return unpacking(w)
    if w.chance(0.04):
        [name] = w.rng.sample(LOCALS, 1)
        alias = w.name()
        w.assign(name, alias)
        return f"{name} = {alias.text}"
    if w.chance(0.2):
        return reassignment(w)
    expr = calculated(w)
    name = target(w)
    w.assign(name, expr)
    return f"{name} = {expr.text}"


def target(w: Writer) -> str:
    """A name to assign: mostly a new one, so that few results are lost unread."""
    new = [name for name in LOCALS if name not in w.scopes[0]]
    return w.rng.choice(new if new and w.chance(0.8) else LOCALS)


def unpacking(w: Writer) -> str:
    """a, b = e1, e2; at times a swap."""
    first, second = w.rng.sample(LOCALS, 2)
    one, other = calculated(w), calculated(w)
    w.assign(first, one)
    w.assign(second, other)
    return f"{first}, {second} = {one.text}, {other.text}"


def reassignment(w: Writer) -> str:
    """x = x + ..., where x may be a parameter, and may change its shape."""
    old = w.name()
    for _ in range(8):
        try:
            new = w.partner(old, 2)
            symbol = w.pick("+", "-", "*")
            if symbol == "*":
                text, level = f"{old.text} * {new.within(UNARY)}", PRODUCT
            else:
                text, level = f"{old.text} {symbol} {new.within(PRODUCT)}", SUM
            expr = w.write(text, level)
        except Rejected:
            continue
        w.assign(old.text, expr)
        return f"{old.text} = {expr.text}"
    raise Rejected(old.text)


def calculated(w: Writer) -> Expr:
    """An expression that is more than a name."""
    for _ in range(8):
        expr = w.expression(w.rng.choice([1, 2, 2, 3]))
        if expr.text not in w.scopes[0]:
            return expr
    raise Rejected("only names")


def returned(w: Writer) -> Expr:
    """What the program returns: mostly a scalar, made of what is still unread."""
    for _ in range(12):
        try:
            expr = w.expression(2)
            unread = sorted(w.unread)
            for name in w.rng.sample(
                unread, min(len(unread), w.rng.choice([2, 3, 4, 5]))
            ):
                expr = with_unread(w, expr, w.write(name))
            if w.chance(0.75) and np.ndim(expr.values[0]):
                expr = w.write(scalar(w, expr), ATOM)
            return expr
        except Rejected:
            continue
    raise Rejected("nothing to return")


def with_unread(w: Writer, expr: Expr, other: Expr) -> Expr:
    """expr times or plus a name, or its sum when the two do not broadcast."""
    product = w.chance(0.6)
    for form in ("{}", w.pick("np.sum({})", "np.mean({})", "np.cos({}).sum()")):
        try:
            term = form.format(other.text)
            if product:
                return w.write(f"{expr.within(PRODUCT)} * {term}", PRODUCT)
            return w.write(f"{expr.text} {w.pick('+', '-')} {term}", SUM)
        except Rejected:
            continue
    return expr


def scalar(w: Writer, expr: Expr) -> str:
    if w.chance(0.25):
        return f"{expr.atom}.{w.pick('sum', 'mean')}()"
    return f"np.{w.pick('sum', 'sum', 'sum', 'mean')}({expr.text})"
