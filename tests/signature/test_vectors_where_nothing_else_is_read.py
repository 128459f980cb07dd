"""Functions that no text for any rank is read of: arguments are taken for vectors."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient
from tests.frontend.writing import written

X = np.array([0.4, 1.3, -0.7])
Y = np.array([0.9, 0.2, 1.1])

# name -> what is assumed, and the body of f(x, y, axis=None)
VECTORS = {
    "places": ("x", "w = x * 1.0\nw[np.nonzero(x > 0)[0]] *= 2\nreturn np.sum(w * w)"),
    "room": (
        "x",
        "w = np.empty((x.shape[0] + 1,) + x.shape[1:])\nw[0] = 1.0\nw[1:] = x * x\n"
        "return np.sum(w)",
    ),
    "rows": ("x", "n = len(x)\nreturn sum([x[i] * (i + 1) for i in range(n)]) * n"),
    "places of both": (
        "x y",
        "i = np.nonzero(y > 0.5)[0]\nj = np.nonzero(x > 0)[0]\n"
        "return np.sum(x[j]) * np.sum(y[i])",
    ),
    "options": (
        "x",
        "if axis is None:\n    axis = 0\nreturn np.sum(np.sort(np.diff(x, axis=axis))[1:])",
    ),
}


def emitted(name, tmp_path, **given):
    body = VECTORS[name][1].replace("\n", "\n    ")
    f = written(f"def f(x, y, axis=None):\n    {body}\n", tmp_path)
    return f, gradgen.emit(f, **given)


@pytest.mark.parametrize("name", VECTORS)
def test_the_text_is_right_for_vectors(name, tmp_path):
    f, text = emitted(name, tmp_path)
    space = {}
    exec(text, space)
    want = numeric_gradient(f, (X, Y), 0).value
    got = space["grad_f"](X, Y)
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-12)
    assert got.shape == X.shape and got.dtype == X.dtype


@pytest.mark.parametrize("name", [n for n in VECTORS if n.startswith("places")])
def test_what_is_assumed_is_looked_at(name, tmp_path):
    f, text = emitted(name, tmp_path)
    space = {}
    exec(text, space)
    for one in VECTORS[name][0].split():
        assert f"{one} is a vector" in text
        wide = {"x": X, "y": Y} | {one: np.ones((2, 3))}
        with pytest.raises(ValueError, match=f"{one} (is taken )?for a vector"):
            space["grad_f"](**wide)


@pytest.mark.parametrize("name", [n for n in VECTORS if n.startswith("places")])
def test_general_assumes_nothing(name, tmp_path):
    with pytest.raises(gradgen.GradgenError):
        emitted(name, tmp_path, general=True)


def test_what_a_user_tells_is_no_vector(tmp_path):
    f, text = emitted("places", tmp_path, shapes={"x": "n"})
    assert "Assumed" not in text
    f, text = emitted("places of both", tmp_path, shapes={"y": "n m"})
    assert "Assumed: x is a vector." in text and "y (n, m)" in text
