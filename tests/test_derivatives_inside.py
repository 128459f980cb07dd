"""Functions that take derivatives themselves, differentiated: against their numbers.

The oracle is the function itself: at run time gradgen.grad and its kin are called, and
what is differentiated is measured by complex steps and by extrapolated differences.
"""

from functools import cache
from itertools import product

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import directional, numeric_gradient

rng = np.random.default_rng(4)
A = rng.normal(size=(3, 3))
A = A @ A.T + 3 * np.eye(3)
b = rng.normal(size=3)


def bowl(x, A, b):
    return 0.5 * x @ A @ x - b @ x + 0.1 * np.sum(np.cosh(x))


def descended(A, b, step):
    """Gradient descent; its gradients are reverse."""
    x = np.zeros(len(b))
    while True:
        g = gradgen.grad(bowl)(x, A, b)
        if np.sum(g * g) < 1e-20:
            break
        x = x - step * g
    return np.sum(x**3)


def searched(A, b, step):
    """Descent along one direction; its slopes are forward."""
    x = np.zeros(len(b))
    v = b / np.sqrt(np.sum(b * b))
    while True:
        _, slope = gradgen.jvp(bowl)(x, A, b, v)
        if slope * slope < 1e-22:
            break
        x = x - step * slope * v
    return np.sum(x**3)


def newton(A, b, step):
    """Newton's method; its Hessians are forward over reverse."""
    x = np.zeros(len(b))
    while True:
        g = gradgen.grad(bowl)(x, A, b)
        if np.sum(g * g) < 1e-24:
            break
        x = x - step * np.linalg.solve(gradgen.hessian(bowl)(x, A, b), g)
    return np.sum(x**3)


def residual(x, c):
    return x**3 + 2 * x - c


def root_reverse(c):
    x = 1.0
    while True:
        r = residual(x, c)
        if abs(r) < 1e-13:
            break
        x = x - r / gradgen.grad(residual)(x, c)
    return x * x


def root_forward(c):
    x = 1.0
    while True:
        r, slope = gradgen.jvp(residual)(x, c, 1.0)
        if abs(r) < 1e-13:
            break
        x = x - r / slope
    return x * x


FACTS = {"A": "n n", "b": "n", "step": ""}
LOOPS = {"reverse": (descended, 0.1), "forward": (searched, 0.1), "both": (newton, 0.9)}


def descents() -> list:
    """Every loop, outer mode and knowledge; two of them in the test command."""
    every = product(LOOPS, ["reverse", "forward"], [FACTS, None])
    return [
        pytest.param(*one, marks=[] if at in (1, 6) else pytest.mark.long)
        for at, one in enumerate(every)
    ]


@pytest.mark.parametrize("inside, outside, known", descents())
def test_a_descent_with_a_test_at_run_time(inside, outside, known):
    function, step = LOOPS[inside]
    if inside == "both" and known is None:
        with pytest.raises(
            gradgen.GradgenError, match="GG263(.|\\n)*write instead: shape facts"
        ):
            gradgen.emit(function, ("A", "b"))
        return
    args = A, b, step
    with pytest.MonkeyPatch.context() as patch:
        for name in ("grad", "jvp", "hessian"):  # each is made once, not in each round
            patch.setattr(gradgen, name, cache(getattr(gradgen, name)))
        want = [numeric_gradient(function, args, k) for k in (0, 1)]
    assert all(np.max(one.error) < 1e-9 for one in want)
    if outside == "reverse":
        made = gradgen.grad(function, ("A", "b"), shapes=known)
        code = [line.split("#")[0] for line in made.source.splitlines()]
        assert not any("gradgen" in line for line in code)
        for found, one in zip(made(*args), want):
            np.testing.assert_allclose(found, one.value, rtol=1e-9, atol=1e-11)
        return
    made = gradgen.jvp(function, ("A", "b"), shapes=known)
    tangents = [np.cos(np.arange(9.0)).reshape(3, 3), np.array([1.0, -0.5, 2.0])]
    value, change = made(*args, *tangents)
    assert value == function(*args)
    along = sum(np.sum(one.value * v) for one, v in zip(want, tangents))
    assert np.isclose(change, along, rtol=1e-9)


