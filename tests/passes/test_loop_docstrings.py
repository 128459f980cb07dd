"""A gradient without a pass, and with it, as the pass's docstring says."""

import re
import textwrap

import pytest

import gradgen
from gradgen.guard.rounds import rounds
from gradgen.pipeline import passes
from gradgen.pipeline import run as pipeline
from gradgen.pipeline.passes import Until
from gradgen.printer.added_numbers import added_numbers
from gradgen.printer.backwards import backwards
from gradgen.printer.reads_first import reads_first
from gradgen.printer.rescaled import rescaled
from gradgen.printer.reused import reused
from gradgen.printer.storage import storage
from gradgen.simplify.exits import exits
from gradgen.simplify.number_lists import number_lists
from gradgen.simplify.unpopped import unpopped
from gradgen.simplify.branch_terms import branch_terms
from gradgen.simplify.copied import copied
from gradgen.simplify.as_arrays import as_arrays
from gradgen.simplify.at_once import at_once
from gradgen.simplify.balanced import balanced
from gradgen.simplify.cached import cached
from gradgen.simplify.casts import casts
from gradgen.simplify.chained import chained
from gradgen.simplify.cleared import cleared
from gradgen.simplify.combined import combined
from gradgen.simplify.contracted import contracted
from gradgen.simplify.densities import densities
from gradgen.simplify.dtypes import dtypes
from gradgen.simplify.endings import endings
from gradgen.simplify.entries import entries
from gradgen.simplify.filled import filled
from gradgen.simplify.flags import flags
from gradgen.simplify.conditionals import conditionals
from gradgen.simplify.floating import floating
from gradgen.simplify.floating_bases import floating_bases
from gradgen.simplify.halves import halves
from gradgen.simplify.even import even
from gradgen.simplify.fused import fused
from gradgen.simplify.fused_arms import fused_arms
from gradgen.simplify.hoisted import hoisted
from gradgen.simplify.into_parts import into_parts
from gradgen.simplify.into_rows import into_rows
from gradgen.simplify.gathered import gathered
from gradgen.simplify.joins import joins
from gradgen.simplify.inverses import inverses
from gradgen.simplify.lengths import lengths
from gradgen.simplify.logistic import logistic
from gradgen.simplify.methods import methods
from gradgen.simplify.multiplied import multiplied
from gradgen.simplify.narrowed import narrowed
from gradgen.simplify.nested_tests import nested_tests
from gradgen.simplify.passed_on import passed_on
from gradgen.simplify.picked import picked
from gradgen.simplify.placed import placed
from gradgen.simplify.powers import powers
from gradgen.simplify.products import products
from gradgen.simplify.saved import saved
from gradgen.simplify.scattered_whole import scattered_whole
from gradgen.simplify.stayed import stayed
from gradgen.simplify.stored import stored
from gradgen.simplify.pushed_sums import pushed_sums
from gradgen.simplify.solved import solved
from gradgen.simplify.solved_again import solved_again
from gradgen.simplify.summed_once import summed_once
from gradgen.simplify.row_sums import row_sums
from gradgen.simplify.scattered import scattered
from gradgen.simplify.summed_together import summed_together
from gradgen.simplify.selected_quotients import selected_quotients
from gradgen.simplify.sunk import sunk
from gradgen.simplify.taken_apart import taken_apart
from gradgen.simplify.tiled import tiled
from gradgen.simplify.twins import twins
from gradgen.simplify.unfilled import unfilled
from gradgen.simplify.whole_products import whole_products
from gradgen.target.numba_bounds import bounds
from gradgen.target.numba_filled import filled_with_arrays
from gradgen.target.numba_fillers import fillers
from gradgen.target.numba_lists import filled_arrays
from gradgen.target.numba_starts import starts
from gradgen.target.numba_nests import nests
from gradgen.target.numba_words import in_words
from gradgen.target.retarget import retarget
from tests.frontend.writing import written
from tests.passes import test_docstrings

# pass -> (primal, the arguments asked for, what is told)
SHIFTED = """
        def f(x, w, labels):
            z = x - x.max(axis=1, keepdims=True)
            p = z - np.log(np.exp(z).sum(axis=1, keepdims=True))
            return -np.sum({}p[np.arange(len(x)), labels])
        """
