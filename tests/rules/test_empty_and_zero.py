"""Quotients by 0, entries that are none, and arguments that NumPy takes and few try."""

import warnings

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written


def of(expression, tmp_path, names="x"):
    return written(f"def f({names}):\n    return {expression}\n", tmp_path)


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize(
    "power",
    [
        "0.0 ** x",
        "0 ** x",
        "np.power(0.0, x)",
        "np.power(-0.0, x) * x",
        "np.zeros_like(x) ** x",
        "np.float_power(0.0, x)",
        "np.power(np.zeros(()), x)",
    ],
)
def test_powers_of_zero(power, facts, tmp_path):
    function = of(power, tmp_path)
    x = np.array([0.5, 1.0, 2.0, 3.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gradgen.grad(function, shapes=facts)(x)
    want = numeric_gradient(function, (x,), 0, np.ones(4)).value
    np.testing.assert_allclose(found, want, atol=1e-9)
    assert gradgen.grad(function, shapes={"x": ""})(2.0) == 0


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
@pytest.mark.parametrize(
    "name", ["mean", "var", "std", "sum", "average", "prod", "linalg.norm"]
)
def test_gradients_of_no_entries(name, shape, dtype, told, tmp_path):
    facts = {"x": "n d" if len(shape) == 2 else "n"} if told else {}
    x = np.zeros(shape, dtype)
    for axis in (None, *range(len(shape))):
        call = f"np.{name}(x)" if axis is None else f"np.{name}(x, axis={axis})"
        function = of(f"np.sum({call})", tmp_path)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                function(x)
            except ZeroDivisionError:  # np.average has its own
                continue
            for gradient in (
                gradgen.grad(function, shapes=facts)(x),
                gradgen.value_and_grad(function, shapes=facts)(x)[1],
                gradgen.vjp(function, shapes=facts)(x)[1](),
            ):
                assert gradient.shape == shape and gradient.dtype == dtype


def test_python_numbers_at_zero_are_computed_as_numpys(tmp_path):
    root = gradgen.grad(of("x ** 0.5", tmp_path), shapes={"x": ""})
    assert root(0.0) == np.inf and root(4.0) == 0.25
    inverse = gradgen.grad(of("1 / x", tmp_path), shapes={"x": ""})
    with pytest.raises(ZeroDivisionError):
        inverse(0.0)  # as the function itself


ROUNDED = [
    "np.full(3, x[0], dtype=int)",
    "np.full(3, x[0], int)",
    "np.full_like(np.arange(3), x[0])",
    "np.full_like(x, x[0], dtype=bool)",
    "np.full_like(x.astype(int), x[0])",
    "np.sum(x, dtype=np.arange(2).dtype)",
    "x.astype(np.arange(2).dtype)",
]


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize("made", ROUNDED)
def test_what_is_made_integers_is_refused(made, facts, tmp_path):
    function = of(f"np.sum({made} * 1.5)", tmp_path)
    for mode in (gradgen.grad, gradgen.jvp):
        with pytest.raises(gradgen.GradgenError, match="GG309"):
            mode(function, shapes=facts).source


@pytest.mark.parametrize("upper", ["U", "L"])
@pytest.mark.parametrize("call", ["eigvalsh(x, {})", "eigh(x, {})[0]"])
def test_the_triangle_that_is_read(call, upper, tmp_path):
    call = call.format(f"UPLO={upper!r}")
    function = of(f"np.sum(np.linalg.{call} ** 3)", tmp_path)
    x = np.random.default_rng(0).normal(size=(4, 4))  # the triangles differ
    found = gradgen.grad(function, shapes={"x": "n n"})(x)
    want = numeric_gradient(function, (x,), 0, 1.0).value
    np.testing.assert_allclose(found, (want + want.T) / 2, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("x", [2.0, np.float64(-1.5)])
@pytest.mark.parametrize("form", ["np.prod(x) ** 3", "np.sum(np.prod(x)) ** 3"])
def test_products_of_a_number(form, x, tmp_path):
    function = of(form, tmp_path)
    for facts in ({"x": ""}, {}):
        assert np.isclose(gradgen.grad(function, shapes=facts)(x), 3 * x**2)
        assert np.isclose(gradgen.hvp(function, shapes=facts)(x, 2.0), 12 * x)


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize("repeats", [0, 1, 2])
def test_repeats(repeats, facts, tmp_path):
    function = of(f"np.sum(np.repeat(x, {repeats}) ** 2)", tmp_path)
    x = np.array([1.0, 2.0, -3.0])
    np.testing.assert_allclose(gradgen.grad(function, shapes=facts)(x), 2 * repeats * x)
