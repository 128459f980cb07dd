"""Texts of float32: what SciPy computes in float64 beside a Python number is cast back."""

import numpy as np
import pytest

import gradgen
from tests.frontend.writing import written

CALLS = """
special.eval_legendre(3, x) | special.eval_legendre(3.0, x) | special.eval_chebyt(2, x)
special.eval_chebyu(4, x) | special.eval_jacobi(3, 1, 1, x) | special.eval_hermite(3, x)
special.eval_gegenbauer(3, 0.5, x) | special.eval_laguerre(2, x) | special.xlogy(2.0, x)
special.eval_genlaguerre(2, 1, x) | special.kn(2, x) | special.expn(2, x)
special.jv(2, x) | special.iv(1.0, x) | special.hyp1f1(1.5, 2.0, x) | special.hyp2f1(1.0, 2.0, 3.5, x)
special.beta(2.0, x) | special.gammainc(2, x) | special.polygamma(1, x)
x * special.eval_legendre(2, x) | special.comb(5, x)
integrate.simpson(x, dx=0.5) | integrate.simpson(x) * x[0] | integrate.simpson(x, x=np.arange(6.0))
integrate.trapezoid(x, dx=0.5) | integrate.simpson(np.stack([x, x**2]), dx=0.1)[1]
"""
CALLS = [call.strip() for call in CALLS.replace("\n", "|").split("|") if call.strip()]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("told", [{}, {"x": "n"}], ids=["untold", "told"])
def test_the_gradient_has_the_dtype_of_the_argument(call, told, tmp_path):
    source = f"from scipy import integrate, special\n\ndef f(x):\n    return np.sum({call})\n"
    if "integrate.s" in call and not told:
        source = source.replace("np.sum", "np.asarray")  # a number, of a vector
    f = written(source, tmp_path)
    space = {}
    exec(gradgen.emit(f, shapes=told), space)
    for size in (6, 7) if "arange" not in call else (6,):
        x = np.linspace(0.2, 0.8, size)
        double = space["grad_f"](x)
        assert double.dtype == np.float64
        for gradient in (space["grad_f"], gradgen.grad(f)):
            single = gradient(x.astype(np.float32))
            assert single.dtype == np.float32
            np.testing.assert_allclose(single, double, rtol=2e-5, atol=2e-6)
