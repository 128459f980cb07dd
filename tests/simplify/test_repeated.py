"""What a gradient has computed in a line is read there, where nothing is told as well."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

DRAWN = np.random.default_rng(41)
X = DRAWN.normal(0, 1, (4, 3))
V = DRAWN.normal(0, 1, 3)
K = np.array(0.8)


def gate(x, v, k):
    z = 1 / (1 + np.exp(-x))
    return (1 - z) * v + z * np.tanh(x * k)


def line(x, v, k):
    return v + k * x


def both_ways(x, v, k):
    y = x * v
    y[0] = 2 * y[1]
    return y + k * y


def of_numbers(x, v, k):
    total = np.exp(x) / (v * v + k)
    return total - k * v


def logsumexp(x, v, k):
    m = np.max(x, axis=None, keepdims=True)
    s = np.log(np.sum(np.exp(x - m)))
    s += np.squeeze(m, axis=None)
    return s * k + np.sum(v)


def logsumexp_of_numbers(x, v, k):
    m = np.max(x * v, keepdims=True)
    return np.squeeze(m) + np.log(np.sum(np.exp(x * v - m))) * 1.0 + 0 * k


CASES = [gate, line, both_ways, of_numbers, logsumexp, logsumexp_of_numbers]


GIVEN = {
    "stretched": (X, V, K),
    "alike": (X[0], V, K),
    "full": (X, X, K),
    "vector": (X, V, V),
}
# of which k is no number
OF_ARRAYS = [gate, line, both_ways, of_numbers]
FORMS = [(f, one) for f in CASES for one in GIVEN if one != "vector" or f in OF_ARRAYS]


@pytest.mark.parametrize("f, form", FORMS, ids=[f"{f.__name__}-{g}" for f, g in FORMS])
def test_nothing_told(f, form):
    given = GIVEN[form]
    wrt = ("x", "v", "k")
    out = f(*given)
    if np.size(out) > 1 or np.shape(out):
        seed = np.cos(np.arange(np.size(out))).reshape(np.shape(out))
        namespace = {}
        exec(gradgen.emit(f, wrt=wrt, general=True), namespace)
        found = namespace[f"grad_{f.__name__}"](*given, seed)
    else:
        seed, found = np.ones(()), gradgen.grad(f, wrt=wrt)(*given)
    for at, gradient in enumerate(found):
        truth = numeric_gradient(f, list(given), at, seed).value
        assert np.shape(gradient) == np.shape(given[at])
        np.testing.assert_allclose(gradient, truth, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", [gate, line, of_numbers], ids=lambda f: f.__name__)
def test_filled_once(f):
    text = gradgen.emit(f, wrt=("x", "v", "k"))
    body = text[text.index(f"def grad_{f.__name__}") :]
    assert body.count("np.full_like(out, d_out") <= 1, body


def test_no_maximum_is_derived():
    text = gradgen.emit(logsumexp, wrt="x")
    assert "hits" not in text and "_unbroadcast" not in text, text
