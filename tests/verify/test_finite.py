"""The oracle against derivatives known in closed form, its errors included."""

import numpy as np
import pytest

from gradgen.verify.finite import directional, numeric_gradient


def values(*shape, seed=0):
    return np.random.default_rng(seed).uniform(0.3, 1.7, shape)


X = values(3, 4) * np.where(values(3, 4, seed=1) > 1, 1, -1)
V = values(3, 4, seed=2)

# f, its derivative, and whether f is analytic: if so it is known to 13 digits.
KNOWN = {
    "tanh": (lambda x: np.sum(np.tanh(x)), lambda x: 1 - np.tanh(x) ** 2, True),
    "power": (lambda x: np.sum(x**3), lambda x: 3 * x**2, True),
    "max": (lambda x: np.max(x), lambda x: (x == x.max()) * 1.0, True),
    "where": (
        lambda x: np.sum(np.where(x > 0, x, x * x)),
        lambda x: np.where(x > 0, 1, 2 * x),
        True,
    ),
    "abs": (lambda x: np.sum(np.abs(x)), np.sign, False),
    "sign": (lambda x: np.sum(np.sign(x) * x), np.sign, False),
    "floor": (lambda x: np.sum(np.floor(x)), np.zeros_like, False),
    "norm": (lambda x: np.linalg.norm(x), lambda x: x / np.linalg.norm(x), False),
    "std": (lambda x: np.std(x), lambda x: (x - x.mean()) / np.std(x) / 12, False),
    "arctan2": (
        lambda x: np.sum(np.arctan2(x, V)),
        lambda x: V / (x * x + V * V),
        False,
    ),
    "hypot": (lambda x: np.sum(np.hypot(x, V)), lambda x: x / np.hypot(x, V), False),
    "one abs of many terms": (
        lambda x: np.sum(np.exp(x)) + 1e-3 * np.abs(x[0, 0]),
        lambda x: np.exp(x) + 1e-3 * np.sign(x) * (np.arange(12) == 0).reshape(3, 4),
        False,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_gradient_is_right_and_its_error_honest(name):
    f, derivative, analytic = KNOWN[name]
    found = numeric_gradient(f, (X,), 0)
    off = np.abs(found.value - derivative(X))
    assert found.value.shape == X.shape and found.value.dtype == np.float64
    assert np.all(off <= (1e-13 if analytic else 1e-9))
    assert np.all(off <= found.error + 1e-15)
    assert np.all(found.error <= (1e-12 if analytic else 1e-8))


def test_seed_weighs_an_array_result():
    seed = values(3, 4, seed=5)
    found = numeric_gradient(lambda x: x * x, (X,), 0, seed)
    assert np.allclose(found.value, 2 * seed * X, rtol=1e-13)


def test_broadcast_operand_has_its_own_shape():
    row = values(1, 4)
    found = numeric_gradient(lambda x, y: x / y, (X, row), 1)
    assert found.value.shape == (1, 4)
    assert np.allclose(found.value, np.sum(-X / row**2, axis=0, keepdims=True))


def test_float32_is_measured_in_float64():
    narrow = X.astype(np.float32)
    found = numeric_gradient(lambda x: np.sum(np.exp(x)), (narrow,), 0)
    assert np.allclose(found.value, np.exp(narrow.astype(float)), rtol=1e-13)


@pytest.mark.parametrize(
    "number", [1.3, np.float64(1.3), np.float32(1.25), np.array(1.3)]
)
def test_number(number):
    found = numeric_gradient(lambda a, x: np.sum(a**2 * x), (number, X), 0)
    assert found.value.shape == ()
    assert np.isclose(found.value, 2 * float(number) * X.sum(), rtol=1e-12)


def test_a_python_number_stays_one():
    def f(a):
        assert isinstance(a, (float, complex)) and not isinstance(a, np.generic)
        return a * a

    assert np.isclose(numeric_gradient(f, (1.5,), 0).value, 3.0)


def test_arguments_of_other_types_pass_through():
    def f(x, steps, mode, parts):
        for _ in range(steps):
            x = x * parts["scale"]
        return np.sum(x) if mode == "sum" else np.mean(x)

    found = numeric_gradient(f, (X, 3, "sum", {"scale": 0.5}), 0)
    assert np.allclose(found.value, 0.125)


def test_function_may_write_into_its_arguments():
    def f(a, b, steps):
        for _ in range(steps):
            b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3
            a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3
        return np.sum(a * a)

    a, b = values(6), values(6, seed=1)
    kept = a.copy(), b.copy()
    found = numeric_gradient(f, (a, b, 2), 0)
    assert np.array_equal(a, kept[0]) and np.array_equal(b, kept[1])
    step = np.zeros(6)
    step[2] = 1e-5
    slope = (f(a + step, b.copy(), 2) - f(a - step, b.copy(), 2)) / 2e-5
    assert np.isclose(found.value[2], slope, rtol=1e-8)


def test_error_is_large_at_a_kink_and_a_jump():
    at_zero = np.array([0.0, 1.0])
    kink = numeric_gradient(lambda x: np.sum(np.abs(x)), (at_zero,), 0)
    assert kink.error[0] > 0.5 and kink.error[1] < 1e-8
    jump = numeric_gradient(lambda x: np.sum(np.where(x >= 0, 2.0, 1.0)), (at_zero,), 0)
    assert jump.error[0] > 0.5 and jump.error[1] < 1e-8


def test_accidental_agreement_between_two_jumps_is_not_believed():
    # Slopes at h, h/2, h/4 are 50, 100, 100 and 0 after that.
    def f(x):
        return 1.0 * (x >= 0.004) + 1.0 * (x >= 0.002) - 1.0 * (x <= -0.006) + 5

    found = numeric_gradient(f, (0.0,), 0)
    assert abs(found.value) < 1e-9 and found.error < 1e-8


def test_rounding_in_terms_that_cancel_is_in_the_error():
    def f(x):
        return np.sum(x - x.mean()) * np.sum(np.exp(x))

    found = numeric_gradient(f, (np.abs(X),), 0)  # identically zero
    assert np.all(np.abs(found.value) <= 1e-9)
    assert np.all(np.abs(found.value) <= found.error)


def test_edge_of_the_domain_is_approached_with_small_steps():
    found = numeric_gradient(
        lambda x: np.sum(np.sqrt(x) + np.hypot(x, 1)), (np.array([1e-3]),), 0
    )
    want = 0.5 / np.sqrt(1e-3) + 1e-3 / np.hypot(1e-3, 1)
    assert np.isclose(found.value[0], want, rtol=1e-8)


def test_independent_and_empty_arguments():
    assert np.array_equal(
        numeric_gradient(lambda x: 3.0, (X,), 0).value, np.zeros((3, 4))
    )
    empty = numeric_gradient(lambda x: np.sum(x), (np.zeros((0, 2)),), 0)
    assert empty.value.shape == (0, 2)


def test_directional_has_the_shape_of_the_result():
    found = directional(lambda x, y: np.sin(x) * y, (X, V), (V, None))
    assert np.allclose(found.value, np.cos(X) * V * V, rtol=1e-12)
    both = directional(lambda x, y: x @ y.T, (X, V), (V, X))
    assert np.allclose(both.value, V @ V.T + X @ X.T, rtol=1e-12)
    bent = directional(lambda x: np.abs(x), (X,), (V,))
    assert np.allclose(bent.value, np.sign(X) * V, rtol=1e-9)


def test_directional_refuses_tangents_that_do_not_fit():
    with pytest.raises(ValueError, match="shape"):
        directional(np.sum, (X,), (np.ones(4),))
    with pytest.raises(ValueError):
        directional(np.sum, (X,), (X, X))


def test_a_complex_step_is_as_good_as_what_confirms_it():
    """np.linalg.cholesky takes a complex matrix for Hermitian: off by k in parts of itself."""
    y = np.array([1.0, 0.5])

    def misfit(x):
        k = np.exp(-16 * x)
        K = np.array([[1.0, 0.0], [0.0, 1.0]]) + k * np.array([[0.0, 1.0], [1.0, 0.0]])
        white = np.linalg.solve(np.linalg.cholesky(K), y)
        return white @ white

    for x in (0.7, 0.8, 0.86, 0.95):
        k = np.exp(-16 * x)
        first, second = y @ y, 2 * y[0] * y[1]
        by_k = (-second * (1 - k**2) + 2 * k * (first - k * second)) / (1 - k**2) ** 2
        found = numeric_gradient(misfit, (np.array(x),), 0)
        assert abs(found.value - -16 * k * by_k) <= 2 * found.error, x
