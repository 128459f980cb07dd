"""gradgen.vjp with options that a text takes for arrays: found when it is called.

The value of such a call may be right and its pullback raise, long after the call in
which another text could have been made.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.3, 0.7, 1.2])
CASES = {
    "padded": ("x, k", "np.sin(np.pad(x, k))", [((1, 2),), (1,), ((2, 0),)]),
    "named": ("x, k='sin'", "np.sin(getattr(np, k)(x))", [(), ("exp",), ("cos",)]),
    "tuple": ("x, k=(2, 3, 4)", "np.sum(x * k)", [(), (np.array([1.0, 2, 3]),)]),
    "list": ("x, k=[2, 3, 4]", "np.sum(x @ k)", [(), ([5, 6, 7],)]),
    "given first": ("x, k=(2, 3, 4)", "x * k", [(np.arange(3.0),), (), ((1, 2, 3),)]),
    "rolled": ("x, k", "np.roll(x[None], k, axis=(0, 1)) * x", [((0, 1),), (1,)]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_pullback_of_each_call_is_right(tmp_path, name):
    parameters, result, calls = CASES[name]
    f = written(f"def f({parameters}):\n    return {result}\n", tmp_path)
    pulled = gradgen.vjp(f, wrt="x")
    for more in (*calls, *calls):
        value, pullback = pulled(X, *more)
        true = f(X, *more)
        assert np.array_equal(value, true) and np.shape(value) == np.shape(true)
        seed = np.linspace(0.5, 1.5, np.size(true)).reshape(np.shape(true))[()]
        want = numeric_gradient(f, [X, *more], 0, seed).value
        for _ in range(2):
            found = pullback(seed)
            assert found.dtype == X.dtype
            np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)


def test_several_results_and_complex_ones_are_tried_as_well(tmp_path):
    source = "def f(x, k=(1, 2)):\n    return np.sum(np.pad(x, k)), 1j * np.pad(x, k)\n"
    f = written(source, tmp_path)
    value, pullback = gradgen.vjp(f, wrt="x")(X)
    assert value[0] == np.sum(X)
    np.testing.assert_allclose(pullback((2.0, np.zeros(6))), np.full(3, 2.0))
    np.testing.assert_allclose(pullback((0.0, np.arange(6) * -1j)), [1.0, 2.0, 3.0])
