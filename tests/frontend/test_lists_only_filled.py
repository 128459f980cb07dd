"""Lists that a loop puts tuples or dictionaries into, which the function never reads."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError

W = np.random.default_rng(0).normal(size=(3, 3))
X = np.random.default_rng(1).normal(size=(4, 3))


class Recurrent:
    def __init__(self):
        self.w, self.cache, self.states = W, [], []

    def forward(self, x):
        h = np.zeros(3)
        self.cache, self.states = [], [h.copy()]
        for t in range(x.shape[0]):
            z = self.w @ x[t] + h
            h = np.tanh(z)
            self.cache.append({"z": z, "h": h, "before": self.states[-1]})
            self.states.append(h.copy())
        return np.sum(self.states[-1] ** 2)

    def read_at_the_end(self, x):
        return self.forward(x) + np.sum(self.cache[-1]["z"])

    def gone_over(self, x):
        total = self.forward(x)
        for one in self.cache:
            total = total + np.sum(one["z"])
        return total

    def counted(self, x):
        return self.forward(x) * len(self.cache)

    def handed_back(self, x):
        return self.forward(x), self.cache


def of_names(x):
    kept, total = [], 0.0
    for t in range(len(x)):
        kept.append((x[t], total))
        total = total + np.sum(np.sin(x[t]))
    return total


def of_arms(x):
    kept, total = [], 0.0
    for t in range(len(x)):
        if t > 1:
            kept.append({"row": x[t]})
        total = total + np.sum(x[t] ** 2)
    return total


def read_in_columns(x):
    kept = []
    total = 0.0
    for t in range(len(x)):
        kept.append((x[t], total))
        total = total + np.sum(np.sin(x[t]))
    for row, before in kept:
        total = total + np.sum(row) * before
    return total


def differences(f):
    h, found = 1e-6, np.zeros(X.shape)
    for at in np.ndindex(X.shape):
        step = np.zeros(X.shape)
        step[at] = h
        found[at] = (f(X + step) - f(X - step)) / (2 * h)
    return found


@pytest.mark.parametrize("f", [Recurrent().forward, of_names, of_arms, read_in_columns])
def test_what_is_only_kept_is_no_reason_to_refuse(f):
    wanted = differences(f)
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["read_at_the_end", "gone_over", "counted"])
def test_what_reads_it_is_refused(name):
    with pytest.raises(GradgenError, match="GG248 a dict in a list"):
        gradgen.grad(getattr(Recurrent(), name))(X)


def test_what_is_handed_back_beside_a_result_has_no_seed():
    """Its length is not known to a text: a seed for it is refused, and not left out."""
    net = Recurrent()
    gradient = gradgen.grad(net.handed_back)

    def value(x):
        return Recurrent().handed_back(x)[0]

    np.testing.assert_allclose(gradient(X), differences(value), rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(
        gradient(X, seed=(1.0, None)), differences(value), rtol=1e-6, atol=1e-8
    )
    with pytest.raises(GradgenError, match="GG506"):
        gradient(X, seed=(1.0, [{"x": np.ones(3)}] * len(X)))
    with pytest.raises(GradgenError, match="GG248"):
        gradgen.value_and_grad(net.handed_back)(X)
    with pytest.raises(GradgenError, match="GG248"):
        gradgen.jvp(net.handed_back)(X, X)
