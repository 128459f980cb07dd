"""Docstrings tell the shapes of arguments: numpydoc, Google, Sphinx."""

import pytest

from gradgen.frontend.described import described

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
