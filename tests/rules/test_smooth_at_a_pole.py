"""Functions that are smooth where a factor of their derivative is infinite, or 0 / 0."""

import warnings

import numpy as np
import pytest

from tests.rules.beside import check

STEEP = np.array([0.0, 1000.0, 2.0])
CASES = [
    ("special.logsumexp(x, b=np.array([1.0, 0.0, 2.0]))", (STEEP,), True),
    ("special.logsumexp(x, axis=0, b=[1.0, 0.0, 2.0])", (STEEP,), True),
    (
        "special.logsumexp(x, axis=-1, b=np.arange(3.0)[::-1])",
        (STEEP[None, ::-1],),
        True,
    ),
    (
        "special.logsumexp(x, axis=1, b=y)",
        (np.arange(6.0).reshape(2, 3), np.array([1, 0.4, 2])),
        True,
    ),
    ("special.logsumexp(x, axis=1, b=2.0)", (np.arange(6.0).reshape(2, 3),), True),
    ("special.rgamma(x)", (np.array([0.3, 0.0, -1.0, -2.0, -3.0, 5.0, -1.5]),), True),
    ("special.rgamma(x)", (-2.0,), True),
    ("special.rgamma(x + y)", (np.array([[-1.0], [0.5]]), np.array([1.0, 0.5])), False),
    (
        "np.interp(x, np.array([1.0]), y)",
        (np.array([0.3, 1, 2]), np.array([5.0])),
        True,
    ),
    ("np.interp(x, y, w)", (1.4, np.array([1.3]), np.array([5.0])), False),
    (
        "np.interp(x, y, w)",
        (np.array([0.3, 4]), np.array([1.3]), np.array([5.0])),
        False,
    ),
    ("np.interp(x, [1.0], y, right=2.0)", (np.array([0.3, 4]), np.array([5.0])), False),
]


@pytest.mark.parametrize("text, args, second", CASES)
def test_derivatives(text, args, second):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(text, *args, second=second)
