"""A number that an example leaves out is in its call all the same, as the default."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient

R = np.random.default_rng(11)


def cosines(a, b, eps=1e-8):
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1) + eps
    return np.mean(1 - np.sum(a * b, axis=1) / lengths)


def sharpe(x, periods=252, rate=0.0):
    r = x - rate
    return np.mean(r) / np.std(r) * np.sqrt(periods)


def powers(x, n=2, scale=1.0):
    return scale * np.sum(x**n)


CASES = [
    (cosines, (R.normal(size=(4, 3)), R.normal(size=(4, 3))), "eps"),
    (sharpe, (R.normal(size=6),), "periods"),
    (powers, (R.uniform(0.5, 2, 5),), "n"),
]


@pytest.mark.parametrize("function, args, name", CASES)
def test_it_is_a_number_and_not_looked_at(function, args, name):
    text = gradgen.emit(function, example=args)
    assert f"{name} ()" in text and "np.ndim" not in text and "_unbroadcast" not in text
    names: dict = {}
    exec(text, names)
    found = names[f"grad_{function.__name__}"](*args)
    want = numeric_gradient(function, args, 0).value
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)


def steps(x, count=3, dt=0.1):
    for _ in range(count):
        x = x + dt * np.sin(x)
    return np.sum(x)


def test_counts_stay_whole_numbers():
    text = gradgen.emit(steps, example=(R.normal(size=4),))
    assert "count int, dt ()" in text and "np.ndim" not in text


def test_float32_stays_float32():
    x = R.normal(size=6).astype(np.float32)
    names: dict = {}
    exec(gradgen.emit(sharpe, example=(x,)), names)
    assert names["grad_sharpe"](x).dtype == np.float32
