"""Arguments that a function makes arrays of floats of, as most begin."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

BODIES = [
    "x = np.asarray(x, dtype=float)",
    "x = np.asarray(x, float)",
    "x = np.array(x, dtype=np.float64)",
    "x = np.array(x, float, copy=True)",
    "x = np.atleast_1d(np.asarray(x, dtype=float))",
    "x = np.asarray(x).astype(float)",
    "x = np.asarray(x, dtype=np.float32)",
    "x = np.asarray(x, dtype=complex)",
    "x = np.array(x, dtype=float)\n    x[0] = 2 * x[1]",
]
GIVEN = [np.array([0.4, 1.2, 0.9]), [0.4, 1.2, 0.9], np.float32([0.4, 1.2, 0.9])]
GIVEN += [np.array([1, 2, 3]), [1, 2, 3], (0.4, 1.2, 0.9)]


@pytest.mark.parametrize("body", BODIES)
def test_lists_and_arrays_of_any_dtype(tmp_path, body):
    f = written(
        f"def f(x):\n    {body}\n    return np.sum(np.abs(np.sin(x) * x))\n", tmp_path
    )
    names: dict = {}
    exec(gradgen.emit(f), names)
    for x in GIVEN:
        before = np.array(x)
        found = names["grad_f"](x)
        wide = f if "float32" not in body else lambda x: np.sum(np.abs(np.sin(x) * x))
        true = numeric_gradient(wide, [np.array(x, float)], 0, np.ones(())).value
        near = 1e-3 if "float32" in body or before.dtype == np.float32 else 1e-6
        np.testing.assert_allclose(found, true, rtol=near)
        assert found.dtype == np.result_type(np.asarray(x), 0.0)
        np.testing.assert_array_equal(x, before)


def test_the_line_is_the_users(tmp_path):
    f = written(
        "def f(x, w):\n    w = np.asarray(w, dtype=float)\n    return np.sum(np.sin(x) * w)\n",
        tmp_path,
    )
    text = gradgen.emit(f, "x", shapes={"x": "n", "w": "n"})
    assert "    w = np.asarray(w, dtype=float)\n" in text and "_asarray" not in text


def test_what_is_an_array_is_none_anew(tmp_path):
    f = written(
        """
        def vapour(T):
            T = np.asarray(T)
            return np.exp(T)

        def f(T):
            T = np.asarray(T, dtype=float)
            return np.sum(vapour(T) * vapour(2 * T) * T)
        """,
        tmp_path,
    )
    text = gradgen.emit(f)
    assert text.count("np.asarray(T_new") == 0
    names: dict = {}
    exec(text, names)
    for T in ([0.4, 1.2], np.array([0.4, 1.2]), np.array([[1, 2]])):
        true = numeric_gradient(f, [np.array(T, float)], 0, np.ones(())).value
        np.testing.assert_allclose(names["grad_f"](T), true, rtol=1e-6)
