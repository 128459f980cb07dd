"""Arrays of rank 0 are changed in place like other arrays, and kept apart."""

import numpy as np

import gradgen
from gradgen.verify.finite import numeric_gradient


def repeated(u, b, steps):
    total = np.sum(b * b)
    t = u[1]
    for i in range(steps):
        r = u[1]
        t = -0.4 * total
    return np.sum(np.sin(u)) + t**2 + total + r


def views(A):
    t = A[1, 1]
    flip = A.T
    return np.sum(A) + np.sum(flip) + t


def test_a_number_that_is_read_again_is_not_changed():
    u, b = np.array([0.3, -0.8, 1.1]), np.array([0.4, 0.9])
    for shapes in ({}, {"u": "n"}, {"b": "m"}, {"u": "n", "b": "m"}):
        gradient = gradgen.grad(repeated, wrt=("u", "b"), shapes=shapes)
        for steps in (1, 3):
            found = gradient(u, b, steps)
            for k in range(2):
                want = numeric_gradient(repeated, [u, b, steps], k, 1.0)
                np.testing.assert_allclose(found[k], want.value, rtol=1e-8)


def test_one_number_repeated_is_an_array_where_parts_are_added():
    A = np.arange(6.0).reshape(2, 3)
    for shapes in ({}, {"A": "n m"}):
        found = gradgen.grad(views, shapes=shapes)(A)
        np.testing.assert_array_equal(found, [[2, 2, 2], [2, 3, 2]])
