"""What random programs are made of: one function per kind of expression.

Each takes the writer and the nesting that is left, and returns an expression or
is Rejected. Domains are kept by construction (`2 + x * x` under a log), kinks by
measuring: an abs or a maximum is kept only where its arguments are not near it.
"""

from __future__ import annotations

import numpy as np

from tests.fuzz.writer import (
    ATOM,
    NEAR,
    POWER,
    PRODUCT,
    SUM,
    UNARY,
    Expr,
    Rejected,
    Writer,
)

SMOOTH = "sin cos tanh exp square arctan arcsinh expm1 sinh negative".split()
ROOTED = ("np.sqrt(1 + {0} * {0})", "np.log(2 + {0} * {0})", "np.log1p({0} * {0})")
POSITIVE = (
    "2 + {0} * {0}",
    "1.5 + np.cos({1})",
    "{0} ** 2 + 1",
    "0.5 + np.square({1})",
)


def smooth(w: Writer, depth: int) -> Expr:
    return w.write(f"np.{w.pick(*SMOOTH)}({w.operand(depth).text})")


def rooted(w: Writer, depth: int) -> Expr:
    return w.write(w.pick(*ROOTED).format(w.operand(depth).within(UNARY)))


def absolute(w: Writer, depth: int) -> Expr:
    x = w.operand(depth)
    w.away_from_zero(x.text)
    return w.write(f"{w.pick('np.abs', 'abs', 'np.absolute')}({x.text})")


def negated(w: Writer, depth: int) -> Expr:
    return w.write(f"-{w.operand(depth).within(POWER)}", UNARY)


def literal_power(w: Writer, depth: int) -> Expr:
    return w.write(f"{w.operand(depth).atom} ** {w.pick('2', '3', '1', '2.0')}", POWER)


def positive(w: Writer, depth: int) -> Expr:
    """Something above 1/2: a denominator, the base of a power, under a root."""
    x = w.operand(depth)
    if w.chance(0.3):
        return w.write(f"np.exp({x.text})")
    return w.write(w.pick(*POSITIVE).format(x.atom, x.text), SUM)


def quotient(w: Writer, depth: int) -> Expr:
    below = positive(w, depth)
    if w.chance(0.15):
        return w.write(f"{w.number()} / {below.atom}", PRODUCT)
    if w.chance(0.1):
        return w.write(f"np.reciprocal({below.text})")
    above = w.partner(below, depth)
    if w.chance(0.15):
        return w.write(f"np.divide({above.text}, {below.text})")
    return w.write(f"{above.within(PRODUCT)} / {below.atom}", PRODUCT)


def general_power(w: Writer, depth: int) -> Expr:
    base = positive(w, depth)
    exponent = w.pick("0.5", "-1", "-0.5", "1.5", "y", "y", "y")
    if exponent == "y":
        y = w.partner(base, depth)
        if w.chance(0.2):
            return w.write(f"np.power({base.text}, {y.text})")
        if w.chance(0.15):
            return w.write(f"2 ** {y.atom}", POWER)
        exponent = y.atom
    return w.write(f"{base.atom} ** {exponent}", POWER)


def arithmetic(w: Writer, depth: int) -> Expr:
    x = w.operand(depth)
    y = w.partner(x, depth)
    symbol = w.pick("+", "-", "*", "*", "add", "subtract", "multiply")
    if symbol == "*":
        return w.write(f"{x.within(PRODUCT)} * {y.within(UNARY)}", PRODUCT)
    if symbol in "+-":
        return w.write(f"{x.within(SUM)} {symbol} {y.within(PRODUCT)}", SUM)
    return w.write(f"np.{symbol}({x.text}, {y.text})")


def with_number(w: Writer, depth: int) -> Expr:
    x, number = w.operand(depth), w.number()
    if w.chance(0.5):
        return w.write(f"{number} * {x.within(UNARY)}", PRODUCT)
    if w.chance(0.5):
        return w.write(f"{x.within(PRODUCT)} / {number.lstrip('-')}", PRODUCT)
    if w.chance(0.5):
        return w.write(f"{number} - {x.within(PRODUCT)}", SUM)
    return w.write(f"{x.within(SUM)} + {number.lstrip('-')}", SUM)


def with_size(w: Writer, depth: int) -> Expr:
    x, y = w.operand(depth), w.array(depth)
    sizes = (
        f"len({y.text})",
        f"{y.atom}.shape[0]",
        f"{y.atom}.shape[-1]",
        f"{y.atom}.size",
    )
    return w.write(f"{x.within(PRODUCT)} / {w.pick(*sizes)}", PRODUCT)


def reused(w: Writer, depth: int) -> Expr:
    """One value read several times in one expression."""
    x = w.operand(depth)
    form = w.pick("{0} * {0}", "{0} + {0}", "{0} * np.sin({1})", "{0} - {0} ** 2")
    text = form.format(x.atom, x.text)
    return w.write(text, PRODUCT if " * " in text else SUM)


