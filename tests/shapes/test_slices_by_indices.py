"""Slices that loop indices bound, and those before entries that are read: no helper."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

RNG = np.random.default_rng(50)


def eliminated(A, b):
    A, b = A.copy(), b.copy()
    n = len(b)
    for k in range(n - 1):
        for i in range(k + 1, n):
            f = A[i, k] / A[k, k]
            A[i, k:] = A[i, k:] - f * A[k, k:]
            b[i] = b[i] - f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - A[i, i + 1 :] @ x[i + 1 :]) / A[i, i]
    return np.sum(x**2)


def before(x, w):
    t = 0.0
    for i in range(1, len(x)):
        t += w[i] * np.sum((x[:i] - x[i]) ** 2 * x[:i])
    return t


def lags(x, w):
    t = 0.0
    for k in range(1, len(x)):
        d = x[k:] - x[:-k]
        t += w[k] * np.sum(d**2)
    return t


def means(x, y):
    t = 0.0
    for k in range(1, len(x) + 1):
        t += np.sum(x[:k] * y[:k] / np.arange(1, k + 1))
    return t


def casteljau(p, t):
    points = p.copy()
    for r in range(len(p) - 1, 0, -1):
        points[:r] = (1 - t) * points[:r] + t * points[1 : r + 1]
    return np.sum(points[0] ** 2)


def distances(params, seen):
    centre, begin = params[:3], params[3]
    d = np.sqrt(np.sum((seen - centre) ** 2, axis=1))
    return np.sum((d - begin) ** 2) + params[-2] * np.sum(params[4:])


def square(n):
    return RNG.normal(size=(n, n)) + 4 * np.eye(n)


CASES = [
    (
        eliminated,
        ("A", "b"),
        {"A": "n n", "b": "n"},
        lambda n: (square(n), square(n)[0]),
    ),
    (before, ("x", "w"), {"x": "n", "w": "n"}, lambda n: RNG.normal(size=(2, n))),
    (lags, ("x", "w"), {"x": "n", "w": "n"}, lambda n: RNG.normal(size=(2, n))),
    (means, ("x", "y"), {"x": "n", "y": "n"}, lambda n: RNG.normal(size=(2, n))),
    (
        casteljau,
        ("p",),
        {"p": "n d", "t": ""},
        lambda n: (RNG.normal(size=(n, 2)), 0.3),
    ),
    (
        distances,
        ("params", "seen"),
        {"params": "k", "seen": "n 3"},
        lambda n: (RNG.normal(size=4 + n), RNG.normal(size=(n, 3))),
    ),
]


@pytest.mark.parametrize("f, wrt, shapes, drawn", CASES, ids=lambda f: str(f)[:20])
def test_no_helper_and_right_for_all_lengths(f, wrt, shapes, drawn):
    text = gradgen.emit(f, wrt, shapes=shapes)
    assert "\ndef _" not in text
    space: dict = {}
    exec(text, space)
    for n in (1, 2, 3, 5):
        args = tuple(drawn(n))
        found = space[f"grad_{f.__name__}"](*args)
        found = found if isinstance(found, tuple) else (found,)
        for at, one in enumerate(found):
            want = numeric_gradient(f, args, at, 1.0).value
            assert np.shape(one) == np.shape(want)
            np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-7)


def kept(x):
    s, t = [x[:1]], 0.0
    for i in range(1, min(3, len(x))):
        t += np.sum(s[-1] * x[:i]) + np.sum(s[0] * x[i:])
        s.append(x[:i] * x[:i])
    return t + np.sum(s[-1] * x[:1])


def carried(x):
    p, t = x[:1], 0.0
    for i in range(1, min(3, len(x))):
        t += np.sum(p * x[:i])
        p = np.sin(x[:i])
    return t


@pytest.mark.parametrize("f", [kept, carried])
@pytest.mark.parametrize("shapes", [{"x": "n"}, {}])
def test_what_rounds_hand_on_has_another_length(f, shapes):
    """One entry of the round before is stretched along the two of this one."""
    space: dict = {}
    exec(gradgen.emit(f, "x", shapes=shapes), space)
    for n in (1, 2, 3, 4):
        x = RNG.normal(size=n)
        want = numeric_gradient(f, (x,), 0, 1.0).value
        np.testing.assert_allclose(space[f"grad_{f.__name__}"](x), want, atol=1e-7)


def steered(u, state, dt):
    x, cost = state.copy(), 0.0
    for k in range(len(u)):
        x[:2] += dt * x[2:4]
        x[2:4] += dt * u[k, :2]
        cost += np.sum((x[:2] - np.array([1.0, -1.0])) ** 2)
    return cost


def test_a_text_by_example_is_no_longer_than_one_with_nothing_told():
    args = RNG.normal(size=(3, 2)), RNG.normal(size=4), 0.1
    text = gradgen.emit(steered, "u", example=args)
    assert "\ndef _" not in text
    space: dict = {}
    exec(text, space)
    want = numeric_gradient(steered, args, 0, 1.0).value
    np.testing.assert_allclose(space["grad_steered"](*args), want, rtol=1e-6, atol=1e-8)


def turned(q, angles):
    c, s = np.cos(angles), np.sin(angles)
    out = np.empty_like(q)
    out[..., 0::2] = q[..., 0::2] * c - q[..., 1::2] * s
    out[..., 1::2] = q[..., 0::2] * s + q[..., 1::2] * c
    return np.sum(out**2 * np.arange(q.shape[-1]))


@pytest.mark.parametrize("door", ["example", "told"])
def test_halves_of_an_even_axis_have_one_length(door):
    args = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 2))
    told = {"example": args} if door == "example" else {}
    shapes = {} if told else {"q": "n 2*k", "angles": "n k"}
    text = gradgen.emit(turned, ("q", "angles"), shapes=shapes, **told)
    assert "\ndef _" not in text
    space: dict = {}
    exec(text, space)
    for k in (1, 2, 3):
        args = RNG.normal(size=(2, 2 * k)), RNG.normal(size=(2, k))
        for at, one in enumerate(space["grad_turned"](*args)):
            want = numeric_gradient(turned, args, at, 1.0).value
            np.testing.assert_allclose(one, want, rtol=1e-6, atol=1e-7)


def backwards(x):
    return np.sum(np.arange(0, 2 * len(x), -2) + x[:1]) + np.sum(x * np.arange(len(x)))


def forwards(x):
    return np.sum(np.arange(0, 2 * len(x), 2) * x**2)


@pytest.mark.parametrize("f", [backwards, forwards])
def test_a_range_in_steps(f):
    """One that goes backwards from 0 has no entry."""
    space: dict = {}
    exec(gradgen.emit(f, "x", shapes={"x": "n"}), space)
    for n in (1, 2, 3):
        x = RNG.normal(size=n)
        want = numeric_gradient(f, (x,), 0, 1.0).value
        found = space[f"grad_{f.__name__}"](x)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def rotated(q):
    return np.sum(q[:, 0::2] * q[:, 1::2])


def test_an_odd_axis_is_refused_by_a_text_of_an_example():
    """Two columns and one are stretched by NumPy: no such text is right for both."""
    text = gradgen.emit(rotated, "q", example=(RNG.normal(size=(3, 4)),))
    space: dict = {}
    exec(text, space)
    q = RNG.normal(size=(2, 3))
    want = numeric_gradient(rotated, (q,), 0, 1.0).value
    try:
        found = space["grad_rotated"](q)
    except ValueError:
        return
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def attended(x, A, B, C, heads):
    n, d = x.shape
    q = (x @ A).reshape(n, heads, A.shape[1] // heads).transpose(1, 0, 2)
    k = (x @ B).reshape(n, heads, B.shape[1] // heads).transpose(1, 0, 2)
    v = (x @ C).reshape(n, heads, -1).transpose(1, 0, 2)
    scores = np.tanh(q @ k.transpose(0, 2, 1))
    return np.sum((scores @ v) ** 2)


def test_what_a_product_sums_is_of_one_length():
    args = *(RNG.normal(size=size) for size in ((3, 4), (4, 6), (4, 6), (4, 2))), 2
    text = gradgen.emit(attended, ("x", "A", "B"), example=args)
    assert "\ndef _" not in text
    space: dict = {}
    exec(text, space)
    for at, one in enumerate(space["grad_attended"](*args)):
        want = numeric_gradient(attended, args, at, 1.0).value
        np.testing.assert_allclose(one, want, rtol=1e-5, atol=1e-6)
