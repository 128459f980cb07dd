"""One construct of Python or NumPy, nested or repeated n times: the text of a body.

Each generator takes a random generator and a size and returns the lines of a function
of `x`, `y` (arrays of one length) and `k` (a whole number); what stands before the
function is in HEADS. Values stay small, and comparisons come near nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Lines = list[str]
Construct = Callable[[Random, int], Lines]
HEADS = {
    "lambdas": "def twice(g, a):\n    return g(a) + g(0.5 * a)\n\n\n",
    "deep_calls": "def half(a):\n    return 0.5 * a + 0.1\n\n\n",
}


def _edge(i: int) -> str:
    """A number that no entry of x, y or their small multiples is near."""
    return f"{(i * 37 % 50 - 25) / 10 + 0.013:.3f}"


def _nest(rng: Random, n: int, forms: list[str]) -> str:
    """`forms` put into one another; {t} is what is inside."""
    text = "x"
    for i in range(n):
        form = rng.choice(forms)
        text = form.format(t=text, i=i, e=_edge(i), s=f"0.{i % 9 + 1}")
    return text


def wheres(rng: Random, n: int) -> Lines:
    """np.where in np.where, in one place or in any."""
    forms = [
        "np.where(x > {e}, {t}, x * {s})",
        "np.where(x > {e}, y * {s}, {t})",
        "np.where(y < {e}, {t}, {s})",
        "np.where((x > {e}) & (y > -9), x * y, {t})",
    ]
    few = rng.sample(forms, rng.choice([1, 1, 2, 4]))
    return [f"return np.sum({_nest(rng, n, few)} * y)"]


def wheres_with_operations(rng: Random, n: int) -> Lines:
    """np.where with arithmetic between the levels."""
    forms = [
        "np.where(x > {e}, x * {s}, np.sin({t}) * y)",
        "np.where(x > {e}, 0.5 * {t}, y)",
        "np.sqrt(1 + np.where(y > {e}, {t}, x) ** 2)",
    ]
    few = rng.sample(forms, rng.choice([1, 2, 3]))
    return [f"return np.sum({_nest(rng, n, few)})"]


def choices(rng: Random, n: int) -> Lines:
    """a if test else b, in brackets."""
    forms = ["(x * {s} if k == {i} else {t})", "({t} if k != {i} else y * {s})"]
    return [f"z = {_nest(rng, n, forms)}", "return np.sum(z * y)"]


def extremes(rng: Random, n: int) -> Lines:
    """Maxima, minima and clips in one another."""
    forms = [
        "np.maximum({t}, x * {s} - 2)",
        "np.minimum(y * {s} + 4, {t})",
        "np.clip({t} * {s}, -9, 9.5)",
    ]
    few = rng.sample(forms, rng.choice([1, 2, 3]))
    return [f"return np.sum({_nest(rng, n, few)} * y)"]


def deep_calls(rng: Random, n: int) -> Lines:
    """Calls in calls, those of a helper among them."""
    forms = ["np.sin({t})", "np.tanh({t})", "half({t})", "({t} + {s})", "np.abs({t})"]
    few = rng.sample(forms, rng.choice([1, 2, 4]))
    return [f"return np.sum({_nest(rng, n, few)} * y)"]


def joined(rng: Random, n: int) -> Lines:
    """Many parts joined to one array."""
    part = rng.choice(["x * {s}", "np.sin(x) + {s}", "y", "x[1:] * {s}", "x"])
    parts = [part.format(s=f"0.{i % 9 + 1}") for i in range(n)]
    if rng.random() < 0.4:
        parts[rng.randrange(n)] = "y[1:]"
    name = rng.choice(["concatenate", "hstack"])
    inside = ", ".join(parts)
    return [f"z = np.{name}([{inside}])", "return np.sum(z * z) + np.sum(y * x)"]


def stacked(rng: Random, n: int) -> Lines:
    """Many rows or columns."""
    parts = ", ".join(f"x * 0.{i % 9 + 1}" for i in range(n))
    name = rng.choice(["stack", "vstack", "column_stack", "array"])
    return [f"z = np.{name}([{parts}])", "return np.sum(z * z) + np.sum(y * x)"]


def arms(rng: Random, n: int) -> Lines:
    """if and many elifs: values, or returns."""
    returns = rng.random() < 0.5
    lines = []
    for i in range(n):
        lines.append(f"{'elif' if i else 'if'} k == {i}:")
        value = f"np.sin(x * 0.{i % 9 + 1}) * y"
        lines.append(f"    return np.sum({value})" if returns else f"    z = {value}")
    if returns:
        return [*lines, "return np.sum(x * y)"]
    return [*lines, "else:", "    z = x", "return np.sum(z * y)"]


def early(rng: Random, n: int) -> Lines:
    """Tests one behind the other that return."""
    lines = []
    for i in range(n):
        lines += [f"if k == {i}:", f"    return np.sum(np.sin(x * 0.{i % 9 + 1}) * y)"]
    return [*lines, "return np.sum(x * y)"]


def jumps(rng: Random, n: int) -> Lines:
    """Many breaks or continues in one loop."""
    word = rng.choice(["break", "continue"])
    lines = ["s = 0.0", "for i in range(4):"]
    for i in range(n):
        lines += [f"    if i == {i + 2}:", f"        {word}"]
        lines += [f"    s = 0.9 * s + 0.1 * np.sum(x * y) * 0.{i % 9 + 1}"]
    return [*lines, "return s"]


def selected(rng: Random, n: int) -> Lines:
    """np.select of many cases."""
    tests = ", ".join(f"x > {_edge(i)}" for i in range(n))
    values = ", ".join(f"x * y * 0.{i % 9 + 1}" for i in range(n))
    default = rng.choice([", y", ", default=0.5", ""])
    return [f"z = np.select([{tests}], [{values}]{default})", "return np.sum(z * z)"]


def masked(rng: Random, n: int) -> Lines:
    """Masks stored through one by one, or np.where again and again."""
    if rng.random() < 0.5:
        return [
            "z = x * y",
            *(
                f"z[x > {_edge(i)}] = z[x > {_edge(i)}] * 0.{i % 9 + 1}"
                for i in range(n)
            ),
            "return np.sum(z)",
        ]
    lines = [f"z = np.where(x > {_edge(i)}, z * y, z + 0.{i % 9})" for i in range(n)]
    return ["z = x", *lines, "return np.sum(z)"]


def comprehension(rng: Random, n: int) -> Lines:
    """A comprehension or a generator over so many."""
    form = rng.choice(
        [
            "np.sum(np.stack([x * (i + 1) for i in range({n})])) / {n}",
            "sum(np.sum(x * (i + 1)) for i in range({n})) / {n}",
            "sum([np.sum(np.sin(v)) for v in [{many}]])",
        ]
    )
    many = ", ".join(f"x * 0.{i % 9 + 1}" for i in range(n))
    return [f"return {form.format(n=n, many=many)} + np.sum(y)"]


def keys(rng: Random, n: int) -> Lines:
    """A dict, a list or a tuple of many entries, each read."""
    sort = rng.choice(["dict", "list", "tuple"])
    parts = [f"x * 0.{i % 9 + 1}" for i in range(n)]
    if sort == "dict":
        inside = ", ".join(f'"k{i}": {part}' for i, part in enumerate(parts))
        lines, read = ["d = {" + inside + "}"], 'd["k{}"]'
    else:
        pair = "[]" if sort == "list" else "()"
        lines, read = [f"d = {pair[0]}{', '.join(parts)}, {pair[1]}"], "d[{}]"
    total = " + ".join(f"np.sum({read.format(i)} * y)" for i in range(n))
    return [*lines, f"return {total}"]


def entries(rng: Random, n: int) -> Lines:
    """An array of entries that are written out."""
    parts = ", ".join(f"x[{i % 2}] * 0.{i % 9 + 1}" for i in range(n))
    return [f"z = np.array([{parts}])", "return np.sum(z * z) + np.sum(y)"]


def formatted(rng: Random, n: int) -> Lines:
    """A message with many values."""
    values = " ".join("{x[%d]} {k}" % (i % 2) for i in range(n))
    lines = ["if np.sum(x) > 1e9:", f'    raise ValueError(f"{values}")']
    return [*lines, "return np.sum(x * y)"]


def tests(rng: Random, n: int) -> Lines:
    """One long test."""
    word = rng.choice([" and ", " or "])
    test = word.join(f"k > {i}" for i in range(n))
    return [f"z = x * y if {test} else np.sin(x)", "return np.sum(z * y)"]


def lambdas(rng: Random, n: int) -> Lines:
    """Small functions that are made and called."""
    lines = [f"g{i} = lambda a: np.sin(a) * 0.{i % 9 + 1}" for i in range(n)]
    calls = [f"v = g{i}(v) + 0.1 * x" for i in range(n)]
    if rng.random() < 0.5:
        calls = [f"v = twice(g{i}, v)" for i in range(n)]
    return [*lines, "v = x", *calls, "return np.sum(v * y)"]


def targets(rng: Random, n: int) -> Lines:
    """Many names in one assignment."""
    names = ", ".join(f"a{i}" for i in range(n))
    values = ", ".join(f"x * 0.{i % 9 + 1}" for i in range(n))
    total = " + ".join(f"np.sum(a{i} * y)" for i in range(n))
    return [f"{names}, = {values},", f"return {total}"]


def powers(rng: Random, n: int) -> Lines:
    """Long products and quotients."""
    if rng.random() < 0.5:
        return [f"return np.sum({' * '.join(['np.cos(0.1 * x)'] * n)} * y)"]
    below = " / ".join(f"(1 + 0.1 * y * y / {i + 1})" for i in range(n))
    return [f"return np.sum(x / {below})"]


CONSTRUCTS: dict[str, Construct] = {
    made.__name__: made
    for made in (
        wheres,
        wheres_with_operations,
        choices,
        extremes,
        deep_calls,
        joined,
        stacked,
        arms,
        early,
        jumps,
        selected,
        masked,
        comprehension,
        keys,
        entries,
        formatted,
        tests,
        lambdas,
        targets,
        powers,
    )
}
