"""Numbers that are written out as a list or a tuple, and given to a function of NumPy's.

What flows back to the other argument has them in operators, which are Python's: a list
times a number is a list twice, and [2, 3] == 0 is False.
"""

import itertools

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.7, 1.6])
TWO = (
    "add subtract multiply divide power float_power maximum minimum fmax fmin hypot "
    "arctan2 logaddexp logaddexp2 copysign fmod remainder"
).split()
CALLS = [
    *(f"np.{name}(x, LISTED)" for name in TWO),
    *(f"np.{name}(LISTED, x)" for name in TWO if "mod" not in name),
    *(f"np.{name}.outer(x, LISTED)" for name in TWO),
    *(f"np.{name}.outer(LISTED, x)" for name in TWO if "mod" not in name),
    "np.dot(x, LISTED)",
    "np.inner(LISTED, x)",
    "np.outer(x, LISTED)",
    "np.kron(LISTED, x)",
    "np.matmul(x, LISTED)",
    "np.matmul([LISTED, LISTED], x)",
    "np.einsum('i,i->', x, LISTED)",
    "np.einsum('i,j->ij', LISTED, x)",
    "np.convolve(x, LISTED)",
    "np.trapezoid(x, LISTED)",
    "np.trapezoid(LISTED, x)",
    "np.append(LISTED, x)",
    "np.linalg.solve(np.diag(x), LISTED)",
    "np.clip(x, LISTED, 5)",
    "np.where(x > 1, LISTED, x * x)",
    "np.average(x, weights=LISTED)",
]
LISTS = ["[1, 2.5]", "(1.5, 2)", "[1, 2]", "W", "[x[0] + 1, 2.0]"]
EVERY = [
    (call, listed)
    for i, call in enumerate(CALLS)
    for listed in itertools.islice(itertools.cycle(LISTS), i, i + 2)
]


def of_text(text: str):
    names: dict = {}
    exec(text, names)
    return names["grad_f"]


@pytest.mark.parametrize("call, listed", EVERY)
def test_the_gradient_is_that_of_an_array(tmp_path, call, listed):
    result = call.replace("LISTED", listed)
    source = f"W = [1.5, 2.5]\n\ndef f(x):\n    return np.sum({result} ** 2)\n"
    f = written(source, tmp_path)
    true = numeric_gradient(f, [X], 0, 1.0).value
    by_call = gradgen.grad(f)(X)
    alone = of_text(gradgen.emit(f, shapes={"x": "2"}))(X)
    in_general = of_text(gradgen.emit(f, general=True))(X)
    _, along = gradgen.jvp(f)(X, np.array([1.0, -0.5]))
    for found in (by_call, alone, in_general):
        assert found.shape == X.shape and found.dtype == X.dtype
        np.testing.assert_allclose(found, true, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(along, true @ [1.0, -0.5], rtol=1e-6, atol=1e-8)


def test_an_outer_maximum_is_told_apart_by_the_entries_of_the_list(tmp_path):
    source = "def f(x):\n    return np.maximum.outer([1, 2], x)\n"
    jacobian = gradgen.jacobian(written(source, tmp_path))(np.array([0.5, 1.5, 2.5]))
    want = np.zeros((2, 3, 3))
    want[0, 1, 1] = want[0, 2, 2] = want[1, 2, 2] = 1
    np.testing.assert_array_equal(jacobian, want)


@pytest.mark.parametrize("places", ["[0, 1, 1]", "(2, 0, 2)"])
def test_the_bins_of_a_count_may_be_a_list(tmp_path, places):
    f = written(
        f"def f(x):\n    return np.bincount({places}, weights=x) ** 2\n", tmp_path
    )
    x = np.array([0.7, 1.6, -0.4])
    seed = np.array([1.0, 2.0, 3.0])[: len(f(x))]
    true = numeric_gradient(f, [x], 0, seed).value
    np.testing.assert_allclose(gradgen.grad(f)(x, seed=seed), true, rtol=1e-6)
