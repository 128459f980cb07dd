"""Models of a series: the first argument is a vector, the others are numbers."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

T = np.linspace(0.1, 2.3, 7)
BODIES = {
    "near": (
        "x = t / per - phase\n    out = np.zeros_like(t)\n"
        "    i = np.where(np.abs(x - np.round(x)) < 0.3)[0]\n"
        "    out[i] = -0.01 * (1 + phase * x[i] ** 2)\n    return out"
    ),
    "found": (
        "x = np.sin(t * per + phase)\n    i = np.nonzero(x > 0)[0]\n"
        "    return np.sum(x[i] ** 2)"
    ),
    "iterated": (
        "m = per * t\n    e = m + phase * np.sin(m)\n"
        "    left = np.where(np.abs(e - phase * np.sin(e) - m) > 1e-9)[0]\n"
        "    e[left] = e[left] - (e[left] - phase * np.sin(e[left]) - m[left])\n"
        "    return np.cos(e)"
    ),
}


@pytest.mark.parametrize("wrt", [1, 2])
@pytest.mark.parametrize("name", BODIES)
def test_a_text_takes_a_vector_and_numbers(name, wrt, tmp_path):
    function = written(f"def f(t, per, phase):\n    {BODIES[name]}\n", tmp_path)
    args = [T, 0.83, 0.31]
    made: dict = {}
    text = gradgen.emit(function, wrt=["t", "per", "phase"][wrt])
    exec(text, made)
    seed = np.ones(np.shape(function(*args)))[()]
    want = numeric_gradient(function, args, wrt, seed).value
    np.testing.assert_allclose(made["grad_f"](*args, seed), want, rtol=1e-6)
    with pytest.raises(ValueError, match="taken for"):
        made["grad_f"](T, 0.83, np.array([0.3, 0.4]), seed)


MIXTURES = {
    "log": "logsumexp([np.log(w) - (x - m) ** 2 for w, m in zip(ws, mus)], axis=0)",
    "of all": "logsumexp([np.log(w) - (x[0] - m) ** 2 for w, m in zip(ws, mus)])",
    "weights": "logsumexp([-(x - m) ** 2 for m in mus], axis=0, b=ws[:, None])",
}


@pytest.mark.parametrize("told", [{}, {"x": "n", "ws": "k", "mus": "k"}], ids=str)
@pytest.mark.parametrize("name", MIXTURES)
def test_functions_of_scipy_take_lists_that_a_loop_fills(name, told, tmp_path):
    head = "from scipy.special import logsumexp\n\n\ndef f(x, ws, mus):\n"
    function = written(f"{head}    return np.sum({MIXTURES[name]})\n", tmp_path)
    args = [T, np.array([0.2, 0.5, 0.3]), np.array([0.1, 0.9, 1.7])]
    made: dict = {}
    exec(gradgen.emit(function, wrt="mus", shapes=told), made)
    want = numeric_gradient(function, args, 2, 1.0).value
    np.testing.assert_allclose(made["grad_f"](*args), want, rtol=1e-6)
    np.testing.assert_allclose(gradgen.grad(function, "mus")(*args), want, rtol=1e-6)


def test_other_weights_of_one_matrix_are_vectors(tmp_path):
    body = (
        "p, q = returns.dot(weights), returns.dot(benchmark_weights)\n"
        "    return np.mean(p - q) / np.std(p - q)"
    )
    function = written(
        f"def f(weights, benchmark_weights, returns):\n    {body}\n", tmp_path
    )
    rng = np.random.default_rng(2)
    args = [rng.uniform(size=3), rng.uniform(size=3), rng.normal(size=(6, 3))]
    made: dict = {}
    exec(gradgen.emit(function), made)
    want = numeric_gradient(function, args, 0, 1.0).value
    np.testing.assert_allclose(made["grad_f"](*args), want, rtol=1e-6)
