"""x.tolist() of arrays of any rank: as a result, in containers, gone through."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def matrix(X):
    return (X.T @ X).tolist()


def in_a_dictionary(X):
    C = X.T @ X
    return {"c": C.tolist(), "mean": float(np.mean(X)), "sum": np.sum(X).tolist()}


def of_three_axes(X):
    return np.stack([X, np.sin(X)]).tolist()


def number(X):
    return np.sum(X**2).tolist()


def vector(X):
    return (X[0] * X[1]).tolist()


def gone_through(X):
    total = 0.0
    for a, b in (X * 2).tolist():
        total = total + a * b
    return total


def by_places(X):
    rows = np.sin(X).tolist()
    return rows[0][1] * rows[2][0] * len(rows)


def of_places(X):
    best = np.argmax(X, axis=0).tolist()
    return X[best[0], 0] * X[best[1], 1]


EVERY = [matrix, in_a_dictionary, of_three_axes, number, vector]
EVERY += [gone_through, by_places, of_places]
X = np.array([[0.3, 1.2], [-0.7, 0.4], [2.1, -0.9]])


def flat(value):
    if isinstance(value, dict):
        return np.concatenate([flat(one) for one in value.values()])
    return np.asarray(value, float).reshape(-1)


def weights(value, start=0.5):
    """A seed of the same structure, with other numbers."""
    if isinstance(value, dict):
        return {k: weights(v, start + i) for i, (k, v) in enumerate(value.items())}
    if isinstance(value, list):
        return [weights(one, start * 1.3 + i) for i, one in enumerate(value)]
    return start


def want(f, seed):
    at = flat(seed)
    return numeric_gradient(lambda X: at @ flat(f(X)), (X.copy(),), 0).value


@pytest.mark.parametrize("f", EVERY)
def test_a_call(f):
    value, pullback = gradgen.vjp(f)(X)
    np.testing.assert_array_equal(flat(value), flat(f(X)))
    seed = weights(f(X))
    np.testing.assert_allclose(pullback(seed), want(f, seed), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", EVERY)
@pytest.mark.parametrize("told", [{"example": (X,)}, {"shapes": {"X": "n d"}}])
def test_a_text(f, told):
    space = {}
    exec(gradgen.emit(f, **told), space)
    seed = weights(f(X))
    seeds = seed.values() if isinstance(seed, dict) else [seed]
    found = space[f"grad_{f.__name__}"](X, *seeds)
    np.testing.assert_allclose(found, want(f, seed), rtol=1e-6, atol=1e-8)


def of_a_vector(x):
    return (2 * x**2).tolist()


def test_nothing_told():
    space = {}
    exec(gradgen.emit(of_a_vector), space)
    found = space["grad_of_a_vector"](np.array([0.5, 1.5]), [1.0, 3.0])
    np.testing.assert_allclose(found, [2.0, 18.0])
    with pytest.raises(ValueError, match="vector"):
        space["grad_of_a_vector"](X, [[1.0, 3.0]] * 3)


def test_a_rank_that_is_not_known_is_asked_for():
    def f(x, n):
        y = np.empty(n)
        y[:] = x**2
        return y.tolist()

    with pytest.raises(gradgen.GradgenError, match="how many axes"):
        gradgen.emit(f)
