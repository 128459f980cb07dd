"""Functions of libraries, built-in and partial functions as targets."""

import functools
import math
import operator

import numpy as np
import pytest
from scipy import optimize, signal, special, stats

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.fuzz.program import imported

X = np.array([0.5, 1.2, 2.3, 0.7])
Y = np.array([0.9, 0.4, 1.6, 1.1])
M = np.outer(X, Y) + 2 * np.eye(4)


def weights(x, w):
    return np.sum(w * np.sin(x))


CALLS = [
    (np.logaddexp, (X, Y), {}),
    (np.sin, (0.5,), {}),
    (np.sum, (M,), {"axis": 0}),
    (np.sum, (M, 1), {}),
    (np.mean, (M,), {"axis": 0, "keepdims": True}),
    (np.var, (X,), {"ddof": 1}),
    (np.mean, (X,), {"where": X > 0.6}),
    (np.diff, (X,), {"prepend": 0.25}),
    (np.clip, (M, -0.5, 0.7), {}),
    (np.clip, (X, 0.45), {"a_max": 0.65}),
    (np.clip, (X,), {"min": 0.45, "max": 0.65}),
    (np.pad, (X, (2, 0)), {"mode": "minimum"}),
    (np.pad, (X, 1, "edge"), {}),
    (np.pad, (M, 1, "constant"), {"constant_values": 2.0}),
    (np.linalg.norm, (M,), {"ord": "fro"}),
    (np.trapezoid, (X,), {"dx": 0.5}),
    (np.vander, (X,), {}),
    (np.vander, (X, 3), {"increasing": True}),
    (np.dot, (M, X), {}),
    (np.sort, (X,), {}),
    (np.interp, (0.4, np.array([0.0, 1.0]), np.array([2.0, 5.0])), {}),
    (special.logsumexp, (M,), {"axis": 1}),
    (special.gammaln, (X,), {}),
    (optimize.rosen, (X,), {}),
    (signal.detrend, (X**2,), {}),
    (stats.gmean, (X,), {}),
    (stats.entropy, (X,), {"base": 2}),
    (stats.circmean, (X,), {}),
    (stats.tmean, (X,), {}),
    (stats.norm.logpdf, (0.5, 1.0, 2.0), {}),
    (functools.partial(np.sum, axis=0), (M,), {}),
    (functools.partial(weights, w=2.0), (X,), {}),
    (functools.partial(np.power, 2.0), (X,), {}),
    (math.sin, (0.4,), {}),
    (math.pow, (0.4, 2.5), {}),
    (operator.mul, (0.4, 2.5), {}),
    (abs, (-0.4,), {}),
    (pow, (0.4, 1.5), {}),
]


def label(call) -> str:
    function, args, kwargs = call
    name = getattr(function, "__name__", type(function).__name__)
    return f"{name} of {len(args)} {' '.join(kwargs)}"


@pytest.mark.parametrize("call", CALLS, ids=label)
def test_value_and_gradient(call):
    function, args, kwargs = call
    value = function(*args, **kwargs)
    seed = np.cos(np.arange(np.size(value))).reshape(np.shape(value))[()]
    want = numeric_gradient(
        lambda x: function(x, *args[1:], **kwargs), (args[0],), 0, seed
    )
    made = gradgen.value_and_grad(function)
    found, gradient = made(*args, **kwargs, seed=seed)
    np.testing.assert_array_equal(found, value)
    assert np.shape(gradient) == np.shape(args[0])
    np.testing.assert_allclose(gradient, want.value, rtol=4e-6, atol=1e-8)


@pytest.mark.parametrize("name", ["numpy.logaddexp", "scipy.special.expit", "math.sin"])
def test_text_by_name(name):
    space = {"__name__": "alone"}
    exec(gradgen.emit(name), space)
    last = name.rpartition(".")[2]
    args = (0.4, 0.9) if last == "logaddexp" else (0.4,)
    function = {"logaddexp": np.logaddexp, "expit": special.expit, "sin": math.sin}
    want = numeric_gradient(function[last], args, 0)
    np.testing.assert_allclose(space[f"grad_{last}"](*args), want.value, rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [np.union1d, np.copyto, np.random.rand, np.vectorize(math.sin)],
    ids=["union", "copyto", "rand", "vectorize"],
)
def test_refused(function):
    with pytest.raises(gradgen.GradgenError) as refusal:
        gradgen.grad(function)(M)
    assert refusal.value.problems[0].advice


@pytest.mark.parametrize("library", ["np.prod", "np.linalg.norm", "stats.gmean"])
def test_derivative_inside(library):
    text = (
        "import numpy as np\nfrom scipy import stats\nimport gradgen\n\n\n"
        f"def f(x):\n    return np.sum(np.cos(gradgen.grad({library})(x)))\n"
    )
    f = imported(text, "f")
    want = numeric_gradient(f, (X,), 0)
    np.testing.assert_allclose(gradgen.grad(f)(X), want.value, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("head", ["x, **more", "x, *, k=2.0, **more", "*xs, **more"])
def test_seed_beside_keywords(head):
    name = "xs[0]" if "xs" in head else "x"
    f = imported(f"def f({head}):\n    return {name} * 3.0\n", "f")
    np.testing.assert_array_equal(gradgen.grad(f)(X, seed=Y), 3 * Y)
