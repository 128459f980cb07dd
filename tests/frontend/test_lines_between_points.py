"""scipy.interpolate.interp1d of kind 'linear': between points, beyond them, of either."""

import numpy as np
import pytest

import gradgen
from tests.both_doors import compare
from tests.frontend.writing import written

HEAD = """import scipy.interpolate
from scipy.interpolate import interp1d

XS = np.array([0.0, 1.0, 2.0, 4.0])
YS = np.array([1.0, 3.0, 2.0, 5.0])


"""
X = np.array([0.3, 1.5, 3.2])
LINES = {
    "interp1d(XS, YS)(x)": (X,),
    "interp1d([2.0, 0.0, 4.0], (1.0, 3.0, 2.0))(x)": (X,),
    "interp1d(XS, YS, bounds_error=False)(x * 0.9)": (X,),
    "interp1d(XS, YS, bounds_error=False, fill_value=0.5)(x) * x": (X, X - 1, X + 2),
    "scipy.interpolate.interp1d(XS, YS, 'linear', bounds_error=False, "
    "fill_value=(YS[0], YS[-1]))(x) * x": (X, X - 1, X + 2),
    "interp1d(XS, YS, fill_value='extrapolate')(x)": (X, X - 1, X + 2),
    "interp1d(XS, x[0] * np.array([1.0, 2.0, 0.5, 3.0]), assume_sorted=True)(2.5) * x": (
        X,
    ),
    "interp1d(x, np.sin(x), fill_value='extrapolate')([0.1, 0.5, 2.0, 4.0])": (
        X,
        X[::-1],
    ),
}


@pytest.mark.parametrize("line", LINES)
def test_lines(line, tmp_path):
    function = written(f"{HEAD}def f(x):\n    return np.sum({line})\n", tmp_path)
    for x in LINES[line]:
        value = gradgen.value_and_grad(function)(x)[0]
        np.testing.assert_array_equal(value, function(x))
        compare(function, (x,), text="x[0]" not in line)


@pytest.mark.parametrize("x", [X - 1, X + 2])
def test_what_is_outside_raises(x, tmp_path):
    text = f"{HEAD}def f(x):\n    return np.sum(interp1d(XS, YS)(x))\n"
    function = written(text, tmp_path)
    with pytest.raises(ValueError, match="interpolation range"):
        function(x)
    with pytest.raises(ValueError, match="interpolation range"):
        gradgen.grad(function)(x)


@pytest.mark.parametrize(
    "made", ["XS, YS, kind='cubic'", "XS, YS, kind=0", "XS, np.vstack([YS, YS])"]
)
def test_others_are_refused(made, tmp_path):
    text = f"{HEAD}def f(x):\n    return np.sum(interp1d({made})(x))\n"
    with pytest.raises(gradgen.GradgenError, match="interp1d of"):
        gradgen.grad(written(text, tmp_path))(X)
