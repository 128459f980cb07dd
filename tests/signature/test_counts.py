"""Whole numbers as arguments: fifty values of one make no fifty texts."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.linspace(0.1, 2.0, 60)
M = np.linspace(0.1, 2.0, 144).reshape(12, 12) ** 1.5

# a body, its arguments, how many texts serve all values of k
BODIES = {
    "roll": ("np.sum(np.roll(x, k) * x)", X, 1),
    "slice": ("np.sum(x[k:] * x[:len(x) - k])", X, 1),
    "range": ("sum([x[i] * x[i + 1] for i in range(k)])", X, 1),
    "entry": ("x[k] * x[0]", X, 1),
    "power": ("np.sum(x ** k)", X, 1),
    "branch": ("np.sum(x * x) if k > 5 else np.sum(x)", X, 1),
    "repeat": ("np.sum(np.repeat(x, k) ** 2)", X, 1),
    "beside an axis": ("np.sum(np.sum(x, axis=axis)[k] ** 2)", M, 1),
    "beside a mode": ("np.convolve(x[0], x[1][:3], mode=axis)[k] ** 2", M, 1),
    "beside a flag": ("np.max(x, axis=0, keepdims=axis)[..., k] ** 2", M, 1),
}
OTHERS = {"beside a mode": "same", "beside a flag": True}


def called(name):
    body, x, texts = BODIES[name]
    text = f"import numpy as np\ndef f(x, k, axis=0): return np.sum({body})\n"
    return imported(text, "f"), x, texts, OTHERS.get(name, 0)


@pytest.mark.parametrize("name", BODIES)
def test_one_text_serves_the_values(name):
    function, x, texts, axis = called(name)
    g, seen = gradgen.grad(function), set()
    for k in range(1, 12):
        want = numeric_gradient(function, (x, k, axis), 0).value
        np.testing.assert_allclose(g(x, k, axis), want, rtol=1e-6, atol=1e-8)
        seen.add(g.source)
    assert len(seen) == texts


@pytest.mark.parametrize("name", ["beside an axis", "beside a flag"])
@pytest.mark.parametrize("maker", ["vjp", "jvp", "value_and_grad"])
def test_other_modes_and_other_options(name, maker):
    function, x, _, axis = called(name)
    made = getattr(gradgen, maker)(function)
    seen = set()
    for option in (axis, 1 - axis if type(axis) is int else False):
        for k in (0, 3, 7):
            want = numeric_gradient(function, (x, k, option), 0).value
            more = [np.cos(x)] if maker == "jvp" else []
            value, found = made(x, k, option, *more)
            found = found() if maker == "vjp" else found
            want = np.sum(want * np.cos(x)) if maker == "jvp" else want
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
            np.testing.assert_allclose(value, function(x, k, option), rtol=1e-12)
            seen.add(made.source)
    assert len(seen) <= 2
