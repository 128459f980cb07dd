"""np.vectorize: the dtype of the first result, what f changes, what f asks of an entry."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.verify.finite import numeric_gradient

X = np.array([-0.5, 0.3, 0.8, 1.2])
ZERO, HALF = 0, 0.5


def whole(v):
    return 0 if v > 0 else v * v


def from_a_name(v):
    r = 0
    if v > 0:
        r = v * v
    return r


def from_a_default(v, k=0):
    return v * v if v > 0 else k


def from_the_module(v):
    return v * v if v > 0 else ZERO


def from_max(v):
    return max(0, v) if v < 2 else v


def from_math(v):
    return v * v if v > 0 else math.floor(v)


def from_arithmetic(v):
    return v * v if v > 0 else 1 - 1


def from_a_loop(v):
    s = 0
    for k in range(2):
        if v > 0:
            s += v * k
    return s


def from_a_helper(v):
    return v * v if v > 0 else whole(1)


def from_a_tuple(v):
    return v * v if v > 0 else (0, 1)[0]


WHOLE = [
    *(whole, from_a_name, from_a_default, from_the_module, from_max, from_math),
    *(from_arithmetic, from_a_loop, from_a_helper, from_a_tuple),
]


@pytest.mark.parametrize("inner", WHOLE)
def test_results_that_may_be_whole_are_refused(inner):
    def f(x):
        return np.sum(np.vectorize(inner)(x))

    with pytest.raises(GradgenError, match="whole number"):
        gradgen.grad(f)(X)


@pytest.mark.parametrize("inner", WHOLE)
def test_with_otypes_they_are_not(inner):
    def f(x):
        return np.sum(np.vectorize(inner, otypes=[float])(x) * x)

    want = numeric_gradient(f, [X], 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-8)


def floats_by_name(v):
    r = 0.0
    if v > 0:
        r = v * v
    r += 1
    return r


def floats_of_the_module(v):
    return v * v if v > HALF else HALF


def floats_of_functions(v):
    if v > 0:
        return math.sin(v) * 2
    elif v < -9:
        raise ValueError
    return np.maximum(0, v) + abs(v) / 2 + floats_by_name(v)


def floats_in_a_loop(v):
    a, b = v, 0.0
    for _ in range(3):
        a, b = a * 0.5, a + b
    return b


@pytest.mark.parametrize(
    "inner",
    [floats_by_name, floats_of_the_module, floats_of_functions, floats_in_a_loop],
)
def test_results_that_are_floats(inner):
    def f(x):
        return np.sum(np.vectorize(inner)(x) * x)

    want = numeric_gradient(f, [X], 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-8)


def kept_in_a_list(x):
    s = [0.0]

    def g(v):
        s[0] += v
        return s[0] * v

    return np.sum(np.vectorize(g)(x))


def kept_in_a_name(x):
    s = 0.0

    def g(v):
        nonlocal s
        s = s + v
        if s > 0:
            return s * v
        return v

    return np.sum(np.vectorize(g)(x))


def kept_in_an_array(x):
    y = x * 1.0

    def g(v):
        y[0] = y[0] * v
        return y[0] + v

    return np.sum(np.vectorize(g)(x))


@pytest.mark.parametrize("f", [kept_in_a_list, kept_in_a_name, kept_in_an_array])
def test_functions_that_change_what_is_outside(f):
    with pytest.raises(GradgenError, match="once more"):
        gradgen.grad(f)(X)


@pytest.mark.parametrize(
    "inner",
    [
        lambda v: v * np.size(v),
        lambda v: v * (np.ndim(v) + 1),
        lambda v: np.clip(v, 0.0, 1.0) * v + np.size(v) * v,
        lambda v: np.linalg.norm(v) * v,
        lambda v: 2.5,
        lambda v: np.exp(v) * np.clip(v, 0.0, 1.0),
    ],
)
def test_an_entry_is_no_array(inner):
    def f(x):
        return np.sum(np.vectorize(inner, otypes=[float])(x) * x)

    want = numeric_gradient(f, [X], 0)
    try:
        found = gradgen.grad(f)(X)
    except GradgenError:
        return  # refused: no wrong gradient
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-8)


def test_a_result_of_one_argument_has_the_shape_of_both():
    def f(x):
        return np.sum(np.vectorize(lambda a, b: a * 1.0)(x[:, None], x) * x)

    want = numeric_gradient(f, [X], 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize(
    "steps, is_float",
    [
        (lambda: np.arange(4), False),
        (lambda: np.arange(4) * 2, False),
        (lambda: np.arange(len(X)) + 1, False),
        (lambda: np.ones(4, int), False),
        (lambda: np.array([1, 2, 3, 4]), False),
        (lambda: np.arange(4) / 2, True),
        (lambda: np.linspace(0, 1, 4), True),
        (lambda: np.ones(4), True),
    ],
)
def test_integers_as_another_argument(steps, is_float):
    """The first result is an entry of `steps`: whole where these are integers."""

    def f(x):
        return np.sum(np.vectorize(lambda v, k: k if v < 0 else v * k)(x, steps()) * x)

    if is_float:
        want = numeric_gradient(f, [X], 0)
        np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-9)
    else:
        with pytest.raises(GradgenError, match="whole number"):
            gradgen.grad(f)(X)


def test_a_cached_function_that_counts_its_calls():
    def f(x):
        n = [0]

        @functools.lru_cache
        def g(i):
            n[0] += 1
            return x[i] ** 2

        return (g(0) * g(0) + g(1)) * n[0]

    with pytest.raises(GradgenError, match="GG112"):
        gradgen.grad(f)(X)


def test_a_cached_function_with_stores_of_its_own():
    def f(x):
        @functools.lru_cache
        def g(i):
            y = x * 1.0
            y[i] = y[i] ** 2
            return np.sum(y)

        return g(0) * g(0) + g(1)

    want = numeric_gradient(f, [X], 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-6, atol=1e-8)


@np.vectorize
def _by_itself(x):
    return x * x if x > 0.5 else 0.0


of_floats = np.vectorize(_by_itself.pyfunc, otypes=[float])
of_doubles = np.vectorize(_by_itself.pyfunc, otypes=[np.float64])


@pytest.mark.parametrize("made", [of_floats, of_doubles], ids=["float", "float64"])
def test_an_object_of_the_module_with_dtypes(made):
    x = np.array([0.7, 0.4, 1.3])
    found = gradgen.grad(lambda x: np.sum(made(x) * x))(x)
    np.testing.assert_allclose(found, np.where(x > 0.5, 3 * x * x, 0.0))


def test_what_numba_vectorizes_is_computed_by_entries():
    numba = pytest.importorskip("numba")

    @numba.vectorize
    def soft(bound, x):
        size = abs(x)
        sign = 0 if size == 0 else x / size
        rest = size - bound
        return (abs(rest) + rest) / 2 * sign

    def f(x):
        return np.sum(soft(0.3, x) ** 2)

    x = np.array([0.2, -0.5, 0.9])
    np.testing.assert_allclose(gradgen.grad(f)(x), [0.0, -0.4, 1.2])


def by_equality(y, t):
    return np.sum(np.vectorize(lambda v, w: v * v if w == 1.0 else 3.0 * v)(y, t))


def by_size(y, t):
    return np.sum(np.vectorize(lambda v, w: v * v if w > 0.5 else 3.0 * v)(y, t))


def by_truth(y, t):
    return np.sum(np.vectorize(lambda v, w: v * v if w else 3.0 * v)(y, t))


@np.vectorize
def step(w, v):
    if w == 1:
        return v * v
    return 3.0 * v


def decorated(y, t):
    return np.sum(step(t, y))


Y = np.array([[0.3, 0.2], [0.6, 0.5]])
GIVEN = [
    [[1.0, 0.0], [0.0, 1.0]],
    ((1.0, 0.0), (0.0, 1.0)),
    [1.0, 0.0],
    (0.0, 1.0),
    [[1], [0]],
    [[True], [False]],
    range(2),
    [np.float64(1), 0.0],
    1.0,
    0,
    np.array([1, 0]),
]


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("function", [by_equality, by_size, by_truth, decorated])
def test_a_list_is_given_entry_by_entry(function, given):
    want = numeric_gradient(lambda y: function(y, given), [Y], 0).value
    np.testing.assert_allclose(gradgen.grad(function, wrt="y")(Y, given), want)
    found = gradgen.grad(function, wrt="y")(Y.tolist(), given)
    np.testing.assert_allclose(found, want)
    text: dict = {}
    exec(gradgen.emit(function, wrt="y"), text)
    np.testing.assert_allclose(text[f"grad_{function.__name__}"](Y, given), want)


def test_a_list_by_its_name_and_one_of_words_are_refused():
    def named(y, t):
        return np.sum(np.vectorize(lambda v, w=1.0: v if w == 1.0 else v * v)(y, w=t))

    def words(y):
        return np.sum(
            np.vectorize(lambda v, w: v * v if w == "a" else v)(y, ["a", "b"])
        )

    with pytest.raises(GradgenError) as error:
        gradgen.grad(named, wrt="y")(Y, [1.0, 0.0])
    assert error.value.code == "GG205"
    with pytest.raises(GradgenError) as error:
        gradgen.grad(words)(Y)
    assert error.value.code == "GG205"
