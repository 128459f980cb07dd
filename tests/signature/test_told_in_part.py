"""Who tells of one argument is not told less of the others; casts hide nothing."""

import numpy as np
import pytest

import gradgen

R = np.random.default_rng(0)


def factors(V, W, H):
    P = W @ H + 1e-9
    return np.sum(V * np.log(V / P) - V + P)


def kernel(x, y, ls, noise):
    d2 = (x[:, None] - x[None, :]) ** 2
    K = np.exp(-d2 / ls**2) + noise * np.eye(len(x))
    return y @ np.linalg.solve(K, y)


def cross_kernel(X, Z, alpha, gamma):
    d2 = np.sum((X[:, None] - Z[None]) ** 2, axis=-1)
    return np.sum(np.exp(-gamma * d2) @ alpha)


def centres(x, centers, beta):
    d = np.sum((x[:, None] - centers) ** 2, axis=-1)
    return -np.mean(np.log(np.sum(np.exp(-beta * d), axis=1)))


def excited(W1, b1, W2, b2, x, target):
    s = x.mean(axis=(2, 3))
    h = np.maximum(s @ W1 + b1, 0)
    gate = 1 / (1 + np.exp(-(h @ W2 + b2)))
    return np.mean((x * gate[:, :, None, None] - target) ** 2)


def curve(P, t, points):
    s = 1 - t
    B = np.stack([s**2, 2 * s * t, t**2], axis=1)
    return np.mean(np.sum((B @ P - points) ** 2, axis=1))


def implicit(k, u0, target):
    A = np.diag(1 + k[:-1] + k[1:]) - np.diag(k[1:-1], 1) - np.diag(k[1:-1], -1)
    u = u0
    for _ in range(3):
        u = np.linalg.solve(A, u)
    return 0.5 * np.sum((u - target) ** 2)


def trend(log_level, log_slope, y):
    Q = np.diag([np.exp(log_level), np.exp(log_slope)])
    P = 10.0 * np.eye(2)
    total = 0.0
    for t in range(len(y)):
        P = P + Q
        total += y[t] ** 2 / P[0, 0]
    return total


def option(sigma, r, S, K, T, price):
    d1 = (np.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * np.sqrt(T))
    return np.mean(((S * np.tanh(d1) - K * np.exp(-r * T)) / price - 1) ** 2)


def cast(w, X, y):
    X = np.asarray(X, dtype=float)
    y = np.asarray(y, dtype=float)
    return np.mean(np.log1p(np.exp(-y * (X @ w))))


def normal(*shape):
    return R.normal(size=shape)


def positive(*shape):
    return R.uniform(0.5, 1.5, size=shape)


CASES = [
    (factors, (positive(4, 3), positive(4, 2), positive(2, 3)), ("W", "H")),
    (kernel, (normal(5), normal(5), 0.8, 0.3), ("ls", "noise")),
    (cross_kernel, (normal(4, 2), normal(3, 2), normal(3), 0.7), None),
    (centres, (normal(4, 2), normal(3, 2), 0.7), ("centers", "beta")),
    (
        excited,
        (
            normal(3, 2),
            normal(2),
            normal(2, 3),
            normal(3),
            normal(2, 3, 4, 4),
            normal(2, 3, 4, 4),
        ),
        ("W1", "b1", "W2", "b2"),
    ),
    (curve, (normal(3, 2), positive(5), normal(5, 2)), ("P", "t")),
    (implicit, (positive(5), normal(4), normal(4)), ("k", "u0")),
    (trend, (0.1, -0.2, normal(6)), ("log_level", "log_slope")),
    (
        option,
        (0.25, 0.03, 100.0, positive(4) * 100, positive(4), positive(4) * 10),
        ("sigma", "r"),
    ),
    (cast, (normal(3), normal(5, 3), np.sign(normal(5))), ("w",)),
]
IDS = [one.__name__ for one, *_ in CASES]


def function_of(text):
    space = {}
    exec(text, space)
    return next(value for name, value in space.items() if name.startswith("grad_"))


@pytest.mark.parametrize("f, args, wrt", CASES, ids=IDS)
def test_nothing_told_needs_no_helper(f, args, wrt):
    text = gradgen.emit(f, wrt)
    assert "\ndef _" not in text
    found, wanted = function_of(text)(*args), gradgen.grad(f, wrt)(*args)
    found = found if isinstance(found, tuple) else (found,)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "told",
    [{"V": "n m"}, {"W": "n k", "H": "k m"}, {"H": "r c"}, {"V": "a b", "W": "a c"}],
)
def test_a_part_told_is_no_longer_text(told):
    text = gradgen.emit(factors, ("W", "H"), shapes=told)
    assert "\ndef _" not in text
    f, args = function_of(text), CASES[0][1]
    for one, other in zip(
        f(*args), gradgen.grad(factors, ("W", "H"))(*args), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-10)
    V, W, H = args
    if "V" in told and "W" in told:
        return
    with pytest.raises(ValueError, match="taken for|expected|broadcast"):
        f(V, W[:1], H) if "W" not in told else f(V[:1], W, H)


def test_what_is_told_of_any_rank_stays_so():
    text = gradgen.emit(factors, ("W", "H"), shapes={"V": "*s", "W": "*t", "H": "*u"})
    assert "taken for" not in text


def parts(y):
    return np.sum(np.real(y) * 2 + np.imag(y) * 3)


def test_a_part_of_what_counts_as_real():
    f = function_of(gradgen.emit(parts))
    np.testing.assert_array_equal(f(np.ones(2)), [2, 2])
    with pytest.raises(ValueError, match="--complex y"):
        f(np.ones(2) + 1j)
    f = function_of(gradgen.emit(parts, complex="y"))
    np.testing.assert_array_equal(f(np.ones(2) + 1j), [2 - 3j, 2 - 3j])
