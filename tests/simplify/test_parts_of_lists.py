"""Parts of lists and tuples that have a name are arrays to a gradient's operators."""

from __future__ import annotations

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def divided(x, K=(0.5, 1.5, 2.5)):
    return np.sum(x[: len(K[: len(x)])] / K[: len(x)])


def named(x, n=2, K=(0.5, 1.5, 2.5)):
    part = K[:n]
    return np.sum(x[: len(part)] / part) * len(part)


def multiplied(x, n=2, K=(0.5, 1.5, 2.5)):
    part = K[n - 1 :]
    return np.sum((x[: len(part)] * part) ** 2) + part[0]


def of_a_part(x, K=(0.5, 1.5, 2.5, 3.5)):
    part = K[1:]
    last = part[1:]
    return np.sum(x[: len(last)] / last) + len(part)


@pytest.mark.parametrize("given", [None, (0.3, 0.7, 1.1, 0.9), [0.3, 0.7, 1.1, 0.9]])
@pytest.mark.parametrize("function", [divided, named, multiplied, of_a_part])
def test_gradients(function, given):
    x = np.array([0.4, 1.1, 1.7])
    more = {} if given is None else {"K": given}
    want = numeric_gradient(lambda x: function(x, **more), [x], 0).value
    for told in ({}, {"x": "m"}):
        text: dict = {}
        exec(gradgen.emit(function, shapes=told), text)
        found = text[f"grad_{function.__name__}"](x, **more)
        np.testing.assert_allclose(found, want, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        gradgen.grad(function)(x, **more), want, rtol=1e-6, atol=1e-9
    )
