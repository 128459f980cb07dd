"""Inverse gamma, inverse Gaussian, its reciprocal and fatigue life against differences."""

import linecache

import numpy as np
import pytest
from scipy import stats

import gradgen
from gradgen.verify.finite import numeric_gradient

X = np.array([0.4, 0.9, 1.7, 3.2])
NAMES = ["invgamma", "invgauss", "recipinvgauss", "fatiguelife"]
CASES = [(name, way) for name in NAMES for way in ("pdf", "sf")]


def function_of(name, way):
    space = {"np": np, "stats": stats}
    text = f"def f(x, shape, loc, scale):\n    return stats.{name}.{way}(x, shape, "
    text += "loc, scale)\n"
    path = f"<{name} {way}>"
    linecache.cache[path] = len(text), None, text.splitlines(True), path
    exec(compile(text, path, "exec"), space)
    return space["f"]


@pytest.mark.parametrize("name, way", CASES)
@pytest.mark.parametrize("wrt", ["x", "shape", "loc", "scale"])
def test_a_law(name, way, wrt):
    if (name, way, wrt) == ("invgamma", "sf", "shape"):
        pytest.skip("the incomplete gamma function has none in its first argument")
    function = function_of(name, way)
    args = [X, 0.8, -0.2, 1.3]
    seed = np.array([0.7, -1.1, 0.4, 0.9])

    def weighted(*given):
        return np.sum(seed * function(*given))

    want = numeric_gradient(weighted, args, ["x", "shape", "loc", "scale"].index(wrt))
    got = gradgen.grad(function, wrt=wrt)(*args, seed=seed)
    np.testing.assert_allclose(got, want.value, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name, way", CASES)
def test_outside_of_the_support(name, way):
    function = function_of(name, way)
    x = np.array([-1.0, 0.5])
    got = gradgen.grad(function)(x, 0.8, 0.0, 1.3, seed=np.ones(2))
    assert got[0] == 0 and np.isfinite(got[1]) and got[1] != 0


def test_the_shape_of_one_is_refused():
    with pytest.raises(gradgen.GradgenError, match="invgamma.sf in a"):
        gradgen.emit(function_of("invgamma", "sf"), wrt="shape")