ENTROPY = {"shapes": {"x": "n k", "w": "n", "labels": "n:int"}}
NUMBERS_IN_A_LIST = """
def f(x, n=4):
    v = [x * k for k in range(n)]
    for i in range(n - 1):
        v[i] = v[i + 1] * v[i]
    return v[0]
"""
PASSES = {
    powers: (
        """
        def f(x):
            y = np.sin(x ** 3)
            return np.sum(y) ** 2
        """,
        "x",
        {"shapes": {"x": "n"}, "fast": True},
    ),
    contracted: (
        """
        def f(A, B):
            s = np.sum(A * B)
            c = A - B
            m = np.mean(c**2, axis=1)
            return s * np.sum(np.sin(m))
        """,
        "A",
        {"shapes": {"A": "n m", "B": "n m"}, "fast": True},
    ),
    multiplied: (
        """
        def f(Q, K):
            s = np.einsum("bqd,bkd->bqk", Q, K)
            return np.sum(np.sin(s))
        """,
        "Q",
        {"shapes": {"Q": "b q d", "K": "b k d"}, "fast": True},
    ),
    methods: (
        """
        def f(A, r):
            s = np.max(A, axis=1)
            m = np.mean(A)
            M = np.outer(s, r)
            return np.sum(np.sin(M)) * m
        """,
        ("A", "r"),
        {"shapes": {"A": "n m", "r": "k"}, "fast": True},
    ),
    reused: (
        """
        def f(x, m):
            e = np.exp(x - m)
            p = e / m
            p_sin = np.sin(p)
            return np.sum(p_sin * p_sin) ** 2
        """,
        "x",
        {"shapes": {"x": "n m", "m": "n 1"}, "fast": True},
    ),
    row_sums: (SHIFTED.format("w * "), "x", ENTROPY),
    scattered: (SHIFTED.format(""), "x", ENTROPY),
    picked: (
        """
        def f(z, y):
            e = np.exp(z)
            p = e / np.sum(e, axis=1, keepdims=True)
            rows = np.arange(len(z))
            return -np.sum(np.log(p[rows, y]))
        """,
        "z",
        {"shapes": {"z": "n k", "y": "n:int"}},
    ),
    sunk: (
        """
        def f(x):
            n = np.linalg.norm(x)
            if n == 0:
                out = x
            else:
                out = x / n
            return out
        """,
        "x",
        {"shapes": {"x": "3"}},
    ),
    branch_terms: (
        """
        def f(w, X, y, lam=None):
            r = X @ w - y
            loss = np.mean(r**2)
            if lam is not None:
                loss = loss + lam * np.sum(w**2)
            return loss
        """,
        "w",
        {"shapes": {"w": "d", "X": "n d", "y": "n", "lam": ""}},
    ),
    taken_apart: (
        """
        def f(state, sigma, rho, beta):
            x, y, z = state
            dx = sigma * (y - x)
            dy = x * (rho - z) - y
            dz = x * y - beta * z
            return np.array([dx, dy, dz])
        """,
        "state",
        {"shapes": {"sigma": "", "rho": "", "beta": ""}},
    ),
    hoisted: (
        """
        def f(x, r):
            m = x > 1
            power = np.zeros_like(x)
            if np.any(m):
                power[m] = x[m] * r
            return power
        """,
        "x",
        {"shapes": {"x": "n", "r": ""}},
    ),
    copied: (
        """
        def f(a):
            m = np.concatenate([a[:1], a, a[-1:]])
            return np.sum(m**3)
        """,
        "a",
        {"shapes": {"a": "n"}},
    ),
    twins: (
        """
        def f(x, c):
            L = np.sqrt(x @ x)
            return x[0] / L**3 + c / L**3
        """,
        "x",
        {"shapes": {"x": "n", "c": ""}, "value": True},
    ),
    conditionals: (
        "def f(a, b):\n    return np.maximum(a, 0.0) * b",
        "a",
        {"shapes": {"a": "", "b": ""}},
    ),
    floating_bases: (
        "def f(x, v):\n    return np.sum(v * x) + x[1] ** 2",
        "x",
        {"shapes": {"x": "n", "v": "n"}},
    ),
    as_arrays: ("def f(x):\n    return np.sum(x)", "x", {}),
    casts: (
        "def f(x):\n    x = np.asarray(x, dtype=float)\n    return np.sum(x**2)",
        "x",
        {"shapes": {"x": "n"}},
    ),
    dtypes: (
        "def f(S):\n    return np.trace(np.log(S))",
        "S",
        {"shapes": {"S": "n n"}},
    ),
    floating: ("def f(x):\n    return 0.5 * np.sum(x)", "x", {}),
    cached: (
        """
        def f(h, w, T):
            for t in range(T):
                gate = np.tanh(w * h)
                new = np.sin(h)
                h = gate * h + (1 - gate) * new
            return np.sum(h)
        """,
        "w",
        {"shapes": {"h": "n", "w": "n"}},
    ),
    halves: (
        """
        def f(x, y):
            m = y > 0
            return np.mean(x * np.exp(m))
        """,
        "x",
        {"shapes": {"x": "n", "y": "n"}},
    ),
    selected_quotients: (
        """
        def f(x, s):
            return np.sum(np.where(x > 9, x / s, 2 * x))
        """,
        "x",
        {"shapes": {"x": "n", "s": ""}},
    ),
    whole_products: (
        """
        def f(x, k, K):
            return np.einsum("i,ij,j->", x, K, k)
        """,
        "x",
        {"shapes": {"x": "n", "k": "m:int", "K": "n m:int"}},
    ),
    scattered_whole: (
        """
        def f(x, rows):
            total = np.sum(x[rows], axis=0)
            return np.sum(np.sin(total))
        """,
        "x",
        {"shapes": {"x": "n", "rows": "m k:int"}},
    ),
    unfilled: (
        """
        def f(x, w=None):
            r = np.sin(x)
            if w is not None:
                r = r * w
            return np.sum(r)
        """,
        "x",
        {"shapes": {"x": "n", "w": "n"}},
    ),
    narrowed: (
        """
        def f(x, y):
            s = np.sum(x * y, axis=1)
            return np.mean(np.maximum(s, 0))
        """,
        ("x", "y"),
        {"shapes": {"x": "n d", "y": "n d"}},
    ),
    endings: (
        """
        def f(x, P, F, n):
            for t in range(n):
                x = F @ x
                P = F @ P
            return np.sum(x) + np.sum(P**2)
        """,
        "F",
        {"shapes": {"x": "d", "P": "d d", "F": "d d"}},
    ),
    cleared: (
        """
        def f(x, w):
            s = np.zeros(len(x))
            for t in range(1, len(x)):
                s[t] = w * s[t - 1] + x[t]
            return s
        """,
        "x",
        {"shapes": {"x": "n", "w": ""}},
    ),
    flags: (
        """
        def f(x, kind="call"):
            if kind == "call":
                p = 2 * x
            elif kind == "put":
                p = 3 * x
            return np.sum(p ** 2)
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    stayed: (
        """
        def f(u, k, steps=3):
            for _ in range(steps):
                u[1:-1] = u[1:-1] + k * u[:-2]
            return np.sum(u * u)
        """,
        "u",
        {"shapes": {"u": "n", "k": ""}},
    ),
    reads_first: (
        """
        def f(u, k, steps=3):
            for _ in range(steps):
                u[1:-1] = u[1:-1] + k * (u[2:] - u[:-2])
            return np.sum(u * u)
        """,
        ("u", "k"),
        {"shapes": {"u": "n", "k": ""}},
    ),
    unpopped: (
        """
        def f(k, y, seen):
            sim = []
            for t in range(len(seen)):
                y = y - k * y
                sim.append(y)
            return np.sum((np.array(sim) - seen) ** 2)
        """,
        "k",
        {"shapes": {"k": "", "y": "", "seen": "n"}},
    ),
    number_lists: (NUMBERS_IN_A_LIST, "x", {"shapes": {"x": ""}}),
    added_numbers: (NUMBERS_IN_A_LIST, "x", {"shapes": {"x": ""}}),
    exits: (
        """
        def f(e):
            a = e[0]
            for t in range(1, len(e)):
                a = np.tanh(a + e[t])
            return np.sum(a)
        """,
        "e",
        {"shapes": {"e": "T k"}},
    ),
    rescaled: (
        """
        def f(x, w):
            x = x + 1
            x[1:] *= w
            return np.sum(x**2)
        """,
        "x",
        {"shapes": {"x": "n", "w": ""}},
    ),
    into_rows: (
        """
        def f(points):
            p = points[2]
            return p[0] * p[1]
        """,
        "points",
        {"shapes": {"points": "n d"}},
    ),
    placed: (
        """
        def f(x):
            gap = x[1:] - x[:-1]
            return np.sum(gap[:-1] ** 2)
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    balanced: (
        """
        def f(x):
            z_max = x.max(axis=1, keepdims=True)
            z = x - z_max
            lse = np.log(np.exp(z).sum(axis=1))
            return np.sum((lse - np.diag(z)) ** 2)
        """,
        "x",
        {"shapes": {"x": "n n"}},
    ),
    combined: (
        """
        def f(x):
            gap = x[1:] - x[:-1]
            return np.sum(np.sin(gap)) + np.sum(x[1:] ** 2)
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    fused_arms: (
        """
        def f(x, k):
            if k == 1:
                y = np.tanh(x)
            else:
                y = np.exp(x)
            return y
        """,
        ("x",),
        {"shapes": {"x": "n", "k": ""}},
    ),
    nested_tests: (
        """
        def f(x, kind):
            if kind == "a":
                return np.sum(x * x)
            elif kind == "b":
                return np.sum(3 * x)
            raise ValueError("no such kind")
        """,
        ("x",),
        {"shapes": {"x": "n"}},
    ),
    fused: (
        """
        def f(x, c):
            total = 0.0
            for i in range(len(x)):
                gap = x[i] - c
                total += np.sin(gap @ gap)
            return total
        """,
        "x",
        {"shapes": {"x": "n 3", "c": "3"}},
    ),
    even: (
        """
        def f(x):
            losses = []
            for i in range(len(x)):
                losses.append(x[i] ** 2)
            return np.mean(losses)
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    into_parts: (
        """
        def f(x, w, m):
            total = 0.0
            for k in range(4):
                total += np.sum(x[k : k + m] * w)
            (n,), (d,) = x.shape, w.shape
            return total / n / d
        """,
        "x",
        {"shapes": {"m": ":int"}},
    ),
    summed_once: (
        """
        def f(x, y, z):
            xy = x * y
            return np.sum(xy * z)
        """,
        "x",
        {"general": True},
    ),
    filled: (
        """
        def f(x, k):
            xk = x * k
            return np.sum(xk * 2)
        """,
        "x",
        {"general": True},
    ),
    passed_on: (
        """
        def f(x):
            total = 0.0
            for i in range(len(x)):
                total += x[i] ** 2
            return total
        """,
        "x",
        {"shapes": {"x": "*s"}},
    ),
    summed_together: (
        """
        def f(y, k):
            ky = k * y
            rate = np.exp(y)
            return np.sum(rate - ky)
        """,
        "y",
        {"shapes": {"y": "*s"}},
    ),
    at_once: (
        """
        def f(coef, t):
            p = np.zeros_like(t)
            for c in coef:
                p = p * t + c
            return np.sum(p)
        """,
        "coef",
        {"shapes": {"coef": "k", "t": "n"}},
    ),
    backwards: (
        """
        def f(x):
            s = 0.0
            for one in reversed(x):
                s = s * one + one
            return s
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    gathered: (
        """
        def g(x):
            return np.sin(x) * x

        def f(x, n):
            s = 0.0
            for _ in range(n):
                x = g(x)
                s += np.sum(x ** 3)
            return s
        """,
        "x",
        {"shapes": {"x": "n"}, "keep_calls": True},
    ),
    joins: (
        """
        def f(x):
            s = 0.0
            for i in range(3):
                s += np.sum(np.sin(x))
            return s
        """,
        "x",
        {"shapes": {"x": "n"}, "mode": "hvp"},
    ),
    retarget: (
        "def f(x, k):\n    return np.sum(x[k] ** 2)",
        "x",
        {"shapes": {"x": "n", "k": "m"}, "target": "jax"},
    ),
    in_words: (
        """
        def f(x, w, steps):
            for t in range(steps):
                x = np.sin(w * x)
            return np.sum(x)
        """,
        "x",
        {"shapes": {"x": "n", "w": ""}, "target": "numba"},
    ),
    nests: (
        "def f(x, w):\n    y = np.exp(w * x)\n    return np.sum(y * y)",
        "w",
        {"shapes": {"x": "n", "w": ""}, "target": "numba"},
    ),
    filled_with_arrays: (
        "def f(S, X):\n    return np.sum(S[:, :2].T @ X)",
        "S",
        {"shapes": {"S": "n n", "X": "n d"}, "target": "numba"},
    ),
    filled_arrays: (
        """
        def f(W, X):
            h = np.zeros(W.shape[0])
            for t in range(X.shape[0]):
                h = np.tanh(W @ h + X[t])
            return np.sum(h * h)
        """,
        "W",
        {"shapes": {"W": "m m", "X": "t m"}, "target": "numba"},
    ),
    fillers: (
        """
        def f(x, k):
            for i in range(k):
                if i > 1:
                    y = np.sin(x)
                    x = x * y
            return np.sum(x)
        """,
        "x",
        {"shapes": {"x": "n", "k": ":int"}, "target": "numba"},
    ),
    starts: (
        """
        def f(A):
            total = 0.0
            for i in range(len(A)):
                total = total + A[i]
            return np.sum(total * total)
        """,
        "A",
        {"shapes": {"A": "n m"}, "target": "numba"},
    ),
    bounds: (
        "def f(x, k):\n    y = x[0]\n    if k > 0:\n        y = x[7]\n    return y * y",
        "x",
        {"shapes": {"x": "n", "k": ""}, "target": "numba", "value": True},
    ),
    rounds: (
        """
        def f(X, Y):
            for i in range(len(Y)):
                X = X / Y[i]
            return np.sum(X)
        """,
        ("X", "Y"),
        {"shapes": {"X": "n", "Y": "m"}, "guard": True},
    ),
    saved: (
        """
        def f(x, w, T):
            h = x
            for t in range(T):
                h = np.tanh(w * h)
            return np.sum(h)
        """,
        "w",
        {"shapes": {"x": "n", "w": "n"}},
    ),
    inverses: (
        """
        def f(S):
            return np.log(np.linalg.det(S))
        """,
        "S",
        {"shapes": {"S": "n n"}},
    ),
    solved: (
        """
        def f(S, B):
            w = np.linalg.solve(S, B)
            v = np.linalg.solve(S, w)
            return np.sum(v**2) - np.log(np.linalg.det(S))
        """,
        ("B", "S"),
        {"shapes": {"S": "n n", "B": "n"}},
    ),
    pushed_sums: (
        """
        def f(b, X, W):
            z = (X + b) @ W
            return np.sum(z**2 * np.sin(z))
        """,
        ("b", "W"),
        {"shapes": {"b": "d", "X": "n d", "W": "d m"}},
    ),
    solved_again: (
        """
        def f(L, y):
            half = np.linalg.solve(L, y)
            alpha = np.linalg.solve(L.T, half)
            return y @ alpha + np.sum(np.log(np.diag(L)))
        """,
        "y",
        {"shapes": {"L": "n n", "y": "n"}},
    ),
    densities: (
        """
        def f(S, x):
            L = np.linalg.cholesky(S)
            z = np.linalg.solve(L, x)
            return 0.5 * (z @ z) + np.sum(np.log(np.diag(L)))
        """,
        ("x", "S"),
        {"shapes": {"S": "n n", "x": "n"}},
    ),
    logistic: (
        """
        def f(x):
            z = 0.5 * (1 + np.tanh(0.5 * x))
            return np.sum(np.sin(z))
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    products: (
        """
        def f(X, W):
            s = 0.0
            for t in range(len(X)):
                h = X[t] @ W
                s += np.sum(h * h)
            return s * s
        """,
        "W",
        {"shapes": {"X": "t n", "W": "n m"}},
    ),
    storage: (
        """
        def f(x):
            x[0] = np.sin(x[1])
            z = 2 * x[1:]
            x[1:] = z * z
            return np.sum(x * z[0])
        """,
        "x",
        {"shapes": {"x": "n"}},
    ),
    lengths: (
        "def f(x):\n    x = np.tanh(x)\n    return np.mean(x**3)",
        "x",
        {"shapes": {"x": "n"}},
    ),
    entries: (
        """
        def f(a, b, c):
            y = np.zeros(2)
            y[0] = a * c
            y[1] = a * b
            return y
        """,
        ("a", "b", "c"),
        {"shapes": {"a": "", "b": "", "c": ""}},
    ),
    stored: (
        """
        def f(x, w):
            y = np.zeros(len(x))
            y[0] = x[0]
            for t in range(1, len(x)):
                y[t] = w * x[t]
            return y
        """,
        "x",
        {"shapes": {"x": "n", "w": ""}},
    ),
    tiled: (
        """
        def f(q):
            w, x = q
            return np.sin(w * x) * x
        """,
        "q",
        {"shapes": {"q": "2"}},
    ),
}

# a pass without which its example is refused, by what stands there
REFUSED_WITHOUT = {filled_with_arrays: "np.full_like of an array"}
# a pass whose example is not seen beside a later one
HIDDEN_BY = {
    even: unpopped,
    row_sums: scattered,
    gathered: cached,
    contracted: methods,
    logistic: chained,
    floating: as_arrays,
}


def examples(function) -> list[str]:
    """The texts before and after in a docstring."""
    text = textwrap.dedent("    " + function.__doc__)
    found = re.search(r"\n( *before:.*?)\n( *after:.*?)(?:\n\n|\Z)", text, re.S)
    return [
        textwrap.dedent(re.sub("before:|after: ", "       ", block))
        for block in found.groups()
    ]


def code(text: str) -> str:
    """The text without comments."""
    lines = [line for line in text.splitlines() if not line.strip().startswith("#")]
    return "\n".join(lines)


def is_in(excerpt: str, text: str) -> bool:
    """Whether the lines stand together in a text, at one indentation."""
    indented = textwrap.indent(excerpt.strip("\n"), "    ")
    return indented in code(text)


def without(group, function):
    """A group of passes without one of them, inside its loops as well."""
    for item in group:
        if isinstance(item, Until):
            yield Until(tuple(without(item.passes, function)))
        elif item.run is not function:
            yield item


def left_out(function, monkeypatch):
    """Takes a pass out of the groups that the text is made by."""
    for name in ("SHORTER", "SAFER", "FASTER", "LIBRARY"):
        group = tuple(without(getattr(pipeline, name), function))
        monkeypatch.setattr(pipeline, name, group)


@pytest.mark.parametrize("function", PASSES, ids=lambda f: f.__name__)
def test_docstring_example(function, monkeypatch, tmp_path):
    text, wrt, told = PASSES[function]
    primal = written(text, tmp_path)
    before, after = examples(function)
    if function in HIDDEN_BY:
        left_out(HIDDEN_BY[function], monkeypatch)
    on = gradgen.emit(primal, wrt=wrt, **told)
    assert is_in(after, on) and not is_in(before, on), on
    left_out(function, monkeypatch)
    if function in REFUSED_WITHOUT:
        with pytest.raises(gradgen.GradgenError, match=REFUSED_WITHOUT[function]):
            gradgen.emit(primal, wrt=wrt, **told)
        return
    off = gradgen.emit(primal, wrt=wrt, **told)
    assert is_in(before, off) and not is_in(after, off), off


def test_every_pass_of_the_table_has_an_example():
    shown = {*PASSES, *test_docstrings.PASSES}
    assert not {one.name for one in passes.every_pass() if one.run not in shown}