@pytest.mark.parametrize("known", [{"c": ""}, None], ids=["facts", "none"])
@pytest.mark.parametrize("function", [root_reverse, root_forward])
def test_a_root_by_newtons_method(function, known):
    """x**3 + 2 * x = 12 has x = 2, where dx/dc = 1 / (3 * x**2 + 2) = 1/14."""
    assert np.isclose(gradgen.grad(function, shapes=known)(12.0), 4 / 14, rtol=1e-9)
    value, change = gradgen.jvp(function, shapes=known)(12.0, 0.5)
    assert value == function(12.0) and np.isclose(change, 2 / 14, rtol=1e-9)
    for c in (2.5, 7.0):
        want = numeric_gradient(function, (c,), 0)
        found = gradgen.grad(function, shapes=known)(c)
        assert np.isclose(found, want.value, rtol=1e-9)
        value, change = gradgen.jvp(function, shapes=known)(c, 0.5)
        assert value == function(c) and np.isclose(change, 0.5 * want.value, rtol=1e-9)


# Perturbation confusion: the inner derivative may not see the outer one's variable.
# Each is a function of x with the exact derivative beside it.


def siskind_pearlmutter(x):
    return x * gradgen.grad(lambda y: x + y)(2.0)


def same_name(x):
    return x * gradgen.grad(lambda x: x * x)(x)


def same_name_and_outer(x):
    y = x
    return gradgen.grad(lambda x: x * x * y)(x)


def three_deep(x):
    def middle(y):
        return gradgen.grad(lambda z: z * z * y * x)(y * x)

    return gradgen.grad(middle)(x)


def pushed_inside(x):
    _, slope = gradgen.jvp(lambda y: x * y * y)(x, 1.0)
    return slope * x


def seeds_that_vary(x):
    return gradgen.grad(lambda y: y * y * x)(x, seed=x)


def tangents_that_vary(x):
    _, slope = gradgen.jvp(lambda y: np.sin(y) * x)(2.0, x)
    return slope


def twice_the_same(x):
    g = gradgen.grad(lambda y: y**3)
    return g(x) * g(2 * x)


def the_same_argument_twice(x):
    return gradgen.grad(lambda a, b: a * a * b)(x, x)


def of_a_derivative(x):
    return gradgen.grad(gradgen.grad(lambda y: y**4 * x))(x)


CONFUSED = {
    siskind_pearlmutter: lambda x: 1.0,
    same_name: lambda x: 4 * x,  # 2 x**2
    same_name_and_outer: lambda x: 4 * x,  # 2 x y at y = x
    three_deep: lambda x: 12 * x**2,  # middle(y) = 2 y**2 x**2, so 4 x**3
    pushed_inside: lambda x: 6 * x**2,  # 2 x**3
    seeds_that_vary: lambda x: 6 * x**2,  # 2 x**3
    tangents_that_vary: lambda x: 2 * np.cos(2.0) * x,  # cos(2) x**2
    twice_the_same: lambda x: 144 * x**3,  # 3 x**2 * 12 x**2
    the_same_argument_twice: lambda x: 4 * x,  # 2 a b at a = b = x
    of_a_derivative: lambda x: 36 * x**2,  # 12 x**3
}


@pytest.mark.parametrize("known", [{"x": ""}, None], ids=["facts", "none"])
@pytest.mark.parametrize("function", CONFUSED)
def test_perturbations_are_not_confused(function, known):
    for x in (0.7, -1.3):
        want = CONFUSED[function](x)
        measured = directional(function, (x,), (1.0,)).value
        assert np.isclose(want, measured, rtol=1e-8)
        assert np.isclose(gradgen.grad(function, shapes=known)(x), want, rtol=1e-12)
        value, change = gradgen.jvp(function, shapes=known)(x, 1.0)
        assert np.isclose(value, function(x), rtol=1e-14)
        assert np.isclose(change, want, rtol=1e-12)


def two_rows(W, x):
    """The sum of squares of the first two rows of a Jacobian, by one pullback."""
    y, pullback = gradgen.vjp(lambda x: np.tanh(W @ x))(x)
    first = pullback(np.array([1.0, 0.0, 0.0]))
    second = pullback(np.array([0.0, 1.0, 0.0]))
    return np.sum(first**2) + 2 * np.sum(second**2) + np.sum(y)


