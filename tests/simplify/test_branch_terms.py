"""Branches that add to adjoints behind the sums, held against differences."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

ARMS = {
    "one term": "y = y + lam * np.sum(w**2)",
    "two arguments, one adjoint": "y = y + np.sum(np.sin(2 * (w + v)))",
    "two arguments": "y = y + lam * np.sum(w**2) * np.sum(v)",
    "what is read behind": "y = y * np.sum(w)",
    "an argument set anew": "w = w * lam",
    "in place": "w = w.copy(); w[0] *= lam; y = y + np.sum(w)",
    "a loop": "for k in range(2):; ___y = y + np.sum(w**2) / (k + 1)",
    "an arm in it": "if w[0] > 0:; ___y = y + np.sum(w**3)",
    "the sum alone": "y = np.sum(w)",
}
TESTS = {
    "a number": "lam > 0",
    "none": "lam is not None",
    "not": "not lam < 0",
    "of the data": "np.sum(w) > -100",
}
OTHERS = ["", "else:; ___y = y + np.sum(v)", "elif lam > -5:; ___y = y * np.sum(v)"]


def function_of(arm, test, other, path):
    inner = arm.replace("; ", "\n        ").replace("___", "    ")
    other = other.replace("; ", "\n    ").replace("___", "    ")
    return written(
        f"def f(w, v, X, lam=None):\n"
        f"    r = X @ w - v[0]\n    y = np.mean(r**2) + np.sum(v * w)\n"
        f"    if {test}:\n        {inner}\n    {other}\n"
        f"    return y + np.sum(w * v**2)\n",
        path,
    )


@pytest.mark.parametrize("other", range(len(OTHERS)))
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("arm", ARMS)
def test_the_gradient_is_that_of_differences(arm, test, other, tmp_path):
    f = function_of(ARMS[arm], TESTS[test], OTHERS[other], tmp_path)
    rng, names = np.random.default_rng(3), {}
    w, v, X = rng.normal(size=3), rng.normal(size=3), rng.normal(size=(4, 3))
    told = {"w": "d", "v": "d", "X": "n d", "lam": ""}
    text = gradgen.emit(f, wrt=("w", "v"), shapes=told, value=True)
    exec(text, names)
    for lam in (0.7, -0.3, -9.0):
        value, found = names["value_and_grad_f"](w, v, X, lam)
        assert value == pytest.approx(f(w, v, X, lam), rel=1e-12)
        for at in (0, 1):
            want = numeric_gradient(f, [w, v, X, lam], at).value
            np.testing.assert_allclose(found[at], want, rtol=1e-6, atol=1e-8)


def test_what_an_arm_adds_stands_behind_the_sums(tmp_path):
    text = """
        def f(w, X, y, lam=None):
            loss = np.mean((X @ w - y) ** 2)
            if lam is not None:
                loss = loss + lam * np.sum(w**2)
            return loss
        """
    told = {"w": "d", "X": "n d", "y": "n", "lam": ""}
    text = gradgen.emit(written(text, tmp_path), shapes=told)
    assert "else:" not in text and "d_w = d_w + 2 * d_loss * lam * w" in text


def test_what_an_arm_stores_is_added_at_its_place(tmp_path):
    text = """
        def f(x, v, k, w):
            u = v * x
            if k > 1:
                w = x[1] ** 2
            return np.sum(u) + w
        """
    f = written(text, tmp_path)
    x = np.array([1.5, 0.5, 2.0])
    text = gradgen.emit(f, example=(x, x, 2.0, 1.0))
    assert "d_x[1] += 2 * d_out * x[1]" in text and "setitem" not in text
    np.testing.assert_array_equal(gradgen.grad(f)(x, x, 2.0, 1.0), [1.5, 1.5, 2.0])
    np.testing.assert_array_equal(gradgen.grad(f)(x, x, 0.0, 1.0), x)
