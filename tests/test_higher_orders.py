"""Third and fourth derivatives, by composing the modes in several ways."""

import linecache

import numpy as np
import pytest

import gradgen
from examples.losses import cosine_loss
from examples.networks import mlp_loss
from examples.recurrent import rnn_loss
from gradgen.verify.finite import directional
from tests.frontend.writing import written

rng = np.random.default_rng(7)


def mlp(W1, b1, W2, b2, X, Y):
    hidden = np.tanh(X @ W1 + b1)
    return np.mean((hidden @ W2 + b2 - Y) ** 4)


def some(*shapes):
    return [0.5 * rng.normal(size=shape) for shape in shapes]


# function, facts, the argument, arguments
CASES = {
    "cosine_loss": (cosine_loss, {"X": "n", "Y": "n"}, "X", some(4, 4)),
    "mlp": (
        mlp,
        {"W1": "d h", "b1": "h", "W2": "h c", "b2": "c", "X": "n d", "Y": "n c"},
        "W1",
        some((3, 4), 4, (4, 2), 2, (5, 3), (5, 2)),
    ),
    "mlp_loss": (
        mlp_loss,
        {"W1": "d h", "b1": "h", "W2": "h c", "b2": "c", "X": "n d", "Y": "n c"},
        "W2",
        some((3, 4), 4, (4, 2), 2, (5, 3), (5, 2)),
    ),
    "rnn_loss": (
        rnn_loss,
        {"Wx": "n m", "Wh": "m m", "b": "m", "X": "t n", "target": "m"},
        "Wh",
        some((2, 3), (3, 3), 3, (4, 2), 3),
    ),
}


def path(name: str):
    """The case on the line argument + t * direction, and the direction."""
    function, facts, wrt, args = CASES[name]
    k = list(facts).index(wrt)
    v = np.cos(np.arange(args[k].size)).reshape(args[k].shape)
    return function, facts, wrt, args, k, v


def emitted(source_of, tmp_path, name: str):
    """A text as a module, of which the last function is read again."""
    made = tmp_path / f"{name}.py"
    made.write_text(source_of)
    function = [w for w in source_of.split("\n") if w.startswith("def ")][-1]
    text = source_of.replace("import numpy as np\n", "", 1)
    return written(text, tmp_path, name, function[4 : function.index("(")])


@pytest.mark.parametrize("name", CASES)
def test_the_third_derivative(name):
    """grad(v'Hv), by hvp inside a function, against differences of the Hessian."""
    function, facts, wrt, args, k, v = path(name)
    names = list(facts)
    times = gradgen.hvp(function, wrt, shapes=facts)
    spelled = ", ".join(names)
    source = f"def third({spelled}, v):\n    return np.sum(v * times({spelled}, v))\n"
    third = named(source, times=times)
    made = gradgen.grad(third, wrt, shapes={**facts, "v": facts[wrt]})
    found = made(*args, v)
    assert found.shape == args[k].shape
    # Along v itself: d/dt of v'H(x + tv)v, and the gradient of v'Hv in another way.
    ways = [v if i == k else None for i in range(len(args))]
    want = directional(lambda *a: np.sum(v * times(*a, v)), args, ways)
    scale = max(abs(want.value), np.max(np.abs(found)))
    assert abs(np.sum(found * v) - want.value) <= 1e-7 * scale
    u = np.sin(1 + np.arange(v.size)).reshape(v.shape)
    ways[k] = u
    want = directional(lambda *a: np.sum(v * times(*a, v)), args, ways)
    assert abs(np.sum(found * u) - want.value) <= 1e-7 * scale


@pytest.mark.parametrize("name", CASES)
def test_the_fourth_derivative(name):
    """hvp of v'Hv, against second differences by way of its own measured gradient."""
    function, facts, wrt, args, k, v = path(name)
    names = list(facts)
    times = gradgen.hvp(function, wrt, shapes=facts)
    spelled = ", ".join(names)
    source = f"def fourth({spelled}, v):\n    return np.sum(v * times({spelled}, v))\n"
    curve = named(source, times=times)
    more = {**facts, "v": facts[wrt]}
    gradient = gradgen.grad(curve, wrt, shapes=more)
    made = gradgen.hvp(curve, wrt, shapes=more)
    found = made(*args, v, v)
    ways = [v if i == k else None for i in range(len(args) + 1)]
    want = directional(gradient, [*args, v], ways)
    scale = np.max(np.abs(want.value))
    assert np.max(np.abs(found - want.value)) <= 1e-6 * scale


SOURCES = {}


def named(source: str, **names):
    """A function of a text, which reads these names of its module."""
    file = f"<higher {len(SOURCES)}>"
    SOURCES[file] = source
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space = {"np": np, "__name__": "higher", **names}
    exec(compile(source, file, "exec"), space)
    return [f for n, f in space.items() if n in ("third", "fourth")][0]