def whole(W, x):
    J = gradgen.jacobian(lambda x: np.tanh(W @ x))(x)
    return np.sum(J[0] ** 2) + 2 * np.sum(J[1] ** 2) + np.sum(np.tanh(W @ x))


def by_products(W, x):
    v = np.array([0.5, -1.0, 2.0])
    return np.sum(gradgen.hvp(lambda x: np.sum(np.tanh(W @ x) ** 2))(x, v) ** 2)


def valued(W, x):
    value, g = gradgen.value_and_grad(lambda x: np.sum(np.tanh(W @ x)))(x)
    return value * np.sum(g * g)


@pytest.mark.parametrize(
    "known", [{"W": "3 3", "x": "3"}, {"W": "n n", "x": "n"}, None]
)
@pytest.mark.parametrize("function", [two_rows, whole, by_products, valued])
def test_every_function_of_the_library_inside(function, known):
    if known is None and function is whole:
        with pytest.raises(gradgen.GradgenError, match="GG263"):
            gradgen.emit(function)
        return
    args = A / 3, b
    if known == {"W": "n n", "x": "n"} and function in (two_rows, by_products):
        known = {"W": "3 3", "x": "3"}  # the seeds and vectors have three entries
    for k, name in enumerate(("W", "x")):
        want = numeric_gradient(function, args, k)
        found = gradgen.grad(function, name, shapes=known)(*args)
        assert found.shape == want.value.shape and found.dtype == np.float64
        np.testing.assert_allclose(found, want.value, rtol=1e-7, atol=1e-9)
        tangent = np.cos(np.arange(np.size(args[k]))).reshape(args[k].shape)
        value, change = gradgen.jvp(function, name, shapes=known)(*args, tangent)
        assert np.isclose(value, function(*args), rtol=1e-13)
        assert np.isclose(change, np.sum(found * tangent), rtol=1e-11)


def test_the_two_ways_to_rows_agree():
    facts = {"W": "3 3", "x": "3"}
    found = [gradgen.grad(f, shapes=facts)(A / 3, b) for f in (two_rows, whole)]
    np.testing.assert_allclose(*found, rtol=1e-12)


@pytest.mark.parametrize("function", [two_rows, whole, by_products, valued, descended])
def test_float32_stays_float32_inside(function):
    single = [A.astype("f4") / 3, b.astype("f4")]
    facts = {"W": "3 3", "x": "3"}
    if function is descended:
        return_early = 3.0  # a step with which one round is enough of a test

        def function(W, x, step=return_early):
            for _ in range(3):
                x = x - step * gradgen.grad(bowl)(x, W, x)
            return np.sum(x**3)

        facts["step"] = ""
    found = gradgen.grad(function, shapes=facts)(*single)
    want = gradgen.grad(function, shapes=facts)(A / 3, b)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, want, rtol=2e-3, atol=1e-3)


def test_a_pullback_called_twice_is_independent_of_the_first_call():
    def layer(W, x):
        h = x
        for _ in range(3):
            h = np.tanh(W @ h)
        return h

    value, pullback = gradgen.vjp(layer, ("W", "x"), shapes={"W": "n n", "x": "n"})(
        A, b
    )
    seeds = np.array([1.0, 0.0, 2.0]), np.array([0.5, -1.0, 0.0])
    first, second, again = [pullback(seed) for seed in (*seeds, seeds[0])]
    both = pullback(seeds[0] + seeds[1])
    for one, other, third, total in zip(first, second, again, both):
        assert np.array_equal(one, third)
        np.testing.assert_allclose(one + other, total, rtol=1e-12, atol=1e-15)
    second[0][:] = 0
    assert np.array_equal(pullback(seeds[0])[0], first[0])
    assert np.array_equal(value, layer(A, b))


def a_number_as_seed(x):
    """2 in every place of the result, as gradgen.vjp takes it at run time."""
    y, pullback = gradgen.vjp(lambda z: z**3)(x)
    return np.sum(pullback(2.0) ** 2)


