"""Options whose default is None, handed on to functions that do something else for None.

The text is right where they are left out; of other values it is, or it raises.
"""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

rng = np.random.default_rng(0)
V, M = rng.uniform(0.3, 0.9, 5), rng.uniform(0.3, 0.9, (4, 3))
CALLS = [
    ("np.fft.rfft(x, k).real", V, [3, 8]),
    ("np.fft.rfft(x, n=k).imag", M, [2]),
    ("np.fft.irfft(x, k)", V, [4, 12]),
    ("np.fft.hfft(x, k)", V, [6]),
    ("np.fft.ihfft(x, k).real", V, [3]),
    ("np.fft.fft(x, k).real", V, [3]),
    ("np.fft.rfft2(x, s=k).real", M, [(3, 2)]),
    ("np.vander(x, k)", V, [3]),
    ("np.cov(x, ddof=k)", M, [1]),
    ("np.cumsum(x, axis=k)", M, [0, 1]),
    ("np.average(x, weights=k)", V, [np.arange(1.0, 6.0)]),
]


@pytest.mark.parametrize("call, x, others", CALLS)
def test_an_option_that_may_be_left_out(call, x, others, tmp_path):
    f = written(f"def f(x, k=None):\n    return np.sum({call} ** 2)\n", tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    for k in [None, *others]:
        wanted = numeric_gradient(f, [x, k], 0).value
        np.testing.assert_allclose(gradgen.grad(f)(x, k), wanted, 1e-6, 1e-8)
        try:
            found = names["grad_f"](x, k)
        except ValueError as error:
            assert k is not None and "have no gradient here" in str(error)
        else:
            np.testing.assert_allclose(found, wanted, 1e-6, 1e-8)


@pytest.mark.parametrize("power", ["x ** p", "np.power(x, p)"])
@pytest.mark.parametrize("p", [2.5, 2, True, 0, 0.0, np.float32(1.5), -1])
def test_a_power_keeps_float32(power, p, tmp_path):
    f = written(f"def f(x, p):\n    return {power}\n", tmp_path)
    names: dict = {}
    exec(gradgen.emit(f), names)
    x = np.array([0.5, 1.5, 2.0], np.float32)
    found = names["grad_f"](x, p, np.ones(3, np.float32))
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, p * x.astype(float) ** (p - 1.0), 1e-5)
