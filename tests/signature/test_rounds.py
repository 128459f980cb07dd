"""The equations of a signature are found together: two rounds, however many there are."""

import importlib.util

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from gradgen.pipeline import run as pipeline
from gradgen.verify.finite import numeric_gradient

LAYERS = 12
CHAIN = "def f(h, {names}):\n{lines}\n    return np.sum(h * h)\n".format(
    names=", ".join(f"W{i}, b{i}" for i in range(LAYERS)),
    lines="\n".join(f"    h = np.tanh(h @ W{i} + b{i})" for i in range(LAYERS)),
)
LOOP = """def f(h, W, U, b, x):
    for t in range(len(x)):
        h = np.tanh(W @ h + U @ x[t] + b)
    return np.sum(h * h)
"""
SUMS = """def f(a, b, c, d):
    return np.sum(a * b) + np.sum(c[1:] * d * a[1:])
"""
ARMS = """def f(a, b, c, k):
    if k > 0:
        z = a * b
    else:
        z = a * 2.0
    return np.sum(z * c)
"""


def sizes(*shapes):
    rng = np.random.default_rng(len(shapes))
    return [rng.uniform(0.2, 0.9, shape) for shape in shapes]


CASES = {
    "chain": (CHAIN, sizes((2, 3), *[(3, 3), (3,)] * LAYERS)),
    "loop": (LOOP, sizes((4,), (4, 4), (4, 3), (4,), (5, 3))),
    "sums": (SUMS, sizes((5,), (5,), (5,), (4,))),
    "arms": (ARMS, [*sizes((5,), (5,), (5,)), 1]),
}


def read(folder, text):
    file = folder / "program.py"
    file.write_text(f"import numpy as np\n\n\n{text}")
    spec = importlib.util.spec_from_file_location("program", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f


@pytest.mark.parametrize("name", CASES)
def test_a_first_call_goes_through_the_stages_twice(tmp_path, monkeypatch, name):
    text, args = CASES[name]
    function, seen = read(tmp_path, text), []
    run = pipeline._run
    monkeypatch.setattr(pipeline, "_run", lambda *a: seen.append(1) or run(*a))
    found = gradgen.grad(function, tuple(range(len(args) - (name == "arms"))))(*args)
    assert len(seen) <= 2
    for i, gradient in enumerate(found):
        want = numeric_gradient(function, args, i, 1.0).value
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-9)
        assert gradient.shape == np.shape(args[i])


@pytest.mark.parametrize("wrong", range(1, 4))
def test_lengths_that_do_not_fit_are_an_error_as_in_the_function(tmp_path, wrong):
    function = read(tmp_path, SUMS)
    args = sizes((5,), (5,), (5,), (4,))
    args[wrong] = np.ones(7)
    with pytest.raises(ValueError):
        function(*args)
    with pytest.raises((GradgenError, ValueError)):
        gradgen.grad(function, (0, 1, 2, 3))(*args)


def test_an_arm_that_is_not_taken_binds_no_lengths(tmp_path):
    function = read(tmp_path, ARMS)
    args = [*sizes((5,), (3,), (5,)), -1]
    found = gradgen.grad(function, (0, 1, 2))(*args)
    for i, gradient in enumerate(found):
        want = numeric_gradient(function, args, i, 1.0).value
        np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-9)
