"""Lists of numbers of the module, states that begin with one, and losses item by item.

Each text is called with arguments of many shapes, lists of them and of both dtypes: it
is right, in value, shape and dtype, or raises what it assumes.
"""

import math

import numpy as np
import pytest

import gradgen
from tests.signature.sweep import sweep, text_of
from tests.signature.test_parameters_of_models import is_right

RNG = np.random.default_rng(490)

LINKS = [(0.0, 1.57, 0.089), (-0.425, 0.0, 0.1), (-0.392, 0.3, 0.0), (0.1, -1.57, 0.2)]
JOINTS = np.array([(0.1, math.pi / 2), (0.3, 0.0), (-0.2, math.pi / 4)])
TERMS = [(1.0, 0.5, 0.25), (0.125, 0.3, 0.2), (0.2, 0.3, 0.3), (0.2, 0.1, 0.3)]
POWERS = (1.0, 0.5, 0.25, 0.125, 0.3, 0.2)
WEIGHTS = [0.5, 1.5, 2.5, 0.25]


def real(*shape):
    return RNG.normal(size=shape)


def link(a, alpha, theta):
    c, s = np.cos(theta), np.sin(theta)
    return np.array(
        [[c, -s * np.cos(alpha), a], [s, c * np.cos(alpha), 0.5], [0, 0, 1]]
    )


def arm(q):
    T = np.eye(3)
    for i, (a, alpha, d) in enumerate(LINKS):
        T = T @ link(a + d, alpha, q[i])
    return T[0, 2] + T[1, 2] ** 2


def hinged(q):
    T = np.eye(3)
    for i in range(3):
        a, alpha = JOINTS[i]
        T = T @ link(a, alpha, q[i])
    return np.sum(T**2)


def polynomial(x):
    y = 0.0
    for c in POWERS:
        y = y * x + c
    return y


def series(t):
    s = 0.0
    for amplitude, w, p in TERMS:
        s += amplitude * np.cos(w * t + p)
    return s


def weighed(x):
    total = 0.0
    for i in range(len(x)):
        total += WEIGHTS[i] * x[i] ** 2
    return total


def rows(x):
    y = 0.0
    for i in range(len(x)):
        a, b, c = TERMS[i]
        y = y * b + a * x[i] ** 2 + c
    return y


def last_but_one(x):
    y, before = 1.0, 0.0
    for c in POWERS:
        before = y
        y = y * x + c
    return np.sum(y * before)


def scaled_first(x, b):
    # the first round's z is a number, and what is summed has one entry
    y, total = 1.0, 0.0
    for c in POWERS:
        z = y * b
        total += np.sum(z)
        y = y * x + c
    return total + np.sum(y)


def mean_of_items(x, y):
    losses = []
    for i in range(len(x)):
        e = x[i] - y[i]
        losses.append(e**2)
    return np.mean(losses)


def sum_of_items(x, y):
    losses = []
    for i in range(len(x)):
        losses.append(np.sin(x[i] - y[i]))
    return sum(losses)


def comprehended(x, y):
    return np.exp(np.mean([(a - b) ** 2 for a, b in zip(x, y)]))


def twice_a_round(x):
    found = []
    for i in range(len(x)):
        found.append(np.sin(x[i]))
        found.append(x[i] ** 2)
    return np.sum(found) / len(found)


def norms(points, centre):
    found = []
    for p in points:
        found.append(np.linalg.norm(p - centre))
    return np.mean(found)


def beside_one(point, views, seen):
    whole, errors = np.hstack((point, 1)), []
    for i in range(len(seen)):
        ray = views[i].dot(whole)
        gap = ray[:2] / ray[2] - seen[i]
        errors.append(gap[0])
        errors.append(gap[1])
    return np.sum(np.array(errors) ** 2)


def appended(points, P):
    total = 0.0
    for i in range(len(points)):
        p = np.append(points[i], 1)
        total += np.sum(np.dot(P, p) ** 2)
    return total


def projected(X, P, seen):
    rays = np.hstack((X, np.ones((len(X), 1)))) @ P.T
    return np.sum(np.linalg.norm(seen - rays[:, :2] / rays[:, 2:3], axis=1) ** 2)


def bonds(u, neighbours, k):
    gaps = u[neighbours] - u[:, None]
    return 0.5 * k * np.sum(gaps**2)


def driven(u, x0, dt):
    x, cost = x0.copy(), 0.0
    for k in range(len(u)):
        x[0:2] += dt * x[2:4]
        x[2:4] += dt * u[k, 0:2]
        gap = x[:2] - np.array([1.0, -1.0])
        cost += np.dot(gap, gap) + 0.1 * np.dot(u[k], u[k])
    return cost


