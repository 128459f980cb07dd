"""np.histogram between two numbers: its edges move with them."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, 1.2, 0.8, 2.2])


def edges(x, low, high):
    _, found = np.histogram(x, bins=4, range=(low, high))
    return np.sum(found**2 * np.arange(5))


def shares(x, low, high):
    counts, found = np.histogram(x, bins=4, range=(low, high), density=True)
    return np.sum(found**2 * np.arange(5)) + np.sum(counts**3)


def weighed(x, low, high):
    counts, found = np.histogram(x, 4, (low, high), weights=x)
    return np.sum(found**2 * np.arange(5)) + np.sum(counts**2)


def most_frequent(x, low, high):
    counts, found = np.histogram(x, bins=5, range=(np.min(x) * low, np.max(x) * high))
    return found[np.argmax(counts)]


@pytest.mark.parametrize("which", [0, 1, 2])
@pytest.mark.parametrize("function", [edges, shares, weighed, most_frequent])
def test_calls_and_texts(function, which):
    args = (X, 0.7, 1.3) if function is most_frequent else (X, 0.1, 2.5)
    name = ("x", "low", "high")[which]
    want = numeric_gradient(function, args, which).value
    got = gradgen.grad(function, name)(*args)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)
    space = {}
    exec(gradgen.emit(function, wrt=name, shapes={"x": "n"}), space)
    got = space[f"grad_{function.__name__}"](*args)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9)


def by_an_array(x, both):
    return np.sum(np.histogram(x, 4, both)[1] ** 2)


def test_a_range_under_a_name_is_refused():
    with pytest.raises(gradgen.GradgenError, match="np.histogram in its range"):
        gradgen.grad(by_an_array, "both")(X, np.array([0.1, 2.5]))
    with pytest.raises(gradgen.GradgenError):
        gradgen.jvp(edges, "low")(X, 0.1, 2.5, 1.0)
