"""x += y where y needs more room than x has: NumPy raises, and so does the text."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def added(x, y):
    x += y
    return np.sum(np.sin(x))


def read_before(x, y):
    z = x * 2
    w = z * z
    z -= np.sin(y)
    return np.sum(w) * np.sum(np.sin(z))


def twice(x, y):
    x *= y
    x += y
    return np.sum(np.exp(x))


def in_a_branch(x, y):
    if np.sum(y) > 0:
        x /= y
    return np.sum(x**3)


def in_rounds(x, y):
    for i in range(3):
        x += y * i
    return np.sum(x**3)


def of_both(x, y):
    z = np.sin(x)
    z -= y * x
    return np.sum(z * z)


FUNCTIONS = [added, read_before, twice, in_a_branch, in_rounds, of_both]
SMALL = [
    ((3, 1), (3, 2)),
    ((1,), (3,)),
    ((3,), (2, 3)),
    ((1, 3), (2, 3)),
    ((3, 1), (2,)),
    ((3,), (1, 3)),
]
LARGE = [((), (3,)), ((2, 3), (3,)), ((3,), (3,)), ((2, 3), (2, 1)), ((3,), ())]


def gradients(function):
    space = {}
    exec(gradgen.emit(function, general=True), space)
    return gradgen.grad(function), space[f"grad_{function.__name__}"]


def arguments(shapes):
    drawn = [np.random.default_rng(4).uniform(0.5, 1.5, one) for one in shapes]
    return [one if np.ndim(one) else float(one) for one in drawn]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shapes", SMALL)
def test_what_has_no_room_raises(function, shapes):
    given = arguments(shapes)
    with pytest.raises(ValueError):
        function(*map(np.copy, given))
    for gradient in gradients(function):
        with pytest.raises(ValueError, match="broadcast"):
            gradient(*map(np.copy, given))


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("shapes", LARGE)
def test_what_has_room_is_right(function, shapes):
    given = arguments(shapes)
    wanted = numeric_gradient(function, given, 0).value
    for gradient in gradients(function):
        found = gradient(*given)
        assert np.shape(found) == shapes[0]
        np.testing.assert_allclose(found, wanted, rtol=1e-6)
