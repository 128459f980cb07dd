"""An array ahead of a loop that is a list in its rounds: p = q, then p = [f(p[0]), p[1]]."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def undistorted(q, k):
    p = q
    for _ in range(5):
        r = k * (p[0] ** 2 + p[1] ** 2)
        p = [q[0] - r * p[0], q[1] - r * p[1]]
    return p[0] + p[1] ** 2


def halved(q, k):
    x = q
    n = 0
    while abs(x[0] - k) > 1e-3 and n < 40:
        x = (x[0] - 0.5 * (x[0] - k), x[1] * 0.9)
        n = n + 1
    return x[0] * x[1]


def of_arms(q, k):
    p = q
    for i in range(4):
        if i % 2:
            p = [p[1] * k, p[0]]
    return p[0] * 3.0 + p[1]


TAKEN = (undistorted, halved, of_arms)


def returned(q, k):
    p = q
    for _ in range(2):
        p = [p[0] * k, p[1]]
    return np.sum(np.asarray(p) ** 2)


def longer(q, k):
    p = q
    for _ in range(2):
        p = [p[0] * k, p[1], 1.0]
    return p[0] + p[2]


def from_behind(q, k):
    p = q
    for _ in range(2):
        p = [p[-2] * k, p[-1]]
    return p[0] + p[1]


def stored(q, k):
    p = q
    for _ in range(2):
        p = [p[0] * k, p[1]]
        p[0] = 2.0 * p[1]
    return p[0] + p[1]


def changed_in_rounds(x, k):
    p = x
    for i in range(3):
        x[0] = 3.0 * x[1]
        p = [p[0] * 2.0, p[1] + x[0]]
    return p[0] * p[1]


def changed_ahead(x, k):
    p = x
    x[0] = 7.0
    for i in range(3):
        p = [p[0] * 2.0, p[1] + 1]
    return p[0] * p[1]


ODD = (returned, longer, from_behind, stored, changed_in_rounds, changed_ahead)
VALUES = ([0.2, 0.3], (0.2, 0.3), np.array([0.2, 0.3]))


@pytest.mark.parametrize("q", VALUES, ids=lambda q: type(q).__name__)
@pytest.mark.parametrize("f", TAKEN)
def test_of_lists_tuples_and_arrays(f, q):
    want = numeric_gradient(f, (np.array(q), 0.1), 0).value
    found = gradgen.grad(f)(q, 0.1)
    assert type(found) is type(q)
    np.testing.assert_allclose(found, want, rtol=1e-6)
    for example in ({}, {"example": (q, 0.1)}):
        space = {}
        exec(gradgen.emit(f, **example), space)
        found = space[f"grad_{f.__name__}"](q, 0.1)
        np.testing.assert_allclose(found, want, rtol=1e-6)


@pytest.mark.parametrize("f", ODD)
def test_others_are_right_or_refused(f):
    q = np.array([0.2, 0.3, 0.4])
    for door in (lambda: gradgen.grad(f), lambda: made(f)):
        try:
            found = door()(q.copy(), 0.1)
        except (gradgen.GradgenError, IndexError, ValueError):
            continue
        want = numeric_gradient(lambda q: f(q.copy(), 0.1), (q,), 0).value
        np.testing.assert_allclose(found, want, rtol=1e-6)


def made(f):
    space = {}
    exec(gradgen.emit(f), space)
    return space[f"grad_{f.__name__}"]
