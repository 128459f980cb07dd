"""Arguments that are one place each, with nothing told: theta[j], E[word], Q[s, a].

A text that takes them for whole numbers raises for vectors and masks.
"""

import numpy as np
import pytest

import gradgen
from gradgen.commands.check import checked
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(6)


def one_parameter(theta, j, y):
    return (theta[j] - y) ** 2 * 0.5


def class_of_logits(logits, y):
    return np.log(np.sum(np.exp(logits))) - logits[y]


def of_a_layer(W, x, label):
    z = W @ x
    return -z[label] + np.log(np.sum(np.exp(z)))


def two_words(E, word, context):
    return 1 / (1 + np.exp(-(E[word] @ E[context])))


def rating(P, Q, u, i, r):
    return (r - P[u] @ Q[i]) ** 2


def rating_by_rows(P, Q, u, i, r):
    return (r - P[u, :].dot(Q[i, :].T)) ** 2


def with_a_row_turned(P, Q, u, i, r):
    return (r - P[u, :] @ Q[i, :].T) ** 2


def with_a_column(P, Q, u, i, r):
    return (r - P[u, :] @ Q[:, i]) ** 2


def temporal_difference(Q, s, a, r, s2, gamma=0.9):
    return (r + gamma * np.max(Q[s2]) - Q[s, a]) ** 2


def of_a_state(V, state, next_state, reward):
    return 0.5 * (reward + 0.9 * V[next_state] - V[state]) ** 2


def stored_once(x, k):
    c = np.zeros_like(x)
    c[k] = x[0]
    return np.sum(c * x)


def before_and_after(x, t):
    return (x[t + 1] - 2 * x[t] + x[t - 1]) ** 2 + np.sum(x) ** 2


V, M = RNG.normal(size=5), RNG.normal(size=(5, 3))
CALLS = {
    one_parameter: (V, 2, 0.3),
    class_of_logits: (V, 4),
    of_a_layer: (M, RNG.normal(size=3), 1),
    two_words: (M, 1, 3),
    rating: (M, RNG.normal(size=(4, 3)), 2, 0, 0.7),
    rating_by_rows: (M, RNG.normal(size=(4, 3)), 2, 0, 0.7),
    with_a_row_turned: (M, RNG.normal(size=(4, 3)), 2, 0, 0.7),
    with_a_column: (M, RNG.normal(size=(3, 4)), 2, 0, 0.7),
    temporal_difference: (M, 1, 2, 0.4, 3),
    of_a_state: (V, 1, 3, 0.2),
    stored_once: (V, 3),
    before_and_after: (V, 2),
}


def gradient(function):
    space: dict = {}
    text = gradgen.emit(function)
    exec(text, space)
    return text, space[f"grad_{function.__name__}"]


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
def test_one_entry_of_a_gradient_is_stored(function):
    args = CALLS[function]
    text, grad = gradient(function)
    assert ".at(" not in text and "def _" not in text
    want = numeric_gradient(lambda x: function(x, *args[1:]), args[:1], 0, 1.0).value
    for whole in (int, np.int64):
        given = [whole(one) if type(one) is int else one for one in args]
        got = grad(*given)
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("several", [np.array([0, 1]), [1, 0], True, np.array([True])])
def test_several_places_and_masks_raise(function, several):
    args = list(CALLS[function])
    args[next(i for i, one in enumerate(args) if type(one) is int)] = several
    with pytest.raises(ValueError, match="whole number|int"):
        gradient(function)[1](*args)


def all_pairs(x, i, j):
    return 0.5 * (x[i] - x[j]) ** 2


def energy(X, i, j):
    return np.sum((X[i] - X[j]) ** 2)


def of_a_batch(Q, s, a, r, s2):
    return np.mean((r + 0.9 * np.max(Q[s2], axis=1) - Q[s, a]) ** 2)


def of_several(x, labels):
    return x[labels] ** 2


def summed(x, k):
    return np.sum(x[k] ** 2)


SEVERAL = {
    all_pairs: (V, np.array([0, 1]), np.array([2, 2])),
    energy: (M, np.array([0, 1]), np.array([2, 2])),
    of_a_batch: (M, np.array([0, 1]), np.array([2, 0]), V[:2], np.array([3, 1])),
    of_several: (V, np.array([0, 1, 1])),
    summed: (V, np.array([0, 1, 1])),
}


@pytest.mark.parametrize("function", SEVERAL, ids=lambda f: f.__name__)
def test_what_may_be_several_places_is(function):
    args = SEVERAL[function]
    seed = RNG.normal(size=np.shape(function(*args)))
    _, grad = gradient(function)
    got = grad(*args, d_out=seed)
    want = numeric_gradient(
        lambda x: np.sum(function(x, *args[1:]) * seed), args[:1], 0, 1.0
    ).value
    np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("function", CALLS, ids=lambda f: f.__name__)
def test_a_check_measures_at_places_that_are_there(function, tmp_path):
    file = tmp_path / "committed.py"
    file.write_text(gradgen.emit(function))
    verdict = checked(str(file), 0, False)
    assert verdict.judged and not verdict.faults, verdict
