"""A maximum that only shifts is left out of the gradient, and no other is."""

import numpy as np
import pytest

import gradgen
from gradgen.derive.shifts import shifts
from gradgen.verify.finite import numeric_gradient
from tests.passes.reading import Reading
from tests.passes.test_docstrings import example


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


def softmax_rows(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def columns(x):
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=0)


def logsumexp(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(x - m)))


def logsumexp_rows(x):
    m = x.max(axis=1)
    return m + np.log(np.exp(x - m[:, None]).sum(axis=1))


def squeezed(x):
    m = np.max(x, axis=1, keepdims=True)
    return np.squeeze(m, axis=1) + np.log(np.sum(np.exp(x - m), axis=1))


def transposed(x):
    m = np.max(x, axis=1)
    e = np.exp(x.T - m)
    return (e / np.sum(e, axis=0)).T


def log_softmax(x):
    z = x - np.max(x, axis=-1, keepdims=True)
    return z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))


def finite_shift(x):
    m = np.max(x, axis=-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    return m + np.log(np.sum(np.exp(x - m), axis=-1, keepdims=True))


def with_temperature(x, t):
    e = np.exp((x - np.max(x)) / t)
    return e / np.sum(e)


def masked(x):
    z = x - np.max(x, axis=1, keepdims=True)
    e = np.where(x > -1, np.exp(z), 0)
    return e / np.sum(e, axis=1, keepdims=True)


def gated(x):
    m = np.max(x, axis=1, keepdims=True)
    e = np.exp(np.where(x > -1, x - m, -np.inf))
    return np.sum(e * x, axis=1) / np.sum(e, axis=1)


def mixed_rows(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return (e @ np.ones((3, 2))) / np.sum(e, axis=1, keepdims=True)


def minimum_shift(x):
    m = np.min(x)
    return np.sum(np.log(np.sum(np.exp(m - x))) - m)


def in_a_loop(x):
    total = 0.0
    for i in range(len(x)):
        m = np.max(x[i])
        total = total + m + np.log(np.sum(np.exp(x[i] - m)))
    return total


FREE = {
    softmax: "n",
    softmax_rows: "n d",
    columns: "n d",
    logsumexp: "n",
    logsumexp_rows: "n d",
    squeezed: "n d",
    transposed: "n d",
    log_softmax: "n d",
    finite_shift: "n d",
    with_temperature: "n",
    masked: "n d",
    mixed_rows: "n 3",
    gated: "n d",
    minimum_shift: "n",
    in_a_loop: "n d",
}


def not_cancelled(x):
    m = np.max(x)
    return np.log(np.sum(np.exp(x - m)))


def twice(x):
    m = np.max(x)
    return 2 * m + np.log(np.sum(np.exp(x - m)))


def half(x):
    m = np.max(x)
    return m + np.log(np.sum(np.exp(0.5 * (x - m))))


def squared_weights(x):
    e = np.exp(x - np.max(x))
    return e * e / np.sum(e)


def other_axis(x):
    e = np.exp(x - np.max(x, axis=1, keepdims=True))
    return e / np.sum(e, axis=0, keepdims=True)


def wrong_axis_of_a_square(x):
    e = np.exp(x - np.max(x, axis=1))
    return e / np.sum(e, axis=1, keepdims=True)


def crossed(x):
    m = np.max(x, axis=1)
    e = np.exp(x - m[:, None])
    return e / np.exp(x - m)


def with_its_maximum(x):
    m = np.max(x)
    e = np.exp(x - m)
    return m * e / np.sum(e)


def shifted_score(x):
    z = x - np.max(x, axis=1, keepdims=True)
    return np.sum(z * z) - np.log(np.sum(np.exp(z)))


def filled(x):
    z = np.where(x > -1, x - np.max(x), -5.0)
    e = np.exp(z)
    return e / np.sum(e)


def plus_one(x):
    e = np.exp(x - np.max(x))
    return e / (1 + np.sum(e))


def decided(x):
    m = np.max(x)
    z = x - m
    if np.sum(z) > -1e9:
        z = z * z
    return np.sum(z)


def carried(x):
    m = np.max(x)
    total = 0.0
    for i in range(len(x)):
        total = total + np.exp(x[i] - m)
    return np.log(total)


def over_a_scaled(x, t):
    m = np.max(x)
    return m + np.log(np.sum(np.exp((x - m) / t)))


def moved_axes(x):
    m = np.max(x, axis=2, keepdims=True)
    e = np.transpose(np.exp(x - m), axes=(1, 2, 0))
    return e / np.sum(e, axis=0, keepdims=True)


BOUND = {
    moved_axes: "3 3 3",
    not_cancelled: "n",
    twice: "n",
    half: "n",
    squared_weights: "n",
    other_axis: "n n",
    wrong_axis_of_a_square: "n n",
    crossed: "n n",
    with_its_maximum: "n",
    shifted_score: "n d",
    filled: "n",
    plus_one: "n",
    decided: "n",
    carried: "n",
    over_a_scaled: "n",
}


def arguments(function, fact):
    rng = np.random.default_rng(len(fact))
    sizes = {"n": 3, "d": 4, "3": 3}
    x = rng.normal(size=tuple(sizes[dim] for dim in fact.split()))
    return (x, 1.7) if "t" in function.__code__.co_varnames[:2] else (x,)


def checked(function, fact, shapes) -> str:
    """The text, after its gradient has been held against differences."""
    args = arguments(function, fact)
    gradient = gradgen.grad(function, shapes=shapes)
    seed = np.random.default_rng(1).normal(size=np.shape(function(*args)))
    seed = seed if seed.ndim else float(seed)
    want = numeric_gradient(function, args, 0, seed)
    got = gradient(*args, seed=seed)
    assert got.shape == args[0].shape
    assert np.max(np.abs(got - want.value)) <= 1e-8 * (1 + np.max(np.abs(want.value)))
    return gradient.source


@pytest.mark.parametrize("function", FREE, ids=lambda f: f.__name__)
def test_a_shift_is_left_out(function):
    fact = FREE[function]
    shapes = {"x": fact} | ({"t": ""} if function is with_temperature else {})
    assert "hits" not in checked(function, fact, shapes)


@pytest.mark.parametrize("function", BOUND, ids=lambda f: f.__name__)
def test_what_the_result_depends_on_stays(function):
    fact = BOUND[function]
    shapes = {"x": fact} | ({"t": ""} if function is over_a_scaled else {})
    assert "hits" in checked(function, fact, shapes)


@pytest.mark.parametrize(
    "function",
    [softmax, softmax_rows, logsumexp, log_softmax],
    ids=lambda f: f.__name__,
)
def test_without_facts(function):
    assert "hits" not in checked(function, FREE[function], None)


@pytest.mark.parametrize(
    "function", [other_axis, wrong_axis_of_a_square, not_cancelled, plus_one]
)
def test_what_the_result_depends_on_stays_without_facts(function):
    assert "hits" in checked(function, BOUND[function], None)


def test_entries_of_infinity_and_ties():
    x = np.array([[0.0, 0.0, -np.inf], [800.0, 800.0, 0.0]])
    got = gradgen.grad(log_softmax, shapes={"x": "n d"})(x, seed=np.eye(2, 3))
    assert np.array_equal(got, [[0.5, -0.5, 0.0], [-0.5, 0.5, 0.0]])


def test_forward_mode_leaves_it_out_as_well():
    text = gradgen.emit(softmax_rows, shapes={"x": "n d"}, mode="forward")
    assert "hits" not in text
    x, d_x = np.random.default_rng(0).normal(size=(2, 3, 4))
    _, got = gradgen.jvp(softmax_rows, shapes={"x": "n d"})(x, d_x)
    p = softmax_rows(x)
    want = p * (d_x - np.sum(p * d_x, axis=1, keepdims=True))
    assert np.allclose(got, want, rtol=1e-13, atol=1e-15)


def test_docstring_example():
    before, after = example(shifts)
    reading = Reading({}, frozenset())
    found = shifts(reading.function(before), reading.facts)
    assert {var.name for var in found} == {"m"} and after.strip() == "m, held constant"
