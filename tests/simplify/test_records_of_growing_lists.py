"""A record of a round holds what a list held when it was read, though it grows after that."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

ROUNDS = {
    "the last entry": """
        t += np.sum(s[-1] * s[-1])
        s.append(y * x[i])
        t = t * 0.5 + np.tanh(x[i])""",
    "a product with the last entry": """
        v = np.tanh(s[-1])
        s.append(v * y)
        t = t * 0.5 + np.sum(v * np.sin(x[i]))""",
    "the length": """
        v = x * len(s)
        s.append(v)
        s.append(v * y)
        t = np.tanh(t) + np.sum(v * v)""",
    "the sum": """
        v = sum(s)
        s.append(np.tanh(v) * x[i])
        t = np.tanh(t) + np.sum(v * v)""",
    "an entry that is given up": """
        t += np.sum(s[-1] ** 2)
        s.append(x * y[i])
        u = s.pop()
        s.append(np.sin(u))
        t = np.tanh(t) * x[i]""",
}
X, Y = np.random.default_rng(8).normal(size=(2, 3))


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("begun", ["x", "x[:1]", "x * y"])
@pytest.mark.parametrize("name", ROUNDS)
def test_the_gradient_is_that_of_differences(name, begun, told, tmp_path):
    f = written(
        f"def f(x, y):\n    t = 0.0\n    s = [{begun}]\n    for i in range(len(x)):"
        f"{ROUNDS[name]}\n    return t\n",
        tmp_path,
    )
    space: dict = {}
    exec(
        gradgen.emit(f, ("x", "y"), shapes={"x": "n", "y": "n"} if told else {}), space
    )
    for at, found in enumerate(space["grad_f"](X, Y)):
        want = numeric_gradient(f, (X, Y), at, 1.0).value
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
