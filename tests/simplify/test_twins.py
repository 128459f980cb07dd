"""What is computed twice, and has a name: with stores and arms between."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BODIES = {
    "powers": "L = np.sqrt(x @ x); return x[0] / L**3 + h[1] / L**3 - h[0] * L**3",
    "gathers": "return np.sum(np.sin(x[i] * h[i]) * h[i] + np.exp(x[i]) * h[i])",
    "set anew": "a = np.sum(x[i] * h[i]); h = h * 2; return a * np.sum(x[i] * h[i])",
    "a store between": "a = np.sum(np.exp(x) * h); x = x.copy(); x[0] = 2 * x[1]; "
    "return a * np.sum(np.exp(x) * h)",
    "an arm": "a = np.sum(np.exp(h * x)); b = a if a > 9 else np.sum(np.exp(h * x) * x); "
    "return a * b * np.exp(h[0])",
    "a loop": "s = 0.0\n    for k in range(3): s = s + np.sum(np.exp(h * x) * k); "
    "return s * np.sum(np.exp(h * x))",
    "places that change": "a = np.sum(x[i] * h[i]); i = i[::-1]; "
    "return a * np.sum(x * h[i])",
}


@pytest.mark.parametrize("name", BODIES)
def test_the_gradient_is_that_of_differences(name, tmp_path):
    body = BODIES[name].replace("; ", "\n    ")
    f, names = written(f"def f(x, h, i):\n    {body}", tmp_path), {}
    told = {"x": "n", "h": "n", "i": "n:int"}
    exec(gradgen.emit(f, wrt=("x", "h"), shapes=told, value=True), names)
    x, h = np.array([0.4, -0.7, 1.2]), np.array([1.5, 0.3, -0.6])
    i = np.array([2, 0, 2])
    value, found = names["value_and_grad_f"](x, h, i)
    assert value == pytest.approx(f(x.copy(), h, i), rel=1e-12)
    for at in (0, 1):
        want = numeric_gradient(f, [x, h, i], at).value
        np.testing.assert_allclose(found[at], want, rtol=1e-6, atol=1e-8)
