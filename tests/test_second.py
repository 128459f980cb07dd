"""gradgen reads what it has written: gradients of emitted gradients, measured."""

import importlib.util

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

x = np.array([0.4, -0.7, 1.1, 0.3])

CASES = {
    "in place, backwards with a step": (
        """
        def f(x):
            y = x.copy()
            for i in range(1, len(x), 2):
                y[i] = np.sin(y[i - 1]) * y[i]
            return np.sum(y**3)
        """,
        "n",
    ),
    "a loop that is left": (
        """
        def f(x):
            s = 0.1
            for i in range(len(x)):
                s = s * x[i] + np.sin(s)
                if s > 0.9:
                    break
            return s**2
        """,
        "n",
    ),
    "a while loop with a branch inside": (
        """
        def f(x):
            s, k = x[0] * x[1], 0
            while k < 5:
                if s > 0:
                    s = np.sin(s) + x[2] * s
                else:
                    s = s * x[3] + 0.5
                k += 1
            return s * s
        """,
        "n",
    ),
    "nested loops that keep lists of lists": (
        """
        def f(x):
            h = np.tanh(x)
            for i in range(3):
                for j in range(i + 1):
                    h = np.tanh(h * x + 0.1 * j)
                h = h * h
            return np.sum(h)
        """,
        "n",
    ),
    "a list in one arm": (
        """
        def f(x):
            y = x.copy()
            if x[0] > 0:
                for i in range(len(x)):
                    y[i] *= y[i - 1]
            return np.sum(y * y)
        """,
        "n",
    ),
    "a with block in a loop": (
        """
        def f(x):
            s = 0.0
            for i in range(len(x)):
                with np.errstate(divide="ignore"):
                    s = s * 0.5 + np.exp(x[i] * s)
            return 1.0 * s
        """,
        "n",
    ),
    "shapes that are not known": (
        """
        def f(x):
            y = x / (1 + np.sum(x * x))
            return np.sum(np.sin(y) @ np.cos(y))
        """,
        None,
    ),
    "an inner product with an unknown shape": (
        """
        def f(x):
            return np.sum(np.dot(x, x * 2) + np.inner(x, x) ** 2)
        """,
        None,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_gradient_of_an_emitted_gradient(name, tmp_path):
    text, fact = CASES[name]
    function = written(text, tmp_path, "primal_of_second")
    shapes = {} if fact is None else {"x": fact}
    emitted = gradgen.emit(function, wrt="x", shapes=shapes)
    path = tmp_path / "first_gradient.py"
    path.write_text(emitted)
    spec = importlib.util.spec_from_file_location("first_gradient", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    first = module.grad_f
    second = gradgen.grad(first, wrt="x", shapes=shapes and {**shapes, "d_out": ""})
    for point in (x, -x, 0.5 * x[::-1].copy()):
        seed = np.random.default_rng(3).normal(size=point.shape)
        want = numeric_gradient(first, (point,), 0, seed)
        got = second(point, seed=seed)
        assert got.shape == point.shape and got.dtype == point.dtype
        scale = 1 + np.max(np.abs(want.value))
        assert np.max(np.abs(got - want.value)) <= 1e-7 * scale, (name, point)
