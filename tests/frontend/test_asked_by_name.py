"""getattr(x, "sum")() is x.sum(), and (e := a * b) alone is e = a * b."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -1.2, 0.7])


class Gain:
    """A number that is multiplied with."""

    def __init__(self, k):
        self.k = k

    def up(self, v):
        return v * self.k


def methods_of_arrays(x):
    return getattr(x, "sum")() + getattr(x, "dot")(x) + getattr(x * 2, "prod")(axis=0)


def functions_of_modules(x):
    return getattr(np, "prod")(x) + getattr(np.linalg, "norm")(x)


def methods_of_instances(x):
    return np.sum(getattr(Gain(x[0]), "up")(x)) + getattr(Gain(2.0), "k") * x[1]


def named_alone(x):
    (e := x * 2)
    (s := np.sum(e))
    for v in x:
        (s := s + v * v)
    return s * e[0]


@pytest.mark.parametrize(
    "function",
    (methods_of_arrays, functions_of_modules, methods_of_instances, named_alone),
)
def test_it_is_the_value_that_python_takes(function):
    want = numeric_gradient(function, (X,), 0).value
    space: dict = {}
    exec(gradgen.emit(function), space)
    value, got = gradgen.value_and_grad(function)(X)
    assert value == function(X)
    for found in (got, space[f"grad_{function.__name__}"](X)):
        assert found.shape == X.shape
        np.testing.assert_allclose(found, want, rtol=1e-7, atol=1e-8)


def refusal(write, body):
    with pytest.raises(gradgen.GradgenError) as found:
        gradgen.emit(write(body))
    return str(found.value)


def test_the_reasons_are_those_that_hold(write):
    """Nothing is said of a key or a function but that it is not known."""
    turned = (
        "def f(x):\n    fs, t = [np.sin, np.cos], 0.0\n    for v in x:\n"
        "        if v > 0:\n            fs = fs[::-1]\n        t += fs[0](v)\n    return t\n"
    )
    assert "which function is called here is not known" in refusal(write, turned)
    computed = (
        "import collections\ndef f(x):\n    d = collections.defaultdict(float)\n"
        "    for i, v in enumerate(x):\n        d[i % 2] += v * v\n    return d[0] * d[1]\n"
    )
    assert "a key that is not known here is read" in refusal(write, computed)
    listed = (
        "def f(x):\n    fs = []\n    for v in x:\n        fs.append(lambda t: t * v)\n"
        "    return sum(np.sum(g(x)) for g in fs)\n"
    )
    assert "which function g is, is not known here" in refusal(write, listed)
