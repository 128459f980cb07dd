"""Values, pullbacks and seeds of derivatives: unnamed, shared, changed, no numbers.

The oracle is the function itself, run as it is and measured by differences.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

x = np.array([0.3, -0.7, 1.1])
y = np.array([0.5, 0.2, -0.4])


def two_pullbacks_in_a_line(x, y):
    v, pullback = gradgen.vjp(lambda t: np.sin(t) * y)(x)
    return np.sum(pullback(y) * pullback(v))


def a_value_without_a_name(x, y):
    both = gradgen.value_and_grad(lambda t: np.sum(t * t * y))(x)
    return both[0] * np.sum(both[1] * x)


def a_pushed_value_without_a_name(x, y):
    return np.sum(np.stack(gradgen.jvp(lambda t: t * t * y)(x, y)))


def a_pullback_in_a_derivative(x, y):
    def inner(s):
        v, pullback = gradgen.vjp(lambda t: t**3 * s)(s)
        return np.sum(pullback(v) * pullback(y))

    return np.sum(gradgen.grad(inner)(x) * y)


def no_seed(x, y):
    return np.sum(gradgen.grad(lambda t: np.sin(t) * y)(x, seed=None) ** 2)


def a_pullback_never_called(x, y):
    v, _ = gradgen.vjp(lambda t: t)(x)
    return np.sum(v * v * y)


def a_tangent_is_not_the_result(x, y):
    z = 1 * y
    g = gradgen.jvp(lambda t: t + 1)(x, z)[1]
    g[0] = x[1]
    return np.sum(g * y * z)


def a_vector_is_not_the_product(x, y):
    z = 1 * y
    g = gradgen.hvp(lambda t: np.sum(t**2) / 2)(x, z)
    z *= 2
    g[0] = x[1]
    return np.sum(g * y * z)


def the_value_is_the_argument(x, y):
    q = 1 * x
    w, g = gradgen.jvp(lambda t: t)(q, y)
    return np.sum(g * w * q)


def a_matrix_of_what_varies(x, y):
    return np.sum(np.sin(gradgen.jacobian(lambda t: t * y)(x)) * y[0])


RIGHT = [
    two_pullbacks_in_a_line,
    a_value_without_a_name,
    a_pushed_value_without_a_name,
    a_pullback_in_a_derivative,
    no_seed,
    a_pullback_never_called,
    a_tangent_is_not_the_result,
    a_vector_is_not_the_product,
    the_value_is_the_argument,
    a_matrix_of_what_varies,
]


@pytest.mark.parametrize("known", [{"x": "3", "y": "3"}, {"x": "n", "y": "n"}])
@pytest.mark.parametrize("function", RIGHT)
def test_against_differences(function, known):
    found = gradgen.grad(function, ("x", "y"), shapes=known)(x, y)
    for k, gradient in enumerate(found):
        want = numeric_gradient(function, (x, y), k)
        assert gradient.shape == want.value.shape
        np.testing.assert_allclose(gradient, want.value, rtol=1e-7, atol=1e-9)


def argument_changed(x, y):
    z = 1 * x
    v, pullback = gradgen.vjp(lambda t: t**2 * y)(z)
    z[0] = 5 * x[1]
    return np.sum(pullback(v) * z)


def array_around_changed(x, y):
    z = 1 * y
    v, pullback = gradgen.vjp(lambda t: t**2 * z)(x)
    z[0] = 5 * x[1]
    return np.sum(pullback(v) * z)


def value_changed(x, y):
    v, pullback = gradgen.vjp(lambda t: np.exp(t) * y)(x)
    v *= 2
    return np.sum(pullback(y) * v)


@pytest.mark.parametrize(
    "function, name",
    [(argument_changed, "z"), (array_around_changed, "z"), (value_changed, "v")],
)
def test_what_a_pullback_reads_may_not_change_before_it_is_called(function, name):
    message = f"GG260 {name} is changed in place between gradgen.vjp and the call"
    with pytest.raises(gradgen.GradgenError, match=message):
        gradgen.emit(function, ("x", "y"))


def value_of_an_argument_changed(x, y):
    q = 1 * x
    w, g = gradgen.jvp(lambda t: t)(q, y)
    w[0] = x[1]
    return np.sum(g * w * q)


def test_a_value_that_is_the_argument_shares_its_memory():
    with pytest.raises(
        gradgen.GradgenError, match="GG220 q may or may not share memory"
    ):
        gradgen.emit(value_of_an_argument_changed, ("x", "y"))


@pytest.mark.parametrize("seed", ["a", {}, [[1.0], [1.0, 2.0]], np.array([None] * 3)])
def test_a_seed_that_is_no_number_is_refused(seed):
    _, pullback = gradgen.vjp(shifted)(x)
    told = "GG508 (a seed is a .* no array of n|the seed is an array of objects)"
    with pytest.raises(gradgen.GradgenError, match=told):
        pullback(seed)


@pytest.mark.parametrize("known", [{"x": "n", "y": "n"}, None])
def test_a_seed_counts_as_the_dtype_of_its_result(known):
    def product(x, y):
        return x * y

    def total(x, y):
        return np.sum(x * y)

    single = x.astype("f4"), y.astype("f4")
    for seed in (np.ones(3), np.ones(3, int), 1.0, np.float64(1.0)):
        found = gradgen.grad(product, shapes=known)(*single, seed=seed)
        assert found.dtype == np.float32 and np.array_equal(found, single[1])
    for seed in (np.float64(2.0), np.array(2.0)):
        found = gradgen.grad(total, shapes=known)(*single, seed=seed)
        assert found.dtype == np.float32 and np.array_equal(found, 2 * single[1])


def test_a_seed_of_one_result_beside_another_that_has_none():
    def both(x, y):
        return x * y, 3

    found = gradgen.grad(both)(x, y, seed=(np.array([1.0, 0.0, 2.0]), None))
    assert np.array_equal(found, [0.5, 0.0, -0.8])


def shifted(x):
    return x + 1


def squared(x):
    return np.sum(x**2) / 2


@pytest.mark.parametrize(
    "make, function", [(gradgen.jvp, shifted), (gradgen.hvp, squared)]
)
@pytest.mark.parametrize("known", [{"x": "n"}, None])
def test_a_tangent_that_comes_back_is_a_copy(make, function, known):
    given = y.copy()
    found = make(function, shapes=known)(x, given)
    found = found[1] if isinstance(found, tuple) else found
    assert np.array_equal(found, given) and not np.shares_memory(found, given)