NEXT = np.array([[1, 2], [0, 3], [3, 0], [2, 1]])
OTHERS = [real(3), real(4), real(2, 2), real(3, 3), 0.7, np.array(0.7)]
# a function, the argument of its gradient, what its text says, usual arguments
CASES = [
    (arm, "q", "LINKS = [ [0.0, 1.57, 0.089]", (real(4),)),
    (hinged, "q", "math.pi / 2", (real(3),)),
    (polynomial, "x", "POWERS[i]", (real(2, 3),)),
    (polynomial, "x", "Shapes: x (*s)", (0.3,)),
    (series, "t", "amplitude, w, p = TERMS[i]", (real(4),)),
    (series, "t", "Shapes: t (*s)", (0.3,)),
    (weighed, "x", "WEIGHTS[i]", (real(4),)),
    (rows, "x", "TERMS = [[1.0, 0.5, 0.25]", (real(4),)),
    (last_but_one, "x", "", (real(3),)),
    (scaled_first, "x", "", (real(3), 0.7)),
    (scaled_first, "b", "", (real(3), 0.7)),
    (mean_of_items, "x", "d_loss = d_out / len(x)", (real(4), real(4))),
    (mean_of_items, "y", "d_loss = d_out / len(x)", (real(4), real(4))),
    (sum_of_items, "x", "x is a vector", (real(4), real(4))),
    (comprehended, "x", "x is a vector", (real(4), real(4))),
    # as long as the text for vectors, and right for rows
    (twice_a_round, "x", "x (*s), d_out () -> d_x (*s)", (real(4),)),
    (norms, "centre", "d_out / len(", (real(4, 3), real(3))),
    (beside_one, "point", "np.shape(views)[2]", (real(3), real(4, 3, 4), real(4, 2))),
    (appended, "points", "points is a matrix", (real(5, 3), real(2, 4))),
    (projected, "P", "P (3, ", (real(5, 3), real(3, 4), real(5, 2))),
    (bonds, "u", "neighbours is a matrix", (real(4), NEXT, 0.7)),
    (driven, "u", "d_x[:2] += 2 * d_cost * ", (real(4, 2), real(4), 0.1)),
    (driven, "x0", "d_x[:2] += 2 * d_cost * ", (real(4, 2), real(4), 0.1)),
]
IDS = [f"{function.__name__}-{wrt}-{i}" for i, (function, wrt, *_) in enumerate(CASES)]


@pytest.mark.parametrize("function, wrt, words, args", CASES, ids=IDS)
def test_right_for_usual_arguments_and_right_or_raised_for_others(
    function, wrt, words, args
):
    text, gradient = text_of(function, [wrt])
    assert " ".join(words.split()) in " ".join(text.split())
    assert function in (last_but_one, scaled_first, norms) or "def _" not in text
    is_right(function, gradient, [wrt], args)

    def right(given):
        is_right(function, gradient, [wrt], given)

    names = function.__code__.co_varnames[: len(args)]
    others = {name: OTHERS for name in names if name != "neighbours"}
    assert sweep(function, gradient, right, args, others)


@pytest.mark.parametrize("function", [polynomial, series, weighed, rows, mean_of_items])
def test_float32_stays_float32(function):
    count = function.__code__.co_argcount
    args = [real(4).astype(np.float32) for _ in range(count)]
    _, gradient = text_of(function, None)
    found = gradient(*args)
    assert found.dtype == np.float32
    exact = gradient(*(one.astype(float) for one in args))
    np.testing.assert_allclose(found, exact, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("function", [sum_of_items, rows, weighed])
def test_no_rounds_leave_zeros(function):
    args = [np.zeros(0)] * function.__code__.co_argcount
    _, gradient = text_of(function, None)
    with np.errstate(all="ignore"):
        assert gradient(*args).shape == (0,)


def test_rounds_are_written_out_where_loops_would_be_longer():
    def f(x):
        y = 0.0
        for c in (0.5, 1.5):
            y = y * x + c
        return np.sum(y)

    assert "for " not in gradgen.emit(f).split('"""')[2].split("# Grad")[0]


def test_a_list_that_changes_is_no_table():
    def f(x):
        w = [0.5, 1.5, 2.5]
        total = 0.0
        for i in range(3):
            total += w[i] * x[i]
            w[i] = x[i] ** 2
        for i in range(3):
            total += w[i] * x[i]
        return total

    x = real(3)
    np.testing.assert_allclose(
        gradgen.grad(f)(x), [0.5, 1.5, 2.5] + 3 * x**2, rtol=1e-12
    )


def test_out_is_read_behind_the_arguments():
    class Counter:
        def __init__(self, a):
            self.n, self.a = 0, a

        def number(self):
            self.n += 1
            return 1.0 * self.n

        def array(self):
            self.n += 1
            return self.a

    def f(x):
        p = Counter(x * 1.0)
        np.add(p.array(), p.number(), out=p.array())
        q = Counter(x * 2.0)
        np.multiply(q.number(), q.array(), out=q.array())
        r = Counter(x * 3.0)
        np.subtract(r.array(), r.number(), where=r.number() > 0, out=r.array())
        return np.sum(p.a**2 + q.a**2 + r.a**2) * p.n * q.n * r.n

    x = real(3)
    is_right(f, gradgen.grad(f), ["x"], (x,))