@pytest.mark.parametrize("shapes", [{"x": "n"}, None])
def test_a_number_as_a_seed_stands_for_an_array_of_them(shapes):
    x = np.array([0.5, -1.0, 2.0])
    found = gradgen.grad(a_number_as_seed, shapes=shapes)(x)
    np.testing.assert_allclose(found, 36 * 4 * x**3, rtol=1e-13)


# The reasons for which an inner derivative is refused, each with its line.


def of_a_container(x):
    return gradgen.grad(lambda p: np.sum(p[0]))((x, x))


def of_two_results(x):
    return gradgen.grad(lambda y: (y, y))(x)


def with_unknown_options(x):
    return gradgen.grad(np.sum, stop="y")(x)


def of_a_builtin(x):
    return gradgen.grad(np.copyto)(x)


def matrix_of_a_loop(x):
    def inner(y):
        for _ in range(len(y)):
            y = np.sin(y)
        return y

    return np.sum(gradgen.jacobian(inner)(x))


def scaled(y, c):
    return np.sum(c * y**2)


HELD = gradgen.grad(scaled, stop="c")
GUARDED = gradgen.grad(scaled, guard=True)


def made_outside_with_stop(x):
    return HELD(x, x)


def made_outside_with_guard(x):
    return GUARDED(x, x)


def seed_of_another_shape(x):
    y, pullback = gradgen.vjp(lambda z: np.sin(z))(x)
    return pullback(np.ones((2, 3)))


def tangent_of_another_shape(x):
    return gradgen.jvp(lambda z: np.sin(z))(x, np.ones((2, 3)))[1]


def in_another_block(x):
    y, pullback = gradgen.vjp(lambda z: np.sin(z))(x)
    for _ in range(2):
        x = x + pullback(y)
    return np.sum(x)


REFUSED = {
    of_a_container: "GG260 .* container p(.|\n)*its parts as arguments",
    of_two_results: "GG260 .*several values(.|\n)*one array or number",
    with_unknown_options: "GG260 stop= of gradgen.grad(.|\n)*gradgen.grad\\(np.sum\\)",
    of_a_builtin: "GG209 copyto needs",
    matrix_of_a_loop: "GG263 this jacobian(.|\n)*gradgen.vjp and a seed for each row",
    made_outside_with_stop: "GG260 .*made with stop",
    made_outside_with_guard: "GG260 .*made with guard",
    seed_of_another_shape: r"GG508 the seed has the shape \(2, 3\), not \(n\)",
    tangent_of_another_shape: r"GG509 the tangent of \w+ has the shape \(2, 3\)",
    in_another_block: "GG265 (.|\n)*in one block",
}


@pytest.mark.parametrize("function", REFUSED)
def test_refusals(function):
    with pytest.raises(gradgen.GradgenError, match=REFUSED[function]) as found:
        gradgen.emit(function, shapes={"x": "n"})
    assert "test_derivatives_inside.py:" in str(found.value), found.value


def energy(S):
    return np.sum(np.linalg.eigvalsh(S) ** 3)


def at_a_product(M):
    return np.sum(A * gradgen.grad(energy)(M @ M.T))


def at_a_sum(M):
    L = np.tril(M)
    return np.sum(A[0] * gradgen.grad(energy)(L + L.T))


def at_a_mean(M):
    return np.sum(A[0] * gradgen.hvp(energy)((M + M.T) / 2, M @ M.T))


def at_a_triangle(M):
    return np.sum(A * gradgen.grad(energy)(np.tril(M)))


@pytest.mark.parametrize("function", [at_a_product, at_a_sum, at_a_mean])
def test_a_matrix_that_a_derivative_takes_for_symmetric(function):
    M = np.array([[0.3, -0.7, 0.4], [0.9, 0.2, -0.5], [0.1, 0.8, 0.6]])
    want = numeric_gradient(function, [M], 0)
    value, found = gradgen.value_and_grad(function)(M)
    np.testing.assert_allclose(value, function(M), rtol=1e-12)
    np.testing.assert_allclose(found, want.value, rtol=1e-6, atol=1e-7)


def test_a_matrix_that_is_not_known_to_be_symmetric():
    with pytest.raises(gradgen.GradgenError, match=r"GG260 .*\n(.|\n)*M \+ M.T"):
        gradgen.grad(at_a_triangle)(np.eye(3))
