"""The one value of a set: what all of several are."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

X = np.array([0.3, 0.9, 1.4])


def _all_are(kind, *values):
    found = set(isinstance(value, kind) for value in values)
    if len(found) == 1:
        return found.pop()
    raise TypeError("of several kinds")


def of_one_kind(x):
    return np.sum(x * x) if _all_are(np.ndarray, x, 2 * x) else np.sum(x)


def of_literals(x, names=("a", "a")):
    kinds = set(names)
    return np.sum(x) * (2 if kinds.pop() == "a" else 1)


def under_another_name(x):
    places = {2}
    same = places
    k = places.pop()
    return x[k] ** 2 * (len(same) + 3)


def in_a_branch(x):
    counts = {3}
    k = counts.pop() if len(counts) == 1 else 0
    return np.sum(x) * k * (1 + len(counts))


FORMS = [of_one_kind, of_literals, under_another_name, in_a_branch]


@pytest.mark.parametrize("f", FORMS)
def test_what_is_taken_from_a_set(f):
    wanted = [(f(X + h) - f(X - h)) / 2e-6 for h in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-8, atol=1e-9)


def of_two(x):
    return np.sum(x) * {1, 2}.pop()


def named_of_two(x):
    places = {1, 2}
    return x[places.pop()]


@pytest.mark.parametrize("f", [of_two, named_of_two])
def test_one_of_several_is_refused(f):
    with pytest.raises(GradgenError, match="GG241"):
        gradgen.emit(f)
