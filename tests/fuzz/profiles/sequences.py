"""Lists, tuples and ranges that are constants, where an array, a key or a part is taken.

Of a module, a closure, a default or a literal; whole, in parts whose bounds a number
tells, and as rows of tables. What is a list for Python is one, and no number, tuple or
array: the value has the primal's bits, gradient and Jacobian are measured, and so is the
text of the gradient.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import numpy as np

from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.case import Case
from tests.fuzz.judge import Fault, Verdict, broken_off
from tests.fuzz.profiles.constants import Module, verdict
from tests.fuzz.program import Parameter, imported

PROGRAMS = 20
REFUSED_AT_MOST = 0.15
PLACES = {
    "module": "K = {v}\ndef f(x, n=2):\n    return {u}\n",
    "default": "def f(x, n=2, K={v}):\n    return {u}\n",
    "literal": "def f(x, n=2):\n    K = {v}\n    return {u}\n",
    "inline": "def f(x, n=2):\n    return {i}\n",
    "closure": "def make(K):\n    def f(x, n=2):\n        return {u}\n    return f\n"
    "f = make({v})\n",
    "held": "T = {{'a': {v}}}\ndef f(x, n=2):\n    K = T['a']\n    return {u}\n",
    "loop": "K = {v}\ndef f(x, n=2):\n    s = 0.0\n    for i in range(n):\n"
    "        s = s + (i + 1) * ({l})\n    return s\n",
}
PARTS = ("K", "K[:n]", "K[n:]", "K[-n:]", "K[1:]", "K[:len(x)]", "K[::-1]", "K[::n]")
OF_WEIGHTS = """np.sum(x[0] * np.array({P})); sum({P}) * x[0]; np.dot(x[:len({P})], {P})
x[:len({P})] @ {P}; np.sum(x[:len({P})] / {P}); np.prod(x[:len({P})] ** np.array({P}))
np.sum(np.array({P}) * x[1]); len({P}) * x; max({P}) * x; [w * x for w in {P}][-1]
sum(w * v for w, v in zip({P}, x)); {P}[0] * x; {P}[-1] * x; np.mean({P}) * x
x if {P} == [0.5, 1.5] else 2 * x; 2 * x if isinstance({P}, list) else 3 * x
np.sum((2 * {P})[0] * x); np.sum(({P} + {P})[-1] * x); np.polyval({P}, x)
np.vectorize(lambda v, w: v * v if w == 1.5 else 2 * v)(x, K) * 2.0
np.vectorize(lambda w, v: v * v if w else v)({P}, x[:1])
np.convolve(x, {P}); np.outer({P}, x); np.interp(0.5, [0.0, 1.0], [x[0], 1.0]) * {P}[0]"""
OF_PLACES = """np.var(x[{P}]); np.prod(x[{P}]); np.sum(x[{P}] ** 2); np.linalg.norm(x[{P}])
np.mean(x[list({P})] ** 2); x[np.array({P})] * 2; np.take(x, {P}); np.sum(x[{P}]) * x
[x[i] * (i + 1) for i in {P}][-1]; np.sum(np.delete(x, {P}) ** 2); x[{P}[0]] * x"""
OF_ROWS = """np.sum(x[K[i]] ** 2); np.prod(x[K[i]]); np.sum((x[K[i]] - x[i]) ** 2)
x[K[i][0]] * x[K[i][1]]; np.sum(x[K[i] + K[i]]); np.var(x[K[i][:n]]) + x[0]
x[0] if K[i] == [0, 1] else 2 * x[1]; x[0] if isinstance(K[i], list) else 2 * x[1]
np.sum(np.array(K[i]) * x[0]); np.mean(x[np.array(K)[i]] ** 3)"""
OF_MASKS = """np.sum(np.extract(K, x) ** 2); np.sum(np.where(K, x, x ** 2)); x[K] * 2
np.sum(np.compress(K, x) ** 2); np.sum(x, where=K); np.sum(np.where(K, 1, 2) * x)
np.sum(np.select([K, x > 0], [x, x ** 2], 0.0)); np.sum(np.logical_not(K) * x)"""
OF_RANGES = """np.sum(x[K] ** 2); np.prod(x[K[::-1]]); sum(K) * x; x[K[-1]] * x
x if isinstance(K, range) else 2 * x; x if K == range(0, 2) else 2 * x
x if K == (0, 1) else 2 * x; x[list(K)] * 2; sum(x[i] * i for i in K); len(K) * x"""
# kinds of sequences, and what is written with them
GROUPS = {
    "weights": (["[0.5, 1.5, 2.5]", "[0.5, 1.5]", "[2, 1, 3]"], OF_WEIGHTS),
    "tuples": (["(0.5, 1.5, 2.5)"], OF_WEIGHTS),
    "places": (["[2, 0, 1]", "[0, 2]"], OF_PLACES),
    "rows": (["[[0, 1], [1, 2], [2, 0]]", "([0, 1], [1, 2])"], OF_ROWS),
    "pairs": (["[(0, 1), (1, 2), (2, 0)]"], "x[K[i][0]] * x[K[i][1]]; K[i][1] * x"),
    "masks": (["[True, False, True]", "[1, 0, 1]"], OF_MASKS),
    "ranges": (["range(0, 2)", "range(2, 0, -1)"], OF_RANGES),
}


def program(seed: int) -> str:
    """The module of a program."""
    rng = Random(f"sequences {seed}")
    values, uses = GROUPS[rng.choice(list(GROUPS))]
    use = rng.choice(re.split(r";\s*|\n", uses)).format(P=rng.choice(PARTS))
    value = rng.choice(values)
    by_rows = bool(re.search(r"\bi\b(?! (in|for))", use)) and "for i" not in use
    place = "loop" if by_rows and rng.random() < 0.7 else rng.choice(list(PLACES))
    plain = re.sub(r"\bi\b", "(n - 1)", use) if by_rows else use
    words = {"v": value, "u": plain, "l": use if by_rows else f"np.sum({plain})"}
    words["i"] = re.sub(r"\bK\b", value, plain)
    return "import numpy as np\n" + PLACES[place].format(**words)


def verdicts(seed: int, engine) -> Iterator[tuple[Case, Verdict]]:
    text = program(seed)
    function = imported(text, "f")
    sizes = {"n": 3}, {"n": 3}
    params = (Parameter("x", ("n",)),)
    made = Module(params, ("return x",), seed, "f", sizes, text=text)
    case = Case(made, {}, "x", level="none")
    with np.errstate(all="ignore"):
        try:
            finite = np.all(np.isfinite(function(np.array([0.4, 1.1, 1.7]))))
        except Exception:
            finite = True  # whether the gradient raises as well
    if not finite:
        return  # of nothing
    found = verdict(function, text, np.float64, engine)
    if not found.refusal and not found.faults:
        found.faults += others(function, engine)
    yield case, found


def others(function, engine) -> Iterator[Fault]:
    """Faults of the Jacobian, and of the text with nothing told."""
    x = np.array([0.4, 1.1, 1.7])
    try:
        with np.errstate(all="ignore"):
            value = function(x)
    except Exception:
        return
    if np.shape(value):
        return
    want = numeric_gradient(function, [x], 0).value
    try:
        matrix = engine.jacobian(function)(x)
        if type(matrix) is not np.ndarray or matrix.dtype != x.dtype:
            yield Fault("dtype", f"{matrix!r}, the Jacobian")
        elif not np.allclose(matrix, want, rtol=1e-6, atol=1e-6):
            yield Fault("value", f"{matrix}, not {want}, the Jacobian")
    except GradgenError:
        pass
    except Exception:
        yield broken_off()
    try:
        names: dict = {}
        exec(engine.emit(function), names)
        found = next(v for k, v in names.items() if k.startswith("grad_"))(x)
        if not np.allclose(found, want, rtol=1e-6, atol=1e-6):
            yield Fault("value", f"{found}, not {want}, the text")
    except GradgenError:
        pass
    except ValueError as error:
        if not re.search("taken for|expected|other than|left out", str(error)):
            yield broken_off()
    except Exception:
        yield broken_off()