def extremum(w: Writer, depth: int) -> Expr:
    x = w.operand(depth)
    if w.chance(0.3):
        bound = w.pick("0", "0.5", "-0.25")
        w.away_from_zero(f"{x.within(SUM)} - ({bound})")
        return w.write(f"np.{w.pick('maximum', 'minimum')}({x.text}, {bound})")
    y = w.partner(x, depth)
    w.away_from_zero(f"{x.within(SUM)} - {y.within(PRODUCT)}")
    return w.write(f"np.{w.pick('maximum', 'minimum')}({x.text}, {y.text})")


def selection(w: Writer, depth: int) -> Expr:
    left = w.operand(depth)
    if w.chance(0.5):
        right = "0" if w.chance(0.5) else "0.5"
    else:
        right = w.partner(left, depth).within(SUM)
    w.away_from_zero(f"{left.within(SUM)} - ({right})")
    test = f"{left.within(SUM)} {w.pick('>', '<', '>=', '<=')} {right}"
    x = w.operand(depth)
    y = w.number() if w.chance(0.3) else w.partner(x, depth).text
    first, second = (x.text, y) if w.chance(0.7) else (y, x.text)
    return w.write(f"np.where({test}, {first}, {second})")


def angle(w: Writer, depth: int) -> Expr:
    y = w.operand(depth)
    x = w.partner(y, depth)
    w.away_from_zero(f"np.hypot({y.text}, {x.text})", 0.1)
    w.away_from_zero(y.text)  # arctan2 jumps at y = 0, x < 0
    return w.write(f"np.{w.pick('arctan2', 'hypot')}({y.text}, {x.text})")


def log_sum(w: Writer, depth: int) -> Expr:
    x = w.operand(depth)
    return w.write(f"np.logaddexp({x.text}, {w.partner(x, depth).text})")


# -- reductions


def axis_of(w: Writer, x: Expr) -> str:
    """None, one axis of x, counted from either end, or two of them."""
    kind = w.pick("none", "one", "one", "one", "two")
    if kind == "none" or x.ndim == 0:
        return "None"
    if kind == "two" and x.ndim >= 2:
        one, other = w.rng.sample(range(x.ndim), 2)
        return f"({one}, {other - x.ndim if w.chance(0.5) else other})"
    return str(w.rng.randrange(-x.ndim, x.ndim))


def called(w: Writer, name: str, x: Expr, axis: str, options: list[str]) -> str:
    """np.sum(x, axis=0) or x.sum(axis=0), the axis sometimes by position."""
    place = [] if axis == "None" else [axis if w.chance(0.3) else f"axis={axis}"]
    arguments = [*place, *options]
    if w.chance(0.4):
        return f"{x.atom}.{name}({', '.join(arguments)})"
    return f"np.{name}({', '.join([x.text, *arguments])})"


def reduction(w: Writer, depth: int) -> Expr:
    x = w.operand(depth)
    axis = axis_of(w, x)
    name = w.pick(
        "sum", "sum", "sum", "mean", "mean", "max", "min", "prod", "std", "var"
    )
    options = ["keepdims=True"] if w.chance(0.4) else []
    if name in ("std", "var") and w.chance(0.2):
        options.append("ddof=1")
    text = called(w, name, x, axis, options)
    if name == "std":
        w.away_from_zero(text, 0.05)
    if name in ("max", "min"):
        no_ties(w, x, axis)
    return w.write(text)


def no_ties(w: Writer, x: Expr, axis: str) -> None:
    """Rejected when the two largest or smallest values along the axis are near."""
    axes = None if axis == "None" else eval(axis)
    for value in w.values(x.text):
        array = np.asarray(value)
        kept = range(array.ndim) if axes is None else np.atleast_1d(axes)
        moved = np.moveaxis(array, kept, range(len(kept)))
        flat = np.sort(moved.reshape(-1, *moved.shape[len(kept) :]), axis=0)
        if np.any(np.diff(flat, axis=0) < NEAR):
            raise Rejected(x.text)


def norm(w: Writer, depth: int) -> Expr:
    x = w.array(depth)
    options = []
    if w.chance(0.6) or x.ndim > 2:
        options.append(f"axis={w.rng.randrange(-x.ndim, x.ndim)}")
        options += ["keepdims=True"] if w.chance(0.5) else []
    text = f"np.linalg.norm({', '.join([x.text, *options])})"
    w.away_from_zero(text, 0.05)
    return w.write(text)


def centered(w: Writer, depth: int) -> Expr:
    """x against its own statistics: two paths back to one name."""
    x = w.array(depth)
    axis = w.pick(*range(-x.ndim, x.ndim))
    forms = (
        "{0} - {0}.mean(axis={a}, keepdims=True)",
        "{0} - np.sum({1}, axis={a}, keepdims=True)",
        "{0} / np.sum({0} * {0}, axis={a}, keepdims=True)",
        "np.exp({0} - np.max({1}, axis={a}, keepdims=True))",
    )
    form = w.pick(*forms)
    if "max" in form:
        no_ties(w, x, str(axis))
    if "/" in form:
        w.away_from_zero(f"np.sum({x.atom} * {x.atom}, axis={axis})", 0.05)
    level = ATOM if form.startswith("np") else PRODUCT if "/" in form else SUM
    return w.write(form.format(x.atom, x.text, a=axis), level)


