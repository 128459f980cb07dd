"""Texts made for one value of an argument take no equal value that computes otherwise."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([[0.3, 1.2, 0.8], [2.0, 0.4, 0.9], [0.1, 0.35, 1.9]])
# what is told, the body, values that compute otherwise, and some that are the same
FORMS = [
    ("1", "return np.sum(x[k] ** 2)", [True, 2], [1, np.int64(1)]),
    ("0", "return np.sum(x[k] * x[k + 1])", [False, 1], [0, np.int64(0)]),
    ("1", "return np.sum(x[:, k] ** 2)", [True], [1]),
    ("1", "y = np.zeros(3)|y[k] = np.sum(x * x)|return np.sum(y)", [True], [1]),
    ("1", "j = k|return np.sum(x[j] ** 3)", [True], [1]),
    ("1", "return np.sum(x[[k, 2]] ** 2)", [2], [1]),
    ("1", "return np.sum(x) if k is True else np.sum(x * x)", [True, 2], [1]),
    ("True", "return np.sum(x) if k is True else np.sum(x * x)", [1, False], [True]),
    (
        "1",
        "return np.sum(x) if isinstance(k, bool) else np.sum(x * x)",
        [True],
        [1],
    ),
    ("1", "return np.sum(x) if type(k) is int else np.sum(x * x)", [1.0, True], [1]),
    (
        "2.0",
        "return np.sum(x) if isinstance(k, float) else np.sum(x * x)",
        [2],
        [2.0],
    ),
    ("1", "return np.sum(x * x * k)", [2], [1, 1.0, True, np.float64(1)]),
    ("1", "return np.sum(x) if k == 1 else np.sum(x * x)", [2], [1, 1.0, True]),
    ("0", "return np.sum(x) if not k else np.sum(x * x)", [2], [0, 0.0, False]),
]


@pytest.mark.parametrize("told, body, others, same", FORMS)
def test_equal_values_that_compute_otherwise_raise(tmp_path, told, body, others, same):
    lines = "\n    ".join(body.split("|"))
    f = written(f"def f(x, k={told}):\n    {lines}\n", tmp_path)
    text = gradgen.emit(f, wrt="x", shapes={"k": f"={told}"})
    space = {}
    exec(text, space)
    for value in same:
        want = numeric_gradient(lambda x, v=value: f(x, v), [X], 0).value
        np.testing.assert_allclose(space["grad_f"](X, value), want, 1e-7, 1e-9)
    for value in others:
        with pytest.raises(ValueError, match=f"values of k other than {told} have"):
            space["grad_f"](X, value)


def test_what_computes_alike_is_asked_for_nothing_more(tmp_path):
    f = written("def f(x, k=1):\n    return np.sum(x * k, axis=k)\n", tmp_path)
    assert "    if k != 1:\n" in gradgen.emit(f, wrt="x", shapes={"k": "=1"})
