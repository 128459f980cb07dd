"""Arrays without entries: gradients where the function itself returns."""

import warnings

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

TOLD = pytest.mark.parametrize("told", [True, False], ids=["facts", "none"])
SHAPES = pytest.mark.parametrize("shape", [(3, 0), (0, 3), (0, 0)], ids=str)


def of(expression, tmp_path):
    text = f"from scipy import special\n\n\ndef f(x):\n    return {expression}\n"
    return written(text, tmp_path)


@pytest.fixture(autouse=True)
def of_no_entries():
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


@TOLD
@SHAPES
@pytest.mark.parametrize(
    "expression",
    [
        "np.median(x)",
        "np.median(x, axis=0)",
        "np.median(x, axis=-1, keepdims=True)",
        "np.nanmedian(x, axis=1)",
        "np.linalg.norm(x, 2)",
        "np.linalg.matrix_norm(x, ord=2)",
    ],
)
def test_a_gradient_of_no_entries_has_none(expression, shape, told, tmp_path):
    function, x = of(expression, tmp_path), np.zeros(shape)
    value = function(x)
    gradient = gradgen.grad(function, shapes={"x": "n m"} if told else {})
    assert gradient(x).shape == shape
    assert gradient.function(x, np.ones(np.shape(value))[()]).shape == shape


@TOLD
@SHAPES
@pytest.mark.parametrize(
    "expression",
    [
        "np.arctan(x)",
        "np.repeat(x, 3, axis=0)",
        "np.block([[x, x], [x, x]])",
        "np.cumsum(x, axis=-1)",
        "special.logsumexp(x, -1)",
        "special.logsumexp(x, axis=0)",
        "np.median(x, axis=0)",
    ],
)
def test_a_jacobian_of_no_entries_has_its_shape(expression, shape, told, tmp_path):
    function, x = of(expression, tmp_path), np.zeros(shape)
    value = function(x)
    jacobian = gradgen.jacobian(function, shapes={"x": "n m"} if told else {})
    assert jacobian(x).shape == np.shape(value) + shape


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ["median", "nanmedian"])
def test_medians_share_between_the_two_middle_entries(name, axis, tmp_path):
    x = np.array([[2.0, 2.0, 1.0, 5.0], [4.0, 0.5, 0.5, 3.0], [9.0, 2.0, 7.0, 2.0]])
    function = of(f"np.sum(np.{name}(x, axis={axis}) * 1.5)", tmp_path)
    want = np.zeros_like(x)
    ways = [np.s_[:]] if axis is None else [np.s_[:, j] for j in range(4)]
    for way in [np.s_[i] for i in range(3)] if axis == 1 else ways:
        entries = x[way]
        ordered, n = np.sort(entries, axis=None), entries.size
        for middle in (ordered[(n - 1) // 2], ordered[n // 2]):
            hits = entries == middle
            want[way] += 1.5 / 2 * hits / np.sum(hits)
    np.testing.assert_allclose(gradgen.grad(function)(x), want)


def test_scipys_convolution_of_nothing():
    """SciPy gives nothing back for mode="same"; the gradient had two entries once."""
    signal = pytest.importorskip("scipy.signal")

    def convolved(x, y):
        return np.sum(signal.convolve(x, y, mode="same"))

    assert gradgen.grad(convolved)(np.zeros(0), np.ones(3)).shape == (0,)


@pytest.mark.parametrize(
    "expression",
    ["np.atleast_3d(x)", "np.atleast_3d(x * x)[0]", "np.linalg.cholesky(np.diag(x))"],
)
def test_a_jacobian_without_rows_has_the_dtype_of_others(expression, tmp_path):
    function = of(expression, tmp_path)
    for n in (0, 2):
        x = np.full(n, 0.5, np.float32)
        jacobian = gradgen.jacobian(function)
        assert jacobian(x).shape == np.shape(function(x)) + (n,)
        assert jacobian(x).dtype == np.float32
        assert "row by row" in jacobian.source


@pytest.mark.parametrize("shape", [(2, 0), (0, 2), (2, 2)], ids=str)
def test_jacobians_without_rows_are_one_for_each_argument(shape, tmp_path):
    function = written("def f(x, row):\n    return np.atleast_3d(x * row)\n", tmp_path)
    x, row = np.ones(shape[1], np.float32), np.ones(shape, np.float32)
    found = gradgen.jacobian(function, wrt=("x", "row"))(x, row)
    value = np.shape(function(x, row))
    assert [one.shape for one in found] == [value + x.shape, value + shape]
    assert {one.dtype for one in found} == {np.dtype(np.float32)}


def test_a_hessian_of_nothing_has_its_dtype(tmp_path):
    function = of("np.sum(np.atleast_3d(x) ** 3)", tmp_path)
    for n in (0, 2):
        found = gradgen.hessian(function)(np.ones(n, np.float32))
        assert found.shape == (n, n) and found.dtype == np.float32