# -- shapes, parts and joins


def shaped(w: Writer, depth: int) -> Expr:
    x = w.array(depth)
    axis = w.rng.randrange(-x.ndim - 1, x.ndim + 1)
    forms = [
        "{0}.reshape(-1)",
        "np.ravel({1})",
        "np.reshape({1}, (-1, {0}.shape[0]))",
        "{0}.reshape({0}.shape[0], -1)",
        "{0}.T",
        "np.transpose({1})",
        "np.expand_dims({1}, {a})",
        "{0}[:, None]",
        "{0}[None, :]",
        "{0}[..., None]",
        "{0}[None]",
        "np.expand_dims({1}, axis={a})",
    ]
    if x.ndim == 2:
        forms += ["{0}.transpose(1, 0)", "np.transpose({1}, (1, 0))"]
    if x.ndim == 3:
        forms += ["np.transpose({1}, (2, 0, 1))", "np.swapaxes({1}, 0, -1)"]
    ones = [k for k, size in enumerate(x.shape) if size == 1]
    if ones:
        forms += [f"np.squeeze({{1}}, axis={w.pick(*ones)})"] * 4
    return w.write(w.pick(*forms).format(x.atom, x.text, a=axis))


def sliced(w: Writer, depth: int) -> Expr:
    x = w.array(depth)
    keys = ["0", "-1", "1:", ":-1", "::2", "::-1", ":2", "-2:"]
    if x.ndim >= 2:
        keys += [":, 0", "..., -1", ":, 1:", "0, 1", "1:, :-1", ":, 0:1"]
    return w.write(f"{x.atom}[{w.pick(*keys)}]")


def neighbours(w: Writer, depth: int) -> Expr:
    """Two overlapping slices of one name: their gradients add up in the middle."""
    x = w.array(depth)
    symbol = w.pick("*", "-", "+")
    text = f"{x.atom}[1:] {symbol} {x.atom}[:-1]"
    return w.write(text, PRODUCT if symbol == "*" else SUM)


def gathered(w: Writer, depth: int) -> Expr:
    """Fancy indexing, most of it with repeats, whose gradients must add up."""
    x = w.array(depth)
    keys = ["[0, 0, 1]", "[1, 0, 1]", "[-1, 0, -1]", "[1, 0]", "[0, 0, 0, 0]"]
    if x.ndim >= 2:
        keys += [":, [0, 0, 1]", "[0, 1, 0], [1, 0, 1]", "..., [1, 1]", "[0, 0], 1"]
    return w.write(f"{x.atom}[{w.pick(*keys)}]")


def joined(w: Writer, depth: int) -> Expr:
    x = w.array(depth)
    y = x if w.chance(0.3) else w.array(depth)
    axis = w.rng.randrange(-x.ndim, x.ndim)
    forms = (
        f"np.concatenate([{x.text}, {y.text}], axis={axis})",
        f"np.concatenate(({x.text}, {y.text}))",
        f"np.stack([{x.text}, {y.text}], axis={axis})",
        f"np.stack(({x.text}, {y.text}))",
    )
    return w.write(w.pick(*forms))


def contracted(w: Writer, depth: int) -> Expr:
    """A product with a sum in it, of operands turned until they fit."""
    forms = [
        "{0} @ {1}",
        "{0} @ {1}.T",
        "{0}.T @ {1}",
        "np.dot({2}, {3})",
        "np.matmul({2}, {1}.T)",
        "{0}.dot({3})",
        "np.outer({2}, {3})",
        "np.inner({2}, {3})",
        "np.einsum('ij,jk->ik', {2}, {3})",
        "np.einsum('ij,ij->i', {2}, {3})",
        "np.einsum('i,ij->j', {2}, {3})",
        "np.einsum('ij,ik->jk', {2}, {3})",
        "np.einsum('bij,ij->b', {2}, {3})",
        "np.einsum('i,j->ij', {2}, {3})",
    ]
    for _ in range(6):
        x, y = w.array(depth), w.array(depth)
        for form in w.rng.sample(forms, len(forms)):
            try:
                level = PRODUCT if "@" in form else ATOM
                return w.write(form.format(x.atom, y.atom, x.text, y.text), level)
            except Rejected:
                continue
    raise Rejected("no contraction")


PRODUCTIONS = [
    (5, smooth),
    (3, rooted),
    (2, absolute),
    (1, negated),
    (2, literal_power),
    (1, positive),
    (4, quotient),
    (2, general_power),
    (8, arithmetic),
    (3, with_number),
    (1, with_size),
    (3, reused),
    (2, extremum),
    (2, selection),
    (1, angle),
    (1, log_sum),
    (6, reduction),
    (2, norm),
    (3, centered),
    (3, shaped),
    (2, sliced),
    (1, neighbours),
    (2, gathered),
    (2, joined),
    (4, contracted),
]
