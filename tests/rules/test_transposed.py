"""Products with transposes of arrays of unknown rank: a stack's .T turns its first axis."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def right(W, X):
    return np.sum(np.sin(X @ W.T))


def left(W, X):
    return np.sum(np.sin(W.T @ X))


def both(W, X):
    return np.sum(np.sin(W.T @ X.T))


def whole(W, X):
    return np.sum(np.sin((X @ W).T))


FORMS = (right, left, both, whole)
STACK, MATRIX, VECTOR = (3, 3, 3), (3, 3), (3,)


@pytest.mark.parametrize("told", ["", "n d", "n"])
@pytest.mark.parametrize("shape", [STACK, MATRIX, VECTOR], ids=["stack", "matrix", "v"])
@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_the_text_is_right_for_every_rank(form, shape, told):
    rng = np.random.default_rng(3)
    W, X = rng.normal(size=shape), rng.normal(size=VECTOR if told == "n" else MATRIX)
    shapes = {"X": told} if told else {}
    space = {}
    exec(gradgen.emit(form, wrt=["W", "X"], shapes=shapes), space)
    try:
        found = space[f"grad_{form.__name__}"](W, X)
    except ValueError as error:
        if "taken for" in str(error):  # a rank that the text has assumed, and checks
            return
        raise
    for i, got in enumerate(found):
        want = numeric_gradient(form, [W, X], i)
        np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-7)
