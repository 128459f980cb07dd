"""An argument that is called as the gradient's seed, or as a word of the library."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.3, -0.4, 0.9])


def number(x, seed=2.0):
    return np.sum(np.sin(x * seed))


def entries(x, seed=2.0):
    return np.sin(x * seed)


def by_keyword(x, *, seed=2.0):
    return np.sin(x * seed)


def words(x, example=2.0, shapes=3.0, wrt=0.5, self=1.5):
    return np.sum(np.sin(x * example * shapes)) * wrt * self


def results(x, d_out, d_y, v_x):
    y = np.sin(x * d_out) * d_y
    return y * v_x


def measured(function, *args, seed=1.0):
    return numeric_gradient(function, list(args), 0, seed).value


@pytest.mark.parametrize("maker", [gradgen.grad, gradgen.value_and_grad])
@pytest.mark.parametrize("function", [number, entries, by_keyword])
@pytest.mark.parametrize("seed", [3.0, 1.0, None])
def test_the_keyword_is_refused(maker, function, seed):
    with pytest.raises(gradgen.GradgenError, match="GG513 seed= may be"):
        maker(function)(X, seed=seed)


@pytest.mark.parametrize("seed", [0.5, [1.0, -2.0, 0.5]])
def test_by_its_place_the_keyword_is_the_gradients(seed):
    for _ in range(3):
        g = gradgen.grad(entries, wrt=("x", "seed"))
        for got, place in zip(g(X, 3.0, seed=seed), (0, 1)):
            want = numeric_gradient(entries, [X, 3.0], place, np.ones(3) * seed).value
            np.testing.assert_allclose(got, want, rtol=1e-7)


def test_by_its_place_it_is_the_functions_own():
    got = gradgen.grad(number)(X, 3.0)
    np.testing.assert_allclose(got, measured(number, X, 3.0), rtol=1e-7)
    value, got = gradgen.value_and_grad(entries)(X, 3.0)
    np.testing.assert_array_equal(value, entries(X, 3.0))
    want = measured(entries, X, 3.0, seed=np.ones(3))
    np.testing.assert_allclose(got, want, rtol=1e-7)


@pytest.mark.parametrize("function", [entries, by_keyword])
def test_the_advice_a_pullback_takes_the_other(function):
    value, pullback = gradgen.vjp(function)(X, seed=3.0)
    np.testing.assert_array_equal(value, function(X, seed=3.0))
    seed = np.array([0.5, 2.0, -1.0])
    want = numeric_gradient(lambda x: function(x, seed=3.0), [X], 0, seed).value
    np.testing.assert_allclose(pullback(seed), want, rtol=1e-7)


def test_where_no_seed_is_taken_it_is_the_functions_own():
    want = numeric_gradient(lambda x: number(x, seed=3.0), [X], 0, 1.0).value
    _, tangent = gradgen.jvp(number)(X, np.ones(3), seed=3.0)
    np.testing.assert_allclose(tangent, np.sum(want), rtol=1e-7)
    matrix = gradgen.jacobian(entries)(X, seed=3.0)
    np.testing.assert_allclose(matrix, np.diag(3 * np.cos(3 * X)), atol=1e-12)
    curved = gradgen.hvp(number)(X, np.ones(3), seed=3.0)
    np.testing.assert_allclose(curved, -9 * np.sin(3 * X), atol=1e-12)
    whole = gradgen.hessian(number)(X, seed=3.0)
    np.testing.assert_allclose(whole, np.diag(-9 * np.sin(3 * X)), atol=1e-12)


@pytest.mark.parametrize("maker", ["grad", "value_and_grad"])
def test_inside_a_function_it_is_refused_too(maker):
    def outer(x):
        return np.sum(gradgen.grad(number)(x, seed=3.0) * x)

    def outer_value(x):
        value, g = gradgen.value_and_grad(number)(x, seed=3.0)
        return value * np.sum(g)

    with pytest.raises(gradgen.GradgenError, match="GG513 seed= may be"):
        gradgen.grad(outer if maker == "grad" else outer_value)(X)


def test_inside_a_function_vjp_and_jvp_take_it_as_the_functions_own():
    def by_pullback(x):
        return np.sum(gradgen.vjp(number)(x, seed=3.0)[1](1.0) * x)

    def by_tangent(x):
        return gradgen.jvp(number)(x, x, seed=3.0)[1]

    for outer in (by_pullback, by_tangent):
        want = numeric_gradient(lambda x: x @ (3 * np.cos(3 * x)), [X], 0, 1.0).value
        np.testing.assert_allclose(gradgen.grad(outer)(X), want, rtol=1e-7)


@pytest.mark.parametrize("name", ["example", "shapes", "wrt", "self"])
def test_words_of_the_library_are_arguments(name):
    given = {name: 0.7}
    want = numeric_gradient(lambda x: words(x, **given), [X], 0, 1.0).value
    np.testing.assert_allclose(gradgen.grad(words)(X, **given), want, rtol=1e-7)
    _, pullback = gradgen.vjp(words)(X, **given)
    np.testing.assert_allclose(pullback(1.0), want, rtol=1e-7)
    _, tangent = gradgen.jvp(words)(X, np.ones(3), **given)
    np.testing.assert_allclose(tangent, np.sum(want), rtol=1e-7)


@pytest.mark.parametrize("wrt", ["x", "d_out", ("x", "d_y"), "v_x"])
def test_arguments_named_as_seeds_and_tangents(wrt):
    args = [X, 0.7, 1.3, -0.4]
    names = (wrt,) if isinstance(wrt, str) else wrt
    seed = np.array([0.5, 2.0, -1.0])
    places = [["x", "d_out", "d_y", "v_x"].index(name) for name in names]
    want = [numeric_gradient(results, args, i, seed).value for i in places]
    got = gradgen.grad(results, wrt=names)(*args, seed=seed)
    by_name = dict(zip(("d_out", "d_y", "v_x"), args[1:]))
    again = gradgen.grad(results, wrt=names)(X, **by_name, seed=seed)
    for one, other, known in zip(got, again, want, strict=True):
        np.testing.assert_allclose(one, known, rtol=1e-7)
        np.testing.assert_allclose(other, known, rtol=1e-7)
    along = [np.ones_like(w) if np.shape(w) else 1.0 for w in want]
    _, tangent = gradgen.jvp(results, wrt=names)(*args, *along)
    total = sum(np.sum(w) for w in want)
    np.testing.assert_allclose(np.sum(seed * tangent), total, rtol=1e-7)
