"""Keys of dictionaries that are known as a whole, and containers that nothing tells of."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

KNOWN = {
    "negative pairs": """
def f(x):
    cost = {(-1, -1): 1.5, (0, 1): x[0]}
    cost[0, 2] = x[1] ** 2
    return cost[0, 1] * cost[0, 2] * x[2] + cost[-1, -1] * x[0]
""",
    "a table with its border": """
def f(x):
    table = {(-1, 0): 1.0}
    for i in range(3):
        table[i, 0] = x[i] + table[i - 1, 0] ** 2
    return table[2, 0]
""",
    "of a name": """
def f(x):
    n = 2
    parts = {n: x[0], n + 1: x[1], -n: 3.0}
    return parts[2] * parts[3] ** 2 * parts[-2] + x[2]
""",
    "get by a counter": """
def f(x):
    parts = {0: x[0], 1: x[1] ** 2}
    total = 0.0
    for i in range(3):
        total = total + (i + 1) * parts.get(i, 2.0)
    return total * x[2]
""",
    "pop by a counter": """
def f(x):
    parts = {0: x[0], 1: x[1] ** 2}
    total = 0.0
    for i in range(2):
        total = total + (i + 1) * parts.pop(i)
    return total * x[2]
""",
}


@pytest.mark.parametrize("name", KNOWN)
def test_value_and_gradient(name, tmp_path):
    f = written(KNOWN[name], tmp_path)
    x = np.array([0.3, 0.7, 1.2])
    value, gradient = gradgen.value_and_grad(f)(x)
    np.testing.assert_allclose(value, f(x), rtol=1e-14)
    wanted = numeric_gradient(f, [x], 0).value
    np.testing.assert_allclose(gradient, wanted, rtol=1e-6, atol=1e-9)


def test_a_key_that_the_run_decides_is_refused(tmp_path):
    f = written(
        """
def f(x, k):
    parts = {0: x[0], 1: x[1] ** 2}
    return parts.get(k, 2.0) * x[2]
""",
        tmp_path,
    )
    with pytest.raises(gradgen.GradgenError, match="GG244 a key must be a constant"):
        gradgen.emit(f)


UNTOLD = [
    "sum(np.sum(v * x) for k, v in params.items())",
    "sum(np.sum(v * x) for v in params.values())",
    "sum(np.sum(params[k] * x) for k in params.keys())",
    "np.sum(dict(params)['w'] * x)",
]


@pytest.mark.parametrize("text", UNTOLD)
def test_a_container_that_nothing_tells_of(text, tmp_path):
    source = f"""
def weighted(x, w):
    return np.sum(w * x)


def f(params, x):
    return {text}
"""
    f = written(source, tmp_path)
    with pytest.raises(gradgen.GradgenError, match="GG245 params is a container"):
        gradgen.emit(f)
    x = np.array([0.3, 0.7])
    assert gradgen.grad(f)({"w": np.ones(2)}, x)["w"].tolist() == x.tolist()
