"""The facts in the docstring of an emitted function are read again."""

import gast
import numpy as np

import gradgen
from examples.losses import cosine_loss
from gradgen.frontend.source.documented import shapes_documented


def facts(docstring: str) -> dict[str, str]:
    return shapes_documented(gast.parse(f"def f():\n    '''{docstring}'''\n").body[0])


def test_what_is_read():
    text = """Gradient of f with respect to X.

    Shapes: X (n, d), n int, y (*s), params["W"] (n), rows (#n, 3),
        d_out () -> d_X (n, d)
    """
    assert facts(text) == {"X": "n d", "rows": "#n 3", "d_out": ""}
    value = (
        "Value of f, and its pullback to X.\n\nShapes: X (n) -> out (), backprop: ..."
    )
    assert facts(value) == {"X": "n"}


def test_a_docstring_of_another_is_no_fact():
    assert facts("The loss.\n\nShapes: X (n, d) -> loss ()") == {}
    assert facts("Gradient of f, by hand.") == {}


def test_a_second_gradient_needs_no_facts():
    shapes = {"X": "n", "Y": "n"}
    second = gradgen.grad(gradgen.grad(cosine_loss, shapes=shapes))
    assert "def _unbroadcast" not in second.source
    assert "Shapes: X (n), Y (n), d_out (), d_d_X (n) -> d_X (n)" in second.source
    X, Y = np.array([0.3, -1.2, 0.8]), np.array([1.0, 0.5, -0.7])
    first, step = gradgen.grad(cosine_loss, shapes=shapes), 1e-5
    seed = np.array([0.2, -0.4, 1.0])
    rows = [
        (first(X + step * e, Y) - first(X - step * e, Y)) / (2 * step)
        for e in np.eye(3)
    ]
    assert np.allclose(second(X, Y, 1.0, seed=seed), rows @ seed, rtol=1e-6, atol=1e-9)
