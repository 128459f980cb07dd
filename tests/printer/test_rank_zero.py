"""Arrays of rank 0 that are stored into: they have memory, as others have."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.7, 1.3, -0.4])
PROGRAMS = {
    "stored": "z = np.zeros(())\nz[...] = np.sum(x * x)\nreturn z * 2.0",
    "empty key": "z = np.zeros(())\nz[()] += np.sum(x * x)\nreturn z",
    "out": "z = np.zeros(())\nnp.sum(x * x, out=z)\nreturn z * 2.0",
    "None": "z = np.zeros(())\nz[None] = x[:1] * x[0]\nreturn z",
    "loop": "z = np.zeros(())\nfor i in range(3):\n    z[...] = z * x[i] + 1\nreturn z",
    "squeezed": "z = np.ones(1).squeeze()\nfor i in range(3):\n"
    "    z[...] = z * x[i] + x[0]\nreturn z * 1.0",
    "full": "z = np.full((), 2.0)\nfor i in range(3):\n    z *= x[i]\nreturn z * x[0]",
    "reshaped": "z = np.reshape(x[:1] * 2, ())\nfor i in range(3):\n"
    "    z *= x[i] * z\nreturn z * x[1]",
    "entry": "z = x[0, ...]\nw = z * z\nz += w\nreturn x[0] * w",
    "two names": "z = np.empty(())\nz[()] = x[0]\ny = z\nz *= x[1]\nreturn y * z",
    "mask": "z = np.zeros(())\nz[np.sum(x) > 0] = np.sum(x * x)\nreturn z * x[0]",
    "mask, as it is": "z = np.zeros(())\nz[x[0] > 0] = np.sum(x * x)\nreturn z",
    "mask and its rest": "r = np.sqrt(x[..., 0])\nz = np.zeros_like(r)\nk = r > 1\n"
    "z[k] = x[..., 1][k]\nz[~k] = -3 * r[~k]\nreturn z",
    "mask added": "r = np.sum(x * x)\nz = np.zeros_like(r)\nz[r > 0] += r[r > 0] ** 2\n"
    "z[r > 0] *= 3\nreturn z",
    "mask of what is there": "z = np.array(x[0] ** 2)\nz[z > 0] = z[z > 0] ** 2\n"
    "np.add.at(z, x[0] > 0, x[1])\nreturn -z",
    "mask of a slot": "z = np.ones(())\nz[x[0] < 0] = np.sum(x)\nreturn z * x[0]",
}


@pytest.mark.parametrize("facts", [{"x": "n"}, {}], ids=["facts", "none"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, facts, tmp_path):
    lines = PROGRAMS[name].replace("\n", "\n    ")
    function = written(f"def f(x):\n    {lines}\n", tmp_path)
    made = gradgen.grad(function, shapes=facts)
    want = numeric_gradient(function, (X.copy(),), 0, 1.0).value
    for _ in range(2):  # the same again
        x = X.copy()
        np.testing.assert_allclose(made(x), want, rtol=1e-7, atol=1e-9)
        assert np.array_equal(x, X)
    value, gradient = gradgen.value_and_grad(function, shapes=facts)(X.copy())
    assert np.shape(value) == () and value == function(X.copy())
    np.testing.assert_allclose(gradient, want, rtol=1e-7, atol=1e-9)
    pushed = gradgen.jvp(function, shapes=facts)(X.copy(), np.cos(X))[1]
    np.testing.assert_allclose(pushed, want @ np.cos(X), rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "mask" in name])
def test_second_derivatives_of_masked_stores(name, tmp_path):
    lines = PROGRAMS[name].replace("\n", "\n    ")
    function = written(f"def f(x):\n    {lines}\n", tmp_path)
    vector = np.cos(X)

    def along(x):
        return float(np.sum(gradgen.grad(function)(x) * vector))

    want = numeric_gradient(along, (X.copy(),), 0, 1.0).value
    found = gradgen.hvp(function)(X.copy(), vector)
    np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-8)
