"""What arms that are not taken ask of lengths: each that is left open is one of its own."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def by_an_arm(r, mu):
    k = mu @ r.T
    if np.sum(mu) > 100:
        r = np.dot(r, np.dot(r, mu))
    return np.mean(k**2) + 0 * np.sum(r)


def by_rounds(r, mu):
    c = r[: len(r)]
    d = np.kron(mu, r)
    for _ in range(int(np.sum(d) > 1000)):
        mu = mu[:, None] - r
    e = np.linalg.solve(c, r)
    return np.mean(e**2) + np.mean(d) ** 2


class Filter:
    def __init__(self, limit):
        self.limit = limit

    def energy(self, r, mu):
        k = mu @ r.T
        if np.sum(mu) > self.limit:
            r = np.dot(r, np.dot(r, mu))
        return np.mean(k**2) * np.var(k)


CASES = [
    (f, shape)
    for f in (by_an_arm, Filter(100.0).energy)
    for shape in ((2, 3), (3, 3), (4, 3), (1, 3))
] + [(by_rounds, shape) for shape in ((1, 4), (2, 4), (3, 3))]


@pytest.mark.parametrize("f, shape", CASES)
def test_lengths_that_differ_are_not_one(f, shape):
    rng = np.random.default_rng(2)
    args = rng.uniform(0.3, 1, (3, 3)), rng.uniform(-1, -0.2, shape)
    found = gradgen.grad(f, wrt=("r", "mu"))(*args)
    for place, gradient in enumerate(found):
        expected = numeric_gradient(f, args, place).value
        assert gradient.shape == args[place].shape
        np.testing.assert_allclose(gradient, expected, rtol=1e-6, atol=1e-8)
