"""Entries of parts of the rows of an argument, whose adjoints are rows of rows."""

import numpy as np
import pytest

import gradgen
from gradgen.verify.finite import numeric_gradient


def entries(edges):
    err = 0.0
    for i, z in edges:
        err += z[0] ** 2
    return err


def both_parts(edges):
    err = 0.0
    for a, b in edges:
        err += a[0] * b[1] + np.sum(a[1:] ** 2)
    return err


def slices(edges):
    err = 0.0
    for _, z in edges:
        err += np.sum(np.sin(z[:2]))
    return err


def deeper(blocks):
    err = 0.0
    for a, b in blocks:
        c, d = b
        err += c[0] * d[1] * a[0, 1]
    return err


@pytest.mark.parametrize("function", [entries, both_parts, slices, deeper])
@pytest.mark.parametrize("door", ["text", "by hand"])
def test_against_differences(function, door):
    shape = (4, 2, 2, 3) if function is deeper else (4, 2, 3)
    args = [np.random.default_rng(3).normal(size=shape)]
    want = numeric_gradient(function, args, 0).value
    gradient = gradgen.grad(function)
    if door == "text":
        space = {}
        exec(gradgen.emit(function), space)
        gradient = space["grad_" + function.__name__]
    found = gradient(*args)
    assert found.shape == shape
    np.testing.assert_allclose(found, want, 1e-6, 1e-9)
