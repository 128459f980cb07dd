"""Texts with nothing told that have the lines which a person writes, and are right."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(11)


def lorenz(state, sigma, rho, beta):
    x, y, z = state
    dx = sigma * (y - x)
    dy = x * (rho - z) - y
    dz = x * y - beta * z
    return np.array([dx, dy, dz])


def as_doubles(state, k):
    a, b = state
    return np.array([np.sin(a * b) * k, a + b], dtype=np.float64)


def tyre(state, u, lf, Df):
    x, y, yaw, vx, vy, r = state
    force, _ = u
    slip = np.arctan((r * lf + vy) / vx)
    return Df * np.sin(slip) * force + vx**2


def outer_two(p, x):
    a, b, c = p
    return np.sum(a * x + c)


def sharpe(weights, mean, cov, rf=0.02):
    gained = np.sum(mean * weights)
    std = np.sqrt(np.dot(weights.T, np.dot(cov, weights)))
    return (gained - rf) / std


def turbine(v, cold, rated=10.0, cut_in=0.3):
    power = np.zeros_like(v)
    mask = v > cut_in
    if np.any(mask):
        power[mask] = rated * (v[mask] - cut_in) ** 3
    if np.any(cold < 0):
        power = power * np.clip(1 + cold / 10, 0.5, 1)
    return np.clip(power, 0.01, rated)


def d1(S, K, T, r, sigma):
    return (np.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * np.sqrt(T))


def call(S, K, T, r, sigma):
    late = d1(S, K, T, r, sigma) - sigma * np.sqrt(T)
    return S * np.exp(-0.5 * d1(S, K, T, r, sigma) ** 2) * np.tanh(late)


class Rates:
    def __init__(self, k=0.4, s=0.2):
        self.k, self.s = k, s

    @property
    def gamma(self):
        return np.sqrt(self.k**2 + 2 * self.s**2)

    def below(self, tau):
        g = self.gamma
        return (g + self.k) * np.expm1(g * tau) + 2 * g

    def price(self, r, tau):
        g = self.gamma
        return np.exp(np.log(2 * g) - np.log(self.below(tau)) - r * g)


def film(x, angle):
    rs = (np.cos(angle) - x * np.sin(x)) / (np.cos(angle) + x * np.sin(x))
    return np.sum(rs**2 + x * np.cos(angle))


V = R.uniform(0.2, 1.4, 6)
CASES = [
    (
        lorenz,
        "state",
        (R.normal(size=3), 10.0, 28.0, 2.5),
        ["d_dx, d_dy, d_dz = d_out"],
    ),
    (lorenz, "state", (R.normal(size=(3, 4)), 10.0, 28.0, 2.5), ["np.array([d_x, d_y"]),
    (as_doubles, "state", (R.normal(size=2), 0.7), []),
    (tyre, "state", (V, np.ones(2), 0.8, 3.0), ["vx, vy, r = state[3:]"]),
    (
        outer_two,
        "p",
        (R.normal(size=3), R.normal(size=4)),
        ["np.array([d_a, 0.0, d_c]"],
    ),
    (
        sharpe,
        "weights",
        (V[:3], R.normal(size=3), np.eye(3) + 0.1),
        ["d_std / (2 * std) * (std_in + weights @ cov)"],
    ),
    (turbine, "v", (V, R.normal(size=6)), ["power > 0.01", "_power[mask]"]),
    (call, "sigma", (V, V + 0.1, 1.5, 0.02, V / 2), ["d1 / sigma_T_sqrt"]),
    (film, "x", (V, 0.3), ["angle_cos"]),
]


@pytest.mark.parametrize("function, wrt, args, lines", CASES)
def test_right_and_as_written(function, wrt, args, lines):
    text = gradgen.emit(function, wrt=wrt)
    assert all(line in text for line in lines), text
    assert "_unbroadcast" not in text
    space: dict = {}
    exec(text, space)
    place = list(function.__code__.co_varnames).index(wrt)
    seed = R.normal(size=np.shape(function(*args)))
    found = space[f"grad_{function.__name__}"](*args, d_out=seed)

    def weighed(*own):
        return np.sum(seed * function(*own))

    want = numeric_gradient(weighed, args, place).value
    assert np.shape(found) == np.shape(want)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_is_cast_to_doubles_comes_back_as_it_was(dtype):
    space: dict = {}
    exec(gradgen.emit(as_doubles), space)
    state = np.array([0.3, 0.8], dtype)
    found = space["grad_as_doubles"](state, 0.7, np.array([1.0, 0.5]))
    assert found.dtype == dtype


def test_what_is_computed_twice_in_calls_is_once_in_the_text():
    text = gradgen.emit(Rates.price, wrt="self.s")
    assert text.count("np.sqrt(") == 1 and text.count("np.expm1(") == 1
    space: dict = {}
    exec(text, space)
    rates, tau = Rates(), np.array([0.5, 1.0, 3.0])
    found = space["grad_price"](rates, 0.03, tau, d_out=np.ones(3))

    def by_s(s):
        return np.sum(Rates(0.4, s).price(0.03, tau))

    want = (by_s(0.2 + 1e-6) - by_s(0.2 - 1e-6)) / 2e-6
    np.testing.assert_allclose(found, want, rtol=1e-7)


def kept_in_arms(g, d):
    nxt = g.copy()
    if g[-1] > 0:
        p = 1.5 + d**2
        while p > 0.2:
            nxt[:] += 0.2 * np.cos(nxt)
            p = 0.6 * p
    else:
        for _ in range(3):
            nxt[-1] = 0.3 * np.sqrt(1 + d**2) * nxt[0]
    return np.sum(nxt**2)


@pytest.mark.parametrize("last", [0.4, -0.4])
def test_each_arm_begins_the_lists_that_it_fills(last):
    args = np.array([0.3, 0.8, last]), 0.7
    found = gradgen.grad(kept_in_arms, wrt=("g", "d"))(*args)
    for place, one in enumerate(found):
        want = numeric_gradient(kept_in_arms, args, place).value
        np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-9)


def warped(values, dx):
    total = 0.0
    for i in range(values.shape[0] - 1):
        for j in range(values.shape[1]):
            x = i + dx[i, j]
            if x >= values.shape[0] - 1:
                x = x - int(1 + x - (values.shape[0] - 1))
            k = int(x)
            near = values[k, j] * (k + 1 - x) + values[k + 1, j] * (x - k)
            total += near * (x - k) * (k + 1 - x)
    return total


def test_what_the_rounds_of_a_nest_keep_is_one_record():
    text = gradgen.emit(warped, wrt="values")
    assert text.count("cache.append((") == 1 and text.count(" = []\n") == 2
    space: dict = {}
    exec(text, space)
    args = R.normal(size=(4, 3)), R.uniform(0.1, 1.9, size=(4, 3))
    want = numeric_gradient(warped, args, 0).value
    found = space["grad_warped"](*args)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def three_deep(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(x.shape[2]):
                a = x[i, j, k] * w
                if a > 1:
                    a = a - int(a)
                b = np.exp(a) * (a + 1)
                total += b * (a + 1) * np.sin(b)
    return total


@pytest.mark.parametrize("place", [0, 1])
def test_records_of_three_loops(place):
    args = R.normal(size=(2, 3, 2)), 1.3
    space: dict = {}
    exec(gradgen.emit(three_deep, wrt="xw"[place]), space)
    want = numeric_gradient(three_deep, args, place).value
    found = space["grad_three_deep"](*args)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
