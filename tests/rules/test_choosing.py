"""choose, linspace, resize, histogram and bincount with weights."""

import numpy as np
import pytest

import gradgen
from tests.fuzz.program import imported
from tests.refusals import refusal
from tests.rules.checker import binary, faults, ranked, shaped, unary
from tests.rules.test_rules import label

LINES = [
    shaped("np.choose(np.argsort(x) % 2, [x, y])", "d", "d"),
    shaped("np.choose(np.argsort(x, axis=1) % 3, [x, y, 2.0])", "n d", "n 1"),
    shaped("np.choose([0, 1, 1], (x, 2 * x))", "3"),
    shaped("np.choose(1, [x, y])", "n 1", "d"),
    shaped("np.choose(np.argsort(x) % 2, [x, 2.0]) ** 2", "d"),
    ranked("np.linspace(x, y, 7)", "", ""),
    ranked("np.linspace(x, 1.0, num=4, endpoint=False)", ""),
    ranked("np.linspace(-1, x, 5) * y", "", "5"),
    ranked("np.linspace(x, y, 3)", "4", "4"),
    ranked("np.linspace(x, y, 3)", "4", "2 4"),
    ranked("np.linspace(x, y, 3, endpoint=False)", "2 3", ""),
    ranked("np.linspace(0.5, x, 3, axis=-1)", "2 3"),
    ranked("np.linspace(x, y, 3, axis=1)", "4", "2 4"),
    shaped("np.resize(x, (2, 5))", "n"),
    shaped("np.resize(x, 4)", "n d"),
    shaped("np.resize(x, (2, 2))", "n d"),
]


@pytest.mark.parametrize("line", LINES, ids=label)
def test_line(line):
    found = faults(line, gradgen, forward=True)
    if found:
        pytest.fail(found, pytrace=False)


def function_of(text: str, params: str = "x, y=1.0"):
    text = f"import numpy as np\n\n\ndef f({params}):\n    return {text}\n"
    return imported(text, "f")


@pytest.mark.parametrize("bins", ["3", "[-1.0, 0.0, 1.0]", "4, (-0.5, 1.0)"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_weights_of_a_histogram(bins, dtype):
    function = function_of(f"np.histogram(x, {bins}, weights=w)[0]", "w, x")
    rng = np.random.default_rng(0)
    x, w = (rng.normal(size=(4, 9)).astype(dtype) for _ in range(2))
    value = function(w, x)
    for k in range(len(value)):
        seed = np.zeros_like(value)
        seed[k] = 1
        found = gradgen.grad(function)(w, x, seed=seed)
        assert found.dtype == dtype and found.shape == w.shape
        change = [function(np.where(x == one, 2 * w, w), x) - value for one in x.flat]
        wanted = np.reshape([np.sum(c[k]) for c in change], w.shape) / w
        np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-5)


REFUSALS = {
    "np.choose(0, x)": "np.choose's choices are not written out",
    "np.linspace(x, y, 3, retstep=True)[0]": "no rule for the argument retstep=",
    "np.piecewise(x, x > 0, [1.0])": "conditions of np.piecewise are not written out",
}


@pytest.mark.parametrize("text", REFUSALS)
def test_refusal(text):
    assert REFUSALS[text] in str(refusal(function_of(text)))


MORE = [
    binary("np.copysign(x, y)", -2, 2),
    binary("np.fmod(x, y)", -3, 3, (1.1, 1.9)),
    binary("np.float_power(x, y)", 0.3, 2, (-2, 2)),
    unary("np.heaviside(x, 0.5) * x", -2, 2),
    unary("np.modf(x)[0] * x", -2, 2),
    unary("np.round(x) * x", 0.1, 0.4),
    unary("np.around(x, 1) * x", 0.01, 0.04),
    shaped("x.round() * y", "n d", "n d"),
    shaped("np.polyval([1.0, -2.0, 0.5], x)", "n d"),
    shaped("np.polyval(x, y)", "n", "n d"),
    shaped("np.polyval(x, 0.5)", "n"),
    shaped("np.nancumprod(np.where(x > 1.5, np.nan, x), axis=1)", "n d"),
    shaped("np.nancumprod(x)", "n d"),
    shaped("np.nanmedian(np.where(x > 1.5, np.nan, x), axis=0)", "m n"),
    shaped("np.nanmedian(x, keepdims=True)", "n d"),
    ranked("np.compress(y > 0.5, x)", "n", "n"),
    shaped("np.compress([True, False, True], x, axis=0)", "3 d"),
    shaped("np.extract(x > 0.5, x)", "n d"),
    shaped("x * np.identity(3) + np.tri(3)", "3 3"),
    shaped("x * np.hanning(5) + np.isposinf(x)", "n 5"),
    shaped("np.where(np.isreal(x), x**2, x) - np.iscomplex(x)", "n 5"),
    shaped("np.where(np.allclose(x, 1.0), 1, x)", "n"),
]


@pytest.mark.parametrize("line", MORE, ids=label)
def test_more(line):
    found = faults(line, gradgen, forward="modf" not in line.text)
    if found:
        pytest.fail(found, pytrace=False)


def test_a_list_that_is_cut_chooses_entry_by_entry():
    text = "import numpy as np\n\n\ndef f(x, y):\n"
    text += (
        "    return np.sum(np.choose([0, 1, 0][: len(y)], [x, y]) * [1.0, 2.0, 3.0])\n"
    )
    f = imported(text, "f")
    x, y = np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0])
    d_x, d_y = gradgen.grad(f, wrt=("x", "y"))(x, y)
    np.testing.assert_array_equal(d_x, [1, 0, 3])
    np.testing.assert_array_equal(d_y, [0, 2, 0])


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
@pytest.mark.parametrize("new", [2, (2, 3)])
def test_resizing_what_has_no_entries(shape, new):
    """NumPy makes zeros of it, of which no entry is one of the array's."""

    def resized(x):
        return np.resize(x, new)

    x = np.zeros(shape)
    value, pullback = gradgen.vjp(resized)(x)
    assert pullback(np.ones(np.shape(value))).shape == shape
