"""What may be None, and NumPy makes an array of: without axes where it is None."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.rules.load import operations
from tests.fuzz.program import imported


def in_a_loop(x, w=None, k=2):
    for _ in range(k):
        if np.asarray(w).ndim == 0:
            x = x / len(x)
        else:
            w = np.ones_like(x)
    return np.sum(x)


def behind_a_branch(x):
    w = None
    if x[0] > 0:
        w = np.ones_like(x)
    if np.atleast_1d(w).ndim == 1 and np.array(w).ndim == 0:
        x = x * 2
    return np.sum(x)


SWEPT = """
import numpy as np

def f(x):
    w = None
    if x[0] > 0:
        w = np.ones_like(x)
    if np.{0}(w).ndim == np.{0}(None).ndim and np.{0}(w).size == np.{0}(None).size:
        x = x * 2
    return np.sum(x)
"""


def makes_an_array(name):
    """Whether NumPy makes something of None that has axes, or says that it has none."""
    try:
        return isinstance(getattr(np, name)(None), (np.ndarray, np.generic))
    except (TypeError, ValueError, AttributeError, IndexError):
        return False


NAMES = [n for n in dir(np) if f"numpy.{n}" in operations() and makes_an_array(n)]


@pytest.mark.parametrize("name", NAMES)
def test_whatever_numpy_makes_of_none_is_right_or_refused(name):
    function = imported(SWEPT.format(name), "f")
    for first in (0.3, -0.3):
        x = np.array([first, 0.4, 0.5])
        try:
            value = gradgen.value_and_grad(function)(x)[0]
        except GradgenError:
            continue
        assert value == function(x)


def filled(x, w=None):
    if w is None:
        w = np.ones(len(x))
    return np.sum(np.asarray(w) * x)


def in_an_arm(x, w=None):
    return np.sum(x * (1.0 if w is None else np.asarray(w)))


@pytest.mark.parametrize("function", [in_a_loop, behind_a_branch])
@pytest.mark.parametrize("first", [0.3, -0.3])
def test_refused(function, first):
    x = np.array([first, 0.4, 0.5])
    with pytest.raises(GradgenError, match="may be None here"):
        gradgen.value_and_grad(function)(x)


@pytest.mark.parametrize("function", [filled, in_an_arm])
@pytest.mark.parametrize("w", [(), (np.array([1.0, 2.0, 3.0]),)])
def test_what_is_looked_at_first_is_taken(function, w):
    x = np.array([0.3, 0.4, 0.5])
    value, found = gradgen.value_and_grad(function)(x, *w)
    assert value == function(x, *w)
    np.testing.assert_array_equal(found, w[0] if w else np.ones(3))