@pytest.mark.parametrize("name", CASES)
def test_the_product_of_the_text_of_a_product(name, tmp_path):
    """The text of hvp is read again, twice: the third derivative along three vectors."""
    function, facts, wrt, args, k, v = path(name)
    first = gradgen.emit(function, wrt, mode="hvp", shapes=facts)
    once = emitted(first, tmp_path, f"once_{name}")
    more = {**facts, f"v_{wrt}": facts[wrt]}
    j = gradgen.jvp(once, wrt, shapes=more)
    value, change = j(*args, v, v)
    np.testing.assert_allclose(value, once(*args, v), rtol=1e-13)
    ways = [v if i == k else None for i in range(len(args) + 1)]
    want = directional(once, [*args, v], ways)
    scale = np.max(np.abs(want.value))
    assert np.max(np.abs(change - want.value)) <= 1e-6 * scale
    back = gradgen.grad(once, wrt, shapes=more)(*args, v, seed=v)
    assert np.isclose(np.sum(back * v), np.sum(change * v), rtol=1e-9)


def quartic(x):
    return np.sum(x**4) + np.sum(x) ** 3


def test_orders_of_a_polynomial():
    """Exact numbers: each derivative of x**4 + (sum x)**3 by hand."""
    x, v = np.array([1.0, -2.0, 0.5]), np.array([1.0, 1.0, -1.0])
    facts = {"x": "3"}
    s, t = np.sum(x), np.sum(v)
    np.testing.assert_allclose(
        gradgen.grad(quartic, shapes=facts)(x), 4 * x**3 + 3 * s**2
    )
    product = gradgen.hvp(quartic, shapes=facts)
    np.testing.assert_allclose(product(x, v), 12 * x**2 * v + 6 * s * t)
    third = gradgen.grad(lambda x: np.sum(v * product(x, v)), shapes=facts)
    np.testing.assert_allclose(third(x), 24 * x * v**2 + 6 * t**2)
    fourth = gradgen.hvp(lambda x: np.sum(v * product(x, v)), shapes=facts)
    np.testing.assert_allclose(fourth(x, v), 24 * v**3)
    whole = gradgen.hessian(lambda x: np.sum(v * product(x, v)), shapes=facts)
    np.testing.assert_allclose(whole(x), np.diag(24 * v**2))


SPECIAL = {
    # the second derivative where a formula of the first has a hole, and near it
    "np.sinc(x)": (0.0, -(np.pi**2) / 3),
    "special.ellipk(x)": (0.0, 9 * np.pi / 64),
    "special.ellipe(x)": (0.0, -3 * np.pi / 64),
    "special.ellipkinc(0.7, x)": (0.0, 0.01995446039644273),
    "special.ellipeinc(0.7, x)": (0.0, -0.006651486798814243),
    "special.spence(x)": (1.0, 0.5),
    "special.spherical_jn(0, x)": (0.0, -1 / 3),
    "special.spherical_jn(2, x)": (0.0, 2 / 15),
    "special.spherical_in(0, x)": (0.0, 1 / 3),
}


@pytest.mark.parametrize("expression", SPECIAL)
def test_second_derivatives_at_holes(expression, tmp_path):
    text = f"from scipy import special\n\ndef f(x):\n    return {expression} * 1.0\n"
    f = written(text, tmp_path)
    at, want = SPECIAL[expression]
    for x in (at, at + 1e-9, at - 1e-9):
        np.testing.assert_allclose(gradgen.hessian(f)(x), want, rtol=1e-6)
    gradient = gradgen.grad(f)
    h = 1e-3
    np.testing.assert_allclose(
        (gradient(at + h) - gradient(at - h)) / (2 * h), want, rtol=1e-5
    )


SUMS_OF_KINKS = {
    "np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))": 0.25,
    "np.log1p(np.exp(-abs(x))) - x * 0.3 + np.maximum(0, x)": 0.25,
    "3 - 2 * (np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x))))": -0.5,
    "-np.maximum(x, 0) - np.log1p(np.exp(-np.abs(x)))": -0.25,
    "np.logaddexp(0, x)": 0.25,
}


@pytest.mark.parametrize("expression", SUMS_OF_KINKS)
def test_kinks_that_cancel_bend(expression, tmp_path):
    """The Hessian of a logistic loss where all weights are 0 is not 0."""
    f = written(f"def f(x):\n    return np.sum({expression})\n", tmp_path)
    x = np.array([0.0, 0.7, -1.3])
    p = 1 / (1 + np.exp(-x))
    want = 4 * SUMS_OF_KINKS[expression] * p * (1 - p)
    np.testing.assert_allclose(gradgen.hessian(f)(x), np.diag(want), atol=1e-12)
    v = np.array([1.0, -2.0, 0.5])
    np.testing.assert_allclose(gradgen.hvp(f)(x, v), want * v, atol=1e-12)
