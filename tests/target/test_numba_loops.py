"""Loops of texts for numba: indices that need no check, fused nests, loops in two."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.target.numba_texts import function_of


def inner_points(u):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            u[i, j] += 0.2 * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] - 3 * u[i, j])
    return np.sum(u * u)


def triangle(A):
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(i):
            s += A[i, j] * A[j, i] ** 2 * A[i - j, j]
    return s


def backwards(x):
    s = 0.0
    for i in range(len(x) - 2, -1, -1):
        s = 0.5 * s + x[i] * x[i + 1]
    return s


def windows(x, kernel, y):
    rows = len(y)
    out = np.zeros_like(y)
    for i in range(len(kernel)):
        out += kernel[i] * x[i : i + rows]
    return np.sum(np.tanh(out) * y)


def weighed_sums(x, w):
    out = np.zeros_like(w)
    for k in range(len(w)):
        out[k] = np.sum(w[k] * x**2)
    return np.sum(out * np.cos(out))


def scattered(u):
    v = u[:-2] * u[1:-1] + np.sin(u[2:])
    for _ in range(2):
        v[1:] += 0.3 * v[:-1]
    return np.sum(v * v)


def rates(x, y, a, b):
    for _ in range(3):
        xy = x * y
        x, y = x + 0.1 * (a * x - b * xy), y + 0.1 * (b * xy - a * y)
    return np.sum(x * x + y)


def gates(W, x):
    c = np.zeros_like(x)
    for t in range(3):
        parts = (W @ (x + c)).reshape(2, x.shape[0])
        c = np.tanh(parts[0]) * c + np.tanh(parts[1])
    return np.sum(c * c)


def heads(Q, K):
    scores = np.einsum("bnd,bmd->bnm", Q, K)
    weights = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return np.mean(np.einsum("bnm,bmd->bnd", weights, K) ** 2)


def solved(A, x):
    return np.sum(np.linalg.solve(A + 4 * np.eye(len(x)), x) ** 2)


def history(x, steps):
    past = [x]
    for _ in range(steps):
        past.append(np.sin(past[-1]) * 0.5)
    return np.sum(np.array(past[1:]) ** 2)


def centred(X):
    away = X - np.mean(X, axis=0)
    return np.mean(away**3) + np.sum(np.mean(away * away, axis=1, keepdims=True) ** 2)


def out_of_part(g):
    g = g.copy()
    part = g[1:-1]
    np.sin(part, out=part)
    part[...] = part * part[0]
    return np.sum(np.cos(g))


# facts, and whether all indices are surely inside
PROGRAMS = {
    inner_points: ({"u": "n m"}, True),
    triangle: ({"A": "n n"}, True),
    backwards: ({"x": "n"}, True),
    windows: ({"x": "k+n-1", "kernel": "k", "y": "n"}, True),
    weighed_sums: ({"x": "n", "w": "m"}, True),
    scattered: ({"u": "n"}, True),
    rates: ({"x": "n", "y": "n", "a": "", "b": ""}, True),
    gates: ({"W": "2*n n", "x": "n"}, True),
    heads: ({"Q": "b n d", "K": "b m d"}, True),
    solved: ({"A": "n n", "x": "n"}, True),
    history: ({"x": "n"}, True),
    centred: ({"X": "n m"}, True),
    out_of_part: ({"g": "n"}, True),
}
COMPILED = [pytest.param(False, id="as-python")] + [
    pytest.param(True, id="compiled", marks=pytest.mark.libraries)
]


def text_of(function):
    shapes = PROGRAMS[function][0]
    return gradgen.emit(function, wrt=tuple(shapes), shapes=shapes, target="numba")


def arguments(function):
    rng = np.random.default_rng(4)
    sizes = {"n": 4, "m": 5, "k": 3, "d": 2, "b": 2}
    drawn = []
    for fact in PROGRAMS[function][0].values():
        shape = tuple(eval(one, {}, dict(sizes)) for one in fact.split())
        value = rng.uniform(0.4, 1.6, shape)
        drawn.append(value if shape else float(value))
    return [*drawn, 3] if function is history else drawn


@pytest.mark.parametrize("compiled", COMPILED)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_gradients_agree_with_differences(function, compiled):
    if compiled:
        pytest.importorskip("numba")
    args = arguments(function)

    def owned(*given):
        return function(*(a.copy() if isinstance(a, np.ndarray) else a for a in given))

    got = function_of(text_of(function), compiled)(*args)
    got = got if isinstance(got, tuple) else (got,)
    for at, one in enumerate(got):
        want = numeric_gradient(owned, args, at).value
        assert np.shape(one) == np.shape(want)
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_indices_that_are_surely_inside_are_not_looked_at(function):
    assert ("boundscheck" not in text_of(function)) == PROGRAMS[function][1]


def of_an_argument(x, k):
    s = 0.0
    for i in range(k):
        s += x[i] ** 2
    return s


def twice_as_far(x):
    s = 0.0
    for i in range(len(x)):
        s += x[2 * i] ** 2
    return s


def of_another(x, y):
    s = 0.0
    for i in range(len(y)):
        s += x[i] * y[i]
    return s


def before_the_first(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i - len(x) - 1] ** 2
    return s


PAST = {
    of_an_argument: ({"x": "n"}, (np.ones(3), 5)),
    twice_as_far: ({"x": "n"}, (np.ones(3),)),
    of_another: ({"x": "n", "y": "m"}, (np.ones(3), np.ones(4))),
    before_the_first: ({"x": "n"}, (np.ones(3),)),
}


@pytest.mark.parametrize("function", PAST, ids=lambda f: f.__name__)
def test_what_may_be_outside_is_looked_at(function):
    shapes, _ = PAST[function]
    text = gradgen.emit(function, wrt="x", shapes=shapes, target="numba")
    assert "boundscheck=True" in text


@pytest.mark.libraries
@pytest.mark.parametrize("function", PAST, ids=lambda f: f.__name__)
def test_outside_raises(function):
    pytest.importorskip("numba")
    shapes, args = PAST[function]
    text = gradgen.emit(function, wrt="x", shapes=shapes, target="numba")
    with pytest.raises(IndexError):
        function(*args)
    with pytest.raises(IndexError):
        function_of(text, compiled=True)(*args)


@pytest.mark.parametrize("size", [(6, 3, 5), (8, 3, 5)])
def test_a_window_past_the_end_raises(size):
    """The loops go to k + n - 1: another length would be read past its end."""
    function = function_of(text_of(windows))
    with pytest.raises(ValueError, match="axis 0 of x"):
        function(*map(np.ones, size))


def test_rows_of_other_lengths_raise():
    from templates.helpers_numba import _rows_of

    with pytest.raises(ValueError, match="different shapes"):
        _rows_of([np.ones(3), np.ones(2)])
    np.testing.assert_array_equal(_rows_of([np.ones((2, 3))] * 2), np.ones((2, 2, 3)))


def test_numbers_of_sums_end_no_nest():
    """The way back of a step is one nest, with sums of a and b in it."""
    text = text_of(rates)
    way_back = text[text.index("# Grad of: for _") :]
    assert way_back.count(" in range(x") <= 2
    assert "np.empty" in way_back and way_back.count("np.empty") == 2


def test_two_places_are_added_to_by_two_loops():
    lines = [line.strip() for line in text_of(scattered).splitlines()]
    for before, line in zip(lines, lines[1:]):
        added = "+= " in line and "+= " in before and "d_" in line and "[" in line
        assert not (added and line.split("[")[0] == before.split("[")[0])


def test_stores_are_of_numbers_alone():
    """numba compiles the store of an array into a part of another for seconds."""
    for function in (heads, gates, weighed_sums, windows):
        lines = [one.partition("#")[0] for one in text_of(function).splitlines()]
        text = "\n".join(lines)
        assert "np.transpose" not in text and "np.stack" not in text
        assert "np.sum" not in text
