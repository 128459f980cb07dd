"""--stable: other forms of the primal, equal but for rounding, and in range."""

import numpy as np
import pytest
from scipy import special

import gradgen
from gradgen.commands.order import Order, make
from gradgen.errors import GradgenError
from gradgen.frontend.source.source import find
from gradgen.pipeline.run import run
from gradgen.request.options import Request
from gradgen.request.request import request
from gradgen.simplify.stable import stable
from tests.passes.reading import Reading
from tests.passes.test_docstrings import example, spare, statements

X = np.array([-800.0, -40.0, -1.0, 0.0, 1e-30, 2.0, 40.0, 800.0])
ROWS = np.array([[800.0, 801.0, -5.0], [-900.0, -901.0, -900.0], [0.0, -np.inf, 1.0]])


def softplus(x):
    return np.log(1 + np.exp(x))


def softplus_in_pieces(x):
    e = np.exp(x)
    s = e + 1.0
    return np.log(s)


def softplus_log1p(x):
    return np.log1p(np.exp(x))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def sigmoid_of_share(x):
    e = np.exp(x)
    return e / (1 + e)


def falling(x):
    return 1 / (1 + np.exp(x))


def logsumexp(x):
    return np.log(np.sum(np.exp(x), axis=1))


def logsumexp_method(x):
    return np.log(np.exp(x).sum(axis=-1, keepdims=True))


def log_softmax(x):
    e = np.exp(x)
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.log(p)


def log_of_scipy(x):
    return np.log(special.softmax(x, axis=1))


def square_of_root(x):
    return np.sum(np.sqrt(x) ** 2)


def made(function, shapes, value=True):
    """The rewritten function with its gradient, and the text."""
    asked = request(function.__name__, shapes=shapes, stable=True, value=value)
    emitted = run(asked, find(function))
    names: dict = {}
    exec(emitted.text, names)
    return names[emitted.function], emitted.text


ELEMENTWISE = {
    softplus: (np.logaddexp(0, X), special.expit(X)),
    softplus_in_pieces: (np.logaddexp(0, X), special.expit(X)),
    softplus_log1p: (np.logaddexp(0, X), special.expit(X)),
    sigmoid: (special.expit(X), special.expit(X) * special.expit(-X)),
    sigmoid_of_share: (special.expit(X), special.expit(X) * special.expit(-X)),
    falling: (special.expit(-X), -special.expit(X) * special.expit(-X)),
}


@pytest.mark.parametrize("function", ELEMENTWISE, ids=lambda f: f.__name__)
def test_elementwise(function):
    call, text = made(function, {"x": "n"})
    with np.errstate(all="raise", under="ignore"):
        value, d_x = call(X, np.ones_like(X))
    for got, want in zip((value, d_x), ELEMENTWISE[function], strict=True):
        assert np.allclose(got, want, rtol=1e-12, atol=0), text
    _, small = call(X.astype(np.float32), np.ones(8, np.float32))
    assert small.dtype == np.float32


SEED = np.array([[1.0, -2.0, 0.5], [0.25, 1.0, 3.0], [2.0, 0.0, 1.0]])


@pytest.mark.parametrize("function", [logsumexp, logsumexp_method])
def test_sums(function):
    call, _ = made(function, {"x": "n d"})
    seed = SEED[:, 0] if function is logsumexp else SEED[:, :1]
    with np.errstate(all="raise", under="ignore"):
        value, d_x = call(ROWS, seed)
    want = special.logsumexp(ROWS, axis=1, keepdims=function is logsumexp_method)
    assert np.allclose(value, want, rtol=1e-14, atol=0)
    want = SEED[:, :1] * special.softmax(ROWS, axis=1)
    assert np.allclose(d_x, want, rtol=1e-13, atol=0)


@pytest.mark.parametrize("function", [log_softmax, log_of_scipy])
def test_logarithms_of_shares(function):
    names = {"x": "n d"}
    call, _ = made(function, names)
    value, d_x = call(ROWS, SEED)
    assert np.allclose(value, special.log_softmax(ROWS, axis=1), rtol=1e-13, atol=0)
    total = np.sum(SEED, axis=1, keepdims=True)
    want = SEED - total * special.softmax(ROWS, axis=1)
    assert np.allclose(d_x, want, rtol=1e-12, atol=1e-15)


def test_rows_without_a_finite_entry_keep_their_value():
    call, _ = made(logsumexp, {"x": "n d"})
    rows = np.array([[-np.inf, -np.inf], [np.inf, 0.0], [np.nan, 0.0]])
    with np.errstate(all="ignore"):
        value, _ = call(rows, np.ones(3))
        assert np.array_equal(value, logsumexp(rows), equal_nan=True)
    assert np.array_equal(value, [-np.inf, np.inf, np.nan], equal_nan=True)


def test_the_square_of_a_root():
    call, text = made(square_of_root, {"x": "n"})
    assert "= np.sqrt" not in text
    value, d_x = call(np.array([0.0, 4.0]), 3.0)
    assert value == 4 and np.array_equal(d_x, [3.0, 3.0])


def log_of_shifted(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return np.log(np.sum(e, axis=1))


def two_more(x):
    return np.log(2 + np.exp(x))


def minus(x):
    return np.log(1 - np.exp(x))


def other_numerator(x):
    return 2 / (1 + np.exp(x))


def weighted(x):
    return np.log(np.sum(x * np.exp(x)))


def stored(x):
    y = np.sqrt(x) ** 2
    y[0] = 1.0
    return np.sum(y * x)


@pytest.mark.parametrize(
    "function",
    [log_of_shifted, two_more, minus, other_numerator, weighted, stored],
    ids=lambda f: f.__name__,
)
def test_other_forms_stay(function):
    shapes = {"x": "n d"} if function is log_of_shifted else {"x": "n"}
    plain = gradgen.emit(function, shapes=shapes, value=True)
    _, text = made(function, shapes)
    assert text.partition("import")[2] == plain.partition("import")[2]


def test_from_python():
    d_x = gradgen.grad(softplus, shapes={"x": "n"}, stable=True)(np.array([800.0]))
    assert np.array_equal(d_x, [1.0])
    value, pullback = gradgen.vjp(softplus, stable=True)(np.array([800.0]))
    assert value == 800 and pullback(np.ones(1)) == 1
    _, d_y = gradgen.jvp(softplus, stable=True)(np.array([800.0]), np.array([2.0]))
    assert d_y == 2


def test_off_unless_asked_for():
    assert "logaddexp" not in gradgen.emit(softplus, shapes={"x": "n"})


def test_the_command_and_the_docstring_tell():
    made_ = make(Order(f"{__name__}.softplus", shape=("x=n",), stable=True))
    text = made_.emitted.text
    assert "softplus --stable --shape x=n\n" in text
    assert "    Rewritten (--stable): softplus but for rounding.\n" in text
    assert isinstance(made_.request, Request) and made_.request.stable


def test_with_kept_calls_it_is_refused():
    with pytest.raises(GradgenError, match="GG009"):
        request("f", stable=True, keep_calls=True)


def test_docstring_example():
    before, after = example(stable)
    reading = Reading({}, frozenset())
    got = stable(reading.function(before), reading.facts, spare())
    assert statements(got) == statements(Reading({}, frozenset()).function(after))
