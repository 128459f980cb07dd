"""A written index past the end raises IndexError in a text for numba, as in NumPy's."""

import numpy as np
import pytest

import gradgen
from tests.target.numba_texts import function_of


def read(x):
    return x[0] * x[7]


def read_backwards(x):
    return x[-7] * x[0]


def stored(x):
    y = x.copy()
    y[7] = 2.0
    return np.sum(y * x)


def in_a_loop(x):
    s = 0.0
    for i in range(3):
        s += x[i] * x[8]
    return s


def of_rows(X):
    return X[0, 5] * X[1, 1]


def behind_dots(X):
    return np.sum(X[..., 5] * X[0, 1])


def below(x):
    s = 0.0
    if len(x) > 7:
        s = x[7] ** 2
    return s + x[0]


ROWS = (of_rows, behind_dots)
PAST = (read, read_backwards, stored, in_a_loop, *ROWS)


def text_of(function):
    shapes = {"X": "n m"} if function in ROWS else {"x": "n"}
    return gradgen.emit(function, shapes=shapes, target="numba")


@pytest.mark.libraries
@pytest.mark.parametrize("function", PAST, ids=lambda f: f.__name__)
def test_past_the_end_raises(function):
    pytest.importorskip("numba")
    short = np.ones((3, 2)) if function in ROWS else np.ones(6)
    with pytest.raises(IndexError):
        function(short)
    with pytest.raises(IndexError, match="has no index"):
        function_of(text_of(function), compiled=True)(short)


@pytest.mark.parametrize("function", PAST, ids=lambda f: f.__name__)
def test_the_text_says_so(function):
    assert "raise IndexError(" in text_of(function)


@pytest.mark.libraries
@pytest.mark.parametrize("function", [*PAST, below], ids=lambda f: f.__name__)
@pytest.mark.parametrize("compiled", [False, True])
def test_inside_is_as_numpy(function, compiled):
    pytest.importorskip("numba")
    x = np.linspace(0.5, 1.5, 54).reshape(6, 9) if function in ROWS else None
    x = np.linspace(0.5, 1.5, 9) if x is None else x
    shapes = {"X": "n m"} if function in ROWS else {"x": "n"}
    want = function_of(gradgen.emit(function, shapes=shapes))(x)
    got = function_of(text_of(function), compiled)(x)
    np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("size", [1, 6, 9])
def test_what_is_not_read_is_not_asked_for(size):
    got = function_of(text_of(below))(np.full(size, 2.0))
    assert got[0] == 1.0 and got.shape == (size,)
    assert size <= 7 or got[7] == 4.0
