"""Arguments given as they are left out, and those that change nothing, are not in the way."""

import numpy as np
import pytest

import gradgen
from gradgen.errors import GradgenError
from tests.frontend.writing import written

X = np.array([0.3, 0.9, 0.6])
FORMS = [
    "np.ones_like(x, subok=False) * x",
    "np.zeros_like(x, dtype=float, subok=False) + x * x",
    "np.full_like(x, 2.0, subok=True) * x",
    "np.broadcast_to(x, (2, 3), subok=True) ** 2",
    "np.copy(x, subok=True) ** 2",
    "np.broadcast_arrays(x, 1.0, subok=True)[0] ** 2",
    "np.eye(3, order='C') @ x**2",
    "np.median(x, overwrite_input=False) * x",
    "np.median(np.abs(x - 0.5), overwrite_input=True) * x",
    "np.median(x - np.mean(x), axis=0, overwrite_input=True) * x",
    "np.percentile(-x, 30, overwrite_input=True) * x",
    "np.sort(x, order=None)[1:] ** 2",
    "np.partition(x, 1, kind='introselect')[:1] ** 2",
    "np.concatenate([x, x], casting='same_kind') ** 2",
    "np.vstack([x, x], casting='same_kind') ** 2",
    "np.multiply(x, x, casting='same_kind')",
    "np.sqrt(x, order='K', subok=True)",
    "np.clip(x, 0.1, 0.8, None) ** 2",
    "np.sum(np.outer(x, x), 0, None, None) ** 2",
    "np.ones(3, like=None) * x",
]
REFUSED = [
    "np.median(x, overwrite_input=True)",
    "np.median(np.asarray(x), overwrite_input=True)",
    "np.median(np.abs(x, out=x), overwrite_input=True)",
    "np.average(x, returned=True)[0]",
    "np.clip(x, 0.1, 0.8, x)",
]


@pytest.mark.parametrize("form", FORMS)
def test_what_a_function_does_anyway(form, tmp_path):
    f = written(f"def f(x):\n    return np.sum({form})\n", tmp_path)
    steps = 1e-6 * np.eye(3)
    wanted = [(f(X + step) - f(X - step)) / 2e-6 for step in steps]
    np.testing.assert_allclose(gradgen.grad(f)(X), wanted, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("form", REFUSED)
def test_what_it_does_not_do_anyway_is_refused(form, tmp_path):
    f = written(f"def f(x):\n    return np.sum({form})\n", tmp_path)
    with pytest.raises(GradgenError, match="GG209"):
        gradgen.emit(f, shapes={"x": "3"})


def test_a_word_by_its_value(tmp_path):
    text = "def f(x, flag):\n    return np.median(x, overwrite_input=flag)\n"
    f = written(text, tmp_path)
    np.testing.assert_array_equal(gradgen.grad(f)(X, False), [0, 0, 1])
    with pytest.raises(GradgenError, match="GG209"):
        gradgen.grad(f)(X, True)


@pytest.mark.parametrize("name", ["sum", "prod", "nansum"])
def test_a_mask_of_none_discards_all(name, tmp_path):
    f = written(f"def f(x, w=None):\n    return np.{name}(x, where=w)\n", tmp_path)
    assert f(X) == f(np.zeros(3), False)
    np.testing.assert_array_equal(gradgen.grad(f)(X), np.zeros(3))
