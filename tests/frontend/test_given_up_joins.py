"""What the arms of a branch hand on may be refused where they meet: with its code."""

import copy

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError


def names_kept(x, names=None):
    spread = np.ptp(x, axis=0)
    said = None
    if np.any(spread == 0):
        if names:
            gone = [names[i] for i in np.nonzero(spread == 0)[0]]
            said = "Variables " + str(gone)
            names[:] = [names[i] for i in np.nonzero(spread > 0)[0]]
        else:
            said = "one"
    return x * 2, names, said


def copies_kept(x, names=None):
    kept = copy.copy(names)
    spread = np.ptp(x, axis=0)
    said = None
    if np.any(spread == 0):
        if kept:
            gone = [kept[i] for i in np.nonzero(spread == 0)[0]]
            said = "Variables " + str(gone)
            kept[:] = [kept[i] for i in np.nonzero(spread > 0)[0]]
        else:
            said = "one"
    return x * 2, kept, said


@pytest.mark.parametrize("function", [names_kept, copies_kept])
def test_texts_are_refused_with_a_place(function):
    with pytest.raises(GradgenError) as found:
        gradgen.emit(function)
    assert not found.value.code.startswith("GG9")
    assert "test_given_up_joins.py" in str(found.value)


@pytest.mark.parametrize("function", [names_kept, copies_kept])
def test_calls(function):
    x = np.eye(3) + np.arange(3.0)
    found = gradgen.grad(function)(x, seed=(np.ones((3, 3)), None, None))
    np.testing.assert_array_equal(found, np.full((3, 3), 2.0))


def warned(x, robust=None, warn=None):
    """A string of a result is no dtype, whatever NumPy takes strings for."""
    if robust == "hac" and x > 0.5:
        warn = "Not for these.\nHence, nothing is done."
        x = 0.0
    return x, warn


def commas(x, lags=0):
    said = None
    if x > 0.5 and lags > 0:
        said = "f8, i4 of\n2 x"
    return x * 2, said


@pytest.mark.parametrize("function, want", [(warned, 1.0), (commas, 2.0)])
def test_strings_beside_numbers(function, want):
    assert gradgen.grad(function)(0.7, seed=(1.0, None)) == want
