"""At singular points a guarded gradient is the one known by hand, not only finite."""

from inspect import signature

import numpy as np
import pytest

import gradgen
from tests.guard.singular import POINTS
from tests.guard.test_properties import same_dtype


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "function, at, gradients", POINTS, ids=lambda one: getattr(one, "__name__", "")
)
def test_the_gradient_at_a_singular_point(function, at, gradients, dtype):
    args = [np.array(one, dtype) for one in at]
    names = list(signature(function).parameters)
    shapes = {name: "n d" if name.isupper() else "n" for name in names}
    gradient = gradgen.vjp(function, tuple(names), shapes=shapes, guard=True)
    with np.errstate(all="ignore"):
        value, pullback = gradient(*args)
        found = pullback(np.ones_like(value))
    for one, want in zip(found, gradients, strict=True):
        assert one.dtype == dtype
        tolerance = 8 * np.finfo(dtype).eps
        close = np.allclose(one, want, rtol=tolerance, atol=tolerance)
        assert close, (one, gradient.source)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "function, at, gradients", POINTS, ids=lambda one: getattr(one, "__name__", "")
)
def test_the_derivative_in_forward_mode(function, at, gradients, dtype):
    """Along one argument's entry after the other: the columns of the same numbers."""
    args = [np.array(one, dtype) for one in at]
    names = list(signature(function).parameters)
    shapes = {name: "n d" if name.isupper() else "n" for name in names}
    forward = gradgen.jvp(function, tuple(names), shapes=shapes, guard=True)
    tolerance = 8 * np.finfo(dtype).eps
    for i, want in enumerate(gradients):
        for place in np.ndindex(args[i].shape):
            tangents = [np.zeros_like(arg) for arg in args]
            tangents[i][place] = 1
            with np.errstate(all="ignore"):
                value, derivative = forward(*args, *tangents)
            total, known = np.sum(derivative), np.array(want, dtype)[place]
            assert same_dtype(np.asarray(derivative), args[0])
            close = np.isclose(total, known, rtol=tolerance, atol=tolerance)
            assert close, (place, forward.source)
