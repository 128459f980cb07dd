"""log(1 + exp(z)) in all of its spellings, and what only looks like it."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

SLOPE = "np.where(z >= 0, 1, "
WHOLE = {
    "a maximum and log1p": "np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))",
    "the other way round": "np.log1p(np.exp(-np.abs(z))) + np.maximum(0, z)",
    "a choice": "np.where(z > 0, z, 0) + np.log(1 + np.exp(-np.abs(z)))",
    "of the negative": "np.maximum(-z, 0) + np.log1p(np.exp(-np.abs(z)))",
    "cross-entropy": "np.maximum(z, 0) - z * t + np.log1p(np.exp(-np.abs(z)))",
    "weighted": "t * (np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z))))",
    "twice": "2 * np.maximum(z, 0) + 2 * np.log1p(np.exp(-np.abs(z)))",
}
PARTS = {
    "other weights": "2 * np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))",
    "less": "np.maximum(z, 0) - np.log1p(np.exp(-np.abs(z)))",
    "of another value": "np.maximum(t, 0) * z + np.log1p(np.exp(-np.abs(z)))",
    "a minimum": "np.minimum(z, 0) + np.log1p(np.exp(-np.abs(z)))",
    "twice the value": "np.maximum(2 * z, 0) + np.log1p(np.exp(-np.abs(z)))",
    "weights apart": "t * np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))",
}
# at 0 the function has a slope: the two kinks cancel
Z = np.array([-800.0, -3.0, -0.5, 0.0, 1e-9, 0.7, 4.0, 800.0])
T = np.array([0.1, 0.9, 0.3, 0.5, 0.2, 1.0, 0.0, 0.4])


def sigmoid(z):
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1, e) / (1 + e)


SLOPES = {
    "of the negative": lambda z, t: -sigmoid(-z),
    "cross-entropy": lambda z, t: sigmoid(z) - t,
    "weighted": lambda z, t: t * sigmoid(z),
    "twice": lambda z, t: 2 * sigmoid(z),
}


def text_of(form, path, **told):
    f = written(f"def f(z, t):\n    return np.mean({form})", path)
    return gradgen.emit(f, shapes={"z": "n", "t": "n"}, **told)


@pytest.mark.parametrize("name", WHOLE)
def test_one_slope(name, tmp_path):
    text, names = text_of(WHOLE[name], tmp_path), {}
    exec(text, names)
    want = SLOPES.get(name, lambda z, t: sigmoid(z))(Z, T) / len(Z)
    np.testing.assert_allclose(names["grad_f"](Z, T), want, rtol=1e-12, atol=1e-300)
    assert "np.sign" not in text and "z >= 0" in text
    small = names["grad_f"](Z[1:].astype(np.float32), T[1:].astype(np.float32))
    assert small.dtype == np.float32


@pytest.mark.parametrize("name", PARTS)
def test_what_is_none(name, tmp_path):
    f = written(f"def f(z, t):\n    return np.mean({PARTS[name]})", tmp_path)
    z, t = np.array([-3.0, -0.5, 0.7, 4.0]), np.array([0.1, -0.9, 0.3, 0.5])
    found, step = gradgen.grad(f)(z, t), 1e-6
    for i in range(len(z)):
        e = step * (np.arange(len(z)) == i)
        want = (f(z + e, t) - f(z - e, t)) / (2 * step)
        np.testing.assert_allclose(found[i], want, rtol=1e-6, atol=1e-9)


def test_the_logistic_function_that_is_there(tmp_path):
    text = """
        def f(z, t, y):
            p = 1 / (1 + np.exp(-z))
            q = 1 / (1 + np.exp(-y))
            return np.mean((p + q) * t + np.logaddexp(0, z) * np.logaddexp(0, y))
        """
    f, names = written(text, tmp_path), {}
    told = {"z": "n", "t": "n", "y": "n"}
    text = gradgen.emit(f, wrt=("z", "y"), shapes=told)
    exec(text, names)
    z, y, t = Z[1:-1], Z[1:-1][::-1] + 0.3, T[1:-1]
    p, q = sigmoid(z), sigmoid(y)
    want = (t * p * (1 - p) + p * np.logaddexp(0, y)) / len(z)
    also = (t * q * (1 - q) + q * np.logaddexp(0, z)) / len(z)
    found = names["grad_f"](z, t, y)
    np.testing.assert_allclose(found[0], want, rtol=1e-12)
    np.testing.assert_allclose(found[1], also, rtol=1e-12)
    assert "np.exp(z - " not in text and "np.exp(y - " not in text
