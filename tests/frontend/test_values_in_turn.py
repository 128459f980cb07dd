"""np.place, np.putmask and np.fill_diagonal take few values in turn, of many the first."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

SQUARE = np.array([[1.0, 2.0, 0.3], [0.9, 0.8, 0.7], [0.1, 3.0, 1.0]])
TALL = np.array([[1.0, 0.2], [0.3, 2.0], [0.9, 0.1]])
FEW = np.array([2.0, 3.0])
MANY = np.arange(1.0, 12.0)
CALLS = [
    "np.place(y, A > 0.5, x)",
    "np.place(y, A > 9, x)",
    "np.place(y, A > 0.5, x * A[0, 0])",
    "np.place(y, A > 0.5, x.reshape(-1, 1))",
    "np.putmask(y, A > 0.5, x)",
    "np.putmask(y, A > 0.5, [x[0], 2.0])",
    "np.putmask(y, A > 0.5, 3.0 * A[:1])",
    "np.fill_diagonal(y, x)",
    "np.fill_diagonal(y, A[0] * x[0])",
    "np.fill_diagonal(y, x.reshape(1, -1))",
    "np.fill_diagonal(y, [x[0], 4.0])",
]


@pytest.mark.parametrize("x", [FEW, MANY, FEW[:1]])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("A", [SQUARE, TALL])
def test_gradients(tmp_path, call, A, x):
    source = f"""
    def f(A, x):
        y = A.copy()
        {call}
        return np.sum(y * A * 1.3)
    """
    f = written(source, tmp_path)
    true = [numeric_gradient(f, [A, x], k).value for k in (0, 1)]
    texts = {}, {"example": (A, x)}, {"shapes": {"A": "n m", "x": "k"}}
    for told in texts:
        names: dict = {}
        exec(gradgen.emit(f, ("A", "x"), **told), names)
        for got, want in zip(names["grad_f"](A, x), true, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
    value, found = gradgen.value_and_grad(f, ("A", "x"))(A, x)
    assert value == f(A, x)
    for got, want in zip(found, true, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)
    moved = gradgen.jvp(f, ("A", "x"))(A, x, np.sin(A), np.cos(x))[1]
    np.testing.assert_allclose(
        moved, np.sum(true[0] * np.sin(A)) + np.sum(true[1] * np.cos(x)), rtol=1e-6
    )


@pytest.mark.parametrize("value", [2.0, np.float64(0.5), np.array([1.5])])
@pytest.mark.parametrize(
    "call",
    ["np.putmask(y, A > 0.5, s)", "np.fill_diagonal(y, s)", "np.place(y, A > 0.5, s)"],
)
def test_numbers_with_nothing_told(tmp_path, call, value):
    source = f"""
    def f(A, s):
        y = A.copy()
        {call}
        return np.sum(y * A)
    """
    f = written(source, tmp_path)
    names: dict = {}
    exec(gradgen.emit(f, ("A", "s")), names)
    for k, got in enumerate(names["grad_f"](SQUARE, value)):
        want = numeric_gradient(f, [SQUARE, value], k).value
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-8)


def test_what_fits_is_stored_as_it_is(tmp_path):
    source = """
    def f(A, B, m):
        y = A.copy()
        np.place(y, m, np.extract(m, B))
        np.putmask(y, A > 2, B)
        np.fill_diagonal(y, B[0])
        return np.sum(y * A)
    """
    f = written(source, tmp_path)
    text = gradgen.emit(f, "A", shapes={"A": "n n", "B": "n n", "m": "n n:bool"})
    assert "resize" not in text
