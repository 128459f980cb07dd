"""Names that each round binds to a view of what an outer loop changes."""

import numpy as np
import pytest

import gradgen
from gradgen import GradgenError
from gradgen.verify.finite import numeric_gradient


def of_slices(c, n, m):
    c = c.copy()
    for _ in range(n):
        c[1] -= 0.3
        for _ in range(m):
            v = c[:2]
            c[0] += v[1] * v[0]
    return np.sum(c * c)


def in_a_while_loop(c, n, m):
    c = c.copy()
    for _ in range(n):
        c *= 0.9
        k = 0
        while k < m:
            v = c[1:]
            c[0] += v[1] * v[0]
            k += 1
    return np.sum(c * c)


def over_rows(c, n, m):
    u = np.outer(c, c)
    for _ in range(n):
        u *= 0.9
        for row in u:
            row += 0.1 * m * row[0]
    return np.sum(u**2)


def of_three_loops(c, n, m):
    c = c.copy()
    for _ in range(n):
        c[1] -= 0.3
        for k in range(m):
            w = c[:2] * 2
            for j in range(k + 1):
                u = c[j:]
                u[0] += w[1] * u[1]
    return np.sum(c * c)


def of_two_names(c, n, m):
    c = c.copy()
    for _ in range(n):
        c[2] *= 0.5
        for _ in range(m):
            first, last = c[:2], c[1:]
            first *= 0.9
            last += 0.1 * first[0]
    return np.sum(c * c)


def by_an_arm(c, n, m):
    c = c.copy()
    for i in range(n):
        c[1] -= 0.3
        for k in range(m):
            if k != i:
                v = c[k:]
                v[0] += 0.5 * v[1] * v[0]
    return np.sum(c * c)


EACH = [of_slices, in_a_while_loop, over_rows, of_three_loops, of_two_names, by_an_arm]


@pytest.mark.parametrize("n, m", [(0, 2), (3, 0), (1, 1), (3, 2), (2, 3)])
@pytest.mark.parametrize("function", EACH)
def test_bound_before_it_is_read(function, n, m):
    c = np.array([0.4, 0.7, 1.1, 0.3])
    want = numeric_gradient(function, [c, n, m], 0).value
    found = gradgen.grad(function)(c, n, m)
    assert found.dtype == c.dtype and np.allclose(found, want, rtol=1e-8, atol=1e-10)


def read_first(c):
    c = c.copy()
    v = c[:2]
    for _ in range(2):
        c[1] -= 0.3
        for k in range(2):
            if k == 0:
                c[0] += v[1]
            v = c[1:]
    return np.sum(c * c)


def read_behind(c):
    c = c.copy()
    for _ in range(2):
        c[1] -= 0.3
        for k in range(2):
            v = c[k:]
            c[0] += v[1]
    return np.sum(c * c) + v[0]


@pytest.mark.parametrize("function", [read_first, read_behind])
def test_what_is_read_of_another_round_is_refused(function):
    with pytest.raises(GradgenError, match="GG220 v may or may not share memory"):
        gradgen.grad(function)(np.array([0.4, 0.7, 1.1]))
