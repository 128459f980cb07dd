"""Of np.dot(X, theta.T) theta is a vector of coefficients, where nothing speaks of more."""

import numpy as np
import pytest

from tests.both_doors import compare
from tests.frontend.writing import written

RANDOM = np.random.default_rng(8)
X, THETA = RANDOM.standard_normal((5, 3)), RANDOM.standard_normal(3)
Y = (RANDOM.random(5) > 0.5).astype(float)
MODELS = (
    "h = 1 / (1 + np.exp(-np.dot(X, theta.T)))\n"
    "    return np.dot(-y, np.log(h)) + np.sum(theta[1:] ** 2)",
    "e = np.dot(X, theta.T) - y\n    return e @ e / (2 * len(X))",
    "e = X @ theta.T - y\n    return np.sum(e**2) + 0.1 * np.sum(theta**2)",
)


@pytest.mark.parametrize("body", MODELS)
@pytest.mark.parametrize("name", ["theta", "beta", "coef"])
def test_vectors(body, name, tmp_path):
    source = f"def f({name}, X, y):\n    {body.replace('theta', name)}\n"
    compare(written(source, tmp_path), (THETA, X, Y))


def test_a_matrix_of_classes_is_one(tmp_path):
    source = """
        def f(theta, X, y):
            p = np.exp(X @ theta.T)
            p = p / np.sum(p, axis=1, keepdims=True)
            return -np.sum(y * np.log(p))
        """
    theta, y = RANDOM.standard_normal((4, 3)), RANDOM.random((5, 4))
    compare(written(source, tmp_path), (theta, X, y))
