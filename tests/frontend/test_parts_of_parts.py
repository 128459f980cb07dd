"""Stores into parts of parts stand once in the text, and raise where nothing fits."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.4, -0.7, 1.2])
BODIES = {
    "steps": "y = np.ones(3 * len(x))\n    y[0::3][0:k] = x[:k] ** 2\n    return y * y",
    "ends": "y = np.ones(9)\n    y[2:][:k] = np.sin(x[:k])\n    y[0] = 2.0\n    return y * y",
    "added": "y = np.ones(9)\n    y[2:][:k] += np.sin(x[:k])\n    return y * y",
    "twice": "y = np.ones(9)\n    y[2:][:k] = x[:k]\n    y[3:][:k] = y[2:][:k] * x[:k]\n"
    "    return y",
}


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("name", BODIES)
def test_the_part_is_stored_once(name, count, tmp_path):
    function = written(f"def f(x, k):\n    {BODIES[name]}\n", tmp_path)
    text = gradgen.emit(function, shapes={"x": "n", "k": ":int"})
    made: dict = {}
    exec(text, made)
    seed = np.linspace(0.5, 1.5, len(function(X, count)))
    want = numeric_gradient(lambda x: function(x, count), [X], 0, seed).value
    np.testing.assert_allclose(made["grad_f"](X, count, seed), want, rtol=1e-6)
    assert "inner" not in text


def test_what_does_not_fit_raises_in_the_text_as_well(tmp_path):
    body = "y = np.ones(4)\n    y[2:][:k] = x\n    return np.sum(x * x)"
    function = written(f"def f(x, k):\n    {body}\n", tmp_path)
    made: dict = {}
    exec(gradgen.emit(function), made)
    for call in (function, made["grad_f"]):
        with pytest.raises(ValueError):
            call(X, 2)
