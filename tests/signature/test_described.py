"""Docstrings tell the shapes of arguments: numpydoc, Google, Sphinx."""

import numpy as np
import pytest

import gradgen
from gradgen.frontend.source.described import described
from gradgen.verify.finite import numeric_gradient

NUMPYDOC = """A loss.

    It has parameters: several.

    Parameters
    ----------
    X : ndarray of shape (n_samples, n_features)
        Training data : of any kind (n, d).
    w, v : (n_features,) array_like
    y : array_like, shape (n_samples,)
        Targets.
    lam : float, optional
    steps : int, default=10
    rows : (k,) int array
    keep : ndarray of bool, shape (n_samples,)
    on : bool
    mode : {'a', 'b'}
    scale : float or ndarray
    bias : ndarray of shape (m,) or None
    pad : ndarray, shape (2*n + 1, n-1)
    other : array of shape (..., 3)
    either : ndarray of shape (n,) or (n, m)
    f : callable

    Returns
    -------
    loss : float
    """

GOOGLE = """A loss.

    Args:
        X (np.ndarray of shape (n, d)): the data (k, l).
        lam (float, optional): how much.
            more : float
        count (int): how many
        y (array): no shape is told
        f (callable): a function

    Returns:
        value (float): the loss
    """

SPHINX = """A loss.

    :param X: array of shape (n, d), the data
    :type lam: float
    :param str mode: which
    :returns: float
    """


@pytest.mark.parametrize(
    "text, facts",
    [
        (
            NUMPYDOC,
            {
                "X": "n_samples n_features",
                "w": "n_features",
                "v": "n_features",
                "y": "n_samples",
                "lam": "",
                "steps": ":int",
                "rows": "k:int",
                "keep": "n_samples:bool",
                "on": ":bool",
                "bias": "m",
                "pad": "2*n+1 n-1",
            },
        ),
        (GOOGLE, {"X": "n d", "lam": "", "count": ":int"}),
        (SPHINX, {"X": "n d", "lam": ""}),
        ("No section. X : float", {}),
        ("", {}),
    ],
)
def test_what_a_docstring_tells(text, facts):
    assert described(text) == facts


def documented(w, X, lam=0.1):
    """A penalty.

    Parameters
    ----------
    w : ndarray of shape (n_features,)
    X : ndarray of shape (n_samples, n_features)
    lam : float, optional
    """
    return np.mean((X @ w) ** 2) + lam * np.sum(w * w)


def misled(w, X, lam=0.1):
    """A penalty.

    Parameters
    ----------
    w : ndarray of shape (n,)
    X : ndarray of shape (n, d)
    lam : float
    """
    return np.mean((X @ w) ** 2) + np.sum(lam * w * w)


def plain(w, X, lam=0.1):
    return np.mean((X @ w) ** 2) + np.sum(lam * w * w)


def body(text):
    return text[text.rindex('"""') :]


def test_a_docstring_and_a_default_do_what_facts_do():
    told = {"w": "n_features", "X": "n_samples n_features", "lam": ""}
    text = gradgen.emit(documented)
    assert body(text) == body(gradgen.emit(documented, shapes=told))
    assert "def _" not in text and "X (n_samples, n_features), lam ()" in text
    assert "Regenerate: gradgen emit" in text and "--shape" not in text


def test_facts_stand_before_a_docstring():
    text = gradgen.emit(documented, shapes={"X": "k m", "w": "m", "lam": "m"})
    assert "w (m), X (k, m), lam (m)" in text


def test_a_docstring_that_does_not_fit_is_left_out():
    text = gradgen.emit(misled, shapes={"X": "k m"})
    assert "w (m), X (k, m), lam (<m)" in text
    told = gradgen.emit(plain, shapes={"X": "k m", "lam": "<m"})
    assert "lam broadcasts to" in text and "lam broadcasts to" not in told
    assert text[text.index("# Grad") :] == told[told.index("# Grad") :]


def test_arguments_stand_before_a_docstring():
    w, X = np.array([0.5, -1.0]), np.arange(6.0).reshape(3, 2)
    for lam in (0.5, np.array([0.5, 2.0])):
        want = numeric_gradient(plain, [w, X, lam], 0, 1.0).value
        np.testing.assert_allclose(gradgen.grad(misled)(w, X, lam), want, rtol=1e-6)


def test_a_call_that_the_defaults_do_not_fit():
    """The text before any call has lam as a number; a call with an array is its own."""
    g = gradgen.grad(plain, wrt="lam")
    assert "lam ()" in g.source
    w, X = np.array([0.5, -1.0]), np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(g(w, X, w), w * w)
    np.testing.assert_allclose(g(w, X, 2.0), np.sum(w * w))
