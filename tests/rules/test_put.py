"""np.put at places of several axes: one behind the other, values in turn."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

Y = np.array([0.3, -0.2, 1.1])
PLACES = np.array([[0, 1, 1], [2, 0, 1]])
VALUES = [np.array([0.5]), np.array([0.5, 0.7, -0.2]), np.linspace(-1, 1, 6)]


def put(u, y, places):
    out = y.copy()
    np.put(out, places, u)
    return np.sum(np.tanh(out) * np.arange(1.0, 4.0))


def by_method(u, y, places):
    out = y.copy()
    out.put(places, u)
    return np.sum(np.tanh(out) * np.arange(1.0, 4.0))


@pytest.mark.parametrize("f", [put, by_method])
@pytest.mark.parametrize("u", [*VALUES, VALUES[2].reshape(2, 3), 0.4], ids=np.shape)
@pytest.mark.parametrize("places", [PLACES, PLACES[0], PLACES[:, :1]], ids=np.shape)
def test_places_of_any_rank(f, u, places):
    space: dict = {}
    exec(gradgen.emit(f, ("u", "y"), example=(u, Y, places)), space)
    for made in (gradgen.grad(f, ("u", "y")), space[f"grad_{f.__name__}"]):
        for at, found in enumerate(made(u, Y, places)):
            want = numeric_gradient(f, (u, Y, places), at, 1.0).value
            assert np.shape(found) == np.shape(want)
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
