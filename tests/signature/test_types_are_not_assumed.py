"""What is assumed or described of an argument is its rank: its type the text asks for."""

import itertools

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

X = np.array([0.3, -0.5])
W = np.array([[0.2, 0.4], [0.1, -0.3]])
NUMBERS = [0.7, 2, np.float64(0.7), np.array(0.7), np.float32(0.75), np.int64(2)]
TESTS = [
    "isinstance(b, np.ndarray)",
    "isinstance(b, (int, float))",
    "isinstance(b, float)",
    "isinstance(b, (np.ndarray, np.generic))",
    "type(b) is float",
    "type(b) is np.ndarray",
    "np.isscalar(b)",
    "hasattr(b, 'dtype')",
    "hasattr(b, '__len__')",
    "callable(b)",
]
# how b is known for a number: by a reduction beside it, by its default, by a docstring
ASSUMED = {
    "assumed": "def f(x, b):\n    k = 2.0 if {test} else 1.0\n    return k * np.sum(x * x) + b\n",
    "default": "def f(x, b=1.5):\n    k = 2.0 if {test} else 1.0\n"
    "    return k * np.sum(x * x * b)\n",
    "docstring": 'def f(x, b):\n    """Loss.\n\n    Parameters\n    ----------\n'
    '    b : float\n        A weight.\n    """\n    k = 2.0 if {test} else 1.0\n'
    "    return k * np.sum(x * x * b)\n",
}
WAYS = list(itertools.product(ASSUMED, TESTS))


@pytest.mark.parametrize("how, test", WAYS, ids=map(" ".join, WAYS))
def test_numbers_of_all_types(how, test, tmp_path):
    f = written(ASSUMED[how].format(test=test), tmp_path)
    space = {}
    exec(gradgen.emit(f), space)
    for b in NUMBERS:
        k = f(np.ones(1), b) - f(np.zeros(1), b)  # k, or k * b
        want = 2 * k * X
        np.testing.assert_allclose(space["grad_f"](X, b), want, rtol=1e-6)


MATRICES = [
    "isinstance(A, np.ndarray)",
    "isinstance(A, list)",
    "isinstance(A, (list, tuple))",
    "type(A) is list",
    "hasattr(A, 'shape')",
]


@pytest.mark.parametrize("test", MATRICES)
def test_matrices_of_all_types(test, tmp_path):
    body = f"k = 2.0 if {test} else 1.0\n    return k * np.sum(np.array(A) @ x)"
    f = written(f"def f(x, A):\n    {body}\n", tmp_path)
    space = {}
    exec(gradgen.emit(f), space)
    for A in (W, W.tolist(), [tuple(row) for row in W.tolist()]):
        k = f(np.array([1.0, 0.0]), A) / np.sum(W[:, 0])
        want = k * np.sum(W, axis=0)
        np.testing.assert_allclose(space["grad_f"](X, A), want, rtol=1e-6)


@pytest.mark.parametrize("test", MATRICES)
def test_vectors_are_arrays_where_nothing_else_is_read(test, tmp_path):
    test = test.replace("A", "x")
    body = f"k = 2.0 if {test} else 1.0\n    i = np.nonzero(x)[0]\n"
    body += "    return k * np.sum(np.asarray(x)[i] ** 2)"
    f = written(f"def f(x):\n    {body}\n", tmp_path)
    space = {}
    exec(gradgen.emit(f), space)
    k = f(X) / np.sum(X**2)
    np.testing.assert_allclose(space["grad_f"](X), 2 * k * X)
    for other in (X.tolist(), tuple(X.tolist())):
        with pytest.raises(ValueError, match="x is taken for a vector"):
            space["grad_f"](other)
